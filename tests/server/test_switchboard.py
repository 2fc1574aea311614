"""Three servers of one house on one PostgreSQL: what one of them keeps, the streams of all of them have, once and in
order; one that is killed, stopped or held up loses nothing, and its tables go on.
"""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from punto.client import Client, Done, Refused, Stream, StreamClosed
from punto.rules.authority import Role
from punto.store.store import open_store
from tests.crash.bettor import Bettor, check_acknowledged
from tests.floor.ledger_check import check_store
from tests.server.served_house import HouseServer, ServedHouse, found_house, served_house, spread, wait_until
from tests.store.postgres_server import PostgresServer

CALL, CLOSE = {"type": "call-bets"}, {"type": "close-bets"}


class StreamLog:
    """Everything that one stream was sent, in its order."""

    def __init__(self, client: Client, table: str, role: Role) -> None:
        stream = client.stream(table, after=0, role=role)
        assert isinstance(stream, Stream), stream
        self._stream, self.frames = stream, list[dict[str, Any]]()
        self.is_over = False
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while True:
                self.frames.append(self._stream.next())
        except (StreamClosed, OSError, EOFError):
            self.is_over = True

    @property
    def seqs(self) -> list[int]:
        return [frame["seq"] for frame in list(self.frames) if frame["type"] == "event"]

    def has(self, kind: str) -> bool:
        return any(frame["type"] == kind for frame in list(self.frames))

    def close(self) -> None:
        self._stream.close()
        self._thread.join(60)


def give(server: HouseServer, name: str, role: Role, table: str, command: dict[str, Any]) -> Done | Refused:
    """Give a command on the version that the server shows: others may be faster."""
    client = server.client(name)
    while True:
        shown = client.table(table, role)
        assert not isinstance(shown, Refused), shown
        answer = client.give(table, command, role, expected=shown.version)
        if not isinstance(answer, Refused) or answer.reason != "version":
            assert isinstance(answer, Done | Refused)
            return answer


@pytest.mark.slow
def test_three_servers_are_one_house(tmp_path: Path, postgres: PostgresServer) -> None:
    with postgres.lent_database() as database:
        automatic, [by_hand] = found_house(database, 7, 1)
        options = ("--pace", "0.02", "--rate", "100000")
        with served_house(tmp_path, database, 3, *options, apart_ms=(0, 4_000, -4_000)) as house:
            urls = [server.url for server in house.servers]
            wait_until(lambda: sorted(spread(house.holders(), urls)) == [2, 2, 3])
            streams = [StreamLog(server.client("Sue"), by_hand, Role.PIT_SUPERVISOR) for server in house.servers]
            watched = [StreamLog(server.client("Aud"), automatic[0], Role.AUDITOR) for server in house.servers]
            bets_at_once(house, by_hand)
            told_everywhere(house, by_hand, streams)
            bettors = [
                Bettor(house.servers[n % 3].client("Lee"), table, 9, Random(n))
                for n, table in enumerate((*automatic[:2], by_hand))
            ]
            for bettor in bettors:
                bettor.start()
            killed, paused, stopped = house.servers
            held_up_and_killed(house, killed, paused)
            goes_on(house, automatic, ends_of=stopped, by=signal.SIGTERM)
            for bettor in bettors:
                bettor.stop()
                assert bettor.problems == []
            ends_in_order(house, paused, [streams[1], watched[1]], (by_hand, automatic[0]))
            for log in (*streams, *watched):
                assert log.seqs == list(range(1, len(log.seqs) + 1)), "every event once, in its order"
                log.close()
        with open_store(database) as store:
            check_store(store)
            for bettor in bettors:
                check_acknowledged(store, bettor.journal)


def bets_at_once(house: ServedHouse, table: str) -> None:
    """A round is called by one server; bets come to all at once, and each is there once."""
    for server, step in zip(house.servers, ("load-shoe", "burn-cards"), strict=False):
        assert isinstance(give(server, "Dan", Role.DEALER, table, {"type": step}), Done)
    seat = {"type": "take-seat", "box": 1}
    assert isinstance(house.servers[1].client("Kim").give(table, seat, Role.PLAYER), Done)
    called = give(house.servers[2], "Dan", Role.DEALER, table, CALL)
    assert isinstance(called, Done), called
    bet = {"type": "place-bet", "box": 1, "area": "banker", "amount": 10_000, "round": 1}

    clients = [server.client("Kim") for server in house.servers]

    def place(n: int) -> object:
        return clients[n % 3].give(table, bet, Role.PLAYER, key=f"bet-{n // 3}")

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(place, range(18)))
    for n in range(0, 18, 3):
        assert all(isinstance(answer, Done) for answer in answers[n : n + 3]), answers
        assert len({answer.version for answer in answers[n : n + 3] if isinstance(answer, Done)}) == 1, (
            "carried out once"
        )
    late = house.servers[1].client("Dan").give(table, CLOSE, Role.DEALER, expected=called.version)
    assert isinstance(late, Refused) and late.reason == "version", "what was decided on another version is refused"


def told_everywhere(house: ServedHouse, table: str, streams: list[StreamLog]) -> None:
    """A call for the pit, a pause that somebody else makes, a stop of the floor, and a session that ends."""
    first, second, third = house.servers
    assert first.client("Dan").http.post(f"/tables/{table}/pit-calls", json={}).status_code == 201
    for log in streams:
        wait_until(log.has, "pit-call")
    assert second.client("Rob").http.post("/house/stop", json={"reason": "a drill"}).status_code == 200
    bet = {"type": "place-bet", "box": 1, "area": "banker", "amount": 10_000, "round": 1}
    refused = third.client("Kim").give(table, bet, Role.PLAYER)
    assert isinstance(refused, Refused) and refused.reason == "stopped"

    def is_stopped() -> bool:
        shown = third.client("Sue").table(table, Role.PIT_SUPERVISOR)
        return not isinstance(shown, Refused) and shown.view.get("stopped") is not None

    wait_until(is_stopped)
    assert first.client("Rob").http.post("/house/start", json={}).status_code == 200
    wait_until(lambda: not is_stopped())
    leaving = StreamLog(third.client("Mia"), table, Role.PIT_MANAGER)
    wait_until(lambda: bool(leaving.seqs))
    assert first.client("Mia").http.delete("/sessions/current").status_code == 204
    wait_until(lambda: leaving.is_over)
    leaving.close()
    assert third.client("Mia").http.get("/sessions/current").status_code == 401


def held_up_and_killed(house: ServedHouse, killed: HouseServer, paused: HouseServer) -> None:
    """One server is stopped by the system while others play on, one is killed; the first comes back late."""
    paused.send(signal.SIGSTOP)
    goes_on(house, [table for table, url in house.holders().items() if url == paused.url])
    paused.send(signal.SIGCONT)
    wait_until(lambda: paused.url in house.holders().values())
    goes_on(house, [table for table, url in house.holders().items()], ends_of=killed, by=signal.SIGKILL)


def goes_on(
    house: ServedHouse, tables: list[str], ends_of: HouseServer | None = None, by: int = signal.SIGKILL
) -> None:
    """These tables go on, whoever ends; nobody deals for a server that has gone."""
    if ends_of is not None:
        ends_of.end(by)
    before = house.versions()
    wait_until(lambda: all(version > before[id] + 12 for id, version in house.versions().items() if id in tables))
    if ends_of is not None:
        wait_until(lambda: ends_of.url not in house.holders().values())


def ends_in_order(house: ServedHouse, last: HouseServer, logs: list[StreamLog], tables: tuple[str, str]) -> None:
    """What the last server has sent is all that there is."""
    assert set(house.holders().values()) == {last.url}
    stopping = last.client("Rob").http.post("/house/stop", json={"reason": "the end"})
    assert stopping.status_code == 200
    at_rest: dict[str, int] = {}

    def is_all_sent() -> bool:
        return all(len(log.seqs) >= at_rest[table] for log, table in zip(logs, tables, strict=True))

    while (versions := house.versions()) != at_rest:
        at_rest.update(versions)
        wait_until(is_all_sent)
