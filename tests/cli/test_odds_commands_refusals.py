"""What `punto odds`, `insurance` and `advise` refuse: one sentence, status 2, nothing on stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.called import answer, refusal

FILES = [
    ('{"A": 2, "K": 3}', "a round may take 6 cards, and there are only 5"),
    ("{}", "a round may take 6 cards, and there are only 0"),
    ('{"A": -1, "K": 9}', "the count of A is -1; a count is a whole number, 0 or more"),
    ('{"A": 1.5, "K": 9}', "the count of A is 1.5; a count is a whole number, 0 or more"),
    ('{"A": 2.0, "K": 9}', "the count of A is 2.0; a count is a whole number, 0 or more"),
    ('{"A": null, "K": 9}', "the count of A is None; a count is a whole number, 0 or more"),
    ('{"A": true, "K": 9}', "the count of A is True; a count is a whole number, 0 or more"),
    ('{"A": [1], "K": 9}', "the count of A is [1]; a count is a whole number, 0 or more"),
    ('{"A": NaN, "K": 9}', "the count of A is nan; a count is a whole number, 0 or more"),
    ('{"B": 9}', "'B' is neither a rank, such as A or 10, nor a card, such as AS or 10H"),
    ('{"AX": 9}', "'AX' is neither a rank, such as A or 10, nor a card, such as AS or 10H"),
    ('{"A": 1, "A": 9}', "A is counted twice"),
    ('{"10": 1, "T": 9}', "T is counted twice"),
    ('{"A": 1, "AS": 9}', "counts go by rank or by card, not by both"),
    ("[]", "is not a JSON object of counts"),
    ("9", "is not a JSON object of counts"),
    ("", "is not a JSON object of counts"),
    ("{", "is not a JSON object of counts"),
    ('{"A": ' + "9" * 5000 + "}", "a count has 5000 digits"),
    ("[" * 50_000, "is nested too deeply"),
]


@pytest.mark.parametrize(("text", "sentence"), FILES)
@pytest.mark.parametrize("command", ["odds", "insurance", "advise"])
def test_a_composition_that_no_shoe_can_have(tmp_path: Path, command: str, text: str, sentence: str) -> None:
    file = tmp_path / "c.json"
    file.write_text(text)
    assert sentence in refusal(command, "insurance", "--composition", str(file), "--json")


def test_a_composition_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read: No such file or directory" in refusal("odds", "ez", "--composition", str(tmp_path / "x"))
    assert "cannot be read: Is a directory" in refusal("odds", "ez", "--composition", str(tmp_path))
    binary = tmp_path / "b"
    binary.write_bytes(b"\xff\xfe")
    assert "cannot be read: it is not UTF-8 text" in refusal("odds", "ez", "--composition", str(binary))


def test_a_composition_of_an_editor_that_marks_its_files(tmp_path: Path) -> None:
    marked = tmp_path / "shoe.json"
    marked.write_text('{"A": 8}', encoding="utf-8-sig")
    assert answer("odds", "ez", "--composition", str(marked), "--json").json["cards"] == 8


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ez", "--decks", "7"], "ez is not played with 7 decks but with 6 or 8 (clause intro-2)"),
        (["ez", "--decks", "0"], "ez is not played with 0 decks"),
        (["ez", "--decks", "-8"], "ez is not played with -8 decks"),
        (["ez", "--decks", "8.5"], "'8.5' is not a whole number"),
        (["ez", "--seen", "1S"], "'1S' is not a card (did you mean AS?); write rank then suit"),
        (["ez", "--seen", "AS " * 9], "AS was seen more often than it is in the shoe"),
        (["ez", "--decks", "8", "--composition", "x"], "give --decks or --composition, not both"),
        (["nobody"], "there is no book nobody"),
    ],
)
def test_a_shoe_that_cannot_be(arguments: list[str], sentence: str) -> None:
    assert sentence in refusal("odds", *arguments)


def test_more_seen_than_leaves_a_round() -> None:
    seen = " ".join(f"{rank}{suit}" for rank in "A23456789TJQ" for suit in "SHDC")
    everything = " ".join([seen] * 6)
    assert "AS was seen more often" in refusal("odds", "ez", "--decks", "6", "--seen", everything + " AS")


def test_a_stage_that_the_cards_contradict() -> None:
    assert "the round is finished after 4 cards, but 5 were given" in refusal(
        "advise", "ez", "--round", "9S AS KS KS 2D"
    )
    assert "the round is finished after 6 cards, but 7 were given" in refusal(
        "advise", "ez", "--round", "AS AS AS AS AS AS 2D"
    )
    assert "AS was seen more often than it is in the shoe" in refusal(
        "advise", "ez", "--decks", "6", "--seen", "AS " * 4, "--round", "AS KS AS KS AS"
    )


def test_suits_that_are_not_known(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text('{"A": 20, "9": 20}')
    book = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")
    assert "asks for suits, so the cards must be counted by card" in refusal("odds", book, "--composition", str(file))


def test_a_book_without_insurance() -> None:
    assert refusal("insurance", "ez") == "punto: ez offers no insurance"
