"""Lists and numbers in the words of a phrasebook: "a, b or c", "1-5 or 7-9", 1至5或7至9."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from punto.rules.wording.phrasebook import Phrasebook


def say_either(words: Sequence[str], say: Phrasebook) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return say.either.join(filter(None, (say.listed.join(words[:-1]), words[-1])))


def say_numbers(values: int | tuple[int, ...], say: Phrasebook) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    ordered = sorted({values} if isinstance(values, int) else set(values))
    pieces: list[str] = []
    for _, group in groupby(enumerate(ordered), key=lambda place: place[1] - place[0]):
        run = [number for _, number in group]
        pieces += [say.run.format(first=run[0], last=run[-1])] if len(run) > 2 else map(str, run)
    return say_either(pieces, say)
