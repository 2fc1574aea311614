"""The count room: a process that works out what takes long, one task at a time, so that nobody else waits.

First the tasks, as functions of what is stored, and the loop of the process; then the queues in the
server. Each account has a queue of its own, the accounts take turns, and a full queue says when to come
back. What is asked for again while it is worked out, or after that, is not worked out twice. The process only
reads; where it ends before its time, the next task starts another.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import struct
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from threading import Condition, Thread
from typing import IO, Any

import msgspec

from punto.audit.anchor import WrongAnchor, read_trusted
from punto.audit.event_export import csv_lines
from punto.audit.history_page import RoundRecord, round_file, round_record
from punto.audit.house_report import HouseReport, ReportKind
from punto.audit.house_report_page import report_bytes
from punto.audit.round_history import (
    RoundHistory,
    RoundPlace,
    RoundSearch,
    TableBroken,
    find_rounds,
    last_told,
    place_of,
    round_at,
    round_history,
)
from punto.audit.shuffle import ShoeCheck, check_shoe, gathered_record, steps_of_shoe, stored_record
from punto.audit.verification import Verification, verify
from punto.books import built_in
from punto.books.translation import name_in
from punto.cards.card import Card
from punto.floor.answers import EventsAnswer
from punto.floor.book_shelf import resolve_text
from punto.floor.doctor import Diagnosis, Patient, examine
from punto.floor.floor import Floor
from punto.floor.gaming_day import PreparedDay, SpanQuery, house_report, prepare_day
from punto.floor.loaded_table import BookCache, LoadedTable
from punto.floor.results_watch import ResultsDifference, differences
from punto.odds import odds_answer
from punto.odds.advice import advise
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import book_odds
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import StageError, Undealt, UndealtError
from punto.odds.odds_answer import OddsAnswer, table_odds
from punto.refusal import Refusal, RefusalText
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of, label_of, read_resolved
from punto.rules.told import words_in
from punto.rules.validation import BookError, Problem
from punto.server import messages
from punto.server.event_loop import fulfil, hand_over
from punto.server.validation import Rejected, ServerReason, not_there, rejected, too_often
from punto.store.chain import HOUSE
from punto.store.connection import Address
from punto.store.dispute import disputes_of
from punto.store.errors import ContentBroken, StoreBroken, StoreError
from punto.store.reader import Reader, staked_rounds
from punto.store.record import StoredTable
from punto.store.significant_events import EventFilter, latest_acts, significant_lines
from punto.store.store import Store, connect_to
from punto.studies.examination import CheckedBook, Examination
from punto.table import irregularity_events as cases
from punto.table.state import Phase
from punto.views import history_view as past
from punto.views.audit_view import AuditedRound, audited_round
from punto.views.deal_view import case_view
from punto.views.layout_view import cost_views, title_label, written_odds
from punto.views.spectator_view import guest_history, guest_rounds, guest_shoe, guest_steps
from punto.views.viewer import Viewer, seen_event, seen_record
from punto.words import LabelView, in_every_language

ROUNDS_OF_CASES = 50  # Rounds whose irregularities are listed.
ROUNDS_PASSED = 500  # Rounds of somebody at other tables that are passed over at once, looking for those at one.
ROUNDS_ON_PAGE = 20  # Rounds of a history frame.
_OF_CASES = (
    *(cases.CaseOpened, cases.EvidenceAdded, cases.EvidenceWithdrawn, cases.ClauseFound, cases.ErrorFoundLate),
    *(cases.CardsOrdered, cases.OptionChosen, cases.Ruled, cases.BetsReturned, cases.RoundVoided),
)
NICENESS = 10  # The system lets whoever takes bets go first.


class CountRoomProcess:
    """What the process of a count room has at hand: the store, and what it has read of it."""

    def __init__(self, store: Store) -> None:
        self.store, self.floor = store, Floor(store)
        self.rounds, self.books = past.RoundsCache(self.floor), BookCache()
        self.delayed_rounds = past.RoundsCache(self.floor)  # Guests see an earlier version than everybody else.

    def table(self, id: str) -> LoadedTable:
        loaded = self.floor.table(id)
        if loaded is None:
            raise not_there(f"table {id}")
        self.floor.remember(loaded)
        return loaded


def count_odds(room: CountRoomProcess, id: str, decks: int, undealt: Undealt) -> OddsAnswer:
    return msgspec.structs.replace(_book_odds(room.table(id).table.book, decks, undealt), table=id)


@lru_cache(maxsize=256)
def _book_odds(book: Book, decks: int, undealt: Undealt) -> OddsAnswer:
    insurance = odds_answer.offer_entries(insurance_odds(book, undealt)) if book.insurance is not None else ()
    antes = odds_answer.ante_entries(ante_odds(book, undealt).sides)
    return table_odds(book_odds(book, undealt), decks, insurance, antes)


def count_advice(room: CountRoomProcess, id: str, decks: int, undealt: Undealt, cards: tuple[Card, ...]) -> OddsAnswer:
    book = room.table(id).table.book
    try:
        advice = advise(book, undealt.less(cards), cards)
    except (StageError, UndealtError) as error:
        raise Rejected(409, ServerReason.NO_ADVICE, why=str(error)) from None
    offers, antes = odds_answer.open_offer_entries(advice), odds_answer.open_ante_entries(advice)
    return msgspec.structs.replace(table_odds(advice.odds, decks, offers, antes, advice.stage.value), table=id)


EXAMINED_S = 60  # Seconds that the examination of a book may take; ours take less than two.


def examine_book(_: CountRoomProcess, source: str, file: str) -> messages.ExaminedBook:
    """What `punto check` says of a book file; a book that takes too long is not one for a table."""

    try:
        with examined_in_time(file):
            resolved = resolve_text(source, file)
            book = read_resolved(resolved)
            examination = Examination(book, namesake=built_in(book.name))
            places = ((one, resolved.locate(Problem(one.place, one.sentence))) for one in examination.warnings)
            located = sorted(places, key=lambda item: item[1].line or 0)
            checked = CheckedBook.of(file, examination, located, None)
            areas = [one.area for one in examination.bets]
            labels = {area: in_every_language(partial(label_of, book, area, name_of=name_in)) for area in areas}
            warnings = _in_every_language(warning.sentence for warning, _ in located)
            return messages.ExaminedBook(**msgspec.structs.asdict(checked), labels=labels, warning_words=warnings)
    except BookError as error:
        wrong = msgspec.structs.asdict(CheckedBook.wrong(file, error.problems))
        return messages.ExaminedBook(**wrong, problem_words=_in_every_language(one.sentence for one in error.problems))


def _in_every_language(sentences: Iterable[str]) -> tuple[LabelView, ...]:
    return tuple(in_every_language(partial(words_in, one)) for one in sentences)


@contextmanager
def examined_in_time(file: str) -> Iterator[None]:
    """End what takes too long over a book that somebody sent."""

    def end(*_: object) -> None:
        raise Rejected(
            409, ServerReason.WRONG_BOOK, file=file, problem=f"to examine it takes over {EXAMINED_S} seconds"
        )

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(EXAMINED_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def compare_results(room: CountRoomProcess) -> tuple[ResultsDifference, ...]:
    """What `punto audit watch` finds wrong at the tables of the floor."""
    with room.store.read() as reader:
        return differences(reader)


def examine_house(room: CountRoomProcess) -> Diagnosis:
    """What `punto doctor` says of the machine and the database of a server that runs."""
    return examine(Patient(room.store.address), is_running=True)


def count_cost(room: CountRoomProcess, id: str, by_area: dict[str, int], actual: int) -> messages.CostEntry:
    table = room.table(id).table
    costs = cost_views(table.book, table.terms.decks, ((area, n, 0) for area, n in by_area.items()))
    expected = sum(each.expected for each in costs if each.expected is not None)
    return messages.CostEntry(id, table.book.title, sum(by_area.values()), expected, -actual)


def read_events(room: CountRoomProcess, id: str, after: int, limit: int, viewer: Viewer) -> EventsAnswer:
    version = room.table(id).version
    if after >= version:
        return EventsAnswer((), version)
    with room.store.read() as reader:
        steps = reader.replayed(id, after, after + limit)
        seen = tuple(seen_record(state, record, viewer) for state, record in steps)
    return EventsAnswer(seen, max(version, seen[-1].seq if seen else 0))


def read_missed_events(
    room: CountRoomProcess, id: str, after: int, last: int, viewer: Viewer
) -> list[messages.EventFrame]:
    with room.store.read() as reader:
        steps = reader.replayed(id, after, last)
        return [messages.EventFrame(record.seq, seen_event(state, record.event, viewer)) for state, record in steps]


def read_history(
    room: CountRoomProcess, id: str, limit: int, before: int | None, viewer: Viewer
) -> messages.HistoryAnswer:
    book = room.table(id).table.book
    steps = past.steps_of_rounds(room.floor, id, limit, before)
    return messages.HistoryAnswer(id, past.history_view(book, past.rounds_of(book, steps), viewer))


def read_steps(room: CountRoomProcess, id: str, number: int, viewer: Viewer) -> messages.RoundStepsAnswer:
    """A round that is over, step by step, as the viewer saw it."""
    loaded = room.table(id)
    table, book = loaded.table, loaded.table.book
    with room.store.read() as reader:
        stored = reader.table(id)
        place = place_of(reader, stored, number) if stored is not None else None
        if place is None:
            raise not_there(f"round {id}/{number}")
        steps = tuple(reader.replayed(id, place.first - 1, place.last))
    played = past.history_view(book, past.rounds_of(book, steps), viewer)
    if not played:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {id}/{number}")
    views, head = past.step_views(book, iter(steps), viewer), (id, digest_of(book), title_label(book))
    odds = {bet.area: written_odds(bet) for bet in book.bets}
    return messages.RoundStepsAnswer(*head, table.terms.currency, odds, played[0], views)


def read_my_rounds(
    room: CountRoomProcess, handle: str, limit: int, before: int | None, table: str | None
) -> messages.MyRoundsAnswer:
    """Rounds in which somebody had a bet, at all tables or at one; each stands where its last stake does."""
    viewer, rounds, last = Viewer(handle, Role.PLAYER), list[messages.MyRound](), before
    with room.store.read() as reader:
        account = reader.account(handle)
        disputes = {(one.table, one.round): one for one in disputes_of(reader, handle)}
        for passed, (id, number, stake) in enumerate(staked_rounds(reader, handle, before)):
            if len(rounds) == limit or passed == ROUNDS_PASSED:
                return messages.MyRoundsAnswer(account.currency if account else "", tuple(rounds), last)
            if table not in (None, id):
                last = stake
                continue
            stored, loaded = reader.table(id), room.table(id)
            place = place_of(reader, stored, number) if stored is not None else None
            assert place is not None, "whoever staked did so in a round"
            steps = reader.replayed(id, place.first - 1, place.last)
            played = past.history_view(loaded.table.book, past.rounds_of(loaded.table.book, steps), viewer)
            if played:  # one that is in play is on the page of its table
                dispute = disputes.get((id, number))
                rounds.append(messages.MyRound(id, loaded.table.book.title, played[0], dispute))
            last = stake
    return messages.MyRoundsAnswer(account.currency if account else "", tuple(rounds), None)


def read_roads(room: CountRoomProcess, id: str) -> messages.RoadsAnswer:
    loaded = room.table(id)
    return messages.RoadsAnswer(id, loaded.version, past.road_view(room.rounds.of_shoe(loaded)))


def read_past(
    room: CountRoomProcess, id: str, version: int, viewers: tuple[Viewer, ...]
) -> tuple[messages.RoadsFrame, list[messages.HistoryFrame]]:
    """What pages show of the past: the frame of the roads, and for each viewer that of the last rounds.

    The log may be ahead of the stream. Nobody is told of a round before its last event was sent to them.
    """
    loaded = room.table(id)
    book, shoe = loaded.table.book, room.rounds.of_shoe(loaded)
    steps = past.steps_of_rounds(room.floor, id, ROUNDS_ON_PAGE)
    rounds = past.rounds_of(book, (step for step in steps if step[1].seq <= version))
    sent = tuple(ended for ended in shoe.rounds if ended.seq <= version)
    roads = messages.RoadsFrame(version, past.road_view(past.ShoeRounds(shoe.shoe, sent)))
    return roads, [messages.HistoryFrame(version, past.history_view(book, rounds, viewer)) for viewer in viewers]


class WatchedPast(msgspec.Struct, frozen=True):
    """What somebody without an account sees of the past of a table."""

    roads: past.RoadView
    rounds: tuple[past.RoundView, ...]  # The last ones, the latest first.


def _delayed(room: CountRoomProcess, id: str, version: int) -> LoadedTable:
    """A table as guests see it."""
    loaded = room.floor.table(id, version)
    if loaded is None:
        raise not_there("such table to watch")
    return loaded


def read_watched_past(room: CountRoomProcess, id: str, version: int) -> WatchedPast:
    """The roads and the last rounds of a table as it was at a version, for guests."""
    loaded = _delayed(room, id, version)
    book, shoe = loaded.table.book, room.delayed_rounds.of_shoe(loaded)
    rounds = past.rounds_of(book, past.steps_up_to(room.floor, id, ROUNDS_ON_PAGE, version))
    roads = past.road_view(past.ShoeRounds(shoe.shoe, guest_rounds(shoe.rounds)))
    return WatchedPast(roads, guest_history(book, rounds))


def read_watched_round(room: CountRoomProcess, id: str, version: int, number: int) -> messages.RoundStepsAnswer:
    """A round that was over at a version, step by step, for guests."""
    book, currency = (table := _delayed(room, id, version).table).book, table.terms.currency
    with room.store.read() as reader:
        stored = reader.table(id)
        place = place_of(reader, stored, number) if stored is not None else None
        if place is None or place.first > version:
            raise not_there(f"round {id}/{number}")
        steps = tuple(reader.replayed(id, place.first - 1, min(place.last, version)))
    terms = steps[0][0].terms
    if terms is None or terms.private:
        raise not_there(f"round {id}/{number}")
    played = guest_history(book, past.rounds_of(book, steps))
    if not played:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {id}/{number}")
    odds = {bet.area: written_odds(bet) for bet in book.bets}
    head = (id, digest_of(book), title_label(book), currency, odds)
    return messages.RoundStepsAnswer(*head, played[0], guest_steps(book, iter(steps)))


def check_watched_shoe(room: CountRoomProcess, id: str, version: int, number: int) -> ShoeCheck:
    """Whether a shoe that was out of play at a version was dealt in the order that was promised, for guests."""
    state, was_private = _delayed(room, id, version).table.state, False
    if number == state.shoe_number and state.phase is not Phase.CLOSED:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"shoe {id}/{number}")

    def noted(steps: past.Steps) -> past.Steps:
        nonlocal was_private
        for before, record in steps:
            was_private |= before.shoe_number == number and before.terms is not None and before.terms.private
            yield before, record

    with room.store.read() as reader:
        record = gathered_record(id, number, noted(steps_of_shoe(reader, id, version, number)))
    if record is None or was_private:
        raise not_there(f"shoe {id}/{number}")
    return guest_shoe(record)


def count_statistics(room: CountRoomProcess, id: str, viewer: Viewer) -> messages.StatisticsAnswer:
    loaded = room.table(id)
    table, rounds = loaded.table, room.rounds.of_shoe(loaded).rounds
    decks = table.terms.decks if table.state.terms is not None else max(table.book.decks.allowed)
    return messages.StatisticsAnswer(id, loaded.version, past.statistics_view(table.book, decks, rounds, viewer))


def read_cases(room: CountRoomProcess, id: str, viewer: Viewer) -> messages.CasesAnswer:
    loaded = room.table(id)
    events = tuple(
        seen_record(state, record, viewer)
        for state, record in past.steps_of_rounds(room.floor, id, ROUNDS_OF_CASES)
        if isinstance(record.event, _OF_CASES)
    )
    return messages.CasesAnswer(id, loaded.version, case_view(loaded.table, viewer), events)


def search_rounds(room: CountRoomProcess, search: RoundSearch, limit: int) -> messages.RoundsAnswer:
    with room.store.read() as reader:
        try:
            found = find_rounds(reader, search, limit + 1)
        except TableBroken as error:
            raise Rejected(409, ServerReason.RECORD_BROKEN, what=f"table {error.table}") from error
    last = found[limit - 1] if len(found) > limit else None
    return messages.RoundsAnswer(tuple(found[:limit]), None if last is None else f"{last.time}/{last.id}")


def find_round_of_event(room: CountRoomProcess, id: str, seq: int) -> messages.RoundsAnswer:
    with room.store.read() as reader:
        stored = reader.table(id)
        number = round_at(reader, stored, seq) if stored is not None else None
        found = find_rounds(reader, RoundSearch((id,), number=number), 1) if number is not None else []
    return messages.RoundsAnswer(tuple(found))


def read_finished_round(room: CountRoomProcess, id: str, number: int, at: int | None) -> RoundRecord:
    return round_record(_history(room, id, number, at))


def export_round(room: CountRoomProcess, id: str, number: int, kind: str) -> str:
    return round_file(_history(room, id, number), kind)


def _history(room: CountRoomProcess, id: str, number: int, at: int | None = None) -> RoundHistory:
    book = room.table(id).table.book
    with _found_round(room, id, number) as (reader, stored, place):
        if at is not None and not place.first <= at <= place.last:
            raise Rejected(409, ServerReason.NO_MOMENT, at=at, first=place.first, last=place.last)
        return round_history(reader, stored, book, place, at)


def read_audited_round(room: CountRoomProcess, id: str, number: int) -> AuditedRound:
    book = room.table(id).table.book
    with _found_round(room, id, number) as (reader, stored, place):
        return audited_round(reader, stored, book, place)


@contextmanager
def _found_round(room: CountRoomProcess, id: str, number: int) -> Iterator[tuple[Reader, StoredTable, RoundPlace]]:
    """Where a round stands; a log that was changed may hold what cannot have happened."""
    with room.store.read() as reader:
        try:
            stored = reader.table(id)
            place = place_of(reader, stored, number) if stored is not None else None
            if stored is None or place is None:
                raise not_there(f"round {id}/{number}")
            yield reader, stored, place
        except (ContentBroken, AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Rejected(409, ServerReason.RECORD_BROKEN, what=f"round {id}/{number}") from error


def export_log(room: CountRoomProcess, id: str, after: int, limit: int) -> str:
    with room.store.read() as reader:
        stored = reader.table(id)
        if stored is None:
            raise not_there(f"table {id}")
        most = min(limit, last_told(reader, stored) - after)
        return "".join(f"{line}\n" for line in reader.lines(id, after, most)) if most > 0 else ""


def check_stored_shoe(room: CountRoomProcess, id: str, version: int, number: int) -> ShoeCheck:
    with room.store.read() as reader:
        record = stored_record(reader, id, version, number)
    if record is None:
        raise not_there(f"shoe {id}/{number}")
    return check_shoe(record)


def verify_stored_chain(
    room: CountRoomProcess, id: str | None, anchor: bytes | None = None, keys: tuple[str, ...] = ()
) -> Verification:
    try:
        known = None if anchor is None else read_trusted(anchor, keys)
    except WrongAnchor as error:
        raise Rejected(409, ServerReason.WRONG_ANCHOR, why=str(error)) from None
    with room.store.read() as reader:
        return verify(reader, reader.table(id) if id is not None else None, known)


def read_significant_events(
    room: CountRoomProcess, after: int, before: int | None, wanted: EventFilter, limit: int
) -> messages.SignificantEventsAnswer:
    with room.store.read() as reader:
        if before is not None:
            acts = tuple(latest_acts(reader, wanted, limit, before))
        else:
            acts = tuple(act for _, act in significant_lines(reader, after, wanted, limit))
        return messages.SignificantEventsAnswer(acts, reader.chain_end(HOUSE)[0])


def export_significant_events(room: CountRoomProcess, kind: str, after: int, wanted: EventFilter, limit: int) -> str:
    with room.store.read() as reader:
        found = significant_lines(reader, after, wanted, limit)
        return "".join(csv_lines(act for _, act in found) if kind == "csv" else (f"{line}\n" for line, _ in found))


def count_report(room: CountRoomProcess, kind: ReportKind, query: SpanQuery, now: int) -> HouseReport:
    with room.store.read() as reader:
        report = house_report(reader, kind, query, now, room.books)
    if isinstance(report, Refusal):
        raise rejected(report)
    return report


def write_report(room: CountRoomProcess, kind: ReportKind, query: SpanQuery, ending: str, now: int) -> bytes:
    """A report as the content of a file."""
    return report_bytes(count_report(room, kind, query, now), ending)


def count_day(room: CountRoomProcess, day: date, now: int) -> PreparedDay:
    with room.store.read() as reader:
        return prepare_day(reader, day, now, room.books)


LENGTH = struct.Struct(">cI")  # Before each message: what kind it is, and how many bytes.
TASK, ANSWER, REJECTED, FAILED, BROKEN = b"t", b"a", b"r", b"f", b"b"


def send_message(stream: IO[bytes], kind: bytes, content: bytes) -> None:
    stream.write(LENGTH.pack(kind, len(content)))
    stream.write(content)
    stream.flush()


def receive_message(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """The next message; None where the other side has gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    kind, length = LENGTH.unpack(head)
    content = stream.read(length)
    return (kind, content) if len(content) == length else None


def answer_to(room: CountRoomProcess, task: bytes) -> tuple[bytes, bytes]:
    """What comes of a task: the JSON of its answer, or why there is none."""
    work, arguments = pickle.loads(task)  # from the process that started this one, and from nobody else
    try:
        return ANSWER, msgspec.json.encode(work(room, *arguments))
    except Rejected as refused:
        return REJECTED, pickle.dumps((refused.status, msgspec.structs.astuple(refused.text)))
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
    first = receive_message(tasks)
    if first is None:
        return
    address = pickle.loads(first[1])
    with Store(address, connect_to(address, create=False)) as store:
        room = CountRoomProcess(store)
        with suppress(BrokenPipeError):
            while (task := receive_message(tasks)) is not None:
                send_message(answers, *answer_to(room, task[1]))


EACH_MAY_WAIT = 20  # Tasks that one account may have in its queue: a page asks for half a dozen at once.
ALL_MAY_WAIT = 2_000
KEPT_BYTES = 16 * 1024 * 1024
"""Answers that are kept for whoever asks for the same; the one used longest ago is forgotten first."""
_COMMAND = "from punto.server.count_room import main; main()"

Outcome = bytes | BaseException


@dataclass(eq=False, slots=True)
class _Task:
    content: bytes
    key: Hashable | None
    waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[bytes]]] = field(default_factory=list)
    is_begun: bool = False


class CountRoom:
    """A process with a queue for each account, and what it has worked out lately."""

    def __init__(self, address: Address, name: str) -> None:
        self._address, self._name = address, name
        self._queues: OrderedDict[str, deque[_Task]] = OrderedDict()
        self._by_key: dict[Hashable, _Task] = {}
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._changed = Condition()
        self._thread: Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self.done = 0  # Tasks that were worked out; those that were not needed again are not among them.

    async def ask(
        self, account: str, work: Callable[..., Any], *arguments: Any, key: Hashable | None = None
    ) -> msgspec.Raw:
        """The JSON of what a work comes to; with a key, it stays the same for that key."""
        whole = None if key is None else (work.__name__, key)
        return await self._asked(account, pickle.dumps((work, arguments)), whole)

    async def ask_afresh(self, account: str, work: Callable[..., Any], *arguments: Any) -> msgspec.Raw:
        """The JSON of what a work comes to, begun after this was asked; all who wait for it share it."""
        content = pickle.dumps((work, arguments))
        return await self._asked(account, content, (_AFRESH, content))

    async def _asked(self, account: str, content: bytes, key: Hashable | None) -> msgspec.Raw:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[bytes] = loop.create_future()
        with self._changed:
            if key is not None and (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return msgspec.Raw(kept)
            task = self._by_key.get(key)
            if task is None or (_is_afresh(key) and task.is_begun):  # what it finds may be older than the question
                task = _Task(content, key)
                self._put(account, task)
            task.waiting.append((loop, answer))
        try:
            return msgspec.Raw(await answer)
        finally:
            if answer.cancelled():
                self._leave(account, task, answer)

    def _put(self, account: str, task: _Task) -> None:
        """Under the lock: a task goes to the end of the queue of its account."""
        if self._is_closed:
            raise StoreError("the server is stopping")
        queue = self._queues.get(account)
        if (queue is not None and len(queue) >= EACH_MAY_WAIT) or self.waiting() >= ALL_MAY_WAIT:
            raise too_often()
        self._queues.setdefault(account, deque()).append(task)
        if task.key is not None:
            self._by_key[task.key] = task
        self.start()
        self._changed.notify()

    def waiting(self) -> int:
        """Tasks that nobody has begun."""
        return sum(map(len, self._queues.values()))

    def start(self) -> None:
        """Start the process now, so that the first who asks does not wait for it."""
        with self._changed:
            if self._thread is None and not self._is_closed:
                self._thread = Thread(target=self._work, name=f"punto-{self._name}", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End it; whoever still waits is told."""
        with self._changed:
            self._is_closed = True
            process = self._process
            self._changed.notify_all()
        if process is not None:
            process.kill()  # it only reads
        if self._thread is not None:
            self._thread.join()

    def _leave(self, account: str, task: _Task, answer: asyncio.Future[bytes]) -> None:
        """Whoever asked has gone: a task that nobody waits for, and nobody has begun, is not begun."""
        with self._changed:
            task.waiting = [each for each in task.waiting if each[1] is not answer]
            queue = self._queues.get(account)
            if not task.waiting and queue is not None and task in queue:
                queue.remove(task)
                self._forget(task)
                if not queue:
                    del self._queues[account]

    def _work(self) -> None:
        """In its thread, like everything below but `_forget`."""
        with suppress(OSError):
            self._running()
        while (task := self._next()) is not None:
            outcome = self._worked_out(task)
            with self._changed:
                self._forget(task)
                self.done += 1
                if isinstance(outcome, bytes) and task.key is not None and not _is_afresh(task.key):
                    self._kept[task.key] = outcome
                    self._kept_bytes += len(outcome)
                while self._kept_bytes > KEPT_BYTES:
                    self._kept_bytes -= len(self._kept.popitem(last=False)[1])
                waiting, task.waiting = task.waiting, []
            for loop, answer in waiting:
                hand_over(loop, fulfil, answer, outcome)
        self._end()

    def _next(self) -> _Task | None:
        """The next task of the account whose turn it is; None at the end."""
        with self._changed:
            while not self._queues and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                return None
            account, queue = self._queues.popitem(last=False)
            task = queue.popleft()
            if queue:
                self._queues[account] = queue  # behind all others
            task.is_begun = True
            return task

    def _worked_out(self, task: _Task) -> Outcome:
        message, problem = None, "its process ended"
        try:
            process = self._running()
            assert process.stdin is not None and process.stdout is not None
            send_message(process.stdin, TASK, task.content)
            message = receive_message(process.stdout)
        except OSError as error:
            problem = str(error)
        if message is None:
            self._give_up()
            return StoreBroken(f"what takes long could not be worked out: {problem}")
        kind, content = message
        if kind == ANSWER:
            return content
        if kind == REJECTED:
            status, text = pickle.loads(content)
            return Rejected(status, RefusalText(*text))
        if kind == FAILED:
            return StoreBroken(content.decode())
        return RuntimeError(content.decode())

    def _running(self) -> subprocess.Popen[bytes]:
        """The process; started where there is none."""
        process = self._process
        if process is None or process.poll() is not None:
            self._give_up()
            # A session of its own: Ctrl-C is for the server, which ends this one when nobody needs it.
            command, pipe = [sys.executable, "-P", "-c", _COMMAND], subprocess.PIPE
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
            assert process.stdin is not None
            send_message(process.stdin, TASK, pickle.dumps(self._address))
            with self._changed:
                self._process = process
                is_closed = self._is_closed
            if is_closed:
                process.kill()
        return process

    def _give_up(self) -> None:
        """The process is of no more use; the next task starts another."""
        with self._changed:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what was not sent yet
                    if pipe is not None:
                        pipe.close()

    def _end(self) -> None:
        with self._changed:
            left = [task for queue in self._queues.values() for task in queue]
            self._queues.clear()
        for task in left:
            for loop, answer in task.waiting:
                hand_over(loop, fulfil, answer, StoreError("the server is stopping"))
        self._give_up()

    def _forget(self, task: _Task) -> None:
        """Under the lock: whoever asks from now on does not join this task."""
        if task.key is not None and self._by_key.get(task.key) is task:
            del self._by_key[task.key]


_AFRESH = object()  # Marks the key of what must not be older than the question.


def _is_afresh(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[0] is _AFRESH
