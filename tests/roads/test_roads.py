from __future__ import annotations

import pytest

from punto.roads.roads import Roads, parse_results
from tests.roads.random_shoes import random_shoes


@pytest.mark.slow
def test_round_by_round_equals_from_scratch_at_every_prefix() -> None:
    for text in random_shoes(400, seed=6):
        results = parse_results(text)
        roads = Roads()
        for played, result in enumerate(results, start=1):
            roads = roads.append(result)
            assert roads == Roads().extend(results[:played]), text


def test_any_number_of_rounds_may_be_added_at_once() -> None:
    for number, text in enumerate(random_shoes(2_000, seed=7)):
        results = parse_results(text)
        cut = number % (len(results) + 1)
        assert Roads().extend(results[:cut]).extend(results[cut:]) == Roads().extend(results), (text, cut)


def test_appending_leaves_the_roads_before_as_they_were() -> None:
    before = Roads.parse("BBP")
    before.append(parse_results("T")[0])
    assert before == Roads.parse("BBP")


def test_ties_that_wait_are_not_lost_between_rounds() -> None:
    roads = Roads.parse("T").append(parse_results("T")[0]).append(parse_results("P")[0])
    assert [mark.ties for mark in roads.big] == [2]
