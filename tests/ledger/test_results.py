"""Drop, handle, win and hold of small examples; test_postings compares them over random rounds."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from punto.ledger.results import TableResults, results_of
from punto.table.event import Event
from tests.ledger.kept_accounts import KeptAccounts
from tests.table.scenes import SUPERVISOR, Scene


def timed(events: list[Event]) -> KeptAccounts:
    """The events with the number of their round, in thousands, for a time."""
    accounts, time = KeptAccounts(), 0
    for event in events:
        time = 1000 * getattr(event, "round", time // 1000)
        accounts.take_in((replace(event, time=time),))
    return accounts


def two_rounds() -> Scene:
    """Ann wins with 3,000 fresh, then loses 4,000 that the table had returned."""
    scene = Scene("insurance")
    for bet in ("player=3000", "banker=4000"):
        scene.start(Ann=bet)
        scene.deal("9H 2H KD KC")
        scene.settle()
    return scene


def test_what_the_table_returned_is_not_dropped_again() -> None:
    results = results_of(timed(two_rounds().log).entries)
    assert (results.drop, results.handle, results.win) == (3000, 7000, 1000)
    assert results.hold == Fraction(1, 3)


def test_a_shift_starts_anew() -> None:
    entries = timed(two_rounds().log).entries
    first, second = results_of(entries, until=2000), results_of(entries, since=2000)
    assert (first.drop, first.handle, first.win) == (3000, 3000, -3000)
    assert (second.drop, second.handle, second.win) == (4000, 4000, 4000), "all fresh to this shift"
    both = results_of(entries)
    assert both.win == first.win + second.win and both.handle == first.handle + second.handle


def test_a_reversal_is_counted_when_it_happens() -> None:
    scene = two_rounds()
    scene.report("4H:player", by=SUPERVISOR)
    entries = timed(scene.log).entries
    (at,) = (place for place, (event, _) in enumerate(entries) if event.name() == "settlement-reversed")
    assert results_of(entries[:at]).win == 1000
    assert results_of(entries[: at + 1]).win == -3000, "the second round is open again"
    assert results_of(entries[at : at + 1]).returned["Ann"] == 0, "never less than nothing"


def test_without_a_drop_there_is_no_hold() -> None:
    assert TableResults().hold is None
