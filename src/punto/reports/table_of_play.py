"""The table of play as casinos print it: Banker's points down, Player's third card across."""

from __future__ import annotations

from punto.documents.page import Grid, Section
from punto.rules.book import Book
from punto.rules.play import STOOD, Draw, Play
from punto.rules.words import either, numbers


def play_section(compiled: Book) -> Section:
    """Who draws a third card, read off the compiled table of play."""
    play, table = compiled.play, compiled.text.play
    return Section(
        "Table of play",
        (
            f"Four cards are dealt, to Player and Banker by turns ({table.deal_clause}). "
            f"The higher points win ({play.winner_clause}); equal points are a tie ({play.tie_clause}).",
            Grid(("Player's two cards", "play", "clause"), _player_rows(play, table.naturals_clause)),
            "Banker's two cards, down, and Player's third card, across; D draws, S stands:",
            _banker_grid(play),
            f"Where Player took no card: clause {_clauses(play, is_stood=True)}; "
            f"otherwise clause {_clauses(play, is_stood=False)}.",
        ),
    )


def _player_rows(play: Play, naturals_clause: str) -> tuple[tuple[str, ...], ...]:
    points_by_draw: dict[Draw, list[int]] = {}
    for points, draw in enumerate(play.player):
        if draw is not None:
            points_by_draw.setdefault(draw, []).append(points)
    rows = [
        (numbers(tuple(points)), "Player draws" if draw.draws else "Player stands", draw.clause)
        for draw, points in points_by_draw.items()
    ]
    if play.naturals:
        rows.append(
            (numbers(tuple(play.naturals)), "a natural, in either hand: nobody draws", naturals_clause)
        )
    return tuple(rows)


def _banker_grid(play: Play) -> Grid:
    thirds = (*range(10), STOOD)
    rows = []
    for points in range(10):
        draws = [play.banker[third][points] for third in thirds]
        if any(draw is not None for draw in draws):
            rows.append((str(points), *("D" if draw is not None and draw.draws else "S" for draw in draws)))
    head = ("Banker", *(str(third) for third in range(10)), "none")
    return Grid(head, tuple(rows))


def _clauses(play: Play, *, is_stood: bool) -> str:
    columns = play.banker[STOOD:] if is_stood else play.banker[:STOOD]
    return either(sorted({draw.clause for column in columns for draw in column if draw is not None}))
