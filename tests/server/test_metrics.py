"""What a server says of itself to Prometheus: what was done is counted once, for whoever may read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from punto.client import Client, Refused
from punto.server.metrics import SECONDS, Distribution, metrics_port
from punto.server.settings import Settings, WrongSetting, read_settings
from punto.store.errors import StoreBroken
from punto.store.store import Store, store_in_memory
from tests.server.running_floor import PEOPLE, RunningFloor, running_floor
from tests.server.test_stream import opened
from tests.server.test_table_routes_commands import BET, opened_round

TOKEN = "a token of sixteen signs"
Samples = dict[str, dict[tuple[tuple[str, str], ...], float]]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db"), metrics_token=TOKEN) as made:
        yield made


def read(text: str) -> Samples:
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


def scraped(floor: RunningFloor) -> Samples:
    answer = httpx.get(f"{floor.url}/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    return read(answer.text)


def number(samples: Samples, name: str, **labels: str) -> float:
    return samples.get(name, {}).get(tuple(sorted(labels.items())), 0.0)


def test_what_is_done_is_counted(floor: RunningFloor) -> None:
    id, lee, before = opened_round(floor), floor.client("Lee"), scraped(floor)
    with opened(lee, id) as stream:
        assert stream.next(60)["type"] == "snapshot"
        assert not isinstance(lee.give(id, BET), Refused)
        assert isinstance(lee.give(id, {**BET, "amount": 1}), Refused)
        while stream.next(60)["type"] != "event":
            pass
        during = scraped(floor)
    with Client(floor.url) as stranger:
        assert isinstance(stranger.log_in("Lee", "a wrong one"), Refused)
    after = scraped(floor)

    def grown(name: str, **labels: str) -> float:
        return number(after, name, **labels) - number(before, name, **labels)

    route = {"route": "/api/v1/tables/{id}/commands", "method": "POST"}
    assert grown("punto_request_seconds_count", **route, status="200") == 1
    assert grown("punto_request_seconds_count", **route, status="409") == 1
    assert grown("punto_command_seconds_count", outcome="accepted") == 1
    assert grown("punto_command_seconds_count", outcome="refused") == 1
    assert sum(after["punto_refusals_total"].values()) - sum(before.get("punto_refusals_total", {}).values()) == 1
    assert grown("punto_log_ins_total", outcome="wrong-password") == 1
    assert grown("punto_commit_seconds_count") == grown("punto_commit_batch_size_sum") >= 2
    assert grown("punto_events_total") == 1 and grown("punto_frames_total") >= 2
    assert grown("punto_frame_bytes_total") > 100
    assert number(during, "punto_streams") == number(before, "punto_streams") + 1
    assert number(during, "punto_stream_lag_events") == 0 and number(during, "punto_ready") == 1
    assert number(during, "punto_database_up") == 1 and number(during, "punto_tables") >= 1
    assert number(during, "punto_database_connections", state="free") >= 1


def test_nobody_and_nothing_private_is_named(floor: RunningFloor) -> None:
    id = opened_round(floor)
    floor.client("Lee").give(id, BET)
    httpx.get(f"{floor.url}/api/v1/nothing-of-the-kind")
    httpx.request("BREW", f"{floor.url}/coffee")
    samples = scraped(floor)
    values = {value for found in samples.values() for labels in found for _, value in labels}
    assert not values & {*PEOPLE, id} and not any("kind" in value or "coffee" in value for value in values)
    assert all(name.startswith("punto_") for name in samples), "one prefix"
    assert all(re.search(r"_(total|count|sum|bucket|info|created)$", name) or name in GAUGES for name in samples)


GAUGES = {
    *("punto_ready", "punto_streams", "punto_tables_dealt", "punto_database_connections", "punto_database_up"),
    *("punto_servers", "punto_tables_waiting", "punto_guest_streams"),
    *("punto_tables", "punto_stream_lag_events", "punto_process_virtual_memory_bytes", "punto_process_open_fds"),
    *("punto_process_resident_memory_bytes", "punto_process_start_time_seconds", "punto_process_max_fds"),
}


def test_without_the_token_nothing_is_told(floor: RunningFloor) -> None:
    for sent in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
        assert httpx.get(f"{floor.url}/metrics", headers=sent).status_code == 401


def test_a_database_that_does_not_answer_is_told(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        connections = (0, 0)

        def read(self) -> Store:
            raise StoreBroken("the disk is gone")

    page = floor.app_state.metrics
    assert page is not None
    monkeypatch.setattr(page._figures, "_store", Broken())
    samples = scraped(floor)
    assert number(samples, "punto_database_up") == 0 and "punto_tables" not in samples


def test_a_port_of_its_own(floor: RunningFloor) -> None:
    page = floor.app_state.metrics
    settings = Settings(database="x", metrics_port=0, metrics_token=TOKEN)
    with metrics_port(settings, page) as port:
        url = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{url}/metrics").status_code == 401
        assert httpx.get(f"{url}/api/v1/tables").status_code == 404, "nothing else is there"
        told = httpx.get(f"{url}/metrics", headers={"authorization": f"Bearer {TOKEN}"})
        assert told.status_code == 200 and "punto_build_info" in told.text
        with pytest.raises(WrongSetting, match="cannot be listened on for metrics"):
            metrics_port(Settings(database="x", metrics_port=port), page).__enter__()


def test_a_server_of_this_machine_has_them_without_being_asked(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as made:
        told = httpx.get(f"{made.url}/metrics")
        assert told.status_code == 200 and "punto_build_info" in told.text
        names = {line.split("{")[0].split(" ")[0] for line in told.text.splitlines() if not line.startswith("#")}
        assert names and all(name.startswith("punto_") for name in names)
        assert (head := httpx.head(f"{made.url}/metrics")).status_code == 200 and head.content == b""


@pytest.mark.parametrize(
    "reached", [{"https": True}, {"proxies": ("10.0.0.1",)}, {"hosts": ("floor.example", "127.0.0.1")}]
)
def test_off_unless_asked_for_where_others_reach_the_server(tmp_path: Path, reached: dict[str, Any]) -> None:
    with running_floor(str(tmp_path / "house.db"), **reached) as made:
        assert made.app_state.tally is None and made.app_state.metrics is None
        missing = httpx.get(f"{made.url}/metrics")
        assert missing.status_code == 404 and "punto_" not in missing.text


def test_the_token_is_never_written_down() -> None:
    assert TOKEN not in str(Settings(database="h.db", metrics_token=TOKEN).told)
    with pytest.raises(WrongSetting, match="PUNTO_METRICS_TOKEN must have at least 16 characters"):
        read_settings({}, {"PUNTO_METRICS_TOKEN": "short"}, None, "h.db")


def test_a_distribution_adds_up() -> None:
    found = Distribution(SECONDS)
    for value in (0.0001, 0.0005, 0.3, 60.0):
        found.observe(value)
    buckets, total = found.buckets()
    assert dict(buckets)["0.0005"] == 2 and dict(buckets)["0.5"] == 3 and dict(buckets)["+Inf"] == 4 == found.count
    assert total == pytest.approx(60.3006)


def test_leaving_counts_nothing_twice() -> None:
    with store_in_memory() as store:
        free, used = store.connections
        with store.read(), store.read():
            assert store.connections[1] == used + 2
        assert store.connections[1] == used and store.connections[0] >= min(free, 1)


@pytest.mark.parametrize("file", ["grafana-dashboard.json", "prometheus-alerts.yml"])
def test_every_figure_that_is_drawn_or_watched_is_there(floor: RunningFloor, file: str) -> None:
    floor.client("Lee").give(opened_round(floor), BET)
    there = set(scraped(floor)) | {"punto_refusals_total", "punto_log_ins_total"}
    text = (Path(__file__).parents[2] / "deploy" / file).read_text(encoding="utf-8")
    named = set(re.findall(r"\bpunto_\w+", text))
    assert len(named) > 8 and sorted(named - there) == []
