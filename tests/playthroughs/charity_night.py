"""The people and the places of a charity night, as a test plays it: a house made with the command line, a floor over
HTTP, and a clock that is put on by hand.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

import msgspec
import pytest

from punto.cards import DECK
from punto.client import Client, Refused, Stream, Waiting
from punto.floor import password
from punto.floor.answers import CommandAnswer
from punto.rules.authority import Role
from tests.cli.called import answer
from tests.server.running_floor import CHEAP, RunningFloor, running_floor

DATABASE, PASSWORD = "night.db", "a good cause"
STAFF = {
    "Ada": Role.ADMINISTRATOR,
    "Rob": Role.SHIFT_MANAGER,
    "Mia": Role.PIT_MANAGER,
    "Sue": Role.PIT_SUPERVISOR,
    "Dan": Role.DEALER,
    "Dora": Role.DEALER,
    "Cas": Role.CASHIER,
    "Aud": Role.AUDITOR,
}
GUESTS = [f"guest-{number}" for number in range(1, 41)]
BY_HAND = {"north": ("commission", "bean-9", "Dan"), "south": ("easy-six", "bean-9", "Dora")}
BY_MACHINE = {"east": ("commission", "bean-9"), "west": ("easy-six", "bean-9")}
TABLES = (*BY_HAND, *BY_MACHINE)
SEATED = {table: GUESTS[10 * n : 10 * n + 10] for n, table in enumerate(TABLES)}
BETS_MS = 600_000  # How long the machine's bets are open by the clock of the night.
PATIENCE_S = 60
HOUR_NS = 3_600 * 10**9
WRONG_HAND = ("KS", "KH", "3D", "7C", "5H")  # Player has 3 and draws; the last of them is put to Banker.
_T = TypeVar("_T")


class Clock:
    """The time of the whole night: it begins at the next 18:00, far from the ends of a gaming day, goes on as real
    time does, and is put on by hand.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._real = time.time_ns
        self._ahead = (18 * HOUR_NS - self._real()) % (24 * HOUR_NS)
        patch.setattr(time, "time_ns", lambda: self._real() + self._ahead)

    def put_on(self, milliseconds: int) -> None:
        self._ahead += milliseconds * 1_000_000


def told(*arguments: str) -> Any:
    """What a command of the house says, as JSON."""
    return answer(*arguments, "--json").json


def lines_told(*arguments: str) -> list[Any]:
    """What a command says, line by line."""
    return [msgspec.json.decode(line) for line in answer(*arguments, "--json").out.splitlines()]


def let_in(patch: pytest.MonkeyPatch, name: str, role: Role) -> None:
    """Somebody of the staff gets a log-in."""
    patch.setattr(sys, "stdin", io.StringIO(f"{PASSWORD}\n"))
    answer("people", "new", name, "--role", role.value, "--password-stdin")


def done(answered: _T | Waiting | Refused) -> _T:
    """What was asked for was done."""
    assert not isinstance(answered, Refused | Waiting), answered
    return answered


def why_not(answered: object) -> str:
    """Why something was refused."""
    assert isinstance(answered, Refused), answered
    return answered.reason


def chips_of(amount: int) -> list[dict[str, int]]:
    """An amount in chips of the usual values."""
    counted = []
    for value in (10_000, 2_500, 500, 100, 25, 5, 1):
        count, amount = divmod(amount, value)
        counted.append({"value": value, "count": count})
    return counted


def physical_shoe(seed: int, taken: Iterable[str] = ()) -> Iterator[str]:
    """Eight decks shuffled by hand, without cards that are known to come."""
    cards = [str(card) for card in DECK] * 8
    for card in taken:
        cards.remove(card)
    Random(seed).shuffle(cards)
    return iter(cards)


class Night:
    """A floor that is open, and everybody on it."""

    def __init__(self, floor: RunningFloor, clock: Clock) -> None:
        self._floor, self.clock, self.url = floor, clock, floor.url
        self._clients: dict[str, Client] = {}
        self._streams: dict[str, Stream] = {}
        self.shoes = {"north": physical_shoe(1, WRONG_HAND), "south": physical_shoe(2)}
        self._keys = iter(range(10**6))

    def who(self, name: str) -> Client:
        """Somebody who has logged in; the same session all night."""
        if name not in self._clients:
            client = Client(self._floor.url)
            done(client.log_in(name, PASSWORD))
            self._clients[name] = client
        return self._clients[name]

    def ask(self, name: str, method: str, path: str, body: Any = None) -> Any:
        """A call of the API that must be answered."""
        answered = self.who(name).http.request(method, path, json=body)
        assert answered.is_success, answered.text
        return answered.json()

    def refused(self, name: str, method: str, path: str, body: Any = None) -> str:
        """Why a call of the API is refused."""
        answered = self.who(name).http.request(method, path, json=body)
        assert answered.is_client_error, answered.text
        return str(answered.json()["refusal"]["reason"])

    def arrive(self, name: str, code: str) -> None:
        """A guest makes a log-in of their own with the code of an invitation."""
        with Client(self._floor.url) as stranger:
            joined = stranger.http.post(f"/invitations/{code}", json={"name": name, "password": PASSWORD})
            assert joined.status_code == 201, joined.text

    def sign(self, table: str, by: str, second: str, kind: str, amount: int) -> None:
        """A slip of a rack, by two people."""
        slip = {"key": f"slip-{next(self._keys)}", "kind": kind, "chips": chips_of(amount)}
        waiting = self.ask(by, "POST", f"/tables/{table}/rack", slip)
        done(self.who(second).decide(waiting["approval"]))

    # ── At a table ───────────────────────────────────────────────────────────────────────────────

    def view(self, table: str) -> dict[str, Any]:
        return dict(done(self.who("Sue").table(table, Role.PIT_SUPERVISOR)).view)

    def act(self, table: str, name: str, role: Role, type: str, **fields: Any) -> CommandAnswer | Waiting | Refused:
        """A command of the staff, on the table as it is."""
        version = done(self.who(name).table(table, role)).version
        return self.who(name).give(table, {"type": type, **fields}, role, expected=version)

    def deal(self, table: str, type: str, **fields: Any) -> CommandAnswer:
        """A command of the dealer of a table."""
        return done(self.act(table, BY_HAND[table][2], Role.DEALER, type, **fields))

    def bet(self, table: str, guest: str, area: str, amount: int, round: int | None = None) -> CommandAnswer | Refused:
        """A guest bets in the round that is open, seated in their own box or standing behind the first."""
        box = SEATED[table].index(guest) % 9 + 1
        round = round or self.view(table)["round"]
        command = {"type": "place-bet", "round": round, "box": box, "area": area, "amount": amount}
        answered = self.who(guest).give(table, command)
        assert not isinstance(answered, Waiting)
        return answered

    def everybody_bets(self, table: str, without: Iterable[str] = ()) -> None:
        """Everybody at a table bets, each on something of their own."""
        round = self.view(table)["round"]
        for place, guest in enumerate(SEATED[table]):
            if guest not in without:
                area = ("banker", "player", "tie", "banker", "player")[(place + round) % 5]
                done(self.bet(table, guest, area, 1_000 + 500 * (place % 3), round))

    def cards_until_finished(self, table: str) -> None:
        """The dealer names the cards of the physical shoe until the book says that it is enough."""
        while self.view(table)["phase"] == "dealing":
            self.deal(table, "deal-card", card=next(self.shoes[table]))

    def round_by_hand(self, table: str) -> None:
        """A whole round at a table with a dealer."""
        self.deal(table, "call-bets")
        self.everybody_bets(table)
        self.finish_by_hand(table)

    def finish_by_hand(self, table: str) -> None:
        """From the closing call to the settlement."""
        self.deal(table, "close-bets")
        self.cards_until_finished(table)
        self.deal(table, "settle-round")

    def watch(self, table: str) -> Stream:
        """The stream of a table, as the pit sees it."""
        if table not in self._streams:
            stream = self.who("Sue").stream(table, after=0, role=Role.PIT_SUPERVISOR)
            assert isinstance(stream, Stream), stream
            self._streams[table] = stream
        return self._streams[table]

    def wait_for(self, table: str, event: str, round: int) -> None:
        """Until this event of this round is seen on the stream of a table."""
        while True:
            frame = self.watch(table).next(PATIENCE_S)
            if frame["type"] == "event" and (frame["event"]["type"], frame["event"].get("round")) == (event, round):
                return

    def time_goes_by(self, milliseconds: int = BETS_MS) -> None:
        """The clock is put on, and who sleeps by it is woken as by an alarm."""
        self.clock.put_on(milliseconds)
        house = self._floor.app_state.house
        assert house._loop is not None
        house._loop.call_soon_threadsafe(house._woken.set)

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()
        for client in self._clients.values():
            client.close()


@contextmanager
def open_doors(clock: Clock) -> Iterator[Night]:
    """The floor is open until the end of the block."""
    with running_floor(DATABASE, people={}, demonstration=False) as floor:
        night = Night(floor, clock)
        try:
            yield night
        finally:
            night.close()


@contextmanager
def empty_machine(folder: Any) -> Iterator[pytest.MonkeyPatch]:
    """A machine on which nothing of Punto is kept yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(folder / "home"))
        for name, value in {"PUNTO_DATABASE": str(folder / DATABASE), "PUNTO_KEY": "6b" * 32}.items():
            patch.setenv(name, value)
        patch.setattr(password, "_hasher", CHEAP)
        yield patch
