"""What a house keeps and what it can lose: the exact distribution of many independent rounds with a bound on
its error, volatility and the bounds of hold, and the most that can be lost at one box in one round, over
all deals and layouts of bets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, floor, gcd, lcm, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from punto.cards.card import DECK, Card
from punto.money import MINOR
from punto.odds.ordered_draws import Way
from punto.rules.book import Book
from punto.rules.book_text import Area, Bet
from punto.rules.outcome import PAIRS, TOTALS, Facts, Hand, Result, pair_index
from punto.rules.pay_table import PayTable
from punto.rules.table_of_play import STOOD
from punto.studies.significance import rounds_to_see

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Integers = NDArray[Any]

Results = tuple[tuple[Fraction, int], ...]  # Net results of one round for one unit, each with its number of ways.

FOLDED = 1e-9  # Chance that a sum lies outside the window; half of it at each end.
MOST_POINTS = 1 << 24  # Points of a window: more would take too much memory and time.
BERRY_ESSEEN = 0.469
"""Shevtsova's constant (2013): the distribution of a sum of n equal independent results is nowhere farther
than this times ρ/(σ³·√n) from the normal one; ρ is the mean of the absolute deviation to the third power."""


class TooFine(ValueError):
    """The lattice has too many points."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """One round: whole numbers of steps above the least net result, with their chances."""

    least: Fraction
    step: Fraction
    points: tuple[int, ...]
    chances: tuple[float, ...]

    @classmethod
    def of(cls, results: Iterable[tuple[Fraction, int]]) -> Lattice:
        """The coarsest lattice on which these results lie."""
        ways: dict[Fraction, int] = {}
        for net, number in results:
            if number:
                ways[net] = ways.get(net, 0) + number
        assert ways, "a round comes to something"
        least, total = min(ways), sum(ways.values())
        fine = lcm(*((net - least).denominator for net in ways))
        above = {net: int((net - least) * fine) for net in ways}
        step = gcd(*above.values()) or 1
        points = tuple(above[net] // step for net in ways)
        return cls(least, Fraction(step, fine), points, tuple(number / total for number in ways.values()))


@dataclass(frozen=True, slots=True, eq=False)
class ManyRounds:
    """The sum of the net results of a number of rounds."""

    rounds: int
    first: Fraction  # The sum at the first point of the window.
    step: Fraction
    below: NDArray[np.float64]  # The chance of a sum up to each point.
    error: float  # How far any of these chances may be from the truth, at most.

    def quantile(self, chance: float) -> Fraction:
        """The least sum that is not exceeded with this chance."""
        point = int(np.searchsorted(self.below, chance))
        return self.first + min(point, len(self.below) - 1) * self.step


def many_rounds(results: Results, rounds: int) -> ManyRounds:
    """The distribution of the sum of this many rounds; `TooFine` where its window has too many points."""
    one = Lattice.of(results)
    # The sum lies between these steps but for a chance of `FOLDED`.
    least, most = _ends(one, rounds, FOLDED / 2)
    low, high = max(floor(least) - 1, 0), min(ceil(most) + 1, max(one.points) * rounds)
    size = 1 << max(1, (high - low).bit_length())
    if size > MOST_POINTS:
        raise TooFine(f"{size:,} points")
    power, error = _power(one, rounds, low, size)
    chances = np.fft.irfft(power, size)
    return ManyRounds(rounds, rounds * one.least + low * one.step, one.step, np.cumsum(chances), FOLDED + error)


def _moment(results: Results, power: int) -> float:
    """The mean of a power of the net of one round."""
    return float(sum((net**power * ways for net, ways in results), Fraction(0)) / sum(ways for _, ways in results))


def normal_error(results: Results, rounds: int) -> float:
    """How far the normal distribution may be from that of the sum, at most (Berry and Esseen)."""
    total, mean = sum(ways for _, ways in results), _moment(results, 1)
    apart = [(abs(float(net) - mean), ways / total) for net, ways in results]
    variance = sum(far**2 * chance for far, chance in apart)
    if variance == 0:
        return float("inf")  # what always comes to the same has a distribution, but no bell
    third = sum(far**3 * chance for far, chance in apart)
    return BERRY_ESSEEN * third / (variance * sqrt(variance) * sqrt(rounds))


def certain_bounds(results: Results, rounds: int, chance: float) -> tuple[float, float]:
    """Sums below and above which the sum lies with at most this chance at each end (Chernoff).

    P(S ≥ x) ≤ exp(n·K(t) - t·x) for every t > 0, with K the logarithm of the mean of exp(t·X): any t gives a
    bound that holds, and the best of many is taken.
    """
    one = Lattice.of(results)
    low, high = _ends(one, rounds, chance)
    first = float(rounds * one.least)
    return first + low * float(one.step), first + high * float(one.step)


def _ends(one: Lattice, rounds: int, chance: float) -> tuple[float, float]:
    """The two bounds of `certain_bounds`, in steps above the least sum."""
    points, chances = np.array(one.points, np.float64), np.array(one.chances)
    top = float(points.max())
    if top == 0:
        return 0.0, 0.0
    mean = float(points @ chances)
    deviation = sqrt(float((points - mean) ** 2 @ chances) * rounds)
    ends = []
    for sign in (-1, 1):
        best = float("inf")
        for t in np.geomspace(0.01, 100, 161) / deviation:
            exponents = sign * t * (points - mean)
            largest = float(exponents.max())
            k = largest + log(float(np.exp(exponents - largest) @ chances))
            best = min(best, (rounds * k - log(chance)) / float(t))
        ends.append(mean * rounds + sign * best)
    return max(ends[0], 0.0), min(ends[1], top * rounds)


def _power(one: Lattice, rounds: int, low: int, size: int) -> tuple[NDArray[np.complex128], float]:
    """The power of the characteristic function, moved so that `low` is at 0; and what rounding may do."""
    frequencies = np.arange(size // 2 + 1, dtype=np.int64)
    value = np.zeros(len(frequencies), np.complex128)
    for point, chance in zip(one.points, one.chances, strict=True):
        # Whole turns are taken away in whole numbers, so that no angle is larger than one turn.
        value += chance * np.exp((-2j * np.pi / size) * (frequencies * (point % size) % size))
    length = np.abs(value)
    with np.errstate(divide="ignore"):
        logarithm = np.log(length)
    turned = rounds * np.angle(value) + (2 * np.pi / size) * (frequencies * (low % size) % size)
    raised = np.exp(rounds * logarithm)
    power = raised * np.exp(1j * turned)
    # A product and a sum for each result, logarithm, angle and power: each wrong by an ulp or two.
    wrong = (4 * len(one.points) + 16) * np.finfo(np.float64).eps
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(raised > 0, rounds * np.exp((rounds - 1) * logarithm), 0.0)
    both_halves = sqrt(2 * float((spread**2).sum()))
    transform = 8 * np.log2(size) * np.finfo(np.float64).eps * sqrt(2 * float((raised**2).sum()))
    return power, float(wrong * both_halves + transform)


CONFIDENCES = (0.90, 0.95, 0.99)
ROUNDS = tuple(10**power for power in range(3, 8))  # Rounds after which hold is bounded.
HANDLES = tuple(10**power * MINOR for power in range(4, 9))  # Handle after which hold is bounded, in minor units.
VOLATILITY = 1.645
"""Standard deviations of one round in a volatility index, as slot machines state it: a 90 % interval."""
NORMAL_ERROR = 0.001  # The normal distribution is used where no chance that it gives is wrong by more than this.
ERRORS = (0.01, 0.005, 0.001, 0.0001)  # Errors of an edge for which the rounds that show them are given.


class BoundsBy(Enum):
    EXACT = "exact"  # Quantiles of the distribution itself.
    NORMAL = "normal"  # Quantiles of the normal distribution, proven to be near enough.
    CERTAIN = "outer"
    """Hold lies outside with no more than the stated chance, and maybe much less: pays too fine to count."""


@dataclass(frozen=True, slots=True)
class HoldBounds:
    """Hold, the share of the handle that the house keeps, after a number of rounds at one flat stake: the expected
    hold, and bounds at each confidence. An award that is large and rare makes hold lopsided, and a bound by the normal
    distribution can then be wrong by half its width: it is used only where it is proven to be as good."""

    rounds: int
    handle: int  # In minor units.
    edge: float
    bounds: tuple[tuple[float, float], ...]  # Low and high for each of `CONFIDENCES`.
    by: BoundsBy


def volatility_index(sd: float) -> float:
    return VOLATILITY * sd


def confidence_reach(confidence: float) -> float:
    """Standard errors to each side of a confidence interval."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=256)  # a sheet is shown in several forms
def hold_bounds(results: Results, stake: int) -> tuple[HoldBounds, ...]:
    """The bounds of hold for a bet with these net results of one unit: a row for each of `ROUNDS` and for the whole
    rounds that each of `HANDLES` pays for, fewest rounds first; equal ones are one row."""
    edge, rows = -_moment(results, 1), []
    for rounds in sorted({*ROUNDS, *(handle // stake for handle in HANDLES if handle >= stake)}):
        bounds, by = _bounds(results, rounds, edge)
        rows.append(HoldBounds(rounds, rounds * stake, edge, bounds, by))
    return tuple(rows)


def _bounds(results: Results, rounds: int, edge: float) -> tuple[tuple[tuple[float, float], ...], BoundsBy]:
    """Bounds of hold at each confidence: each is passed with half of what is left of 100 %."""
    tails = [(1 - confidence) / 2 for confidence in CONFIDENCES]
    if normal_error(results, rounds) <= NORMAL_ERROR:
        error = sqrt(max(_moment(results, 2) - edge**2, 0.0) / rounds)
        reaches = [confidence_reach(confidence) * error for confidence in CONFIDENCES]
        return tuple((edge - reach, edge + reach) for reach in reaches), BoundsBy.NORMAL
    try:
        sums = many_rounds(results, rounds)
    except TooFine:
        certain = (certain_bounds(results, rounds, tail) for tail in tails)
        return tuple((-high / rounds, -low / rounds) for low, high in certain), BoundsBy.CERTAIN
    exact = tuple((-float(sums.quantile(1 - tail) / rounds), -float(sums.quantile(tail) / rounds)) for tail in tails)
    return exact, BoundsBy.EXACT


def rounds_by_error(sd: float) -> tuple[float, ...]:
    """Rounds of one unit each that show an edge which is wrong by each of `ERRORS`."""
    return tuple(rounds_to_see(error, sd) for error in ERRORS)


CHUNK = 64  # Hands of Player whose sums with every hand of Banker are made at once.
SAFE = 1 << 62  # Sums below this are held in 64 bits; larger ones as Python's integers.


@dataclass(frozen=True, slots=True)
class StakeLimits:
    """Least and greatest stake of a bet, and the differential of a box; amounts are minor units."""

    minimum: int
    maximum: int | None
    differential: int | None = None


@dataclass(frozen=True, slots=True)
class WonBet:
    """What one bet of the layout costs the house; less than nothing where the house wins it."""

    area: str
    stake: int
    net: Fraction
    insured: Fraction = Fraction(0)  # What insurance pays back on a main bet.


@dataclass(frozen=True, slots=True)
class Exposure:
    """The greatest loss of the house at one box, and how it comes about."""

    amount: Fraction | None  # None where no limit bounds it.
    bets: tuple[WonBet, ...] = ()
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    is_bound: bool = False  # Whether no shoe of this many decks has the cards: the loss is then at most this.


def greatest_exposure(book: Book, limits: StakeLimits, decks: int, *, has_insurance: bool = True) -> Exposure:
    """The greatest loss of the house at one box in one round, exactly; areas that no limit bounds are left out.

    A layout has one bet on each betting area at most, each nothing or from the minimum to the maximum. Main bets keep
    the differential, a bet that needs another is placed beside it, and a wager follows its ante. Insurance pays back no
    more than the main bet that it insures, so a bettor can hold both hands and have the losing one paid back: a
    differential does not bound what the house can lose. Stakes may have any size between the limits; whole chips can
    only make the loss smaller. Only bets that win on the same cards are added: every two hands that the table of play
    can bring are gone through, hands that are the same to every bet as one.
    """
    return _Search(book, limits, has_insurance=has_insurance).greatest(decks)


def without_maximum(book: Book, limits: StakeLimits) -> tuple[str, ...]:
    """Areas that are left out because nothing bounds their stakes."""
    if limits.maximum is not None:
        return ()
    is_bound = limits.differential is not None
    return tuple(bet.area for bet in book.bets if bet.kind is not Area.MAIN or not is_bound)


class _Hands:
    """All hands of two and of three cards, by number."""

    def __init__(self) -> None:
        first, second = np.repeat(np.arange(52), 52), np.tile(np.arange(52), 52)
        two = np.column_stack([first, second, np.full(52 * 52, -1)])
        third = np.tile(np.arange(52), 52 * 52)
        self.cards = np.concatenate([two, np.column_stack([np.repeat(two[:, :2], 52, axis=0), third])])
        points = np.array([card.points for card in DECK])
        self.two = (points[self.cards[:, 0]] + points[self.cards[:, 1]]) % 10
        self.third = np.where(self.cards[:, 2] < 0, STOOD, points[self.cards[:, 2]])
        pairs = np.array([[pair_index(a, b) for b in DECK] for a in DECK])
        self.pair = pairs[self.cards[:, 0], self.cards[:, 1]]

    def hand(self, number: int) -> tuple[Card, ...]:
        return tuple(DECK[card] for card in self.cards[number] if card >= 0)


class _Look:
    """A bet over two hands: a class of each hand, and the nets of one unit by two classes."""

    def __init__(self, values: Integers, player: Integers, banker: Integers) -> None:
        """`values` by totals (or one for all), Player's class and Banker's; a class for every hand."""
        self.values, self.player, self.banker = values, player, banker
        # Hands that come to the same whatever the other hand is are one class.
        for axis in (1, 2):
            flat = np.moveaxis(self.values, axis, 0).reshape(self.values.shape[axis], -1)
            first, classes = _classes(flat)
            self.values = np.take(self.values, first, axis=axis)
            if axis == 1:
                self.player = classes[self.player]
            else:
                self.banker = classes[self.banker]

    @classmethod
    def of(cls, table: PayTable, hands: _Hands, scale: int) -> _Look:
        """A pay table; nets are whole numbers of 1/`scale`."""
        nets = np.array([net.numerator * (scale // net.denominator) for net in table.nets], np.int64)
        if table.cards is not None:
            codes = [_codes(table, hands, hand) for hand in Hand]
            return cls(nets.reshape(1, -1, len(table.cards.banker.values)), *codes)
        sizes = [size if stride else 1 for size, stride in zip((TOTALS, PAIRS, PAIRS), table.strides, strict=True)]
        cells = sum(axis * stride for axis, stride in zip(np.ogrid[*map(slice, sizes)], table.strides, strict=True))
        none = np.zeros_like(hands.pair)
        return cls(nets[cells], *(hands.pair if size > 1 else none for size in sizes[1:]))

    def beside(self, other: _Look, times: int) -> _Look:
        """This bet with another of a multiple of its stake."""
        _, p, b = other.values.shape
        wide = np.repeat(np.repeat(self.values, p, axis=1), b, axis=2)
        tiled = np.tile(other.values, (1, self.values.shape[1], self.values.shape[2]))
        return _Look(wide + times * tiled, self.player * p + other.player, self.banker * b + other.banker)

    def at(self, totals: int) -> Integers:
        """Nets by the classes of both hands, for deals that end with these totals."""
        nets: Integers = self.values[totals if len(self.values) > 1 else 0]
        return nets


def _classes(rows: Integers) -> tuple[Integers, Integers]:
    """The first row of each kind, kinds in order, and the kind of every row. Few rows are different, and to sort whole
    rows takes long: only one of each is sorted."""
    firsts: dict[bytes, int] = {}
    of_row = [firsts.setdefault(row.tobytes(), i) for i, row in enumerate(np.ascontiguousarray(rows))]
    first = np.array(list(firsts.values()), np.int64)
    _, order, kinds = np.unique(rows[first], axis=0, return_index=True, return_inverse=True)
    kind_of = np.zeros(len(rows), np.int64)
    kind_of[first] = kinds.ravel()
    return first[order], kind_of[of_row]


def _combined(columns: Iterable[Integers]) -> Integers:
    """One number for each row of these columns, equal and in order as the rows are."""
    numbers: Integers = np.zeros(1, np.int64)
    for column in columns:
        size = int(column.max()) + 1
        if (int(numbers.max()) + 1) * size >= SAFE:
            numbers = np.unique(numbers, return_inverse=True)[1].ravel()
        numbers = numbers * size + column
    return numbers


def _codes(table: PayTable, hands: _Hands, hand: Hand) -> Integers:
    assert table.cards is not None
    look = table.cards.player if hand is Hand.PLAYER else table.cards.banker
    kinds, number = np.array(table.cards.kinds.of), len(table.cards.kinds)
    state = np.array(look.two)[kinds[hands.cards[:, 0]] * number + kinds[hands.cards[:, 1]]]
    stood: Integers = np.array(look.stood)[state]
    if not look.third:
        return stood
    drawn = np.array(look.third)[state * number + kinds[hands.cards[:, 2]]]
    return np.where(hands.cards[:, 2] < 0, stood, drawn)


class _Plan(NamedTuple):
    """Layouts that are looked at together: which bets must be placed, and which may be."""

    mains: tuple[tuple[int, int], ...]  # Stakes on Player and Banker.
    forced: frozenset[str]
    free: frozenset[str]


def _main_stakes(limits: StakeLimits, *, has_mains: bool) -> tuple[tuple[int, int], ...]:
    """The corners of all lawful stakes on Player and Banker; the greatest of a linear sum is at one."""
    least, most, apart = limits.minimum, limits.maximum, limits.differential
    if not has_mains or (most is None and apart is None):
        return ((0, 0),)
    top = most if most is not None else least + 2 * (apart or 0)
    gap = top if apart is None else apart
    alone = min(top, gap)
    corners = [(0, 0)]
    if alone >= least:
        corners += [(least, 0), (alone, 0)]
    if top >= least:
        corners += [(least, least), (top, top), (least, min(top, least + gap)), (top, max(least, top - gap))]
    return tuple(sorted({*corners, *((banker, player) for player, banker in corners)}))


class _Group(NamedTuple):
    """Hands of the same points: one of each sort, with its classes by bet."""

    hands: Integers
    classes: dict[str, Integers]
    present: dict[str, Integers]  # The classes that there are.


class _Loss(NamedTuple):
    """What a layout loses on a deal."""

    loss: int
    plan: _Plan
    mains: tuple[int, int]
    way: Way
    player: int
    banker: int


class _Search:
    """Every way that a deal can go, every two hands, every plan."""

    def __init__(self, book: Book, limits: StakeLimits, *, has_insurance: bool) -> None:
        self._book, self._limits, self._has_insurance = book, limits, has_insurance
        tables = [book.pay_tables[bet.area] for bet in book.bets]
        self._scale = lcm(*(row.outcome.net.denominator for table in tables for row in table.rows))
        self._hands = _Hands()
        looks = {bet.area: _Look.of(book.pay_tables[bet.area], self._hands, self._scale) for bet in book.bets}
        mains = {bet.hand: bet.area for bet in book.bets if bet.kind is Area.MAIN and bet.hand}
        self._mains = mains if len(mains) == len(Hand) else {}
        self._lines = {area: looks[area] for area in self._mains.values()}
        """Main bets, side bets, and antes with their wagers."""
        self._bets: dict[str, Bet] = {}
        for bet in book.bets if limits.maximum is not None else ():
            if bet.kind is Area.SIDE:
                self._bets[bet.area], self._lines[bet.area] = bet, looks[bet.area]
            wager = book.wager_of(bet.area)
            if bet.kind is Area.ANTE and wager is not None and book.ante is not None:
                self._bets[bet.area] = bet
                self._lines[bet.area] = looks[bet.area].beside(looks[wager], book.ante.multiple)
        self._groups = {hand: self._grouped(hand) for hand in Hand}
        self._plans = tuple(self._all_plans())
        largest = max((int(np.abs(look.values).max()) for look in self._lines.values()), default=0)
        stake = max((*(max(pair) for plan in self._plans for pair in plan.mains), limits.maximum or 0))
        is_small = (largest + self._scale) * stake * (len(self._lines) + 1) < SAFE
        self._kind: type = np.int64 if is_small else object
        self._known: dict[tuple[str, int, bool], Integers | None] = {}

    def _grouped(self, hand: Hand) -> dict[tuple[int, int], _Group]:
        """By the points of two cards and of the third."""
        hands = self._hands
        looks = [look.player if hand is Hand.PLAYER else look.banker for look in self._lines.values()]
        stacked = np.column_stack([np.zeros_like(hands.two), *looks])
        sorts = _combined(stacked.T)
        groups = {}
        for two, third in product(range(10), range(STOOD + 1)):
            [numbers] = np.nonzero((hands.two == two) & (hands.third == third))
            _, first = np.unique(sorts[numbers], return_index=True)
            rows = stacked[numbers[first]]
            classes = {area: rows[:, i + 1] for i, area in enumerate(self._lines)}
            present = {area: np.unique(of_area) for area, of_area in classes.items()}
            groups[two, third] = _Group(numbers[first], classes, present)
        return groups

    def _all_plans(self) -> Iterator[_Plan]:
        """Which bets are placed because others need them; where none needs another, there is one plan."""
        stakes = _main_stakes(self._limits, has_mains=bool(self._mains))
        needing = {
            area: {self._book.ante_of(one) or one for one in bet.needs}  # a wager lies where its ante does
            for area, bet in self._bets.items()
            if bet.needs
        }
        needed = sorted({area for areas in needing.values() for area in areas} & set(self._bets))
        if not needing:
            yield _Plan(stakes, frozenset(), frozenset(self._bets))
            return
        for is_held in product((False, True), repeat=len(needed) + len(Hand)):
            forced = {area for area, is_it in zip(needed, is_held, strict=False) if is_it}
            on = is_held[len(needed) :]
            held = forced | {area for area, is_it in zip(self._mains.values(), on, strict=False) if is_it}
            mains = tuple(pair for pair in stakes if tuple(stake > 0 for stake in pair) == on)
            if not mains or any(area in needing and not needing[area] & held for area in forced):
                continue
            free = {a for a in self._bets if a not in needed and (a not in needing or needing[a] & held)}
            yield _Plan(mains, frozenset(forced), frozenset(free))

    def greatest(self, decks: int) -> Exposure:
        """The greatest loss; ways that cannot come to more than what was found are not gone through."""
        tries: list[tuple[int, int, Way, _Plan, tuple[int, int], tuple[bool, ...]]] = []
        for way in (Way.to(*finish) for finish in self._book.play.finishes()):
            paid = tuple(self._insured(hand, way) for hand in Hand)
            if self._is_endless(way, paid):
                return Exposure(None)
            for plan in self._plans:
                for mains in self._best_mains(way, plan, paid):
                    bound = sum(int(values.max()) for _, values in self._values(way, plan, mains, paid))
                    tries.append((bound, len(tries), way, plan, mains, paid))
        best: _Loss | None = None
        for bound, _, way, plan, mains, paid in sorted(tries, key=lambda one: (-one[0], one[1])):
            if bound <= (best.loss if best else 0):
                break
            best = self._better(best, way, plan, mains, paid)
        return self._exposure(best, decks) if best else Exposure(Fraction(0))

    def _best_mains(self, way: Way, plan: _Plan, paid: tuple[bool, ...]) -> tuple[tuple[int, int], ...]:
        """The best stakes on the main bets, where these go by points alone; otherwise all."""
        nets = [self._lines[area].at(way.totals) for area in self._mains.values()]
        if not nets or any(net.size > 1 for net in nets):
            return plan.mains
        player, banker = (int(net[0, 0]) + self._scale * is_it for net, is_it in zip(nets, paid, strict=True))
        return (max(plan.mains, key=lambda stakes: stakes[0] * player + stakes[1] * banker),)

    def _insured(self, hand: Hand, way: Way) -> bool:
        """Whether insurance on a hand was offered on the way and pays: then it pays the main bet back."""
        if not self._has_insurance:
            return False
        offers = self._book.open_offers(4, way.player, way.banker)
        if way.players_third != STOOD:
            offers += self._book.open_offers(5, way.player_points, way.banker, way.players_third)
        return any(o.hand is hand and o.outcome(way.winner).result is Result.WIN for o in offers)

    def _is_endless(self, way: Way, paid: tuple[bool, ...]) -> bool:
        """Whether both main bets can grow without end, and the loss of the house with them."""
        limits = self._limits
        if limits.maximum is not None or limits.differential is None or not self._mains:
            return False
        both = (
            int(self._lines[area].at(way.totals).max()) + self._scale * is_it
            for area, is_it in zip(self._mains.values(), paid, strict=True)
        )
        return sum(both) > 0

    def _values(
        self, way: Way, plan: _Plan, mains: tuple[int, int], paid: tuple[bool, ...]
    ) -> list[tuple[str, Integers]]:
        """What each bet costs the house at its best stake, by the classes of both hands that there are."""
        player = self._groups[Hand.PLAYER][way.player, way.players_third]
        banker = self._groups[Hand.BANKER][way.banker, way.bankers_third]
        lines = []
        for area, stake, is_it in zip(self._mains.values(), mains, paid, strict=False):
            if stake:
                nets: Integers = self._lines[area].at(way.totals).astype(self._kind)
                lines.append((area, (nets + self._scale * is_it) * stake))
        for area in self._bets:
            if area in plan.free or area in plan.forced:
                key = area, way.totals, area in plan.forced
                if key not in self._known:
                    values = self._at_best(*key)
                    self._known[key] = values if values.any() else None
                if (known := self._known[key]) is not None:
                    lines.append((area, known))
        return [
            (area, values[player.present[area][:, None], banker.present[area]] if values.size > 1 else values)
            for area, values in lines
        ]

    def _at_best(self, area: str, totals: int, is_forced: bool) -> Integers:
        nets: Integers = self._lines[area].at(totals).astype(self._kind)
        most, least = self._limits.maximum or 0, self._limits.minimum
        lost: Integers = nets * least if is_forced else np.zeros_like(nets)
        if is_forced and self._bets[area].kind is Area.ANTE:  # it may be given up
            lost = np.maximum(lost, -least * self._scale)
        best: Integers = np.maximum(nets * most, lost)
        return best

    def _better(
        self, best: _Loss | None, way: Way, plan: _Plan, mains: tuple[int, int], paid: tuple[bool, ...]
    ) -> _Loss | None:
        """The greatest loss so far, or a greater one on this way."""
        player = self._groups[Hand.PLAYER][way.player, way.players_third]
        banker = self._groups[Hand.BANKER][way.banker, way.bankers_third]
        players, bankers = player.hands, banker.hands
        parts = []
        bounds: Integers = np.zeros(len(players), self._kind)
        for area, values in self._values(way, plan, mains, paid):
            ps, bs = (
                np.searchsorted(group.present[area], group.classes[area])
                if values.size > 1
                else np.zeros(len(group.hands), np.int64)
                for group in (player, banker)
            )
            parts.append((values, ps, bs))
            bounds = bounds + values.max(axis=1)[ps]
        order = np.argsort(-bounds, kind="stable")
        for first in range(0, len(order), CHUNK):
            rows = order[first : first + CHUNK]
            if bounds[rows[0]] <= (best.loss if best else 0):
                break
            sums: Integers = np.zeros((len(rows), len(bankers)), self._kind)
            for values, ps, bs in parts:
                sums = sums + values[np.ix_(ps[rows], bs)]
            row, column = np.unravel_index(int(np.argmax(sums)), sums.shape)
            loss = int(sums[row, column])
            if loss > (best.loss if best else 0):
                best = _Loss(loss, plan, mains, way, int(players[rows[row]]), int(bankers[column]))
        return best

    def _exposure(self, best: _Loss, decks: int) -> Exposure:
        """The layout in full, bet by bet."""
        player, banker = self._hands.hand(best.player), self._hands.hand(best.banker)
        facts = Facts(best.way.totals, pair_index(*player[:2]), pair_index(*banker[:2]))

        def net(area: str, stake: int) -> Fraction:
            return self._book.pay_tables[area].outcome_of_deal(facts, player, banker).net * stake

        bets = []
        for (hand, area), stake in zip(self._mains.items(), best.mains, strict=False):
            insured = Fraction(stake if self._insured(hand, best.way) else 0)
            if stake:
                bets.append(WonBet(area, stake, net(area, stake), insured))
        most, least = self._limits.maximum or 0, self._limits.minimum
        for area in self._bets:
            wager = self._book.wager_of(area)
            multiple = self._book.ante.multiple if self._book.ante and wager else 0
            unit = net(area, 1) + (net(wager, multiple) if wager else 0)
            stake = most if unit > 0 else least if area in best.plan.forced else 0
            if stake and (area in best.plan.forced or area in best.plan.free):
                if wager and unit < -1:  # it is given up
                    bets.append(WonBet(area, stake, Fraction(-stake)))
                    continue
                bets.append(WonBet(area, stake, net(area, stake)))
                if wager:
                    bets.append(WonBet(wager, stake * multiple, net(wager, stake * multiple)))
        amount = sum((bet.net + bet.insured for bet in bets), Fraction(0))
        assert amount == Fraction(best.loss, self._scale), "the layout comes to what the search found"
        is_bound = max(Counter((*player, *banker)).values()) > decks
        return Exposure(amount, tuple(bets), player, banker, is_bound)
