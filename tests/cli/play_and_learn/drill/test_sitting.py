from __future__ import annotations

from random import Random

from punto.books import NAMES, load
from punto.cli.play_and_learn.drill.kinds import KINDS
from punto.cli.play_and_learn.drill.score import GAP, Score
from punto.cli.play_and_learn.drill.sitting import Sitting

BOOKS = {name: load(name) for name in NAMES}


def sitting(*books: str, kinds: tuple[str, ...] = tuple(KINDS), seed: int = 1) -> Sitting:
    return Sitting({name: BOOKS[name] for name in books or NAMES}, kinds, Random(seed), Score())


def test_every_kind_of_every_book_comes_up() -> None:
    sat = sitting()
    for _ in range(250):
        question = sat.next_question()
        sat.mark(question, question.answer, 1.0)
    assert {mark.question.topic.kind for mark in sat.marks} == set(KINDS)
    assert {mark.question.topic.book for mark in sat.marks} == set(NAMES)
    assert all(mark.is_right for mark in sat.marks)
    assert sat.missed() == sat.to_come() == ()


def test_what_went_wrong_is_asked_again_with_other_cards() -> None:
    sat = sitting("insurance", seed=4)
    first = sat.next_question()
    assert not sat.mark(first, "", 1.0).is_right
    later = []
    for _ in range(GAP + 1):
        question = sat.next_question()
        later.append(question)
        sat.mark(question, question.answer, 1.0)
    assert [question.topic for question in later].index(first.topic) == GAP
    assert sat.missed() == (str(first.topic),)
    assert sat.to_come() == (f"{first.topic.kind} {first.topic.subject}",)


def test_a_miss_of_an_earlier_sitting_comes_first() -> None:
    score = Score()
    score = score.marked("ez/pays/dragon-7", is_right=False, seconds=1)
    score = score.marked("commission/pays/tie", is_right=False, seconds=1)
    for _ in range(5):
        score = score.marked("ez/pays/tie", is_right=True, seconds=1)
    sat = Sitting({"ez": BOOKS["ez"]}, tuple(KINDS), Random(1), score)
    assert str(sat.next_question().topic) == "ez/pays/dragon-7"
    assert sat.to_come() == ("pays dragon-7",)  # the other book is not drilled now


def test_only_some_kinds() -> None:
    sat = sitting("ez", kinds=("winner",))
    for _ in range(20):
        question = sat.next_question()
        assert question.topic.kind == "winner"
        sat.mark(question, question.answer, 1.0)
    assert list(sat.by_kind()) == ["winner"]
    assert sat.end("2020-02-02").sittings[-1].right == 20


def test_a_seed_fixes_the_questions() -> None:
    def run(seed: int) -> list[str]:
        sat, texts = sitting(seed=seed), []
        for _ in range(15):
            question = sat.next_question()
            texts.append(repr(question))
            sat.mark(question, question.answer, 1.0)
        return texts

    assert run(1) == run(1) != run(2)
