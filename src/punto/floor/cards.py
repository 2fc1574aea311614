"""The cards of a table that draws them itself: no person names one, the floor fills each in.

At a shuffled table the next card is the one at the place that the shoe has come to; at a continuous one it is
any card that is not on the table. What a report says of such a shoe has to fit it: the system knows which
cards left it and in which order, so a card is reported as `unseen`, with `up` where its face shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec.structs import replace

from punto.cards.burn import Burn
from punto.cards.card import Card
from punto.cards.composition import Composition
from punto.cards.source import SourceKind
from punto.floor.seed import Seed, drawn_card, shoe_order
from punto.refusal import Reason, Refusal
from punto.table.command import BurnCards, Command, DealCard, LoadShoe, Report, WithdrawEvidence
from punto.table.irregularities.sighting import Face, Place, Sighting
from punto.table.state import State, Table

FindSeed = Callable[[int], Seed]
"""The seed of the shoe of a number, a new one for the shoe that comes next; whoever cannot open it raises."""


def with_cards(table: Table, version: int, command: Command, find_seed: FindSeed) -> Command | Refusal:
    """The command with the cards that the shoe gives; a refusal where a person named one."""
    terms, shoe = table.state.terms, table.state.shoe
    if isinstance(command, LoadShoe) and command.commitment:
        # A digest that a person names binds nobody to the seed that the floor draws.
        return _card_named("load the shoe without a commitment")
    if terms is None or shoe is None or terms.source is SourceKind.ENTERED:
        return command
    if isinstance(command, DealCard | BurnCards):
        return _with_card(table, version, command, find_seed)
    if isinstance(command, Report) and command.round in (None, table.state.round):
        return _with_sightings(table, version, command, find_seed)
    if isinstance(command, WithdrawEvidence):
        return _refuse_hole(table.state, command) or command
    return command


def without_cards(command: Command) -> Command:
    """A command as it was sent, without the cards that the floor has put into it."""
    if isinstance(command, DealCard | BurnCards):
        return cast("Command", replace(command, card=None))
    if isinstance(command, Report):
        sent = [
            replace(sighting, card=None)
            if isinstance(sighting.card, Card) and not sighting.foreign
            else sighting
            for sighting in command.cards
        ]
        return cast("Command", replace(command, cards=tuple(sent)))
    return command


def _with_card(
    table: Table, version: int, command: DealCard | BurnCards, find_seed: FindSeed
) -> Command | Refusal:
    state = table.state
    if command.card is not None:
        return _card_named("deal without a card")
    if isinstance(command, BurnCards):
        if not state.burn_due or not Burn.parse(table.terms.burn).by_first_card:
            return command
    elif state.carried:
        return cast("Command", replace(command, card=state.carried[0].card))
    assert state.shoe is not None
    if not state.shoe.cards_left:
        return command
    return cast("Command", replace(command, card=next(_coming(state, version, find_seed))))


def _coming(state: State, version: int, find_seed: FindSeed, back: int = 0) -> Iterator[Card]:
    """The cards that leave the shoe next; `back` are those that prove not to have left it."""
    assert state.terms is not None and state.shoe is not None
    shoe, seed = state.shoe, find_seed(state.shoe_number)
    if state.terms.source is SourceKind.SHUFFLED:
        promised = next((each for each in state.committed if each.shoe == state.shoe_number), None)
        order = shoe_order(seed, shoe.decks, promised.contributions if promised is not None else ())
        yield from order[shoe.size - shoe.cards_left - back :]
        return
    inside = Composition.of_decks(shoe.decks).less((*shoe.out, *_hidden(state)))
    for place in range(shoe.cards_left):
        card = drawn_card(seed, inside, version * _MOST_IN_ONE + place)
        inside = inside.less((card,))
        yield card


_MOST_IN_ONE = 1024
"""More cards than one command can bring up."""


def _hidden(state: State) -> Iterator[Card]:
    """Cards on the table that lie face down: the shoe does not count them as seen."""
    slots = (*state.player, *state.banker, *state.carried)
    yield from (slot.card for slot in slots if not slot.face_up and slot.card is not None)
    if state.case is not None:
        for card in state.case.evidence.brought:
            if card.face is Face.DOWN and card.card is not None and card.lies is not Place.SHOE:
                yield card.card


# ── Reports ──────────────────────────────────────────────────────────────────────────────────────


def _with_sightings(table: Table, version: int, command: Report, find_seed: FindSeed) -> Command | Refusal:
    state = table.state
    coming: Iterator[Card] | None = None
    carried, back = iter(state.carried), 0
    cards: list[Sighting] = []
    for sighting in command.cards:
        if isinstance(sighting.nth, int):
            if refusal := _refuse_restated(state, sighting):
                return refusal
            back += sighting.lies is Place.SHOE
            cards.append(sighting)
            continue
        if sighting.foreign:
            cards.append(sighting)
            continue
        if sighting.card is not None or sighting.is_ is not None:
            return _card_named("report it as unseen, and as unseen:up where its face shows")
        if sighting.after is not None or sighting.lies is Place.SHOE:
            return _card_named("it knows in which order they left the shoe")
        if sighting.carried:
            slot = next(carried, None)
            known = slot.card if slot is not None else None
        else:
            coming = coming or _coming(state, version, find_seed, back)
            known = next(coming, None)
        cards.append(replace(sighting, card=known, face=sighting.face or Face.DOWN))
    return cast("Command", replace(command, cards=tuple(cards)))


def _refuse_restated(state: State, sighting: Sighting) -> Refusal | None:
    """A card on record is the one that was drawn, and left the shoe when it was drawn."""
    if sighting.is_ is not None and not sighting.foreign:
        return _card_named("a card on record is the card that was drawn")
    if sighting.after is not None:
        return _card_named("it knows in which order they left the shoe")
    if sighting.lies is Place.SHOE and sighting.nth != _last(state):
        return _card_named("only the last card can prove not to have left the shoe")
    return None


def _refuse_hole(state: State, command: WithdrawEvidence) -> Refusal | None:
    """Evidence of cards is taken back from the last one on: no card leaves a shoe before the one above it."""
    if state.case is None:
        return None
    cards = state.case.evidence.cards
    kept = [number for number in range(1, len(cards) + 1) if number not in command.cards]
    gone = [number for number in command.cards if number <= len(cards) and cards[number - 1].nth is None]
    if any(cards[number - 1].nth is None for number in kept if gone and number > min(gone)):
        return _card_named("take back the cards from the last one on")
    return None


def _last(state: State) -> int:
    """The number of the last card of the round, with those that reports brought up."""
    return len(state.case.evidence.cards) if state.case is not None else state.cards_out


def _card_named(instead: str) -> Refusal:
    return Refusal(Reason.CARD_NAMED, None, {"instead": instead})
