"""Acting: a table and a command make a step, the events and the table after them, or a refusal.

Pure, and never half done. There is one legality of every command: `act` and `decide` ask it, and so does
`refusal_of` for `legal_commands`, so what a page offers is what the table accepts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import msgspec

from punto.refusal import Reason, Refusal
from punto.rules.authority import Authority, Role, authority_over, can_terms_give, second_given_up
from punto.rules.wording import HOUSE_TERM
from punto.table.antes import ANTE_VERBS
from punto.table.betting import BETTING_VERBS
from punto.table.command import Command
from punto.table.dealing import DEALING_VERBS, CardRevealed, proceed
from punto.table.event import Event
from punto.table.header import CommandHeader, Draft, Verb
from punto.table.house import HOUSE_VERBS, CameBack, ChangeTerms, OpenTable, refuse_subject
from punto.table.insurance import INSURANCE_VERBS
from punto.table.irregularity_events import IrregularityCommand, ReplaceCards, Report
from punto.table.irregularity_remedies import follow_case, pursue
from punto.table.irregularity_rulings import IRREGULARITY_VERBS, replacement_clause
from punto.table.settlement import SETTLEMENT_VERBS
from punto.table.shuffling import SHUFFLING_VERBS
from punto.table.state import Phase, State, Table

VERBS: dict[type[CommandHeader], Verb] = {
    **HOUSE_VERBS,
    **BETTING_VERBS,
    **DEALING_VERBS,
    **ANTE_VERBS,
    **INSURANCE_VERBS,
    **SETTLEMENT_VERBS,
    **IRREGULARITY_VERBS,
    **SHUFFLING_VERBS,
}
"""Every command there is."""


class Step(msgspec.Struct, frozen=True):
    """What came of a command that was accepted: its events, and the table after them."""

    table: Table
    events: tuple[Event, ...]

    def __repr__(self) -> str:
        return f"<Step: {', '.join(event.name() for event in self.events)}>"

    def _repr_html_(self) -> str:
        from punto.documents.typesetting import blocks_html

        return blocks_html(f"Events: {', '.join(event.name() for event in self.events)}.") + self.table._repr_html_()


def act(table: Table, command: Command) -> Step | Refusal:
    """Carry out a command at a table, or say why it is refused."""
    judged = _judge(table, command)
    if isinstance(judged, Refusal):
        return judged
    draft, verb = Draft(table, command, judged), VERBS[type(command)]
    if verb.in_person and command.role is Role.PLAYER and command.actor in table.state.away:
        # Whoever walked away and bets in person is there again (insurance 5.12); insurance stays forgone.
        draft.add(CameBack, player=command.actor)
    verb.carry_out(draft, command)
    follow_up(draft)
    return Step(draft.table, cast("tuple[Event, ...]", tuple(draft.events)))


def follow_up(draft: Draft) -> None:
    """Whatever follows from a command by itself, until somebody has to decide again.

    Every command ends here, so no room has to know what another does next.
    """
    if draft.state.case is not None and isinstance(draft.events[-1], CardRevealed):
        pursue(draft)  # what lies open now may be another clause
    proceed(draft)
    while draft.closed is not None:
        (case, resolution), draft.closed = draft.closed, None
        follow_case(draft, case, resolution)
        proceed(draft)


def decide(table: Table, command: Command) -> tuple[Event, ...] | Refusal:
    """The events that a command causes, or why it is refused."""
    step = act(table, command)
    return step if isinstance(step, Refusal) else step.events


def evolve(state: State, event: Event) -> State:
    """Events know what they change: this is their `fold`, for whoever keeps a state alone."""
    return event.fold(state)


def evolved(table: Table, events: Iterable[Event]) -> Table:
    """The table after several events: a log replayed gives the same table, always."""
    state = table.state
    for event in events:
        state = event.fold(state)
    return Table(table.book, state)


def refusal_of(table: Table, command: Command) -> Refusal | None:
    """Why a command would be refused, without carrying it out; None if it is legal."""
    judged = _judge(table, command)
    return judged if isinstance(judged, Refusal) else None


def _judge(table: Table, command: Command) -> object:
    """A refusal, or what judging the command worked out for carrying it out."""
    verb, state = VERBS[type(command)], table.state
    if state.phase is Phase.CLOSED and not verb.after_close:
        return Refusal(Reason.TABLE_CLOSED, None)
    if state.phase is Phase.NEW and not isinstance(command, OpenTable):
        return Refusal(Reason.NOT_OPENED, None)
    if refusal := _refuse_authority(table, command):
        return refusal
    if state.is_paused and not verb.in_a_pause:
        return Refusal(Reason.PAUSED, None)
    if state.case is not None and not verb.in_a_case:
        assert state.found_clause is not None
        return Refusal(Reason.CASE_OPEN, state.found_clause.clause, {"kind": state.found_clause.finding.value})
    if verb.names_player and (refusal := refuse_subject(command)):
        return refusal
    return _refuse_other(table, command) or verb.judge(table, command)


def _refuse_other(table: Table, command: Command) -> Refusal | None:
    """A command that names its round or window is meant for no other; a report may name an earlier round."""
    state = table.state
    number, window = getattr(command, "round", None), getattr(command, "window", None)
    if number not in (None, state.round) and not isinstance(command, Report):
        return Refusal(Reason.OTHER_ROUND, None, {"round": number, "now": state.round})
    if window not in (None, state.window):
        return Refusal(Reason.OTHER_WINDOW, None, {"window": window, "now": state.window or "none"})
    return None


def authority_for(table: Table, command: Command) -> Authority:
    """Who may give a command now, and with which second person.

    Terms that ask for a second person are changed to ask for none, or for a lower one, with that person only.
    """
    of_terms = table.terms.authority if table.state.terms else ()
    authority = authority_over(command.name(), table.book.authority, of_terms)
    if not isinstance(command, ChangeTerms):
        return authority
    lost = second_given_up(table.book.authority, of_terms, command.terms.authority)
    is_asked = authority.second is not None and lost is not None and authority.second.is_at_least(lost)
    return authority if lost is None or is_asked else msgspec.structs.replace(authority, second=lost)


def _refuse_authority(table: Table, command: Command) -> Refusal | None:
    """Who may give a command is for book and terms to say, and whether a second person must agree.

    The terms that a command brings with it are not asked: nobody lets himself in.
    """
    name, authority = command.name(), authority_for(table, command)
    if command.role not in authority.roles:
        if not can_terms_give(name, command.role, table.book.authority):
            authority = authority_over(name, table.book.authority, ())
        if isinstance(command, ReplaceCards) and authority.clause != replacement_clause(table):
            # The clause on who replaces cards speaks of one finding: after another it is a house term.
            authority = msgspec.structs.replace(authority, clause=None)
        roles = ", ".join(role.value for role in authority.roles)
        # Who decides about an irregularity may be the house's reading, which no document says.
        is_ours = authority.clause is None and isinstance(command, IrregularityCommand)
        house = f" ({HOUSE_TERM})" if is_ours else ""
        params: dict[str, str | int] = {"role": command.role.value, "command": name, "roles": roles, "house": house}
        return Refusal(Reason.NOT_ALLOWED, authority.clause, params)
    second, rank = command.second, authority.second
    if rank is None or (second is not None and second.name != command.actor and second.role.is_at_least(rank)):
        return None
    return Refusal(Reason.SECOND_PERSON, authority.clause, {"command": name, "rank": rank.value})


def refusal_for_ever(table: Table, command: Command) -> Refusal | None:
    """Why a role may not give a command at any table of this book, whatever happens; None where it could.

    Neither the state of the table nor its terms can change this answer, so nobody has to remember it.
    """
    if can_terms_give(command.name(), command.role, table.book.authority):
        return None
    refusal = _refuse_authority(table, command)
    return refusal if refusal is not None and refusal.reason is Reason.NOT_ALLOWED else None
