"""Frames that nobody should send: the server answers or closes with a code, and never fails.

Valid frames are changed at random, cut, nested and repeated; others are made from nothing. A failure of the
server would be in its log, which the fixture looks at.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.client import Refused
from punto.server.messages import KINDS
from tests.server.running_floor import RunningFloor
from tests.server.samples import sample

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(sorted(KINDS))


@st.composite
def changed(draw: st.DrawFn) -> dict[str, Any]:
    """A command frame with something wrong in it, or not."""
    command = sample(draw(NAMES))
    frame: dict[str, Any] = {"type": "command", "id": "a", "key": draw(st.text(max_size=9)), "role": "player"}
    frame["command"] = command
    for _ in range(draw(st.integers(0, 3))):
        target = draw(st.sampled_from([frame, command]))
        name = draw(st.sampled_from([*sorted(target), "type", "round"]) | st.text(max_size=8))
        if draw(st.booleans()) and name in target:
            del target[name]
        else:
            target[name] = draw(JSON)
    return frame


FRAMES = (
    changed().map(json.dumps)
    | JSON.map(json.dumps)
    | st.text(max_size=200)
    | st.binary(max_size=100)
    | changed().map(lambda frame: json.dumps(frame)[:-3])
    | st.integers(1, 40_000).map(lambda depth: "[" * depth)
)

LAST = json.dumps({"type": "command", "id": "last", "key": "last", "role": "player", "command": {"type": "walk-away"}})
"""Well formed: its answer shows that everything before it was taken."""


@pytest.mark.slow
def test_nothing_that_a_client_sends_makes_the_server_fail(floor: RunningFloor) -> None:
    id, lee = floor.new_table("insurance"), floor.client("Lee")
    address = f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream"
    codes: set[int] = set()
    answered: list[dict[str, Any]] = []

    @settings(max_examples=120, suppress_health_check=list(HealthCheck), database=None)
    @given(frames=st.lists(FRAMES, min_size=1, max_size=6), is_greeted=st.booleans())
    def send(frames: list[str | bytes], is_greeted: bool) -> None:
        ticket = lee.ticket()
        assert not isinstance(ticket, Refused)
        hello = json.dumps({"type": "hello", "ticket": ticket.ticket})
        with connect(address, compression=None) as socket:
            try:
                for frame in [hello, *frames, LAST] if is_greeted else frames:
                    socket.send(frame)
                while (answer := json.loads(socket.recv(60)))["type"] != "answer" or answer["id"] != "last":
                    answered.append(answer)
            except ConnectionClosed as closed:
                codes.add(closed.rcvd.code if closed.rcvd is not None else 1006)

    send()
    assert codes <= {4400, 4401, 1007, 1009} and 4400 in codes
    answers = [frame for frame in answered if frame["type"] == "answer"]
    assert all(("version" in answer) != ("refusal" in answer) for answer in answers)
    assert lee.http.get("/accounts/me").status_code == 200
    assert floor.errors == []
