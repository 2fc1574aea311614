"""The shoe of a table that draws its cards itself: the seed its order follows from, each card filled in by
the floor where no person may name one, and the promise about the shuffle, which commits to a seed before
anybody bets and opens it when it is due.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import cast

import msgspec
from msgspec.structs import replace

from punto.audit import shuffle
from punto.audit.shuffle import CHACHA20, CHECKABLE, SHA256_OF_TEXT
from punto.cards.card import Card
from punto.cards.shoe import Burn, Composition
from punto.cards.source import SourceKind, draw_number
from punto.floor.loaded_table import LoadedTable
from punto.refusal import Reason, Refusal
from punto.rules.authority import authority_over
from punto.store.errors import KeyTrouble
from punto.table.acting import refusal_of
from punto.table.betting import CallBets
from punto.table.command import Command
from punto.table.dealing import DealCard, RevealCard
from punto.table.header import Person
from punto.table.house import FLOOR, BurnCards, CloseTable, LoadShoe
from punto.table.irregularity_case import Face, Place
from punto.table.irregularity_events import DismissReport, OrderCards, Report, WithdrawEvidence
from punto.table.irregularity_rulings import refuse_disproved, refuse_put_back
from punto.table.shuffling import OpenSeed
from punto.table.state import Case, Phase, State, Table


class Seed(msgspec.Struct, frozen=True):
    """The secret of one shoe, and how its order follows from it."""

    algorithm: str
    secret: bytes

    def __repr__(self) -> str:
        return f"<Seed for {self.algorithm}>"  # never the secret: messages and logs are read by many


Seeds = Callable[[str, int], Seed]  # The seed of a table's new shoe, by table and number of the shoe.


def fresh_seed(table: str, shoe: int) -> Seed:  # noqa: ARG001
    """A new seed from the generator of the operating system."""
    return Seed(CHACHA20, secrets.token_bytes(shuffle.SEED_BYTES))


def given_seeds(text: str) -> Seeds:
    """The seeds of a game that a person gave a seed: the first shoe is that of `punto deal --seed`."""

    def seed(_: str, shoe: int) -> Seed:
        return Seed(SHA256_OF_TEXT, (text if shoe == 1 else f"{text}, shoe {shoe}").encode())

    return seed


@lru_cache(maxsize=256)
def shoe_order(seed: Seed, decks: int, contributions: tuple[str, ...] = ()) -> tuple[Card, ...]:
    """All cards of a shoe as they leave it; what players added to the shuffle is in hexadecimal digits."""
    return shuffle.order_of(seed.algorithm, seed.secret, decks, [bytes.fromhex(value) for value in contributions])


def drawn_card(seed: Seed, inside: Composition, seq: int) -> Card:
    """A card of a continuous shuffler: any of those inside, by the seed and the place of its event."""
    random = shuffle.random_bytes(seed.algorithm, seed.secret, shuffle.ONE_CARD, seq)
    return inside.cards()[draw_number(inside.size, random)]


_DRAWN = (DealCard, BurnCards)  # Commands with a card that the shoe gives.
_PROMISING = (LoadShoe, OpenSeed)  # Those with a commitment or a seed.
_OPENING = (CallBets, CloseTable)  # After these, seeds of earlier shoes are opened.
FindSeed = Callable[[int], Seed]
"""The seed of the shoe of a number, a new one for the shoe that comes next; whoever cannot open it raises."""


def with_cards(table: Table, version: int, command: Command, find_seed: FindSeed) -> Command | Refusal:
    """The command with the cards that the shoe gives; a refusal where a person named one.

    At a shuffled table the next card is the one at the place that the shoe has come to; at a continuous one it is any
    card that is not on the table. For a report the floor draws and turns no card: the system knows which cards left
    the shoe, in which order, where they lie and which faces show; what says otherwise is refused.
    """
    terms, shoe = table.state.terms, table.state.shoe
    if isinstance(command, LoadShoe) and (command.commitment or command.algorithm):
        # A digest that a person names binds nobody to the seed that the floor draws.
        return _card_named("load the shoe without a commitment")
    if terms is None:
        return command
    if isinstance(command, _DRAWN):
        is_drawn = shoe is not None and terms.source is not SourceKind.ENTERED
        return _with_card(table, version, command, find_seed) if is_drawn else command
    return refuse_unseen_card(table, command) or command


def without_drawn_cards(command: Command) -> Command:
    """A command as it was sent, without the cards that the floor has put into it."""
    if isinstance(command, _DRAWN):
        return cast("Command", replace(command, card=None))
    if isinstance(command, Report):
        sent = [
            replace(sighting, card=None) if isinstance(sighting.card, Card) and not sighting.foreign else sighting
            for sighting in command.cards
        ]
        return cast("Command", replace(command, cards=tuple(sent)))
    return command


def _with_card(table: Table, version: int, command: DealCard | BurnCards, find_seed: FindSeed) -> Command | Refusal:
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


def refuse_unseen_card(table: Table, command: Command) -> Refusal | None:
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


SECOND_OF_FLOOR = "the house"  # Who stands beside the floor, where terms ask for a second person.
PUT_BACK = "the database was put back to an earlier time, and the cards may be known"
KEPT_SEED = "kept"  # What a person says instead of a seed: the one that is kept for the shoe.


def with_promise(loaded: LoadedTable, command: Command, find_seed: FindSeed) -> Command | Refusal:
    """The command with the commitment to a fresh shoe, or with the seed that is to be opened.

    The commitment is part of the command that loads the shoe, and stands in its event before anybody can bet. When
    the next shoe is called for the first time, or the table closes, the floor gives `open-seed` itself, in the same
    transaction. Nobody else can say a seed: a wrong one would make an honest shoe look false.
    """
    if not isinstance(command, _PROMISING) or refusal_of(loaded.table, command) is not None:
        return command  # the table says why, and no seed is opened for it
    if isinstance(command, LoadShoe):
        return _committed(loaded, command, find_seed)
    if command.seed != KEPT_SEED:
        return _card_named(f"the floor keeps the seed, so say: open the seed {command.shoe} {KEPT_SEED}")
    return replace(command, seed=find_seed(command.shoe).secret.hex())


def replacement_shoe(loaded: LoadedTable) -> LoadShoe | None:
    """The fresh shoe for one whose cards may be known, because its table was at a later time already."""
    table = loaded.table
    if table.state.phase in (Phase.NEW, Phase.CLOSED):
        return None
    authority = authority_over(LoadShoe.name(), table.book.authority, table.terms.authority)
    second = Person(SECOND_OF_FLOOR, authority.second) if authority.second is not None else None
    now = time.time_ns() // 1_000_000
    command = LoadShoe(actor=FLOOR, role=authority.roles[0], time=now, instead=PUT_BACK, second=second)
    return command if refusal_of(table, command) is None else None


def without_promise(command: Command) -> Command:
    """A command as it was sent, without what the floor has put into it."""
    if isinstance(command, LoadShoe):
        return replace(command, commitment="", algorithm="")
    return replace(command, seed=KEPT_SEED) if isinstance(command, OpenSeed) else command


def due_openings(table: Table, command: Command, find_seed: FindSeed) -> Iterator[OpenSeed]:
    """The seeds that have to be opened now that a command was accepted; `table` is as it is after it.

    A seed whose key is missing stays closed, and is tried again at the next call. Where book or terms ask
    for a second person, people open it.
    """
    if not isinstance(command, _OPENING):
        return
    for shoe in table.state.committed:
        role = authority_over(OpenSeed.name(), table.book.authority, table.terms.authority).roles[0]
        opening = OpenSeed(actor=FLOOR, role=role, time=command.time, shoe=shoe.shoe, seed=KEPT_SEED)
        if refusal_of(table, cast("Command", opening)) is None:
            try:
                yield replace(opening, seed=find_seed(shoe.shoe).secret.hex())
            except KeyTrouble:
                continue


def _committed(loaded: LoadedTable, command: LoadShoe, find_seed: FindSeed) -> Command:
    table = loaded.table
    # A continuous shuffler has no order that could be promised.
    if table.state.terms is None or table.terms.source is not SourceKind.SHUFFLED:
        return command
    number = table.state.shoe_number + 1
    seed = find_seed(number)
    if seed.algorithm not in CHECKABLE:
        return command
    commitment = shuffle.commitment_of(loaded.id, number, table.terms.decks, seed.algorithm, seed.secret)
    return replace(command, commitment=commitment, algorithm=seed.algorithm)
