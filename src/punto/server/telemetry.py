"""Traces for OpenTelemetry: a request, the command in it, the commit that made it durable, and the frames that told of
it, each with its time. Off unless the environment says where they go, by the variables that OpenTelemetry itself
defines; nothing is loaded then and nothing is asked but whether they are on.

No attribute names a person: routes stand with their parameters in braces, commands by their kind, tables by their id.
Frames that another server sends of the same event are not in the trace: what passes between servers says only where to
look.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from punto.floor.job import Accepted
from punto.floor.loaded_table import Change
from punto.refusal import Refusal
from punto.server.settings import WrongSetting
from punto.server.validation import Rejected
from punto.store.record import Record

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

MOST_REMEMBERED = 1_000  # Events whose commit is remembered until their frames are sent; some have none.
_NS = 1_000_000_000


def is_asked_for(environment: Mapping[str, str]) -> bool:
    """Whether the environment says where traces go.

    >>> is_asked_for({}), is_asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    (False, True)
    >>> is_asked_for({"OTEL_TRACES_EXPORTER": "none"})
    False
    """
    exporter = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter == "none":
        return False
    places = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return bool(exporter) or any(environment.get(place) for place in places)


def exporter_of(environment: Mapping[str, str]) -> SpanExporter:
    """Who sends traces on: OTLP over HTTP, or the console for a look."""
    name = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower() or "otlp"
    try:
        if name == "console":
            from opentelemetry.sdk.trace.export import ConsoleSpanExporter

            return ConsoleSpanExporter(out=sys.stderr)  # what is told on stdout is for programs
        if name == "otlp":
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            return OTLPSpanExporter()
    except ImportError:
        raise WrongSetting(
            "traces are asked for by the variables OTEL_…, but OpenTelemetry is not there: install punto[telemetry]"
        ) from None
    raise WrongSetting(f"OTEL_TRACES_EXPORTER: {name} is not known here; it is otlp, console or none")


@contextmanager
def traces_of(environment: Mapping[str, str] = os.environ) -> Iterator[Traces | None]:
    """Traces until the end, where they are asked for; what waits is sent then."""
    if not is_asked_for(environment):
        yield None
        return
    exporter = exporter_of(environment)
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {} if environment.get("OTEL_SERVICE_NAME") else {"service.name": "punto"}
    provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield Traces(provider)
    finally:
        provider.shutdown()


class Traces:
    """Makes the spans of a server. A command is known by its table and key until it is answered, an event by its table
    and number until its frames are sent.
    """

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry import trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        from punto import __version__

        self._api, self._tracer = trace, provider.get_tracer("punto", __version__)
        self._propagator = TraceContextTextMapPropagator()
        self._commands: dict[tuple[str, str], Context] = {}
        self._events: dict[tuple[str, int], Context] = {}

    @contextmanager
    def request(self, method: str, route: str, headers: Sequence[tuple[bytes, bytes]]) -> Iterator[Callable[..., None]]:
        """A request, as part of the trace that its headers name; told of its status."""
        carrier = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in headers
            if name in (b"traceparent", b"tracestate")
        }
        attributes = {"http.request.method": method, "http.route": route}
        with self._tracer.start_as_current_span(
            f"{method} {route}",
            self._propagator.extract(carrier),
            self._api.SpanKind.SERVER,
            attributes,
            record_exception=False,
        ) as span:

            def answered(status: int) -> None:
                span.set_attribute("http.response.status_code", status)
                if status >= 500:
                    span.set_status(self._api.StatusCode.ERROR)

            yield answered

    @contextmanager
    def command(self, table: str, kind: str, key: str) -> Iterator[Callable[[object], None]]:
        """A command from when it came to its answer; told of its outcome."""
        attributes = {"punto.table": table, "punto.command": kind}
        with self._tracer.start_as_current_span("command", attributes=attributes, record_exception=False) as span:
            self._commands[table, key] = self._api.set_span_in_context(span)
            try:
                yield lambda outcome: self._came_of(span, outcome)
            finally:
                self._commands.pop((table, key), None)

    def _came_of(self, span: Span, outcome: object) -> None:
        match outcome:
            case Accepted(version=version):
                span.set_attributes({"punto.outcome": "accepted", "punto.version": version})
            case Refusal(reason=reason):
                span.set_attributes({"punto.outcome": "refused", "punto.reason": reason.value})
            case Rejected():
                span.set_attributes({"punto.outcome": "refused", "punto.reason": outcome.text.reason})
            case BaseException():
                span.set_attribute("punto.outcome", "failed")
                span.set_status(self._api.StatusCode.ERROR)
            case _:
                span.set_attribute("punto.outcome", "waiting")

    def committed(self, jobs: int, seconds: float, changes: Mapping[str, Change]) -> None:
        """A batch is durable: each command in it that is traced has it as a part. In the thread that commits."""
        end = time.time_ns()
        attributes: dict[str, Any] = {"punto.batch": jobs}
        for change in changes.values():
            commits: dict[str, Context] = {}
            for record in change.records:
                context = self._commands.get((change.table, record.key)) if record.key is not None else None
                if context is None or record.key is None:
                    continue
                if record.key not in commits:
                    start = end - int(seconds * _NS)
                    span = self._tracer.start_span("commit", context, attributes=attributes, start_time=start)
                    span.end(end)
                    commits[record.key] = self._api.set_span_in_context(span)
                self._events[change.table, record.seq] = commits[record.key]
        while len(self._events) > MOST_REMEMBERED:
            self._events.pop(next(iter(self._events)), None)

    def frames(self, table: str, records: Sequence[Record], watchers: int, began: int) -> None:
        """Frames of these events went out to everybody who watches a table here."""
        for record in records:
            context = self._events.pop((table, record.seq), None)
            if context is not None:
                attributes: dict[str, Any] = {"punto.table": table, "punto.seq": record.seq, "punto.watchers": watchers}
                self._tracer.start_span("frames", context, attributes=attributes, start_time=began).end()
