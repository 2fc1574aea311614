"""Inputs: what may be given where cards, money, rounds, decks, a seed or a role are meant, and what it stands for.

There is one check for every door: the names of `import punto`, the command line and the client of a floor come here,
so that what one of them takes, all of them take. Whole numbers may be NumPy's. What cannot be used raises
`ValueError`: what is wrong with it, what was expected, and an example.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, SupportsFloat, SupportsIndex, TypeAlias

from punto.money import format_amount, parse_amount, ungrouped, whole_units
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.cards.card import Card
    from punto.rules.book import Book


class HasCards(Protocol):
    """A finished deal."""

    @property
    def cards(self) -> tuple[Card, ...]: ...


AnyCards: TypeAlias = "str | Card | HasCards | Iterable[str | Card | HasCards]"
"""Cards in dealing order: text such as `2S KH 3♦`, cards, finished deals, or several of these in a list."""
AnyMoney: TypeAlias = str | SupportsIndex | SupportsFloat
"""An amount: minor units as a number that is whole, or text and decimals as money is written, `"12.50"`."""
AnyNumber: TypeAlias = str | SupportsIndex | SupportsFloat
"""A whole number: `1000000`, `1e6`, or text such as `"1e6"`, `"1_000_000"` and `"1,000,000"`."""
AnyBets: TypeAlias = Mapping[str, AnyMoney] | Iterable[tuple[str, AnyMoney]]
"""Betting areas with their amounts: `{"banker": "100"}`, or pairs of both."""
AnyRole: TypeAlias = str | Role

USUAL_DECKS = 8
MOST_ROUNDS = 10**15
MOST_WORKERS = 1024
LARGEST_SEED = (1 << 64) - 1
LONGEST_SHOWN = 40  # Characters of a wrong value that are shown again.
MOST_BITS_SHOWN = 256  # Python itself refuses to write out a number of some thousands of digits.

_NUMBER = re.compile(r"[0-9]{1,16}(\.[0-9]{1,16})?([eE]\+?[0-9]{1,2})?")
"""A number that is short enough to be read at once."""


def cards_of(cards: AnyCards) -> tuple[Card, ...]:
    """Cards in dealing order.

    >>> cards_of("2♠ kh"), cards_of(["2S", "K♥"]) == cards_of("2S,KH")
    ((Card('2S'), Card('KH')), True)
    """
    from punto.cards.card import Card, parse_cards

    if isinstance(cards, Card):
        return (cards,)
    if isinstance(cards, str):
        return parse_cards(cards)
    dealt = getattr(cards, "cards", None)
    if isinstance(dealt, tuple):
        return dealt
    if isinstance(cards, Mapping | Set):  # Whose order, and how often each card is there, would be lost unseen.
        raise ValueError(f"cards in a {type(cards).__name__} have no order; give them as text or in a list")
    if not isinstance(cards, Iterable):
        raise ValueError(f"cards cannot be read from {type(cards).__name__}; write for example '2S KH 3D'")
    return tuple(chain.from_iterable(map(cards_of, cards)))


def units_of(amount: AnyMoney) -> int:
    """An amount in minor units.

    >>> units_of(1250), units_of(1250.0), units_of("12.50"), units_of(Decimal("12.5")), units_of("1,000")
    (1250, 1250, 1250, 1250, 100000)
    """
    if isinstance(amount, str):
        return parse_amount(ungrouped(amount.strip()))
    if isinstance(amount, Decimal):
        return parse_amount(f"{amount:f}")
    units = whole_units(amount)
    if units is None:
        wanted = "give minor units as a whole number, or text such as '12.50'"
        raise ValueError(f"{_shown(amount)} is not an amount: {wanted}")
    return parse_amount(format_amount(units))


def stakes_of(bets: AnyBets) -> Iterator[tuple[str, int]]:
    """Betting areas as they were named, with their stakes in minor units, in the order given."""
    given: Any = bets.items() if hasattr(bets, "items") else bets  # A Series of pandas has items too.
    for pair in given if isinstance(given, Iterable) else (given,):
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError("bets are betting areas with their amounts, such as {'banker': '100'}")
        name, stake = pair
        if not isinstance(name, str):
            raise ValueError(f"{_shown(name)} is not a betting area; areas are named by text, such as 'banker'")
        try:
            yield name, units_of(stake)
        except ValueError as error:
            raise ValueError(f"the bet on {name} is not taken: {error}") from None


def slip_of(book: Book, bets: AnyBets) -> dict[str, int] | Refusal:
    """Stakes in minor units by betting area, in the order given; a refusal where an area is named twice."""
    slip: dict[str, int] = {}
    for name, stake in stakes_of(bets):
        area = book.area_named(name)
        if area in slip:
            return Refusal(Reason.AREA_TWICE, None, {"area": area})
        slip[area] = stake
    return slip


def rounds_of(rounds: AnyNumber, most: int = MOST_ROUNDS) -> int:
    """A number of rounds.

    >>> rounds_of("1e6"), rounds_of(1e6), rounds_of("1_000_000")
    (1000000, 1000000, 1000000)
    """
    number = _whole(rounds)
    if number is None or not 1 <= number <= most:
        raise ValueError(
            f"{_shown(rounds)} is not a number of rounds; give a whole number from 1 to {_power(most)}, such as 1e6"
        )
    return number


def decks_of(book: Book, decks: AnyNumber | None = None) -> int:
    """The decks asked for, where the book allows them; by default eight, or the most that it allows."""
    from punto.rules.wording import wrong_decks

    allowed = book.decks.allowed
    if decks is None:
        return USUAL_DECKS if USUAL_DECKS in allowed else max(allowed)
    number = _whole(decks)
    if number is None:
        raise ValueError(f"{_shown(decks)} is not a number of decks; give a whole number, 1 or more")
    if wrong := wrong_decks(book.name, book.decks, number):
        raise ValueError(wrong)
    return number


def seed_of(seed: AnyNumber, largest: int | None = LARGEST_SEED) -> int:
    """A seed; `largest` is None where a seed of any size and sign can be used."""
    number = _whole(seed)
    if largest is None and number is None:
        raise ValueError(f"{_shown(seed)} is not a seed; give a whole number")
    if number is None or (largest is not None and not 0 <= number <= largest):
        raise ValueError(f"{_shown(seed)} is not a seed; give a whole number from 0 to 2^64 - 1")
    return number


def workers_of(workers: int | None = None) -> int:
    """How many cores to use; by default all that this process may use."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    number = _whole(workers)
    if number is None or not 1 <= number <= MOST_WORKERS:
        raise ValueError(f"workers must be from 1 to {MOST_WORKERS}, not {_shown(workers)}")
    return number


def role_of(role: AnyRole) -> Role:
    """A role, or its name.

    >>> role_of("pit-supervisor")
    <Role.PIT_SUPERVISOR: 'pit-supervisor'>
    """
    roles = {each.value: each for each in Role}
    if isinstance(role, Role):
        return role
    found = roles.get(role)
    if found is None:
        meant = did_you_mean(str(role), roles)
        raise ValueError(f"{_shown(role)} is not a role{meant}; roles are {', '.join(roles)}")
    return found


def whole_of(number: AnyNumber, what: str) -> int:
    """A whole number; `what` is what it stands for, for the sentence about one that is none.

    >>> whole_of("12", "a number of boxes"), whole_of(12.0, "a number of boxes")
    (12, 12)
    """
    whole = _whole(number)
    if whole is None:
        raise ValueError(f"{_shown(number)} is not {what}; give a whole number")
    return whole


def _whole(number: object) -> int | None:
    """A whole number, however it is given; None for what is not one."""
    if isinstance(number, str):
        text = ungrouped(number)
        number = Decimal(text) if _NUMBER.fullmatch(text) else None
    if not isinstance(number, Decimal):
        return whole_units(number)
    if not number.is_finite() or abs(number.adjusted()) > LONGEST_SHOWN:
        return None
    return int(number) if number == number.to_integral_value() else None


def _power(number: int) -> str:
    """`1e15`, or `1,500` where it is not a power of ten."""
    zeros = len(str(number)) - 1
    return f"1e{zeros}" if number == 10**zeros else f"{number:,}"


def _shown(value: object) -> str:
    is_long = isinstance(value, int) and value.bit_length() > MOST_BITS_SHOWN
    text = "so large a number" if is_long else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
