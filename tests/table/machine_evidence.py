"""Random evidence: what somebody might report of the cards on the table, sensible or not.

Half of it is likely (a card to the wrong hand, one too many, two at once), half of it anything at all. It all
comes out of one `Random`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from punto.cards.card import DECK, Card
from punto.table import Table
from punto.table.irregularity_case import Face, OrderKnown, Place, Seen, Sighting

_LIKELY_PLACES = (Place.PLAYER, Place.BANKER, Place.PLAYER, Place.BANKER, Place.TABLE, Place.FLOOR)


def random_sightings(table: Table, random: Random) -> tuple[Sighting, ...]:
    """Sightings of a report: cards on record restated, cards just out of the shoe, cards nobody saw."""
    likely = random.random() < 0.5
    number = random.choice((0, 1, 1, 1, 2, 2, 3))
    together = random.random() < 0.25
    found = []
    for _ in range(number):
        told: dict[str, Any] = {"together": together}
        if random.random() < 0.35:
            told["nth"] = random.randint(1, max(1, cards_known(table) + (not likely)))
        else:
            told["card"] = random_card(table, random)
            told["lies"] = random.choice(_LIKELY_PLACES)
        if "nth" in told and random.random() < 0.7:
            told["lies"] = random.choice(tuple(Place))
        if random.random() < 0.3:
            told["face"] = random.choice(tuple(Face))
        if random.random() < 0.15:
            told["is_"] = random.choice(DECK)
        if not likely:
            told |= _anything(table, random)
        found.append(Sighting(**told))
    return tuple(found)


def _anything(table: Table, random: Random) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if random.random() < 0.2:
        told["after"] = random.randint(0, cards_known(table) + 1)
    if random.random() < 0.2:
        told["lies"] = random.choice((None, *Place))
    for mark in ("together", "foreign", "carried"):
        if random.random() < 0.1:
            told[mark] = True
    return told


def cards_known(table: Table) -> int:
    """How many cards of the round there are to speak of."""
    case = table.state.case
    return len(case.evidence.cards) if case is not None else table.state.cards_out


def random_card(table: Table, random: Random) -> Card | None:
    if table.state.carried and random.random() < 0.8:
        return table.state.carried[0].card
    return None if random.random() < 0.15 else random.choice(DECK)


def random_facts(random: Random) -> tuple[Seen, ...]:
    """Mostly nothing beside the cards."""
    return tuple(random.sample(tuple(Seen), random.choice((0, 0, 0, 1, 1, 2))))


def random_order(random: Random) -> OrderKnown | None:
    return random.choice((None, None, OrderKnown.SEEN))


def cards_to_order(table: Table, random: Random) -> tuple[Card, ...]:
    """The cards that were drawn together, in some order; now and then others."""
    case = table.state.case
    group = [card.card for card in case.evidence.group if card.card] if case is not None else []
    if group and random.random() < 0.8:
        return tuple(random.sample(group, len(group)))
    return tuple(random.choices(DECK, k=random.choice((0, 1, 2))))


def numbers_to_take_back(table: Table, random: Random) -> tuple[int, ...]:
    known = cards_known(table)
    return tuple(random.sample(range(known + 2), random.choice((0, 1, 1, 2)) if known else 1))
