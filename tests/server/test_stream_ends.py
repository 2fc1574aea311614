"""A stream ends at once when its session does, and when the role it watches in is taken away."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.client import Client, Refused, Stream, StreamClosed
from punto.rules.authority import Role
from punto.server import stream as connection
from punto.server.messages import CloseCode
from punto.server.stream import LONGEST_REASON, StreamEnded
from tests.server.running_floor import RunningFloor
from tests.server.test_stream import opened

LONG = "something long"


@pytest.fixture
def person(floor: RunningFloor) -> Iterator[Client]:
    """Somebody new who deals and plays."""
    name = f"New {floor.new_table('ez')}"
    body = {"name": name, "password": LONG, "roles": ["dealer", "player"]}
    assert floor.client("Ada").http.post("/people", json=body).status_code == 201
    with Client(floor.url) as client:
        assert not isinstance(client.log_in(name, LONG), Refused)
        yield client


def ended(stream: Stream) -> int:
    """The code with which a stream ends."""
    with pytest.raises(StreamClosed) as closed:
        list(stream)
    return closed.value.code


def name_of(client: Client) -> str:
    found = client.account()
    assert not isinstance(found, Refused)
    return found.account


def log_out(_: RunningFloor, person: Client) -> None:
    assert person.log_out() is None


def take_the_role(floor: RunningFloor, person: Client) -> None:
    path = f"/people/{name_of(person)}/roles"
    assert floor.client("Ada").http.put(path, json={"roles": ["player"]}).status_code == 200


def change_the_password(floor: RunningFloor, person: Client) -> None:
    path = f"/people/{name_of(person)}/password"
    assert floor.client("Ada").http.put(path, json={"password": "another one"}).status_code == 200


@pytest.mark.parametrize(("act", "code"), [(log_out, 4401), (take_the_role, 4403), (change_the_password, 4401)])
def test_a_stream_ends_at_once(
    floor: RunningFloor, person: Client, act: Callable[[RunningFloor, Client], None], code: int
) -> None:
    id = floor.new_table("insurance")
    with opened(person, id, role=Role.DEALER) as dealing, opened(floor.client("Lee"), id) as other:
        assert dealing.next(60)["type"] == other.next(60)["type"] == "snapshot"
        act(floor, person)
        assert ended(dealing) == code
        floor.client("Sue").give(id, {"type": "pause-table"}, Role.PIT_SUPERVISOR)
        assert other.next(60)["type"] == "event", "nobody else is sent away"


def test_a_stream_in_a_role_that_stays_goes_on(floor: RunningFloor, person: Client) -> None:
    id = floor.new_table("insurance")
    with opened(person, id, role=Role.PLAYER) as playing:
        assert playing.next(60)["type"] == "snapshot"
        take_the_role(floor, person)
        floor.client("Sue").give(id, {"type": "pause-table"}, Role.PIT_SUPERVISOR)
        assert playing.next(60)["type"] == "event"


def test_who_says_nothing_takes_a_place_that_is_counted(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_GREETING", 1)
    id = floor.new_table("ez")
    ticket = floor.client("Lee").ticket()
    assert not isinstance(ticket, Refused)
    address = f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream"
    with connect(address) as silent, connect(address) as late:
        with pytest.raises(ConnectionClosed) as closed:
            late.recv(60)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
        silent.send(json.dumps({"type": "hello", "ticket": ticket.ticket}))
        assert json.loads(silent.recv(60))["type"] == "snapshot"
        with opened(floor.client("Kim"), id) as other:
            assert other.next(60)["type"] == "snapshot", "who has said hello takes no place any more"


def test_nobody_has_streams_without_end(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_STREAMS", 2)
    first, second = floor.new_table("ez"), floor.new_table("ez")
    lee = floor.fresh_client("Lee")
    with opened(lee, first) as one:
        assert one.next(60)["type"] == "snapshot"
        with opened(floor.client("Lee"), second) as two:
            assert two.next(60)["type"] == "snapshot"
            with opened(lee, first) as third, pytest.raises(StreamClosed) as closed:
                third.next(60)
            assert closed.value.code == 1013
            with opened(floor.client("Kim"), first) as other:
                assert other.next(60)["type"] == "snapshot", "others are not concerned"
    looks = (lee.http.get("/sessions/current") for _ in range(1000))
    assert any(floor.app_state.broadcaster.streams_of("Lee") == 0 for _ in looks), "what is closed is not counted"
    with opened(lee, second) as again:
        assert again.next(60)["type"] == "snapshot"


@pytest.mark.parametrize("reason", ["x" * 300, "牌" * 60, "é" * 123, "short"])
def test_a_reason_fits_into_a_closing_frame(reason: str) -> None:
    told = StreamEnded(CloseCode.BAD_FRAME, reason).closing_reason
    assert len(told.encode()) <= LONGEST_REASON and told.rstrip("…") == reason[: len(told.rstrip("…"))]
    assert told == reason or told.endswith("…")


def test_streams_of_a_server_that_stops_are_sent_away_a_few_at_a_time(floor: RunningFloor) -> None:
    id, broadcaster = floor.new_table("ez"), floor.app_state.broadcaster
    streams = [opened(floor.client("Lee"), id) for _ in range(3)]
    assert [stream.next(60)["type"] for stream in streams] == ["snapshot"] * 3
    before = broadcaster.count()
    floor.app_state.broadcaster._loop.call_soon_threadsafe(broadcaster.send_away, before - 2)  # type: ignore[union-attr]
    while broadcaster.count() > before - 2:
        pass
    floor.client("Sue").give(id, {"type": "pause-table"}, Role.PIT_SUPERVISOR)
    codes = []
    for stream in streams:
        try:
            assert stream.next(60)["type"] == "event"
        except StreamClosed as closed:
            codes.append(closed.code)
        stream.close()
    assert codes == [1012, 1012]
