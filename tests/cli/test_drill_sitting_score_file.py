from __future__ import annotations

from pathlib import Path

import pytest

from punto.cli.drill_sitting import ScoreFile, WrongScore
from punto.drill.training import PastSitting, Score


def test_a_score_is_kept_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "drill.json"
    assert ScoreFile(file).read() == Score()
    score = Score().marked("a", is_right=False, seconds=1.5).ended(PastSitting("2020-02-02", 1, 0, 1.5))
    ScoreFile(file).keep(score)
    assert ScoreFile(file).read() == score


def test_a_score_that_cannot_be_kept_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = ScoreFile(tmp_path)
    for _ in range(2):
        file.keep(Score())
    assert capsys.readouterr().err.count("the score is not kept") == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not a score of punto drill"),
        ("[]", "is not a score of punto drill"),
        ('{"version": 1}', "is not a score of punto drill"),
        ("{}", "is not a score of punto drill"),
        ('{"type": "punto-game", "version": 1}', "is not a score of punto drill"),
        ('{"type": "punto-drill", "asked": "many"}', "is not a score of punto drill"),
        ('{"type": "punto-drill", "version": 7}', "has a score of version 7"),
    ],
)
def test_another_file_is_refused_in_one_sentence(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "drill.json"
    file.write_text(content)
    with pytest.raises(WrongScore, match=words):
        ScoreFile(file).read()
    assert file.read_text() == content
    with pytest.raises(WrongScore, match="cannot be read: Is a directory"):
        ScoreFile(tmp_path).read()
