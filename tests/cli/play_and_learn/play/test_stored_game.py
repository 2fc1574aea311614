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
from punto.cli.play_saved_games import NotKept, StoredGame, WrongSave, look_at_game, remove_game_files, resume_game
from punto.cli.play_table import PLAYER, SoloTable
from punto.ledger.results import purse_of
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.store import open_store
from punto.table import Phase, Refusal, default_terms
from punto.table.betting import PlaceBet
from punto.table.dealing import RevealCard
from punto.table.event import Event
from punto.table.terms import Faces
from tests.cli.pseudo_terminal import SCRIPT

BANKROLL = 10_000_000


def seated(book: str, seed: str = "7", *, bots: int = 0, faces: Faces = Faces.UP) -> SoloTable:
    solo = SoloTable(load(book), seed, now_ms)
    assert solo.open(replace(default_terms(solo.book), faces=faces), 2) is None
    assert solo.seat_bots(bots) == bots
    return solo


def play_round(solo: SoloTable, game: StoredGame, random: Random) -> None:
    """A round of random bets in which everything is kept as it is done."""
    solo.go_on()
    game.keep(solo)
    for area in random.sample(sorted(solo.bets()), 2):
        bet = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area=area, amount=1000)
        solo.give(bet)
    while solo.state.phase is not Phase.IDLE:
        solo.go_on(is_ready=True)
        game.keep(solo)
        for command, _ in solo.decisions():
            if random.random() < 0.7:
                solo.give(command)
        while (squeezed := solo.squeezed()) is not None:
            hand, number, _ = squeezed
            solo.give(RevealCard(actor=PLAYER, role=Role.PLAYER, hand=hand, number=number))
        game.keep(solo)


@pytest.mark.slow
@pytest.mark.parametrize("book", NAMES)
def test_what_is_kept_is_the_game(book: str, tmp_path: Path) -> None:
    faces = Faces.DOWN if load(book).squeeze else Faces.UP
    solo, random = seated(book, bots=3, faces=faces), Random(book)
    game = StoredGame.begin(tmp_path / "g.db", "g", solo, BANKROLL)
    for _ in range(6):
        play_round(solo, game, random)
        game.close()
        game, again, bankroll = resume_game(tmp_path / "g.db")
        assert (again.events, again.commands, again.seed) == (solo.events, solo.commands, solo.seed)
        assert (again.table.state, again.shoes, again.last_bets) == (solo.table.state, solo.shoes, solo.last_bets)
        assert bankroll == BANKROLL
        look = look_at_game(tmp_path / "g.db")
        assert look is not None
        assert look.in_hand == purse_of(PLAYER, BANKROLL, solo.events).in_hand
        solo = again
    game.close()
    assert_sums_to_zero(tmp_path / "g.db")


def assert_sums_to_zero(path: Path) -> None:
    with open_store(str(path)) as store, store.read() as reader:
        assert sum(reader.all_balances().values()) == 0


def kept_events(path: Path) -> list[Event]:
    game, solo, _ = resume_game(path)
    game.close()
    return solo.events


def test_an_interrupt_between_the_commit_and_our_knowing_does_no_harm(tmp_path: Path) -> None:
    solo = seated("ez")
    game = StoredGame.begin(tmp_path / "g.db", "g", solo, BANKROLL)
    solo.go_on()
    remember, game._remember = game._remember, None  # type: ignore[method-assign,assignment]
    with pytest.raises(TypeError):  # after the commit, like a Ctrl-C that comes then
        game.keep(solo)
    game._remember = remember  # type: ignore[method-assign]
    bet = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area="tie", amount=1000)
    assert not isinstance(solo.give(bet), Refusal)
    game.keep(solo)
    game.close()
    assert kept_events(tmp_path / "g.db") == solo.events


def test_a_game_in_two_windows_is_kept_by_one(tmp_path: Path) -> None:
    solo = seated("ez")
    StoredGame.begin(tmp_path / "g.db", "g", solo, BANKROLL).close()
    (first, one, _), (second, other, _) = resume_game(tmp_path / "g.db"), resume_game(tmp_path / "g.db")
    one.go_on()
    first.keep(one)
    bet = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=one.box, area="tie", amount=1000)
    one.give(bet)
    first.keep(one)
    other.go_on()
    other.give(replace(bet, area="banker"))
    with pytest.raises(NotKept, match="another window"):
        second.keep(other)
    first.close()
    second.close()
    assert kept_events(tmp_path / "g.db") == one.events


def test_nothing_is_begun_where_something_is(tmp_path: Path) -> None:
    StoredGame.begin(tmp_path / "g.db", "g", seated("ez"), BANKROLL).close()
    with pytest.raises(NotKept, match="there is a game in"):
        StoredGame.begin(tmp_path / "g.db", "g", seated("ez"), BANKROLL)
    (tmp_path / "text.db").write_text("not a database, but long enough for the header of one")
    with pytest.raises(NotKept, match="is not a database"):
        StoredGame.begin(tmp_path / "text.db", "g", seated("ez"), BANKROLL)
    with pytest.raises(NotKept, match="the amount must be from"):
        StoredGame.begin(tmp_path / "rich.db", "g", seated("ez"), 10**16)
    with pytest.raises(WrongSave, match="there is no database at"):
        look_at_game(tmp_path / "none.db")
    assert look_at_game(tmp_path / "rich.db") is None, "all or nothing"


def test_a_house_is_not_a_game(tmp_path: Path) -> None:
    solo = seated("ez")
    StoredGame.begin(tmp_path / "g.db", "g", solo, BANKROLL).close()
    with open_store(str(tmp_path / "g.db")) as store, store.write() as transaction:
        transaction.add_table("t1", digest_of(solo.book), 0)
    with pytest.raises(WrongSave, match="is a database of tables, not a game"):
        look_at_game(tmp_path / "g.db")


def test_nothing_of_a_removed_game_is_left(tmp_path: Path) -> None:
    game = StoredGame.begin(tmp_path / "g.db", "g", seated("ez"), BANKROLL)
    game.remove()
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
        rounds = look.table.table.state.round
        assert not seen or rounds >= max(seen)
        game, solo, bankroll = resume_game(file)
        game.close()
        assert look.in_hand == purse_of(PLAYER, bankroll, solo.events).in_hand
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
