"""What goes over the API: commands as clients send them, one struct per kind of answer, and the frames of a
stream. The answers that the client reads as well stand in `floor/answers`.

Amounts are minor units, times milliseconds. The OpenAPI document, `/frames.schema.json` and the types of
the pages are made from these structs, so their names are part of the API.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum
from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from punto.audit.round_history import RoundSummary
from punto.floor.answers import (
    Account,
    Approval,
    Balance,
    LastLogIn,
    LegalView,
    OpenSession,
    PlayerPlay,
    SeenRecord,
    ShownTable,
    Waiting,
)
from punto.floor.board import BoardSettings
from punto.floor.house_pages import HousePage
from punto.floor.integrity import Integrity
from punto.refusal import RefusalText
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.store.chain import HouseAct
from punto.store.record import Dispute, Member, PitCall
from punto.studies.examination import CheckedBook
from punto.table.acting import VERBS
from punto.table.command import Command
from punto.table.header import CommandHeader
from punto.views.catalogue_view import BetRecord
from punto.views.deal_view import CaseView
from punto.views.history_view import RoadView, RoundView, StatisticsView, StepView
from punto.views.legal_view import HEADER_FIELDS
from punto.views.table_view import TableView
from punto.words import LabelView

LARGEST_AMOUNT = 10**15  # The greatest amount of one command, in minor units.
Amount = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_AMOUNT, description="Minor units.")]
BoundedBox = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Expected = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_AMOUNT)]
LONGEST_KEY = 80
CommandKey = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)]
KINDS: dict[str, type[CommandHeader]] = {kind.name(): kind for kind in get_args(Command)}  # Every command by its name.


def body_struct(
    name: str, doc: str, kind: type[msgspec.Struct], hints: dict[str, Any], optional: Iterable[str] = (), **config: Any
) -> type[msgspec.Struct]:
    """A struct that clients send: the fields of another one that have a hint here."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if field.name in hints:
            default: Any = None if field.name in optional else field.default
            if field.default_factory is not msgspec.NODEFAULT:
                default = msgspec.field(default_factory=field.default_factory)
            fields.append((field.name, hints[field.name], default))
    config |= {"frozen": True, "kw_only": True, "forbid_unknown_fields": True}
    return msgspec.defstruct(name, fields, module=__name__, namespace={"__doc__": doc}, **config)


def _command_body(kind: type[CommandHeader]) -> type[msgspec.Struct]:
    hints, bounded = get_type_hints(kind, include_extras=True), {"amount": Amount, "box": BoundedBox}
    hints = {name: bounded.get(name, hint) for name, hint in hints.items() if name not in HEADER_FIELDS}
    doc = (kind.__doc__ or "").strip() or f"{VERBS[kind].phrase.capitalize()}."
    return body_struct(f"{kind.__name__}Body", doc, kind, hints, tag=kind.name(), omit_defaults=True)


BODIES: dict[str, type[msgspec.Struct]] = {name: _command_body(kind) for name, kind in KINDS.items()}
CommandBody: Any = reduce(or_, BODIES.values())  # Any command without its header.


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command for a table, by somebody in one of their roles."""

    key: CommandKey
    """Chosen by the client; the same key with the same body is carried out once."""
    role: Role
    command: CommandBody
    expected: Expected | None = None  # The version of the table that this was decided on; dealing needs it.


def command_of(body: msgspec.Struct, *, actor: str, role: Role, key: str, time: int) -> Command:
    """The command that a body asks for, given by this person now."""
    kind: Any = KINDS[str(body.__struct_config__.tag)]
    command: Command = kind(actor=actor, role=role, key=key, time=time, **msgspec.structs.asdict(body))
    return command


class SessionAnswer(msgspec.Struct, frozen=True):
    """A session, as the page that uses it needs it."""

    account: str
    roles: tuple[Role, ...]
    csrf: str  # Browsers send it as X-CSRF-Token with everything that changes something.
    expires: int
    authenticated: int  # When the password was last given.
    last: LastLogIn | None = None  # The log-in before this one; None at the first.
    locked: bool = False  # Nothing was done for so long that the password is asked again.
    locks: int | None = None  # When it is locked if nothing is done; None where that never is.
    second_factor: bool = False  # Whether you log in with one.
    must_enrol: bool = False  # A role needs a second factor: nothing but setting one up is possible.
    pages: tuple[HousePage, ...] = ()  # Which pages of the house your roles open.


class TableAnswer(ShownTable, frozen=True):
    """A table as the caller sees it."""

    view: TableView


class SessionsAnswer(msgspec.Struct, frozen=True):
    """The open sessions of somebody, the latest first."""

    account: str
    sessions: tuple[OpenSession, ...]


class EndedAnswer(msgspec.Struct, frozen=True):
    """How many sessions of somebody were ended."""

    account: str
    ended: int


class ErasedAnswer(msgspec.Struct, frozen=True):
    """Whether there was anything to erase."""

    account: str
    erased: bool


class AccountsAnswer(msgspec.Struct, frozen=True):
    """Every account; how to reach people stands in it for administrators only."""

    accounts: tuple[Account, ...]


class TablesAnswer(msgspec.Struct, frozen=True):
    """Every table."""

    tables: tuple[TableAnswer, ...]


class ApprovalsAnswer(msgspec.Struct, frozen=True):
    """Everything that waits and concerns the caller."""

    approvals: tuple[Approval, ...]


class CostEntry(msgspec.Struct, frozen=True):
    """What play at one table cost."""

    table: str
    book: str
    staked: int
    expected: int  # What these stakes cost on average, with a full shoe; insurance is left out.
    actual: int  # What they cost in fact; negative where they won.


class CostsAnswer(msgspec.Struct, frozen=True):
    """What play was expected to cost, beside what it did."""

    costs: tuple[CostEntry, ...]


class PeopleAnswer(msgspec.Struct, frozen=True):
    """Everybody who has an account."""

    people: tuple[Member, ...]
    last: dict[str, int]  # When each of them last logged in, by account; nothing of whoever never did.


class RoadsAnswer(msgspec.Struct, frozen=True):
    """The roads of the shoe in play. They are information only, and predict nothing."""

    table: str
    version: int
    roads: RoadView


class MyRound(msgspec.Struct, frozen=True):
    """A round of yours, with the table that it was played at."""

    table: str
    book: str
    played: RoundView
    dispute: Dispute | None  # Where you have disputed it.


class MyRoundsAnswer(msgspec.Struct, frozen=True):
    """Rounds of yours at any table, the latest first."""

    currency: str
    rounds: tuple[MyRound, ...]
    last: int | None  # For `before`, where there are more.


class RoundStepsAnswer(msgspec.Struct, frozen=True):
    """A round that is over, step by step."""

    table: str
    digest: str  # Of the book that it was played by.
    title: LabelView  # Of that book.
    currency: str
    odds: dict[str, tuple[str, ...]]  # By betting area, as the book writes them: `0.95:1` where a line has `19:20`.
    played: RoundView
    steps: tuple[StepView, ...]


class HistoryAnswer(msgspec.Struct, frozen=True):
    """Rounds of a table, the latest first."""

    table: str
    rounds: tuple[RoundView, ...]


class RoundsAnswer(msgspec.Struct, frozen=True):
    """Rounds in a line each, the latest first."""

    rounds: tuple[RoundSummary, ...]
    next: str | None = None  # For `before`, where there are more.


class StatisticsAnswer(msgspec.Struct, frozen=True):
    """The rounds of the shoe in play in numbers. Nothing here predicts a round."""

    table: str
    version: int
    statistics: StatisticsView


class CasesAnswer(msgspec.Struct, frozen=True):
    """The open case of a table, and what the last rounds' cases came to."""

    table: str
    version: int
    case: CaseView | None
    events: tuple[SeenRecord, ...]  # Events about irregularities in the last rounds, oldest first.


class SignificantEventsAnswer(msgspec.Struct, frozen=True):
    """Significant events, oldest first; amounts in `before` and `after` are minor units."""

    events: tuple[HouseAct, ...]
    last: int  # The number of the last event that there is, wanted or not.


class RemovalEntry(msgspec.Struct, frozen=True):
    """What one card less does to a bet, and whole numbers for the cards that follow it best."""

    bet: str
    insured: bool  # The main bet with the best use of insurance, by somebody who sees every card.
    cards: tuple[str, ...]  # Ranks, or cards where the suits of a rank are not alike to the bet.
    effects: tuple[float, ...]  # What a unit gains on average when one such card is gone.
    tags: tuple[int, ...]
    correlation: float  # How well the tags follow the effects: 1 is perfectly.


class RemovalAnswer(msgspec.Struct, frozen=True):
    """How far the bets of a book can be counted, as far as that is exact."""

    book: str
    decks: int
    bets: tuple[RemovalEntry, ...]


class ListedBet(msgspec.Struct, frozen=True):
    """A published bet."""

    bet: str
    name: str
    label: LabelView
    pays: tuple[str, ...]  # Odds, such as `11:1`.
    source: str
    note: LabelView | None  # How the source is read where it leaves room.


class ListedSection(msgspec.Struct, frozen=True):
    """A section of the catalogue."""

    section: str
    title: str
    bets: tuple[ListedBet, ...]


class CatalogueAnswer(msgspec.Struct, frozen=True):
    """Every published bet that a book can take."""

    sections: tuple[ListedSection, ...]


class ExaminedBook(CheckedBook, frozen=True):
    """What `punto check` says of a book, with sentences and names of betting areas in every language."""

    labels: dict[str, LabelView] | UnsetType = UNSET
    problem_words: tuple[LabelView, ...] = ()  # One for each problem.
    warning_words: tuple[LabelView, ...] = ()  # One for each warning.


class CatalogueSectionAnswer(msgspec.Struct, frozen=True):
    """The bets of a section with exact figures."""

    section: str
    title: str
    decks: int
    bets: tuple[BetRecord, ...]


class HealthAnswer(msgspec.Struct, frozen=True):
    """Whether the server runs, whether it can take requests, and which software it is."""

    status: str
    version: str = ""
    digest: str | None = None  # SHA-256 over all files of the software; null until they have been read.
    intact: bool | None = None  # Whether they are as they were installed; null where nothing says what they should be.


class IntegrityAnswer(msgspec.Struct, frozen=True):
    """Which software runs, and what was found of it so far."""

    now: Integrity | None  # As it was found last; null until that has been done.
    kept: tuple[HouseAct, ...]  # Starts and checks, the latest first.


# Clients ignore server frames of a type that they do not know.


class CloseCode(IntEnum):
    """Why the server closes a stream."""

    BAD_FRAME = 4400
    SESSION = 4401
    ROLE = 4403
    TABLE = 4404
    TOO_SLOW = 4408
    STOPPING = 1012  # The server stops; come back with `after`, through whoever balances the load.
    BUSY = 1013  # Too many clients have connected and not said who they are, or one person has too many streams.


class HelloFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hello"):
    """The first frame of a client."""

    ticket: Annotated[str, msgspec.Meta(max_length=100)]
    """A ticket of a session; from a screen, the key of the board of this table."""
    after: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The last event that the client has; what came after it is sent again."""
    role: Role | None = None  # In which role to watch; default: the one of the session that sees most.
    views: bool = False  # Send the whole view after each change, for pages that fold nothing themselves.


class CommandFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="command"):
    """A command, as `POST /tables/{id}/commands` takes it; the answer has the same `id`."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    key: CommandKey
    role: Role
    command: CommandBody
    expected: Expected | None = None


class Edge(Enum):
    """Where a card is taken hold of to bend it up, as it lies before whoever squeezes it."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"
    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


MOST_BENT = 20  # Parts of the way over a card: few, so that a frame says no more than a table could see.


class FoldFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="fold"):
    """How a card is bent now, from the player who squeezes it; it has no answer. From anybody else it does nothing."""

    hand: Hand
    number: Annotated[int, msgspec.Meta(ge=1, le=3)]
    edge: Edge
    part: Annotated[int, msgspec.Meta(ge=0, le=MOST_BENT)]
    """How far the edge is pulled over the card, in twentieths; 0 where it lies flat again."""


ClientFrame = HelloFrame | CommandFrame | FoldFrame


class SnapshotFrame(msgspec.Struct, frozen=True, tag="snapshot"):
    """The table as it is, where `after` was absent or too old."""

    seq: int  # 0 for somebody without an account, who is told no numbers of events; `version` of other frames too.
    view: TableView
    legal: tuple[LegalView, ...]


class EventFrame(msgspec.Struct, frozen=True, tag="event"):
    """An event; every `seq` once, in order, without what is hidden from the viewer."""

    seq: int
    event: dict[str, Any]


class LegalFrame(msgspec.Struct, frozen=True, tag="legal"):
    """What the viewer may do, after the event `seq`; sent where it has changed."""

    seq: int
    commands: tuple[LegalView, ...]


class ViewFrame(msgspec.Struct, frozen=True, tag="view"):
    """The table after the event `seq`, for clients that asked for views."""

    seq: int
    view: TableView


class RoadsFrame(msgspec.Struct, frozen=True, tag="roads"):
    """The roads of the shoe in play, for clients that asked for views: when a stream begins, and after every round."""

    version: int  # The version of the table that they include, which may be later than the last event that was sent.
    roads: RoadView


class HistoryFrame(msgspec.Struct, frozen=True, tag="history"):
    """The last rounds, the latest first, for clients that asked for views; sent beside the roads."""

    version: int
    rounds: tuple[RoundView, ...]


class PlayFrame(msgspec.Struct, frozen=True, tag="play"):
    """What the viewer's session of play has come to, for players who asked for views: sent beside the roads."""

    play: PlayerPlay


class BalanceFrame(msgspec.Struct, frozen=True, tag="balance"):
    """What the viewer has, for players who asked for views: sent when it has changed at another table."""

    balance: Balance


class BoardFrame(msgspec.Struct, frozen=True, tag="board"):
    """What the board shows, for the screens of a board: when a stream begins, and when it was changed."""

    settings: BoardSettings


class WatchingFrame(msgspec.Struct, frozen=True, tag="watching"):
    """The first frame to somebody without an account."""

    delay: int  # By how many seconds everything on this stream is late.


class ChangesFrame(msgspec.Struct, frozen=True, tag="changes"):
    """What has changed in the view of somebody without an account, since the snapshot or the last of these frames."""

    view: dict[str, Any]  # The fields of the view that are others now, each whole.


class ClockFrame(msgspec.Struct, frozen=True, tag="clock"):
    """A clock that runs at an automatic table."""

    what: str
    ends_in_ms: int


class AnswerFrame(msgspec.Struct, frozen=True, tag="answer", omit_defaults=True):
    """The answer to a command frame: a version, a refusal, or an approval that it waits for."""

    id: str
    version: int | None = None
    refusal: RefusalText | None = None
    approval: str | None = None
    needs: Role | None = None
    expires: int | None = None


class ApprovalFrame(Waiting, frozen=True, tag="approval", omit_defaults=True):
    """Something at this table waits for a second person; or it is over, with what came of it."""

    decision: str | None = None
    """None while it waits; `approve` once it was agreed to and carried out, `refused` if it was agreed to and
    could not be carried out, `decline`, or `expired` if nobody decided in time.
    """
    version: int | None = None  # The version of the table after it was carried out.
    refusal: RefusalText | None = None  # Why it could not be carried out.


class PitCallFrame(msgspec.Struct, frozen=True, tag="pit-call"):
    """The pit is called to a table, or a call was answered; when a stream begins, every call that is live."""

    call: PitCall


class DisputeFrame(msgspec.Struct, frozen=True, tag="dispute"):
    """A player disputes a round, or was answered: to the pit and to that player. A stream of the pit begins with those
    that are open."""

    dispute: Dispute


class FoldedFrame(msgspec.Struct, frozen=True, tag="folded"):
    """How a player bends the card that he or she squeezes, for the others who asked for views. At most ten a
    second, only the latest, kept nowhere; it never says which card it is."""

    round: int
    player: str
    hand: Hand
    number: int
    edge: Edge
    part: int  # How far the edge is pulled over the card, in twentieths.


ServerFrame = (
    SnapshotFrame
    | EventFrame
    | LegalFrame
    | ViewFrame
    | RoadsFrame
    | HistoryFrame
    | PlayFrame
    | BalanceFrame
    | BoardFrame
    | WatchingFrame
    | ChangesFrame
    | ClockFrame
    | AnswerFrame
    | ApprovalFrame
    | PitCallFrame
    | DisputeFrame
    | FoldedFrame
)

frame_encoder = msgspec.json.Encoder()
client_frame_decoder: msgspec.json.Decoder[HelloFrame | CommandFrame | FoldFrame] = msgspec.json.Decoder(ClientFrame)
