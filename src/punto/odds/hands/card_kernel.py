"""The compiled kernel for bets on single cards: every way to deal kinds of cards, by the row it comes to.

The first four cards are gone through kind by kind; where a hand is the same to the bet in either order of its
two cards, only one order is. What a last card can bring is known beforehand for every two states of the
hands, as numbers of cards by row, and corrected for the cards that are gone: so the sixth card costs nothing
more than the fifth.

Shoes whose draws do not fit 64 bits are counted several times over, each time modulo another prime number.
The numbers of cards are then given modulo that prime as well, so that nothing here grows with the shoe: both
factors of a product lie below `MOST_MODULUS`, one of them perhaps doubled, and the product below 2^63. A kind
that has fewer cards than are taken of it gives a factor of 0 either way, and where a remainder comes to 0
earlier, the number of ways is a multiple of the prime.
Everything that goes into the machine code stands in this one file, because the compiler's store on disk looks
at the file's date.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from punto.odds.kernel import compiled

NOT_DEALT = -1
"""In place of the kind of a card that is still to come."""

IS_THIRD_READ, IS_PLAYER_EVEN, IS_BANKER_EVEN, BANKER_CODES, ROWS, MODULUS, REST = range(7)
"""Places in the numbers that the kernel is given. A hand is even if the order of its first two cards does not
matter; the rest are the cards left when all of the first four are out."""

MOST_MODULUS = 1 << 31
"""A modulus lies below this."""


@compiled
def _times(left: int, right: int, modulus: int) -> int:
    """A product; with a modulus, `left` lies below it and `right` below twice as much."""
    return left * right % modulus if modulus else left * right


@compiled
def _add(ways: Any, row: int, number: int, modulus: int) -> None:
    ways[row] += number
    if modulus:
        ways[row] %= modulus


@compiled
def last_cards(n: Any, third_banker: Any, cells: Any, player_codes: int, numbers: Any) -> Any:
    """By Player's code, Banker's state and row: how many cards bring Banker there."""
    kinds, codes = len(n), numbers[BANKER_CODES]
    states = len(third_banker) // kinds
    found = np.zeros((player_codes, states, numbers[ROWS]), np.int64)
    for p in range(player_codes):
        for state in range(states):
            for y in range(kinds):
                row = cells[p * codes + third_banker[state * kinds + y]]
                if row >= 0:
                    _add(found[p, state], row, n[y], numbers[MODULUS])
    return found


@compiled
def row_ways(
    n: Any,
    points: Any,
    player: Any,
    banker: Any,
    cells: Any,
    ends: Any,
    player_draws: Any,
    banker_draws: Any,
    dealt: Any,
    numbers: Any,
    ways: Any,
) -> None:
    """Add the ordered draws of each row to `ways`.

    `n` counts the undealt cards by kind, `dealt` has the kinds of the first four cards where they are known,
    Player's two before Banker's. `player` and `banker` are look-ups: two cards, third card, stood.
    """
    kinds, codes, modulus = len(n), numbers[BANKER_CODES], numbers[MODULUS]
    two_player, third_player, stood_player = player
    two_banker, third_banker, stood_banker = banker
    is_third_read = numbers[IS_THIRD_READ] == 1
    rest = numbers[REST]
    last = (rest - 1) % modulus if modulus else rest - 1
    tail = last_cards(n, third_banker, cells, _most(third_player, stood_player) + 1, numbers)
    gone = np.zeros(5, np.int64)
    for a in range(kinds):
        if dealt[0] != NOT_DEALT and dealt[0] != a:
            continue
        for_a = _take(n, a, dealt[0])
        for c in range(a if numbers[IS_PLAYER_EVEN] else 0, kinds):
            if for_a == 0 or (dealt[1] != NOT_DEALT and dealt[1] != c):
                continue
            for_c = _take(n, c, dealt[1])
            orders = 2 if numbers[IS_PLAYER_EVEN] and a != c else 1
            players = _times(for_a, for_c * orders, modulus)
            sp = two_player[a * kinds + c]
            for b in range(kinds):
                if for_c == 0 or (dealt[2] != NOT_DEALT and dealt[2] != b):
                    continue
                for_b = _take(n, b, dealt[2])
                three = _times(players, for_b, modulus)
                for d in range(b if numbers[IS_BANKER_EVEN] else 0, kinds):
                    if for_b == 0 or (dealt[3] != NOT_DEALT and dealt[3] != d):
                        continue
                    for_d = _take(n, d, dealt[3])
                    if for_d == 0:
                        continue
                    orders = 2 if numbers[IS_BANKER_EVEN] and b != d else 1
                    four = _times(three, for_d * orders, modulus)
                    sb = two_banker[b * kinds + d]
                    stood = stood_player[sp] * codes
                    if not is_third_read:
                        _add(ways, cells[stood + stood_banker[sb]], four, modulus)
                        _put_back(n, d, dealt[3])
                        continue
                    s, t = (points[a] + points[c]) % 10, (points[b] + points[d]) % 10
                    if ends[10 * s + t] or not (player_draws[10 * s + t] or banker_draws[10, t]):
                        both = _times(four, _times(rest, last, modulus), modulus)
                        _add(ways, cells[stood + stood_banker[sb]], both, modulus)
                    elif not player_draws[10 * s + t]:
                        one = _times(four, last, modulus)
                        for y in range(kinds):
                            if n[y]:
                                row = cells[stood + third_banker[sb * kinds + y]]
                                _add(ways, row, _times(one, n[y], modulus), modulus)
                    else:
                        number = 0
                        for place in range(4):
                            if dealt[place] == NOT_DEALT:
                                gone[number] = (a, c, b, d)[place]
                                number += 1
                        for x in range(kinds):
                            if n[x] == 0:
                                continue
                            p = third_player[sp * kinds + x]
                            one = _times(four, n[x], modulus)
                            if not banker_draws[points[x], t]:
                                row = cells[p * codes + stood_banker[sb]]
                                _add(ways, row, _times(one, last, modulus), modulus)
                                continue
                            for row in range(numbers[ROWS]):
                                if tail[p, sb, row]:
                                    _add(ways, row, _times(one, tail[p, sb, row], modulus), modulus)
                            gone[number] = x
                            for i in range(number + 1):
                                row = cells[p * codes + third_banker[sb * kinds + gone[i]]]
                                _add(ways, row, modulus - one if modulus else -one, modulus)
                    _put_back(n, d, dealt[3])
                if for_b:
                    _put_back(n, b, dealt[2])
            if for_c:
                _put_back(n, c, dealt[1])
        if for_a:
            _put_back(n, a, dealt[0])


@compiled
def _take(n: Any, kind: int, dealt: int) -> int:
    """In how many ways a card of a kind comes, and it is taken out; a card on the table counts as one."""
    if dealt != NOT_DEALT:
        return 1
    count = n[kind]
    if count > 0:
        n[kind] -= 1
    return int(count)


@compiled
def _put_back(n: Any, kind: int, dealt: int) -> None:
    if dealt == NOT_DEALT:
        n[kind] += 1


@compiled
def _most(third: Any, stood: Any) -> int:
    most = 0
    for code in third:
        most = max(most, code)
    for code in stood:
        most = max(most, code)
    return most
