"""Everything about one round of a stored table: what happened, who did it, what was refused, and the money.

All of it is folded from the log: the state before the round, then event by event. Commands that were refused
and second persons stand beside the log and are read with it; what players had before and after comes from the
ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from punto.audit.history.balance import PlayerBalance, balances_of
from punto.audit.history.place import RoundPlace, state_at
from punto.audit.history.steps import CardStep, SettlementStep, StakeStep, card_step, stake_steps
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.store.lookup.past import commands_at, found_late
from punto.store.reader import Reader
from punto.store.record import Record
from punto.store.stored import StoredCommand, StoredTable
from punto.table import event as e
from punto.table.command import Command
from punto.table.header import EventHeader
from punto.table.state import State
from punto.table.transcript import tell
from punto.table.words import Told


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the round with its meaning."""

    seq: int
    event: e.Event
    told: tuple[Told, ...]
    """In sentences."""
    card: CardStep | None
    stakes: tuple[StakeStep, ...]
    case: int | None
    """The case that it belongs to."""


@dataclass(frozen=True, slots=True)
class GivenCommand:
    """A command that was refused, or that two people gave together."""

    version: int
    """The version of the table that it was decided on, or that it led to."""
    command: Command
    refusal: Refusal | None = None
    first_seq: int | None = None
    last_seq: int | None = None


@dataclass(frozen=True, slots=True)
class RoundHistory:
    """One round of a table."""

    table: StoredTable
    book: Book
    place: RoundPlace
    at: int
    """The last event that is looked at."""
    before: State
    """The table before the call."""
    after: State
    """The table after the last event that is looked at."""
    end: State
    """The same, or the table just before the round was voided: with its cards and bets."""
    happened: tuple[Happened, ...]
    refused: tuple[GivenCommand, ...]
    approved: tuple[GivenCommand, ...]
    """Commands that a second person agreed to."""
    balances: tuple[PlayerBalance, ...]
    late: tuple[Happened, ...]
    """Errors of this round that were found out in a later one."""

    @property
    def settlements(self) -> tuple[tuple[Happened, SettlementStep, Happened | None], ...]:
        """Every settlement, with what reversed it."""
        found: list[tuple[Happened, SettlementStep, Happened | None]] = []
        for one in self.happened:
            if isinstance(one.event, e.RoundSettled):
                found.append((one, SettlementStep(one.event.winner, one.event.bets), None))
            elif isinstance(one.event, e.SettlementReversed) and found:
                found[-1] = (*found[-1][:2], one)
        return tuple(found)

    @property
    def void(self) -> Happened | None:
        """What voided the round."""
        return next((one for one in self.happened if isinstance(one.event, e.RoundVoided)), None)

    @property
    def cases(self) -> tuple[tuple[int, tuple[Happened, ...]], ...]:
        """Everything that was done about each case, by its number."""
        numbers = dict.fromkeys(one.case for one in self.happened if one.case is not None)
        return tuple(
            (number, tuple(one for one in self.happened if one.case == number)) for number in numbers
        )

    @property
    def rulings(self) -> tuple[Happened, ...]:
        """What was decided outside a case: bets under the minimum, errors of earlier rounds."""
        kinds = (e.Ruled, e.ErrorFoundLate, e.RoundVoided, e.CardsReplaced)
        return tuple(one for one in self.happened if one.case is None and isinstance(one.event, kinds))


def round_history(
    reader: Reader, table: StoredTable, book: Book, place: RoundPlace, at: int | None = None
) -> RoundHistory:
    """A round, whole or up to one of its events. `book` is the one that the table is played by."""
    until = place.last if at is None else at
    assert place.first <= until <= place.last, "the event belongs to the round"
    before = state_at(reader, table.id, place.first - 1)
    records = reader.records(table.id, place.first - 1, until - place.first + 1)
    happened, states = _fold(book, before, records)
    end = next(
        (
            state
            for state, one in zip((before, *states), happened, strict=False)
            if isinstance(one.event, e.RoundVoided)
        ),
        states[-1],
    )
    commands = [_given(kept) for kept in commands_at(reader, table.id, place.first, until)]
    return RoundHistory(
        table=table,
        book=book,
        place=place,
        at=until,
        before=before,
        after=states[-1],
        end=end,
        happened=happened,
        refused=tuple(given for given in commands if given.refusal is not None),
        approved=tuple(
            given for given in commands if given.refusal is None and given.command.second is not None
        ),
        balances=() if table.imported else balances_of(reader, table.id, place.first, until, records),
        late=_late(reader, table.id, book, place) if at is None else (),
    )


def _late(reader: Reader, table: str, book: Book, place: RoundPlace) -> tuple[Happened, ...]:
    return tuple(
        Happened(record.seq, record.event, tuple(tell(book, State(), record.event)), None, (), None)
        for record in found_late(reader, table, place.last)
        if isinstance(record.event, e.ErrorFoundLate) and record.event.round == place.round
    )


def _fold(
    book: Book, before: State, records: Sequence[Record]
) -> tuple[tuple[Happened, ...], tuple[State, ...]]:
    """The events with their meaning, and the table after each."""
    happened, states, state = [], [], before
    for record in records:
        event: e.Event = record.event
        after = event.fold(state)
        one = Happened(
            record.seq,
            event,
            tuple(tell(book, after, event)),
            card_step(state, event),
            tuple(stake_steps(state, event)),
            _case(state, after, event),
        )
        happened.append(one)
        states.append(after)
        state = after
    return _with_what_goes_along(happened), tuple(states)


def _with_what_goes_along(happened: Sequence[Happened]) -> tuple[Happened, ...]:
    """A settlement that is taken back for a case, and what closing it brings, belong to the case too."""
    found = list(happened)
    for place, one in enumerate(found):
        before = found[place - 1] if place else one
        after = found[place + 1] if place + 1 < len(found) else one
        if one.case is None and _is_one_act(before, one) and isinstance(one.event, _CLOSING):
            found[place] = replace(one, case=before.case)
        elif one.case is None and _is_one_act(one, after) and isinstance(one.event, e.SettlementReversed):
            found[place] = replace(one, case=after.case)
    return tuple(found)


_CLOSING = (e.RoundVoided, e.CardsReplaced, e.Ruled, e.BetsReturned)


def _is_one_act(one: Happened, following: Happened) -> bool:
    """Whether two events came of one command, as far as the log tells."""
    return (one.event.by, one.event.role, one.event.time) == (
        following.event.by,
        following.event.role,
        following.event.time,
    )


_IN_A_CASE = (e.CardRevealed, e.RoundVoided, e.SettlementReversed, e.InsuranceNeglected, e.BetsClosed)
"""What can happen because of a case and says nothing of it."""


def _case(before: State, after: State, event: EventHeader) -> int | None:
    number: int | None = getattr(event, "case", None)
    if number is not None:
        return number
    case = after.case or before.case
    is_about = isinstance(event, (*_IN_A_CASE, *e.IrregularityEvent.__args__))
    return case.number if case is not None and is_about else None


_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_refusals: msgspec.json.Decoder[Refusal] = msgspec.json.Decoder(Refusal)


def _given(kept: StoredCommand) -> GivenCommand:
    assert kept.version is not None
    refusal = None if kept.refusal is None else _refusals.decode(kept.refusal)
    command = _commands.decode(kept.body)
    return GivenCommand(kept.version, command, refusal, kept.first_seq, kept.last_seq)
