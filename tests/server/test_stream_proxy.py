"""A client behind a bad network converges: every event once and in order, and every bet once.

The stream is cut and opened again after its last event; commands that were not answered are sent again under
their keys. At the end the client has seen the whole log, and its table is the floor's table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidHandshake

from punto.client import Client, Done, Refused, Stream, StreamClosed
from punto.client.api_call import fresh_key
from punto.rules.authority import Role
from punto.store import sqlite
from punto.table.betting import CallBets, PlaceBet
from punto.table.house import BurnCards, LoadShoe, TakeSeat
from punto.table.state import State
from punto.views.viewer import Viewer, seen_record
from tests.server.proxy import BadNetwork
from tests.server.running_floor import RunningFloor, running_floor

BETS, CUTS = 40, 6
"""At least so many bets are placed, and so many connections cut."""
CUT = (httpx.TransportError, OSError, EOFError, StreamClosed, InvalidHandshake, TimeoutError)
"""What a client meets when a connection is cut."""


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningFloor]:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "OFF")
    with running_floor(str(tmp_path / "house.db")) as made:
        yield made


class Stubborn:
    """Somebody behind a bad network who tries again until there is an answer."""

    def __init__(self, network: BadNetwork, token: str, table: str) -> None:
        self._network, self._token, self._table = network, token, table
        self.events: dict[int, object] = {}
        self.order: list[int] = []

    def client(self) -> Client:
        made = Client(self._network.url, timeout=60)
        made.http.headers["authorization"] = f"Bearer {self._token}"
        return made

    def bet(self, command: PlaceBet) -> Done:
        """A bet, sent under one key until it is answered."""
        key = fresh_key()
        while True:
            with self.client() as client:
                try:
                    answer = client.give(self._table, command, key=key)
                except CUT:
                    continue
            assert isinstance(answer, Done), answer
            return answer

    def follow(self, until: int) -> None:
        """Every event up to a version, over as many streams as it takes."""
        while (last := self.order[-1] if self.order else 0) < until:
            try:
                with self.client() as client:
                    stream = client.stream(self._table, after=last, role=Role.PLAYER)
                    assert isinstance(stream, Stream), stream
                    with stream:
                        self._read(stream, until)
            except CUT:
                continue

    def _read(self, stream: Stream, until: int) -> None:
        while not self.order or self.order[-1] < until:
            frame = stream.next(60)
            if frame["type"] == "event":
                self.order.append(frame["seq"])
                self.events[frame["seq"]] = frame["event"]


@pytest.mark.slow
def test_a_client_behind_a_bad_network_converges(floor: RunningFloor) -> None:
    table = floor.new_table("commission", maximum=None)
    assert not isinstance(floor.client("Cas").buy_in("Lee", 10**9), Refused)
    lee = floor.client("Lee")
    assert isinstance(lee.give(table, TakeSeat(actor="", role=Role.PLAYER, box=1)), Done)
    for kind in (LoadShoe, BurnCards, CallBets):
        loaded = floor.app_state.floor.table(table)
        assert loaded is not None
        command = kind(actor="Dan", role=Role.DEALER)
        floor.app_state.floor.give(table, command, loaded.version)
    random = Random(5)
    assert lee.session is not None
    port = int(floor.url.rpartition(":")[2])
    with BadNetwork(port, 5, delay_s=0.004, cut=0.12) as network:
        stubborn = Stubborn(network, lee.session.token, table)
        placed: list[tuple[int, Done]] = []
        while len(placed) < BETS or network.cuts < CUTS:
            amount = 1000 * random.randint(1, 9)
            bet = PlaceBet(actor="", role=Role.PLAYER, box=1, area="banker", amount=amount, round=1)
            placed.append((amount, stubborn.bet(bet)))
        after = floor.app_state.floor.table(table)
        assert after is not None
        stubborn.follow(after.version)
    state = after.table.state
    assert [bet.stake for bet in state.bets] == [sum(amount for amount, _ in placed)], "each bet counts once"
    assert len({done.version for _, done in placed}) == len(placed)
    assert stubborn.order == list(range(1, after.version + 1)), "every event once, in order"
    folded = State()
    with floor.store.read() as reader:
        for record in reader.records(table):
            seen = seen_record(folded, record, Viewer("Lee"))
            assert msgspec.json.decode(msgspec.json.encode(seen.event)) == stubborn.events[record.seq]
            folded = record.event.fold(folded)
    assert folded == state
