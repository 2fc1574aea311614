"""docs/internals/scale.md says what the model says of the figures that were measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.scale_model import AT_ONCE_S, Line, Point, batch_at, fitted, measured, needs, simulated

PAGE = (Path(__file__).parents[2] / "docs/internals/scale.md").read_text(encoding="utf-8")


def test_the_tables_of_the_page_are_those_of_the_model() -> None:
    costs, points = measured()
    for point in points:
        row = (point.batch, point.server * 1e6, costs.server(point.batch) * 1e6, point.database * 1e6, point.wal)
        batch, *rest = row
        told = f"| {point.clients} | {batch:.1f} | " + " | ".join(f"{value:,.0f}" for value in rest) + " |"
        assert told in PAGE
    for found in needs(costs):
        names = ("bets a second", "frames a second", "processes", "cores for bets", "cores of the database")
        told = " | ".join(f"{found[name]:,}" for name in (*names, "log, MB a second", "cores for frames"))
        assert f"| {told} |" in PAGE, found["house"]


def test_the_model_meets_the_points_it_was_not_fitted_to() -> None:
    _, points = measured()
    costs = fitted([points[0], points[-1]])
    for point in points[1:-1]:
        assert costs.server(point.batch) == pytest.approx(point.server, rel=0.17)
        assert simulated(costs.server, point.clients, AT_ONCE_S)[1] == pytest.approx(point.batch, rel=0.05)


def test_the_simulator_agrees_with_what_can_be_worked_out() -> None:
    """One client alone has batches of one; those who come back at once, half of them in each."""
    cost = Line(0.004, 0.0005)
    rate, batch, late = simulated(cost, 1, 0.0455)
    assert batch == 1 and late == pytest.approx(0.0045) and rate == pytest.approx(20, rel=0.05)
    rate, batch, _ = simulated(cost, 100, 1e-9)  # the first to come back begins a batch, and the others make the next
    assert batch == pytest.approx(50, rel=0.02) and rate == pytest.approx(100 / (0.0045 + 0.0535), rel=0.02)
    rate, batch, _ = simulated(cost, 400, 0.4)
    assert batch == pytest.approx(batch_at(cost, rate), rel=0.15), "what comes while one batch is carried out"
    assert fitted([Point(1, 0, 1, 4.5, 1, 1), Point(2, 0, 2, 2.5, 1, 1)]).server == Line(4.0, 0.5)
