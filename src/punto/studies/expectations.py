"""What bets are worth before each of very many rounds: a sampler of shoes played to the cut card and counted
before every round, the expectations of the bets in them through the compiled kernels, and insurance for a
player with a perfect count. Every block of shoes has a random stream of its own, so a study gives the same
figures however its blocks are shared out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from punto.cards.shoe import Burn
from punto.documents.page import Grid, figures, percent
from punto.odds.histograms import Histograms
from punto.odds.insurance import InsuranceOdds, Knowledge, gains_with_cards, gains_with_third_card
from punto.odds.insured_shoes import HANDS, InsuredShoes
from punto.odds.known_cards import Undealt
from punto.odds.odds_answer import BetName, InsuredBetEntry, StudiedOfferEntry, insured_bet_entry, studied_offer_entries
from punto.rules.book import Book, digest_of, hand_label, label_of
from punto.rules.condition import Reads
from punto.rules.outcome import NO_PAIR, TOTALS, Hand
from punto.rules.pay_table import PayTable
from punto.rules.table_of_play import Play
from punto.studies.shuffled_shoes import RANKS, play_shoes, random_stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

BLOCK = 500  # Shoes that share a random stream.

MOST_ROUNDS_PER_DECK = 13  # A round takes four cards at least.


@dataclass(frozen=True, slots=True)
class Block:
    """Rounds of a block of shoes, in the order played."""

    first_shoe: int
    shoes: int
    shoe: Integers  # Which shoe of the block each round belongs to.
    ranks: NDArray[np.int32]  # Cards unseen before each round, a column for each rank.

    @property
    def points(self) -> Integers:
        """Cards unseen before each round, a column for each number of points."""
        return np.concatenate([self.ranks[:, 9:].sum(axis=1, keepdims=True), self.ranks[:, :9]], axis=1)


@dataclass(frozen=True, slots=True)
class Shoes:
    play: Play
    decks: int
    behind_cut: int = 14  # Cards behind the cut card.
    last_rounds: int = 1  # Rounds played after the one in which the cut card comes out.
    burn: Burn = field(default_factory=Burn)  # How a fresh shoe is burned.

    def sample(self, shoes: int, seed: int, stream: int = 0) -> Iterator[Block]:
        """A number of shoes, block by block; the shoes of another stream have nothing to do with these."""
        rules = tuple(map(np.array, (self.play.ends, self.play.player_draws, self.play.banker_draws)))
        room = MOST_ROUNDS_PER_DECK * self.decks
        fixed = -1 if self.burn.by_first_card else self.burn.fixed
        terms = (self.decks, self.behind_cut, self.last_rounds, fixed)
        for number, first in enumerate(range(0, shoes, BLOCK)):
            count = min(BLOCK, shoes - first)
            spawned = np.random.SeedSequence([seed, number], spawn_key=(stream,) if stream else ())
            # Numbers of 32 bits: half the memory, which takes as long to be had as the rounds take to be dealt.
            shoe, ranks = np.empty(count * room, np.int64), np.empty((count * room, RANKS), np.int32)
            rounds = play_shoes(random_stream(spawned), count, terms, rules, shoe, ranks)
            yield Block(first, count, shoe[:rounds], ranks[:rounds])


@dataclass(frozen=True, slots=True)
class InsuredEdge:
    """The house edge on a main bet whose bettor insures with optimal play at one level of knowledge."""

    hand: Hand
    knowledge: Knowledge
    edge: float
    error: float | None
    """Standard error; None where the edge is exact, and from a single shoe, which says nothing about it."""


@dataclass(frozen=True, slots=True)
class InsuranceLevels:
    book: Book
    shoes: Shoes | None  # How shoes are dealt for the fourth level; it is left out without them.
    number: int  # Shoes played.
    seed: int
    edges: tuple[InsuredEdge, ...]

    def edge(self, hand: Hand, knowledge: Knowledge) -> InsuredEdge | None:
        """One of the edges; none where the level was left out."""
        return next((e for e in self.edges if e.hand is hand and e.knowledge is knowledge), None)

    @property
    def table(self) -> Grid:
        hands = [hand for hand in HANDS if self.edge(hand, Knowledge.TOTALS)]
        levels = [level for level in Knowledge if any(e.knowledge is level for e in self.edges)]
        rows = [(level.words, *(_edge_words(self.edge(hand, level)) for hand in hands)) for level in levels]
        heads = ("The bettor goes by", *(f"{hand.value.capitalize()}, insured" for hand in hands))
        return figures("House edge with optimal insurance, by what the bettor knows", heads, rows)

    @property
    def remark(self) -> str:
        if self.shoes is None:
            return "All levels shown are exact."
        return (
            f"The first three levels are exact, for a full shoe. The fourth is the mean of {self.number:,} "
            f"{'shoe' if self.number == 1 else 'shoes'} played with {self.shoes.behind_cut} cards behind the "
            f"cut card (seed {self.seed}), with "
            "its standard error: before each round the best use of both windows is computed exactly; "
            "the main bet is taken at its full-shoe value."
        )


class LevelEntry(BetName, frozen=True):
    """The house edge of an insured bet to a bettor of this knowledge."""

    level: Knowledge
    edge: float
    error: float | None


class InsuranceStudy(msgspec.Struct, frozen=True):
    book: str
    digest: str
    decks: int | None
    cards: int
    offers: tuple[StudiedOfferEntry, ...]
    bets: tuple[InsuredBetEntry, ...]
    levels: tuple[LevelEntry, ...]
    shoes: int
    cut: int | None
    seed: int | None


def insurance_study(decks: int | None, cards: int, odds: InsuranceOdds, levels: InsuranceLevels) -> InsuranceStudy:
    book, shoes = odds.book, levels.shoes
    offers, bets = studied_offer_entries(odds, has_after_hold=True), tuple(map(insured_bet_entry, odds.bets))
    by_level = tuple(LevelEntry(book.main_area(e.hand), e.knowledge, e.edge, e.error) for e in levels.edges)
    played = (levels.number, shoes.behind_cut, levels.seed) if shoes else (levels.number, None, None)
    return InsuranceStudy(book.name, digest_of(book), decks, cards, offers, bets, by_level, *played)


def insurance_levels(
    odds: InsuranceOdds,
    undealt: Undealt,
    shoes: Shoes | None = None,
    number: int = 0,
    seed: int = 1,
    tell: Callable[[int], None] = lambda _: None,
) -> InsuranceLevels:
    """House edges on the insured main bets by level; the fourth where shoes are given to play."""
    book = odds.book
    exact = {
        Knowledge.TOTALS: {one.hand: one.gain for one in odds.bets},
        Knowledge.THIRD_CARD: gains_with_third_card(book, undealt),
        Knowledge.CARDS: gains_with_cards(book, undealt),
    }
    edges = [
        InsuredEdge(one.hand, level, float(one.bet.edge - gains[one.hand]), None)
        for level, gains in exact.items()
        for one in odds.bets
    ]
    if shoes is None or not number:
        return InsuranceLevels(book, None, 0, seed, tuple(edges))
    means = _mean_gains(book, shoes, number, seed, tell)
    for one in odds.bets:
        mean, error = means[one.hand]
        edges.append(InsuredEdge(one.hand, Knowledge.COUNT, float(one.bet.edge) - mean, error))
    return InsuranceLevels(book, shoes, number, seed, tuple(edges))


CHUNK = 2_000  # Shoes that a thread works on at a time.


def _in_threads(work: Callable[[Any], Floats], shoes: NDArray[Any]) -> Floats:
    """Rows of results for rows of shoes, worked out by all cores; no row depends on another."""
    parts = [shoes[first : first + CHUNK] for first in range(0, max(len(shoes), 1), CHUNK)]
    results = [work(parts[0])]  # Here, so that what the first call compiles or lists is there for all.
    if len(parts) > 1:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results += pool.map(work, parts[1:])
    return np.concatenate(results)


class InsuranceGains:
    """What insurance adds to one unit on each main bet when every card of the shoe so far is known, for very many shoes
    at once. The gains of the latest calls are kept: two studies of a sheet play the same shoes."""

    def __init__(self, book: Book) -> None:
        self._shoes = InsuredShoes(book)
        self._latest = lru_cache(maxsize=8)(self._work_out)

    def __call__(self, points: Integers) -> Floats:
        """A row for each shoe, given by its cards of 0 to 9 points; a column for each hand."""
        kind = np.uint16 if points.max(initial=0) < 1 << 16 else np.uint64  # To look short bytes up takes less time.
        return self._latest(np.ascontiguousarray(points, kind).tobytes(), kind)

    def _work_out(self, points: bytes, kind: type[np.uint16 | np.uint64]) -> Floats:
        gains = _in_threads(self._shoes.gains, np.frombuffer(points, kind).reshape(-1, 10))
        gains.flags.writeable = False
        return gains


@lru_cache(maxsize=4)
def _gains_in(book: Book) -> InsuranceGains:
    return InsuranceGains(book)


def _mean_gains(
    book: Book, shoes: Shoes, number: int, seed: int, tell: Callable[[int], None]
) -> dict[Hand, tuple[float, float | None]]:
    """Mean gain per round and its standard error, a ratio of sums over shoes."""
    gains = _gains_in(book)
    sums, rounds = np.zeros((number, len(HANDS))), np.zeros(number)
    for block in shoes.sample(number, seed):
        by_round = gains(block.points)
        here = slice(block.first_shoe, block.first_shoe + block.shoes)
        rounds[here] = np.bincount(block.shoe, minlength=block.shoes)
        for i in range(len(HANDS)):
            sums[here, i] = np.bincount(block.shoe, by_round[:, i], minlength=block.shoes)
        tell(block.first_shoe + block.shoes)
    means: dict[Hand, tuple[float, float | None]] = {}
    for i, hand in enumerate(HANDS):
        mean = float(sums[:, i].sum() / rounds.sum())
        residuals = sums[:, i] - mean * rounds
        spread = float((residuals**2).sum()) * number / max(number - 1, 1)
        means[hand] = mean, sqrt(spread) / float(rounds.sum()) if number > 1 else None
    return means


def _edge_words(edge: InsuredEdge | None) -> str:
    if edge is None or edge.error is None:
        return percent(edge.edge) if edge else ""
    return f"{percent(edge.edge)[:-2]} ± {percent(edge.error)}"


INSURED = "-insured"  # After the area of a main bet: the same bet with insurance, as the studies name it.

_PAIRS = Reads.PLAYER_PAIR | Reads.BANKER_PAIR


def followed_areas(book: Book) -> tuple[str, ...]:
    """Betting areas whose expectation can be followed through many rounds; antes, then insured bets, last.

    Points alone decide them, or one hand's pair without suits. An ante is followed as one that is always played: giving
    up is right only in shoes that are nearly empty. A main bet with insurance stands beside the bare one.
    """
    followed = [area for area in book.outright_areas if is_by_totals(book, area) or is_by_pair(book.pay_tables[area])]
    antes = (area for area in book.opening_areas if book.wager_of(area))
    return (*followed, *(area for area in antes if is_by_totals(book, area)), *insured_areas(book))


def insured_areas(book: Book) -> dict[str, Hand]:
    """Main bets with insurance as the studies name them, such as `banker-insured`, and their hands."""
    hands = {hand for hand, _ in book.insurance_areas.values()}
    return {f"{book.main_area(hand)}{INSURED}": hand for hand in Hand if hand in hands}


def study_label(book: Book, area: str) -> str:
    """What a bet is called in a study: with its insurance, or with the bet that it needs."""
    insured = insured_areas(book).get(area)
    if insured is not None:
        return f"{hand_label(book, insured)}, insured"
    bet = book.bet(area)
    return f"{label_of(book, area)} + main bet" if bet is not None and bet.needs else label_of(book, area)


def is_by_totals(book: Book, area: str) -> bool:
    """Whether points and numbers of cards decide a bet, and its wager if it is an ante."""
    areas = [area, *filter(None, [book.wager_of(area)])]
    return not any(book.pay_tables[one].reads & (_PAIRS | Reads.CARDS) for one in areas)


def is_by_pair(table: PayTable) -> bool:
    """Whether the rank of one hand's pair decides a bet."""
    is_one = (table.reads & _PAIRS).value in (Reads.PLAYER_PAIR.value, Reads.BANKER_PAIR.value)
    return is_one and not table.reads & Reads.TOTALS and not table.reads_suits


class Expectations:
    """Expectations of bets for the rounds of a block: a row for each round, a column for each area. A bet that needs
    another beside it is followed together with the cheapest one that it needs, a unit on each."""

    def __init__(self, book: Book, *, is_alone: bool = False) -> None:
        """`is_alone`: every bet by itself, without a bet that it needs, and none with insurance."""
        insured = {} if is_alone else insured_areas(book)
        self.areas = tuple(a for a in followed_areas(book) if a in insured or book.bet(a) is not None)
        self._histograms = Histograms(book.play)
        bets = [area for area in self.areas if area not in insured]
        self._by_totals = [i for i, area in enumerate(bets) if is_by_totals(book, area)]
        self._by_pair = [i for i in range(len(bets)) if i not in self._by_totals]
        self._nets = np.array([totals_nets(book, bets[i]) for i in self._by_totals]).reshape(-1, TOTALS)
        pair_nets = [_pair_nets(book.pay_tables[bets[i]]) for i in self._by_pair]
        self._pair_nets = np.array(pair_nets).reshape(-1, 14)
        self._needs = [(i, _needed(book, self.areas, area)) for i, area in enumerate(bets) if not is_alone]
        self._insured = [
            (self.areas.index(area), self.areas.index(book.main_area(hand)), HANDS.index(hand))
            for area, hand in insured.items()
        ]
        self._gains = _gains_in(book) if insured else None

    def __call__(self, block: Block) -> Floats:
        values = np.zeros((len(block.ranks), len(self.areas)))
        values[:, self._by_totals] = _in_threads(self._by_points, block.points)
        if self._by_pair:
            size = block.ranks.sum(axis=1)
            pairs = block.ranks * (block.ranks - 1) / (size * (size - 1))[:, None]
            chances = np.concatenate([1 - pairs.sum(axis=1, keepdims=True), pairs], axis=1)
            values[:, self._by_pair] = chances @ self._pair_nets.T
        for i, needed in self._needs:
            if needed:
                values[:, i] += values[:, needed].max(axis=1)
        if self._gains is not None:
            gains = self._gains(block.points)
            for i, main, hand in self._insured:
                values[:, i] = values[:, main] + gains[:, hand]
        return values

    def _by_points(self, points: Integers) -> Floats:
        return self._histograms.expectations(points, self._nets)


def _needed(book: Book, areas: tuple[str, ...], area: str) -> list[int]:
    """Columns of the bets of which one must lie beside this one."""
    bet = book.bet(area)
    return [areas.index(needed) for needed in bet.needs if needed in areas] if bet is not None else []


def totals_nets(book: Book, area: str) -> Floats:
    """The net of each `totals`, an ante with its wager; of those that never come, nothing."""
    table = book.pay_tables[area]
    nets = np.array([float(table.net_at(totals)) for totals in range(TOTALS)])
    wager, ante = book.wager_of(area), book.ante
    if wager is None or ante is None:
        return nets
    return np.asarray(nets + ante.multiple * totals_nets(book, wager))


def _pair_nets(table: PayTable) -> list[float]:
    """The net of no pair, then of a pair of each rank."""
    nets = table.nets
    return [float(nets[NO_PAIR]), *(float(nets[2 * rank]) for rank in range(1, 14))]
