"""E-values: expectation 1 on an honest table, whatever the alternative, and faults that begin late."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.evidence import TILTS, Course, courses, tilted


@given(st.lists(st.integers(1, 50), min_size=2, max_size=6))
def test_every_alternative_bets_at_fair_odds(weights: list[int]) -> None:
    chances = np.array(weights) / sum(weights)
    mean = np.zeros(len(weights) * len(TILTS))
    for answer, chance in enumerate(chances):
        happened = (np.arange(len(weights)) == answer).astype(float)[None, :]
        mean += chance * np.exp(tilted(happened, chances[None, :], np.array([0]))[0])
    assert mean == pytest.approx(np.ones_like(mean))


def test_the_evidence_has_expectation_one_at_every_shoe() -> None:
    # Three shoes of one round each, two answers: all eight courses, weighed by their chances.
    chance, total = 0.3, np.zeros(3)
    for answers in product((0, 1), repeat=3):
        happened = np.array([[answer, 1 - answer] for answer in answers], float)
        chances = np.tile([chance, 1 - chance], (3, 1))
        (course,) = courses(tilted(happened, chances, np.arange(3)), [2 * len(TILTS)])
        weight = np.prod([chance if answer else 1 - chance for answer in answers])
        total += weight * np.exp(course.logs)
    assert total == pytest.approx(np.ones(3))


def test_the_mixture_is_what_it_says() -> None:
    # By hand: two alternatives, two shoes; the capital of shoe 1 is 1/2, that of shoe 2 is 1/6, 1/3 waits.
    ratios = np.log(np.array([[2.0, 0.5], [3.0, 4.0]]))
    (course,) = courses(ratios, [2])
    first = ((0.5 * 2 + 0.5) + (0.5 * 0.5 + 0.5)) / 2
    second = (((0.5 * 2 + 1 / 6) * 3 + 1 / 3) + ((0.5 * 0.5 + 1 / 6) * 4 + 1 / 3)) / 2
    assert [exp(value) for value in course.logs] == pytest.approx([first, second])


def test_a_fault_that_begins_late_is_found_though_honest_years_came_before() -> None:
    honest = np.full((1000, 1), log(0.5))
    faulty = np.full((40, 1), log(2.0))
    (course,) = courses(np.concatenate((honest, faulty)), [1])
    assert course.first_over(log(100)) == pytest.approx(1000 + 26, abs=3)


def test_questions_are_kept_apart() -> None:
    ratios = np.log(np.array([[2.0, 2.0, 9.0]]))
    one, other = courses(ratios, [2, 1])
    assert (exp(one.now), exp(other.now)) == pytest.approx((1.5, 5.0))


def test_the_course_of_no_shoe() -> None:
    assert (Course(()).now, Course(()).greatest, Course(()).first_over(1.0)) == (0.0, 0.0, None)
