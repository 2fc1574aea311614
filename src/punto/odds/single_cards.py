"""Exact odds of bets on single cards: ordered draws by row of the pay table, from any undealt cards and at
every stage of a round, through a compiled kernel over kinds of cards. Shoes whose draws do not fit 64 bits
are counted several times over, each time modulo another prime number. Everything that goes into the
machine code stands in this one file, because the compiler's store on disk looks at the file's date.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.odds.histograms import MOST_AS_INTEGER
from punto.odds.known_cards import RoundSoFar, Stage, Undealt
from punto.odds.machine_row import cached_njit
from punto.odds.ordered_draws import falling
from punto.rules.card_table import CardTable, HandTable, Kinds
from punto.rules.pay_table import PayTable
from punto.rules.table_of_play import Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

NOT_DEALT = -1  # In place of the kind of a card that is still to come.

IS_THIRD_READ, IS_PLAYER_EVEN, IS_BANKER_EVEN, PLAYER_CODES, BANKER_CODES, ROWS, MODULUS, REST = range(8)
"""Places in the numbers that the kernel is given. A hand is even if the order of its first two cards does not
matter; the rest are the cards left when all of the first four are out."""

MOST_MODULUS = 1 << 31  # A modulus lies below this.


@cached_njit
def _times(left: int, right: int, modulus: int) -> int:
    """A product; with a modulus, `left` lies below it and `right` below twice as much."""
    return left * right % modulus if modulus else left * right


@cached_njit
def _add(ways: Any, row: int, number: int, modulus: int) -> None:
    ways[row] += number
    if modulus:
        ways[row] %= modulus


@cached_njit
def last_cards(n: Any, third_banker: Any, cells: Any, player_codes: int, numbers: Any) -> Any:
    """By Player's code, Banker's state and row: how many cards bring Banker there."""
    kinds, codes = len(n), numbers[BANKER_CODES]
    states = len(third_banker) // kinds
    ways = np.zeros((player_codes, states, numbers[ROWS]), np.int64)
    for p in range(player_codes):
        for state in range(states):
            for y in range(kinds):
                row = cells[p * codes + third_banker[state * kinds + y]]
                if row >= 0:
                    _add(ways[p, state], row, n[y], numbers[MODULUS])
    return ways


@cached_njit
def row_ways(n: Any, tables: Any, dealt: Any, numbers: Any, ways: Any) -> None:
    """Add the ordered draws of each row to `ways`.

    `n` counts the undealt cards by kind, `dealt` has the kinds of the first four cards where they are known, Player's
    two before Banker's. `tables` are the points of kinds, look-ups for Player and Banker (two cards, third card,
    stood), the rows by both codes, and who draws.
    """
    kinds, banker, cells = len(n), tables[2], tables[3]
    tail = last_cards(n, banker[1], cells, numbers[PLAYER_CODES], numbers)
    for a in range(kinds):
        if dealt[0] != NOT_DEALT and dealt[0] != a:
            continue
        for_a = _take(n, a, dealt[0])
        for c in range(a if numbers[IS_PLAYER_EVEN] else 0, kinds):
            if for_a == 0 or (dealt[1] != NOT_DEALT and dealt[1] != c):
                continue
            for_c = _take(n, c, dealt[1])
            orders = 2 if numbers[IS_PLAYER_EVEN] and a != c else 1
            players = _times(for_a, for_c * orders, numbers[MODULUS])
            if for_c:
                _add_bankers((a, c), players, n, tables, dealt, tail, numbers, ways)
            _put_back(n, c, dealt[1], for_c)
        _put_back(n, a, dealt[0], for_a)


@cached_njit
def _add_bankers(
    two: tuple[int, int], players: int, n: Any, tables: Any, dealt: Any, tail: Any, numbers: Any, ways: Any
) -> None:
    """Add the ways of Player's two cards with every hand of Banker, and with every third card."""
    a, c = two
    kinds, codes, modulus, rest = len(n), numbers[BANKER_CODES], numbers[MODULUS], numbers[REST]
    points, (two_player, third_player, stood_player), (two_banker, third_banker, stood_banker), cells, draws = tables
    ends, player_draws, banker_draws = draws
    is_third_read = numbers[IS_THIRD_READ] == 1
    last = (rest - 1) % modulus if modulus else rest - 1
    undrawn = _times(rest, last, modulus) if is_third_read else 1
    sp, s = two_player[a * kinds + c], (points[a] + points[c]) % 10
    stood, gone = stood_player[sp] * codes, np.zeros(5, np.int64)
    for b in range(kinds):
        if dealt[2] != NOT_DEALT and dealt[2] != b:
            continue
        for_b = _take(n, b, dealt[2])
        three = _times(players, for_b, modulus)
        for d in range(b if numbers[IS_BANKER_EVEN] else 0, kinds):
            if for_b == 0 or (dealt[3] != NOT_DEALT and dealt[3] != d):
                continue
            for_d = _take(n, d, dealt[3])
            if for_d == 0:
                continue
            four = _times(three, for_d * (2 if numbers[IS_BANKER_EVEN] and b != d else 1), modulus)
            sb, t = two_banker[b * kinds + d], (points[b] + points[d]) % 10
            place = 10 * s + t
            if not is_third_read or ends[place] or not (player_draws[place] or banker_draws[10, t]):
                _add(ways, cells[stood + stood_banker[sb]], _times(four, undrawn, modulus), modulus)
            elif not player_draws[place]:
                one = _times(four, last, modulus)
                for y in range(kinds):
                    if n[y]:
                        row = cells[stood + third_banker[sb * kinds + y]]
                        _add(ways, row, _times(one, n[y], modulus), modulus)
            else:
                number = _note_gone((a, c, b, d), dealt, gone)
                for x in range(kinds):
                    if n[x] == 0:
                        continue
                    p = third_player[sp * kinds + x]
                    one = _times(four, n[x], modulus)
                    if not banker_draws[points[x], t]:
                        _add(ways, cells[p * codes + stood_banker[sb]], _times(one, last, modulus), modulus)
                        continue
                    for row in range(numbers[ROWS]):
                        if tail[p, sb, row]:
                            _add(ways, row, _times(one, tail[p, sb, row], modulus), modulus)
                    gone[number] = x
                    for i in range(number + 1):
                        row = cells[p * codes + third_banker[sb * kinds + gone[i]]]
                        _add(ways, row, modulus - one if modulus else -one, modulus)
            _put_back(n, d, dealt[3], for_d)
        _put_back(n, b, dealt[2], for_b)


@cached_njit
def _note_gone(four: Any, dealt: Any, gone: Any) -> int:
    """Those of the first four cards that `tail` still counts as undealt; gives their number."""
    number = 0
    for place in range(4):
        if dealt[place] == NOT_DEALT:
            gone[number] = four[place]
            number += 1
    return number


@cached_njit
def _take(n: Any, kind: int, dealt: int) -> int:
    """In how many ways a card of a kind comes, and it is taken out; a card on the table counts as one."""
    if dealt != NOT_DEALT:
        return 1
    count = n[kind]
    if count > 0:
        n[kind] -= 1
    return int(count)


@cached_njit
def _put_back(n: Any, kind: int, dealt: int, taken: int) -> None:
    if dealt == NOT_DEALT and taken:
        n[kind] += 1


@cached_njit
def kind_ways(n: Any, tables: Any, numbers: Any, ways: Any, with_kind: Any) -> None:
    """Add the ordered draws of each row to `ways`, apart by the four, five or six cards that decide, and to `with_kind`
    how many cards of each kind are in them. Nothing is dealt yet, and there is no modulus."""
    kinds, codes, third, cells = len(n), numbers[BANKER_CODES], tables[2][1], tables[3]
    tail = last_cards(n, third, cells, numbers[PLAYER_CODES], numbers)
    lasts = np.zeros(tail.shape[:2], np.int64)  # By Player's code and Banker's state: draws that lack the last card.
    four, sums = np.zeros(4, np.int64), np.zeros((2, numbers[ROWS]), np.int64)
    for a in range(kinds):
        for_a = _take(n, a, NOT_DEALT)
        for c in range(a if numbers[IS_PLAYER_EVEN] else 0, kinds):
            if for_a == 0:
                continue
            for_c = _take(n, c, NOT_DEALT)
            players = for_a * for_c * (2 if numbers[IS_PLAYER_EVEN] and a != c else 1)
            for b in range(kinds):
                if players == 0:
                    continue
                for_b = _take(n, b, NOT_DEALT)
                for d in range(b if numbers[IS_BANKER_EVEN] else 0, kinds):
                    if for_b == 0:
                        continue
                    for_d = _take(n, d, NOT_DEALT)
                    draws = players * for_b * for_d * (2 if numbers[IS_BANKER_EVEN] and b != d else 1)
                    four[0], four[1], four[2], four[3] = a, c, b, d
                    if draws:
                        _add_by_kind(draws, four, n, tables, tail, numbers, lasts, sums, ways, with_kind)
                    _put_back(n, d, NOT_DEALT, for_d)
                _put_back(n, b, NOT_DEALT, for_b)
            _put_back(n, c, NOT_DEALT, for_c)
        _put_back(n, a, NOT_DEALT, for_a)
    for p in range(lasts.shape[0]):
        for state in range(lasts.shape[1]):
            if lasts[p, state]:
                for y in range(kinds):
                    row = cells[p * codes + third[state * kinds + y]]
                    if row >= 0:
                        with_kind[2, row, y] += lasts[p, state] * n[y]


@cached_njit
def _add_by_kind(
    draws: int,
    four: Any,
    n: Any,
    tables: Any,
    tail: Any,
    numbers: Any,
    lasts: Any,
    sums: Any,
    ways: Any,
    with_kind: Any,
) -> None:
    """Add the draws that begin with these four cards. The last of six is left to `lasts`, but for those of the cards
    that are gone by then: `tail` has counted them too."""
    points, (two_player, third_player, stood_player), (two_banker, third_banker, stood_banker), cells, rules = tables
    ends, player_draws, banker_draws = rules
    kinds, codes = len(n), numbers[BANKER_CODES]
    sp, sb = two_player[four[0] * kinds + four[1]], two_banker[four[2] * kinds + four[3]]
    s, t = (points[four[0]] + points[four[1]]) % 10, (points[four[2]] + points[four[3]]) % 10
    place, stood = 10 * s + t, stood_player[sp] * codes
    if numbers[IS_THIRD_READ] == 0 or ends[place] or not (player_draws[place] or banker_draws[10, t]):
        _add_draws(draws, cells[stood + stood_banker[sb]], 0, four, ways, with_kind)
        return
    sums[:] = 0  # Of the draws that begin so: with five cards, and with six.
    for x in range(kinds):
        if n[x] == 0:
            continue
        one = draws * n[x]
        if not player_draws[place] or not banker_draws[points[x], t]:
            p = stood if not player_draws[place] else third_player[sp * kinds + x] * codes
            row = cells[p + (third_banker[sb * kinds + x] if not player_draws[place] else stood_banker[sb])]
            sums[0, row] += one
            with_kind[1, row, x] += one
            continue
        p = third_player[sp * kinds + x]
        lasts[p, sb] += one
        for row in range(numbers[ROWS]):
            number = one * tail[p, sb, row]
            sums[1, row] += number
            with_kind[2, row, x] += number
        for i in range(5):
            gone = four[i] if i < 4 else x
            row = cells[p * codes + third_banker[sb * kinds + gone]]
            sums[1, row] -= one
            with_kind[2, row, x] -= one
            with_kind[2, row, gone] -= one
    for more in range(2):
        for row in range(numbers[ROWS]):
            _add_draws(sums[more, row], row, more + 1, four, ways, with_kind)


@cached_njit
def _add_draws(draws: int, row: int, more: int, four: Any, ways: Any, with_kind: Any) -> None:
    """Add draws of a row that `more` cards decide beside these four."""
    if draws:
        ways[more, row] += draws
        for i in range(4):
            with_kind[more, row, four[i]] += draws


def card_ways(play: Play, table: PayTable, undealt: Undealt, dealt: RoundSoFar) -> list[int]:
    """Ordered draws that come to each row of the pay table."""
    assert table.cards is not None, "the bet reads single cards"
    ways = [0] * len(table.rows)
    if dealt.stage is Stage.FINISHED:
        ways[table.cells[table.cards.cell(dealt.player, dealt.banker)]] = 1
    elif dealt.stage is Stage.PLAYERS_THIRD:
        for card, count in zip(table.cards.kinds.cards, counts_of(table.cards.kinds, undealt), strict=True):
            if count:
                ways[table.cells[table.cards.cell(dealt.player, (*dealt.banker, card))]] += count
    else:
        return _from_four(play, table, table.cards, undealt, dealt)
    return ways


def counts_of(kinds: Kinds, undealt: Undealt) -> list[int]:
    counts = [0] * len(kinds)
    if undealt.cards is None:
        assert not kinds.has_suits, "suits are read, and not known"
    for i, count in enumerate(undealt.ranks if undealt.cards is None else undealt.cards):
        counts[kinds.of[i]] += count
    return counts


def _from_four(play: Play, table: PayTable, cards: CardTable, undealt: Undealt, dealt: RoundSoFar) -> list[int]:
    counts, seen = counts_of(cards.kinds, undealt), np.full(4, NOT_DEALT, np.int64)
    for first, hand in ((0, dealt.player), (2, dealt.banker)):
        for i, card in enumerate(hand[:2]):
            seen[first + i] = cards.kinds.of[card.index]
    to_come = int((seen == NOT_DEALT).sum())
    tables, numbers = _of_kernel(play, table, cards, dealt)

    def counted(modulus: int) -> list[int]:
        """The ways of each row, or what they leave modulo a prime; 0 for no modulus."""
        n = np.array([count % modulus for count in counts] if modulus else counts, np.int64)
        rest = undealt.size - to_come
        numbers[MODULUS], numbers[REST] = modulus, rest % modulus if modulus else rest
        ways = np.zeros(len(table.rows), np.int64)
        row_ways(n, tables, seen, numbers, ways)
        return [int(number) for number in ways]

    if undealt.size <= MOST_AS_INTEGER:
        return counted(0)
    # No row has more ways than there are draws, so primes whose product is beyond that tell each number.
    primes = primes_beyond(falling(undealt.size, to_come + 2 * cards.reads_third))
    return [_chinese(primes, remainders) for remainders in zip(*map(counted, primes), strict=True)]


def ways_without(play: Play, table: PayTable, undealt: Undealt) -> list[list[int]] | None:
    """For each kind of card, the ordered draws that come to each row where a card of the kind is gone before the deal.

    Draws with a certain card among those that decide are taken off, and those that are left are completed from a card
    fewer: one pass for all kinds, where each would take a pass of its own. None where their number would not fit.
    """
    cards = table.cards
    assert cards is not None, "the bet reads single cards"
    if undealt.size > MOST_BY_KIND:
        return None
    counts, (tables, numbers) = counts_of(cards.kinds, undealt), _of_kernel(play, table, cards, RoundSoFar())
    ways = np.zeros((3, len(table.rows)), np.int64)
    with_kind = np.zeros((3, len(table.rows), len(counts)), np.int64)
    kind_ways(np.array(counts, np.int64), tables, numbers, ways, with_kind)
    left = undealt.size - 1
    finish = [falling(left - used, 6 - used) if cards.reads_third else 1 for used in (4, 5, 6)]
    found = []
    for kind, count in enumerate(counts):
        # By symmetry each card of a kind is in as many draws as any other; of a kind that is not there, in none.
        parts = ways - (with_kind[:, :, kind] // count if count else 0)
        found.append(
            [
                sum(int(part[row]) * times for part, times in zip(parts, finish, strict=True))
                for row in range(len(table.rows))
            ]
        )
    return found


MOST_BY_KIND = 1_000
"""Cards of the largest shoe whose draws are counted by kind in 64 bits: each counts up to six times there."""


def _of_kernel(play: Play, table: PayTable, cards: CardTable, dealt: RoundSoFar) -> tuple[Any, Integers]:
    """What the kernels are given of a bet: its tables, and the numbers that say what they need."""
    player, banker = (_look_ups(hand, len(cards.kinds)) for hand in (cards.player, cards.banker))
    numbers = np.zeros(8, np.int64)
    numbers[IS_THIRD_READ] = cards.reads_third
    numbers[IS_PLAYER_EVEN] = _is_even(player[0], len(cards.kinds)) and not dealt.player
    numbers[IS_BANKER_EVEN] = _is_even(banker[0], len(cards.kinds)) and not dealt.banker
    numbers[PLAYER_CODES], numbers[BANKER_CODES] = len(cards.player.values), len(cards.banker.values)
    numbers[ROWS] = len(table.rows)
    points, cells = np.array(cards.kinds.points, np.int64), np.array(table.cells, np.int64)
    draws = tuple(map(np.array, (play.ends, play.player_draws, play.banker_draws)))
    return (points, player, banker, cells, draws), numbers


@lru_cache(maxsize=64)
def primes_beyond(draws: int) -> tuple[int, ...]:
    """The largest primes that the kernel can count with, as many as have a product beyond this number."""
    primes: list[int] = []
    product, candidate = 1, MOST_MODULUS
    while product <= draws:
        candidate -= 1
        if _is_prime(candidate):
            primes.append(candidate)
            product *= candidate
    return tuple(primes)


def _is_prime(number: int) -> bool:
    """Miller and Rabin's test with the bases 2, 3, 5 and 7: certain for odd numbers below 3,215,031,751."""
    if number % 2 == 0:
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        power = pow(base, odd, number)
        if power not in (1, number - 1) and all(
            (power := power * power % number) != number - 1 for _ in range(twos - 1)
        ):
            return False
    return True


def _chinese(primes: tuple[int, ...], remainders: tuple[int, ...]) -> int:
    """The number that leaves these remainders, by the Chinese remainder theorem."""
    number, product = 0, 1
    for prime, remainder in zip(primes, remainders, strict=True):
        number += product * ((remainder - number) * pow(product, -1, prime) % prime)
        product *= prime
    return number


@lru_cache(maxsize=64)
def _look_ups(hand: HandTable, kinds: int) -> Any:
    """Two cards, third card, stood; without third cards their place is taken by what stood."""
    third = hand.third or tuple(code for code in hand.stood for _ in range(kinds))
    return tuple(np.array(table, np.int64) for table in (hand.two, third, hand.stood))


def _is_even(two: Integers, kinds: int) -> bool:
    """Whether the order of a hand's first two cards matters to nothing."""
    table = two.reshape(kinds, kinds)
    return bool((table == table.T).all())
