"""Games by name: listed, exported, deleted; and those that earlier versions kept."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from punto.books import load
from punto.cli.play_saved_games import StoredGame, free_name, game_file, game_names, go_on_with, open_game, resume_game
from punto.refusal import Refusal
from punto.table import Table, evolved
from punto.table.notation import parse_session, play_session
from tests.cli.called import answer, refusal
from tests.cli.play_and_learn.play.old_game import make_old
from tests.cli.play_and_learn.play.piped_game import piped
from tests.cli.play_and_learn.play.test_piped_games import OWN
from tests.cli.play_and_learn.play.test_stored_game import BANKROLL, play_round, seated


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def keep(name: str, book: str = "ez", rounds: int = 2) -> Path:
    """A kept game of some rounds."""
    solo = seated(book, bots=1)
    game = StoredGame.begin(game_file(name), name, solo, BANKROLL)
    for _ in range(rounds):
        play_round(solo, game, Random(rounds))
    game.close()
    return game.path


def replayed(file: Path) -> Table:
    """The table that a session leads to."""
    table: Table | None = None
    for step in play_session(parse_session(file.read_text(encoding="utf-8")), lambda book: load(book, file.parent)):
        assert not isinstance(step.outcome, Refusal), step
        table = evolved(step.before, step.outcome)
    assert table is not None
    return table


def test_games_are_listed_and_deleted_by_name(tmp_path: Path) -> None:
    assert answer("play", "--list").out == "No games are kept. punto play begins one.\n"
    assert refusal("play", "--export", "x.punto") == "punto: no games are kept"
    keep("ez"), keep("dragon", rounds=1), keep("k", "knockout")
    assert game_names() == ["k", "dragon", "ez"], "the last one first"
    listed = answer("play", "--list").out.splitlines()
    assert listed[0].startswith("k       Non-Commission Knockout Baccarat: round 2, in hand ")
    assert listed[2].startswith("ez      EZ Baccarat: round 2, in hand ")
    assert (free_name("ez"), free_name("insurance")) == ("ez-2", "insurance")
    assert answer("play", "--delete", "ez").out == "The game ez is deleted.\n"
    assert game_names() == ["k", "dragon"]
    assert refusal("play", "--delete", "dargon") == (
        "punto: there is no game dargon (did you mean dragon?); punto play --list shows all"
    )
    assert "there is no game ../k" in refusal("play", "--delete", "../k")
    assert "give one of --list, --delete and --export" in refusal("play", "--list", "--delete", "k")
    (tmp_path / "punto/games/broken.db").write_text("hello")
    assert "broken.db is not a saved game of punto.\n" in answer("play", "--list").out
    assert answer("play", "--delete", "broken").out


@pytest.mark.slow
@pytest.mark.parametrize("book", ["insurance", "knockout"])
def test_an_exported_game_is_played_again_to_the_same_state(book: str, tmp_path: Path) -> None:
    file, session = keep("one", book, rounds=4), tmp_path / "one.punto"
    assert str(session) in answer("play", "--export", str(session)).out, "there is only one game"
    game, solo, _ = resume_game(file)
    game.close()
    assert replayed(session).state == solo.state
    assert answer("run", str(session)).out
    keep("two")
    assert refusal("play", "--export", str(session)) == ("punto: name the game to export with --game: two, one")
    assert answer("play", "--export", str(session), "--game", "two").out
    assert "there is no game three" in refusal("play", "--export", "x.punto", "--game", "three")


@pytest.mark.slow
def test_an_exported_game_brings_its_book(tmp_path: Path) -> None:
    book, file, session = tmp_path / "own.toml", tmp_path / "g.db", tmp_path / "out" / "g.punto"
    book.write_text(OWN, encoding="utf-8")
    piped(tmp_path, "banker 100 deal\nquit\n", str(book), "--save", str(file))
    book.unlink()
    session.parent.mkdir()
    answer("play", "--export", str(session), "--save", str(file))
    game, solo, _ = resume_game(file)
    game.close()
    assert replayed(session).state == solo.state


def test_an_old_game_becomes_a_database_once(tmp_path: Path) -> None:
    file = keep("ez")
    game, solo, bankroll = resume_game(file)
    game.close()
    old = tmp_path / "punto/games/ez.json"
    make_old(file, "ez", old)
    kept = open_game("ez", game_file("ez"))
    assert kept is not None and kept.saved is not None
    assert old.exists(), "looking at it changes nothing"
    for _ in range(2):
        game, again, bought = go_on_with(kept)
        game.close()
        assert (again.state.round, again.last_bets, bought) == (solo.state.round, solo.last_bets, bankroll)
        assert (file.exists(), old.exists(), game_names()) == (True, False, ["ez"])
        kept = open_game("ez", game_file("ez"))
        assert kept is not None and kept.saved is None


def test_an_old_game_in_a_named_file_keeps_its_name(tmp_path: Path) -> None:
    file = keep("ez").rename(tmp_path / "my game.json")
    make_old(file, "ez")
    kept = open_game("my game", file)
    assert kept is not None
    game, again, _ = go_on_with(kept)
    game.close()
    assert game.path == file
    assert {path.name for path in tmp_path.iterdir()} == {"my game.json", "punto"}
    game, once_more, _ = resume_game(file)
    game.close()
    assert once_more.events == again.events
