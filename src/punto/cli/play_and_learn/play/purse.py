"""The player's money: what was bought, what lies on the layout, and what is in hand.

The table does not know whether a player can pay; at a real one the chips in front of the player say so. Here
they are counted from the events.
"""

from __future__ import annotations

from collections.abc import Iterable

from punto.money import format_amount, parse_amount
from punto.table import event as e

THOUSAND = "k"
LONGEST_AMOUNT = 12
"""Characters of an amount: more than any table takes."""


def balance(bankroll: int, events: Iterable[e.Event]) -> int:
    """What is in hand after these events."""
    return bankroll + sum(map(_moved, events))


def _moved(event: e.Event) -> int:
    """What an event brings to the player's hand, or takes from it."""
    match event:
        case e.BetPlaced() | e.WagerPlaced() | e.InsuranceTaken():
            return -event.amount
        case e.BetReturned():
            return event.amount
        case e.RoundSettled():
            return sum(bet.stake + bet.net for bet in event.bets)
        case e.RoundVoided() | e.OptionChosen() | e.Ruled():
            return sum(stake.amount for stake in event.returned)
        case e.BetsReturned():
            return sum(stake.amount for stake in event.bets)
        case _:
            return 0


def money(units: int) -> str:
    """An amount for people: `1,250`, and cents only where there are any."""
    sign = "-" if units < 0 else ""
    whole, cents = divmod(abs(units), 100)
    return f"{sign}{whole:,}" + (f".{cents:02}" if cents else "")


def gain(units: int) -> str:
    """A net amount, with its sign."""
    return f"+{money(units)}" if units > 0 else money(units)


def read_money(text: str) -> int:
    """An amount as people type it: `100`, `1,000`, `12.50`, `2k`; `ValueError` says what is wrong."""
    if len(text) > LONGEST_AMOUNT:
        raise ValueError(f"{text[:LONGEST_AMOUNT]}… is longer than any amount here")
    plain = text.lower().replace(",", "")
    if plain.endswith(THOUSAND):
        return parse_amount(plain.removesuffix(THOUSAND)) * 1000
    return parse_amount(plain)


def typed(units: int) -> str:
    """An amount that `read_money` reads back, without a comma."""
    return format_amount(units).removesuffix(".00")
