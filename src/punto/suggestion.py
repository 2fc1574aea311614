"""Near misses: the name that somebody most likely meant, for messages about a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

LIKENESS = 0.6  # How alike two words must be, from 0 to 1, before one is offered for the other.


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name most like a word; None where none is close.

    >>> nearest("ezz", ("commission", "ez")), nearest("xyz", ("commission", "ez"))
    ('ez', None)
    >>> nearest("EZ", ("commission", "ez"))
    'ez'
    """
    from difflib import get_close_matches  # loaded only where something went wrong

    lowered = {name.lower(): name for name in names}
    alike = [lowered[name] for name in get_close_matches(word.lower()[:40], lowered, n=1, cutoff=LIKENESS)]
    return alike[0] if alike and alike[0] != word else None


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A question to put behind a message, with a blank before it; empty where nothing is close.

    >>> did_you_mean("ezz", ("commission", "ez"))
    ' (did you mean ez?)'
    """
    name = nearest(word, names)
    return f" (did you mean {name}?)" if name is not None else ""
