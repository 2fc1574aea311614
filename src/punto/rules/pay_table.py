"""Pay tables, compiled: a bet as one flat table over the cells of the facts that it reads, and insurance as
the offers that are open at which points.

A bet that asks only for the winner reads `totals`; a pair bet reads one pair; a bet may mix them. The table has a
cell for every combination of the facts it reads, so that one multiplication and one look-up settle it. Compiling
proves that every deal that can happen has exactly one row, and that every row can happen. A bet on single cards has
another way to its cell (`card_table`), and the same rows and cells from there on. With one deck no pair is suited:
rows may not ask for one, and their cells repeat those of other pairs, so that cards which no single deck holds are
paid like a pair all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import force_setattr

from punto.cards.card import Card, Rank
from punto.rules import outcome as outcomes
from punto.rules.book_text import Bet, Insurance, OfferRow, PayRow, Window
from punto.rules.condition import Reads, When, pairs_test, totals_met
from punto.rules.entry import each_of
from punto.rules.outcome import (
    NO_PAIR,
    NO_ROW,
    PAIRS,
    Facts,
    Hand,
    Kept,
    Outcome,
    Result,
    Winner,
    is_pair_suited,
    parse_odds,
    parse_rate,
)
from punto.rules.table_of_play import Play
from punto.rules.told import told
from punto.rules.validation import Place, Problem

if TYPE_CHECKING:
    from punto.rules.card_table import CardTable

Cell = tuple[int, int, int]  # Totals, Player's pair and Banker's pair; 0 for what is not read.


def possible_cells(play: Play, reads: Reads) -> Iterable[Cell]:
    """Every combination of these facts that some finished deal has."""
    if Reads.TOTALS in reads:
        return _cells_by_totals(play, reads)
    players = range(PAIRS) if Reads.PLAYER_PAIR in reads else (NO_PAIR,)
    bankers = range(PAIRS) if Reads.BANKER_PAIR in reads else (NO_PAIR,)
    return ((0, p, b) for p in players for b in bankers)


@lru_cache(maxsize=16)
def _cells_by_totals(play: Play, reads: Reads) -> tuple[Cell, ...]:
    """Points with pairs, where those are read: a pair of fours in two cards is eight points and no other number."""
    none = [(NO_PAIR,)] * 10
    pairs = [_pairs_making(points) for points in range(10)]  # Thousands of ways lead to some hundred cells.
    players, bankers = (pairs if fact in reads else none for fact in (Reads.PLAYER_PAIR, Reads.BANKER_PAIR))
    ways = play.indexed_finishes()
    cells = {(totals, p, b) for player, banker, totals in ways for p in players[player] for b in bankers[banker]}
    return tuple(sorted(cells))


@lru_cache(maxsize=10)
def _pairs_making(points: int) -> tuple[int, ...]:
    """No pair, and every pair whose two cards make these points."""
    ranks = [rank for rank in Rank if 2 * rank.points % 10 == points]
    return (NO_PAIR, *(2 * rank - unsuited for rank in ranks for unsuited in (1, 0)))


def _strides(reads: Reads) -> tuple[Cell, int]:
    """By how many cells each fact moves on, 0 for what is not read; and the number of cells, possible or not."""
    strides, size = [], 1
    for fact, values in ((Reads.BANKER_PAIR, PAIRS), (Reads.PLAYER_PAIR, PAIRS), (Reads.TOTALS, outcomes.TOTALS)):
        strides.append(size if fact in reads else 0)
        size *= values if fact in reads else 1
    banker, player, totals = strides
    return (totals, player, banker), size


def _index(facts: Facts, strides: Cell) -> int:
    """Where the flat table has the row of a deal with these facts."""
    totals, player, banker = strides
    return facts.totals * totals + facts.player_pair * player + facts.banker_pair * banker


class CompiledRow(msgspec.Struct, frozen=True):
    """A row of a pay table with its odds read: when these facts hold, this becomes of the bet."""

    when: tuple[When, ...] | None  # Any one of these; None: all deals that no other row covers.
    outcome: Outcome
    is_overlapped: bool = False
    """Whether some deal that meets it goes to a row above: it counts only where none of those holds."""


class PayTable(msgspec.Struct, frozen=True):
    """What becomes of a bet, for all facts of a deal."""

    rows: tuple[CompiledRow, ...]
    reads: Reads
    reads_suits: bool  # Whether a suited pair is paid otherwise than another.
    cells: tuple[int, ...]  # The number of a row for each combination of facts read; `NO_ROW` where no deal leads.
    strides: Cell  # By how many cells each fact moves on; 0 for what is not read.
    cards: CardTable | None = None
    """How single cards lead to a cell, for a bet that reads them."""
    _outcomes: tuple[Outcome | None, ...] = ()
    """The outcomes of the cells, so that settling takes one look-up."""

    def __post_init__(self) -> None:
        by_row = (*(row.outcome for row in self.rows), None)
        force_setattr(self, "_outcomes", tuple(map(by_row.__getitem__, self.cells)))

    def __repr__(self) -> str:
        return f"<PayTable: {len(self.rows)} rows, reads {self.reads.name}>"

    def outcome_of_deal(self, facts: Facts, player: Sequence[Card], banker: Sequence[Card]) -> Outcome:
        """What becomes of the bet after this deal, whatever the bet reads of it."""
        if self.cards is None:
            # Written out, and not by `_index`: every bet that is settled comes here.
            totals, of_player, of_banker = self.strides
            cell = facts.totals * totals + facts.player_pair * of_player + facts.banker_pair * of_banker
        else:
            cell = self.cards.cell(player, banker)
        outcome = self._outcomes[cell]
        assert outcome is not None, "no finished deal has these facts or cards"
        return outcome

    def settled_row(self, facts: Facts, player: Sequence[Card], banker: Sequence[Card]) -> CompiledRow:
        """The row by which the bet is settled after this deal."""
        if self.cards is None:
            return self.rows[self.row(facts)]
        row = self.cells[self.cards.cell(player, banker)]
        assert row != NO_ROW, "no finished deal has these cards"
        return self.rows[row]

    def outcome(self, facts: Facts) -> Outcome:
        """What becomes of the bet when a deal ends with these facts, where it reads no single cards."""
        return self.rows[self.row(facts)].outcome

    def row(self, facts: Facts) -> int:
        """The number of the row that a deal with these facts comes to."""
        row = self.cells[_index(facts, self.strides)]
        assert row != NO_ROW, "no finished deal has these facts"
        return row

    def net_at(self, totals: int) -> Fraction:
        """What one unit staked gains at these totals without pairs; nothing where no deal leads."""
        outcome = self._outcomes[totals * self.strides[0]]
        return outcome.net if outcome is not None else Fraction(0)

    @property
    def nets(self) -> list[Fraction]:
        """What one unit staked gains at each cell; nothing where no deal leads."""
        by_row = (*(row.outcome.net for row in self.rows), Fraction(0))
        return [by_row[row] for row in self.cells]


class Condition:
    """Any one of several conditions, ready to be asked."""

    def __init__(self, whens: tuple[When, ...], play: Play) -> None:
        self.reads = reduce(or_, (one.reads for one in whens), Reads.NOTHING)
        self.reads_suits = any(one.reads_suits for one in whens)
        self._pairs: dict[int, frozenset[int]] = {}  # By totals: the pairs with which they meet the condition.
        for one in whens:
            pairs = _pairs_met(one)
            for totals in totals_met(one, play.naturals):
                self._pairs[totals] = self._pairs[totals] | pairs if totals in self._pairs else pairs

    def holds(self, totals: int, player_pair: int, banker_pair: int) -> bool:
        return player_pair * PAIRS + banker_pair in self._pairs.get(totals, ())


def _pairs_met(when: When) -> frozenset[int]:
    """The pairs of both hands, in one number, that meet the part of a condition that looks at pairs."""
    reads = when.reads
    if not reads & (Reads.PLAYER_PAIR | Reads.BANKER_PAIR):
        return _ALL_PAIRS
    test = pairs_test(when)
    # Nearly every condition on pairs looks at one hand: then no pair of the other has to be asked for.
    players: Iterable[int] = range(PAIRS)
    bankers: Iterable[int] = range(PAIRS)
    if Reads.BANKER_PAIR not in reads:
        players = [pair for pair in players if test(pair, NO_PAIR)]
    elif Reads.PLAYER_PAIR not in reads:
        bankers = [pair for pair in bankers if test(NO_PAIR, pair)]
    else:
        return frozenset(pairs for pairs in _ALL_PAIRS if test(*divmod(pairs, PAIRS)))
    return frozenset(player * PAIRS + banker for player in players for banker in bankers)


_ALL_PAIRS = frozenset(range(PAIRS * PAIRS))


def compile_pay_table(
    bet: Bet, play: Play, place: Place, most_decks: int, bets: Mapping[str, Bet] | None = None
) -> PayTable | list[Problem]:
    """The pay table of a bet, or its gaps, overlaps and rows that can never happen.

    `bets` are all bets of the book by area, for one that asks whether others win.
    """
    if any(one.reads & Reads.CARDS for row in bet.pays for one in each_of(row.when)):
        return _compile_cards(bet, play, place, bets or {})
    conditions = {i: Condition(each_of(row.when), play) for i, row in enumerate(bet.pays) if row.when is not None}
    reads = reduce(or_, (condition.reads for condition in conditions.values()), Reads.NOTHING)
    possible = possible_cells(play, reads)
    if most_decks == 1:
        possible = (cell for cell in possible if not any(map(is_pair_suited, cell[1:])))
    holding = {cell: _rows_holding(bet, conditions, cell) for cell in possible}
    if problems := _total_problems(bet, place, reads, holding):
        return problems
    strides, size = _strides(reads)
    cells = [NO_ROW] * size
    for cell, rows in holding.items():
        cells[_index(Facts(*cell), strides)] = rows[0]
    if most_decks == 1:  # what no single deck holds is paid like the other pair
        for suited, unsuited in _suited_cells(cells, strides):
            cells[suited] = cells[unsuited]
    compiled = _compiled(bet, {row for rows in holding.values() for row in rows[1:]})
    asks_suits = any(condition.reads_suits for condition in conditions.values())
    return PayTable(compiled, reads, asks_suits and _pays_suits(compiled, cells, strides), tuple(cells), strides)


def _rows_holding(bet: Bet, conditions: Mapping[int, Condition], cell: Cell) -> list[int]:
    """The rows that cover a deal with these facts; the last without a condition covers what is left."""
    rows = [i for i, condition in conditions.items() if condition.holds(*cell)]
    return rows or ([len(bet.pays) - 1] if bet.pays[-1].when is None else [])


def _total_problems(bet: Bet, place: Place, reads: Reads, holding: Mapping[Cell, Sequence[int]]) -> list[Problem]:
    """Where a pay table is not total: deals without a row, deals with two, and rows without a deal."""
    gaps = [cell for cell, rows in holding.items() if not rows]
    overlaps: dict[tuple[int, int], list[Cell]] = {}
    for cell, rows in holding.items():
        if len(rows) > 1 and not bet.first_match:
            overlaps.setdefault((rows[0], rows[1]), []).append(cell)
    reached = {rows[0] for rows in holding.values() if rows}
    examples = {rows: _example(cells, reads) for rows, cells in overlaps.items()}
    used = [i in reached for i in range(len(bet.pays))]
    return _problems(place, _example(gaps, reads) if gaps else "", examples, used)


def _pays_suits(rows: Sequence[CompiledRow], cells: Sequence[int], strides: Cell) -> bool:
    """Whether a suited pair is paid otherwise than the other pair of its rank."""
    by_row = (*(row.outcome for row in rows), None)
    return any(by_row[cells[suited]] != by_row[cells[unsuited]] for suited, unsuited in _suited_cells(cells, strides))


def _compiled(bet: Bet, below: Collection[int]) -> tuple[CompiledRow, ...]:
    return tuple(
        CompiledRow(None if row.when is None else each_of(row.when), _outcome(row), i in below)
        for i, row in enumerate(bet.pays)
    )


def _problems(place: Place, gap: str, overlaps: Mapping[tuple[int, int], str], used: Sequence[bool]) -> list[Problem]:
    """What keeps a pay table from being total, with an example of each."""
    problems = [Problem((*place, "pays"), told("gap", deal=gap))] if gap else []
    for (first, second), example in overlaps.items():
        problems.append(
            Problem((*place, "pays", second), told("overlap", first=first + 1, second=second + 1, deal=example))
        )
    unused = (i for i, was_used in enumerate(used) if not was_used and not any(i in pair for pair in overlaps))
    return problems + [Problem((*place, "pays", i), told("never-reached")) for i in unused]


def _compile_cards(bet: Bet, play: Play, place: Place, bets: Mapping[str, Bet]) -> PayTable | list[Problem]:
    """The pay table of a bet that reads single cards."""
    from punto.rules.card_table import TooManyFacts, prove_cards  # here, because most books have no such bet

    try:
        proof = prove_cards(bet, play, bets)
    except TooManyFacts as error:
        return [Problem((*place, "pays"), error.args[0])]
    examples = {rows: _first(deals) for rows, deals in proof.overlaps.items()}
    # A row that nothing reaches is left to `punto check`: published tables have some, such as six eights.
    used = [True] * len(bet.pays)
    if problems := _problems(place, _first(proof.gaps) if proof.gaps else "", examples, used):
        return problems
    compiled = _compiled(bet, proof.below)
    return PayTable(compiled, Reads.CARDS, proof.table.kinds.has_suits, proof.cells, (0, 0, 0), proof.table)


def _first(deals: list[str]) -> str:
    return told("and-more", deal=deals[0], more=str(len(deals) - 1)) if len(deals) > 1 else deals[0]


def _suited_cells(numbers: Sequence[int], strides: Cell) -> Iterator[tuple[int, int]]:
    """The cells of suited pairs, each with that of the other pair of its rank."""
    for stride in filter(None, strides[1:]):
        for cell in range(len(numbers)):
            if is_pair_suited(cell // stride % PAIRS):
                yield cell, cell - stride


def _outcome(row: PayRow) -> Outcome:
    if row.odds is not None:
        return Outcome(Result.WIN, odds := parse_odds(row.odds), row.clause, _kept(row, odds))
    assert row.result is not None, "validation lets no row without odds or result through"
    return Outcome(row.result, None, row.clause)


def _kept(row: PayRow, odds: Fraction) -> Kept | None:
    if row.commission is None:
        return None
    rate = parse_rate(row.commission.rate)
    return Kept(rate, row.commission.clause, odds / (1 - rate))


def _example(cells: list[Cell], reads: Reads) -> str:
    totals, player, banker = cells[0]
    dealt = outcomes.ALL_TOTALS[totals]
    counts = {"player_cards": told(f"cards.{dealt.player_cards}"), "banker_cards": told(f"cards.{dealt.banker_cards}")}
    facts = {
        Reads.TOTALS: told("totals", player=dealt.player_points, banker=dealt.banker_points, **counts),
        Reads.PLAYER_PAIR: told("player-with", pair=_pair_told(player)),
        Reads.BANKER_PAIR: told("banker-with", pair=_pair_told(banker)),
    }
    known = [words for fact, words in facts.items() if fact in reads]
    deal = reduce(lambda all, one: told("deal", first=all, second=one), known) if known else told("any-deal")
    return _first([deal] * len(cells))


def _pair_told(pair: int) -> str:
    rank = outcomes.pair_rank(pair)
    if not rank:
        return told("pair.none")
    return told("pair.suited" if is_pair_suited(pair) else "pair.unsuited", rank=rank.notation)


class InsuranceOffer(msgspec.Struct, frozen=True):
    """Insurance on one hand at one window, at these odds."""

    window: Window
    hand: Hand
    odds: Fraction
    on_loss: Outcome  # When the insured hand loses: insurance wins.
    on_tie: Outcome
    on_win: Outcome
    on_other_tie: Outcome
    """On a tie at other points than the insured hand had when it was complete: what the book says of all."""

    def __repr__(self) -> str:
        return f"<InsuranceOffer {self.area} at {outcomes.format_odds(self.odds)}>"

    @property
    def area(self) -> str:
        return outcomes.insurance_area(self.hand, self.window.cards)

    def outcome(self, winner: Winner, *, is_same_hand: bool = True) -> Outcome:
        """What becomes of this insurance.

        A row with a word of its own on ties means the points that it was offered at. Where the insured hand
        was complete then and has other points in the end, because an error was put right, it is another
        hand, and its tie is any tie (insurance 4.2.1).
        """
        if winner is Winner.TIE:
            return self.on_tie if is_same_hand else self.on_other_tie
        return self.on_win if winner.value == self.hand.value else self.on_loss


class Offers(msgspec.Struct, frozen=True):
    """All offers of a book, by number of cards on the table and points of both hands."""

    cells: dict[tuple[int, int, int], tuple[InsuranceOffer, ...]]
    """At (cards, Player's points, Banker's points), as printed in the pay table."""
    windows: tuple[Window, ...] = ()
    rows: tuple[InsuranceOffer, ...] = ()  # The rows of the pay table, in the order of the book.

    def __repr__(self) -> str:
        return f"<Offers: {len(self.windows)} windows, {len(self.cells)} pairs of totals>"


def compile_offers(insurance: Insurance | None, play: Play) -> Offers | list[Problem]:
    """The insurance table of a book (empty without insurance), or its overlaps and rows never reached."""
    if insurance is None:
        return Offers({})
    problems: list[Problem] = []
    cells: dict[tuple[int, int, int], tuple[InsuranceOffer, ...]] = {}
    windows = {window.name: window for window in insurance.windows}
    reachable = _reachable(play)
    rows = tuple(_offer(row, windows[row.window], insurance) for row in insurance.offers)
    for i, (row, offer) in enumerate(zip(insurance.offers, rows, strict=True)):
        keys = [(offer.window.cards, p, b) for p in row.player_points for b in row.banker_points]
        for key in keys:
            others = cells.get(key, ())
            if any(other.hand is offer.hand for other in others):
                sentence = told("second-offer", hand=told(f"hand.{offer.hand.value}"), player=key[1], banker=key[2])
                problems.append(Problem(("insurance", "offers", i), sentence))
            cells[key] = (*others, offer)
        if not any(key in reachable for key in keys):
            problems.append(Problem(("insurance", "offers", i), told("never-offered")))
    return problems or Offers(cells, insurance.windows, rows)


def _offer(row: OfferRow, window: Window, insurance: Insurance) -> InsuranceOffer:
    odds = parse_odds(row.odds)
    on_loss, on_win = Outcome(Result.WIN, odds, row.clause), Outcome(Result.LOSE, None, row.clause)
    on_tie, on_other_tie = (
        Outcome(tie, odds if tie is Result.WIN else None, insurance.tie_clause)
        for tie in (row.tie or insurance.tie, insurance.tie)
    )
    return InsuranceOffer(window, row.hand, odds, on_loss, on_tie, on_win, on_other_tie)


def _reachable(play: Play) -> set[tuple[int, int, int]]:
    """Where a card is still to come: (cards on the table, Player's points, Banker's points)."""
    reachable = set()
    for p, b in product(range(10), repeat=2):
        if play.brings_card(p, b):
            reachable.add((4, p, b))
        if play.player_draws[p * 10 + b]:
            reachable |= {(5, (p + third) % 10, b) for third in range(10) if play.brings_card(p, b, third)}
    return reachable
