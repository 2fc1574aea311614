"""What a player types while bets are open: `banker 100 tie 10`, `same deal`, `off tie`, `clear`.

A betting area may be named as the book does (`player-pair`), as the layout does (`player pair`), by its first
letters as far as they tell it from the others (`pan`), or by its initials (`pp`, `d7`, `wt14`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from punto.cli.play.purse import read_money

SAME, CLEAR, OFF, DEAL = "same", "clear", "off", "deal"
VERBS = (SAME, CLEAR, OFF, DEAL)


class NotUnderstood(ValueError):
    """A line that says nothing we know; the sentence says where."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one line asks for, all at once."""

    bets: tuple[tuple[str, int], ...] = ()
    """Areas with the amounts to put there."""
    off: tuple[str, ...] = ()
    same: bool = False
    clear: bool = False
    deal: bool = False


def read_line(text: str, areas: Iterable[str]) -> Line:
    """Read a line of bets; `NotUnderstood` names the words that cannot be read."""
    known = tuple(areas)
    bets: list[tuple[str, int]] = []
    off: list[str] = []
    verbs: set[str] = set()
    words: list[str] = []
    taking_off = False
    for word in text.lower().replace("=", " ").split():
        if word in VERBS and not words:
            taking_off = word == OFF
            verbs.add(word)
        elif word[0].isdigit() and words:
            bets.append((find_area("-".join(words), known), _amount(word)))
            words = []
        elif taking_off and (area := _exact("-".join((*words, word)), known)):
            off.append(area)
            words = []
        else:
            words.append(word)
    if words and taking_off:
        off.append(find_area("-".join(words), known))
    elif words:
        raise NotUnderstood(_unread(words, known))
    if OFF in verbs and not off:
        raise NotUnderstood("off what? Write for example: off tie")
    return Line(tuple(bets), tuple(off), SAME in verbs, CLEAR in verbs, DEAL in verbs)


def find_area(name: str, areas: tuple[str, ...]) -> str:
    """The betting area that somebody means."""
    if area := _exact(name, areas):
        return area
    found = [area for area in areas if area.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotUnderstood(f"{name} can be {', '.join(found)}")
    raise NotUnderstood(f"there is no betting area {name} here; there is {', '.join(areas)}")


def initials(area: str) -> str:
    """`pp` for player-pair, `wt14` for winning-total-1-4."""
    return "".join(part if part.isdigit() else part[0] for part in area.split("-"))


def _exact(name: str, areas: tuple[str, ...]) -> str | None:
    if name in areas:
        return name
    short = [area for area in areas if initials(area) == name]
    return short[0] if len(short) == 1 else None


def _amount(word: str) -> int:
    try:
        return read_money(word)
    except ValueError as error:
        raise NotUnderstood(str(error)) from None


def _unread(words: list[str], areas: tuple[str, ...]) -> str:
    """What is missing, where only an amount is, or that nothing of it is known."""
    name = "-".join(words)
    try:
        area = find_area(name, areas)
    except NotUnderstood:
        return f"{' '.join(words)!r} says nothing here; ? shows what can be typed"
    return f"how much on {area}? Write for example: {area} 100"
