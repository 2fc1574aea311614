"""What the floor promises about a shuffle: it commits to the seed of a fresh shoe, and opens it when due.

The commitment is part of the command that loads the shoe, and stands in its event before anybody can bet.
When the next shoe is called for the first time, or the table closes, the floor gives `open-seed` itself, in
the same transaction. Nobody else can say a seed: a wrong one would make an honest shoe look false.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from punto.audit.shuffle.order import CHECKABLE, commitment_of
from punto.cards.source import SourceKind
from punto.floor.cards import FindSeed
from punto.floor.loaded import LoadedTable
from punto.refusal import Reason, Refusal
from punto.rules.authority import authority_over
from punto.store.errors import KeyTrouble
from punto.table.acting import refusal_of
from punto.table.command import CallBets, CloseTable, Command, LoadShoe, OpenSeed
from punto.table.header import Person
from punto.table.house.commands import FLOOR
from punto.table.state import Phase, Table

HOUSE = "the house"
"""Who stands beside the floor, where terms ask for a second person."""
PUT_BACK = "the database was put back to an earlier time, and the cards may be known"
KEPT = "kept"
"""What a person says instead of a seed: the one that is kept for the shoe."""


def with_promise(loaded: LoadedTable, command: Command, find_seed: FindSeed) -> Command | Refusal:
    """The command with the commitment to a fresh shoe, or with the seed that is to be opened."""
    if isinstance(command, LoadShoe):
        return _committed(loaded, command, find_seed)
    if isinstance(command, OpenSeed):
        return _opened(loaded.table, command, find_seed)
    return command


def replacement(loaded: LoadedTable) -> LoadShoe | None:
    """The fresh shoe for one whose cards may be known, because its table was at a later time already."""
    table = loaded.table
    if table.state.phase in (Phase.NEW, Phase.CLOSED):
        return None
    authority = authority_over(LoadShoe.name(), table.book.authority, table.terms.authority)
    second = Person(HOUSE, authority.second) if authority.second is not None else None
    now = time.time_ns() // 1_000_000
    command = LoadShoe(actor=FLOOR, role=authority.roles[0], time=now, instead=PUT_BACK, second=second)
    return command if refusal_of(table, command) is None else None


def without_promise(command: Command) -> Command:
    """A command as it was sent, without what the floor has put into it."""
    if isinstance(command, LoadShoe):
        return replace(command, commitment="", algorithm="")
    return replace(command, seed=KEPT) if isinstance(command, OpenSeed) else command


def openings(table: Table, command: Command, find_seed: FindSeed) -> Iterator[OpenSeed]:
    """The seeds that have to be opened now that a command was accepted; `table` is as it is after it.

    A seed whose key is missing stays closed, and is tried again at the next call. Where book or terms ask
    for a second person, people open it.
    """
    if not isinstance(command, CallBets | CloseTable):
        return
    for shoe in table.state.committed:
        role = authority_over(OpenSeed.name(), table.book.authority, table.terms.authority).roles[0]
        opening = OpenSeed(actor=FLOOR, role=role, time=command.time, shoe=shoe.shoe, seed=KEPT)
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
    if refusal_of(table, command) is not None:
        return command
    seed = find_seed(number)
    if seed.algorithm not in CHECKABLE:
        return command
    commitment = commitment_of(loaded.id, number, table.terms.decks, seed.algorithm, seed.secret)
    return replace(command, commitment=commitment, algorithm=seed.algorithm)


def _opened(table: Table, command: OpenSeed, find_seed: FindSeed) -> Command | Refusal:
    if refusal_of(table, command) is not None:
        return command  # the table says why, and no seed is opened for it
    if command.seed != KEPT:
        instead = f"the floor keeps the seed, so say: open the seed {command.shoe} {KEPT}"
        return Refusal(Reason.CARD_NAMED, None, {"instead": instead})
    return replace(command, seed=find_seed(command.shoe).secret.hex())
