"""Rounds for bets on single cards, as vector code: which cards each hand got, ready to be looked up.

With ranks alone nothing is drawn otherwise than for other bets. Where suits count, a card is one of 52 codes,
four to a rank, and there are more counts of "cards above", three within each rank. They are gone through
after the round, one by one, each with all six draws: so each is loaded and stored once. A draw means a card
of the same rank with and without them, and totals do not depend on whether anybody asks for suits.
"""

from __future__ import annotations

from typing import Any

from numba import types

from punto.cards.card import Suit
from punto.simulation.kernels import workspace as row
from punto.simulation.kernels.compiling import vector_code
from punto.simulation.kernels.dealing import DEAL_LANES, DealtRound
from punto.simulation.kernels.vector import Vector
from punto.simulation.kernels.workspace import RANKS, SUITED_CODES

PLAYER_TWO = row.ROWS
"""Codes of Player's first two cards: the first × number of codes + the second."""
BANKER_TWO, PLAYER_THIRD, BANKER_THIRD = (row.ROWS + i for i in (1, 2, 3))
"""The same of Banker; the code of the third card, or the number of codes where there is none."""
SUITS = len(Suit)
CARDS = RANKS * SUITS
"""Codes of cards where suits count: code of the rank × 4 + suit."""
INSIDE = tuple(code for code in range(CARDS) if code % SUITS < SUITS - 1)
"""Codes whose counts of "cards above" lie within a rank; the others are the counts of ranks."""
CARDS_ABOVE = row.ROWS + 4
"""The first row of those counts."""
ROWS = CARDS_ABOVE + len(INSIDE)


class _RankRound(DealtRound):
    """A round whose hands are written down as codes of ranks."""

    def facts(self, first: Any, thirds: Any, points: Any, draws: Any) -> None:
        super().facts(first, thirds, points, draws)
        self.hands(first, thirds, draws, RANKS)

    def hands(self, first: Any, thirds: Any, draws: Any, number: int) -> None:
        """Write the hands down, with this number of codes."""
        v, b = self.v, self.b
        codes = none = v.const(number)
        self.store(b.add(b.mul(first[0], codes), first[2]), PLAYER_TWO)
        self.store(b.add(b.mul(first[1], codes), first[3]), BANKER_TWO)
        player_draws, banker_draws = draws
        self.store(b.select(player_draws, thirds[0], none), PLAYER_THIRD)
        bankers = b.select(player_draws, thirds[1], thirds[0])
        self.store(b.select(banker_draws, bankers, none), BANKER_THIRD)


class _SuitedRound(_RankRound):
    """A round whose hands are written down as codes of cards."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._draws: list[Any] = []

    def take(self, draw: Any) -> Any:
        self._draws.append(draw)
        return super().take(draw)

    def facts(self, first: Any, thirds: Any, points: Any, draws: Any) -> None:
        v, b = self.v, self.b
        DealtRound.facts(self, first, thirds, points, draws)
        cards = self._cards([*first, *thirds])
        self.hands(cards[:4], cards[4:], draws, CARDS)
        pairs = [self._pair(first[i], first[i + 2], v.is_equal(cards[i], cards[i + 2])) for i in (0, 1)]
        self.store(b.add(b.mul(pairs[0], v.const(SUITED_CODES)), pairs[1]), row.PAIRS_ROW)

    def _cards(self, ranks: list[Any]) -> list[Any]:
        """The codes of the six cards: those of their ranks, and the counts within ranks above the draws."""
        v, b = self.v, self.b
        codes = list(ranks)
        for i in range(len(INSIDE)):
            above = self.load(CARDS_ABOVE + i)
            for j, draw in enumerate(self._draws):
                less = b.ashr(b.sub(draw, above), v.const(15))
                above, codes[j] = b.add(above, less), b.sub(codes[j], less)
            self.store(above, CARDS_ABOVE + i)
        return codes

    def _pair(self, one: Any, two: Any, is_suited: Any) -> Any:
        """0 for no pair, else 1 + 2 × rank, and 1 more if the pair is suited."""
        v, b = self.v, self.b
        pair = b.add(b.add(b.shl(one, v.const(1)), v.const(1)), v.number(is_suited))
        return b.select(v.is_equal(one, two), pair, v.const(0))


def _written(kind: type[DealtRound]) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        work = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        masks = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        return kind(Vector(builder, DEAL_LANES, 16), work, arguments[1], masks).code(*arguments[3:])

    return code


@vector_code
def deal_ranks(_context, work, lane, masks, after, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """A round of ranks in each of thirty-two lanes; gives the lanes whose shoe is then at its end."""
    signature = types.uint32(work, types.int64, masks, types.uint16, types.uint16)
    return signature, _written(_RankRound)


@vector_code
def deal_suits(_context, work, lane, masks, after, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The same with the suits of all cards."""
    signature = types.uint32(work, types.int64, masks, types.uint16, types.uint16)
    return signature, _written(_SuitedRound)
