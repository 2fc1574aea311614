"""A table of play is compiled only when it is total: no gap, no second row, no row for a natural."""

import pytest

from punto.rules import Totals
from punto.rules.table_of_play import STOOD, Draw
from tests.rules.small_book import FILE, complaints, line, read
from tests.rules.small_book import TEXT as SMALL


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("points = [6, 7]", "points = [6]", ["play.player: no row says what Player does on 7"]),
        ("points = [6, 7]", "points = [5, 6, 7]", ["play.player[1]: a second row for Player on 5"]),
        (
            "points = [6, 7]\nplayer_stood",
            "points = [6]\nplayer_stood",
            ["play.banker: no row says what Banker does on 7 against a Player hand that stood"],
        ),
        (
            "points = [6, 7]\nthird = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
            "points = [6, 7]\nthird = [0, 1, 2, 3, 4, 5, 6, 7, 9]",
            [
                "play.banker: no row says what Banker does on 6 against a third card of 8",
                "play.banker: no row says what Banker does on 7 against a third card of 8",
            ],
        ),
        (
            "points = [6, 7]\nthird = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
            "points = [5, 6, 7]\nthird = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
            [f"play.banker[3]: a second row for Banker against a third card of {third} on 5" for third in range(10)],
        ),
        (
            "points = [6, 7]",
            "points = [6, 7, 8]",
            ["play: a row speaks of 8, but a natural has ended the deal by then"],
        ),
        (
            "points = [6, 7]\nplayer_stood",
            "points = [6, 7, 9]\nplayer_stood",
            ["play: a row speaks of 9, but a natural has ended the deal by then"],
        ),
        (
            "points = [6, 7]\nplayer_stood = true",
            "points = [6, 7]",
            ["play.banker[1]: a row must have either third (Player's third card) or player_stood = true"],
        ),
        (
            "points = [6, 7]\nthird",
            "points = [6, 7]\nplayer_stood = true\nthird",
            ["play.banker[3]: a row must have either third (Player's third card) or player_stood = true"],
        ),
        (
            "naturals = [8, 9]",
            "naturals = [9]",
            ["play.player: no row says what Player does on 8"]
            + [f"play.banker: no row says what Banker does on 8 against a third card of {n}" for n in range(10)]
            + ["play.banker: no row says what Banker does on 8 against a Player hand that stood"],
        ),
    ],
)
def test_what_keeps_a_table_from_being_total(old: str, new: str, what: list[str]) -> None:
    found = complaints((old, new))
    assert [one.split(": ", 2)[2] for one in found] == what
    assert all(one.startswith(f"{FILE}: line ") for one in found)


def test_a_gap_is_told_at_the_rows_it_is_in() -> None:
    assert complaints(("points = [6, 7]", "points = [6]")) == [
        f"{FILE}: line {line(SMALL, '[[play.player]]')}: play.player: no row says what Player does on 7"
    ]


def test_compiled_rows_carry_their_clause() -> None:
    play = read().play
    assert play.player[5] == Draw(draws=True, clause="2")
    assert play.player[6] == Draw(draws=False, clause="2")
    assert play.player[8:] == (None, None)
    assert play.banker[STOOD][5] == Draw(draws=True, clause="2")
    assert len(play.banker) == 11


def test_a_book_without_naturals_plays_on() -> None:
    play = read(
        ("naturals = [8, 9]", "naturals = []"),
        ("points = [6, 7]", "points = [6, 7, 8, 9]"),
        ("points = [6, 7]\nplayer_stood", "points = [6, 7, 8, 9]\nplayer_stood"),
        ("points = [6, 7]\nthird", "points = [6, 7, 8, 9]\nthird"),
    ).play
    assert not any(play.ends)
    assert play.brings_card(9, 0)
    assert not play.brings_card(9, 9)


def test_whether_a_card_is_still_to_come() -> None:
    play = read().play
    assert play.brings_card(5, 7)
    assert play.brings_card(6, 5)
    assert not play.brings_card(6, 6)
    assert not play.brings_card(8, 0)
    assert not play.brings_card(0, 9)
    assert play.brings_card(3, 5, third=8)
    assert not play.brings_card(3, 6, third=8)
    assert play.brings_card(3, 5, third=0)


def test_every_way_a_deal_can_go() -> None:
    ways = list(read().play.finishes())
    assert len(ways) == len(set(ways))
    # 36 with a natural; Player 6 or 7 stands: 2 × (6 × 10 + 2); Player draws: 6 × 10 × (6 × 10 + 2).
    assert len(ways) == 36 + 124 + 3720
    assert (8, 0, Totals(8, 2, 0, 2)) in ways
    assert (6, 5, Totals(6, 2, 4, 3)) in ways
    assert (0, 6, Totals(9, 3, 6, 2)) in ways
    assert (0, 6, Totals(9, 3, 7, 3)) not in ways
