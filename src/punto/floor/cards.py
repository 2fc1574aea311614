"""The cards of a table that draws them itself: no person names one, the floor fills each in.

At a shuffled table the next card is the one at the place that the shoe has come to; at a continuous one it is
any card that is not on the table. A report makes the floor give and show nothing: the system knows which
cards left the shoe, in which order, where they lie and which faces show; what says otherwise is refused.
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
from punto.table.command import (
    BurnCards,
    Command,
    DealCard,
    DismissReport,
    LoadShoe,
    OrderCards,
    Report,
    RevealCard,
    WithdrawEvidence,
)
from punto.table.irregularities.case import Case
from punto.table.irregularities.cases import refuse_disproved, refuse_put_back
from punto.table.irregularities.sighting import Face, Place
from punto.table.state import State, Table

FindSeed = Callable[[int], Seed]
"""The seed of the shoe of a number, a new one for the shoe that comes next; whoever cannot open it raises."""


def with_cards(table: Table, version: int, command: Command, find_seed: FindSeed) -> Command | Refusal:
    """The command with the cards that the shoe gives; a refusal where a person named one."""
    terms, shoe = table.state.terms, table.state.shoe
    if isinstance(command, LoadShoe) and (command.commitment or command.algorithm):
        # A digest that a person names binds nobody to the seed that the floor draws.
        return _card_named("load the shoe without a commitment")
    if terms is None:
        return command
    if isinstance(command, DealCard | BurnCards):
        is_drawn = shoe is not None and terms.source is not SourceKind.ENTERED
        return _with_card(table, version, command, find_seed) if is_drawn else command
    return refuse_told(table, command) or command


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
    return cast("Command", replace(command, card=_next_card(state, version, find_seed)))


def _next_card(state: State, version: int, find_seed: FindSeed) -> Card:
    """The card that leaves the shoe next."""
    assert state.terms is not None and state.shoe is not None
    shoe, seed = state.shoe, find_seed(state.shoe_number)
    if state.terms.source is SourceKind.SHUFFLED:
        promised = next((each for each in state.committed if each.shoe == state.shoe_number), None)
        order = shoe_order(seed, shoe.decks, promised.contributions if promised is not None else ())
        return order[shoe.size - shoe.cards_left]
    inside = Composition.of_decks(shoe.decks).less((*shoe.out, *_hidden(state)))
    return drawn_card(seed, inside, version * _MOST_IN_ONE)


_MOST_IN_ONE = 1024
"""Between the places of two versions; there was a time when one command could bring up several cards."""


def _hidden(state: State) -> Iterator[Card]:
    """Cards on the table that lie face down: the shoe does not count them as seen."""
    slots = (*state.player, *state.banker, *state.carried)
    yield from (slot.card for slot in slots if not slot.face_up and slot.card is not None)
    if state.case is not None:
        for card in state.case.evidence.brought:
            if card.face is Face.DOWN and card.card is not None and card.lies is not Place.SHOE:
                yield card.card


# ── Reports ──────────────────────────────────────────────────────────────────────────────────────


def refuse_told(table: Table, command: Command) -> Refusal | None:
    """Nobody says anything of a card that the record does not say, and none is shown before its turn.

    A table refuses the same for a shoe that the house is bound to; one without a promise, like a continuous
    shuffler, is looked after here.
    """
    case = table.state.case
    if table.state.round_terms.source is SourceKind.ENTERED:
        return None  # a report speaks of the round, whatever terms were changed since
    if isinstance(command, Report) and command.round in (None, table.state.round):
        return _refuse_named(command) or refuse_disproved(table, command)
    if case is None:
        return None
    if isinstance(command, RevealCard) and table.state.cards_out < 4:
        params: dict[str, str | int] = {"hand": command.hand.value, "number": command.number}
        return Refusal(Reason.NO_SUCH_CARD, table.book.play.deal_clause, params)
    if isinstance(command, OrderCards):
        return _refuse_closed(case, command)
    if isinstance(command, WithdrawEvidence):
        return refuse_put_back(case, command.cards)
    if isinstance(command, DismissReport):
        return refuse_put_back(case, range(1, len(case.evidence.cards) + 1))
    return None


def _refuse_named(command: Report) -> Refusal | None:
    """A card of the shoe is the one that was drawn, and left it when it was drawn."""
    for sighting in command.cards:
        if sighting.foreign and not isinstance(sighting.nth, int):
            continue
        if isinstance(sighting.card, Card) or sighting.is_ is not None:
            return _card_named("a card on record is the card that was drawn")
        if sighting.after is not None:
            return _card_named("it knows in which order they left the shoe")
    return None


def _refuse_closed(case: Case, command: OrderCards) -> Refusal | None:
    """Nobody names a card that lies closed: whether a name fits would tell which card it is."""
    is_open = {card.shown for card in case.evidence.group if card.shown is not None}
    if all(isinstance(card, int) or card in is_open for card in command.cards):
        return None
    return _card_named("tell a card that lies closed by its number in the round")


def _card_named(instead: str) -> Refusal:
    return Refusal(Reason.CARD_NAMED, None, {"instead": instead})
