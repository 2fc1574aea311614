"""What a player types while bets are open: `banker 100 tie 10`, `same deal`, `off tie 10`, `double`.

A betting area may be named as the book does (`player-pair`), as the layout does (`player pair`), by its first
letters as far as they tell it from the others (`pan`), or by its short name (`pp`, `d7`, `wt14`). The amount
may stand behind the area, before it (`100 banker`) or against it (`p100`). `box 5` says which box the bets
behind it are in, and `both` puts them in every box of the player.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from punto.cli.play_and_learn.play.amount import read_money
from punto.suggestion import did_you_mean

SAME, CLEAR, OFF, DEAL, DOUBLE, UNDO, BOX = "same", "clear", "off", "deal", "double", "undo", "box"
BOTH = "both"
VERBS = (SAME, CLEAR, OFF, DEAL, DOUBLE, UNDO)
FILLERS = ("bet", "put", "place", "on", "and", "in", "at", "boxes", "please")
"""What people say around a bet, and what no area is called: `bet 100 on banker`."""
MAX = ("max", "all")
"""In the place of an amount: as much as the table and the chips in hand allow."""


class NotUnderstood(ValueError):
    """A line that cannot be read; the sentence says where."""


@dataclass(frozen=True, slots=True)
class BetLine:
    """What a line asks for, all at once; in one box, where it names one."""

    bets: tuple[tuple[str, int | None], ...] = ()
    """Areas with the amounts to put there; None is as much as can be."""
    off: tuple[tuple[str, int | None], ...] = ()
    """Areas with what to take off; None is all of it."""
    same: bool = False
    clear: bool = False
    deal: bool = False
    double: bool = False
    undo: bool = False
    box: int | None = None
    """The box that it is about; None where it is the player's own, or the only one."""
    both: bool = False
    """It is about every box of the player."""

    @property
    def is_empty(self) -> bool:
        """Whether it names at most a box."""
        return self == BetLine(box=self.box, both=self.both)


def read_lines(text: str, areas: Iterable[str]) -> tuple[BetLine, ...]:
    """Read a line of bets, in its parts: one for each box; `NotUnderstood` names what cannot be read."""
    known = tuple(areas)
    said = [word for word in text.lower().replace("=", " ").split() if word not in FILLERS]
    starts = [at for at, word in enumerate(said) if word in (BOX, BOTH)]
    cuts = sorted({0, *starts, len(said)})
    lines = [_read_part(said[start:end], known) for start, end in pairwise(cuts)]
    if len(lines) > 1 and lines[-1].is_empty and (lines[-2].box, lines[-2].both) == (None, False):
        # `banker 100 box 5`: the box stands behind its bets.
        last = lines.pop()
        lines[-1] = replace(lines[-1], box=last.box, both=last.both)
    for line in lines:
        if line.is_empty:
            where = f"box {line.box}" if line.box is not None else BOTH
            raise NotUnderstood(f"which bets? Write for example: {where} banker 100")
    return tuple(lines)


def _read_part(said: list[str], known: tuple[str, ...]) -> BetLine:
    words, box = _box(said)
    both = words[:1] == [BOTH]
    words = words[both:]
    reader = _Reader([part for word in words for part in _parted(word, known)], known)
    reader.read()
    verbs = reader.verbs
    if OFF in verbs and not reader.off:
        raise NotUnderstood("off what? Write for example: off tie, or off banker 50")
    return BetLine(
        tuple(reader.bets),
        tuple(reader.off),
        SAME in verbs,
        CLEAR in verbs,
        DEAL in verbs,
        DOUBLE in verbs,
        UNDO in verbs,
        box,
        both,
    )


def find_area(name: str, areas: tuple[str, ...]) -> str:
    """The betting area that somebody means."""
    area = _exact(name, areas) or _begun(name, areas)
    if area is not None:
        return area
    found = [area for area in areas if area.startswith(name)]
    if found:
        raise NotUnderstood(f"{name} can be {', '.join(found)}")
    meant = did_you_mean(name, areas)
    raise NotUnderstood(f"there is no betting area {name} here{meant}; there is {', '.join(areas)}")


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


class _Reader:
    """Goes through the words of a line once."""

    def __init__(self, words: list[str], areas: tuple[str, ...]) -> None:
        self.words, self.areas, self.at = words, areas, 0
        self.bets: list[tuple[str, int | None]] = []
        self.off: list[tuple[str, int | None]] = []
        self.verbs: set[str] = set()

    def read(self) -> None:
        is_off = False
        while self.at < len(self.words):
            word = self.words[self.at]
            if word in VERBS:
                is_off = word == OFF
                self.verbs.add(word)
                self.at += 1
            elif is_off:
                area = self._area(self.at, may_end=True)
                amount = self._amount() if self._is_amount(self.at) else None
                self.off.append((area, amount))
            elif _is_amount(word) and self.at + 1 < len(self.words) and self.words[self.at + 1] not in VERBS:
                amount = self._amount()
                self.bets.append((self._area(self.at, may_end=True), amount))
            else:
                area = self._area(self.at, may_end=False)
                self.bets.append((area, self._amount()))

    def _area(self, start: int, *, may_end: bool) -> str:
        """The area named from a word on: whole names first, and longer ones first.

        `panda 8 5` is 5 on Panda 8, and `panda 8` is 8 on it; behind its amount, `panda 8` is Panda 8.
        """
        ends = [end for end in range(len(self.words), start, -1) if may_end or self._is_amount(end)]
        for meant in (_exact, _begun):
            for end in ends:
                area = meant("-".join(self.words[start:end]), self.areas)
                if area is not None:
                    self.at = end
                    return area
        raise NotUnderstood(_unread(self.words[start:], self.areas))

    def _is_amount(self, at: int) -> bool:
        return at < len(self.words) and _is_amount(self.words[at])

    def _amount(self) -> int | None:
        word = self.words[self.at]
        self.at += 1
        if word in MAX:
            return None
        try:
            return read_money(word)
        except ValueError as error:
            raise NotUnderstood(str(error)) from None


def _box(words: list[str]) -> tuple[list[str], int | None]:
    """The words without `box 5` at their beginning, and the box."""
    if not words or words[0] != BOX:
        return words, None
    if len(words) < 2 or not (words[1].isdecimal() and words[1].isascii() and len(words[1]) < 3):
        raise NotUnderstood("which box? Write for example: box 2 banker 100")
    return words[2:], int(words[1])


def _parted(word: str, areas: tuple[str, ...]) -> tuple[str, ...]:
    """A word with its amount cut off: `p100` is `p 100`, but `d7` is an area and `d725` is `d7 25`."""
    if word in VERBS or _exact(word, areas) or not word[:1].isalpha() or not word.isascii():
        return (word,)
    for end in range(len(word) - 1, 0, -1):
        if word[end].isdigit() and _exact(word[:end], areas):
            return word[:end], word[end:]
    letters = len(word.rstrip("0123456789.,k"))
    if 0 < letters < len(word) and word[letters].isdigit() and _begun(word[:letters], areas):
        return word[:letters], word[letters:]
    return (word,)


def _is_amount(word: str) -> bool:
    """Whether a word stands for an amount, right or wrong: `100`, `$100`, `-5`, `max`."""
    return word.lstrip("+-$")[:1].isdigit() or word in MAX


def _exact(name: str, areas: tuple[str, ...]) -> str | None:
    return name if name in areas else short_names(areas).get(name)


def _begun(name: str, areas: tuple[str, ...]) -> str | None:
    found = [area for area in areas if area.startswith(name)]
    return found[0] if len(found) == 1 else None


def _unread(words: list[str], areas: tuple[str, ...]) -> str:
    """What is wrong from here on: a name, an amount that is missing, or everything."""
    ends = [n for n, word in enumerate(words) if word in VERBS or _is_amount(word)]
    end = ends[0] if ends else len(words)
    name = "-".join(words[:end])
    if not name and len(words) == 1:
        return f"{words[0]} on what? Write for example: banker {words[0]}"
    if not name:
        return f"{words[0]!r} is not understood here; ? shows what you can type"
    is_bet = end < len(words) and words[end] not in VERBS
    try:
        area = find_area(name, areas)
    except NotUnderstood as error:
        if is_bet:
            return str(error)
        meant = did_you_mean(words[0], (*VERBS, BOX, BOTH, *areas))
        return f"{' '.join(words[:end])!r} is not understood here{meant}; ? shows what you can type"
    return f"how much on {area}? Write for example: {area} 100"
