"""Results of sessions for programs and people: what is not known is null, and is not said."""

from __future__ import annotations

from typing import Any

import pytest

from punto.books import load
from punto.simulation.deals import ShoeTerms
from punto.simulation.run import deals_of
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import Strategy
from punto.studies.session_results import QUANTILES, SessionResults

BOOK = load("commission")


def results(strategy: Strategy, shoes: int) -> SessionResults:
    sessions = Sessions(deals_of(BOOK, ShoeTerms(), 9), BOOK, strategy)
    tally = SessionTally.empty(sessions)
    return SessionResults(BOOK, "flat", tally.plus(sessions.play(0, shoes)) if shoes else tally, {}, 1e6)


def told(strategy: Strategy, shoes: int) -> tuple[Any, str]:
    found = results(strategy, shoes)
    return found.record().sessions, " ".join(found.remarks())


def test_no_sessions() -> None:
    record, text = told(Strategy(stakes={"banker": 100}, bankroll=500, shoes=10), 3)
    assert record.quantiles == dict.fromkeys(QUANTILES)
    names = ("mean", "se", "interval", "quantile_width", "drawdown", "ruin")
    assert [getattr(record, name) for name in names] == [None] * len(names)
    assert "No session came to its end" in text
    assert "%" not in text


def test_one_session() -> None:
    record, text = told(Strategy(stakes={"banker": 100}, shoes=10), 10)
    assert record.number == 1
    assert record.mean is not None
    assert (record.se, record.interval) == (None, None)
    assert "±" not in text


def test_no_bankroll_has_no_ruin() -> None:
    record, text = told(Strategy(stakes={"banker": 100}), 40)
    assert record.ruin is None
    assert "ruin" not in text


def test_no_ruin_seen_has_an_upper_bound() -> None:
    record, text = told(Strategy(stakes={"banker": 100}, bankroll=10**6), 300)
    assert (record.ruin.share, record.ruin.se) == (0.0, None)
    assert record.ruin.interval == (0.0, pytest.approx(1 - 0.025 ** (1 / 300)))
    assert "No session was ruined: the chance of ruin is below 1.2221 %" in text
    record, text = told(Strategy(stakes={"banker": 100}, bankroll=100, shoes=20), 100)
    assert record.ruin.share > 0.5
    record, text = told(Strategy(stakes={"tie": 100}, bankroll=100, shoes=50), 200)
    assert record.ruin.share == 1.0
    assert "Every session was ruined: the chance of ruin is above 39" in text


def test_a_quantile_that_is_not_exact_says_so() -> None:
    record, text = told(Strategy(stakes={"banker": 12_347, "tie": 7_919}), 6_000)
    assert record.quantile_width > 0
    assert " ± " in text.split("Ends of sessions:")[1].split(". ")[0]
    record, text = told(Strategy(stakes={"banker": 100}), 300)
    assert record.quantile_width == 0
    assert " ± " not in text.split("Ends of sessions:")[1].split(". ")[0]
