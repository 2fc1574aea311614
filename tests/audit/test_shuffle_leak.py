"""Seed and undealt cards can be read nowhere: not in events, answers, logs, output or database."""

from __future__ import annotations

import base64
import io
import json
import logging
import sqlite3
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.audit.shuffle import CHACHA20, order_of
from punto.cards.card import DECK, Card
from punto.dealer.dealer import DrawCard, Give, Pace, next_step
from punto.floor import shoe as floor_cards
from punto.floor.shoe import Seed, shoe_order
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store import sqlite
from punto.store.seal import Seal
from punto.store.store import open_store
from punto.table import legal_commands
from punto.table.betting import CallBets, PlaceBet
from punto.table.dealing import DealCard
from punto.table.house import BurnCards, CloseTable, LoadShoe, TakeSeat
from punto.table.shuffling import ClosePledges, OpenBytes, OpenSeed, PledgeBytes
from punto.table.terms import Faces
from tests.audit.leak import leaks
from tests.cli.called import call
from tests.floor.house import KEY, House, accepted

SECRET = sha256(b"a seed that nobody may see").digest()
ADDED = (b"ann's bytes",)
ORDER = order_of(CHACHA20, SECRET, 8, ADDED)


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "OFF")


# ── What the search finds ────────────────────────────────────────────────────────────────────────

UNDEALT = ORDER[200:]
PLANTED: dict[str, bytes] = {
    "bytes": SECRET,
    "digits": f"seed {SECRET.hex()}".encode(),
    "capitals": SECRET.hex().upper().encode(),
    "repr": repr(SECRET).encode(),
    "base64": base64.b64encode(b"ab" + SECRET + b"xyz"),
    "number": str(int.from_bytes(SECRET, "big")).encode(),
    "list": json.dumps(list(SECRET)).encode(),
    "cards": " ".join(card.value for card in UNDEALT[40:50]).encode(),
    "symbols": "".join(f"[{card.symbol}]" for card in UNDEALT[40:50]).encode(),
    "JSON": json.dumps([{"card": card.value, "up": False} for card in UNDEALT[40:50]]).encode(),
    "names": str([card.name for card in UNDEALT[40:50]]).encode(),
    "backwards": " ".join(card.value for card in UNDEALT[50:40:-1]).encode(),
    "indexes": str([card.index for card in UNDEALT[40:50]]).encode(),
    "card bytes": bytes(card.index for card in UNDEALT[40:54]),
}


@pytest.mark.parametrize("form", PLANTED)
def test_a_planted_leak_is_found(form: str) -> None:
    around = b'{"table":"t1","seq":42} KS 5H 9D \x00\xff'
    assert leaks(around + PLANTED[form] + around, SECRET, UNDEALT, ADDED)
    assert not leaks(around + around, SECRET, UNDEALT, ADDED)
    dealt = " ".join(card.value for card in ORDER[:200]).encode()
    assert not leaks(dealt, SECRET, UNDEALT, ADDED), "cards that were dealt are no secret"


AT_ONCE = Pace(bets=0, antes=0, insurance=0, squeeze=0)


# ── A whole shoe ─────────────────────────────────────────────────────────────────────────────────


class Watched:
    """A house at which everything that anybody is told is written down."""

    def __init__(self, house: House, file: Path) -> None:
        self.house, self.file, self.told = house, file, bytearray()
        house.open("t1", "commission", burn="first-card", faces=Faces.DOWN)
        for player in ("Ann", "Ben"):
            house.buy_in(player, 10**9)
        self.do(LoadShoe)
        self.ask(PledgeBytes, "Ann", digest=sha256(ADDED[0]).hexdigest())
        self.do(ClosePledges)
        self.ask(OpenBytes, "Ann", value=ADDED[0].hex())
        self.do(BurnCards)
        for box, player in enumerate(("Ann", "Ben"), start=1):
            self.ask(TakeSeat, player, box=box)

    @property
    def place(self) -> int:
        shoe = self.house.table().state.shoe
        assert shoe is not None
        return shoe.size - shoe.cards_left

    def do(self, kind: Any, **fields: Any) -> None:
        self._write(self.house.deal(kind, **fields))

    def ask(self, kind: Any, player: str, **fields: Any) -> None:
        self._write(self.house.ask(kind, player, **fields))

    def _write(self, answer: Any) -> None:
        self.told += repr(answer).encode() + msgspec.json.encode(answer)
        if isinstance(answer, Refusal):
            self.told += answer.sentence.encode()

    def play(self, until: int) -> None:
        """Play to this place of the shoe; with every call come a bet, and commands that are refused."""
        while self.place < until:
            self.step()

    def step(self) -> None:
        due = next_step(self.house.table(), self.house.time, AT_ONCE)
        assert isinstance(due, Give | DrawCard), due
        kind, command = type(due.command), due.command
        told = {name: getattr(command, name) for name in ("hand", "number") if hasattr(command, name)}
        self.do(kind, **told)
        if kind is CallBets:
            number = self.house.table().state.round
            self.ask(PlaceBet, "Ann", box=1, area="banker", amount=1_000, round=number)
            self.do(DealCard, card=Card.SA)
            self.do(OpenSeed, shoe=1, seed="kept")

    def everything(self) -> bytes:
        """What was told, the log, every row of the database as text, and the bytes of its files."""
        with sqlite3.connect(self.file) as database:
            rows = "\n".join(database.iterdump()).encode()
        with self.house.store.read() as reader:
            log = "\n".join(reader.lines("t1")).encode()
        files = b"".join(path.read_bytes() for path in sorted(self.file.parent.glob("house.db*")))
        return bytes(self.told) + log + rows + files


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with open_store(str(tmp_path / "house.db")) as store, House(store, lambda *_: Seed(CHACHA20, SECRET)) as house:
        yield Watched(house, tmp_path / "house.db")


@pytest.mark.slow
def test_nothing_of_a_whole_shoe_leaks(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for until in (12, 200, 380):
        watched.play(until)
        undealt = ORDER[watched.place :]
        assert len(undealt) >= 30
        found = leaks(watched.everything() + caplog.text.encode(), SECRET, undealt, ADDED)
        assert found == [], f"at place {watched.place}"
    while watched.house.table().state.is_in_round:
        watched.step()
    accepted(watched.house.deal(CloseTable, role=Role.PIT_SUPERVISOR))
    assert leaks(watched.everything(), SECRET, (), ADDED), "once it is opened, everybody has it"


@pytest.mark.parametrize("how", ["log", "answer"])
def test_a_leak_in_the_floor_is_found(
    how: str, watched: Watched, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody logs the seed, or a helpful answer names the coming cards."""

    def leaking(seed: Seed, decks: int, contributions: tuple[str, ...] = ()) -> tuple[Card, ...]:
        order = shoe_order(seed, decks, contributions)
        if how == "log":
            logging.getLogger("punto.floor").debug("shoe of seed %s", seed.secret.hex())
        else:
            watched.told += str([card.value for card in order[40:50]]).encode()
        return order

    monkeypatch.setattr(floor_cards, "shoe_order", leaking)
    caplog.set_level(logging.DEBUG)
    watched.play(20)
    assert leaks(watched.everything() + caplog.text.encode(), SECRET, ORDER[watched.place :], ADDED)


# ── Two worlds ───────────────────────────────────────────────────────────────────────────────────


def world(folder: Path, place: int, order: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Everything that can be known at a place of the shoe, but for the random bytes of seal and identity."""
    folder.mkdir()
    monkeypatch.setattr(floor_cards, "shoe_order", order)
    monkeypatch.setattr(Seal, "seal", lambda *_: b"sealed")
    monkeypatch.setattr(Seal, "open", lambda *_: SECRET)
    monkeypatch.setattr("punto.store.backup.secrets.token_hex", lambda _: "identity")
    with open_store(str(folder / "house.db")) as store:
        with House(store, lambda *_: Seed(CHACHA20, SECRET), Seal(KEY)) as house:
            told = Watched(house, folder / "house.db")
            told.play(place)
            assert told.place == place
            state = house.table().state
            told.told += msgspec.json.encode(state) + repr(state).encode()
            for role in Role:
                told.told += repr(legal_commands(house.table(), "Ann", role)).encode()
        with sqlite3.connect(folder / "house.db") as database:
            rows = "\n".join(database.iterdump()).encode()
        return bytes(told.told) + rows


@pytest.mark.parametrize("place", [12, 40])
@pytest.mark.gli("C.6.4")
def test_worlds_that_differ_in_undealt_cards_only_look_the_same(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever form somebody might look: not one byte depends on a card that is not dealt."""

    def other(*_: Any) -> tuple[Card, ...]:
        return (*ORDER[:place], *reversed(ORDER[place:]))

    def leaking(*_: Any) -> tuple[Card, ...]:
        order = other()
        monkeypatch.setattr(Refusal, "sentence", property(lambda _: order[place].symbol))
        return order

    first = world(tmp_path / "first", place, lambda *_: ORDER, monkeypatch)
    assert first == world(tmp_path / "other", place, other, monkeypatch)
    assert first != world(tmp_path / "leaking", place, leaking, monkeypatch), "a planted leak is seen"


# ── The command line ─────────────────────────────────────────────────────────────────────────────

ROUND = """\
Ann as dealer: place your bets
Lee: bet 3 banker 100
Ann as dealer: deal KS
Ann as dealer: no more bets
Ann as dealer: deal
Ann as dealer: deal
Ann as dealer: deal
Ann as dealer: deal
Ann as dealer: deal
Ann as dealer: deal
Ann as dealer: settle
"""


@pytest.mark.slow
def test_nothing_leaks_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUNTO_DATABASE", str(tmp_path / "house.db"))
    monkeypatch.setenv("PUNTO_KEY", KEY.hex())
    given: list[tuple[str, ...]] = [
        ("table", "new", "t1", "commission", "bean-9", "burn=none"),
        ("account", "new", "Lee"),
        ("account", "buy-in", "Lee", "100000"),
        ("table", "run", "t1", "-"),
        ("table", "run", "t1", "-", "--json"),
        *(("table", what, "t1") for what in ("show", "log", "export")),
        ("table", "show", "t1", "--json"),
        *(("audit", *what) for what in (("shoe", "t1/1"), ("shoe", "t1/1", "--json"), ("verify",))),
        ("account", "statement", "Lee", "--json"),
        ("backup", "kept.db"),
    ]
    told = b""
    for arguments in given:
        begins = "" if "--json" in arguments else "Ann as dealer: load the shoe\nLee: sit 3\n"
        text = begins + 10 * ROUND
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        answered = call(*arguments)
        assert "Traceback" not in answered.err
        told += answered.out.encode() + answered.err.encode()
    told += (tmp_path / "kept.db").read_bytes()
    with open_store(str(tmp_path / "house.db")) as store, store.read() as reader:
        kept, loaded = reader.seed("t1", 1), len(reader.records("t1"))
        dealt = sum('"card-dealt"' in line for line in reader.lines("t1"))
    assert kept is not None
    assert loaded > 100
    secret = Seal(KEY).open("t1", 1, kept.sealed)
    order = order_of(CHACHA20, secret, 8)
    assert leaks(told, secret, order[:dealt]), "cards that were dealt are there"
    assert leaks(told, secret, order[dealt:]) == []
    assert set(order) == set(DECK)
