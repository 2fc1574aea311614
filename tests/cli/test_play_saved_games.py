"""Games by name: listed, exported, deleted."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from punto.books import load
from punto.cli.play_saved_games import free_name, game_file, game_names
from punto.cli.play_table import SoloTable
from punto.refusal import Refusal
from punto.table import Table, evolved
from punto.table.notation import parse_session, play_session
from tests.cli.called import answer, refusal
from tests.cli.piped_game import piped
from tests.cli.test_play_commands_piped_games import OWN
from tests.cli.test_play_table_stored import kept, play_round


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def keep(name: str, book: str = "ez", rounds: int = 2) -> Path:
    """A kept game of some rounds."""
    solo = kept(game_file(name), book, bots=1)
    for _ in range(rounds):
        play_round(solo, Random(rounds))
    solo.close()
    return game_file(name)


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
    solo = SoloTable.resume(file)
    solo.close()
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
    solo = SoloTable.resume(file)
    solo.close()
    assert replayed(session).state == solo.state
