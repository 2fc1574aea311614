"""What is known when odds are asked for: the cards that nobody has seen, over which every probability is
taken, and the round so far, with its stage. Counts are held by rank, and by card as well where suits are
known. `odds` shares only the compiled book with the table, so it says itself which hand a card goes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from punto.cards.card import DECK, Card, Rank
from punto.cards.shoe import Composition
from punto.rules.table_of_play import STOOD, Play

LEAST_CARDS = 6  # A round may take six cards, so with fewer there is nothing to compute.

MOST_CARDS = 10**30
"""Cards that are computed with. Every count is exact at any size, but its time grows with the digits: bets on
single cards are counted once for each prime number that the draws need, here at most 20 times."""


class UndealtError(ValueError):
    """Counts that no shoe can have, in one sentence."""


@dataclass(frozen=True, slots=True)
class Undealt:
    """Counts of the thirteen ranks, and of the 52 cards where their suits are known."""

    ranks: tuple[int, ...]
    cards: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        assert len(self.ranks) == len(Rank)
        if self.cards is not None:
            assert len(self.cards) == len(DECK)
            assert all(sum(self.cards[i::13]) == count for i, count in enumerate(self.ranks))
        for names, counts in ((Rank, self.ranks), (DECK, self.cards or ())):
            for name, count in zip(names, counts, strict=False):
                _require_a_count(name.notation if isinstance(name, Rank) else str(name), count)
        if self.size > MOST_CARDS:
            raise UndealtError(f"the shoe is too large: odds are computed for up to {MOST_CARDS:,} cards")

    @classmethod
    def of_decks(cls, decks: int) -> Undealt:
        _require_decks(decks)
        return cls((4 * decks,) * len(Rank), (decks,) * len(DECK))

    @classmethod
    def of_composition(cls, composition: Composition) -> Undealt:
        return cls(tuple(sum(composition.counts[i::13]) for i in range(len(Rank))), composition.counts)

    @classmethod
    def of_counts(cls, counts: Mapping[str, object]) -> Undealt:
        """Counts by rank (`A`, `10`) or by card (`AS`, `10H`), not both; what is absent is 0."""
        by_rank, by_card = [0] * len(Rank), [0] * len(DECK)
        named: set[Rank | Card] = set()
        for name, count in counts.items():
            key = _rank_or_card(name)
            if key in named:
                raise UndealtError(f"{name} is counted twice")
            named.add(key)
            if isinstance(key, Card):
                by_card[key.index] = _require_a_count(name, count)
            else:
                by_rank[key - 1] = _require_a_count(name, count)
        if not any(isinstance(key, Card) for key in named):
            return cls(tuple(by_rank))
        if any(isinstance(key, Rank) for key in named):
            raise UndealtError("counts go by rank or by card, not by both")
        return cls.of_composition(Composition(tuple(by_card)))

    @property
    def size(self) -> int:
        return sum(self.ranks)

    @property
    def points(self) -> tuple[int, ...]:
        """How many cards count 0, 1, … 9 points."""
        return (sum(self.ranks[9:]), *self.ranks[:9])

    def count(self, card: Card) -> int:
        """How many there are of a card, or of its rank where suits are not known."""
        return self.ranks[card.rank - 1] if self.cards is None else self.cards[card.index]

    def suits(self, rank: Rank) -> tuple[int, ...] | None:
        """Counts of a rank by suit, where they are known."""
        return None if self.cards is None else self.cards[rank - 1 :: 13]

    def less(self, cards: Iterable[Card]) -> Undealt:
        """What is left when these cards are taken out; `UndealtError` names one that is not there."""
        ranks = list(self.ranks)
        by_card = None if self.cards is None else list(self.cards)
        for card in cards:
            if ranks[card.rank - 1] == 0 or (by_card is not None and by_card[card.index] == 0):
                raise UndealtError(f"{card} was seen more often than it is in the shoe")
            ranks[card.rank - 1] -= 1
            if by_card is not None:
                by_card[card.index] -= 1
        return Undealt(tuple(ranks), None if by_card is None else tuple(by_card))

    def require_a_round(self, dealt: int = 0) -> None:
        """Refuse fewer cards than a round may take, those on the table counted."""
        if self.size + dealt < LEAST_CARDS:
            raise UndealtError(f"a round may take {LEAST_CARDS} cards, and there are only {self.size + dealt}")


def undealt_without(decks: int, removed: Iterable[str]) -> Undealt:
    """A full shoe of this many decks without some cards, named as `9H`, or as `9` where the suit is not known.

    Where the suit of one of them is not known, none is: what is left is then counted by rank.
    """
    undealt, named = Undealt.of_decks(decks), [_rank_or_card(name) for name in removed]
    if all(isinstance(each, Card) for each in named):
        return undealt.less(each for each in named if isinstance(each, Card))
    ranks = list(undealt.ranks)
    for each in named:
        rank = each.rank if isinstance(each, Card) else each
        if ranks[rank - 1] == 0:
            raise UndealtError(f"{rank.notation} was seen more often than it is in the shoe")
        ranks[rank - 1] -= 1
    return Undealt(tuple(ranks))


def _require_decks(decks: object) -> None:
    if isinstance(decks, bool) or not isinstance(decks, int) or decks < 1:
        raise UndealtError(f"{decks!r} is not a number of decks; give a whole number, 1 or more")


def _require_a_count(name: str, count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise UndealtError(f"the count of {name} is {count!r}; a count is a whole number, 0 or more")
    return count


def _rank_or_card(name: str) -> Rank | Card:
    for read in (Rank.parse, Card.parse):
        try:
            return read(name)
        except ValueError:
            continue
    raise UndealtError(f"{name!r} is neither a rank, such as A or 10, nor a card, such as AS or 10H")


class Stage(Enum):
    BEFORE_THE_DEAL = "before-the-deal"
    FIRST_CARDS = "first-cards"  # One to three cards are on the table: an ante may be decided.
    FOUR_CARDS = "four-cards"
    PLAYERS_THIRD = "players-third-card"
    FINISHED = "finished"

    @property
    def words(self) -> str:
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
            raise StageError(f"the round is finished after {len(cards) - len(more)} cards, but {len(cards)} were given")
        return cls(player, banker, Stage.FINISHED)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, Player's first."""
        return self.player + self.banker

    @property
    def player_points(self) -> tuple[int, ...]:
        return tuple(card.points for card in self.player)

    @property
    def banker_points(self) -> tuple[int, ...]:
        return tuple(card.points for card in self.banker)


def _points(cards: tuple[Card, ...]) -> int:
    return sum(card.points for card in cards) % 10
