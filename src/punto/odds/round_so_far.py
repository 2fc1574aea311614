"""The round so far: the cards on the table, and which stage that is.

`odds` shares only the compiled book with the table, so it says itself which hand a card goes to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from punto.cards.card import Card
from punto.rules.play import STOOD, Play


class Stage(Enum):
    """How far a round has come."""

    BEFORE_THE_DEAL = "before-the-deal"
    FIRST_CARDS = "first-cards"
    """One to three cards are on the table: an ante may be decided."""
    FOUR_CARDS = "four-cards"
    PLAYERS_THIRD = "players-third-card"
    FINISHED = "finished"

    @property
    def words(self) -> str:
        """The stage as a person would say it."""
        return _STAGE_WORDS[self]


_STAGE_WORDS = {
    Stage.BEFORE_THE_DEAL: "before the deal",
    Stage.FIRST_CARDS: "after the first cards",
    Stage.FOUR_CARDS: "after four cards",
    Stage.PLAYERS_THIRD: "after Player's third card",
    Stage.FINISHED: "after the last card",
}


class StageError(ValueError):
    """The table of play cannot have brought these cards, in one sentence."""


@dataclass(frozen=True, slots=True)
class RoundSoFar:
    """Both hands as far as they are dealt, and how far that is."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    stage: Stage = Stage.BEFORE_THE_DEAL

    @classmethod
    def of(cls, play: Play, cards: Sequence[Card]) -> RoundSoFar:
        """The round after these cards, in dealing order."""
        player, banker = tuple(cards[0:4:2]), tuple(cards[1:4:2])
        if len(cards) < 4:
            return cls(player, banker, Stage.FIRST_CARDS if cards else Stage.BEFORE_THE_DEAL)
        more = list(cards[4:])
        two_hands = _points(player) * 10 + _points(banker)
        third = STOOD
        if play.player_draws[two_hands]:
            if not more:
                return cls(player, banker, Stage.FOUR_CARDS)
            card = more.pop(0)
            player, third = (*player, card), card.points
        if not play.ends[two_hands] and play.banker_draws[third][_points(banker)]:
            if not more:
                return cls(player, banker, Stage.FOUR_CARDS if third == STOOD else Stage.PLAYERS_THIRD)
            banker = (*banker, more.pop(0))
        if more:
            used = len(player) + len(banker)
            raise StageError(f"the round is finished after {used} cards, but {len(cards)} were given")
        return cls(player, banker, Stage.FINISHED)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, Player's first."""
        return self.player + self.banker

    @property
    def player_points(self) -> tuple[int, ...]:
        """Points of each of Player's cards."""
        return tuple(card.points for card in self.player)

    @property
    def banker_points(self) -> tuple[int, ...]:
        """Points of each of Banker's cards."""
        return tuple(card.points for card in self.banker)


def _points(cards: tuple[Card, ...]) -> int:
    return sum(card.points for card in cards) % 10
