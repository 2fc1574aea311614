"""The fold of a card that is squeezed: the others see how it is bent, nobody sees which card it is, and nobody else
can show one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from punto.client import Stream, StreamClosed
from punto.rules.authority import Role
from punto.server import broadcast
from punto.server.broadcast import MOST_FRAMES_WAITING, Watcher
from punto.server.messages import CloseCode
from punto.server.switchboard import Switchboard
from punto.store.notice import Notice, NoticeKind, parse_notice
from punto.table.terms import Faces
from punto.views.viewer import Viewer
from tests.browser.croupier import Croupier
from tests.server.leaks import cards_in
from tests.server.running_floor import RunningFloor
from tests.server.test_stream import opened

FOLD = {"type": "fold", "hand": "player", "number": 1, "edge": "bottom-left", "part": 7}


class Squeezing:
    """A table at which Lee may open Player's first card, with streams of everybody."""

    def __init__(self, floor: RunningFloor, stack: ExitStack) -> None:
        self.floor, self.croupier = floor, Croupier(floor, "insurance", faces=Faces.DOWN)
        self.table = self.croupier.table
        self.lee, self.kim, self.dan = (self._watch(stack, name) for name in ("Lee", "Kim", "Dan"))
        self.program = stack.enter_context(opened(floor.client("Kim"), self.table))
        self.elsewhere = stack.enter_context(opened(floor.client("Kim"), floor.new_table("ez"), views=True))
        self.croupier.open_bets()
        for box, (name, amount) in enumerate((("Lee", 50_000), ("Kim", 10_000)), start=1):
            floor.client("Cas").buy_in(name, 100_000)
            self.croupier.give("take-seat", by=name, role=Role.PLAYER, box=box)
            bet = {"box": box, "area": "player", "amount": amount, "round": 1}
            self.croupier.give("place-bet", by=name, role=Role.PLAYER, **bet)
        self.croupier.give(**self.croupier.next())

    def _watch(self, stack: ExitStack, name: str) -> Stream:
        return stack.enter_context(opened(self.floor.client(name), self.table, views=True))

    def grant(self, number: int = 1) -> None:
        self.croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, hand="player", number=number)
        self.croupier.give("answer-squeeze", consent=True)

    def run_on_loop(self) -> None:
        """The pause after a fold is over."""
        broadcaster = self.floor.app_state.broadcaster
        assert broadcaster._loop is not None
        done: asyncio.Future[None] = asyncio.run_coroutine_threadsafe(self._next(), broadcaster._loop)  # type: ignore[assignment]
        done.result()

    async def _next(self) -> None:
        self.floor.app_state.broadcaster._next_fold(self.table)


def until_answered(stream: Stream) -> list[dict[str, Any]]:
    """Everything that a stream brings until the server has read all that was sent on it."""
    stream.send({"type": "command", "id": "last", "key": "k", "role": "cashier", "command": {"type": "leave-seat"}})
    frames: list[dict[str, Any]] = []
    while not frames or frames[-1]["type"] != "answer":
        frames.append(stream.next(60))
    return frames


def folds_in(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [frame for frame in frames if frame["type"] == "folded"]


def next_fold(stream: Stream) -> dict[str, Any]:
    while (frame := stream.next(60))["type"] != "folded":
        pass
    return frame


@pytest.fixture
def squeezing(floor: RunningFloor) -> Iterator[Squeezing]:
    with ExitStack() as stack:
        yield Squeezing(floor, stack)


def test_the_others_watch_the_fold_and_nobody_sees_the_card(squeezing: Squeezing, floor: RunningFloor) -> None:
    squeezing.grant()
    squeezing.croupier.deal("7S 6H 9D 8C")
    before = floor.version(squeezing.table)
    squeezing.lee.send(FOLD)
    seen = {**FOLD, "type": "folded", "round": 1, "player": "Lee"}
    frames: list[dict[str, Any]] = []
    for stream in (squeezing.kim, squeezing.dan):
        assert next_fold(stream) == seen
    for stream in (squeezing.program, squeezing.elsewhere, squeezing.kim):
        frames += until_answered(stream)
    assert folds_in(until_answered(squeezing.lee)) == folds_in(frames) == []
    assert cards_in(frames) == set()
    assert floor.version(squeezing.table) == before, "a fold is kept nowhere"


def test_only_who_squeezes_a_card_can_show_a_fold_of_it(squeezing: Squeezing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "FOLD_S", 600.0)
    squeezing.lee.send(FOLD)  # not granted
    until_answered(squeezing.lee)
    squeezing.grant()
    squeezing.lee.send(FOLD)  # not dealt
    until_answered(squeezing.lee)
    squeezing.croupier.deal("7S 6H 9D 8C")
    for stream in (squeezing.kim, squeezing.dan, squeezing.elsewhere):
        stream.send(FOLD)
        assert folds_in(until_answered(stream)) == []
    for other in ({"number": 2}, {"number": 3}, {"hand": "banker"}):
        squeezing.lee.send({**FOLD, **other})
    until_answered(squeezing.lee)
    squeezing.lee.send({**FOLD, "part": 9})
    assert next_fold(squeezing.dan)["part"] == 9
    squeezing.lee.send({**FOLD, "part": 12})
    until_answered(squeezing.lee)
    squeezing.croupier.give("reveal-card", by="Lee", role=Role.PLAYER, hand="player", number=1)
    squeezing.run_on_loop()
    squeezing.lee.send({**FOLD, "part": 15})
    until_answered(squeezing.lee)
    assert folds_in(until_answered(squeezing.dan)) == [], "the card is turned"


def test_a_flood_of_folds_is_one_now_and_the_latest_later(
    squeezing: Squeezing, floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "FOLD_S", 600.0)
    squeezing.grant()
    squeezing.croupier.deal("7S 6H 9D 8C")
    for number in range(1, 401):
        squeezing.lee.send({**FOLD, "part": number % 21})
    until_answered(squeezing.lee)
    assert [fold["part"] for fold in folds_in(until_answered(squeezing.dan))] == [1]
    squeezing.run_on_loop()
    assert next_fold(squeezing.dan)["part"] == 400 % 21
    assert floor.app_state.broadcaster._folds[squeezing.table] is None


def test_watchers_at_other_servers_are_told_by_a_notice(
    squeezing: Squeezing, floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Notice] = []
    monkeypatch.setattr(floor.store, "tell", lambda notices: told.extend(notices))
    squeezing.grant()
    squeezing.croupier.deal("7S 6H 9D 8C")
    squeezing.lee.send(FOLD)
    seen = next_fold(squeezing.dan)
    [notice] = [one for one in told if one.kind is NoticeKind.FOLD]
    assert parse_notice(notice.topic) == notice and cards_in(notice.key) == set()

    async def heard() -> None:
        newer = [Notice(NoticeKind.FOLD, key) for key in ("", squeezing.table, f"{squeezing.table} {{}}", "t9 [1]")]
        Switchboard(floor.app_state).route([*newer, notice])

    loop = floor.app_state.broadcaster._loop
    assert loop is not None
    asyncio.run_coroutine_threadsafe(heard(), loop).result()
    assert next_fold(squeezing.dan) == next_fold(squeezing.kim) == seen
    assert folds_in(until_answered(squeezing.lee)) == []


WRONG = ({"part": 21}, {"part": -1}, {"part": 0.5}, {"number": 0}, {"number": 4}, {"edge": "7S"}, {"hand": "tie"})


@pytest.mark.parametrize("wrong", [*WRONG, {"card": "7S"}, {"player": "Kim"}, {"held": [1, 2]}])
def test_a_fold_has_room_for_nothing_else(floor: RunningFloor, wrong: dict[str, Any]) -> None:
    with opened(floor.client("Lee"), floor.new_table("insurance")) as stream:
        stream.send({**FOLD, **wrong})
        with pytest.raises(StreamClosed) as closed:
            until_answered(stream)
    assert closed.value.code == CloseCode.BAD_FRAME


def test_folds_never_pile_up_before_a_slow_watcher() -> None:
    async def told() -> None:
        watcher = Watcher("t1", Viewer("Kim"), wants_views=True)
        for number in range(2 * MOST_FRAMES_WAITING):
            watcher.pass_by(b"fold %d" % number)
        watcher.push(b"event")
        assert not watcher.is_cut_off
        assert [await watcher.next(), await watcher.next()] == [b"event", b"fold %d" % (2 * MOST_FRAMES_WAITING - 1)]
        assert not watcher._waiting and watcher._passing is None

    asyncio.run(told())
