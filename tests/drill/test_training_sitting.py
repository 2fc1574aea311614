from __future__ import annotations

from collections import Counter

from punto.books import NAMES, load
from punto.drill.training import KINDS, RETURN_GAP, Score, Sitting
from tests.drill.chosen import seeded

BOOKS = {name: load(name) for name in NAMES}


def sitting(*books: str, kinds: tuple[str, ...] = tuple(KINDS), score: Score | None = None) -> Sitting:
    return Sitting({name: BOOKS[name] for name in books or NAMES}, kinds, score or Score())


def all_right(sat: Sitting, number: int, seed: int = 1) -> Sitting:
    chance = seeded(seed)
    for _ in range(number):
        question = sat.next_question(chance)
        sat = sat.marked(question, question.answer, 1.0)
    return sat


def test_every_kind_of_every_book_comes_up() -> None:
    sat = all_right(sitting(), 250)
    assert {answer.question.topic.kind for answer in sat.answers} == set(KINDS)
    assert {answer.question.topic.book for answer in sat.answers} == set(NAMES)
    assert all(answer.is_right for answer in sat.answers)
    assert sat.missed() == sat.to_come() == ()


def test_what_went_wrong_is_asked_again_with_other_cards() -> None:
    sat = sitting("insurance")
    first = sat.next_question(seeded(4))
    sat = sat.marked(first, "", 1.0)
    assert not sat.answers[-1].is_right
    sat = all_right(sat, RETURN_GAP + 1, seed=5)
    assert [answer.question.topic for answer in sat.answers[1:]].index(first.topic) == RETURN_GAP
    assert sat.missed() == (str(first.topic),)
    assert sat.to_come() == (f"{first.topic.kind}: {first.topic.words}",)


def test_a_miss_of_an_earlier_sitting_comes_first() -> None:
    score = Score()
    score = score.marked("ez/pays/dragon-7", is_right=False, seconds=1)
    score = score.marked("commission/pays/tie", is_right=False, seconds=1)
    for _ in range(5):
        score = score.marked("ez/pays/tie", is_right=True, seconds=1)
    sat = sitting("ez", score=score)
    assert str(sat.next_question(seeded(1)).topic) == "ez/pays/dragon-7"
    assert sat.to_come() == ("pays: dragon 7",)  # the other book is not drilled now


def test_only_some_kinds() -> None:
    sat = all_right(sitting("ez", kinds=("winner",)), 20)
    assert {answer.question.topic.kind for answer in sat.answers} == {"winner"}
    assert sat.totals_by_kind() == {"winner": sat.totals}
    assert (sat.totals.asked, sat.totals.right, sat.totals.seconds) == (20, 20, 20.0)
    assert sat.final_score("2020-02-02").sittings[-1].right == 20


def test_the_same_numbers_make_the_same_questions() -> None:
    def run(seed: int) -> list[str]:
        return [repr(answer.question) for answer in all_right(sitting(), 15, seed).answers]

    assert run(1) == run(1) != run(2)


def all_wrong(sat: Sitting, number: int) -> Sitting:
    chance = seeded(9)
    for _ in range(number):
        sat = sat.marked(sat.next_question(chance), "", 1.0)
    return sat


def test_misses_do_not_crowd_out_new_material() -> None:
    """Whoever misses everything is asked something new every second time, and nothing all the time."""
    sat = all_wrong(sitting(), 200)
    counts = Counter(str(answer.question.topic) for answer in sat.answers)
    assert len(counts) >= 100
    assert max(counts.values()) <= 8
    assert min(Counter(answer.question.topic.kind for answer in sat.answers).values()) >= 5


def test_a_kept_score_full_of_misses_recovers() -> None:
    score = all_wrong(sitting("ez"), 200).score
    assert len(score.missed()) > 25
    sat = sitting("ez", score=score)
    assert all_right(sat, 400).to_come() == ()


def test_right_within_a_target() -> None:
    sat, chance = sitting("ez"), seeded(3)
    for seconds in (1.0, 2.0, 3.0):
        question = sat.next_question(chance)
        sat = sat.marked(question, question.answer, seconds)
    sat = sat.marked(sat.next_question(chance), "", 0.5)
    assert (sat.within(2.0), sat.within(0.9)) == (2, 0)


def test_a_past_sitting_has_its_topics_and_clauses() -> None:
    sat = all_right(sitting("commission"), 30)
    past = sat.final_score("2020-02-02").sittings[-1]
    assert sum(asked for asked, _ in past.topics.values()) == 30
    assert past.topics == {
        name: (number, number) for name, number in Counter(str(a.question.topic) for a in sat.answers).items()
    }
    by_clause = Counter(f"commission/{a.question.clause}" for a in sat.answers if a.question.clause)
    assert past.clauses == {name: (number, number) for name, number in by_clause.items()}


def test_kinds_come_as_often_as_they_are_weighted() -> None:
    books = {"ez": load("ez")}
    kinds = ("draw", "winner", "pays")
    sitting = Sitting(books, kinds, Score(), weights={"pays": 3, "winner": 0})
    chance = seeded(1)
    asked = Counter(sitting.next_question(chance).topic.kind for _ in range(400))
    assert asked["winner"] == 0
    assert 2.2 < asked["pays"] / asked["draw"] < 4.2


def test_weights_of_one_change_nothing() -> None:
    """A seed gives the same questions as before there were weights."""
    books = {"ez": load("ez")}
    kinds = ("draw", "pays", "winner")
    plain, weighted = (Sitting(books, kinds, Score()), Sitting(books, kinds, Score(), weights=dict.fromkeys(kinds, 1)))
    for seed in range(20):
        assert plain.next_question(seeded(seed)) == weighted.next_question(seeded(seed))
