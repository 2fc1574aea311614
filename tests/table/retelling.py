"""The same evidence told otherwise: in other words, in another order, in several reports.

What a situation says of its cards is taken apart into statements, one per card or fact. They are said in a
random order, cut into reports at random, some of them vaguely at first and put right by number afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table.irregularity_case import Face, OrderKnown, Place, Seen, Sighting
from tests.table.random_tables import Situation
from tests.table.second_reading import OnTable


@dataclass(frozen=True)
class Statement:
    """Something that is said: of a card by its key in the order, or a fact."""

    key: int = 0
    fact: str = ""
    is_vague: bool = False
    """Said only to be put right later."""
    is_put_right: bool = False


def whole(situation: Situation) -> dict[str, Any]:
    """Everything in one report, as it was made up."""
    return {
        "cards": situation.sightings,
        "seen": tuple(map(Seen, situation.facts)),
        "order": OrderKnown.SEEN if situation.order_seen else None,
    }


def retold(situation: Situation, random: Random) -> list[dict[str, Any]]:
    """The same in several reports, as the fields of each."""
    order = _shuffled_group(situation, random)
    statements = _statements(situation, order, random)
    present = [key for key in situation.order if key > 0]
    reports: list[dict[str, Any]] = []
    cards: list[Sighting] = []
    seen: list[Seen] = []
    for place, statement in enumerate(statements):
        if statement.fact:
            seen.append(Seen(statement.fact))
        else:
            cards.append(_sighting(situation, statement, order, present, random))
        is_last = place == len(statements) - 1
        if is_last or (random.random() < 0.7 and not _must_stay(situation, statements, place)):
            known = OrderKnown.SEEN if situation.order_seen else None
            reports.append({"cards": tuple(cards), "seen": tuple(seen), "order": known})
            cards, seen = [], []
    return reports


def _shuffled_group(situation: Situation, random: Random) -> list[int]:
    """The order of the cards; among those drawn together it is not known, so any will do."""
    order = list(situation.order)
    if situation.order_seen:
        return order
    places = [i for i, card in enumerate(situation.described.cards) if _is_grouped(card) and card.is_new]
    keys = [order[place] for place in places]
    random.shuffle(keys)
    for place, key in zip(places, keys, strict=True):
        order[place] = key
    return order


def _is_grouped(card: OnTable) -> bool:
    return card.together and card.lies != "shoe" and not card.foreign


def _statements(situation: Situation, order: list[int], random: Random) -> list[Statement]:
    """One per fact and per card that was spoken of; a card is there before it is put right."""
    keys = [key for key in order if key < 0]
    keys += [_key(situation, sighting) for sighting in situation.sightings if isinstance(sighting.nth, int)]
    said = [Statement(key=key) for key in keys] + [Statement(fact=fact) for fact in situation.facts]
    random.shuffle(said)
    if _has_unseen_group(situation):
        # Those are put in order by where they lie as soon as they are told: they come last, in one report.
        said.sort(key=lambda one: one.key < 0 and _card(situation, one.key).together)
        return said
    for place in range(len(said) - 1, -1, -1):
        if said[place].key < 0 and random.random() < 0.3:
            vague = Statement(key=said[place].key, is_vague=True)
            right = Statement(key=said[place].key, is_put_right=True)
            said[place : place + 1] = [vague]
            said.insert(random.randint(place + 1, len(said)), right)
    return said


def has_mixed_group(situation: Situation) -> bool:
    """Whether cards drawn together cannot all be named: numbers are those of each telling."""
    group = [card for card in situation.described.cards if _is_grouped(card)]
    is_told = situation.scene.table.terms.source is SourceKind.ENTERED
    seen = sum(card.name is not None and (is_told or card.up) for card in group)
    return len(group) > 1 and seen < len(group) and not situation.order_seen


def _has_unseen_group(situation: Situation) -> bool:
    group = [card for card in situation.described.cards if _is_grouped(card)]
    is_told = situation.scene.table.terms.source is SourceKind.ENTERED
    return any(card.name is None or not (is_told or card.up) for card in group)


def _must_stay(situation: Situation, statements: list[Statement], place: int) -> bool:
    """Whether the report cannot end here: cards that nobody saw, drawn together, are told at once."""
    if not _has_unseen_group(situation):
        return False
    return any(one.key < 0 and _card(situation, one.key).together for one in statements[: place + 1])


def _key(situation: Situation, sighting: Sighting) -> int:
    """Of which card on record a sighting by number spoke, when it was made."""
    order = [key for key in situation.order if key > 0]
    for number, other in enumerate(situation.sightings, start=1):
        if other is sighting:
            break
        if not isinstance(other.nth, int):
            order.insert(other.after if other.after is not None else len(order), -number)
    assert isinstance(sighting.nth, int)
    return order[sighting.nth - 1]


def _card(situation: Situation, key: int) -> OnTable:
    return situation.described.cards[situation.order.index(key)]


def _sighting(
    situation: Situation, statement: Statement, order: list[int], present: list[int], random: Random
) -> Sighting:
    """What is said of a card now; `present` are the cards that are known so far, in their order."""
    key, card = statement.key, _card(situation, statement.key)
    name = Card.parse(card.name) if card.name else None
    told: dict[str, Any] = {"lies": Place(card.lies), "face": Face.UP if card.up else Face.DOWN}
    if statement.is_put_right:
        told |= {"nth": present.index(key) + 1, "together": card.together, "foreign": card.foreign}
        return Sighting(**told, is_=name)
    if key > 0:
        said = next(one for one in situation.sightings if isinstance(one.nth, int) and _key(situation, one) == key)
        told = {"lies": said.lies, "face": said.face, "is_": said.is_, "nth": present.index(key) + 1}
        return Sighting(**told, together=said.together, foreign=said.foreign)
    before = sum(order.index(other) < order.index(key) for other in present)
    if before < len(present) or random.random() < 0.3:
        told["after"] = before
    present.insert(before, key)
    if statement.is_vague:
        vague = {"lies": random.choice((Place.PLAYER, Place.BANKER, Place.TABLE)), "face": Face.DOWN}
        return Sighting(**{**told, **vague}, card=None)
    return Sighting(**told, card=name, together=card.together, foreign=card.foreign)
