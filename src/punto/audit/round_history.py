"""Looking back at rounds of stored tables as a dispute needs it: where a round stands in the log, its steps,
who did what, what was refused, the money before and after, whether the chain still fits, and a search for
the round that is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from heapq import merge
from itertools import islice

import msgspec

from punto.cards.card import Card
from punto.ledger.movement import AccountKind, held_account, kind_of, player_account
from punto.ledger.postings import Returning, laid_stake, returned_stakes
from punto.money import Money
from punto.refusal import Refusal, RefusalText
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.rules.outcome import Hand, Winner, shown_odds
from punto.store import reader as past
from punto.store.chain import first_hash, next_hash
from punto.store.dispute import round_disputes
from punto.store.errors import ContentBroken, StoreBroken
from punto.store.reader import Reader
from punto.store.record import Dispute, Record, StoredCommand, StoredTable
from punto.table import irregularity_events as irregular
from punto.table.antes import AnteGivenUp, WagerPlaced
from punto.table.betting import BetPlaced, BetReturned, BetsCalled, BetsClosed, MinimumAdvised, WithdrawalIgnored
from punto.table.command import Command
from punto.table.dealing import CardCorrected, CardDealt, CardRevealed, DealFinished
from punto.table.default_decision import DefaultDecision, default_decisions
from punto.table.event import Event, tell
from punto.table.header import EventHeader, Person
from punto.table.house import ShoeLoaded, TableClosed
from punto.table.insurance import InsuranceNeglected, InsuranceTaken
from punto.table.notation import format_phrase
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, Stake, State
from punto.table.words import Sentence


@dataclass(frozen=True, slots=True)
class RoundPlace:
    """The events of a round, by their places in the log. What happens between two rounds belongs to the first of
    them: a settlement can be reversed there.
    """

    round: int
    first: int  # The call for bets.
    last: int  # The last event before the next call, or of the log.
    is_last: bool  # No later round has been called.


def place_of(reader: Reader, table: StoredTable, round: int) -> RoundPlace | None:
    """Where a round stands; None where the table has had no round of this number."""
    seq, number = _last_call(reader, table, round)
    if not seq or number != round:
        return None
    following = _next_call(reader, table, seq)
    return RoundPlace(round, seq, table.version if following is None else following[0] - 1, following is None)


def last_round(reader: Reader, table: StoredTable) -> int:
    """The number of a table's latest round, 0 where none was called."""
    return _last_call(reader, table, past.AFTER_ALL)[1]


def _last_call(reader: Reader, table: StoredTable, most: int) -> tuple[int, int]:
    """The place and the number of the last round up to a number, 0 where there is none.

    Rounds are numbered in the order of the log, so a call is found by halving, without reading what lies before it.
    """
    low, high, number = 0, table.version, 0
    while low < high and number != most:
        middle = (low + high) // 2
        call = _next_call(reader, table, middle)
        if call is None or call[1] > most:
            high = middle
        else:
            low, number = call
    return low, number


def _next_call(reader: Reader, table: StoredTable, after: int) -> tuple[int, int] | None:
    record = past.first_of(reader, table.id, BetsCalled.name(), after)
    return (record.seq, record.event.round) if record and isinstance(record.event, BetsCalled) else None


def last_told(reader: Reader, table: StoredTable) -> int:
    """Up to which record the log of a table may be told to the letter.

    Of a shoe in play nobody is told a card before it shows, so that is the last record before its first card. The
    seed of the shoe before it is opened by then.
    """
    if table.imported or reader.places_of(table.id, TableClosed.name(), 1):
        return table.version
    kinds = (CardDealt.name(), irregular.CaseOpened.name())  # reports can tell of cards too
    loaded = reader.places_of(table.id, ShoeLoaded.name(), 1)
    first = next(past.records_of(reader, table.id, kinds, loaded[0] if loaded else 0, limit=1), None)
    return table.version if first is None else first.seq - 1


class RoundStep(msgspec.Struct, frozen=True):
    """Something that an event of a round did."""

    seq: int
    time: int
    by: str
    role: Role


class CardStep(RoundStep, frozen=True):
    """A card that was dealt, turned up or put right."""

    what: str  # dealt, carried, revealed or corrected.
    hand: Hand
    number: int  # Its number in the hand, as it was then.
    card: Card | None  # None where it lay face down.
    was: Card | None = None


class StakeStep(RoundStep, frozen=True):
    """Money that a player put on the layout or had back from it, and what was said about it."""

    what: str  # placed, raised, insured, wagered, or why it went back: withdrawn, reduced, void, option, ruling …
    box: int
    player: str
    area: str
    amount: Money
    change: Money  # What it adds to the layout, or takes from it; 0 where something was only said about a bet.
    clause: str | None = None
    note: str = ""


class SettlementStep(RoundStep, frozen=True):
    """A settlement of the round; another one follows where it was reversed."""

    winner: Winner
    taken_back: int | None  # The event that reversed it.
    lines: tuple[SettledBet, ...]


def card_step(before: State, seq: int, event: Event) -> CardStep | None:
    """What an event says of one card, by everybody's knowledge: a card face down is not named."""
    head = (seq, event.time, event.by, event.role)
    match event:
        case CardDealt():
            number, card = len(before.slots(event.hand)) + 1, event.card if event.face_up else None
            return CardStep(*head, "carried" if event.carried else "dealt", event.hand, number, card)
        case CardRevealed():
            return CardStep(*head, "revealed", event.hand, event.number, event.card)
        case CardCorrected():
            return CardStep(*head, "corrected", event.hand, event.number, event.card, event.was)
        case _:
            return None


_OnASpot = Stake | BetPlaced | WagerPlaced | BetReturned | AnteGivenUp | WithdrawalIgnored | MinimumAdvised
_SAID = {
    AnteGivenUp: "given up",
    WithdrawalIgnored: "taken off too late: in force",
    MinimumAdvised: "told that it is under the minimum",
}


def stake_steps(before: State, seq: int, event: Event) -> Iterator[StakeStep]:
    """What an event does to the layout, stake by stake."""

    def step(what: str, on: _OnASpot, amount: int, change: int, clause: str | None = None, note: str = "") -> StakeStep:
        head = (seq, event.time, event.by, event.role)
        return StakeStep(*head, what, on.box, on.player, on.area, amount, change, clause, note)

    match event:
        case BetPlaced():
            is_new = before.bet(event.box, event.player, event.area) is None
            what = ("placed" if event.is_seated else "placed, standing") if is_new else "raised"
            yield step(what, event, event.amount, event.amount)
            if event.rejected:
                yield step("rejected", event, event.rejected, 0, event.clause)
        case WagerPlaced():
            yield step("wagered", event, event.amount, event.amount, note=event.ante)
        case AnteGivenUp() | WithdrawalIgnored() | MinimumAdvised():
            bet = before.bet(event.box, event.player, event.area)
            yield step(_SAID[type(event)], event, bet.stake if bet is not None else 0, 0, event.clause)
        case InsuranceTaken():
            stake = laid_stake(event)
            assert stake is not None
            odds = shown_odds(event.odds)
            note = "after {} cards, {}, at Player {}, Banker {}".format(event.window, odds, *event.totals)
            yield step("insured", stake, event.amount, event.amount, note=note)
        case _ if isinstance(event, Returning):
            for stake in returned_stakes(event):
                yield step(_why_back(event), stake, stake.amount, -stake.amount, event.clause)


def _why_back(event: Returning) -> str:
    match event:
        case BetReturned():
            return event.why.value
        case irregular.OptionChosen():
            return "option"
        case irregular.Ruled():
            return "ruling"
        case irregular.BetsReturned():
            return "a card that never left the shoe" if event.is_slip else "insurance not offered"
        case irregular.RoundVoided():
            return "void"


class PlayerBalance(msgspec.Struct, frozen=True):
    """The money of one player around a round, in minor units."""

    # What a player is free to use and what this table holds for them. Whoever plays at two tables at once, or
    # goes to the cashier during a round, has movements elsewhere in between: they are told apart.

    player: str
    before: Money
    here: Money = msgspec.field(name="round")
    """What the events of the round added, or took: stakes on the layout count as taken."""
    elsewhere: Money  # What other tables and the cashier added meanwhile.
    after: Money
    held: Money  # Of what is there afterwards: what the table could still take back.


def balances_of(
    reader: Reader, table: str, first: int, last: int, records: Sequence[Record]
) -> tuple[PlayerBalance, ...]:
    """The balances of everybody whose money these events moved, by name."""
    times = [record.event.time for record in records]
    postings = past.moved_by_events(reader, table, first, last, (min(times), max(times)))
    if not postings:
        return ()
    begin, end = postings[0][0], postings[-1][0]
    here: Counter[str] = Counter()
    for _, account, amount in postings:
        here[account] += amount

    def balance_of(player: str) -> PlayerBalance:
        free, held = player_account(player), held_account(table, player)
        held_before = past.balance_before(reader, held, begin)
        before = past.balance_before(reader, free, begin) + held_before
        still_held = held_before + past.posted_to(reader, held, begin, end)
        change = past.posted_to(reader, free, begin, end) + still_held - held_before
        moved_here = here[free] + here[held]
        return PlayerBalance(player, before, moved_here, change - moved_here, before + change, still_held)

    kinds = {AccountKind.PLAYER: "player/", AccountKind.HELD: f"held/{table}/"}
    players = {account.removeprefix(kinds[kind]) for account in here if (kind := kind_of(account)) in kinds}
    return tuple(map(balance_of, sorted(players)))


@dataclass(frozen=True, slots=True)
class Chained:
    version: int  # The last event that was looked at.
    hash: str  # In hexadecimal digits.
    is_same: bool  # Whether the stored hash is the same.


def check_chained(reader: Reader, table: StoredTable, at: int) -> Chained:
    """Compute the hash of a table's records up to an event, and compare it with the one that is stored.

    Whoever tells a round says this too; `punto audit verify` looks at far more.
    """
    head = first_hash(table.id, table.digest)
    for line in reader.lines(table.id, 0, at):
        head = next_hash(head, line)
    stored = reader.rows("SELECT hash FROM events WHERE table_id = ? AND seq = ?", (table.id, at))
    return Chained(at, head.hex(), [bytes(hash) for (hash,) in stored] == [head])


@dataclass(frozen=True, slots=True)
class Happened:
    seq: int
    event: Event
    sentences: tuple[Sentence, ...]
    card: CardStep | None
    stakes: tuple[StakeStep, ...]
    case: int | None  # The case that it belongs to.


class GivenCommand(msgspec.Struct, frozen=True):
    """A command that was refused, or that two people gave together."""

    version: int  # The version of the table that it was decided on, or that it led to.
    time: int
    by: str
    role: Role
    command: str
    words: str  # In the notation of sessions.


class ApprovedCommand(GivenCommand, frozen=True):
    """A command that a second person agreed to."""

    second: Person
    first: int | None
    last: int | None


class RefusedCommand(GivenCommand, frozen=True):
    """A command that was refused, and why."""

    refusal: RefusalText


@dataclass(frozen=True, slots=True)
class RoundHistory:
    """A round, folded from the log. What was refused and who agreed stand beside the log, balances in the ledger."""

    table: StoredTable
    book: Book
    place: RoundPlace
    at: int  # The last event that is looked at.
    after: State  # The table after the last event that is looked at.
    end: State  # The same, or the table just before the round was voided: with its cards and bets.
    happened: tuple[Happened, ...]
    refused: tuple[RefusedCommand, ...]
    approved: tuple[ApprovedCommand, ...]
    balances: tuple[PlayerBalance, ...]
    late: tuple[Happened, ...]  # Errors of this round that were found out in a later one.
    decided: tuple[DefaultDecision, ...]  # What was decided for players who did not.
    disputes: tuple[Dispute, ...]

    @property
    def settlements(self) -> tuple[SettlementStep, ...]:
        steps: list[SettlementStep] = []
        for one in self.happened:
            event = one.event
            if isinstance(event, RoundSettled):
                head = (one.seq, event.time, event.by, event.role)
                steps.append(SettlementStep(*head, event.winner, None, event.bets))
            elif isinstance(event, SettlementReversed) and steps:
                steps[-1] = msgspec.structs.replace(steps[-1], taken_back=one.seq)
        return tuple(steps)

    @property
    def void(self) -> Happened | None:
        return next((one for one in self.happened if isinstance(one.event, irregular.RoundVoided)), None)

    @property
    def cases(self) -> tuple[tuple[int, tuple[Happened, ...]], ...]:
        """Everything that was done about each case, by its number."""
        numbers = dict.fromkeys(one.case for one in self.happened if one.case is not None)
        return tuple((number, tuple(one for one in self.happened if one.case == number)) for number in numbers)

    @property
    def rulings(self) -> tuple[Happened, ...]:
        """What was decided outside a case: bets under the minimum, errors of earlier rounds."""
        kinds = (irregular.Ruled, irregular.ErrorFoundLate, irregular.RoundVoided, irregular.CardsReplaced)
        return tuple(one for one in self.happened if one.case is None and isinstance(one.event, kinds))


def round_history(
    reader: Reader, table: StoredTable, book: Book, place: RoundPlace, at: int | None = None
) -> RoundHistory:
    """A round, whole or up to one of its events. `book` is the one that the table is played by."""
    until = place.last if at is None else at
    assert place.first <= until <= place.last, "the event belongs to the round"
    before = reader.state_at(table.id, place.first - 1)
    records = reader.records(table.id, place.first - 1, until - place.first + 1)
    happened, after, end, decided = [], before, None, list[DefaultDecision]()
    for record in records:
        seq, event, before = record.seq, record.event, after
        after = event.fold(before)
        steps = card_step(before, seq, event), tuple(stake_steps(before, seq, event))
        happened.append(Happened(seq, event, tuple(tell(book, after, event)), *steps, case_of(before, after, event)))
        decided += default_decisions(book, before, event, seq)
        end = before if end is None and isinstance(event, irregular.RoundVoided) else end
    late = past.errors_found_late(reader, table.id, place.last) if at is None else ()
    commands = [_given_command(one) for one in given_commands(reader, table.id, place.first, until)]
    return RoundHistory(
        table=table,
        book=book,
        place=place,
        at=until,
        after=after,
        end=end or after,
        happened=_with_what_goes_along(happened),
        refused=tuple(command for command in commands if isinstance(command, RefusedCommand)),
        approved=tuple(command for command in commands if isinstance(command, ApprovedCommand)),
        balances=() if table.imported else balances_of(reader, table.id, place.first, until, records),
        late=tuple(
            Happened(record.seq, event, tuple(tell(book, State(), event)), None, (), None)
            for record in late
            if isinstance(event := record.event, irregular.ErrorFoundLate) and event.round == place.round
        ),
        decided=tuple(decided),
        disputes=tuple(round_disputes(reader, table.id, place.round)),
    )


def _with_what_goes_along(happened: list[Happened]) -> tuple[Happened, ...]:
    """A settlement that is taken back for a case, and what closing it brings, belong to the case too."""
    for place, one in enumerate(happened):
        before = happened[place - 1] if place else one
        after = happened[place + 1] if place + 1 < len(happened) else one
        if one.case is None and _is_one_act(before, one) and isinstance(one.event, _CLOSING):
            happened[place] = replace(one, case=before.case)
        elif one.case is None and _is_one_act(one, after) and isinstance(one.event, SettlementReversed):
            happened[place] = replace(one, case=after.case)
    return tuple(happened)


_CLOSING = (irregular.RoundVoided, irregular.CardsReplaced, irregular.Ruled, irregular.BetsReturned)


def _is_one_act(one: Happened, following: Happened) -> bool:
    """Whether two events came of one command, as far as the log tells."""
    first, second = one.event, following.event
    return (first.by, first.role, first.time) == (second.by, second.role, second.time)


_IN_A_CASE = (CardRevealed, irregular.RoundVoided, SettlementReversed, InsuranceNeglected, BetsClosed)
"""What can happen because of a case and says nothing of it."""


def case_of(before: State, after: State, event: EventHeader) -> int | None:
    """The case that an event belongs to, by the table before and after it."""
    number: int | None = getattr(event, "case", None)
    case = after.case or before.case
    is_about = isinstance(event, (*_IN_A_CASE, *irregular.IrregularityEvent.__args__))
    return case.number if number is None and case is not None and is_about else number


_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_refusals: msgspec.json.Decoder[Refusal] = msgspec.json.Decoder(Refusal)


@dataclass(frozen=True, slots=True)
class KeptCommand:
    """A command as it was given, and what is kept beside it."""

    stored: StoredCommand
    command: Command

    def brought(self, seq: int) -> bool:
        """Whether an event came of it."""
        first, last = self.stored.first_seq, self.stored.last_seq
        return first is not None and last is not None and first <= seq <= last


def given_commands(reader: Reader, table: str, first: int, last: int) -> list[KeptCommand]:
    """The commands after which a table had one of these versions, refused ones too, in their order."""
    return [
        KeptCommand(stored, _commands.decode(stored.body)) for stored in past.commands_at(reader, table, first, last)
    ]


def refused_of(commands: Iterable[KeptCommand]) -> tuple[RefusedCommand, ...]:
    return tuple(given for one in commands if isinstance(given := _given_command(one), RefusedCommand))


def _given_command(kept: KeptCommand) -> ApprovedCommand | RefusedCommand | None:
    stored, command = kept.stored, kept.command
    assert stored.version is not None
    head = (command.time, command.actor, command.role, command.name(), format_phrase(command))
    if stored.refusal is not None:
        return RefusedCommand(stored.version, *head, _refusals.decode(stored.refusal).text)
    if command.second is not None:
        return ApprovedCommand(stored.version, *head, command.second, stored.first_seq, stored.last_seq)
    return None


# A search reads only the few kinds of events that sum a round up, a stretch of the log at a time from its end, and
# stops when it has found enough.
STRETCH = 20_000
"""Events of a log that are looked at together, at most: whoever asks for the latest rounds needs fewer."""
FIRST_STRETCH = 2_000

_KINDS = tuple(
    kind.name()
    for kind in (
        *(BetsCalled, BetPlaced, BetReturned, WagerPlaced, InsuranceTaken, DealFinished),
        *(RoundSettled, SettlementReversed, irregular.RoundVoided),
        *(irregular.ClauseFound, irregular.ErrorFoundLate),
        *(irregular.OptionChosen, irregular.Ruled, irregular.BetsReturned),
    )
)


class RoundStatus(Enum):
    """How far a round has come."""

    OPEN = "open"
    SETTLED = "settled"
    VOID = "void"


class PlayerResult(msgspec.Struct, frozen=True):
    """What a round was about for one player, in minor units."""

    staked: Money = 0  # What was put on the layout and not had back before a result.
    net: Money = 0  # What the settlement that holds brought.


class RoundSummary(msgspec.Struct, frozen=True):
    """One round in a line."""

    id: str
    table: str
    round: int
    seq: int  # The call.
    time: int
    status: RoundStatus = RoundStatus.OPEN
    winner: Winner | None = None
    points: tuple[int, int] | None = None  # Of Player and Banker.
    times_settled: int = 0
    players: dict[str, PlayerResult] = {}  # By name, everybody who staked something.
    findings: dict[str, str | None] = {}  # What went wrong, each with its clause.

    @property
    def is_irregular(self) -> bool:
        return bool(self.findings) or self.status is RoundStatus.VOID or self.times_settled > 1


class RoundResultWanted(Enum):
    """What a round came to, where rounds are looked for by that."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    VOID = "void"
    OPEN = "open"  # No result yet.


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What is looked for; whatever is None is not asked."""

    tables: tuple[str, ...] = ()  # None means all.
    player: str | None = None
    since: int | None = None
    until: int | None = None
    irregularity: str | None = None  # A finding, a clause, `void`, `reversed`, or `any`.
    over: int | None = None  # A player staked or won more than this.
    result: RoundResultWanted | None = None
    number: int | None = None  # Of the round.
    before: tuple[int, str] | None = None  # Rounds after this one in the answer: its time and its id.

    def finds(self, summary: RoundSummary) -> bool:
        if self.since is not None and summary.time < self.since:
            return False
        if self.until is not None and summary.time >= self.until:
            return False
        if self.player is not None and self.player not in summary.players:
            return False
        if self.number is not None and summary.round != self.number:
            return False
        if self.result is not None and self.result.value != (summary.winner or summary.status).value:
            return False
        if self.over is not None:
            results = summary.players.values() if self.player is None else (summary.players[self.player],)
            if all(max(result.staked, result.net) <= self.over for result in results):
                return False
        match self.irregularity:
            case None:
                return True
            case "any":
                return summary.is_irregular
            case "void":
                return summary.status is RoundStatus.VOID
            case "reversed":
                return summary.times_settled > 1
            case wanted:
                return wanted in summary.findings or wanted in summary.findings.values()


def find_rounds(reader: Reader, search: RoundSearch, limit: int | None = None) -> list[RoundSummary]:
    """Rounds, the latest first; of those that were called at one moment, by their tables."""
    tables = [table for table in reader.tables() if not search.tables or table.id in search.tables]
    rounds = merge(*(_unbroken(reader, table) for table in tables), key=_latest)
    if search.before is not None:
        time, id = search.before
        table, _, number = id.rpartition("/")
        rounds = (summary for summary in rounds if _latest(summary) > (-time, table, -int(number)))
    return list(islice(filter(search.finds, rounds), limit))


class TableBroken(StoreBroken):
    """The rounds of a table cannot be listed: its records were changed."""

    def __init__(self, table: str) -> None:
        super().__init__(f"the records of table {table} were changed")
        self.table = table


def _unbroken(reader: Reader, table: StoredTable) -> Iterator[RoundSummary]:
    """The rounds of a table; whoever looks for rounds must not think that one whose log was changed has none."""
    try:
        yield from _latest_first(reader, table)
    except (ContentBroken, AssertionError, LookupError, TypeError, ValueError) as error:
        raise TableBroken(table.id) from error


def _latest(summary: RoundSummary) -> tuple[int, str, int]:
    return -summary.time, summary.table, -summary.round


def round_at(reader: Reader, table: StoredTable, seq: int) -> int | None:
    """The round that an event belongs to: that of the last call up to it; None before the first."""
    places = reader.places_of(table.id, BetsCalled.name(), 1, min(seq, table.version) + 1)
    called = reader.records(table.id, places[0] - 1, 1)[0].event if places else None
    return called.round if isinstance(called, BetsCalled) else None


def _latest_first(reader: Reader, table: StoredTable) -> Iterator[RoundSummary]:
    """Every round of a table, from its end to its beginning."""
    after: list[Record] = []
    """Events of a round whose call lies in an earlier stretch."""
    until, stretch = table.version, min(FIRST_STRETCH, STRETCH)
    while until > 0:
        begin, stretch = max(0, until - stretch), min(2 * stretch, STRETCH)
        records = [*past.records_of(reader, table.id, _KINDS, begin, until), *after]
        for call in reversed([place for place, record in enumerate(records) if isinstance(record.event, BetsCalled)]):
            yield round_summary(table.id, records[call:])
            del records[call:]
        after, until = records, begin


def round_summary(table: str, records: Sequence[Record]) -> RoundSummary:
    """A round from its events, the call first, without the table: a search has no state to begin with."""
    call = records[0].event
    assert isinstance(call, BetsCalled)
    status, winner, points, times_settled = RoundStatus.OPEN, None, None, 0
    staked, nets = Counter[str](), Counter[str]()
    findings: dict[str, str | None] = {}
    for event in (record.event for record in records[1:]):
        if (laid := laid_stake(event)) is not None:
            staked[laid.player] += laid.amount
        match event:
            case DealFinished():
                winner, points = event.winner, (event.player_points, event.banker_points)
            case RoundSettled():
                status, winner, times_settled = RoundStatus.SETTLED, event.winner, times_settled + 1
                nets.clear()
                for line in event.bets:
                    nets[line.player] += line.net
            case SettlementReversed():
                status = RoundStatus.OPEN
                nets.clear()
            case irregular.RoundVoided():
                status, winner, points = RoundStatus.VOID, None, None
            case irregular.ClauseFound():
                findings[event.finding.value] = event.clause
            case irregular.ErrorFoundLate():
                findings["found-late"] = event.clause
            case _:
                for stake in returned_stakes(event):
                    staked[stake.player] -= stake.amount
    players = {player: PlayerResult(staked[player], nets[player]) for player in {**staked, **nets}}
    head = f"{table}/{call.round}", table, call.round, records[0].seq, call.time
    return RoundSummary(*head, status, winner, points, times_settled, players, findings)


def result_words(summary: RoundSummary) -> str:
    if summary.status is RoundStatus.VOID:
        return "void"
    if summary.winner is None:
        return "not finished"
    points = "" if summary.points is None else f" {summary.points[0]}-{summary.points[1]}"
    state = "" if summary.status is RoundStatus.SETTLED else ", not settled"
    again = f", settled {summary.times_settled} times" if summary.times_settled > 1 else ""
    return f"{summary.winner.value.title()}{points}{state}{again}"
