from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from tests.cli.called import answer, call, refusal

EXAMPLE = "docs/examples/side-bets.toml"


def built_in(name: str) -> str:
    return resources.files("punto.books").joinpath(f"{name}.toml").read_text(encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(built_in("ez"), encoding="utf-8")
    return file


def test_a_book_in_order(book: Path) -> None:
    said = answer("check", str(book)).out
    assert said.startswith(f"{book}: EZ Baccarat (ez) is in order: 5 bets, 1 layout, 4 declarations,")
    assert answer("check", str(book), "--json").json == {"file": str(book), "ok": True, "problems": []}


def test_the_example_is_in_order() -> None:
    assert "is in order" in answer("check", EXAMPLE).out


def test_every_wrong_place_is_told_with_its_line(book: Path) -> None:
    text = built_in("ez")
    wrong = text.replace('odds = "40:1"', 'odds = "forty"').replace("allowed = [6, 8]", "allowed = []")
    book.write_text(wrong, encoding="utf-8")
    lines = wrong.splitlines()
    decks = next(n for n, line in enumerate(lines, 1) if line == "allowed = []")
    odds = next(n for n, line in enumerate(lines, 1) if "forty" in line)
    refused = call("check", str(book))
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.splitlines() == [
        f"{book}: line {decks}: decks.allowed: at least one number of decks is allowed",
        f"{book}: line {odds}: bets[3].pays[0].odds: 'forty' is not valid odds; "
        "write what is won, a colon and the stake, such as 8:1 or 1.5:1",
    ]
    answered = call("check", str(book), "--json")
    assert (answered.status, answered.err) == (2, "")
    assert answered.json["file"] == str(book)
    assert answered.json["ok"] is False
    assert [(problem["place"], problem["line"]) for problem in answered.json["problems"]] == [
        ("decks.allowed", decks),
        ("bets[3].pays[0].odds", odds),
    ]


def test_a_gap_in_a_pay_table_is_told(book: Path) -> None:
    book.write_text(
        built_in("ez").replace(
            '{ when = { winner = "tie" }, odds', '{ when = { winner = "tie", margin = 0, cards = 4 }, odds', 1
        ),
        encoding="utf-8",
    )
    refused = call("check", str(book))
    assert refused.status == 2
    assert "no row covers" in refused.err


@pytest.mark.parametrize("command", ["rules", "deal", "settle"])
def test_other_commands_tell_the_same_places(book: Path, command: str) -> None:
    book.write_text(built_in("ez").replace("allowed = [6, 8]", "allowed = []"), encoding="utf-8")
    options = ("--cards", "KS 3H 9D 5C", "--bet", "player=1") if command == "settle" else ()
    refused = call(command, str(book), *options)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == call("check", str(book)).err


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_no_book_file_at_all(tmp_path: Path, form: tuple[str, ...]) -> None:
    empty, binary = (tmp_path / name for name in ("empty", "binary"))
    empty.write_bytes(b"")
    binary.write_bytes(bytes(range(256)))
    assert f"{empty} is empty" in refusal("check", str(empty), *form)
    assert f"{binary} cannot be read: it is not UTF-8 text" in refusal("check", str(binary), *form)
    assert f"{tmp_path} cannot be read: Is a directory" in refusal("check", str(tmp_path), *form)
    assert "there is no file nowhere.toml" in refusal("check", "nowhere.toml", *form)
    assert "no book was named" in refusal("check", "", *form)


@pytest.mark.parametrize("value", ["[" * 3900, "[\n" * 100_000], ids=["deep", "deep over lines"])
def test_what_the_toml_reader_gives_up_on(tmp_path: Path, value: str) -> None:
    file = tmp_path / "monster.toml"
    file.write_text(f"a = {value}", encoding="utf-8")
    assert "nested too deeply, or holds a number that is too long" in refusal("check", str(file))
    assert "too long" in call("check", str(file), "--json").json["problems"][0]["problem"]


def test_what_is_no_toml(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dear book,\n", encoding="utf-8")
    assert f"{file}: " in refusal("check", str(file))
    assert "not TOML" in call("check", str(file), "--json").json["problems"][0]["problem"]


def test_a_file_is_meant_even_where_it_is_called_like_a_built_in_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ez").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "ez is empty" in refusal("check", "ez")
