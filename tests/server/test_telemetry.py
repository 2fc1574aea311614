"""Traces: a bet is one trace from its request through the commit to the frames, and says nothing of who it was."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from punto.client import Refused
from punto.server.settings import WrongSetting
from punto.server.telemetry import Traces, exporter_of, is_asked_for, traces_of
from tests.server.running_floor import PEOPLE, RunningFloor, running_floor
from tests.server.served_house import wait_until
from tests.server.test_stream import opened
from tests.server.test_table_routes_commands import BET, opened_round

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db")) as made:
        yield made


@pytest.fixture(scope="module")
def exporter(floor: RunningFloor) -> InMemorySpanExporter:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    floor.app_state.trace(Traces(provider))
    return kept


def named(exporter: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.name == name]


def test_a_bet_is_one_trace_from_request_to_frame(floor: RunningFloor, exporter: InMemorySpanExporter) -> None:
    id, lee = opened_round(floor), floor.client("Lee")
    with opened(lee, id) as stream:
        assert stream.next(60)["type"] == "snapshot"
        exporter.clear()
        lee.http.headers["traceparent"] = f"00-{TRACE}-{PARENT}-01"
        done = lee.give(id, BET)
        assert not isinstance(done, Refused)
        wait_until(lambda: bool(named(exporter, "frames")) and bool(named(exporter, "command")))
    del lee.http.headers["traceparent"]
    wait_until(lambda: any(span.name.startswith("POST") for span in exporter.get_finished_spans()))
    [request] = [span for span in exporter.get_finished_spans() if span.name.startswith("POST")]
    [command], [commit], [frames] = (named(exporter, name) for name in ("command", "commit", "frames"))
    chain = [request, command, commit, frames]
    assert request.parent is not None and f"{request.parent.span_id:016x}" == PARENT
    for parent, span in pairwise(chain):
        assert span.parent is not None and span.parent.span_id == parent.context.span_id
    assert {f"{span.context.trace_id:032x}" for span in chain} == {TRACE}
    assert request.attributes == {
        "http.request.method": "POST",
        "http.route": "/api/v1/tables/{id}/commands",
        "http.response.status_code": 200,
    }
    assert command.attributes is not None and command.attributes["punto.outcome"] == "accepted"
    assert command.attributes["punto.command"] == "place-bet"
    assert frames.attributes is not None and frames.attributes["punto.watchers"] == 1
    assert commit.start_time is not None and command.start_time is not None and frames.end_time is not None
    assert commit.start_time <= frames.end_time and command.start_time <= frames.end_time
    assert floor.app_state.traces is not None and floor.app_state.traces._commands == {}


def test_a_refusal_is_told_by_its_reason_and_names_nobody(floor: RunningFloor, exporter: InMemorySpanExporter) -> None:
    id, lee = opened_round(floor), floor.client("Lee")
    exporter.clear()
    assert isinstance(lee.give(id, {**BET, "amount": 1}), Refused)
    assert lee.http.get("/people/Lee").status_code in (403, 404, 405)
    assert httpx.get(f"{floor.url}/nowhere/Lee").status_code == 200
    wait_until(lambda: len(exporter.get_finished_spans()) >= 4)
    [command] = named(exporter, "command")
    assert command.attributes is not None and command.attributes["punto.outcome"] == "refused"
    assert named(exporter, "commit") == [], "nothing was written to the table"
    written = "".join(span.to_json() for span in exporter.get_finished_spans())
    for name in PEOPLE:
        assert f"{name}" not in written


def test_traces_are_off_unless_somebody_says_where_they_go() -> None:
    assert not is_asked_for({}) and not is_asked_for({"OTEL_SERVICE_NAME": "punto"})
    place = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    assert is_asked_for(place) and not is_asked_for({**place, "OTEL_SDK_DISABLED": "true"})
    with traces_of({}) as none:
        assert none is None
    with pytest.raises(WrongSetting, match="zipkin is not known here"):
        exporter_of({"OTEL_TRACES_EXPORTER": "zipkin"})


def test_without_the_package_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(WrongSetting, match=r"install punto\[telemetry\]"):
        exporter_of({"OTEL_TRACES_EXPORTER": "otlp"})


def test_the_console_exporter_sends_what_waits_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with traces_of({"OTEL_TRACES_EXPORTER": "console"}) as traces:
        assert traces is not None
        with traces.request("GET", "/ready", ()) as answered:
            answered(503)
    assert '"http.route": "/ready"' in capsys.readouterr().err
