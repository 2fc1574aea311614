"""Watching the logs of tables that were really dealt: burn and cut cards, pay-outs, and a whole floor."""

from __future__ import annotations

from itertools import islice

import msgspec
import numpy as np
import pytest

from punto import books
from punto.audit.sight import Sight, arrays_of, see_table
from punto.audit.watch import floor_page, watch_floor, watch_page, watch_table
from punto.documents.text import page_lines
from punto.documents.typesetting import html_page
from punto.table.event import Event
from punto.table.house import CardsBurned, CutCardCameOut
from punto.table.settlement import RoundSettled
from tests.audit.logs import dealt_log, early_cut_card, late_cut_card, paying, without_cut_card

BOOK = books.load("commission")


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return list(dealt_log("commission", 3, "log"))


def seen(events: list[Event]) -> Sight:
    return see_table(BOOK, events)


def test_an_honest_table_with_its_burn_and_cut_cards(log: list[Event]) -> None:
    sight = seen(log)
    found = watch_table("t1", sight)
    assert found.is_quiet and found.shoes == 3 and found.left_out == 0
    burns = [event.shown for event in log if isinstance(event, CardsBurned)]
    assert [shoe.burned for shoe in sight.shoes] == burns and None not in burns
    cuts = [event for event in log if isinstance(event, CutCardCameOut)]
    assert found.cut is not None
    assert (found.cut.came, found.cut.shoes, found.cut.wrong) == (3, 3, ())
    arrays = arrays_of(sight.shoes)
    assert int(arrays.after_cut.sum()) == len(cuts), "one round is played after each cut card"
    after = next(answer for answer in found.answers if answer.question == "winner after the cut card")
    assert sum(after.came) == pytest.approx(sum(after.expected)) == len(cuts)
    burn = next(answer for answer in found.answers if answer.question == "burn card")
    assert sum(burn.came) == pytest.approx(sum(burn.expected)) == 3
    assert "Every cut card was called out" in "\n".join(page_lines(watch_page(found)))
    assert msgspec.to_builtins(found)["cut_cards"]["came"] == 3


def test_a_cut_card_that_is_not_called_out_or_at_another_time(log: list[Event]) -> None:
    # Without its call one more round of the shoe would be dealt; here the shoe still ends as it did.
    silent = watch_table("t1", seen(list(without_cut_card(iter(log)))))
    assert silent.cut is not None and silent.cut.wrong == (1, 2, 3) and not silent.is_quiet
    late = watch_table("t1", seen(list(late_cut_card(iter(log)))))
    assert late.cut is not None and late.cut.wrong == (1, 2, 3)
    early = watch_table("t1", seen(list(early_cut_card(iter(log)))))
    assert early.cut is not None and early.cut.wrong and not early.is_quiet
    assert "Not called out in the round in which it was due" in html_page(watch_page(early))


def test_a_tie_paid_nine_to_one_is_seen_at_once(log: list[Event]) -> None:
    found = watch_table("t1", seen(list(paying(iter(log), "tie", 9))))
    ties = [event.round for event in log if isinstance(event, RoundSettled) and event.winner.value == "tie"]
    assert [wrong.round for wrong in found.mispaid] == ties and ties
    assert watch_table("t1", seen(list(paying(iter(log), "tie", 8)))).mispaid == ()


def test_a_floor_is_watched_table_by_table_and_together() -> None:
    sights = {
        "t1": see_table(BOOK, islice(dealt_log("commission", 1, "one"), 400)),
        "t2": see_table(BOOK, islice(dealt_log("commission", 1, "two"), 300)),
        "t3": see_table(books.load("ez"), islice(dealt_log("ez", 1, "three"), 200)),
    }
    floor = watch_floor(sights)
    assert floor.is_quiet and [found.table for found in floor.tables] == ["t1", "t2", "t3"]
    [together] = floor.together
    assert together.tables == ("t1", "t2")
    rounds = {found.table: found.rounds for found in floor.tables}
    assert together.rounds == rounds["t1"] + rounds["t2"]
    levels = [found.level for found in (*floor.tables, *floor.together)]
    assert sum(levels) == pytest.approx(floor.level)
    text = "\n".join(page_lines(floor_page(floor)))
    assert "t1, t2 together" in text and "Watch of the floor" in text
    assert msgspec.to_builtins(floor)["quiet"] is True
    alone = watch_floor({"t1": sights["t1"]})
    assert alone.together == () and alone.tables[0].level == alone.level


def test_evidence_of_a_floor_is_that_of_its_shoes_in_a_row() -> None:
    # Two tables of one shoe each, and the same two shoes at one table: the same evidence.
    one, two = (see_table(BOOK, dealt_log("commission", 1, seed)) for seed in ("a", "b"))
    for place, sight in enumerate((one, two)):
        sight.shoes[0].time = place
    [together] = watch_floor({"t1": one, "t2": two}).together
    both = see_table(BOOK, [])
    both.shoes = [*one.shoes, *two.shoes]
    alone = watch_table("t1", both, together.level)
    assert together.answers == alone.answers
    assert np.isfinite([answer.evidence for answer in together.answers]).all()
