"""Figures of a running server for Prometheus: what it counted of itself, and what it finds when it is asked.

Counting is a few plain numbers, written by the thread that does the work: the loop or the thread that commits. Only
who asks for `/metrics` pays for putting them into words, with prometheus_client. Where neither a port nor a token is
set, only a server that nobody but this machine reaches counts at all. Every name begins with `punto_`, units are
seconds and bytes, and no label is a person, an address or a table: their number has to end somewhere, and whoever
reads a dashboard need not know them.
"""

from __future__ import annotations

import secrets
import socket
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from socketserver import TCPServer, ThreadingMixIn
from typing import TYPE_CHECKING, Any, NamedTuple
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from punto import __version__
from punto.floor.job import Accepted
from punto.floor.lease import AUTOMATIC_RUN
from punto.floor.loaded_table import Change
from punto.refusal import Refusal
from punto.server.settings import Settings, WrongSetting
from punto.server.validation import Rejected
from punto.store.connection import DatabaseKind
from punto.store.errors import StoreError
from punto.store.lease import standing_of
from punto.store.pit import stored_runs
from punto.store.store import Store
from punto.table.settlement import RoundSettled

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000)


class Described(NamedTuple):
    """A metric as it is told: its name, what kind it is, what it counts, and by what."""

    name: str
    kind: str
    about: str
    labels: tuple[str, ...] = ()


DESCRIBED = (
    Described(
        "punto_request_seconds",
        "histogram",
        "Requests, from their head to the answer, by the address with names in braces; `(page)` is a page, `(none)` is "
        "what is not there.",
        ("route", "method", "status"),
    ),
    Described(
        "punto_command_seconds",
        "histogram",
        "Commands that people gave, until their answer was durable: accepted, refused, waiting for a second person, "
        "or failed.",
        ("outcome",),
    ),
    Described("punto_refusals_total", "counter", "Commands that were refused, by reason.", ("reason",)),
    Described(
        "punto_commit_seconds",
        "histogram",
        "Batches of commands, dealers' too, from the first look at a table to the commit.",
    ),
    Described("punto_commit_batch_size", "histogram", "Commands in one batch."),
    Described("punto_events_total", "counter", "Events of tables that this process wrote."),
    Described("punto_rounds_total", "counter", "Rounds that this process settled."),
    Described("punto_streams", "gauge", "Streams that are open, of people and of screens."),
    Described("punto_guest_streams", "gauge", "Streams of people without an account that are open."),
    Described("punto_frames_total", "counter", "Frames sent on streams."),
    Described("punto_frame_bytes_total", "counter", "Bytes of frames sent on streams."),
    Described("punto_streams_cut_off_total", "counter", "Streams that were ended because they read too slowly."),
    Described(
        "punto_stream_lag_events",
        "gauge",
        "Events that the streams of a watched table do not have yet, at the table that is furthest behind.",
    ),
    Described("punto_log_ins_total", "counter", "Log-ins: accepted, or the reason of the refusal.", ("outcome",)),
    Described("punto_tables", "gauge", "Tables in the database."),
    Described("punto_tables_dealt", "gauge", "Tables that this process deals."),
    Described("punto_servers", "gauge", "Servers of the house that are there."),
    Described("punto_tables_waiting", "gauge", "Automatic tables that no server deals; with PostgreSQL."),
    Described(
        "punto_database_connections", "gauge", "Connections of this process to the database, free or used.", ("state",)
    ),
    Described("punto_database_up", "gauge", "1 where the database answers when this is asked."),
    Described("punto_ready", "gauge", "1 where requests are taken, 0 while the process starts or drains."),
    Described("punto_build_info", "gauge", "Which version runs; always 1.", ("version",)),
)
"""Every metric but those of the process itself, whose names begin with `punto_process_`."""
_BY_NAME = {one.name: one for one in DESCRIBED}
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"))


class Distribution:
    """How often something took how long, or was how large."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds, self._counts, self._sum = bounds, [0] * (len(bounds) + 1), 0.0

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    @property
    def count(self) -> int:
        return sum(self._counts)

    def buckets(self) -> tuple[list[tuple[str, float]], float]:
        """Prometheus adds up: how many were at most as large as each bound; and the sum of all."""
        total, told = 0, list[tuple[str, float]]()
        for bound, count in zip((*self._bounds, "+Inf"), tuple(self._counts), strict=True):
            total += count
            told.append((bound if isinstance(bound, str) else f"{bound:g}", total))
        return told, self._sum


class ServerTally:
    """What a server counts while it runs."""

    def __init__(self) -> None:
        self.requests: dict[tuple[str, str, int], Distribution] = {}
        self.commands: dict[str, Distribution] = {}
        self.refusals: Counter[str] = Counter()
        self.log_ins: Counter[str] = Counter()
        self.commits, self.batches = Distribution(SECONDS), Distribution(SIZES)
        self.events = self.rounds = self.frames = self.frame_bytes = self.cut_off = 0

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        key = (route, method if method in METHODS else "other", status)
        if key not in self.requests:
            self.requests[key] = Distribution(SECONDS)
        self.requests[key].observe(seconds)

    def command(self, outcome: object, seconds: float) -> None:
        """What became of a command that somebody gave, and how long they waited for it to be durable."""
        match outcome:
            case Accepted():
                name = "accepted"
            case Refusal(reason=reason):
                name = "refused"
                self.refusals[reason.value] += 1
            case Rejected():
                name = "refused"
                self.refusals[outcome.text.reason] += 1
            case BaseException():
                name = "failed"
            case _:
                name = "waiting"  # for a second person
        if name not in self.commands:
            self.commands[name] = Distribution(SECONDS)
        self.commands[name].observe(seconds)

    def committed(self, jobs: int, seconds: float, changes: Mapping[str, Change]) -> None:
        """A batch of this process is durable; in the thread that commits."""
        self.commits.observe(seconds)
        self.batches.observe(jobs)
        for change in changes.values():
            self.events += len(change.records)
            self.rounds += sum(isinstance(record.event, RoundSettled) for record in change.records)

    def frame(self, size: int) -> None:
        self.frames += 1
        self.frame_bytes += size


class ServerState(NamedTuple):
    """What a server is at the moment that somebody asks."""

    is_serving: bool
    streams: int
    guests: int  # Streams of people without an account.
    dealt: int  # Tables that it deals.
    watched: Mapping[str, int]  # How far its streams were told of each table that is watched.


class Figures:
    """What a server says of itself: its tally, and what it is at this moment."""

    def __init__(self, store: Store, tally: ServerTally, look: Callable[[], ServerState]) -> None:
        self._store, self._tally, self._look = store, tally, look

    def collect(self) -> Iterable[Metric]:
        moment = self._look()
        yield from self._counted()
        yield from self._present(moment)
        yield from self._stored(moment)

    def _counted(self) -> Iterator[Metric]:
        tally = self._tally
        yield _distributions(
            "punto_request_seconds",
            {(route, method, str(status)): each for (route, method, status), each in tally.requests.copy().items()},
        )
        yield _distributions(
            "punto_command_seconds", {(outcome,): each for outcome, each in tally.commands.copy().items()}
        )
        yield _distributions("punto_commit_seconds", {(): tally.commits})
        yield _distributions("punto_commit_batch_size", {(): tally.batches})
        yield _counts("punto_refusals_total", tally.refusals.copy())
        yield _counts("punto_log_ins_total", tally.log_ins.copy())
        yield _counter("punto_events_total", tally.events)
        yield _counter("punto_rounds_total", tally.rounds)
        yield _counter("punto_frames_total", tally.frames)
        yield _counter("punto_frame_bytes_total", tally.frame_bytes)
        yield _counter("punto_streams_cut_off_total", tally.cut_off)

    def _present(self, moment: ServerState) -> Iterator[Metric]:
        free, used = self._store.connections
        yield _gauge("punto_ready", moment.is_serving)
        yield _gauge("punto_streams", moment.streams)
        yield _gauge("punto_guest_streams", moment.guests)
        yield _gauge("punto_tables_dealt", moment.dealt)
        pool = {"free": free, "used": used}
        yield _gauges("punto_database_connections", pool)

    def _stored(self, moment: ServerState) -> Iterator[Metric]:
        """What only the database knows; where it does not answer, just that."""
        try:
            with self._store.read() as reader:
                versions, standing, runs = reader.versions(), standing_of(reader), stored_runs(reader)
        except StoreError:
            yield _gauge("punto_database_up", 0)
            return
        behind = [versions.get(table, 0) - version for table, version in moment.watched.items()]
        yield _gauge("punto_database_up", 1)
        yield _gauge("punto_tables", len(versions))
        if self._store.address.kind is DatabaseKind.POSTGRESQL:
            there = {server.name for server in standing.servers}
            dealt = {lease.table for lease in standing.leases if lease.holder in there}
            waiting = sum(run["dealer"] == AUTOMATIC_RUN and table not in dealt for table, run in runs.items())
        else:
            there, waiting = {"this"}, 0
        yield _gauge("punto_servers", len(there))
        yield _gauge("punto_tables_waiting", waiting)
        lag = max(0, *behind, 0)
        yield _gauge("punto_stream_lag_events", lag)


def _distributions(name: str, found: Mapping[tuple[str, ...], Distribution]) -> Metric:
    from prometheus_client.core import HistogramMetricFamily

    told = _BY_NAME[name]
    family = HistogramMetricFamily(name, told.about, labels=told.labels)
    for values, distribution in found.items():
        family.add_metric(values, *distribution.buckets())
    return family


def _counts(name: str, found: Mapping[str, int]) -> Metric:
    from prometheus_client.core import CounterMetricFamily

    told = _BY_NAME[name]
    family = CounterMetricFamily(name, told.about, labels=told.labels)
    for value, number in found.items():
        family.add_metric((value,), number)
    return family


def _counter(name: str, number: int) -> Metric:
    from prometheus_client.core import CounterMetricFamily

    return CounterMetricFamily(name, _BY_NAME[name].about, value=number)


def _gauge(name: str, number: float) -> Metric:
    from prometheus_client.core import GaugeMetricFamily

    return GaugeMetricFamily(name, _BY_NAME[name].about, value=float(number))


def _gauges(name: str, found: Mapping[str, float]) -> Metric:
    from prometheus_client.core import GaugeMetricFamily

    told = _BY_NAME[name]
    family = GaugeMetricFamily(name, told.about, labels=told.labels)
    for value, number in found.items():
        family.add_metric((value,), number)
    return family


class MetricsPage:
    """`/metrics` of a server."""

    def __init__(self, settings: Settings, figures: Figures) -> None:
        self._settings, self._figures = settings, figures
        self._registry: CollectorRegistry | None = None
        self._lock = threading.Lock()

    def text(self) -> bytes:
        from prometheus_client import CollectorRegistry, Info, ProcessCollector, generate_latest

        with self._lock:
            if self._registry is None:
                self._registry = CollectorRegistry(auto_describe=False)
                self._registry.register(self._figures)
                ProcessCollector(namespace="punto", registry=self._registry)
                Info("punto_build", _BY_NAME["punto_build_info"].about, registry=self._registry).info(
                    {"version": __version__}
                )
            return generate_latest(self._registry)

    @property
    def content_type(self) -> str:
        from prometheus_client import CONTENT_TYPE_LATEST

        return CONTENT_TYPE_LATEST

    def is_allowed(self, authorization: str) -> bool:
        """Whether whoever sends this header may read it: with the token, or where none was set."""
        token = self._settings.metrics_token
        if token is None:
            return True
        kind, _, sent = authorization.partition(" ")
        return kind.lower() == "bearer" and secrets.compare_digest(sent.strip().encode(), token.encode())


class _MetricsServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[WSGIRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def server_bind(self) -> None:
        """Without asking the network for the name of this machine, which can take long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()


class _QuietHandler(WSGIRequestHandler):
    timeout = 10  # Whoever sends nothing for so long has gone.

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing: the log is for the house."""


@contextmanager
def metrics_port(settings: Settings, page: MetricsPage | None) -> Iterator[int | None]:
    """`/metrics` on a port of its own until the end, where one is set; its number."""
    if settings.metrics_port is None or page is None:
        yield None
        return

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] != "/metrics" or environ["REQUEST_METHOD"] != "GET":
            start("404 Not Found", [])
            return [b""]
        if not page.is_allowed(environ.get("HTTP_AUTHORIZATION", "")):
            start("401 Unauthorized", [("WWW-Authenticate", "Bearer")])
            return [b""]
        text = page.text()
        start("200 OK", [("Content-Type", page.content_type), ("Content-Length", str(len(text)))])
        return [text]

    try:
        server = make_server(settings.host, settings.metrics_port, answer, _MetricsServer, _QuietHandler)
    except OSError as error:
        where, why = f"{settings.host} port {settings.metrics_port}", (error.strerror or str(error)).lower()
        raise WrongSetting(f"{where} cannot be listened on for metrics: {why}") from None
    with server:
        thread = threading.Thread(target=server.serve_forever, name="punto-metrics", daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
