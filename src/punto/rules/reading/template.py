"""Templates of bets: one entry with a list in it, written out as one bet for each place of the list.

    each = { total = [0, 1, 2], pays = ["150:1", "215:1", "225:1"] }
    area = "egalite-{total}"

A text that is nothing but `{total}` becomes the value itself, so that a number stays a number; inside a
longer text the value is written out. Templates are gone before books are laid over one another: what extends
a book names the bets that came of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from punto.rules.reading.problem import Place, Problem

EACH = "each"
MOST_COPIES = 64
"""Bets of one template: no book has more bets."""

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}", re.ASCII)


def template_problems(values: dict[str, Any]) -> Iterator[Problem]:
    """What is wrong with the templates of a book file."""
    bets = values.get("bets")
    for i, bet in enumerate(bets if isinstance(bets, list) else ()):
        if isinstance(bet, dict) and EACH in bet:
            for key, sentence in _wrong(bet):
                yield Problem(("bets", i, key), sentence)


def copies(entry: Any, place: Place) -> list[Any]:
    """The entries that an entry of a list stands for: those of a template, or the entry itself."""
    if place != ("bets",) or not isinstance(entry, dict) or EACH not in entry:
        return [entry]
    rest = {key: value for key, value in entry.items() if key != EACH}
    lists: dict[str, list[Any]] = entry[EACH]
    return [
        _filled(rest, dict(zip(lists, values, strict=True))) for values in zip(*lists.values(), strict=True)
    ]


def _wrong(bet: dict[str, Any]) -> Iterator[tuple[str, str]]:
    each = bet[EACH]
    if not isinstance(each, dict) or not each or not all(isinstance(one, list) for one in each.values()):
        yield EACH, "each is a table of lists, such as { total = [0, 1, 2] }"
        return
    lengths = {name: len(values) for name, values in each.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        yield EACH, f"the lists of each have the same number of values; {told}"
    elif not 1 <= next(iter(lengths.values())) <= MOST_COPIES:
        yield EACH, f"a template has 1 to {MOST_COPIES} values, not {next(iter(lengths.values()))}"
    for name in each:
        if not _SLOT.fullmatch(f"{{{name}}}"):
            yield (
                EACH,
                f"{name!r} is not a name for a value; write lower case letters, digits and underscores",
            )
    used = set(_slots({key: value for key, value in bet.items() if key != EACH}))
    for name in sorted(used - each.keys()):
        yield EACH, f"{{{name}}} stands in the bet, but each has no list {name}"
    if not used & {name for name in each if name in _SLOT.findall(str(bet.get("area", "")))}:
        yield "area", f"the area of a template has a value in it, such as egalite-{{{next(iter(each))}}}"


def _slots(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _SLOT.findall(value)
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _slots(inner)


def _filled(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, values) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, values) for inner in value]
    if not isinstance(value, str):
        return value
    whole = _SLOT.fullmatch(value)
    return values[whole[1]] if whole else _SLOT.sub(lambda slot: str(values[slot[1]]), value)
