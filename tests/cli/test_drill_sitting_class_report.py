"""`punto drill` for a trainer: several scores in one report, and kinds of questions weighted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.called import answer, refusal
from tests.fuzz.targets import called


def sat(tmp_path: Path, name: str, seed: int) -> str:
    """The file of a score that somebody has kept, who passed every question."""
    file = tmp_path / f"{name}.json"
    options = ("--seed", str(seed), "--questions", "12", "--score", str(file), "--json")
    assert called("drill", "ez", *options, lines="skip\n" * 12) == "accepted"
    return str(file)


def test_several_scores_stand_side_by_side(tmp_path: Path) -> None:
    files = [sat(tmp_path, "lee", 1), sat(tmp_path, "ann", 2)]
    scores = [part for file in files for part in ("--score", file)]
    told = answer("drill", "--report", *scores, "--json").json
    assert list(told["scores"]) == ["lee", "ann"]
    for name, file in zip(("lee", "ann"), files, strict=True):
        assert told["scores"][name] == answer("drill", "--report", "--score", file, "--json").json
    shown = " ".join(answer("drill", "--report", *scores).out.split())
    assert "2 scores, 24 answers." in shown
    assert "lee 1 12 0 0%" in shown
    assert "2 of 2" in shown, "some topic comes again for both"
    page = tmp_path / "class.html"
    answer("drill", "--report", *scores, "-o", str(page), "--json")
    assert "Right, by kind" in page.read_text(encoding="utf-8")


def test_one_score_is_reported_as_before(tmp_path: Path) -> None:
    file = sat(tmp_path, "lee", 1)
    assert list(answer("drill", "--report", "--score", file, "--json").json) == [*("sittings", "topics", "clauses")]


def test_scores_that_cannot_be_shown(tmp_path: Path) -> None:
    file = sat(tmp_path, "lee", 1)
    gone = str(tmp_path / "gone.json")
    assert f"there is no score {gone}" in refusal("drill", "--report", "--score", file, "--score", gone)
    assert "more than once" in refusal("drill", "--report", "--score", file, "--score", file)
    assert "a sitting keeps one score" in refusal("drill", "ez", "--score", file, "--score", gone)
    assert json.loads(Path(file).read_text(encoding="utf-8"))["asked"] == 12


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (("pays",), "--weight takes KIND=N"),
        (("pays=-1",), "--weight takes KIND=N"),
        (("pays=101",), "--weight takes KIND=N"),
        (("pais=2",), "did you mean pays?"),
        (("pays=2", "pays=3"), "more than once"),
    ],
)
def test_weights_that_are_not(weights: tuple[str, ...], said: str) -> None:
    options = [part for weight in weights for part in ("--weight", weight)]
    assert said in refusal("drill", "ez", *options)


def test_a_weight_of_nothing_leaves_no_question() -> None:
    assert "leaves no kind" in refusal("drill", "ez", "--only", "pays", "--weight", "pays=0")
