"""People without an account watch tables, rounds and shoes, where the house lets them: later, and without names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.audit.shuffle import ShoeRecord, check_shoe
from punto.books import load
from punto.cards.source import SourceKind
from punto.client import Done
from punto.floor.house_rules import change_rules
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.server import gallery
from punto.server.access import Throttle
from punto.server.app import INSIDE
from punto.server.messages import CloseCode
from punto.table.house import is_shoe_finished
from punto.table.terms import Faces
from tests.server.running_floor import PEOPLE, RunningFloor, running_floor
from tests.store.postgres_server import PostgresServer

LONG_S = 86_400


def ask(floor: RunningFloor, path: str = "/watch/tables") -> httpx.Response:
    return httpx.get(f"{floor.url}/api/v1{path}", timeout=60)


def see(floor: RunningFloor, path: str, is_seen: Callable[[Any], bool]) -> Any:
    """Ask until that is seen: guests see the beat before, which may be older than what has just been done."""
    while True:
        answer = ask(floor, path)
        if answer.status_code == 200 and is_seen(answer.json()):
            return answer.json()


def ask_after_looking(floor: RunningFloor, path: str) -> httpx.Response:
    """The answer, however many requests `see` has just made: guests have so many a second."""
    while (answer := ask(floor, path)).status_code == 429:
        pass
    return answer


def allow(floor: RunningFloor, seconds: int | None) -> None:
    changed = change_rules(floor.store, {"watch_delay_seconds": seconds}, "Ada", 1, "a test")
    assert not isinstance(changed, Refusal), changed
    floor.app_state.orders.look()


@pytest.fixture(autouse=True)
def _as_late_as_it_happens(floor: RunningFloor) -> Iterator[None]:
    allow(floor, 0)
    yield
    allow(floor, None)


@contextmanager
def watching(floor: RunningFloor, id: str) -> Iterator[ClientConnection]:
    with connect(f"{floor.url.replace('http', 'ws')}/api/v1/watch/tables/{id}/stream") as line:
        yield line


def until(line: ClientConnection, view: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    """Listen until the view is as wanted; the frames that came."""
    frames: list[dict[str, Any]] = []
    while any(view.get(name) != value for name, value in wanted.items()):
        frames.append(json.loads(line.recv(60)))
        view |= frames[-1].get("view", {})
    return frames


def ping_often(line: ClientConnection) -> None:
    for _ in range(10_000):
        line.ping()


def code_of(line: ClientConnection) -> tuple[int, list[str]]:
    """With which code a stream ends, and the frames before that."""
    frames: list[str] = []
    while True:
        try:
            frames.append(str(line.recv(60)))
        except ConnectionClosed as closed:
            return (closed.rcvd.code if closed.rcvd is not None else 0), frames


class Dealt:
    """A table of the book commission, dealt by hand, with a bet of Lee's in every round."""

    def __init__(self, floor: RunningFloor, **terms: Any) -> None:
        self.floor, self.id = floor, floor.new_table(burn="none", behind_cut=404, rounds_after_cut=0, **terms)
        floor.client("Cas").buy_in("Lee", 1_000_000)
        self.give("take-seat", "Lee", Role.PLAYER, box=3)

    def give(self, type: str, name: str = "Dan", role: Role = Role.DEALER, **fields: Any) -> None:
        expected = self.floor.version(self.id) if role is not Role.PLAYER else None
        came = self.floor.client(name).give(self.id, {"type": type, **fields}, role, expected=expected)
        assert isinstance(came, Done), came

    def call(self) -> None:
        state = self.state
        if state.shoe is None:
            self.give("load-shoe")
        if self.state.burn_due:
            self.give("burn-cards")
        self.give("call-bets")
        self.give("place-bet", "Lee", Role.PLAYER, box=3, area="banker", amount=12_300, round=self.state.round)

    def finish(self) -> None:
        self.give("close-bets")
        while self.state.phase.value == "dealing":
            self.give("deal-card")
        self.give("settle-round")

    def play_shoe(self) -> None:
        """Rounds until the next shoe is due, which is a few."""
        while self.state.shoe is None or not is_shoe_finished(self.state):
            self.call()
            self.finish()
        self.give("load-shoe")

    @property
    def digest(self) -> str:
        return digest_of(load("commission"))

    @property
    def state(self) -> Any:
        loaded = self.floor.app_state.floor.table(self.id)
        assert loaded is not None
        return loaded.table.state


@pytest.fixture(scope="module")
def played(floor: RunningFloor) -> Dealt:
    """A table whose first shoe is out of play, and whose next one has a round behind it and one open."""
    dealt = Dealt(floor)
    dealt.play_shoe()
    dealt.call()
    dealt.finish()
    dealt.call()
    return dealt


GUEST_PATHS = sorted({endpoint.path for endpoint in INSIDE if endpoint.is_for_guests})


def address(path: str, id: str, digest: str = "ez") -> str:
    return path.replace("{id}", id).replace("{round}", "1").replace("{shoe}", "1").replace("{digest}", digest)


def test_nobody_watches_where_the_house_has_not_said_so(floor: RunningFloor, played: Dealt) -> None:
    allow(floor, None)
    assert {ask(floor, address(path, played.id)).status_code for path in GUEST_PATHS} == {401}
    with watching(floor, played.id) as line:
        assert code_of(line) == (CloseCode.SESSION, [])
    assert ask(floor, "/house").json()["watch_delay_seconds"] is None
    allow(floor, 30)
    assert ask(floor, "/house").json()["watch_delay_seconds"] == 30


def test_a_guest_sees_tables_rounds_shoes_and_books_and_nobodys_name(floor: RunningFloor, played: Dealt) -> None:
    open, last = played.state.round, played.state.round - 1
    path = f"/watch/tables/{played.id}"
    table = see(floor, path, lambda told: told["view"]["round"] == open)
    line = next(one for one in ask(floor).json()["tables"] if one["table"] == played.id)
    assert (line["phase"], line["round"], line["taken"]) == ("betting", open, 1)
    assert table["delay"] == 0 and [one["round"] for one in table["rounds"]] == list(range(last, 0, -1))
    assert {area["laid"] for area in table["view"]["areas"]} == {None} and "12300" not in json.dumps(table["view"])
    assert table["roads"] == ask(floor, f"/watch/tables/{played.id}/roads").json()["roads"]
    assert table["roads"]["counts"]["rounds"] == 1, "the roads are those of the shoe in play"
    mine = floor.client("Lee").http.get(f"/tables/{played.id}/rounds/{last}").json()
    round = ask(floor, f"/watch/rounds/{played.id}/{last}").json()
    assert (round["played"]["winner"], round["digest"]) == (mine["played"]["winner"], mine["digest"])
    assert round["steps"][-1]["hands"] == mine["steps"][-1]["hands"] and mine["steps"][-1]["lines"]
    assert [step["seq"] for step in round["steps"]] == list(range(1, len(round["steps"]) + 1))
    assert ask(floor, f"/watch/rounds/{played.id}/{open}").json()["refusal"]["reason"] == "still-open"
    assert ask(floor, f"/watch/rounds/{played.id}/{open + 1}").status_code == 404
    shoe = ask(floor, f"/watch/shoes/{played.id}/1").json()
    assert shoe["matches"] and shoe["dealt"] and shoe["commitment"]
    assert check_shoe(msgspec.convert(shoe, ShoeRecord)).matches
    assert ask(floor, f"/watch/shoes/{played.id}/2").json()["refusal"]["reason"] == "still-open"
    assert ask(floor, f"/watch/shoes/{played.id}/3").status_code == 404
    book = ask(floor, f"/watch/books/{line['book']['digest']}")
    assert book.json()["digest"] == line["book"]["digest"]
    assert ask(floor, "/watch/books/insurance").status_code == 404, "no table is played by it"
    for path in GUEST_PATHS:
        answer = ask(floor, address(path, played.id, line["book"]["digest"]))
        assert answer.status_code == 200, (path, answer.text)
        assert not [name for name in PEOPLE if f'"{name}"' in answer.text or f" {name} " in answer.text]
        assert answer.headers["cache-control"] == "no-store"


def test_what_is_not_old_enough_is_not_there(floor: RunningFloor, played: Dealt) -> None:
    allow(floor, LONG_S)
    assert ask(floor).json() == {"delay": LONG_S, "tables": []}
    for path in set(GUEST_PATHS) - {"/watch/tables"}:
        assert ask(floor, address(path, played.id)).status_code == 404, path
    with watching(floor, played.id) as line:
        assert code_of(line) == (CloseCode.TABLE, [])


def test_a_guest_learns_nothing_else(floor: RunningFloor, played: Dealt) -> None:
    hidden = Dealt(floor, private=True)
    hidden.call()
    hidden.finish()
    answers = []
    for id in (hidden.id, "t-none"):
        answers.append([ask(floor, address(path, id)).status_code for path in GUEST_PATHS if "{id}" in path])
        with watching(floor, id) as line:
            assert code_of(line) == (CloseCode.TABLE, [])
    assert set(answers[0]) == {404} and answers[0] == answers[1] and hidden.id not in ask(floor).text
    for path in ("/tables", f"/tables/{played.id}", f"/tables/{played.id}/events", f"/tables/{played.id}/rounds/1"):
        assert ask(floor, path).status_code == 401
    assert httpx.post(f"{floor.url}/api/v1/tickets").status_code == 401
    assert ask(floor, "/watch/tables/%00").status_code in (400, 404)
    assert ask(floor, "/watch/tables?role=dealer").status_code == 400


def test_a_round_that_was_private_stays_so(floor: RunningFloor) -> None:
    dealt = Dealt(floor, private=True)
    dealt.call()
    dealt.finish()
    terms = msgspec.to_builtins(dealt.state.terms) | {"private": False}
    dealt.give("change-terms", "Rob", Role.SHIFT_MANAGER, terms=terms)
    assert ask(floor, f"/watch/tables/{dealt.id}").status_code == 404, "its cards still lie there"
    dealt.call()
    shown = see(floor, f"/watch/tables/{dealt.id}", lambda told: told["view"]["phase"] == "betting")
    assert (shown["view"]["round"], shown["rounds"], shown["roads"]["counts"]["rounds"]) == (2, [], 0)
    assert ask_after_looking(floor, f"/watch/rounds/{dealt.id}/1").status_code == 404
    dealt.finish()
    see(floor, f"/watch/rounds/{dealt.id}/2", lambda told: told["played"]["round"] == 2)
    dealt.play_shoe()
    dealt.call()
    see(floor, f"/watch/tables/{dealt.id}", lambda told: told["view"]["shoe"]["number"] == 2)
    shoe = ask_after_looking(floor, f"/watch/shoes/{dealt.id}/1")
    assert shoe.status_code == 404, "some of its cards were dealt in private"


def test_a_stream_follows_a_round_without_what_is_hidden(floor: RunningFloor) -> None:
    dealt = Dealt(floor, faces=Faces.DOWN, source=SourceKind.SHUFFLED)
    with watching(floor, dealt.id) as line:
        view: dict[str, Any] = {}
        frames = until(line, view, phase="idle")
        assert [frame["type"] for frame in frames] == ["watching", "snapshot"]
        dealt.call()
        until(line, view, round=1, phase="betting")
        dealt.give("close-bets")
        for number in range(1, 5):
            dealt.give("deal-card")
            while sum(len(view["hands"][hand]["cards"]) for hand in view["hands"]) < number:
                frames.append(json.loads(line.recv(60)))
                view |= frames[-1].get("view", {})
        cards = [card for hand in view["hands"].values() for card in hand["cards"]]
        assert [(card["card"], card["up"]) for card in cards] == [(None, False)] * 4
        assert {frame["type"] for frame in frames} <= {"watching", "snapshot", "changes", "roads", "history"}
        assert "Lee" not in json.dumps(frames)


def test_a_guest_says_nothing(floor: RunningFloor, played: Dealt) -> None:
    with watching(floor, played.id) as line:
        line.send(json.dumps({"type": "hello", "ticket": "x"}))
        assert code_of(line)[0] == CloseCode.BAD_FRAME
    with watching(floor, played.id) as line:
        line.recv(60)
        with pytest.raises(ConnectionClosed):
            ping_often(line)


def test_a_stream_ends_when_the_house_thinks_again(floor: RunningFloor, played: Dealt) -> None:
    with watching(floor, played.id) as line:
        line.recv(60)
        allow(floor, 1)
        assert code_of(line)[0] == CloseCode.STOPPING
    see(floor, f"/watch/tables/{played.id}", lambda _: True)  # the table may be younger than a second
    with watching(floor, played.id) as line:
        assert json.loads(line.recv(60)) == {"type": "watching", "delay": 1}
        allow(floor, None)
        assert code_of(line)[0] == CloseCode.SESSION


def test_streams_and_questions_of_one_address_are_bounded(
    floor: RunningFloor, played: Dealt, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(gallery, "MOST_GUESTS_OF_ADDRESS", 1)
        with watching(floor, played.id) as first:
            first.recv(60)
            assert floor.app_state.gallery.count() == 1
            with watching(floor, played.id) as second:
                assert code_of(second) == (CloseCode.BUSY, [])
        with watching(floor, played.id) as third:
            assert json.loads(third.recv(60))["type"] in ("watching", "snapshot"), "a place that was left is free"
    monkeypatch.setattr(floor.app_state, "by_guest", Throttle(0.001, 2))
    assert [ask(floor).status_code for _ in range(3)] == [200, 200, 429]
    assert httpx.get(f"{floor.url}/api/v1/house").status_code == 200, "log-ins are counted apart"
    with watching(floor, played.id) as line:
        assert code_of(line) == (CloseCode.BUSY, [])


def test_all_who_watch_together_are_slowed_down(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor.app_state.gallery, "_asked", Throttle(0.001, 2))
    assert [ask(floor).status_code for _ in range(3)] == [200, 200, 429]


def test_calls_of_guests_are_told_apart_from_all_others() -> None:
    """What is for guests is under /watch, needs no session and changes nothing; and nothing else is there."""
    for endpoint in INSIDE:
        assert endpoint.is_for_guests == endpoint.path.startswith("/watch/"), endpoint.path
        if endpoint.is_for_guests:
            assert endpoint.is_open and endpoint.method == "GET" and not endpoint.is_act


def test_a_server_that_stops_sends_its_guests_away(floor: RunningFloor, played: Dealt) -> None:
    with watching(floor, played.id) as line:
        line.recv(60)
        floor.app_state.gallery.send_away(kept=1)
        assert floor.app_state.gallery.count() == 1
        floor.app_state.gallery.send_away(kept=0)
        assert code_of(line)[0] == CloseCode.STOPPING


def test_guests_of_any_server_see_what_one_of_them_deals(postgres: PostgresServer) -> None:
    """Two servers of one house: what is dealt at the first is watched at both, with the same view at the end of each
    round; and a house that thinks again sends guests of both away."""
    with postgres.lent_database() as database, running_floor(database) as first, running_floor(database, {}) as second:
        allow(first, 0)
        dealt = Dealt(first)
        while ask(second, f"/watch/tables/{dealt.id}").status_code != 200:  # its orders and its log come by themselves
            pass
        with watching(first, dealt.id) as near, watching(second, dealt.id) as far:
            views: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
            heard: list[dict[str, Any]] = []
            for number in (1, 2):
                dealt.call()
                for line, view in zip((near, far), views, strict=True):
                    heard += until(line, view, round=number, phase="betting")
                dealt.finish()
                for line, view in zip((near, far), views, strict=True):
                    heard += until(line, view, round=number, phase="idle")
                seen = [{name: part for name, part in view.items() if name != "now"} for view in views]
                assert seen[0] == seen[1] and seen[1]["hands"]["player"]["cards"], "all but when it was sent"
            assert "Lee" not in json.dumps(heard)
            roads = f"/watch/tables/{dealt.id}/roads"
            told = [see(each, roads, lambda told: told["roads"]["counts"]["rounds"] == 2) for each in (first, second)]
            rounds = [ask(each, f"/watch/rounds/{dealt.id}/2").json()["played"] for each in (first, second)]
            assert told[0] == told[1] and rounds[0] == rounds[1]
            allow(first, None)
            assert [code_of(line)[0] for line in (near, far)] == [CloseCode.SESSION] * 2
        assert ask(second).status_code == 401
