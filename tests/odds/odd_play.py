"""A table of play that no casino has: other naturals, and Banker's draws follow no bound."""

from __future__ import annotations

from punto.rules.book_text import BankerRow, PlayerRow, TableOfPlay
from punto.rules.table_of_play import STOOD, Play, compile_play

NATURALS = (7, 9)
ASKED = tuple(points for points in range(10) if points not in NATURALS)


def _compile() -> Play:
    player = tuple(PlayerRow((points,), draws=points in (1, 2, 5, 8), clause="1") for points in ASKED)
    banker = []
    for points in ASKED:
        banker.append(BankerRow((points,), draws=points % 2 == 0, clause="1", player_stood=True))
        for third in range(STOOD):
            banker.append(BankerRow((points,), draws=(points * 7 + third * 3) % 5 < 2, clause="1", third=(third,)))
    play = compile_play(TableOfPlay(NATURALS, "1", "1", "1", player, tuple(banker)))
    assert isinstance(play, Play), play
    return play


ODD_PLAY = _compile()
