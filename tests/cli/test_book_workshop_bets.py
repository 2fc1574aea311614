from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from punto.books.catalogue import catalogue, section
from punto.rules.outcome import parse_odds
from tests.cli.called import answer, refusal


def test_one_bet_in_full() -> None:
    said = answer("bets", "four-cards").out
    assert "4-5-6: four cards (four-cards), 8 decks" in said
    assert "House edge: 5.2829 %" in said
    assert "Published for 8 decks: edge 5.283 %" in said
    assert "1 - 2.5 x 0.378925" in said
    assert 'take = ["four-cards"]' in said


def test_rows_add_up_and_decimals_are_the_fractions() -> None:
    (told,) = answer("bets", "dragon-bonus-player", "--decks", "6", "--json").json
    assert list(told) == [
        *("bet", "name", "pays", "source", "published", "edge", "hit", "first_match", "needs", "note")
    ]
    chances = [Fraction(row["chance"]["exact"]) for row in told["pays"]]
    assert sum(chances) == 1
    nets = [
        Fraction(0) if row["pays"] == "push" else Fraction(-1) if row["pays"] == "lose" else parse_odds(row["pays"])
        for row in told["pays"]
    ]
    assert Fraction(told["edge"]["exact"]) == -sum(map(Fraction.__mul__, nets, chances))
    for value in (told["edge"], told["hit"]):
        assert float(Fraction(value["exact"])) == value["decimal"]
    assert f"{told['edge']['decimal']:.4f}" == "0.0267"
    assert told["published"][1] == {"decks": 6, "edge": "2.67", "hit": None, "differs": None}


def test_a_section_a_part_of_names_or_everything() -> None:
    of_pairs = [one["bet"] for one in answer("bets", "pairs", "--json").json]
    assert of_pairs == [bet.bet for bet in section("pairs").bets]
    named = [one["bet"] for one in answer("bets", "Egalité", "--json").json]
    assert named == [name for name, bet in catalogue().items() if "Egalité" in bet.labels.en]
    assert len(named) > 10


def test_the_list_for_people() -> None:
    said = answer("bets", "tie-max").out
    assert "Single totals (each-total), 8 decks" in said
    assert "16.4547 %*" in said
    assert "* Our exact edge differs from the published one" in said
    assert "- W10: Wizard of Odds" in said
    assert max(map(len, said.splitlines())) <= 80


def test_toml_is_a_piece_of_a_book(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    piece = answer("bets", "quik", "--toml").out
    own.write_text(f'extends = "ez"\nname = "own"\n{piece}', encoding="utf-8")
    taking = tmp_path / "taking.toml"
    taking.write_text('extends = "ez"\nname = "own"\ntake = ["quik"]', encoding="utf-8")
    digests = {answer("rules", str(file), "--digest").out for file in (own, taking)}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ox-7",), "the catalogue has no bet 'ox-7' (did you mean ox-6?); its sections are totals, "),
        (("quik", "--json", "--toml"), "--toml and --json ask for different things; give one of them"),
        (("quik", "--decks", "0"), "0 is not from 1 to 100"),
        (("quik", "--decks", "8.5"), "'8.5' is not a whole number"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal("bets", *arguments)


def test_what_was_counted_is_kept_and_what_is_wrong_is_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = answer("bets", "quik", "--json").out
    file = tmp_path / "punto" / "catalogue-odds.json"
    known = json.loads(file.read_text(encoding="utf-8"))
    ((key, ways),) = known.items()
    # The cache is believed: doubled counts are the same odds, others are not.
    file.write_text(json.dumps({key: [(str(2 * int(number)), below) for number, below in ways]}), encoding="utf-8")
    assert answer("bets", "quik", "--json").out == first
    file.write_text(json.dumps({key: [("1", False)] * len(ways)}), encoding="utf-8")
    assert answer("bets", "quik", "--json").out != first
    # Other decks have another key, and what was known stays.
    answer("bets", "quik", "--decks", "6")
    assert len(json.loads(file.read_text(encoding="utf-8"))) == 2
    for spoiled in ('{"x": 1}', "", "[" * 100_000, json.dumps({key: ["x"]}), json.dumps({key: ways[:-1]})):
        file.write_text(spoiled, encoding="utf-8")
        assert answer("bets", "quik", "--json").out == first


def test_without_a_cache_everything_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "punto").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "8.1550 %" in answer("bets", "quik").out
    assert [path.name for path in tmp_path.iterdir()] == ["punto"]


def test_notes_and_needs_are_told_to_programs_too() -> None:
    from punto.books.catalogue import catalogue

    told = {bet["bet"]: bet for bet in answer("bets", "--json").json}
    for name, bet in catalogue().items():
        said = told[name]
        assert (said["note"], said["needs"], said["first_match"]) == (bet.note, list(bet.needs), bet.first_match)
    assert any(bet["note"] for bet in told.values())


def test_rows_of_an_ordered_bet_are_true_by_themselves() -> None:
    (told,) = answer("bets", "lucky-nines", "--json").json
    whens = [row["when"] for row in told["pays"]]
    assert whens[-1] == "anything else"
    # Exactly two nines and three of a suit never come together: that row needs no more words.
    assert [n for n, when in enumerate(whens) if when.endswith(", and no row above")] == [1, 2, 4, 5, 6]
    assert ", and no row above" in " ".join(answer("bets", "lucky-nines").out.split())
