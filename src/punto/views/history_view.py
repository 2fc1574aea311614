"""The past of a table as a page shows it: rounds as the log tells them, the five roads, statistics, the viewer's own
bets, and a round step by step.

Rounds of a shoe in play are remembered, so that whoever asks again waits for new events only.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Any

import msgspec

from punto.audit.round_history import StakeStep, card_step, stake_steps
from punto.cards.card import Card
from punto.floor.floor import Floor
from punto.floor.loaded_table import LoadedTable
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import Undealt
from punto.roads.roads import RED, Bead, Mark, Pattern, Roads, RoundResult, RoundWinner, place_shades
from punto.rules.book import Book
from punto.rules.outcome import Hand, Result, Winner
from punto.store.record import Record
from punto.table.antes import AnteGivenUp
from punto.table.betting import BetsCalled, BetsClosed, BetsReopened
from punto.table.dealing import DealFinished
from punto.table.default_decision import DefaultDecision, default_decisions
from punto.table.event import Event
from punto.table.house import ShoeLoaded
from punto.table.insurance import InsuranceOffered
from punto.table.irregularity_events import CaseClosed, CaseOpened, Option, OptionChosen, RoundVoided
from punto.table.replay import EndedRound, rounds_after
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import State, Table
from punto.views import deal_view
from punto.views.deal_view import DeclaredView, LineView, declared_views, line_view
from punto.views.layout_view import CostView, area_label, cost_views
from punto.views.viewer import Viewer, taken_from
from punto.words import LabelView

Steps = Iterator[tuple[State, Record]]  # Events of a table, each with the state before it.


def steps_after(floor: Floor, table: str, seq: int, until: int | None = None) -> Steps:
    """The events of a table after a place in its stream, up to another, each with the state before it."""
    with floor.store.read() as reader:
        yield from reader.replayed(table, seq, until)


def steps_of_shoe(floor: Floor, table: str, version: int) -> Steps:
    """The events of a table up to a version since its last shoe was loaded, that event included."""
    with floor.store.read() as reader:
        places = reader.places_of(table, ShoeLoaded.name(), 1, version + 1)
    return steps_after(floor, table, places[0] - 1 if places else 0, version)


def steps_of_rounds(floor: Floor, table: str, number: int, before: int | None = None) -> Steps:
    """The events of the last rounds of a table, at most `number` of them.

    With `before`, the place at which some round ended, those of the rounds before that one.
    """
    with floor.store.read() as reader:
        calls = reader.places_of(table, BetsCalled.name(), number + (before is not None), before)
    until = calls[0] - 1 if calls and before is not None else None
    return steps_after(floor, table, calls[-1] - 1, until) if calls else iter(())


def steps_up_to(floor: Floor, table: str, number: int, version: int) -> Steps:
    """The events of the last rounds of a table as it was at a version, at most `number` of them."""
    with floor.store.read() as reader:
        calls = reader.places_of(table, BetsCalled.name(), number, version + 1)
    return steps_after(floor, table, calls[-1] - 1, version) if calls else iter(())


MOST_ROUNDS = 500
"""Rounds that are remembered of one shoe; no shoe has nearly as many, but a continuous one never ends."""


class ShoeRounds(msgspec.Struct, frozen=True):
    """The rounds of the shoe in play, or of the last one."""

    shoe: int = 0
    rounds: tuple[EndedRound, ...] = ()

    def after(self, book: Book, before: State, record: Record) -> ShoeRounds:
        """The rounds after an event; `before` is the state of the table before it."""
        if isinstance(record.event, ShoeLoaded):
            return ShoeRounds(record.event.number)
        rounds = rounds_after(self.rounds, book, before, record.event, record.seq)
        return self if rounds is self.rounds else ShoeRounds(self.shoe, rounds[-MOST_ROUNDS:])


def rounds_of(book: Book, steps: Iterable[tuple[State, Record]]) -> tuple[EndedRound, ...]:
    """All rounds in these steps of a log, whatever shoe they are of, with what was decided for players."""
    rounds: tuple[EndedRound, ...] = ()
    decided: dict[int, list[DefaultDecision]] = {}
    for before, record in steps:
        rounds = rounds_after(rounds, book, before, record.event, record.seq)
        for decision in default_decisions(book, before, record.event, record.seq):
            decided.setdefault(before.round, []).append(decision)
    return tuple(
        msgspec.structs.replace(ended, decided=tuple(decided[ended.round])) if ended.round in decided else ended
        for ended in rounds
    )


MOST_SHOES = 200  # Shoes whose rounds are remembered; the one looked at longest ago is forgotten first.


class RoundsCache:
    """The rounds of the shoes in play at a floor, so that only new events are read; a cache, for threads."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._known: OrderedDict[str, tuple[int, ShoeRounds]] = OrderedDict()

    def of_shoe(self, loaded: LoadedTable) -> ShoeRounds:
        version, rounds = self._known.get(loaded.id, (0, ShoeRounds()))
        if version == loaded.version:
            return rounds
        if not 0 < version < loaded.version or rounds.shoe != loaded.table.state.shoe_number:
            # Nobody may have looked for many shoes; only the last one is read.
            rounds, steps = ShoeRounds(), steps_of_shoe(self._floor, loaded.id, loaded.version)
        else:
            steps = steps_after(self._floor, loaded.id, version, loaded.version)
        for state, record in steps:
            rounds = rounds.after(loaded.table.book, state, record)
        self._known.pop(loaded.id, None)
        self._known[loaded.id] = loaded.version, rounds
        if len(self._known) > MOST_SHOES:
            self._known.popitem(last=False)
        return rounds


class ShadeView(msgspec.Struct, frozen=True):
    """A mark of a derived road; columns and rows count from 0."""

    column: int
    row: int
    red: bool  # Whether the pattern repeats; blue where it changes.


class AnswerView(msgspec.Struct, frozen=True):
    """The marks that a win would add: its own on the big road, and the one of each derived road, where there is one."""

    big: Mark
    big_eye: ShadeView | None
    small: ShadeView | None
    cockroach: ShadeView | None


class AskView(msgspec.Struct, frozen=True):
    """What the roads would show next, if Banker won and if Player did. It follows from the rules of the roads alone."""

    banker: AnswerView
    player: AnswerView


class CountsView(msgspec.Struct, frozen=True):
    """How often each result has come in a shoe."""

    rounds: int
    player: int
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    naturals: int


class RoadView(msgspec.Struct, frozen=True):
    """The roads of the shoe in play. They are information only, and predict nothing."""

    shoe: int
    results: str  # Every round in letters, such as `BbPTp`: the winner, then `b` and `p` for pairs.
    bead: tuple[Bead, ...]
    big: tuple[Mark, ...]
    big_eye: tuple[ShadeView, ...]
    small: tuple[ShadeView, ...]
    cockroach: tuple[ShadeView, ...]
    patterns: tuple[Pattern, ...]  # Stretches of the big road that players have names for: what was, never what comes.
    ask: AskView
    counts: CountsView


def road_view(rounds: ShoeRounds) -> RoadView:
    """The roads of a shoe; void rounds leave no mark."""
    results = (
        RoundResult(RoundWinner(ended.winner.value), ended.banker_pair, ended.player_pair)
        for ended in rounds.rounds
        if ended.winner is not None
    )
    return _drawn_roads(rounds.shoe, results, result_counts(rounds.rounds))


def _drawn_roads(shoe: int, results: Iterable[RoundResult], counts: CountsView) -> RoadView:
    roads = Roads().extend(tuple(results))
    return RoadView(
        shoe=shoe,
        results=str(roads),
        bead=roads.bead,
        big=roads.big,
        big_eye=_placed(roads.big_eye),
        small=_placed(roads.small),
        cockroach=_placed(roads.cockroach),
        patterns=roads.patterns,
        ask=AskView(_answer_view(roads, RoundWinner.BANKER), _answer_view(roads, RoundWinner.PLAYER)),
        counts=counts,
    )


class TypedResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round as somebody types it in who keeps a board by hand."""

    winner: RoundWinner
    banker_pair: bool = False
    player_pair: bool = False
    natural: bool = False


def typed_roads(typed: tuple[TypedResult, ...]) -> RoadView:
    """The roads of a shoe of which only the results are known, by the same rules as at a table."""
    won = [one.winner for one in typed]
    counts = CountsView(
        *(len(typed), won.count(RoundWinner.PLAYER), won.count(RoundWinner.BANKER), won.count(RoundWinner.TIE)),
        *(sum(one.player_pair for one in typed), sum(one.banker_pair for one in typed)),
        sum(one.natural for one in typed),
    )
    return _drawn_roads(0, (RoundResult(one.winner, one.banker_pair, one.player_pair) for one in typed), counts)


def result_counts(rounds: Iterable[EndedRound]) -> CountsView:
    valid = [played for played in rounds if played.winner is not None]
    won = [played.winner for played in valid]
    return CountsView(
        rounds=len(valid),
        player=won.count(Winner.PLAYER),
        banker=won.count(Winner.BANKER),
        tie=won.count(Winner.TIE),
        player_pair=sum(played.player_pair for played in valid),
        banker_pair=sum(played.banker_pair for played in valid),
        naturals=sum(played.is_natural for played in valid),
    )


def _placed(shades: str) -> tuple[ShadeView, ...]:
    return tuple(ShadeView(column, row, shade == RED) for (column, row), shade in place_shades(shades))


def _answer_view(roads: Roads, winner: RoundWinner) -> AnswerView:
    after = roads.append(RoundResult(winner))
    added = (
        _placed(longer)[-1] if len(longer) > len(shades) else None
        for shades, longer in (
            (roads.big_eye, after.big_eye),
            (roads.small, after.small),
            (roads.cockroach, after.cockroach),
        )
    )
    return AnswerView(after.big[-1], *added)


class ChanceView(msgspec.Struct, frozen=True):
    """How often a bet wins with a full shoe, exactly computed."""

    area: str
    label: LabelView
    win: float
    push: float


class StatisticsView(msgspec.Struct, frozen=True):
    """A stretch of rounds in numbers. Amounts are minor units. Nothing here predicts a round."""

    counts: CountsView
    voids: int
    chances: tuple[ChanceView, ...]  # By betting area, for comparison with the counts.
    bets: int  # Bets of the viewer that were settled; of everybody for those who work at the table.
    won: int
    staked: int
    net: int
    expected: int  # What these stakes cost on average, insurance left out.
    costs: tuple[CostView, ...]


def statistics_view(book: Book, decks: int, rounds: Iterable[EndedRound], viewer: Viewer) -> StatisticsView:
    played = tuple(rounds)
    bets = [bet for each in played for bet in each.bets if viewer.is_staff or viewer.owns(bet.player)]
    costs = cost_views(book, decks, ((bet.area, bet.stake, bet.net) for bet in bets))
    return StatisticsView(
        counts=result_counts(played),
        voids=sum(each.winner is None for each in played),
        chances=_chances(book, decks),
        bets=len(bets),
        won=sum(bet.result is Result.WIN for bet in bets),
        staked=sum(bet.stake for bet in bets),
        net=sum(bet.net for bet in bets),
        expected=sum(cost.expected or 0 for cost in costs),
        costs=costs,
    )


@lru_cache(maxsize=64)
def _chances(book: Book, decks: int) -> tuple[ChanceView, ...]:
    return tuple(
        ChanceView(odds.area, area_label(book, odds.area), float(odds.win), float(odds.push))
        for odds in book_odds(book, Undealt.of_decks(decks)).bets
    )


class DecisionView(DefaultDecision, frozen=True):
    """A decision that the table took for a player who took none. Amounts are minor units."""

    label: LabelView | None = None  # Of the betting area, where it is about one.


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over. Amounts are minor units."""

    round: int
    shoe: int
    seq: int  # The event that ended it.
    time: int  # When it ended, in milliseconds.
    winner: Winner | None  # None for a round that is void.
    player: tuple[Card, ...]  # Of a round that is void: the cards that lay open.
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int
    player_pair: bool
    banker_pair: bool
    declared: tuple[DeclaredView, ...]
    clause: str | None  # The clause by which it is void.
    lines: tuple[LineView, ...]  # A player sees own bets, those who work at the table see all.
    net: int  # What the round brought the viewer or cost.
    decided: tuple[DecisionView, ...]  # For you, where you did not decide; those who work at the table see all.


def history_view(book: Book, rounds: Iterable[EndedRound], viewer: Viewer) -> tuple[RoundView, ...]:
    """Rounds as a viewer may look back at them, the latest first."""
    return tuple(_round_view(book, played, viewer) for played in reversed(tuple(rounds)))


def _round_view(book: Book, played: EndedRound, viewer: Viewer) -> RoundView:
    lines = (line_view(book, bet, viewer) for bet in played.bets)
    visible = tuple(line for line in lines if line.mine or viewer.is_staff)
    declared, net = declared_views(book, played.declared), sum(line.net for line in visible if line.mine)
    decided = tuple(
        DecisionView(**msgspec.structs.asdict(one), label=None if one.area is None else area_label(book, one.area))
        for one in played.decided
        if viewer.is_staff or viewer.owns(one.player)
    )
    return taken_from(played, RoundView, declared=declared, lines=visible, net=net, decided=decided)


class StepKind(Enum):
    """What happened in a step of a round."""

    CALLED = "called"
    CLOSED = "closed"
    REOPENED = "reopened"
    PLACED = "placed"  # A bet, or more on one.
    RETURNED = "returned"
    GIVEN_UP = "given-up"  # An ante.
    DEALT = "dealt"
    TURNED = "turned"
    CORRECTED = "corrected"
    OFFERED = "offered"  # Insurance.
    INSURED = "insured"
    STOPPED = "stopped"  # Something went wrong, and the round stood still.
    CHOSEN = "chosen"  # What a player wanted then.
    GOES_ON = "goes-on"
    FINISHED = "finished"
    SETTLED = "settled"
    REVERSED = "reversed"  # A settlement.
    VOID = "void"


class LaidView(msgspec.Struct, frozen=True):
    """What lay on the felt for somebody. Amounts are minor units."""

    box: int
    player: str
    area: str
    label: LabelView
    amount: int
    mine: bool


class StepView(msgspec.Struct, frozen=True):
    """A step of a round, and the felt after it, as the viewer saw it then."""

    seq: int
    time: int
    kind: StepKind
    call: deal_view.CallView
    hands: deal_view.HandsView
    reasons: tuple[deal_view.ReasonView, ...]
    bets: tuple[LaidView, ...]  # A player sees own bets, those who work at the table see all.
    lines: tuple[LineView, ...]  # Likewise, once they are settled.
    winner: Winner | None = None
    hand: Hand | None = None  # Of a card.
    number: int | None = None  # Its number in the hand.
    card: Card | None = None  # None where it lay face down.
    player: str | None = None
    mine: bool = False  # Whether that is the viewer.
    label: LabelView | None = None  # Of a betting area.
    amount: int = 0  # Minor units.
    option: Option | None = None
    clause: str | None = None


class _Told(msgspec.Struct, frozen=True):
    """What a step says beside the felt; the fields are those of `StepView`."""

    kind: StepKind
    hand: Hand | None = None
    number: int | None = None
    card: Card | None = None
    player: str | None = None
    label: LabelView | None = None
    amount: int = 0
    option: Option | None = None
    clause: str | None = None


def step_views(book: Book, steps: Steps, viewer: Viewer) -> tuple[StepView, ...]:
    """A round step by step. What the viewer could not see is not a step, such as bets of others."""
    views: list[StepView] = []
    for before, record in steps:
        event = record.event
        # Of a round that is void the cards and bets are shown as they lay.
        table = Table(book, before if isinstance(event, RoundVoided) else event.fold(before))
        for told in _told(book, before, record.seq, event, viewer):
            views.append(_step_view(table, record, told, viewer))
    return tuple(views)


_KINDS: dict[type, StepKind] = {
    BetsCalled: StepKind.CALLED,
    BetsClosed: StepKind.CLOSED,
    BetsReopened: StepKind.REOPENED,
    InsuranceOffered: StepKind.OFFERED,
    CaseOpened: StepKind.STOPPED,
    CaseClosed: StepKind.GOES_ON,
    DealFinished: StepKind.FINISHED,
    RoundSettled: StepKind.SETTLED,
    SettlementReversed: StepKind.REVERSED,
}
_CARDS = {"revealed": StepKind.TURNED, "corrected": StepKind.CORRECTED}


def _told(book: Book, before: State, seq: int, event: Event, viewer: Viewer) -> Iterator[_Told]:
    if isinstance(event, RoundVoided):
        yield _Told(StepKind.VOID, clause=event.clause)
    elif (dealt := card_step(before, seq, event)) is not None:
        yield _Told(_CARDS.get(dealt.what, StepKind.DEALT), dealt.hand, dealt.number, dealt.card)
    elif type(event) in _KINDS:
        yield _Told(_KINDS[type(event)], clause=getattr(event, "clause", None))
    else:
        if isinstance(event, OptionChosen) and (viewer.is_staff or viewer.owns(event.player)):
            yield _Told(StepKind.CHOSEN, player=event.player, option=event.option, clause=event.clause)
        for stake in stake_steps(before, seq, event):
            if (stake.change or isinstance(event, AnteGivenUp)) and (viewer.is_staff or viewer.owns(stake.player)):
                yield _staked(book, stake)


def _staked(book: Book, stake: StakeStep) -> _Told:
    kind = StepKind.PLACED if stake.change > 0 else StepKind.RETURNED if stake.change < 0 else StepKind.GIVEN_UP
    kind = StepKind.INSURED if stake.what == "insured" else kind
    label = area_label(book, stake.area)
    return _Told(kind, player=stake.player, label=label, amount=stake.amount, clause=stake.clause)


def _step_view(table: Table, record: Record, told: _Told, viewer: Viewer) -> StepView:
    book, state = table.book, table.state
    result = deal_view.result_view(table, viewer)
    laid = (
        LaidView(one.box, one.player, one.area, area_label(book, one.area), one.amount, viewer.owns(one.player))
        for one in state.stakes
        if viewer.is_staff or viewer.owns(one.player)
    )
    return taken_from(
        told,
        StepView,
        seq=record.seq,
        time=record.event.time,
        call=deal_view.call_view(table),
        hands=deal_view.hands_view(table, viewer),
        reasons=deal_view.reason_views(table),
        bets=tuple(laid),
        lines=tuple(line for line in result.lines if line.mine or viewer.is_staff) if result is not None else (),
        winner=state.winner,
        mine=viewer.owns(told.player),
    )


HOUR_MS = 3_600_000


class DealingView(msgspec.Struct, frozen=True):
    """Who deals at a table, who dealt before, and how fast. Times are milliseconds."""

    dealer: str | None = None
    since: int | None = None
    before: str | None = None
    until: int | None = None  # The last act of whoever dealt before.
    rounds: int = 0  # Rounds that were settled in the last hour.
    rounds_an_hour: int = 0  # The pace since the first of them was called.


DEALERS_ACTS = ("bets-called", "bets-closed", "round-settled")
"""What only somebody who deals does, in every round."""


class DealingFold:
    """Who deals at a table and how fast, from the acts of dealers there as they come."""

    def __init__(self) -> None:
        self._turns: deque[list[Any]] = deque(maxlen=2)  # Who, since when, until when.
        self._acts: deque[tuple[int, bool]] = deque()  # Of the last hour: when, and whether a round was settled.

    @property
    def last(self) -> int | None:
        """When somebody last dealt."""
        return self._turns[-1][2] if self._turns else None

    def take(self, event: Event) -> None:
        if not self._turns or self._turns[-1][0] != event.by:
            self._turns.append([event.by, event.time, event.time])
        self._turns[-1][2] = event.time
        self._acts.append((event.time, isinstance(event, RoundSettled)))
        while self._acts[0][0] < event.time - HOUR_MS:
            self._acts.popleft()

    def view(self, now: int) -> DealingView:
        if not self._turns:
            return DealingView()
        recent = [act for act in self._acts if act[0] >= now - HOUR_MS]
        settled, called = sum(is_settled for _, is_settled in recent), min((time for time, _ in recent), default=now)
        before = self._turns[0] if len(self._turns) > 1 else (None, None, None)
        pace = settled * HOUR_MS // max(60_000, now - called)
        return DealingView(self._turns[-1][0], self._turns[-1][1], before[0], before[2], settled, pace)


def dealing_view(events: Iterable[Event], now: int) -> DealingView:
    """What the acts of dealers at a table, in their order, say about dealing there."""
    fold = DealingFold()
    for event in events:
        fold.take(event)
    return fold.view(now)
