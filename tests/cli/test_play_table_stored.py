"""Games in databases: the floor comes to the same game, it is kept whole, and it can be taken up again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from punto.books import NAMES, load
from punto.cli.database_options import now_ms
from punto.cli.play_table import PLAYER, NotKept, SoloTable, WrongSave, look_at_game, remove_game_files
from punto.floor.floor import Floor
from punto.ledger.results import purse_of
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.errors import DiskFull
from punto.store.store import open_store
from punto.store.transaction import Transaction
from punto.table import Phase, Refusal, default_terms
from punto.table.betting import PlaceBet
from punto.table.dealing import RevealCard
from punto.table.event import Event
from punto.table.terms import Faces
from tests.cli.pseudo_terminal import SCRIPT

BANKROLL = 10_000_000


def seated(book: str, seed: str = "7", *, bots: int = 0, faces: Faces = Faces.UP) -> SoloTable:
    solo = SoloTable(load(book), seed, BANKROLL, now_ms)
    assert solo.open(replace(default_terms(solo.book), faces=faces), 2, bots=bots) is None
    assert len(solo.bots()) == bots
    return solo


def kept(path: Path, book: str = "ez", *, bots: int = 0, faces: Faces = Faces.UP) -> SoloTable:
    solo = seated(book, bots=bots, faces=faces)
    solo.keep_in(path)
    return solo


def play_round(solo: SoloTable, random: Random) -> None:
    """A round of random bets."""
    solo.go_on()
    for area in random.sample(sorted(solo.bets()), 2):
        bet = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area=area, amount=1000)
        solo.give(bet)
    while solo.state.phase is not Phase.IDLE:
        solo.go_on(is_ready=True)
        for command, _ in solo.decisions():
            if random.random() < 0.7:
                solo.give(command)
        while (squeezed := solo.squeezed()) is not None:
            hand, number, _ = squeezed
            solo.give(RevealCard(actor=PLAYER, role=Role.PLAYER, hand=hand, number=number))


@pytest.mark.slow
@pytest.mark.parametrize("book", NAMES)
def test_what_is_kept_is_the_game(book: str, tmp_path: Path) -> None:
    faces = Faces.DOWN if load(book).squeeze else Faces.UP
    solo, random = kept(tmp_path / "g.db", book, bots=3, faces=faces), Random(book)
    for _ in range(6):
        play_round(solo, random)
        solo.close()
        again = SoloTable.resume(tmp_path / "g.db")
        assert (again.events, again.commands, again.seed) == (solo.events, solo.commands, solo.seed)
        assert (again.table.state, again.shoes, again.last_bets) == (solo.table.state, solo.shoes, solo.last_bets)
        assert again.bankroll == BANKROLL
        look = look_at_game(tmp_path / "g.db")
        assert look is not None
        assert look.in_hand == purse_of(PLAYER, BANKROLL, solo.events).in_hand
        solo = again
    solo.close()
    assert_sums_to_zero(tmp_path / "g.db")


def assert_sums_to_zero(path: Path) -> None:
    with open_store(str(path)) as store, store.read() as reader:
        assert sum(reader.all_balances().values()) == 0


def kept_events(path: Path) -> list[Event]:
    solo = SoloTable.resume(path)
    solo.close()
    return solo.events


def test_an_interrupt_between_the_commit_and_our_knowing_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solo = kept(tmp_path / "g.db")
    with monkeypatch.context() as patch:
        patch.setattr(Floor, "_publish", interrupt)  # after the commit
        with pytest.raises(KeyboardInterrupt):
            solo.go_on()
    assert solo.state.phase is Phase.BETTING
    bet = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area="tie", amount=1000)
    assert not isinstance(solo.give(bet), Refusal)
    solo.close()
    assert kept_events(tmp_path / "g.db") == solo.events


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupt_before_the_commit_leaves_the_game_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solo = kept(tmp_path / "g.db")
    before = list(solo.events), list(solo.commands), solo.table
    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "finish", interrupt)
        with pytest.raises(KeyboardInterrupt):
            solo.go_on()
    assert (solo.events, solo.commands, solo.table) == before
    solo.close()
    assert kept_events(tmp_path / "g.db") == solo.events


def test_a_game_in_two_windows_is_kept_by_one(tmp_path: Path) -> None:
    kept(tmp_path / "g.db").close()
    one, other = SoloTable.resume(tmp_path / "g.db"), SoloTable.resume(tmp_path / "g.db")
    lost: list[str] = []
    one.tell_lost = other.tell_lost = lost.append
    one.go_on()
    bet = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=one.box, area="tie", amount=1000)
    one.give(bet)
    before = list(other.events)
    other.go_on()
    assert lost == ["it is being played in another window"]
    assert not isinstance(other.give(replace(bet, area="banker")), Refusal), "it goes on in memory"
    assert (one.path, other.path) == (tmp_path / "g.db", None)
    assert other.events[: len(before)] == before
    one.close()
    other.close()
    assert len(lost) == 1
    assert kept_events(tmp_path / "g.db") == one.events


def test_a_full_disk_does_not_stop_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds go on as if nothing had happened, and the file has what was kept before."""
    solo, same = kept(tmp_path / "g.db", bots=2), kept(tmp_path / "same.db", bots=2)
    lost: list[str] = []
    solo.tell_lost = lost.append
    for each in (solo, same):
        play_round(each, Random(3))
    in_file = list(solo.events)
    failures, finish = iter([True]), Transaction.finish

    def fails_once(transaction: Transaction) -> None:
        if next(failures, False):
            full_disk(transaction)
        finish(transaction)

    monkeypatch.setattr(Transaction, "finish", fails_once)
    solo.go_on()
    same.go_on()
    assert (lost, solo.path) == (["there is no room left"], None)
    assert solo.buy(1000) is None
    for each in (solo, same):
        play_round(each, Random(4))
    timeless = [[replace(event, time=0) for event in each.events] for each in (solo, same)]
    assert timeless[0] == timeless[1]
    assert solo.bankroll == BANKROLL + 1000
    solo.close()
    same.close()
    assert kept_events(tmp_path / "g.db") == in_file


def full_disk(_: Transaction) -> None:
    raise DiskFull("there is no room left")


def test_nothing_is_begun_where_something_is(tmp_path: Path) -> None:
    kept(tmp_path / "g.db").close()
    with pytest.raises(NotKept, match="there is a game in"):
        kept(tmp_path / "g.db")
    (tmp_path / "text.db").write_text("not a database, but long enough for the header of one")
    with pytest.raises(NotKept, match="is not a database"):
        kept(tmp_path / "text.db")
    with pytest.raises(WrongSave, match="there is no database at"):
        look_at_game(tmp_path / "none.db")


def test_a_game_is_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solo = seated("ez")
    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "finish", full_disk)
        with pytest.raises(NotKept, match="no room left"):
            solo.keep_in(tmp_path / "g.db")
    assert look_at_game(tmp_path / "g.db") is None
    solo.keep_in(tmp_path / "g.db")
    solo.close()
    assert kept_events(tmp_path / "g.db") == solo.events


def test_a_house_is_not_a_game(tmp_path: Path) -> None:
    solo = kept(tmp_path / "g.db")
    solo.close()
    with open_store(str(tmp_path / "g.db")) as store, store.write() as transaction:
        transaction.add_table("t1", digest_of(solo.book), 0)
    with pytest.raises(WrongSave, match="is a database of tables, not a game"):
        look_at_game(tmp_path / "g.db")


def test_nothing_of_a_removed_game_is_left(tmp_path: Path) -> None:
    solo = kept(tmp_path / "g.db")
    solo.close()
    remove_game_files(tmp_path / "g.db")
    assert list(tmp_path.iterdir()) == []
    remove_game_files(tmp_path / "g.db")


@pytest.mark.slow
def test_a_game_that_is_killed_at_any_moment_has_kept_all_that_was_shown(tmp_path: Path) -> None:
    """Every line that was written to the terminal speaks of something that is in the database."""
    file, random, rounds = tmp_path / "g.db", Random(14), 0
    for _ in range(6):
        shown = killed(file, reads=random.randint(1, 300), at_once=random.randint(1, 300))
        if not file.exists() or (look := look_at_game(file)) is None:
            assert "Round" not in shown, "nothing is shown before it is kept"
            continue
        seen = [int(number) for number in re.findall(r"── Round (\d+) ─", shown)]
        rounds = look.stored.table.state.round
        assert not seen or rounds >= max(seen)
        solo = SoloTable.resume(file)
        solo.close()
        assert look.in_hand == purse_of(PLAYER, solo.bankroll, solo.events).in_hand
        assert_sums_to_zero(file)
    assert rounds > 3, "hardly anything was played before the kills"


def killed(file: Path, *, reads: int, at_once: int) -> str:
    """What a game shows that is killed after some of it was read."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", SCRIPT, "play", "ez", "--save", str(file), "--bots", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "HOME": str(file.parent), "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as player:
        assert player.stdin is not None and player.stdout is not None
        player.stdin.write(b"banker 10 deal\n" * 2000)
        player.stdin.flush()
        shown = b"".join(os.read(player.stdout.fileno(), at_once) for _ in range(reads))
        player.send_signal(signal.SIGKILL)
        shown += player.stdout.read()
    return shown.decode(errors="ignore")
