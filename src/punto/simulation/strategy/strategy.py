"""A strategy as a value: which bets, how much, when, and when to stop. Amounts are minor units."""

from __future__ import annotations

from enum import Enum
from math import isfinite

import msgspec

from punto.money import format_money
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.holdings import refuse_alone
from punto.simulation.strategy.progression import Progression
from punto.suggestion import did_you_mean

MOST_STAKE = 10**9
"""Minor units of one unit: far more than any table takes."""


class Insuring(Enum):
    """What is done with one insurance offer."""

    PASS = "pass"
    INSURE = "insure"
    """To the cap: pay-outs never exceed the main bet."""
    HOLD = "hold"
    """With the least stake, so that the second window stays open: `keep-open` in files, or `hold`."""

    @classmethod
    def _missing_(cls, value: object) -> Insuring | None:
        return cls.HOLD if value == "keep-open" else None


class InsuringRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An insurance offer by its hand, its window and the points it is made at, and what to do with it."""

    hand: Hand
    cards: int
    """Cards on the table at its window: 4 or 5."""
    player_points: int
    banker_points: int
    choice: Insuring


class CountSystem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A count system: bets are laid only when the true count is at the trigger or above."""

    tags: tuple[int, ...]
    """What each card adds when seen: ace to nine, then ten and court cards alike; or all thirteen ranks."""
    trigger: float
    """Of the running count, to one deck of unseen cards."""


class Strategy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to stake, and when to stop."""

    stakes: dict[str, int]
    """Stake of one unit on each betting area, the first being the one that a progression goes by."""
    progression: Progression = Progression.FLAT
    line: tuple[int, ...] = (1, 2, 3, 4)
    """Where a Labouchère begins."""
    count: CountSystem | None = None
    insuring: tuple[InsuringRule, ...] = ()
    """Offers to take; any other is passed up."""
    giving_up: dict[str, tuple[int, ...]] = {}
    """By ante: the shown points (first card lowest, tens for the second) at which it is given up."""
    minimum: int = 0
    maximum: int | None = None
    """Limits of the table, for each bet."""
    bankroll: int | None = None
    """What a session begins with; None for one that cannot be ruined."""
    goal: int | None = None
    """A session ends when it has won this much …"""
    stop_loss: int | None = None
    """… or lost this much."""
    shoes: int = 1
    """Shoes of a session, unless it ends sooner."""

    def problem(self, book: Book) -> str | None:
        """What is wrong with it, in one sentence."""
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
