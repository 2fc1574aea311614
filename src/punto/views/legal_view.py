"""What a viewer may do now, as the API takes it, and what comes next: the dealer's act, whom the table waits
for, the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.dealer.dealer import AT_LEISURE, Awaited, DrawCard, Give, Halt, Pace, Wait, next_step
from punto.floor.answers import LegalView
from punto.floor.loaded_table import LoadedTable
from punto.floor.orders import ORDERED
from punto.floor.shoe import refuse_unseen_card
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.table.acting import VERBS, refusal_of
from punto.table.betting import ReduceBet, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import CorrectCard, DealCard, due_hand
from punto.table.header import CommandHeader, Person
from punto.table.house import BurnCards
from punto.table.irregularity_events import Report
from punto.table.legality import Legal, legal_commands
from punto.table.state import Phase, Table
from punto.views.viewer import Viewer

HEADER_FIELDS = frozenset(CommandHeader.__struct_fields__)
"""What session and server know: a client that sends it is refused."""


def command_json(table: Table, command: Command) -> dict[str, Any]:
    """The JSON of a command, with the round and the window of now filled in where it can name them."""
    fields: dict[str, Any] = msgspec.to_builtins(command, str_keys=True)
    fields = {name: value for name, value in fields.items() if name not in HEADER_FIELDS}
    state = table.state
    if "round" in command.__struct_fields__ and state.is_in_round and not isinstance(command, Report):
        fields["round"] = state.round
    if "window" in command.__struct_fields__ and state.window is not None:
        fields["window"] = state.window
    if isinstance(command, DealCard | BurnCards) and not is_card_named(table, command):
        fields.pop("card", None)
    return fields


def names_cards(table: Table) -> bool:
    """Whether people name the cards of a table: where the shoe is a physical one."""
    return table.terms.source is SourceKind.ENTERED


def is_card_named(table: Table, command: Command) -> bool:
    """Whether a person names the card of a command: not a card that was carried over face down."""
    carried = table.state.carried
    return names_cards(table) and not (isinstance(command, DealCard) and carried and not carried[0].face_up)


def legal_of(loaded: LoadedTable, viewer: Viewer, commands: tuple[Legal, ...] | None = None) -> tuple[LegalView, ...]:
    """Everything that a viewer may do at a table now; nothing for whoever has no name.

    `commands` are those of `commands_of`, where they were worked out already.
    """
    views: list[LegalView] = []
    if not loaded.imported:
        for entry in commands_of(loaded.table, viewer) if commands is None else commands:
            view = _legal_view(loaded.table, entry)
            if view is not None and view not in views:
                views.append(view)
    return tuple(views)


def commands_of(table: Table, viewer: Viewer, *, is_stopped: bool = False) -> tuple[Legal, ...]:
    """Every command that would be accepted; where play is stopped, no call for bets and no bet."""
    legal = legal_commands(table, viewer.name, viewer.role) if viewer.name is not None else ()
    return tuple(each for each in legal if not isinstance(each.command, ORDERED)) if is_stopped else legal


def _legal_view(table: Table, entry: Legal) -> LegalView | None:
    """The command as the table itself would accept it. Where the system draws the cards, nobody names one."""
    command, free = entry.command, entry.free
    second = command.second.role if command.second is not None else None
    if table.state.terms is None:
        opening = msgspec.to_builtins(command, str_keys=True)
        return LegalView({name: opening[name] for name in ("type", "terms")}, free, entry.most, entry.odds, second)
    if isinstance(command, WithdrawBet | ReduceBet) and table.state.phase is not Phase.BETTING:
        return None  # a book may take it and do nothing: what has no effect is not offered
    if not names_cards(table):
        if refuse_unseen_card(table, command) is not None:
            return None
        if isinstance(command, DealCard | BurnCards):
            free = tuple(name for name in free if name != "card")
    return LegalView(command_json(table, command), free, entry.most, entry.odds, second)


NO_WAITING = Pace(bets=0, antes=0, insurance=0, squeeze=0)
"""Nobody is waited for: what a dealer would do if everybody had decided."""


class WaitView(msgspec.Struct, frozen=True):
    """What a table waits for."""

    what: Awaited
    whom: tuple[str, ...]  # The players who are waited for; none where it is the house, or only time.


class ProblemView(msgspec.Struct, frozen=True):
    """Why a dealer cannot go on: the only command that is left would be refused."""

    command: str  # Its type, such as `close-bets`.
    reason: str
    params: dict[str, str | int]
    sentence: str  # Why it would be refused, in English.
    clause: str | None


class CorrectionView(msgspec.Struct, frozen=True):
    """A card of the round that lies open, which whoever named it may put right."""

    hand: Hand
    number: int  # The hand's first, second or third card.
    problem: ProblemView | None  # Why it cannot be put right any more; None where it can.


class NextView(msgspec.Struct, frozen=True):
    """The dealer's next act."""

    command: dict[str, Any] | None  # As the API takes it; None where the dealer can only wait.
    phrase: str  # What it is called, such as `no more bets`.
    needs_card: bool  # Whether the dealer names a card with it: at a table with a physical shoe.
    hand: Hand | None  # The hand that gets the card.
    waits: WaitView | None  # Whom the dealer may wait for before it.
    problem: ProblemView | None  # Why the dealer cannot go on, where that is so.
    corrections: tuple[CorrectionView, ...] = ()
    """The open cards of a physical shoe in the order in which they were dealt; the last is the first to take back."""


class ClockView(msgspec.Struct, frozen=True):
    """A clock that runs at an automatic table."""

    what: Awaited  # What it gives time for.
    ends_at: int  # When it runs out, in milliseconds of the server's time.
    ends_in_ms: int  # How long that is from now.


def clock_view(table: Table, pace: Pace | None, now: int) -> ClockView | None:
    """The clock of a table that is dealt at this pace; None where no clock runs."""
    if pace is None or table.state.phase in (Phase.NEW, Phase.CLOSED):
        return None
    due = next_step(table, now, pace)
    if isinstance(due, Wait) and due.what is Awaited.PACE and due.until is not None:
        # A beat comes first, and nothing happens at its end: the clock after it is told with the card.
        due = next_step(table, due.until, pace)
    if not isinstance(due, Wait) or due.until is None or due.what is Awaited.PACE:
        return None
    return ClockView(due.what, due.until, max(0, due.until - now))


def next_view(table: Table, viewer: Viewer, *, is_stopped: bool = False) -> NextView | None:
    """The next act of a dealer; None for everybody else. Where play is stopped no call for bets is given."""
    if viewer.role is not Role.DEALER or table.state.phase in (Phase.NEW, Phase.CLOSED):
        return None
    dealer = Person(viewer.name or "", Role.DEALER)
    now = table.state.since  # every clock of no length has just run out, and none of the others
    due = next_step(table, now, NO_WAITING, dealer=dealer)
    patient = next_step(table, now, AT_LEISURE, dealer=dealer)
    waits = _wait_view(table, patient) if isinstance(patient, Wait) else None
    corrections = tuple(_correction_views(table, dealer))
    if is_stopped and isinstance(due, Give) and isinstance(due.command, ORDERED):
        due = Halt(due.command, Refusal(Reason.STOPPED, None))
    match due:
        case Give(command) | DrawCard(command):
            to = due_hand(table) if isinstance(command, DealCard) else None
            return NextView(
                command=command_json(table, command),
                phrase=VERBS[type(command)].phrase,
                needs_card=isinstance(due, DrawCard) and names_cards(table),
                hand=to if isinstance(to, Hand) else getattr(command, "hand", None),
                waits=waits,
                problem=None,
                corrections=corrections,
            )
        case Halt(command, refusal):
            phrase, why = VERBS[type(command)].phrase, _problem_view(command, refusal)
            return NextView(None, phrase, False, None, waits, why, corrections)
        case Wait():
            return NextView(None, "", False, None, WaitView(due.what, due.whom), None, corrections)


def _wait_view(table: Table, waiting: Wait) -> WaitView | None:
    """Whom the dealer may wait for: not who has bet already, and nobody where all have."""
    if waiting.what is not Awaited.BETS or not table.state.bets:
        return WaitView(waiting.what, waiting.whom)
    whom = tuple(player for player in waiting.whom if player not in table.state.bettors)
    return WaitView(waiting.what, whom) if whom else None


def _problem_view(command: Command, refusal: Refusal) -> ProblemView:
    return ProblemView(command.name(), refusal.reason.value, refusal.params, refusal.sentence, refusal.clause)


def _correction_views(table: Table, dealer: Person) -> Iterator[CorrectionView]:
    """Every open card of a physical shoe, with why it cannot be put right, where no other card would do."""
    state, counts = table.state, dict.fromkeys(Hand, 0)
    if not names_cards(table) or not state.are_cards_in_play:
        return
    for hand in state.record:
        counts[hand] += 1
        slot = state.slot(hand, counts[hand])
        if slot is not None and slot.face_up and slot.card is not None:
            yield CorrectionView(hand, counts[hand], _correction_problem(table, dealer, hand, counts[hand]))


OF_THE_CARD = frozenset((Reason.SAME_CARD, Reason.CARD_NOT_THERE))
"""Why one card cannot be the right one, while another may be."""


def _correction_problem(table: Table, dealer: Person, hand: Hand, number: int) -> ProblemView | None:
    problem: ProblemView | None = None
    for card in DECK:
        command = CorrectCard(actor=dealer.name, role=dealer.role, hand=hand, number=number, card=card)
        refusal = refusal_of(table, command)
        if refusal is None:
            return None
        if problem is None and refusal.reason not in OF_THE_CARD:
            problem = _problem_view(command, refusal)
            if refusal.reason is not Reason.DIFFERENT_DEAL:
                break  # it holds for every card
    return problem
