"""Roads out of what `punto deal` prints, and as a picture."""

from __future__ import annotations

import io
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from punto.books import NAMES
from punto.roads.roads import Roads, picture
from tests.cli.called import Answer, answer, call, refusal

BOARD = "BbPTp"


def piped(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> Answer:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return call("roads", "-", *arguments)


def test_blanks_do_not_matter() -> None:
    for text in ("B b P Tp", " Bb P\tT p ", "BbPTp"):
        assert answer("roads", text).out == answer("roads", BOARD).out


@pytest.mark.parametrize("book", NAMES)
@pytest.mark.parametrize("seed", ["7", "8"])
def test_a_dealt_shoe_has_the_same_roads_as_text_and_as_json(
    book: str, seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted apart: winners and pairs out of the JSON by hand."""
    document = answer("deal", book, "--seed", seed, "--json")
    expected = ""
    for each in document.json["rounds"]:
        expected += each["winner"][0].upper()
        for letter, hand in (("b", "banker"), ("p", "player")):
            first, second = (card.rstrip("SHDC") for card in each[hand]["cards"][:2])
            expected += letter if first == second else ""
    board = answer("roads", expected, "--json").out
    assert piped(monkeypatch, document.out, "--json") == (0, board, "")
    text = answer("deal", book, "--seed", seed).out
    assert piped(monkeypatch, text, "--json") == (0, board, "")
    plain = text.translate(str.maketrans("♠♥♦♣─", "SHDC-"))
    assert piped(monkeypatch, plain, "--json") == (0, board, "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = answer("deal", book, "--seed", seed).out
    assert "\x1b[" in coloured
    assert piped(monkeypatch, coloured, "--json") == (0, board, "")
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setenv("COLUMNS", "40")
    assert piped(monkeypatch, answer("deal", book, "--seed", seed).out, "--json") == (0, board, "")


def test_a_row_of_letters_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    assert piped(monkeypatch, "B b\nP Tp\n").out == answer("roads", BOARD).out


def test_what_is_no_shoe_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, words in (
        ('{"rounds": 3}', "not the document of punto deal --json"),
        ("[" * 100_000, "not the document of punto deal --json"),
        ('{"book": "", "digest": "", "decks": 8, "seed": 1, "rounds": [{}]}', "not the document of punto deal --json"),
        ("1 KS 5 KH 3", "character 1 of the results, '1'"),
        ("hello", "character 1 of the results, 'h'"),
    ):
        done = piped(monkeypatch, text)
        assert (done.status, done.out) == (2, "")
        assert words in done.err


def test_the_picture_has_every_mark(tmp_path: Path) -> None:
    """Each bead, each mark and each shade is a shape in the picture, and it is well-formed."""
    shoe = "BBPPPbTBpPBBBBBBBBPTTPPBPBPBB" * 3
    file = tmp_path / "roads.svg"
    assert answer("roads", shoe, "-o", str(file)).out.startswith(f"{file}: the roads of")
    root = ET.fromstring(file.read_text(encoding="utf-8"))
    drawn = picture(Roads.parse(shoe))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{space}text")]
    for letter, name in (("B", "banker"), ("P", "player")):
        beads = sum(bead.result.value == name for bead in drawn.bead)
        marks = sum(mark.winner.value == name for mark in drawn.big)
        assert texts.count(letter) == beads + marks
    assert texts.count("T") == sum(bead.result.value == "tie" for bead in drawn.bead)
    strokes = [element for element in root.iter(f"{space}path") if element.get("stroke-width") == "2"]
    assert len(strokes) == len(drawn.cockroach) + sum(mark.ties > 0 for mark in drawn.big)
    width, height = (float(root.get(side) or 0) for side in ("width", "height"))
    for circle in root.iter(f"{space}circle"):
        assert 0 < float(circle.get("cx") or 0) < width
        assert 0 < float(circle.get("cy") or 0) < height


def test_only_svg_is_drawn(tmp_path: Path) -> None:
    assert "its name must end in .svg" in refusal("roads", "BP", "-o", str(tmp_path / "roads.png"))
