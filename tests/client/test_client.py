"""Both clients at a running floor: the same calls, the same answers, the same streams."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from punto.client import AsyncClient, AsyncStream, Client, Done, Refused, ShownTable, Stream, StreamClosed, Waiting
from punto.client.client import is_of_this_machine
from punto.floor.answers import LoggedInAnswer
from tests.server.conftest import floor
from tests.server.running_floor import PASSWORD, RunningFloor

__all__ = ["floor"]


def kinds_until(frames: list[dict[str, Any]], last: str) -> list[str]:
    events = [frame["event"]["type"] for frame in frames if frame["type"] == "event"]
    assert events[-1] == last
    return events


def test_a_client_that_waits(floor: RunningFloor) -> None:
    table = floor.new_table("ez")
    with Client(floor.url) as client:
        refused = client.log_in("Dan", "wrong")
        assert isinstance(refused, Refused) and refused.status == 401
        logged_in = client.log_in("Dan", PASSWORD)
        assert isinstance(logged_in, LoggedInAnswer) and client.session == logged_in
        shown = client.table(table, role="dealer")
        assert isinstance(shown, ShownTable) and table in [each.table for each in client.tables()]  # type: ignore[union-attr]
        with client.stream(table, after=shown.version, role="dealer") as stream:  # type: ignore[union-attr]
            assert isinstance(stream, Stream)
            assert isinstance(client.give(table, {"type": "load-shoe"}, "dealer", expected=shown.version), Done)
            frames = [stream.next()]
            while frames[-1].get("event", {}).get("type") != "shoe-loaded":
                frames.append(stream.next())
            assert kinds_until(frames, "shoe-loaded") and stream.seq == client.table(table).version  # type: ignore[union-attr]
        assert client.log_out() is None and vars(client)["session"] is None
        gone = client.account()
        assert isinstance(gone, Refused) and gone.reason == "no-session"


def test_an_address_is_that_of_a_floor() -> None:
    for url in ("http://floor", "http://floor/", "http://floor/api/v1", "http://floor/api/v1/"):
        with Client(url) as client:
            assert (client.url, str(client.http.base_url)) == ("http://floor", "http://floor/api/v1/")
    for url in ("localhost:8317", "127.0.0.1:8317", "ftp://floor", "http://", ""):
        with pytest.raises(ValueError, match=r"is not the address of a floor; write it as http://127\.0\.0\.1:8317"):
            Client(url)


def test_a_client_that_is_awaited(floor: RunningFloor) -> None:
    table = floor.new_table("ez")

    async def work() -> None:
        async with AsyncClient(floor.url) as client:
            refused = await client.log_in("Dan", "wrong")
            assert isinstance(refused, Refused) and refused.status == 401
            logged_in = await client.log_in("Dan", PASSWORD)
            assert isinstance(logged_in, LoggedInAnswer) and client.session == logged_in
            shown, tables = await asyncio.gather(client.table(table, role="dealer"), client.tables())
            assert isinstance(shown, ShownTable) and not isinstance(tables, Refused)
            assert table in [each.table for each in tables]
            stream = await client.stream(table, after=shown.version, role="dealer")
            assert isinstance(stream, AsyncStream)
            async with stream:
                given = await client.give(table, {"type": "load-shoe"}, "dealer", expected=shown.version)
                assert isinstance(given, Done)
                frames = []
                async for frame in stream:
                    frames.append(frame)
                    if frame.get("event", {}).get("type") == "shoe-loaded":
                        break
                assert kinds_until(frames, "shoe-loaded") and stream.seq == given.version
            with pytest.raises(StreamClosed):
                await stream.send({"type": "fold"})
            assert await client.log_out() is None and vars(client)["session"] is None
            gone = await client.account()
            assert isinstance(gone, Refused) and gone.reason == "no-session"

    asyncio.run(work())


def test_answers_of_every_form(floor: RunningFloor) -> None:
    """A file, a list out of an answer, JSON as it comes, what waits for a second person, and no answer at all."""
    cashier, audit, office = floor.client("Cas"), floor.client("Aud"), floor.client("Ada")
    moved = cashier.buy_in("Kim", "1,250.50")
    assert not isinstance(moved, Refused) and moved.amount == 125_050
    assert isinstance(cashier.correct_account("Kim", -100, "miscounted"), Waiting)
    people = office.people()
    assert not isinstance(people, Refused) and "Kim" in [member.account for member in people]
    sheet = audit.significant_events_file("csv")
    assert isinstance(sheet, bytes) and b"," in sheet
    ready, house = office.ready(), office.house()
    assert isinstance(ready, dict) and ready["status"] == "ready"
    assert isinstance(house, dict) and "play_money" in house
    other = floor.fresh_client("Kim")
    [*_, session] = other.sessions()  # type: ignore[misc]
    assert office.end_session(session.session) is None
    assert isinstance(other.account(), Refused)


def test_a_device_speaks_with_its_key(floor: RunningFloor) -> None:
    table = floor.new_table("ez")
    issued = floor.fresh_client("Rob").issue_device_key(table, "reader")
    assert not isinstance(issued, Refused)
    with Client(floor.url, token=issued.key) as device:
        alive, early = device.say_alive(), device.read_card("K♠", table)
    assert isinstance(alive, dict) and alive["table"] == table
    assert isinstance(early, Refused) and early.status == 409


def test_a_proxy_of_the_environment_is_told_nothing_of_this_machine(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would read passwords, and the key of the command line, which goes to servers beside it unencrypted."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # where nobody listens
    monkeypatch.delenv("no_proxy", raising=False)
    table = floor.new_table("ez")

    async def look() -> None:
        async with AsyncClient(floor.url) as client:
            assert isinstance(await client.log_in("Dan", PASSWORD), LoggedInAnswer)
            stream = await client.stream(table, role="dealer")
            assert isinstance(stream, AsyncStream)
            async with stream:
                assert (await stream.next())["type"] == "snapshot"

    with Client(floor.url) as client:
        assert isinstance(client.log_in("Dan", PASSWORD), LoggedInAnswer)
        stream = client.stream(table, role="dealer")
        assert isinstance(stream, Stream)
        with stream:
            assert stream.next()["type"] == "snapshot"
    asyncio.run(look())


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://127.0.0.1:8317", True),
        ("http://localhost:8317", True),
        ("http://[::1]:8317", True),
        ("https://floor.example", False),
        ("http://127.0.0.1.floor.example", False),
        ("http://192.0.2.7:8317", False),
    ],
)
def test_what_is_of_this_machine(url: str, is_here: bool) -> None:
    assert is_of_this_machine(url) == is_here
