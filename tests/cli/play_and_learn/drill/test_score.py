from __future__ import annotations

from pathlib import Path

import pytest

from punto.cli.play_and_learn.drill.score import GAP, Sat, Score, WrongScore, keep_score, read_score


def marked(score: Score, *answers: tuple[str, bool]) -> Score:
    for topic, is_right in answers:
        score = score.marked(topic, is_right=is_right, seconds=1.5)
    return score


def test_what_was_missed_is_due_after_a_few_questions_and_until_it_was_right_twice() -> None:
    score = marked(Score(), ("a", False))
    assert (score.missed(), score.due()) == (("a",), ())
    score = marked(score, *((f"other {n}", True) for n in range(GAP)))
    assert score.due() == ("a",)
    score = marked(score, ("a", True))
    assert (score.missed(), score.due()) == (("a",), ())  # once is chance
    score = marked(score, *((f"more {n}", True) for n in range(2 * GAP)))
    assert score.due() == ("a",)
    score = marked(score, ("a", True))
    assert score.missed() == ()
    assert (score.topics["a"].asked, score.topics["a"].right, score.topics["a"].seconds) == (3, 2, 4.5)


def test_a_second_miss_starts_again() -> None:
    score = marked(Score(), ("a", False), ("a", True), ("a", False))
    assert score.topics["a"].running == 0
    assert score.topics["a"].due == 3 + GAP + 1


def test_what_was_always_right_is_never_due() -> None:
    assert marked(Score(), *[("a", True)] * 5).missed() == ()


def test_the_longest_due_comes_first() -> None:
    score = marked(Score(), ("b", False), ("a", False), *[("c", True)] * 5)
    assert score.due() == ("b", "a")


def test_a_score_is_kept_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "drill.json"
    assert read_score(file) == Score()
    score = marked(Score(), ("a", False), ("b", True)).ended(Sat("2020-02-02", 2, 1, 3.0))
    keep_score(file, score)
    assert read_score(file) == score
    assert score.ended(Sat("2020-02-03", 0, 0, 0.0)) == score  # a sitting without a question is none


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is no score of punto drill"),
        ("[]", "is no score of punto drill"),
        ('{"version": 1}', "is no score of punto drill"),
        ("{}", "is no score of punto drill"),
        ('{"type": "punto-game", "version": 1}', "is no score of punto drill"),
        ('{"type": "punto-drill", "asked": "many"}', "is no score of punto drill"),
        ('{"type": "punto-drill", "version": 7}', "was kept in form 7"),
    ],
)
def test_what_is_no_score_is_one_sentence(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "drill.json"
    file.write_text(content)
    with pytest.raises(WrongScore, match=words):
        read_score(file)
    assert file.read_text() == content
    with pytest.raises(WrongScore, match="cannot be read: Is a directory"):
        read_score(tmp_path)
