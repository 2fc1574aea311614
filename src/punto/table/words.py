"""What an event says in words: fact lines for a session that expects them, and sentences for people.

A fact line is a row of short words: its kind, then names, boxes, areas, amounts and the clause in a fixed
order; what does not apply is left out (docs/reference/notation.md lists them all). A sentence goes with what
it is about, so that a terminal can colour it and a page can style it; the words alone say everything. A card
that lies face down is never named. Each room has the words of its own events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from punto.cards.card import Card
from punto.coup.coup import points
from punto.money import format_amount, format_money
from punto.rules.book import Book, label_of
from punto.rules.outcome import Hand
from punto.table.state import Slot, Stake, State, shown_cards

FactLine = tuple[str, ...]


class Theme(Enum):
    """What a sentence of a transcript is about."""

    ROUND = "round"  # A new round begins here.
    CALL = "call"  # Words that the dealer says.
    CARD = "card"
    NOTE = "note"
    OFFER = "offer"
    CASE = "case"  # Something went wrong, or is put right.
    RESULT = "result"
    SETTLED = "settled"  # The table of a settlement belongs here; its bets are in the event.


class Sentence(msgspec.Struct, frozen=True):
    """A line of a transcript."""

    about: Theme
    text: str


class Telling:
    """The table after an event, and its things by the names that people use."""

    def __init__(self, book: Book, state: State) -> None:
        self.book, self.state = book, state

    def area(self, area: str) -> str:
        return label_of(self.book, area)

    def bet(self, bet: Any) -> str:
        """`Lee, Banker, box 3`, of anything that has player, area and box."""
        return f"{bet.player}, {self.area(bet.area)}, box {bet.box}"

    def stake(self, stake: Stake) -> str:
        return f"{self.bet(stake)}: {format_money(stake.amount)}"

    def stakes_back(self, stakes: tuple[Stake, ...]) -> Iterator[Sentence]:
        for stake in stakes:
            yield Sentence(Theme.NOTE, f"back to {self.stake(stake)}")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one kind of event."""

    kinds: tuple[str, ...]  # The first words of its fact lines.
    facts: Callable[[Any], Iterable[FactLine]]
    tell: Callable[[Telling, Any], Iterable[Sentence]]


def fact(*words: object) -> FactLine:
    """A fact line of these words, without those that do not apply."""
    return tuple(str(word.value if isinstance(word, Enum) else word) for word in words if word is not None)


def stake_fact(kind: str, stake: Stake, *words: object) -> FactLine:
    """A fact line about an amount of one player on one betting area of one box."""
    return fact(kind, stake.box, stake.player, stake.area, format_amount(stake.amount), *words)


def plain(line: str, tell: Callable[[Telling, Any], Iterable[Sentence]], *, back: str = "") -> Words:
    """The words of an event whose fact line is a kind and then fields of it, such as `left box player`.

    Where stakes go back with it, a line follows for each of them, with this reason.
    """
    kind, *names = line.split()

    def facts(event: Any) -> list[FactLine]:
        values = ((name, getattr(event, name)) for name in names)
        first = fact(kind, *(format_amount(value) if name == "amount" else value for name, value in values))
        returned = event.returned if back else ()
        return [first, *(stake_fact("returned", stake, back, event.clause) for stake in returned)]

    return Words((kind, "returned") if back else (kind,), facts, tell)


def say(text: str, about: Theme = Theme.NOTE) -> Callable[[Telling, Any], list[Sentence]]:
    """A fixed sentence with fields of the event in braces; `{bet}` is whose bet it is, on what and where."""

    def tell(telling: Telling, event: Any) -> list[Sentence]:
        words = {name: _field_words(name, getattr(event, name)) for name in event.__struct_fields__}
        words["by_clause"] = by_clause(getattr(event, "clause", None))
        words["bet"] = telling.bet(event) if "area" in words else ""
        return [Sentence(about, text.format(**words))]

    return tell


def _field_words(name: str, value: Any) -> str:
    """A field of an event as people read it."""
    if isinstance(value, Hand):
        return hand_name(value)
    return format_money(value) if name == "amount" else str(value)


def hand_name(hand: Hand) -> str:
    """A hand as it is called out."""
    return hand.value.title()


def by_clause(clause: str | None) -> str:
    """A clause in brackets, after what rests on it."""
    return f" ({clause})" if clause else ""


def faces(cards: tuple[Card, ...]) -> str:
    """Cards with suit symbols."""
    return " ".join(card.symbol for card in cards)


def slots_face(slots: tuple[Slot, ...]) -> str:
    """The cards of a hand as everybody sees them, with their points once all lie open."""
    seen = " ".join(slot.card.symbol if slot.face_up and slot.card else "▯" for slot in slots)
    cards = shown_cards(slots)
    return f"{seen}  {points(cards)}" if cards else seen
