from __future__ import annotations

from punto.roads.roads import Bead, Roads, RoundWinner
from tests.roads.random_shoes import random_shoes


def test_beads_fill_six_rows_and_then_the_next_column() -> None:
    beads = Roads.parse("BPTBPTB").bead
    assert [(bead.column, bead.row) for bead in beads] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0)]


def test_a_bead_shows_its_round_and_a_tie_keeps_its_pairs() -> None:
    assert Roads.parse("BbPTp").bead == (
        Bead(0, 0, RoundWinner.BANKER, banker_pair=True, player_pair=False),
        Bead(0, 1, RoundWinner.PLAYER, banker_pair=False, player_pair=False),
        Bead(0, 2, RoundWinner.TIE, banker_pair=False, player_pair=True),
    )


def test_the_results_can_be_read_back_from_it() -> None:
    for text in random_shoes(200, seed=1):
        assert str(Roads.parse(text)) == text
