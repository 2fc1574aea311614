"""A strategy as a value: which bets, how much, by which progression, when, and when to stop; with the most
that it can stake, win or lose, held against what a kernel counts exactly. Amounts are minor units. Each
progression is the system as it is usually published.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from math import isfinite
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.money import format_money
from punto.rules.book import Book
from punto.rules.holdings import refuse_alone
from punto.rules.outcome import Hand
from punto.simulation.deals import ShoeTerms
from punto.simulation.machine_code import copy_numbers, inlined
from punto.suggestion import did_you_mean


class Progression(Enum):
    """The classic systems; flat always stakes one unit."""

    FLAT = "flat"
    MARTINGALE = "martingale"  # Twice as much after each loss, one unit after a win.
    PAROLI = "paroli"  # Twice as much after each win; after three wins, or a loss, one unit.
    DALEMBERT = "dalembert"  # A unit more after a loss, a unit less after a win, never less than one.
    FIBONACCI = "fibonacci"  # 1 1 2 3 5 8 …: a step on after a loss, two steps back after a win.
    LABOUCHERE = "labouchere"
    """First and last number of a line: both struck out after a win, their sum put behind it after a loss."""
    ONE_THREE_TWO_SIX = "1-3-2-6"
    """1, 3, 2, 6 units while wins follow each other; one unit after a loss or after the fourth win."""


FLAT, MARTINGALE, PAROLI, DALEMBERT, FIBONACCI, LABOUCHERE, ONE_THREE_TWO_SIX = range(len(Progression))

MOST_UNITS = 1 << 20  # No progression asks for more: long before that a table's maximum or a bankroll stops it.
LONGEST_LINE = 512  # A line that would grow past this is given up, and a new one begun.
PAROLI_WINS = 3
FIBONACCI_STEPS = 30
_FOUR_STEPS = np.array([1, 3, 2, 6], np.int64)


def progression_number(progression: Progression) -> int:
    """The number by which kernels know a progression."""
    return list(Progression).index(progression)


def most_units(progression: Progression) -> int:
    few = {Progression.FLAT: 1, Progression.PAROLI: 1 << PAROLI_WINS - 1, Progression.ONE_THREE_TWO_SIX: 6}
    return few.get(progression, MOST_UNITS)


STEP, FIRST, AFTER_LAST, LINE = range(4)
"""Places in the memory of a progression: its step, where its line begins and ends, and the line itself."""


def fresh_progression(progression: Progression, line: tuple[int, ...]) -> NDArray[np.int64]:
    """The memory of a progression that begins, for a Labouchère with this line."""
    memory = np.zeros(LINE + LONGEST_LINE, np.int64)
    memory[STEP] = 1 if progression is Progression.DALEMBERT else 0
    memory[FIRST], memory[AFTER_LAST] = LINE, LINE + len(line)
    memory[LINE : LINE + len(line)] = line
    return memory


@inlined
def units_to_stake(kind: Any, memory: Any) -> Any:
    wanted, step = 1, memory[STEP]
    if kind in (MARTINGALE, PAROLI):
        wanted = 1 << min(step, 20)
    elif kind == DALEMBERT:
        wanted = step
    elif kind == FIBONACCI:
        before = 0
        for _ in range(step):
            before, wanted = wanted, before + wanted
    elif kind == LABOUCHERE:
        wanted = memory[memory[FIRST]]
        if memory[AFTER_LAST] - memory[FIRST] > 1:
            wanted += memory[memory[AFTER_LAST] - 1]
    elif kind == ONE_THREE_TWO_SIX:
        wanted = _FOUR_STEPS[step]
    return min(wanted, MOST_UNITS)


@inlined
def follow_progression(kind: Any, memory: Any, fresh: Any, staked: Any, net: Any) -> None:
    """Go on after a bet of this many units won or lost."""
    is_won, step = net > 0, memory[STEP]
    if net == 0:
        pass
    elif kind == MARTINGALE:
        memory[STEP] = 0 if is_won else step + 1
    elif kind == PAROLI:
        memory[STEP] = (step + 1) % PAROLI_WINS if is_won else 0
    elif kind == DALEMBERT:
        memory[STEP] = max(1, step - 1) if is_won else step + 1
    elif kind == FIBONACCI:
        memory[STEP] = max(0, step - 2) if is_won else min(step + 1, FIBONACCI_STEPS)
    elif kind == ONE_THREE_TWO_SIX:
        memory[STEP] = (step + 1) % 4 if is_won else 0
    elif kind == LABOUCHERE:
        if is_won:
            memory[FIRST] += 1
            memory[AFTER_LAST] -= 1
        elif memory[AFTER_LAST] < len(memory):
            memory[memory[AFTER_LAST]] = staked
            memory[AFTER_LAST] += 1
        if memory[AFTER_LAST] <= memory[FIRST] or memory[AFTER_LAST] >= len(memory):
            copy_numbers(fresh, memory)


MOST_STAKE = 10**9  # Minor units of one unit: far more than any table takes.


class Insuring(Enum):
    PASS = "pass"
    INSURE = "insure"  # To the cap: pay-outs never exceed the main bet.
    HOLD = "hold"  # With the least stake, so that the second window stays open: `keep-open` in files, or `hold`.

    @classmethod
    def _missing_(cls, value: object) -> Insuring | None:
        return cls.HOLD if value == "keep-open" else None


class InsuringRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand: Hand
    cards: int  # Cards on the table at its window: 4 or 5.
    player_points: int
    banker_points: int
    choice: Insuring


class CountSystem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A count system: bets are laid only when the true count is at the trigger or above."""

    tags: tuple[int, ...]
    """What each card adds when seen: ace to nine, then ten and court cards alike; or all thirteen ranks."""
    trigger: float  # Of the running count, to one deck of unseen cards.


class Strategy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to stake, and when to stop."""

    stakes: dict[str, int]
    """Stake of one unit on each betting area, the first being the one that a progression goes by."""
    progression: Progression = Progression.FLAT
    line: tuple[int, ...] = (1, 2, 3, 4)  # Where a Labouchère begins.
    count: CountSystem | None = None
    insuring: tuple[InsuringRule, ...] = ()  # Offers to take; any other is passed up.
    giving_up: dict[str, tuple[int, ...]] = {}
    """By ante: the shown points (first card lowest, tens for the second) at which it is given up."""
    minimum: int = 0
    maximum: int | None = None  # Limits of the table, for each bet.
    bankroll: int | None = None  # What a session begins with; None for one that cannot be ruined.
    goal: int | None = None  # A session ends when it has won this much …
    stop_loss: int | None = None  # … or lost this much.
    shoes: int = 1  # Shoes of a session, unless it ends sooner.

    def problem(self, book: Book) -> str | None:
        return self._wrong_bets(book) or self._wrong_amounts(book) or self._wrong_systems(book)

    def first_stakes(self, book: Book) -> int:
        """What one unit on every bet takes, wagers that may follow antes among them."""
        ante = book.ante
        followed = sum(stake for area, stake in self.stakes.items() if book.wager_of(area) is not None)
        return sum(self.stakes.values()) + (ante.multiple * followed if ante else 0)

    def _wrong_bets(self, book: Book) -> str | None:
        if not self.stakes:
            return "a strategy bets on something: name a betting area"
        for area in self.stakes:
            if area not in book.opening_areas:
                areas = ", ".join(book.opening_areas)
                meant = did_you_mean(area, book.opening_areas)
                return f"{area!r} is not an opening bet of {book.name}{meant}; choose one of {areas}"
            if refusal := refuse_alone(book, area, self.stakes):
                return refusal.sentence
            if book.pay_tables[area].cards is not None:
                return f"{area} asks about single cards, which strategies do not follow"
            if book.pay_tables[area].reads_suits:
                return f"{area} asks for suits, which are not dealt to strategies"
        return None

    def _wrong_amounts(self, book: Book) -> str | None:
        if self.maximum is not None and self.maximum < self.minimum:
            return f"a maximum of {format_money(self.maximum)} is less than the minimum"
        for area, stake in self.stakes.items():
            if not max(1, self.minimum) <= stake <= min(MOST_STAKE, self.maximum or MOST_STAKE):
                return f"a stake of {format_money(stake)} on {area} is outside the limits"
        for name, amount in (("bankroll", self.bankroll), ("goal", self.goal), ("stop-loss", self.stop_loss)):
            if amount is not None and not 1 <= amount <= 1000 * MOST_STAKE:
                return f"the {name} must be positive and at most {format_money(1000 * MOST_STAKE)}"
        first = self.first_stakes(book)
        if self.bankroll is not None and self.bankroll < first:
            held, staked = format_money(self.bankroll), format_money(first)
            return f"a bankroll of {held} is less than the first stakes, {staked}"
        if not 1 <= self.shoes <= 1000:
            return f"a session has from 1 to 1000 shoes, not {self.shoes}"
        return None

    def _wrong_systems(self, book: Book) -> str | None:
        if self.count is not None and len(self.count.tags) not in (10, 13):
            return f"a count has 10 tags, ace to nine and ten, or 13, not {len(self.count.tags)}"
        if self.count is not None and max(map(abs, self.count.tags)) > 1000:
            return "a tag is a small whole number, at most 1000"
        if not self.line or not all(1 <= number <= 1000 for number in self.line) or len(self.line) > 100:
            return "a Labouchère line is made of 1 to 100 whole numbers from 1 to 1000"
        if self.count is not None and not isfinite(self.count.trigger):
            return "the trigger of a count must be a finite number"
        return self._wrong_policies(book)

    def _wrong_policies(self, book: Book) -> str | None:
        if self.insuring and book.insurance is None:
            return f"{book.name} has no insurance"
        for cell in self.insuring:
            offers = book.offers.cells.get((cell.cards, cell.player_points, cell.banker_points), ())
            if not any(offer.hand is cell.hand for offer in offers):
                return (
                    f"no insurance on the {cell.hand.value} hand is offered at {cell.cards} cards, "
                    f"Player {cell.player_points} and Banker {cell.banker_points}"
                )
        ante = book.ante
        if self.giving_up and ante is None:
            return f"{book.name} has no antes"
        for area, shown in self.giving_up.items():
            if ante is None or book.wager_of(area) is None:
                return f"{area!r} is not an ante of {book.name}"
            if any(not 0 <= points < 10**ante.shown_cards for points in shown):
                return f"the points at which {area} is given up are 0 to {10**ante.shown_cards - 1}"
        return None


MOST_IN_ROUND = 1 << 48  # Minor units staked, won or lost in a round: squares of 10^9 such rounds fit 128 bits.
MOST_IN_SESSION = 1 << 56  # Minor units won or lost in a session: squares of 10^4 sessions fit 128 bits.
MOST_BETWEEN = 1 << 62  # What a kernel may come to on its way to a net.


def strategy_too_large(book: Book, strategy: Strategy, terms: ShoeTerms) -> str | None:
    """Why a strategy cannot be counted exactly, in one sentence: what one round and one session can come to must fit
    64 bits with room for their products. Sums are wide enough for any number of rounds."""
    in_round, between = _most_of_round(book, strategy)
    remedy = "give smaller stakes or a table maximum"
    if in_round > MOST_IN_ROUND or between > MOST_BETWEEN:
        return f"a round could win or lose more than {format_money(MOST_IN_ROUND)}: {remedy}"
    if in_round * strategy.shoes * terms.most_rounds > MOST_IN_SESSION:
        return f"a session could win or lose more than {format_money(MOST_IN_SESSION)}: {remedy}, or fewer shoes"
    return None


def most_stakes(book: Book, strategy: Strategy) -> dict[str, int]:
    """The most that a strategy stakes on each area in one round, wagers among them."""
    factor, ante = most_units(strategy.progression), book.ante
    most = {}
    for area, unit in strategy.stakes.items():
        most[area] = unit * factor if strategy.maximum is None else min(unit * factor, strategy.maximum)
        wager = book.wager_of(area)
        if wager is not None and ante is not None:
            most[wager] = ante.multiple * most[area]
    return most


def _most_of_round(book: Book, strategy: Strategy) -> tuple[Fraction, Fraction]:
    """What a round can come to, and the largest number on the way there."""
    in_round = between = Fraction(0)
    for area, stake in most_stakes(book, strategy).items():
        nets = book.pay_tables[area].nets
        largest = max(Fraction(1), *map(abs, nets))
        in_round += stake * largest
        between = max(between, *(2 * (stake + 1) * (largest + 1) * net.denominator for net in nets))
    if book.insurance is not None:
        odds = [Fraction(offer.odds) for made in book.offers.cells.values() for offer in made]
        mains = sum(most_stakes(book, strategy).values())
        # At most the main bet is won by insurance, and at most its cover lost, at each window.
        in_round += 2 * mains * max(Fraction(1), *(1 / one for one in odds))
        between = max(between, *(4 * (mains + 1) * (one + 1) * one.denominator for one in odds))
    return in_round, between
