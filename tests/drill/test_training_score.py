from __future__ import annotations

import msgspec
import pytest

from punto.drill.training import RETURN_GAP, PastSitting, Score


def marked(score: Score, *answers: tuple[str, bool]) -> Score:
    for topic, is_right in answers:
        score = score.marked(topic, is_right=is_right, seconds=1.5)
    return score


def test_what_was_missed_is_due_after_a_few_questions_and_until_it_was_right_twice() -> None:
    score = marked(Score(), ("a", False))
    assert (score.missed(), score.due()) == (("a",), ())
    score = marked(score, *((f"other {n}", True) for n in range(RETURN_GAP)))
    assert score.due() == ("a",)
    score = marked(score, ("a", True))
    assert (score.missed(), score.due()) == (("a",), ())  # once is chance
    score = marked(score, *((f"more {n}", True) for n in range(2 * RETURN_GAP)))
    assert score.due() == ("a",)
    score = marked(score, ("a", True))
    assert score.missed() == ()
    assert (score.topics["a"].asked, score.topics["a"].right, score.topics["a"].seconds) == (3, 2, 4.5)


def test_a_second_miss_starts_again() -> None:
    score = marked(Score(), ("a", False), ("a", True), ("a", False))
    assert score.topics["a"].running == 0
    assert score.topics["a"].due == 3 + RETURN_GAP + 1


def test_what_was_always_right_is_never_due() -> None:
    assert marked(Score(), *[("a", True)] * 5).missed() == ()


def test_the_longest_due_comes_first() -> None:
    score = marked(Score(), ("b", False), ("a", False), *[("c", True)] * 5)
    assert score.due() == ("b", "a")


def test_a_sitting_without_an_answer_leaves_no_trace() -> None:
    score = marked(Score(), ("a", False)).ended(PastSitting("2020-02-02", 1, 0, 1.5))
    assert len(score.sittings) == 1
    assert score.ended(PastSitting("2020-02-03", 0, 0, 0.0)) == score


@pytest.mark.gli("C.6.8")
def test_a_score_reads_back_in_the_form_in_which_it_is_kept() -> None:
    text = (
        b'{"type":"punto-drill","version":1,"asked":1,'
        b'"topics":{"ez/pays/tie":{"asked":1,"right":0,"seconds":1.5,"running":0,"due":5}},'
        b'"sittings":[{"day":"2020-02-02","asked":1,"right":0,"seconds":1.5}]}'
    )
    score = marked(Score(), ("ez/pays/tie", False)).ended(PastSitting("2020-02-02", 1, 0, 1.5))
    assert msgspec.json.encode(score) == text.removesuffix(b"}") + b',"digests":{}}'
    assert msgspec.json.decode(text, type=Score) == score


def test_a_book_that_changed_is_known_by_its_digest() -> None:
    score = Score().about({"ez": "1", "own": "2"})
    assert score.changed({"ez": "1", "own": "2", "new": "3"}) == ()
    assert score.changed({"ez": "1", "own": "9"}) == ("own",)
    assert score.about({"own": "9"}).changed({"ez": "1", "own": "9"}) == ()
