"""In how many ways two hands of two cards come to each pair of totals: a closed form.

With n[a] undealt cards of a points, let u[a, s] = n[s - a] - [2a = s] be the partners that bring a card of
a points to the total s. E[s] = Σ n[a]·u[a, s] then counts a hand of total s, and C[s, t] = Σ n[a]·u[a,
s]·u[a, t] two hands that share a card. Two hands may share one card in four ways, or both in two, so that
for Player's total s and Banker's t

    Q[s, t] = E[s]·E[t] - 4·C[s, t] + 2·[s = t]·E[s]        (indices modulo ten)

Where a hand's first card is known, only its partner is left to draw and the form is simpler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Weights = list[list[int]]
"""By Player's total, then by Banker's."""


def falling(n: int, k: int) -> int:
    """In how many ways k of n cards are drawn one after the other."""
    product = 1
    for i in range(k):
        product *= n - i
    return product


def partners(n: Sequence[int]) -> Weights:
    """u[a, s]: cards beside one of a points that make the total s."""
    return [[n[(s - a) % 10] - ((s - a) % 10 == a) for s in range(10)] for a in range(10)]


def two_card_weights(n: Sequence[int], player: Sequence[int], banker: Sequence[int]) -> Weights:
    """Ordered ways to complete both hands to two cards, by their totals.

    `player` and `banker` are the points of up to two cards of each hand already dealt; Banker never has
    more of its first two than Player.
    """
    if len(player) == 0:
        return _both_unknown(n)
    if len(banker) == 0:
        return _players_first_known(n, player) if len(player) == 1 else _banker_unknown(n, sum(player) % 10)
    return _one_partner_each(n, player, banker)


def _both_unknown(n: Sequence[int]) -> Weights:
    u = partners(n)
    hand = [sum(n[a] * u[a][s] for a in range(10)) for s in range(10)]
    weights = [[0] * 10 for _ in range(10)]
    for s in range(10):
        shared = [n[a] * u[a][s] for a in range(10)]
        for t in range(s, 10):
            both = sum(shared[a] * u[a][t] for a in range(10))
            ways = hand[s] * hand[t] - 4 * both + (2 * hand[s] if s == t else 0)
            weights[s][t] = weights[t][s] = ways
    return weights


def _players_first_known(n: Sequence[int], player: Sequence[int]) -> Weights:
    u = partners(n)
    hand = [sum(n[a] * u[a][t] for a in range(10)) for t in range(10)]
    weights = []
    for s in range(10):
        partner = (s - player[0]) % 10
        # Player's second card is gone from Banker's hands: two of their ordered pairs for each partner of it.
        weights.append([n[partner] * (hand[t] - 2 * u[partner][t]) if n[partner] else 0 for t in range(10)])
    return weights


def _banker_unknown(n: Sequence[int], player_total: int) -> Weights:
    u = partners(n)
    weights = [[0] * 10 for _ in range(10)]
    weights[player_total] = [sum(n[a] * u[a][t] for a in range(10)) for t in range(10)]
    return weights


def _one_partner_each(n: Sequence[int], player: Sequence[int], banker: Sequence[int]) -> Weights:
    """Banker has a card, and each hand lacks one card at most."""
    weights = [[0] * 10 for _ in range(10)]
    for s, players, left in _completed(n, player):
        for t, bankers, _ in _completed(left, banker):
            weights[s][t] += players * bankers
    return weights


def _completed(n: Sequence[int], hand: Sequence[int]) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Total, ways, and what is left, for each second card of a hand."""
    if len(hand) == 2:
        yield sum(hand) % 10, 1, n
        return
    for second in range(10):
        if n[second]:
            left = list(n)
            left[second] -= 1
            yield (hand[0] + second) % 10, n[second], left
