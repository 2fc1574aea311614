"""Finding rounds: by table, player, time, what went wrong, and amount; the latest first.

A search reads only the few kinds of events that say these things, a stretch of the log at a time from its
end, and stops when it has found enough. A round is summed up from its events alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import Any

from punto.money import format_amount
from punto.store.lookup.past import records_of
from punto.store.reader import Reader
from punto.store.record import Record
from punto.store.stored import StoredTable
from punto.table import event as e
from punto.table.layout import SettledBet, Stake

STRETCH = 20_000
"""Events of a log that are looked at together, at most: whoever asks for the latest rounds needs fewer."""
FIRST_STRETCH = 2_000

_KINDS = tuple(
    kind.name()
    for kind in (
        *(e.BetsCalled, e.BetPlaced, e.BetReturned, e.WagerPlaced, e.InsuranceTaken, e.DealFinished),
        *(e.RoundSettled, e.SettlementReversed, e.RoundVoided),
        *(e.ClauseFound, e.ErrorFoundLate, e.OptionChosen, e.Ruled, e.BetsReturned),
    )
)


@dataclass(slots=True)
class RoundSummary:
    """One round in a line."""

    table: str
    round: int
    seq: int
    """The call."""
    time: int
    winner: str | None = None
    points: tuple[int, int] | None = None
    """Of Player and Banker."""
    status: str = "open"
    """open, settled or void."""
    times_settled: int = 0
    staked: Counter[str] = field(default_factory=Counter)
    """By player: what was put on the layout and not had back before a result."""
    net: Counter[str] = field(default_factory=Counter)
    """By player: what the settlement that holds brought."""
    findings: dict[str, str | None] = field(default_factory=dict)
    """What went wrong, each with its clause."""

    @property
    def is_irregular(self) -> bool:
        return bool(self.findings) or self.status == "void" or self.times_settled > 1


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What is looked for; whatever is None is not asked."""

    tables: tuple[str, ...] = ()
    """None means all."""
    player: str | None = None
    since: int | None = None
    until: int | None = None
    irregularity: str | None = None
    """A finding, a clause, `void`, `reversed`, or `any`."""
    over: int | None = None
    """A player staked or won more than this."""

    def finds(self, found: RoundSummary) -> bool:
        """Whether a round is one of those looked for."""
        if self.since is not None and found.time < self.since:
            return False
        if self.until is not None and found.time >= self.until:
            return False
        if self.player is not None and self.player not in found.staked:
            return False
        return self._is_odd_enough(found) and self._is_large_enough(found)

    def _is_odd_enough(self, found: RoundSummary) -> bool:
        match self.irregularity:
            case None:
                return True
            case "any":
                return found.is_irregular
            case "void":
                return found.status == "void"
            case "reversed":
                return found.times_settled > 1
            case wanted:
                return wanted in found.findings or wanted in found.findings.values()

    def _is_large_enough(self, found: RoundSummary) -> bool:
        if self.over is None:
            return True
        players = found.staked if self.player is None else (self.player,)
        return any(max(found.staked[name], found.net[name]) > self.over for name in players)


def find_rounds(reader: Reader, search: RoundSearch, limit: int | None = None) -> list[RoundSummary]:
    """The latest rounds that are looked for, of all tables together."""
    tables = [table for table in reader.tables() if not search.tables or table.id in search.tables]
    found = merge(*(_wanted(reader, table, search) for table in tables), key=lambda one: -one.time)
    return list(islice(found, limit))


def _wanted(reader: Reader, table: StoredTable, search: RoundSearch) -> Iterator[RoundSummary]:
    return (found for found in _latest_first(reader, table) if search.finds(found))


def _latest_first(reader: Reader, table: StoredTable) -> Iterator[RoundSummary]:
    """Every round of a table, from its end to its beginning."""
    after: list[Record] = []
    """Events of a round whose call lies in an earlier stretch."""
    until, stretch = table.version, min(FIRST_STRETCH, STRETCH)
    while until > 0:
        begin, stretch = max(0, until - stretch), min(2 * stretch, STRETCH)
        records = [*records_of(reader, table.id, _KINDS, begin, until), *after]
        calls = [place for place, record in enumerate(records) if isinstance(record.event, e.BetsCalled)]
        end = len(records)
        for call in reversed(calls):
            yield summed_up(table.id, records[call:end])
            end = call
        after = records[: calls[0]] if calls else records
        until = begin


def summed_up(table: str, records: Sequence[Record]) -> RoundSummary:
    """A round from its events, the call first."""
    call = records[0].event
    assert isinstance(call, e.BetsCalled)
    found = RoundSummary(table, call.round, records[0].seq, call.time)
    for record in records[1:]:
        _add(found, record.event)
    return found


def _add(found: RoundSummary, event: e.Event) -> None:
    match event:
        case e.BetPlaced() | e.WagerPlaced() | e.InsuranceTaken():
            found.staked[event.player] += event.amount
        case e.BetReturned():
            found.staked[event.player] -= event.amount
        case e.OptionChosen() | e.Ruled():
            _returned(found, event.returned)
        case e.BetsReturned():
            _returned(found, event.bets)
        case e.DealFinished():
            found.winner, found.points = event.winner.value, (event.player_points, event.banker_points)
        case e.RoundSettled():
            found.status, found.times_settled = "settled", found.times_settled + 1
            found.winner, found.net = event.winner.value, _net(event.bets)
        case e.SettlementReversed():
            found.status, found.net = "open", Counter()
        case e.RoundVoided():
            found.status, found.winner, found.points = "void", None, None
        case e.ClauseFound():
            found.findings[event.finding.value] = event.clause
        case e.ErrorFoundLate():
            found.findings["found-late"] = event.clause
        case _:
            pass


def _returned(found: RoundSummary, stakes: Iterable[Stake]) -> None:
    for stake in stakes:
        found.staked[stake.player] -= stake.amount


def _net(lines: Sequence[SettledBet]) -> Counter[str]:
    net: Counter[str] = Counter()
    for line in lines:
        net[line.player] += line.net
    return net


def result_words(found: RoundSummary) -> str:
    """What a round came to, in a few words."""
    if found.status == "void":
        return "void"
    if found.winner is None:
        return "not finished"
    points = "" if found.points is None else f" {found.points[0]}-{found.points[1]}"
    state = {"open": ", not settled", "settled": ""}[found.status]
    again = f", settled {found.times_settled} times" if found.times_settled > 1 else ""
    return f"{found.winner.title()}{points}{state}{again}"


def summary_record(found: RoundSummary) -> dict[str, Any]:
    """A round in a list, for programs."""
    return {
        "id": f"{found.table}/{found.round}",
        "table": found.table,
        "round": found.round,
        "seq": found.seq,
        "time": found.time,
        "status": found.status,
        "winner": found.winner,
        "points": found.points,
        "times_settled": found.times_settled,
        "players": {
            name: {"staked": format_amount(staked), "net": format_amount(found.net[name])}
            for name, staked in found.staked.items()
        },
        "findings": found.findings,
    }
