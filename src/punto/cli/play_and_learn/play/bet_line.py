"""What a player types while bets are open: `banker 100 tie 10`, `same deal`, `off tie`, `clear`.

A betting area may be named as the book does (`player-pair`), as the layout does (`player pair`), by its first
letters as far as they tell it from the others (`pan`), or by its short name (`pp`, `d7`, `wt14`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from punto.cli.play_and_learn.play.amount import read_money

SAME, CLEAR, OFF, DEAL = "same", "clear", "off", "deal"
VERBS = (SAME, CLEAR, OFF, DEAL)


class NotUnderstood(ValueError):
    """A line that cannot be read; the sentence says where."""


@dataclass(frozen=True, slots=True)
class BetLine:
    """What one line asks for, all at once."""

    bets: tuple[tuple[str, int], ...] = ()
    """Areas with the amounts to put there."""
    off: tuple[str, ...] = ()
    same: bool = False
    clear: bool = False
    deal: bool = False


def read_line(text: str, areas: Iterable[str]) -> BetLine:
    """Read a line of bets; `NotUnderstood` names the words that cannot be read."""
    known, words = tuple(areas), text.lower().replace("=", " ").split()
    bets: list[tuple[str, int]] = []
    off: list[str] = []
    verbs: set[str] = set()
    at, taking_off = 0, False
    while at < len(words):
        if words[at] in VERBS:
            taking_off = words[at] == OFF
            verbs.add(words[at])
            at += 1
            continue
        found = _area_at(words, at, known, has_amount=not taking_off)
        if found is None:
            raise NotUnderstood(_unread(words[at:], known))
        area, at = found
        if taking_off:
            off.append(area)
        else:
            bets.append((area, _amount(words[at])))
            at += 1
    if OFF in verbs and not off:
        raise NotUnderstood("off what? Write for example: off tie")
    return BetLine(tuple(bets), tuple(off), SAME in verbs, CLEAR in verbs, DEAL in verbs)


def _area_at(
    words: list[str], at: int, areas: tuple[str, ...], *, has_amount: bool
) -> tuple[str, int] | None:
    """The area named from a word on, and where its name ends: whole names first, and longer ones first.

    `panda 8 5` is 5 on Panda 8, and `panda 8` is 8 on it.
    """
    ends = [end for end in range(len(words), at, -1) if not has_amount or _is_amount(words, end)]
    for meant in (_exact, _begun):
        for end in ends:
            area = meant("-".join(words[at:end]), areas)
            if area is not None:
                return area, end
    return None


def _is_amount(words: list[str], at: int) -> bool:
    return at < len(words) and words[at][0].isdigit()


def find_area(name: str, areas: tuple[str, ...]) -> str:
    """The betting area that somebody means."""
    area = _exact(name, areas) or _begun(name, areas)
    if area is not None:
        return area
    found = [area for area in areas if area.startswith(name)]
    if found:
        raise NotUnderstood(f"{name} can be {', '.join(found)}")
    raise NotUnderstood(f"there is no betting area {name} here; there is {', '.join(areas)}")


@lru_cache(maxsize=8)
def short_names(areas: tuple[str, ...]) -> dict[str, str]:
    """A short name for each area: `pp` is player-pair, `wt14` is winning-total-1-4.

    Where two areas have the same initials, the one that the book names first has them.
    """
    found: dict[str, str] = {}
    for area in areas:
        initials = "".join(part if part.isdigit() else part[0] for part in area.split("-"))
        begun = (area[:letters] for letters in range(2, len(area) + 1))
        found[next(name for name in (initials, *begun) if name not in found)] = area
    return found


def _exact(name: str, areas: tuple[str, ...]) -> str | None:
    return name if name in areas else short_names(areas).get(name)


def _begun(name: str, areas: tuple[str, ...]) -> str | None:
    found = [area for area in areas if area.startswith(name)]
    return found[0] if len(found) == 1 else None


def _amount(word: str) -> int:
    try:
        return read_money(word)
    except ValueError as error:
        raise NotUnderstood(str(error)) from None


def _unread(words: list[str], areas: tuple[str, ...]) -> str:
    """What is wrong from here on: a name, an amount that is missing, or everything."""
    ends = [n for n, word in enumerate(words) if word in VERBS or word[0].isdigit()]
    end = ends[0] if ends else len(words)
    name = "-".join(words[:end])
    if not name:
        return f"{words[0]!r} is not understood here; ? shows what you can type"
    is_bet = end < len(words) and words[end] not in VERBS
    try:
        area = find_area(name, areas)
    except NotUnderstood as error:
        if is_bet:
            return str(error)
        return f"{' '.join(words[:end])!r} is not understood here; ? shows what you can type"
    return f"how much on {area}? Write for example: {area} 100"
