"""What guests are sent, beat by beat, by a clock of the test's own: nothing before its time, nothing that is hidden,
once for all of them; and nothing at all for what happens elsewhere.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.dealer.dealer import Pace
from punto.floor.floor import HUMAN_PACE
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.server import gallery as module
from punto.server.broadcast import Watcher
from punto.server.count_room import CountRoomProcess
from punto.server.gallery import Gallery
from punto.server.validation import Rejected
from punto.store.reader import Reader
from punto.store.store import open_store
from punto.table.betting import CallBets, CloseBets
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import ChangeTerms, CloseTable, LoadShoe, TakeSeat
from punto.table.settlement import SettleRound
from punto.table.terms import Faces
from punto.views.spectator_view import guest_view
from tests.floor.house import House, accepted

DELAY_S = 60


class CountingHere:
    """A count room in this process."""

    def __init__(self, house: House) -> None:
        self._room = CountRoomProcess(house.store)
        self.asked = 0

    async def ask(self, _: str, work: Callable[..., Any], *arguments: Any, **_key: Any) -> msgspec.Raw:
        self.asked += 1
        return msgspec.Raw(msgspec.json.encode(work(self._room, *arguments)))


class Watched:
    """A house, and its gallery by a clock of the test's own."""

    def __init__(self, house: House, player: str = "Lee") -> None:
        self.house, self.player = house, player
        self.delay: int | None = DELAY_S
        self.pace: Pace | None = None
        self.now = 10_000_000
        self.counting = cast(Any, CountingHere(house))
        self.gallery = Gallery(self._read, lambda: self.now, lambda: self.delay, lambda _: self.pace, self.counting)
        house.buy_in(player, 10_000_000)

    async def _read(self, work: Callable[[Reader], Any]) -> Any:
        with self.house.store.read() as reader:
            return work(reader)

    def at(self, seconds: float) -> None:
        """Let what follows happen at this second."""
        self.now = 10_000_000 + int(seconds * 1000)
        self.house.time = self.now

    def open(self, id: str = "t1", **terms: Any) -> None:
        terms = {"source": SourceKind.ENTERED, "burn": "none", "faces": Faces.UP, **terms}
        self.house.open(id, "commission", **terms)

    def start(self, id: str = "t1", amount: int = 10_000) -> None:
        """A shoe, somebody who sits in box 2, a call and a bet."""
        if self.house.table(id).state.shoe is None:
            accepted(self.house.deal(LoadShoe, id))
            accepted(self.house.ask(TakeSeat, self.player, id, box=2))
        accepted(self.house.deal(CallBets, id))
        accepted(self.house.bet(self.player, amount, id=id))

    def deal(self, cards: str, id: str = "t1") -> None:
        if self.house.table(id).state.phase.value == "betting":
            accepted(self.house.deal(CloseBets, id))
        for card in cards.split():
            accepted(self.house.deal(DealCard, id, card=Card(card)))

    async def beat(self) -> None:
        """One beat, and whatever it has begun."""
        await self.gallery._look_once()
        for task in tuple(self.gallery._pasts.values()):
            await task


def heard(guest: Watcher) -> list[dict[str, Any]]:
    """The frames that have come since the last time."""
    frames = [json.loads(frame) for frame in guest._waiting]
    guest._waiting.clear()
    return frames


def kinds(guest: Watcher) -> list[str]:
    return [frame["type"] for frame in heard(guest)]


@contextmanager
def watched(database: str, **options: Any) -> Iterator[Watched]:
    with open_store(database) as store, House(store) as house:
        yield Watched(house, **options)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Watched]:
    with watched(str(tmp_path / "house.db")) as made:
        yield made


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_frames_come_when_they_are_old_enough_and_not_a_moment_before(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.at(1)
        hall.start()
        hall.at(20)
        hall.deal("KS 2H 7D 6C")
        accepted(hall.house.deal(SettleRound))
        hall.at(61.5)
        guest = await hall.gallery.add("t1")
        first = heard(guest)
        assert [frame["type"] for frame in first] == ["watching", "snapshot"]
        assert first[0]["delay"] == DELAY_S and first[1]["view"]["phase"] == "betting"
        assert first[1]["view"]["hands"]["player"]["cards"] == [] and (first[1]["seq"], first[1]["legal"]) == (0, [])
        await hall.beat()
        assert kinds(guest) == ["roads", "history"]
        events, late = [record.event for record in _records(hall)], DELAY_S * 1000
        cards = [event.time for event in events if event.name() == "card-dealt"]
        assert len(cards) == 4
        for moment in range(cards[0] - 2, cards[-1] + 3):
            hall.now = moment + late
            await hall.beat()
            told = {key for frame in heard(guest) for key in frame.get("view", ())}
            hands = (await hall.gallery.view("t1")).hands
            assert len(hands.player.cards) + len(hands.banker.cards) == sum(time < moment for time in cards)
            assert ("hands" in told) == (moment - 1 in cards)

    run(watch())


def _records(hall: Watched) -> list[Any]:
    with hall.house.store.read() as reader:
        return reader.records("t1")


def test_a_round_of_changes_makes_the_view_that_is_sent_whole(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.start()
        hall.at(DELAY_S + 1)
        guest = await hall.gallery.add("t1")
        view: dict[str, Any] = {}
        for second, cards in enumerate(("KS", "2H", "7D", "6C"), start=DELAY_S + 2):
            hall.at(second)
            hall.deal(cards)
            hall.at(second + DELAY_S + 1)
            await hall.beat()
            for frame in heard(guest):
                view |= frame.get("view", {})
            hall.at(second + 0.5)
        hall.at(3 * DELAY_S)
        whole = replace(await hall.gallery.view("t1"), now=view["now"])
        assert view == json.loads(msgspec.json.encode(whole))
        assert view["result"]["winner"] == "banker" and view["result"]["lines"] == []

    run(watch())


# ── Two worlds ───────────────────────────────────────────────────────────────────────────────────


async def _lived(hall: Watched, *, cards: str, is_busy: bool, key: str) -> list[list[bytes]]:
    """The frames of each beat, at a table where cards lie face down, beside a private one."""
    hall.at(0)
    hall.open(faces=Faces.DOWN)
    hall.open("t2", private=True)
    hall.start()
    hall.deal(cards[:2])
    if is_busy:
        hall.start("t2")
        hall.deal("3S 4H 5D 6C", "t2")
    for second, card in enumerate(cards.split()[1:3], start=10):
        hall.at(second)
        accepted(hall.house.deal(DealCard, card=Card(card), key=f"{key} {second}"))
    hall.at(12)
    if is_busy:  # later than anybody without an account sees
        accepted(hall.house.deal(DealCard, card=Card("9S")))
        accepted(hall.house.deal(RevealCard, hand=Hand.PLAYER, number=1))
    beats: list[list[bytes]] = []
    hall.now = 10_000_000 + DELAY_S * 1000 + 500
    guests = [await hall.gallery.add("t1") for _ in range(2)]
    while hall.now < 10_000_000 + (DELAY_S + 12) * 1000:
        await hall.beat()
        beats.append(list(guests[0]._waiting))
        assert beats[-1] == list(guests[1]._waiting)
        for guest in guests:
            guest._waiting.clear()
        hall.now += 250
    beats.append([msgspec.json.encode(await hall.gallery.tables())])
    beats.append([msgspec.json.encode(await hall.gallery.past("t1"))])
    return beats


def test_worlds_that_differ_in_what_is_hidden_send_the_same_bytes_at_the_same_beats(tmp_path: Path) -> None:
    """Other names, other cards face down, another private table, other keys, and another future."""
    worlds = []
    for player, cards, is_busy in (("Lee", "KS 7D 6C", False), ("Somebody else", "3D QC 2H", True)):
        with watched(str(tmp_path / f"{player}.db"), player=player) as hall:
            worlds.append(asyncio.run(_lived(hall, cards=cards, is_busy=is_busy, key=player)))
    assert worlds[0] == worlds[1]
    assert sum(map(bool, worlds[0])) == 5, "a beginning, two cards, the list and the past: nothing else was sent"


def test_worlds_that_differ_in_what_shows_do_not(tmp_path: Path) -> None:
    """The checks beside it can fail."""
    worlds = []
    for card in ("KS", "3D"):
        with watched(str(tmp_path / f"{card}.db")) as hall:

            async def watch(hall: Watched = hall, card: str = card) -> list[dict[str, Any]]:
                hall.at(0)
                hall.open()
                hall.start()
                hall.deal(card)
                hall.at(DELAY_S + 1)
                return heard(await hall.gallery.add("t1"))

            worlds.append(asyncio.run(watch()))
    shown = [world[1]["view"]["hands"]["player"]["cards"][0]["card"] for world in worlds]
    assert shown == ["KS", "3D"]


async def _bet(hall: Watched, bets: list[tuple[int, str, str, int]]) -> list[list[bytes]]:
    """The frames of each beat of a round with these bets: at which second, whose, on what, how much."""
    hall.house.buy_in("Kim", 10_000_000)
    hall.at(0)
    hall.open()
    accepted(hall.house.deal(LoadShoe))
    for box, name in enumerate((hall.player, "Kim"), 1):
        accepted(hall.house.ask(TakeSeat, name, box=box))
    accepted(hall.house.deal(CallBets))
    for second, name, area, amount in bets:
        hall.at(second)
        accepted(hall.house.bet(name, amount, area, box=1 if name == hall.player else 2))
    hall.at(20)
    hall.deal("KS 2H 7D 6C")
    hall.at(25)
    accepted(hall.house.deal(SettleRound))
    beats: list[list[bytes]] = []
    hall.now = 10_000_000 + DELAY_S * 1000 + 500
    guest = await hall.gallery.add("t1")
    while hall.now < 10_000_000 + (DELAY_S + 30) * 1000:
        await hall.beat()
        beats.append(list(guest._waiting))
        guest._waiting.clear()
        hall.now += 250
    beats.append([msgspec.json.encode(one) for one in (await hall.gallery.tables(), await hall.gallery.past("t1"))])
    return beats


def test_bets_are_nothing_that_guests_could_see(tmp_path: Path) -> None:
    """Neither how much lies where nor when it was laid: with one person the sum is the bet, and with many each bet is
    what the sum grows by."""
    bets: tuple[list[tuple[int, str, str, int]], ...] = (
        [],
        [(3, "Lee", "banker", 10_000)],
        [
            (5, "Lee", "player", 30_000),
            (7, "Kim", "tie", 5_000),
            (9, "Kim", "banker", 20_000),
            (11, "Lee", "player", 10_000),
        ],
    )
    worlds = []
    for number, laid in enumerate(bets):
        with watched(str(tmp_path / f"{number}.db")) as hall:
            worlds.append(asyncio.run(_bet(hall, laid)))
    assert worlds[0] == worlds[1] == worlds[2]
    frames = [json.loads(frame) for beat in worlds[0][:-1] for frame in beat]
    assert [frame["type"] for frame in frames[:2]] == ["watching", "snapshot"]
    assert {area["laid"] for area in frames[1]["view"]["areas"]} == {None}
    assert any("result" in frame.get("view", ()) for frame in frames), "the round was seen to its end"


# ── What is not for guests ───────────────────────────────────────────────────────────────────────


def test_a_private_table_and_one_that_is_not_there_are_alike(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open(private=True)
        hall.start()
        hall.at(2 * DELAY_S)
        for id in ("t1", "t9", "no table", ""):
            began = asyncio.get_running_loop().time()
            with pytest.raises(Rejected) as refused:
                await hall.gallery.add(id)
            assert refused.value.text.sentence == "there is no such table to watch" and refused.value.status == 404
            assert asyncio.get_running_loop().time() - began >= module.BEAT_S - 0.01
        assert await hall.gallery.tables() == []

    run(watch())


def test_a_table_that_becomes_private_is_gone_when_that_is_old_enough(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.at(10)
        terms = replace(hall.house.table().terms, private=True)
        accepted(hall.house.deal(ChangeTerms, by="Rob", role=Role.SHIFT_MANAGER, terms=terms))
        hall.at(DELAY_S + 9)
        guest = await hall.gallery.add("t1")
        await hall.beat()
        assert hall.gallery.is_shown_to(guest) and not guest._recheck_due.is_set()
        hall.at(DELAY_S + 11)
        await hall.beat()
        assert not hall.gallery.is_shown_to(guest) and guest._recheck_due.is_set()
        assert "private" not in str(heard(guest)[2:])

    run(watch())


def test_another_delay_begins_anew_and_none_ends_it(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.at(1)
        hall.start()
        hall.at(DELAY_S + 2)
        guest = await hall.gallery.add("t1")
        hall.delay = DELAY_S + 1
        await hall.beat()
        assert guest._recheck_due.is_set() and not hall.gallery.is_shown_to(guest)
        assert (await hall.gallery.view("t1")).phase.value == "idle", "what was shown by the shorter delay is too young"
        hall.delay = None
        await hall.beat()
        assert not hall.gallery._tables

    run(watch())


def test_a_closed_table_is_shown_as_closed(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.at(5)
        accepted(hall.house.deal(CloseTable, by="Rob", role=Role.SHIFT_MANAGER))
        hall.at(DELAY_S + 6)
        assert [one.phase.value for one in await hall.gallery.tables()] == ["closed"]

    run(watch())


# ── The clock of an automatic table ──────────────────────────────────────────────────────────────


def test_how_a_table_is_run_is_news_for_as_long_as_everything_else(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open(source=SourceKind.SHUFFLED)
        hall.pace = HUMAN_PACE
        hall.at(DELAY_S + 1)
        assert not (await hall.gallery.view("t1")).dealer, "nobody has looked for so long"
        hall.start()
        called = hall.house.table().state.since
        for second in range(DELAY_S + 2, 2 * DELAY_S + 2):
            hall.at(second)
            await hall.beat()
        assert not (await hall.gallery.view("t1")).dealer
        hall.now = called + DELAY_S * 1000 + 2_000
        await hall.beat()
        view = await hall.gallery.view("t1")
        assert view.dealer and view.clock is not None and HUMAN_PACE.bets is not None
        assert view.clock.ends_in_ms == HUMAN_PACE.bets - 2_000
        hall.pace = None
        await hall.beat()
        assert (await hall.gallery.view("t1")).dealer

    run(watch())


# ── Many guests ──────────────────────────────────────────────────────────────────────────────────


def test_what_all_guests_of_a_table_see_is_worked_out_once(hall: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()
    seen = guest_view

    def counted(*arguments: Any) -> Any:
        made.append("view")
        return seen(*arguments)

    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.at(1)
        hall.start()
        hall.deal("KS 2H 7D 6C")
        accepted(hall.house.deal(SettleRound))
        hall.at(DELAY_S + 0.5)
        monkeypatch.setattr(module, "guest_view", counted)
        guests = [await hall.gallery.add("t1") for _ in range(300)]
        await hall.beat()
        assert (len(made), hall.counting.asked) == (2, 1), "when the first one came, and at the first beat"
        for guest in guests:
            assert kinds(guest) == ["watching", "snapshot", "roads", "history"]
        hall.at(DELAY_S + 2)
        await hall.beat()
        assert (len(made), hall.counting.asked) == (3, 2)
        frames = {tuple(guest._waiting) for guest in guests}
        assert len(frames) == 1 and len(next(iter(frames))) == 3
        await hall.beat()
        assert len(made) == 3, "nothing has happened since"

    run(watch())


def test_places_are_counted_by_address(hall: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GUESTS_OF_ADDRESS", 2)
    monkeypatch.setattr(module, "MOST_GUESTS", 3)
    assert [hall.gallery.enter(address) for address in "aaabb"] == [True, True, False, True, False]
    hall.gallery.leave("a")
    assert hall.gallery.enter("b") and not hall.gallery.enter("a")


def test_what_nobody_wants_any_more_is_forgotten(hall: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.open("t2")
        hall.at(DELAY_S + 1)
        monkeypatch.setattr(module, "WANTED_S", 0.0)
        guest = await hall.gallery.add("t1")
        await hall.gallery.tables()
        assert set(hall.gallery._tables) == {"t1", "t2"}
        assert hall.gallery._is_wanted()
        await hall.beat()
        assert set(hall.gallery._tables) == {"t1"}
        hall.gallery.remove(guest)
        assert not hall.gallery._is_wanted() and hall.gallery.count() == 0

    run(watch())


def test_a_database_that_was_put_back_is_read_anew(hall: Watched) -> None:
    async def watch() -> None:
        hall.at(0)
        hall.open()
        hall.at(DELAY_S + 1)
        await hall.gallery.tables()
        known = hall.gallery._tables["t1"].delayed
        known.loaded = replace(known.loaded, version=99)
        await hall.beat()
        assert hall.gallery._tables["t1"].loaded.version == 1

    run(watch())
