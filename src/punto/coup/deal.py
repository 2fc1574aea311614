"""Dealing by the compiled table of play.

`next_hand` answers the one question of a deal in progress: where does the next card go? `deal` runs a whole
deal in straight lines, because studies and tests deal millions; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence

from punto.cards.card import Card
from punto.coup.coup import Coup, dealing_order, points
from punto.rules.facts import Facts, Hand, pair_index, totals_index
from punto.rules.play import STOOD, Play


class WrongNumberOfCards(ValueError):
    """A deal was given more or fewer cards than the table of play asks for."""


def next_hand(play: Play, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Hand | None:
    """The hand that gets the next card, or None when the deal is finished."""
    if len(banker) < 2:
        return Hand.PLAYER if len(player) == len(banker) else Hand.BANKER
    if len(banker) == 3:
        return None
    player_points, banker_points = points(player[:2]), points(banker)
    if play.ends[player_points * 10 + banker_points]:
        return None
    if len(player) == 2 and play.player_draws[player_points * 10 + banker_points]:
        return Hand.PLAYER
    third = player[2].points if len(player) == 3 else STOOD
    return Hand.BANKER if play.banker_draws[third][banker_points] else None


def deal(play: Play, cards: Sequence[Card], start: int = 0) -> Coup:
    """The coup that these cards make, from `start` on; cards that are not needed are left alone."""
    try:
        p1, b1, p2, b2 = cards[start : start + 4]
        player_points = (p1.points + p2.points) % 10
        banker_points = (b1.points + b2.points) % 10
        player: tuple[Card, ...] = (p1, p2)
        banker: tuple[Card, ...] = (b1, b2)
        two_hands = player_points * 10 + banker_points
        if not play.ends[two_hands]:
            next_card = start + 4
            third = STOOD
            if play.player_draws[two_hands]:
                card = cards[next_card]
                next_card += 1
                third = card.points
                player = (p1, p2, card)
                player_points = (player_points + third) % 10
            if play.banker_draws[third][banker_points]:
                card = cards[next_card]
                banker = (b1, b2, card)
                banker_points = (banker_points + card.points) % 10
    except (ValueError, IndexError):
        given = len(cards) - start
        few = "1 card is" if given == 1 else f"{given} cards are"
        raise WrongNumberOfCards(f"{few} too few to finish the deal") from None
    return Coup(
        player,
        banker,
        player_points,
        banker_points,
        Facts(
            totals_index(player_points, len(player), banker_points, len(banker)),
            pair_index(p1, p2) if p1.rank is p2.rank else 0,
            pair_index(b1, b2) if b1.rank is b2.rank else 0,
        ),
    )


def deal_hands(play: Play, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Coup:
    """The coup of two hands, each card in the order in which its hand got it."""
    return deal_exactly(play, dealing_order(player, banker))


def reconstruct(
    play: Play, order: Sequence[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """The hands that cards make which left the shoe in this order, finished or not, and what is left over."""
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    for used, card in enumerate(order):
        hand = next_hand(play, player, banker)
        if hand is None:
            return player, banker, tuple(order[used:])
        if hand is Hand.PLAYER:
            player = (*player, card)
        else:
            banker = (*banker, card)
    return player, banker, ()


def deal_exactly(play: Play, cards: Sequence[Card]) -> Coup:
    """The coup of a finished deal given in dealing order, with no card over."""
    coup = deal(play, cards)
    used = len(coup.player) + len(coup.banker)
    if used < len(cards):
        raise WrongNumberOfCards(f"the deal is finished after {used} cards, but {len(cards)} were given")
    return coup
