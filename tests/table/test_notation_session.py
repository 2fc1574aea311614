from __future__ import annotations

import pytest

from punto.books import load
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.table.notation import NoTable, Played, Unmet, parse_session, play_session, unexpected_refusals, unmet

ROUND = """\
Pia as pit-supervisor: open commission bean-7 burn=none
Ann as dealer: load the shoe
Lee: sit 3
Ann as dealer: place your bets
Lee: bet 3 banker 100
Lee: bet 3 tie 10
Eve as dealer: no more bets
KS 3H 6D 4C
Ann as dealer: settle
"""


def wrong(text: str) -> list[Unmet]:
    session = parse_session(text)
    return unmet(session, play_session(session, load))


def test_cards_are_dealt_by_the_dealer_who_was_named_last() -> None:
    steps = list(play_session(parse_session(ROUND), load))
    assert [step.command.actor for step in steps if step.number == 8] == ["Eve"] * 4
    assert [step.number for step in steps] == [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 9]


def test_a_refused_command_changes_nothing_and_the_session_goes_on() -> None:
    refused, after = list(play_session(parse_session(ROUND.replace("3 banker 100", "9 banker 100")), load))[4:6]
    assert isinstance(refused.outcome, Refusal)
    assert after.before == refused.before
    assert not isinstance(after.outcome, Refusal)


def test_a_session_opens_a_table() -> None:
    with pytest.raises(NoTable):
        list(play_session(parse_session("Lee: sit 3\n"), load))
    assert isinstance(next(play_session(parse_session("Lee: sit 3\n" + ROUND), load)).outcome, Refusal)


def test_a_book_is_asked_for_as_it_is_written_and_known_by_its_name() -> None:
    asked: list[str] = []

    def shelf(name: str) -> Book:
        asked.append(name)
        return load(name.removesuffix(".toml"))

    text = """\
Pia as pit-supervisor: open commission.toml bean-7 decks=3
Pia as pit-supervisor: open ez.toml house
Pia as pit-supervisor: change terms ez.toml house decks=6
Pia as pit-supervisor: change terms commission.toml bean-7
Pia as pit-supervisor: open commission.toml bean-7
"""
    steps = list(play_session(parse_session(text), shelf))
    assert asked == ["commission.toml", "ez.toml"]
    assert [step.before.book.name for step in steps] == ["commission", "ez", "ez", "ez", "ez"]
    assert [isinstance(step.outcome, Refusal) for step in steps] == [True, False, False, True, True]


def test_facts_that_come_are_met() -> None:
    facts = "> settled 3 Lee banker win 95.00 4.1.2\n> settled 3 Lee tie lose -10.00 4.1.2\n> no returned\n"
    assert wrong(ROUND + facts) == []
    assert wrong(ROUND + "# a comment\n\n" + facts) == []


def test_one_fact_of_a_kind_names_them_all() -> None:
    assert wrong(ROUND + "> settled 3 Lee banker win 95.00 4.1.2\n") == [
        Unmet(10, "settled 3 Lee tie lose -10.00 4.1.2 came too, and was not expected")
    ]


def test_facts_come_in_their_order() -> None:
    facts = "> settled 3 Lee tie lose -10.00 4.1.2\n> settled 3 Lee banker win 95.00 4.1.2\n"
    assert [missed.number for missed in wrong(ROUND + facts)] == [10, 11]


def test_facts_that_do_not_come_are_named() -> None:
    assert wrong(ROUND + "> void 5.1.1\n") == [Unmet(10, "expected void 5.1.1, and it did not come")]
    assert wrong(ROUND + "> no settled\n") == [
        Unmet(10, "settled 3 Lee banker win 95.00 4.1.2 came too, and was not expected"),
        Unmet(10, "settled 3 Lee tie lose -10.00 4.1.2 came too, and was not expected"),
    ]


def test_facts_belong_to_the_line_above_them() -> None:
    lines = ROUND.splitlines(keepends=True)
    assert wrong("".join([*lines[:8], "> finished banker 6 7\n", lines[8]])) == []
    assert wrong(ROUND + "> finished banker 6 7\n") != []


def test_refusals_that_nobody_expected() -> None:
    text = ROUND + "Lee: bet 3 banker 100\n"
    session = parse_session(text)
    steps: list[Played] = list(play_session(session, load))
    (missed,) = unexpected_refusals(session, steps)
    assert (missed.number, "bets-not-open" in missed.sentence) == (10, True)
    session = parse_session(text + "> refused bets-not-open 3.1\n")
    assert unexpected_refusals(session, steps) == []
