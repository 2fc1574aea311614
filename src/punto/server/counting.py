"""Counting: what takes long to work out, as functions of what is stored, for a process of its own.

Exact odds, rounds long past and verification keep a processor busy for a tenth of a second up to a minute.
In the process that takes bets they would hold everybody up, whatever thread they ran in: Python runs one at
a time. So they are done in the count room (`count_room.py`), which only reads, and has nothing to do with
requests: a task goes in, the JSON of an answer comes out.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import IO, Any

import msgspec

from punto.audit.chain.verification import Verification, verify
from punto.audit.history.history_record import history_record
from punto.audit.history.place import place_of
from punto.audit.history.round_history import round_history
from punto.audit.history.search import RoundSearch, find_rounds, summary_record
from punto.audit.shuffle.check import check_shoe
from punto.audit.shuffle.shoe_log import stored_record
from punto.cards.card import Card
from punto.documents.number import fraction
from punto.floor.change import steps_from
from punto.floor.floor import Floor
from punto.floor.loaded import LoadedTable
from punto.odds.advice import advise
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import BetOdds
from punto.odds.insurance import insurance_odds
from punto.odds.odds import odds_of
from punto.odds.round_so_far import StageError
from punto.odds.undealt import Undealt, UndealtError
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.rules.outcome import format_odds
from punto.server.http.answers import (
    AnteEntry,
    BetOddsEntry,
    CasesAnswer,
    CostEntry,
    EventsAnswer,
    HistoryAnswer,
    InsuranceEntry,
    OddsAnswer,
    RoadsAnswer,
    StatisticsAnswer,
)
from punto.server.http.rejection import Rejected, ServerReason
from punto.server.stream.frames import EventFrame
from punto.store.errors import StoreError
from punto.store.store import Store, connect_to
from punto.table import event as e
from punto.views.cost import cost_views
from punto.views.felt.case_view import case_view
from punto.views.history_view import history_view
from punto.views.past import steps_of_rounds
from punto.views.road_view import road_view
from punto.views.rounds import rounds_of
from punto.views.rounds_shelf import RoundsShelf
from punto.views.seen import seen_event, seen_record
from punto.views.statistics_view import statistics_view
from punto.views.viewer import Viewer

ROUNDS_OF_CASES = 50
"""Rounds whose irregularities are listed."""
_OF_CASES = (
    *(e.CaseOpened, e.EvidenceAdded, e.EvidenceWithdrawn, e.ClauseFound, e.ErrorFoundLate, e.CardsOrdered),
    *(e.OptionChosen, e.Ruled, e.BetsReturned, e.RoundVoided),
)
NICENESS = 10
"""The system lets whoever takes bets go first."""


class Counting:
    """What a count room has at hand: the store, and what it has read of it."""

    def __init__(self, store: Store) -> None:
        self.store, self.floor = store, Floor(store)
        self.rounds = RoundsShelf(self.floor)

    def table(self, id: str) -> LoadedTable:
        """A table as it is stored now."""
        found = self.floor.table(id)
        if found is None:
            raise Rejected(404, ServerReason.NOT_THERE, what=f"table {id}")
        self.floor.remember(found)
        return found


Work = Callable[..., Any]


# ── Odds ─────────────────────────────────────────────────────────────────────────────────────────


def odds(room: Counting, id: str, decks: int, undealt: Undealt) -> OddsAnswer:
    """Exact odds of every bet of a table with these cards."""
    return msgspec.structs.replace(_odds(room.table(id).table.book, decks, undealt), table=id)


@lru_cache(maxsize=256)
def _odds(book: Book, decks: int, undealt: Undealt) -> OddsAnswer:
    insurance = insurance_odds(book, undealt).offers if book.insurance is not None else ()
    return OddsAnswer(
        table="",
        book=book.name,
        digest=digest_of(book),
        decks=decks,
        cards=undealt.size,
        bets=tuple(map(_bet, odds_of(book, undealt).bets)),
        insurance=tuple(
            InsuranceEntry(
                row.offer.window.name,
                row.offer.hand.value,
                format_odds(row.offer.odds),
                fraction(row.ev),
                row.player_points,
                row.banker_points,
                fraction(row.reach),
            )
            for row in insurance
        ),
        ante=tuple(
            AnteEntry(side.pair.ante, side.pair.wager, fraction(side.ev))
            for side in ante_odds(book, undealt).sides
        ),
    )


def advice(room: Counting, id: str, decks: int, undealt: Undealt, cards: tuple[Card, ...]) -> OddsAnswer:
    """What every bet of a table is worth after these cards of a round."""
    book = room.table(id).table.book
    try:
        found = advise(book, undealt.less(cards), cards)
    except (StageError, UndealtError) as error:
        raise Rejected(409, ServerReason.NO_ADVICE, why=str(error)) from None
    return OddsAnswer(
        table=id,
        book=book.name,
        digest=digest_of(book),
        decks=decks,
        cards=found.odds.undealt.size,
        bets=tuple(map(_bet, found.odds.bets)),
        insurance=tuple(
            InsuranceEntry(
                one.offer.window.name, one.offer.hand.value, format_odds(one.offer.odds), fraction(one.ev)
            )
            for one in found.offers
        ),
        ante=(
            *(AnteEntry(one.pair.ante, one.pair.wager, fraction(one.ev)) for one in found.ante_sides),
            *(AnteEntry(one.ante, one.wager, None, fraction(one.play), one.best) for one in found.antes),
        ),
        stage=found.stage.value,
    )


def _bet(bet: BetOdds) -> BetOddsEntry:
    shares: list[Fraction] = [bet.win, bet.push, bet.lose]
    return BetOddsEntry(bet.area, fraction(bet.ev), float(bet.edge), bet.sd, *map(float, shares))


def cost(room: Counting, id: str, by_area: dict[str, int], actual: int) -> CostEntry:
    """What stakes at a table cost on average, beside what they did."""
    table = room.table(id).table
    costs = cost_views(table.book, table.terms.decks, ((area, n, 0) for area, n in by_area.items()))
    expected = sum(each.expected for each in costs if each.expected is not None)
    return CostEntry(id, table.book.title, sum(by_area.values()), expected, -actual)


# ── Looking back ─────────────────────────────────────────────────────────────────────────────────


def events(room: Counting, id: str, after: int, limit: int, viewer: Viewer) -> EventsAnswer:
    """Events of a table, as a viewer may see them."""
    version = room.table(id).version
    if after >= version:
        return EventsAnswer((), version)
    with room.store.read() as reader:
        records = reader.records(id, after, limit)
    before = room.floor.table(id, after)
    assert before is not None
    steps = steps_from(before.table.state, records)
    seen = tuple(seen_record(state, record, viewer) for state, record in steps)
    return EventsAnswer(seen, max(version, records[-1].seq if records else 0))


def missed(room: Counting, id: str, after: int, last: int, viewer: Viewer) -> list[EventFrame]:
    """The frames of events that a stream has missed."""
    with room.store.read() as reader:
        records = reader.records(id, after, last - after)
    before = room.floor.table(id, after)
    assert before is not None
    steps = steps_from(before.table.state, records)
    return [EventFrame(record.seq, seen_event(state, record.event, viewer)) for state, record in steps]


def history(room: Counting, id: str, limit: int, before: int | None, viewer: Viewer) -> HistoryAnswer:
    """Rounds of a table, the latest first."""
    book = room.table(id).table.book
    steps = steps_of_rounds(room.floor, id, limit, before)
    return HistoryAnswer(id, history_view(book, rounds_of(book, steps), viewer))


def roads(room: Counting, id: str) -> RoadsAnswer:
    """The roads of the shoe in play."""
    loaded = room.table(id)
    return RoadsAnswer(id, loaded.version, road_view(room.rounds.of_shoe(loaded)))


def statistics(room: Counting, id: str, viewer: Viewer) -> StatisticsAnswer:
    """The shoe in play in numbers."""
    loaded = room.table(id)
    table, rounds = loaded.table, room.rounds.of_shoe(loaded).rounds
    decks = table.terms.decks if table.state.terms is not None else max(table.book.decks.allowed)
    return StatisticsAnswer(id, loaded.version, statistics_view(table.book, decks, rounds, viewer))


def cases(room: Counting, id: str, viewer: Viewer) -> CasesAnswer:
    """The open case, and the irregularities of the last rounds."""
    loaded = room.table(id)
    events = tuple(
        seen_record(state, record, viewer)
        for state, record in steps_of_rounds(room.floor, id, ROUNDS_OF_CASES)
        if isinstance(record.event, _OF_CASES)
    )
    return CasesAnswer(id, loaded.version, case_view(loaded.table, viewer), events)


# ── Audit ────────────────────────────────────────────────────────────────────────────────────────


def rounds(room: Counting, search: RoundSearch, limit: int) -> dict[str, Any]:
    """Rounds in a line each, the latest first."""
    with room.store.read() as reader:
        return {"rounds": [summary_record(found) for found in find_rounds(reader, search, limit)]}


def one_round(room: Counting, id: str, number: int, at: int | None) -> dict[str, Any]:
    """A finished round as it was."""
    loaded = room.table(id)
    with room.store.read() as reader:
        stored = reader.table(id)
        place = place_of(reader, stored, number) if stored is not None else None
        if stored is None or place is None:
            raise Rejected(404, ServerReason.NOT_THERE, what=f"round {id}/{number}")
        if at is not None and not place.first <= at <= place.last:
            raise Rejected(409, ServerReason.NO_MOMENT, at=at, first=place.first, last=place.last)
        return history_record(round_history(reader, stored, loaded.table.book, place, at))


def shoe(room: Counting, id: str, version: int, number: int) -> dict[str, Any]:
    """Whether a shoe was dealt in the order that was promised."""
    with room.store.read() as reader:
        record = stored_record(reader, id, version, number)
    if record is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"shoe {id}/{number}")
    checked = check_shoe(record)
    return {
        "table": record.table,
        "shoe": record.shoe,
        "decks": record.decks,
        "source": record.source,
        "commitment": record.commitment,
        "seed": record.seed,
        "algorithm": record.algorithm,
        "contributions": record.contributions,
        "order": checked.order,
        "dealt": record.dealt,
        "matches": checked.matches,
        "problems": checked.problems,
        "closed": checked.closed,
    }


def verify_chain(room: Counting, id: str | None) -> Verification:
    """Whether what is stored is what was written."""
    with room.store.read() as reader:
        return verify(reader, reader.table(id) if id is not None else None)


WORKS: dict[str, Work] = {
    work.__name__: work
    for work in (
        *(odds, advice, cost, events, missed, history, roads, statistics, cases),
        *(rounds, one_round, shoe, verify_chain),
    )
}
"""Everything that is done in a count room, by name."""


# ── The process ──────────────────────────────────────────────────────────────────────────────────

LENGTH = struct.Struct(">cI")
"""Before each message: what kind it is, and how many bytes."""
TASK, ANSWER, REJECTED, FAILED, BROKEN = b"t", b"a", b"r", b"f", b"b"


def send(stream: IO[bytes], kind: bytes, content: bytes) -> None:
    """Send a message, to a process or from one."""
    stream.write(LENGTH.pack(kind, len(content)))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """The next message; None where the other side has gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    kind, length = LENGTH.unpack(head)
    content = stream.read(length)
    return (kind, content) if len(content) == length else None


def answer_to(room: Counting, task: bytes) -> tuple[bytes, bytes]:
    """What comes of a task: the JSON of its answer, or why there is none."""
    name, arguments = pickle.loads(task)  # from the process that started this one, and from nobody else
    try:
        return ANSWER, msgspec.json.encode(WORKS[name](room, *arguments))
    except Rejected as refused:
        return REJECTED, pickle.dumps((refused.status, refused.text.reason, refused.text.params))
    except StoreError as error:
        return FAILED, str(error).encode()
    except Exception:
        import traceback

        return BROKEN, traceback.format_exc().encode()


def main() -> None:
    """Count until the process that started this one closes its end."""
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints something does not disturb the answers
    with suppress(OSError):
        os.nice(NICENESS)
    first = receive(tasks)
    if first is None:
        return
    address = pickle.loads(first[1])
    with Store(address, connect_to(address, create=False)) as store:
        room = Counting(store)
        with suppress(BrokenPipeError):
            while (task := receive(tasks)) is not None:
                send(answers, *answer_to(room, task[1]))
