"""Everything that can happen at a table: one frozen struct per event, and what it says in words.

The events themselves, with their folds and words, stand in the rooms. Here they are under one name, with
the fact lines and sentences of each: what came of a command, for a session that expects it and for people.
"""

from __future__ import annotations

from punto.refusal import Refusal
from punto.rules.book import Book, Naming, own_name
from punto.table.antes import ANTE_WORDS, AnteEvent
from punto.table.betting import BETTING_WORDS, BettingEvent
from punto.table.dealing import DEALING_WORDS, DealingEvent
from punto.table.header import EventHeader
from punto.table.house import HOUSE_WORDS, HouseEvent
from punto.table.insurance import INSURANCE_WORDS, InsuranceEvent
from punto.table.irregularity_events import IrregularityEvent
from punto.table.irregularity_remedies import IRREGULARITY_WORDS
from punto.table.settlement import SETTLEMENT_WORDS, SettlementEvent
from punto.table.shuffling import SHUFFLING_WORDS, ShufflingEvent
from punto.table.state import State
from punto.table.words import FactLine, Sentence, Telling, Words, fact
from punto.words import ENGLISH, Language

RoundEvent = BettingEvent | DealingEvent | AnteEvent | InsuranceEvent | SettlementEvent
Event = HouseEvent | RoundEvent | IrregularityEvent | ShufflingEvent

EVENT_WORDS: dict[type[EventHeader], Words] = {
    **HOUSE_WORDS,
    **BETTING_WORDS,
    **DEALING_WORDS,
    **ANTE_WORDS,
    **INSURANCE_WORDS,
    **SETTLEMENT_WORDS,
    **IRREGULARITY_WORDS,
    **SHUFFLING_WORDS,
}
"""The words of every event."""

FACT_KINDS = frozenset(("refused", *(kind for words in EVENT_WORDS.values() for kind in words.kinds)))
"""The first words of all fact lines."""


def facts_of(outcome: tuple[Event, ...] | Refusal) -> list[FactLine]:
    if isinstance(outcome, Refusal):
        return [fact("refused", outcome.reason.value, outcome.clause)]
    return [line for event in outcome for line in facts_of_event(event)]


def facts_of_event(event: Event) -> list[FactLine]:
    return list(EVENT_WORDS[type(event)].facts(event))


def tell(
    book: Book, state: State, event: Event, language: Language = ENGLISH, name_of: Naming = own_name
) -> list[Sentence]:
    """An event in sentences; `state` is the table after it."""
    return list(EVENT_WORDS[type(event)].tell(Telling(book, state, language, name_of), event))
