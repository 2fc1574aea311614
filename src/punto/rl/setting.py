"""What an agent plays: a book, its shoes, what a unit is, and the actions and observations that follow from them.

Everything is derived from the book. An action is one decision: one more unit on a betting area, the cards, an ante
played or given up, insurance taken, kept open or passed up, leaving. An observation is a row of small whole numbers,
each with a name and bounds, so that environments of any kind give the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from operator import index
from os import PathLike, fspath
from typing import Any, TypedDict

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.books import BookNotFound, load
from punto.cards.card import Rank
from punto.cards.shoe import Burn
from punto.inputs import AnyMoney, AnyNumber, decks_of, units_of, whole_of
from punto.rules.book import Book, digest_of
from punto.rules.outcome import Hand
from punto.simulation.deals import ShoeTerms

LEAST_UNIT = 1000
"""A unit is at least 10.00, the usual minimum of a table, so that a minor unit is small beside it."""
LARGEST_UNIT = 10**6  # In minor units: small enough that no product of stakes and odds leaves 64 bits.
MOST_UNITS = 1000  # Units on one betting area.
LEAST_INSURANCE = 1  # The smallest insurance, in minor units: what keeps the second window open.


class Move(Enum):
    """What an action is."""

    DEAL = "deal"  # No more bets: the cards come. With nothing laid, the round is sat out.
    LEAVE = "leave"
    BET = "bet"
    PLAY = "play"  # Follow the ante with its wager.
    GIVE_UP = "give-up"
    INSURE = "insure"  # To the cap.
    HOLD = "hold"  # With the least stake, which keeps a later window open.
    PASS = "pass"


class Deciding(Enum):
    """What is being decided; its place in the order is its number in an observation."""

    BETTING = "betting"
    ANTE = "ante"
    INSURANCE = "insurance"
    OVER = "over"  # The shoe is at its end, or the player has left.

    @property
    def number(self) -> int:
        return _PHASES.index(self)


_PHASES = tuple(Deciding)


class Action(msgspec.Struct, frozen=True):
    """One action; an agent names it by its place among the actions of its setting."""

    move: Move
    area: str = ""  # Where a bet is laid.
    units: int = 0  # How many units a bet adds.

    def __str__(self) -> str:
        return f"bet {self.area} {self.units}" if self.move is Move.BET else self.move.value


class Column(msgspec.Struct, frozen=True):
    """One number of an observation."""

    name: str
    low: int
    high: int


UNDECIDED, HELD, INSURED, PASSED = range(4)
"""In the column of an insurance: nothing yet, kept open with the least stake, taken to the cap, passed up."""
PLAYED, GIVEN_UP = 1, 2  # In the column of a wager, where 0 is undecided.
PLACES = tuple((hand, number) for hand in Hand for number in (1, 2, 3))


class AgentTerms(TypedDict, total=False):
    """What an environment is told beside its book: the parameters of `AgentSetting.of`, which has their defaults."""

    digest: str | None
    decks: AnyNumber | None
    behind_cut: AnyNumber
    rounds_after_cut: AnyNumber
    burn: str | int
    unit: AnyMoney | None
    most: AnyNumber
    chips: Iterable[AnyNumber]


AnyBook = str | PathLike[str] | Book


@dataclass(frozen=True)
class AgentSetting:
    """A book with its shoes and stakes: everything that actions, observations and rewards depend on."""

    book: Book
    shoe: ShoeTerms
    unit: int  # In minor units.
    most: int  # The most units on one betting area.
    chips: tuple[int, ...]  # How many units one action may lay.

    @classmethod
    def of(
        cls,
        book: AnyBook,
        *,
        digest: str | None = None,
        decks: AnyNumber | None = None,
        behind_cut: AnyNumber = 14,
        rounds_after_cut: AnyNumber = 1,
        burn: str | int = "first-card",
        unit: AnyMoney | None = None,
        most: AnyNumber = 10,
        chips: Iterable[AnyNumber] = (1,),
    ) -> AgentSetting:
        """A setting as it is written down: a book, or its name or path. `ValueError` says what cannot be.

        `digest` pins the book: another one of the same name is refused. Numbers and the unit are read as everywhere.
        """
        rules = _loaded(book)
        found = digest_of(rules)
        if digest is not None and digest != found:
            raise ValueError(f"the book {book_named(book)} has changed: its digest is {found}, not {digest}")
        behind = whole_of(behind_cut, "a number of cards behind the cut card")
        after = whole_of(rounds_after_cut, "a number of rounds after the cut card")
        terms = ShoeTerms(decks_of(rules, decks), behind, after, None, Burn.parse(str(burn)))
        if problem := terms.problem():
            raise ValueError(problem)
        least = least_unit(rules)
        units = exact_unit(rules) if unit is None else units_of(unit)
        if not least <= units <= LARGEST_UNIT:
            raise ValueError(f"a unit of {rules.name} is {least} to {LARGEST_UNIT} minor units, not {units}")
        greatest = whole_of(most, "a number of units")
        if not 1 <= greatest <= MOST_UNITS:
            raise ValueError(f"the most units on one area are from 1 to {MOST_UNITS}, not {greatest}")
        return cls(rules, terms, units, greatest, _chips(chips, greatest))

    def __deepcopy__(self, _: object) -> AgentSetting:
        """Itself, since nothing in it changes: copies of an environment, for whoever plans ahead, share the book."""
        return self

    @cached_property
    def digest(self) -> str:
        """The digest of the book: the same for the same rules."""
        return digest_of(self.book)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Every action, at the number by which an agent names it."""
        bets = (Action(Move.BET, area, units) for area in self.book.opening_areas for units in self.chips)
        antes = (Move.PLAY, Move.GIVE_UP) if self.book.ante is not None else ()
        insurance = (Move.INSURE, Move.HOLD, Move.PASS) if self.book.insurance is not None else ()
        return (Action(Move.DEAL), Action(Move.LEAVE), *bets, *(Action(move) for move in (*antes, *insurance)))

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of each action, by its name."""
        return {str(action): i for i, action in enumerate(self.actions)}

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The numbers of an observation, in their order."""
        return tuple(_columns(self))

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each number of an observation is, by its name."""
        return {column.name: i for i, column in enumerate(self.columns)}

    @cached_property
    def bounds(self) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The least and the greatest that each number of an observation can be."""
        low, high = zip(*((column.low, column.high) for column in self.columns), strict=True)
        return np.array(low, np.int16), np.array(high, np.int16)

    def chosen(self, action: object) -> Action:
        """The action that a number names; `ValueError` if it names none."""
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if not 0 <= number < len(self.actions):
            raise ValueError(f"{action!r} is not an action; they are numbers from 0 to {len(self.actions) - 1}")
        return self.actions[number]

    def named(self, observation: NDArray[Any]) -> dict[str, int]:
        """An observation as numbers by their names."""
        if len(observation) != len(self.columns):
            numbers = f"{len(self.columns)} numbers, not {len(observation)}"
            raise ValueError(f"an observation of {self.book.name} has {numbers}; it is of another setting")
        return {column.name: int(value) for column, value in zip(self.columns, observation, strict=True)}

    @property
    def burned(self) -> int:
        """Cards burned face down where no first card says how many."""
        return 0 if self.shoe.burn.by_first_card else self.shoe.burn.fixed


def book_named(book: AnyBook) -> str:
    """The name or path that a book was given by."""
    return book.name if isinstance(book, Book) else fspath(book)


def _loaded(book: object) -> Book:
    if isinstance(book, Book):
        return book
    if not isinstance(book, str | PathLike):
        raise ValueError(f"{type(book).__name__} is not a book; give its name, the path of its file, or a Book")
    try:
        return load(fspath(book))
    except BookNotFound as error:
        raise ValueError(str(error)) from None


def _chips(chips: object, most: int) -> tuple[int, ...]:
    """How many units one action may lay, each number once."""
    is_several = isinstance(chips, Iterable) and not isinstance(chips, str)
    laid = tuple(whole_of(chip, "a number of units") for chip in chips) if is_several else ()  # type: ignore[attr-defined]
    if not laid or len(set(laid)) < len(laid) or not all(1 <= chip <= most for chip in laid):
        raise ValueError(f"an action lays from 1 to {most} units, each number once, not {chips!r}")
    return laid


def wager_column(area: str) -> str:
    return f"wager {area}"


def stake_column(area: str) -> str:
    return f"stake {area}"


def unseen_column(rank: Rank) -> str:
    return f"unseen {rank.notation}"


def place_column(hand: Hand, number: int) -> str:
    return f"{hand.value} {number}"


def _columns(setting: AgentSetting) -> Iterator[Column]:
    book, shoe = setting.book, setting.shoe
    pairs, odds = book.ante.pairs if book.ante else (), _odds(book)
    yield Column("phase", 0, len(Deciding) - 1)
    # Which ante, or insurance of which hand, is asked about: 0 is the first.
    yield Column("asked", 0, max(len(pairs), len(Hand)) - 1)
    yield Column("dealt", 0, 6)  # Cards of the round on the table.
    for hand in Hand:
        yield Column(f"{hand.value} points", 0, 9)
    for hand, number in PLACES:
        yield Column(place_column(hand, number), 0, len(Rank))  # The rank, ace 1 to king 13; 0 for no card.
    yield Column("odds gain", 0, max((each.numerator for each in odds), default=1))
    yield Column("odds to", 0, max((each.denominator for each in odds), default=1))
    yield Column("round", 1, shoe.most_rounds + 1)
    yield Column("cards left", 0, shoe.decks * 52)
    yield Column("cut card", 0, 1)  # Whether it is out.
    for rank in Rank:
        yield Column(unseen_column(rank), 0, 4 * shoe.decks)
    for area in book.opening_areas:
        yield Column(stake_column(area), 0, setting.most)  # In units.
    for pair in pairs:
        yield Column(wager_column(pair.wager), 0, GIVEN_UP)
    for area in book.insurance_areas:
        yield Column(area, 0, PASSED)


def _odds(book: Book) -> list[Fraction]:
    return [offer.odds for offers in book.offers.cells.values() for offer in offers]


def least_unit(book: Book) -> int:
    """The smallest unit of which every insurance that is offered can be at least the smallest one."""
    return max((ceil(odds) for odds in _odds(book)), default=1) * LEAST_INSURANCE


def exact_unit(book: Book) -> int:
    """The smallest unit from 10.00 up of which nothing that the book pays is ever rounded: every net is a whole number
    of minor units, and so is every insurance to the cap. Where that would be too large, the largest unit there is."""
    parts = [net.denominator for table in book.pay_tables.values() for net in table.nets]
    step = lcm(*parts, *(odds.numerator for odds in _odds(book)))
    exact = -(-LEAST_UNIT // step) * step
    return exact if exact <= LARGEST_UNIT else LARGEST_UNIT
