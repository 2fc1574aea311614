"""The five roads of a shoe with every mark in its place: a page draws cells and computes nothing."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from punto.roads import RED, Answer, Bead, Mark, Path, Roads, RoundWinner, walk
from punto.views.rounds import EndedRound, ShoeRounds


class ShadeView(msgspec.Struct, frozen=True):
    """A mark of a derived road; columns and rows count from 0."""

    column: int
    row: int
    red: bool
    """Whether the pattern repeats; blue where it changes."""


class AnswerView(msgspec.Struct, frozen=True):
    """The next mark of each derived road: red, blue (false), or none."""

    big_eye: bool | None
    small: bool | None
    cockroach: bool | None


class AskView(msgspec.Struct, frozen=True):
    """What each derived road would show next, if Banker won and if Player did."""

    banker: AnswerView
    player: AnswerView


class CountsView(msgspec.Struct, frozen=True):
    """How often each result has come in a shoe."""

    rounds: int
    player: int
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    naturals: int


class RoadView(msgspec.Struct, frozen=True):
    """The roads of the shoe in play. They are information only, and predict nothing."""

    shoe: int
    results: str
    """Every round in letters, such as `BbPTp`: the winner, then `b` and `p` for pairs."""
    bead: tuple[Bead, ...]
    big: tuple[Mark, ...]
    big_eye: tuple[ShadeView, ...]
    small: tuple[ShadeView, ...]
    cockroach: tuple[ShadeView, ...]
    ask: AskView
    counts: CountsView


def road_view(rounds: ShoeRounds) -> RoadView:
    """The roads of a shoe; void rounds leave no mark."""
    results = [played.result for played in rounds.rounds]
    roads = Roads().extend(tuple(result for result in results if result is not None))
    ask = roads.ask
    return RoadView(
        shoe=rounds.shoe,
        results=str(roads),
        bead=roads.bead,
        big=roads.big,
        big_eye=_placed(roads.big_eye),
        small=_placed(roads.small),
        cockroach=_placed(roads.cockroach),
        ask=AskView(_answer(ask.banker), _answer(ask.player)),
        counts=counts_of(rounds.rounds),
    )


def counts_of(rounds: Iterable[EndedRound]) -> CountsView:
    """How often each result has come."""
    valid = [played for played in rounds if played.winner is not None]
    won = [RoundWinner(played.winner.value) for played in valid if played.winner is not None]
    return CountsView(
        rounds=len(valid),
        player=won.count(RoundWinner.PLAYER),
        banker=won.count(RoundWinner.BANKER),
        tie=won.count(RoundWinner.TIE),
        player_pair=sum(played.player_pair for played in valid),
        banker_pair=sum(played.banker_pair for played in valid),
        naturals=sum(played.is_natural for played in valid),
    )


def _placed(shades: str) -> tuple[ShadeView, ...]:
    starts = [n == 0 or shades[n - 1] != shade for n, shade in enumerate(shades)]
    cells, _ = walk(Path(), starts)
    placed = zip(cells, shades, strict=True)
    return tuple(ShadeView(column, row, shade == RED) for (column, row), shade in placed)


def _answer(answer: Answer) -> AnswerView:
    return AnswerView(
        *(
            None if shade is None else shade == RED
            for shade in (answer.big_eye, answer.small, answer.cockroach)
        )
    )
