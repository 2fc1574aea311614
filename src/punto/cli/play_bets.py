"""What a player types while bets are open, `banker 100 tie 10`, `same deal`, `off tie 10`, `double`, and the
commands it becomes; bets can be undone until the deal.

A betting area may be named as the book does (`player-pair`), as the layout does (`player pair`), by its
first letters as far as they tell it from the others (`pan`), or by its short name (`pp`, `d7`, `wt14`).
The amount may stand behind the area, before it (`100 banker`) or against it (`p100`). `box 5` says which
box the bets behind it are in, and `both` puts them in every box of the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product

from punto.cli.play_table import PLAYER, SoloTable
from punto.money import format_money, parse_amount
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import label_of
from punto.suggestion import did_you_mean
from punto.table import act
from punto.table.betting import PlaceBet, ReduceBet, WithdrawBet
from punto.table.command import Command
from punto.table.house import TakeSeat
from punto.table.terms import boxes_of

THOUSAND = "k"
LONGEST_AMOUNT = 12  # Characters of an amount: more than any table takes.


def read_money(text: str) -> int:
    """An amount as people type it; `ValueError` says what is wrong.

    >>> read_money("1,250"), read_money("2k")
    (125000, 200000)
    """
    if len(text) > LONGEST_AMOUNT:
        raise ValueError(f"{text[:LONGEST_AMOUNT]}… is longer than any amount here")
    plain = text.lower().replace(",", "").removeprefix("$")
    if plain.endswith(THOUSAND):
        return parse_amount(plain.removesuffix(THOUSAND)) * 1000
    return parse_amount(plain)


def typed_amount(units: int) -> str:
    """An amount that `read_money` reads back, without a comma."""
    return format_money(units).replace(",", "")


SAME, CLEAR, OFF, DEAL, DOUBLE, UNDO, BOX = "same", "clear", "off", "deal", "double", "undo", "box"
BOTH = "both"
VERBS = (SAME, CLEAR, OFF, DEAL, DOUBLE, UNDO)
FILLERS = ("bet", "put", "place", "on", "and", "in", "at", "boxes", "please")
"""What people say around a bet, and what no area is called: `bet 100 on banker`."""
MAX = ("max", "all")  # In the place of an amount: as much as the table and the chips in hand allow.


class NotUnderstood(ValueError):
    """A line that cannot be read; the sentence says where."""


@dataclass(frozen=True, slots=True)
class BetLine:
    """What a line asks for, all at once; in one box, where it names one."""

    bets: tuple[tuple[str, int | None], ...] = ()  # Areas with the amounts to put there; None is as much as can be.
    off: tuple[tuple[str, int | None], ...] = ()  # Areas with what to take off; None is all of it.
    same: bool = False
    clear: bool = False
    deal: bool = False
    double: bool = False
    undo: bool = False
    box: int | None = None  # The box that it is about; None where it is the player's own, or the only one.
    both: bool = False  # It is about every box of the player.

    @property
    def is_empty(self) -> bool:
        """Whether it names at most a box."""
        return self == BetLine(box=self.box, both=self.both)


def read_lines(text: str, areas: Iterable[str]) -> tuple[BetLine, ...]:
    """Read a line of bets, in its parts: one for each box; `NotUnderstood` names what cannot be read."""
    known = tuple(areas)
    words = [word for word in text.lower().replace("=", " ").split() if word not in FILLERS]
    cuts = sorted({0, len(words), *(at for at, word in enumerate(words) if word in (BOX, BOTH))})
    lines = [_read_part(words[start:end], known) for start, end in pairwise(cuts)]
    if len(lines) > 1 and lines[-1].is_empty and (lines[-2].box, lines[-2].both) == (None, False):
        # `banker 100 box 5`: the box stands behind its bets.
        last = lines.pop()
        lines[-1] = replace(lines[-1], box=last.box, both=last.both)
    for line in lines:
        if line.is_empty:
            where = f"box {line.box}" if line.box is not None else BOTH
            raise NotUnderstood(f"which bets? Write for example: {where} banker 100")
    return tuple(lines)


def _read_part(words: list[str], known: tuple[str, ...]) -> BetLine:
    box, both = None, words[:1] == [BOTH]
    if words[:1] == [BOX]:
        number = words[1] if len(words) > 1 else ""
        if not (number.isdecimal() and number.isascii() and len(number) < 3):
            raise NotUnderstood("which box? Write for example: box 2 banker 100")
        box, words = int(number), words[2:]
    words = words[both:]
    reader = _BetReader([part for word in words for part in _parted(word, known)], known)
    reader.read()
    if OFF in reader.verbs and not reader.off:
        raise NotUnderstood("off what? Write for example: off tie, or off banker 50")
    flags = {verb: True for verb in reader.verbs if verb != OFF}
    return BetLine(tuple(reader.bets), tuple(reader.off), **flags, box=box, both=both)


def find_area(name: str, areas: tuple[str, ...]) -> str:
    """The betting area that somebody means."""
    if area := _exact(name, areas) or _begun(name, areas):
        return area
    if candidates := [area for area in areas if area.startswith(name)]:
        raise NotUnderstood(f"{name} can be {', '.join(candidates)}")
    meant = did_you_mean(name, areas)
    raise NotUnderstood(f"there is no betting area {name} here{meant}; there is {', '.join(areas)}")


@lru_cache(maxsize=8)
def short_names(areas: tuple[str, ...]) -> dict[str, str]:
    """A short name for each area: `pp` is player-pair, `wt14` is winning-total-1-4.

    Where two areas have the same initials, the one that the book names first has them.
    """
    names: dict[str, str] = {}
    for area in areas:
        initials = "".join(part if part.isdigit() else part[0] for part in area.split("-"))
        begun = (area[:letters] for letters in range(2, len(area) + 1))
        names[next(name for name in (initials, *begun) if name not in names)] = area
    return names


class _BetReader:
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
                area = self._area(may_end=True)
                self.off.append((area, self._amount() if self._is_amount(self.at) else None))
            elif _is_amount(word) and self.at + 1 < len(self.words) and self.words[self.at + 1] not in VERBS:
                amount = self._amount()
                self.bets.append((self._area(may_end=True), amount))
            else:
                self.bets.append((self._area(may_end=False), self._amount()))

    def _area(self, *, may_end: bool) -> str:
        """The area named from here on: whole names first, and longer ones first.

        `panda 8 5` is 5 on Panda 8, and `panda 8` is 8 on it; behind its amount, `panda 8` is Panda 8.
        """
        words = self.words[self.at :]
        ends = [end for end in range(len(words), 0, -1) if may_end or self._is_amount(self.at + end)]
        for matching, end in product((_exact, _begun), ends):
            if area := matching("-".join(words[:end]), self.areas):
                self.at += end
                return area
        raise NotUnderstood(_unread(words, self.areas))

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
    begun = [area for area in areas if area.startswith(name)]
    return begun[0] if len(begun) == 1 else None


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


Spot = tuple[int, str]  # A box and a betting area.


class BetPlacing:
    """The player's bets of one round: from a typed line to commands, with what can be undone.

    A line says what the player wants; the commands are the difference between that and what lies on the
    layout. A bet in a box where nobody sits takes that box too.
    """

    def __init__(self, solo: SoloTable, in_hand: Callable[[], int]) -> None:
        self.solo, self.in_hand = solo, in_hand
        self._before: list[dict[Spot, int]] = []
        self._wanted: dict[Spot, int] = {}

    def begin(self) -> None:
        """A round begins: there is nothing to undo yet."""
        self._before = []

    def laid(self) -> dict[Spot, int]:
        return {(bet.box, bet.area): bet.stake for bet in self.solo.state.bets if bet.player == PLAYER}

    def commands(self, lines: Sequence[BetLine]) -> list[Command]:
        """The commands that carry out a line; `NotUnderstood` where it makes no sense now."""
        self._wanted = self._after(lines)
        laid, off, on = self.laid(), list[Command](), list[PlaceBet]()
        needy = {bet.area for bet in self.solo.book.bets if bet.needs}
        # Bets come off first, and what may not lie alone comes off first and is placed last.
        for spot in sorted(dict.fromkeys((*laid, *self._wanted)), key=lambda spot: spot[1] not in needy):
            (box, area), stake, wanted = spot, laid.get(spot, 0), self._wanted.get(spot, 0)
            if wanted > stake:
                on.append(PlaceBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area, amount=wanted - stake))
            elif 0 < wanted < stake:
                off.append(ReduceBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area, amount=stake - wanted))
            elif wanted < stake:
                off.append(WithdrawBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area))
        return [*off, *self._seats(), *sorted(on, key=lambda bet: bet.area in needy)]

    def _seats(self) -> list[Command]:
        """Every box where the player wants to bet now and nobody sits."""
        boxes = dict.fromkeys(box for (box, _), stake in self._wanted.items() if stake)
        here = range(1, boxes_of(self.solo.book, self.solo.table.terms) + 1)
        free = [box for box in boxes if box in here and box not in self.solo.state.seats]
        if free and len(self.solo.boxes) >= self.solo.table.terms.boxes_each:
            raise NotUnderstood(f"at this table a player has one box, and yours is box {self.solo.box}")
        return [TakeSeat(actor=PLAYER, role=Role.PLAYER, box=box) for box in free]

    def remember(self, lines: Sequence[BetLine]) -> None:
        """A line was carried out: `undo` takes it back."""
        if lines[0].undo:
            self._before.pop()
        else:
            self._before.append(self._at_start)

    def cost(self) -> tuple[int, int]:
        """What the line whose commands were made last adds to the layout, and what it takes off."""
        laid = self.laid()
        changes = [self._wanted.get(spot, 0) - laid.get(spot, 0) for spot in {*laid, *self._wanted}]
        return sum(change for change in changes if change > 0), -sum(change for change in changes if change < 0)

    def too_dear(self, commands: Iterable[Command], in_hand: int, wanted: int) -> str:
        """Why these bets cannot be made: the table's own reason first, because more chips would not help."""
        table = self.solo.table
        for command in commands:
            step = act(table, command)
            if isinstance(step, Refusal):
                return refusal_sentence(step)
            table = step.table
        return f"That is {format_money(wanted)}. {short_of(in_hand, wanted)}"

    def short_for_wagers(self, commands: Iterable[Command], left: int) -> str:
        """A warning, where the antes would need wagers that what is left in hand cannot pay."""
        ante = self.solo.book.ante
        if ante is None or not any(isinstance(command, PlaceBet) for command in commands):
            return ""
        antes = {pair.ante for pair in ante.pairs}
        laid = {spot: stake for spot, stake in self._wanted.items() if spot[1] in antes and stake}
        needed = sum(laid.values()) * ante.multiple
        if needed <= left:
            return ""
        names = " and ".join(dict.fromkeys(label_of(self.solo.book, area) for _, area in laid))
        return (
            f"{names}: the wager will be {format_money(needed)}, and you will have {format_money(left)} in "
            f"hand. Without {format_money(needed - left)} more you can only give up; type buy "
            f"{typed_amount(needed - left)} for chips."
        )

    def _after(self, lines: Sequence[BetLine]) -> dict[Spot, int]:
        """What is to lie on the layout after a line."""
        wanted = self._at_start = self.laid()
        if any(line.undo for line in lines):
            if len(lines) > 1 or replace(lines[0], deal=False) != BetLine(undo=True):
                raise NotUnderstood("type undo by itself: it takes back the last line")
            if not self._before:
                raise NotUnderstood("there is nothing to undo in this round")
            return self._before[-1]
        for line in lines:
            wanted = self._changed(wanted, line)
        return wanted

    def _changed(self, laid: dict[Spot, int], line: BetLine) -> dict[Spot, int]:
        """What is to lie after one part of a line, which is about one box or several."""
        boxes = self.solo.boxes if line.both else (self.solo.box if line.box is None else line.box,)
        is_everywhere = line.box is None and not line.both
        # Words about all bets are about those of every box, where the line names none.
        is_meant = {spot: is_everywhere or spot[0] in boxes for spot in laid}
        is_all = line == BetLine(clear=True, box=line.box, both=line.both)
        if is_all and not any(is_meant[spot] and stake for spot, stake in laid.items()):
            raise NotUnderstood("there are no bets to take off")
        wanted = {spot: 0 if line.clear and is_meant[spot] else stake for spot, stake in laid.items()}
        for box, (area, amount) in product(boxes, line.off):
            stake = wanted.get((box, area), 0)
            if not stake:
                raise NotUnderstood(f"you have no bet on {area} in box {box}")
            if amount is not None and amount > stake:
                raise NotUnderstood(f"the bet on {area} is only {format_money(stake)}")
            wanted[box, area] = 0 if amount is None else stake - amount
        if line.same:
            again = {spot: stake for spot, stake in self.solo.last_bets.items() if is_everywhere or spot[0] in boxes}
            if not again:
                raise NotUnderstood("there is no earlier round with bets to repeat")
            wanted |= {spot: wanted.get(spot, 0) + stake for spot, stake in again.items()}
        if line.double:
            doubled = [spot for spot, stake in wanted.items() if stake and is_meant.get(spot, True)]
            if not doubled:
                raise NotUnderstood("there are no bets to double; same double doubles those of the last round")
            wanted |= {spot: 2 * wanted[spot] for spot in doubled}
        for box, (area, amount) in product(boxes, line.bets):
            more = self._greatest((box, area), wanted) if amount is None else amount
            wanted[box, area] = wanted.get((box, area), 0) + more
        return wanted

    def _greatest(self, spot: Spot, wanted: dict[Spot, int]) -> int:
        """The most that can be put on a spot: by the table, and by the chips that are left in hand."""
        laid = self.laid()
        in_hand = self.in_hand() + sum(laid.values()) - sum(wanted.values())
        legal = self.solo.bets(spot[0]).get(spot[1])
        limit = self.solo.table.terms.limits_of(spot[1]).maximum if legal is None else legal.most
        added = wanted.get(spot, 0) - laid.get(spot, 0)
        room = in_hand if limit is None else min(in_hand, limit - added)
        most = room - room % self.solo.table.terms.chip
        if most <= 0:
            raise NotUnderstood(f"nothing more can be put on {spot[1]}")
        return most


def refusal_sentence(refusal: Refusal) -> str:
    return f"{refusal.sentence[:1].upper()}{refusal.sentence[1:]}."


def short_of(in_hand: int, wanted: int) -> str:
    """What is said to a player who wants to stake more than is in hand."""
    return f"You have {format_money(in_hand)} in hand; type buy {typed_amount(wanted - in_hand)} for more chips."
