from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import NAMES, load
from tests.cli.called import answer, refusal


@pytest.mark.parametrize("base", NAMES)
def test_a_new_book_is_in_order_and_has_one_bet_more(base: str, tmp_path: Path) -> None:
    file = tmp_path / "My Game.toml"
    told = answer("new", str(file), "--from", base).out
    assert "is a new book, my-game" in told and f"punto check '{file}'" in " ".join(told.split())
    assert f"#   punto check '{file}'   " in file.read_text(encoding="utf-8")
    book = load(str(file))
    assert book.name == "my-game"
    assert book.areas == (*load(base).pay_tables, "lucky-seven", *load(base).insurance_areas)
    assert "is in order" in answer("check", str(file)).out


def test_without_a_base_it_builds_on_commission(tmp_path: Path) -> None:
    file = tmp_path / "first.toml"
    assert answer("new", str(file), "--json").json == {"file": str(file), "name": "first", "extends": "commission"}
    assert load(str(file)).bets[:-1] == load("commission").bets


def test_it_builds_on_a_file_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    answer("new", str(tmp_path / "first.toml"))
    monkeypatch.chdir(tmp_path / "games")
    assert answer("new", "second.toml", "--from", "../first.toml", "--json").json["extends"] == "../first.toml"
    monkeypatch.chdir("/")
    book = load(str(tmp_path / "games/second.toml"))
    assert book.areas[-2:] == ("lucky-seven", "lucky-seven-2")


def test_it_never_writes_over_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious", encoding="utf-8")
    assert "is already there" in refusal("new", str(file))
    assert file.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("mine",), "ends in .toml"),
        (("庄.toml",), "leaves no name"),
        (("a\nb.toml",), "leaves no name"),
        (("nowhere/mine.toml",), "cannot be written"),
        (("mine.toml", "--from", "nothing"), "there is no book nothing"),
        (("EZ.toml",), "ez is the name of a built-in book; choose another, such as my-ez.toml"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refusal("new", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_it_is_not_called_like_the_book_that_it_builds_on(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    base, file = tmp_path / "old/night.toml", tmp_path / "night.toml"
    answer("new", str(base))
    told = refusal("new", str(file), "--from", str(base))
    assert told == (
        "punto: night is the name of the book it builds on, and only the digest would tell the two apart; "
        f"write another name, such as {tmp_path}/my-night.toml"
    )
    assert not file.exists()
