from __future__ import annotations

from punto.books import load
from punto.documents.text import page_lines
from punto.documents.typesetting import html_page
from punto.drill.training import KINDS, Mastery, Score, Sitting, mastery_page, topic_state
from tests.drill.chosen import seeded

BOOKS = {name: load(name) for name in ("ez", "commission")}


def kept(sittings: int) -> Score:
    """Every third answer is wrong."""
    score = Score()
    for number in range(sittings):
        sat, chance = Sitting(BOOKS, tuple(KINDS), score), seeded(number)
        for place in range(20):
            question = sat.next_question(chance)
            sat = sat.marked(question, question.answer if place % 3 else "", 2.0)
        score = sat.final_score(f"2020-02-0{number + 1}")
    return score


def test_the_page_and_the_record_say_what_the_score_says() -> None:
    score = kept(3)
    record = Mastery.of(score, BOOKS)
    text = "\n".join(page_lines(mastery_page(score, BOOKS), 160))
    topics, clauses = record.topics, record.clauses
    assert set(topics) == set(score.topics)
    assert sum(topic.asked for topic in topics.values()) == 60
    for name, topic in topics.items():
        over_time = [tally for tally in topic.sittings if tally]
        assert sum(asked for asked, _ in over_time) == topic.asked == score.topics[name].asked
        assert sum(right for _, right in over_time) == topic.right
        assert name.split("/")[2].replace("-", " ") in text
    assert f"{sum(t.right for t in topics.values())} of 60 answers were right." in " ".join(text.split())
    assert all(clause.split("/")[1] in text for clause in clauses)
    assert "2020-02-03" in text
    assert "<h2" in html_page(mastery_page(score, BOOKS))


def test_what_stands_how() -> None:
    score = Score().marked("a", is_right=True, seconds=1)
    assert topic_state(score.topics["a"]) == "begun"
    score = score.marked("a", is_right=True, seconds=1)
    assert topic_state(score.topics["a"]) == "mastered"
    assert topic_state(score.marked("a", is_right=False, seconds=1).topics["a"]) == "to come again"


def test_a_fresh_score_and_other_books() -> None:
    assert "Nothing has been asked yet" in mastery_page(Score(), BOOKS).lead[0]
    only = Mastery.of(kept(1), {"ez": BOOKS["ez"]})
    assert {name.split("/")[0] for name in only.topics} == {"ez"}


def test_a_name_that_was_cut_short_in_the_file_is_no_topic() -> None:
    score = kept(1).marked("ez/foo", is_right=True, seconds=1)
    assert set(Mastery.of(score, BOOKS).topics) == set(score.topics) - {"ez/foo"}
    assert list(page_lines(mastery_page(score, BOOKS), 80))
