"""From lines to commands, in one box and in several, against a second bookkeeping of what must lie."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from punto.books import load
from punto.cli.play_bets import BetPlacing, NotUnderstood, Spot, read_lines
from punto.cli.play_table import PLAYER, SoloTable
from punto.ledger.results import purse_of
from punto.refusal import Refusal
from punto.table import default_terms
from punto.table.house import SeatTaken

BANKROLL = 1_000_000
EZ = load("ez")


class Bettor:
    """Types lines while bets are open."""

    def __init__(self, *boxes: int, each: int = 7) -> None:
        self.solo = SoloTable(EZ, "3", BANKROLL)
        assert self.solo.open(replace(default_terms(EZ), boxes_each=each), *boxes) is None
        self.solo.go_on()
        self.placing = BetPlacing(self.solo, self.in_hand)
        self.placing.begin()

    def in_hand(self) -> int:
        return purse_of(PLAYER, BANKROLL, self.solo.events).in_hand

    def type(self, text: str) -> dict[Spot, int]:
        lines = read_lines(text, EZ.areas)
        events = self.solo.give(*self.placing.commands(lines))
        assert not isinstance(events, Refusal), events.sentence
        self.placing.remember(lines)
        return self.placing.laid()


def test_a_bet_in_a_free_box_takes_it() -> None:
    bettor = Bettor(3)
    assert bettor.type("b 100 box 5 t 10") == {(3, "banker"): 10_000, (5, "tie"): 1_000}
    assert bettor.solo.boxes == (3, 5)
    seats = [event.box for event in bettor.solo.events if isinstance(event, SeatTaken)]
    assert seats == [3, 5]
    assert bettor.type("both p8 20") == {
        (3, "banker"): 10_000,
        (5, "tie"): 1_000,
        (3, "panda-8"): 2_000,
        (5, "panda-8"): 2_000,
    }
    assert all(bet.is_seated for bet in bettor.solo.state.bets)


def test_a_box_that_is_not_there_or_not_allowed() -> None:
    refused = Bettor(3).solo.give(*Bettor(3).placing.commands(read_lines("box 8 b 10", EZ.areas)))
    assert isinstance(refused, Refusal)
    assert refused.sentence.startswith("the table has boxes 1 to 7, not 8")
    with pytest.raises(NotUnderstood, match="a player has one box, and yours is box 3"):
        Bettor(3, each=1).type("box 4 b 10")


def test_words_about_all_bets_keep_to_a_box_that_is_named() -> None:
    bettor = Bettor(3, 5)
    bettor.type("both b 100")
    assert bettor.type("box 5 double") == {(3, "banker"): 10_000, (5, "banker"): 20_000}
    assert bettor.type("double") == {(3, "banker"): 20_000, (5, "banker"): 40_000}
    assert bettor.type("box 3 clear") == {(5, "banker"): 40_000}
    assert bettor.type("undo") == {(3, "banker"): 20_000, (5, "banker"): 40_000}
    with pytest.raises(NotUnderstood, match="there are no bets to take off"):
        bettor.type("box 4 clear")
    with pytest.raises(NotUnderstood, match="type undo by itself"):
        bettor.type("undo b 10")
    assert bettor.type("box 5 b max")[5, "banker"] == 1_000_000 - 20_000


@pytest.mark.parametrize(
    ("text", "boxes"), [("same", (3, 5)), ("box 5 same", (5,)), ("both same", (3, 5)), ("box 3 same", (3,))]
)
def test_same_repeats_the_bets_of_the_last_round(text: str, boxes: tuple[int, ...]) -> None:
    bettor = Bettor(3, 5)
    bettor.type("both b 100")
    bettor.solo.go_on(is_ready=True)
    bettor.solo.go_on()
    bettor.placing.begin()
    assert bettor.type(text) == {(box, "banker"): 10_000 for box in boxes}


Model = dict[Spot, int]
WORDS: dict[str, Callable[[Model, tuple[int, ...]], Model]] = {
    "b 50": lambda laid, boxes: laid | {(box, "banker"): laid.get((box, "banker"), 0) + 5_000 for box in boxes},
    "20 tie": lambda laid, boxes: laid | {(box, "tie"): laid.get((box, "tie"), 0) + 2_000 for box in boxes},
    "off tie": lambda laid, boxes: {spot: s for spot, s in laid.items() if spot not in _ties(boxes)},
    "clear": lambda laid, boxes: {spot: s for spot, s in laid.items() if spot[0] not in boxes},
    "double": lambda laid, boxes: {spot: s * (2 if spot[0] in boxes else 1) for spot, s in laid.items()},
}
WHERE = {"": None, "box 3 ": (3,), "box 5 ": (5,), "both ": (3, 5)}
ALL_BETS = ("clear", "double")


def _ties(boxes: tuple[int, ...]) -> set[Spot]:
    return {(box, "tie") for box in boxes}


@given(st.lists(st.tuples(st.sampled_from([*WHERE]), st.sampled_from([*WORDS])), max_size=8))
def test_what_lies_is_what_was_typed(typed: list[tuple[str, str]]) -> None:
    """Every line does what it says or nothing, and chips are on the layout or in hand."""
    bettor, laid = Bettor(3, 5), Model()
    for where, words in typed:
        boxes = WHERE[where] or ((3, 5) if words in ALL_BETS else (3,))
        is_wrong = (words == "off tie" and not _ties(boxes) <= {*laid}) or (
            words in ALL_BETS and not any(box in boxes for box, _ in laid)
        )
        wanted = WORDS[words](laid, boxes)
        if sum(wanted.values()) > 500_000:
            continue
        if is_wrong:
            with pytest.raises(NotUnderstood):
                bettor.type(where + words)
        else:
            before, laid = laid, wanted
            assert bettor.type(where + words) == laid
            assert bettor.type("undo") == before
            assert bettor.type(where + words) == laid
        assert bettor.in_hand() + sum(laid.values()) == BANKROLL
