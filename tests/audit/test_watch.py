"""Watching tables: honest ones stay quiet, planted faults show."""

import re
from collections.abc import Callable
from itertools import count
from random import Random

import msgspec
import pytest

from punto import books
from punto.audit.watch import LEVEL, Watch, WatchedAnswer, watch_page, watch_table
from punto.cards.card import Card
from punto.documents.text import page_lines
from tests.audit.floors import clumped, exchanged, guessing, peeking, repeating, watched, without

BOOK = books.load("commission")
NINE = Card.parse("9S")


def answer(found: Watch, question: str) -> WatchedAnswer:
    return next(one for one in found.answers if one.question == question)


@pytest.mark.slow
@pytest.mark.gli("A.6.1")
def test_honest_tables_stay_quiet() -> None:
    floors, rounds = 30, 400
    alarmed = [
        seed
        for seed in range(floors)
        if not watch_table("t1", watched(BOOK, rounds, seed, bets=guessing("Lee"))).is_quiet
    ]
    # At a level of 1 % three false alarms in 30 tables have a chance of 0.3 %.
    assert len(alarmed) < 3


def test_expected_counts_are_those_of_the_rounds() -> None:
    found = watch_table("t1", watched(BOOK, 400, "counts"))
    for one in found.answers[:6]:
        assert sum(one.came) == 400
        assert sum(one.expected) == pytest.approx(400)
    winner = answer(found, "winner")
    for came, expected in zip(winner.came, winner.expected, strict=True):
        assert abs(came - expected) < 4 * expected**0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "question"),
    [
        (without(NINE), "a card missing or too many"),
        (exchanged(NINE, Card.parse("2H")), "a card missing or too many"),
        (clumped(0.2), "next card of a new deck follows"),
    ],
)
@pytest.mark.gli("A.6.1")
def test_a_bad_shoe_shows(order: Callable[[Random], list[Card]], question: str) -> None:
    found = watch_table("t1", watched(BOOK, 4000, "bad shoe", order))
    assert question in [one.question for one in found.alarms]
    assert answer(found, question).seen_after is not None


@pytest.mark.slow
@pytest.mark.gli("A.8.1")
def test_a_player_who_peeks_shows_and_one_who_guesses_does_not() -> None:
    found = watch_table("t1", watched(BOOK, 3000, "peek", bets=peeking("Ray", 0.15)))
    assert [one.question for one in found.alarms] == ["winnings of Ray"]
    assert watch_table("t1", watched(BOOK, 3000, "guess", bets=guessing("Lee"))).is_quiet


def test_an_order_that_comes_twice_shows() -> None:
    seeds = iter([1, 2, 3, 2, *range(10, 99)])
    found = watch_table("t1", watched(BOOK, 400, "again", repeating(seeds)))
    assert found.repeated == ((2, 4),)
    assert not found.is_quiet
    assert watch_table("t1", watched(BOOK, 400, "again", repeating(count()))).repeated == ()


def test_all_questions_share_the_level() -> None:
    found = watch_table("t1", watched(BOOK, 100, "level", bets=guessing("Lee")))
    shares = [2.718281828459045**-one.limit for one in found.answers]
    assert sum(shares) <= LEVEL * 1.0000001


@pytest.mark.parametrize("name", books.NAMES)
def test_every_book_can_be_watched(name: str) -> None:
    book = books.load(name)
    found = watch_table("t1", watched(book, 200, name))
    page = "\n".join(page_lines(watch_page(found), 200))
    assert "Nothing here is beyond chance" in page
    assert not re.search(r" 0 +0\.0$", page, re.MULTILINE), "a row for what cannot come"
    assert msgspec.to_builtins(found)["quiet"] is True


def test_what_was_not_seen_yet_has_no_figures() -> None:
    found = watch_table("t1", watched(BOOK, 5, "five"))
    page = "\n".join(page_lines(watch_page(found), 200))
    assert re.search(r"winner after the cut card .* no data yet$", page, re.MULTILINE)
    assert page.count("winner after the cut card") == 1
    assert "was called out" not in page, "no cut card has come"


def test_nothing_was_played() -> None:
    found = watch_table("t1", watched(BOOK, 0, "none"))
    assert (found.rounds, found.is_quiet, found.answers) == (0, True, ())
