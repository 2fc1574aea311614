"""The pay table of a bet, compiled into one flat table over the facts it reads.

A bet that asks only for the winner reads `totals`; a pair bet reads one pair; a bet may mix them. The table
has a cell for every combination of the facts it reads, so that one multiplication and one look-up settle it.
Compiling proves that every deal that can happen has exactly one row, and that every row can happen. A bet on
single cards has another way to its cell (`hands`), and the same rows and cells from there on. With one
deck no pair is suited: rows may not ask for one, and their cells repeat those of other pairs, so that cards
which no single deck holds are paid like a pair all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from punto.cards.card import Card
from punto.rules.cells import Cell, number_of_cells, possible_cells, strides_of
from punto.rules.facts import ALL_TOTALS, PAIRS, Facts, describe_pair, is_pair_suited
from punto.rules.hands.card_table import NO_ROW as NO_ROW
from punto.rules.hands.card_table import CardTable, prove
from punto.rules.hands.questions import TooManyFacts
from punto.rules.outcome import Outcome, Result, parse_odds
from punto.rules.play import Play
from punto.rules.reading.problem import Place, Problem
from punto.rules.text.bet import Bet, PayRow
from punto.rules.text.fact import pairs_test, totals_met
from punto.rules.text.when import Reads, When


class CompiledRow(msgspec.Struct, frozen=True):
    """A row of a pay table with its odds read: when these facts hold, this becomes of the bet."""

    when: When | tuple[When, ...] | None
    """None: all deals that no other row covers."""
    outcome: Outcome
    is_below: bool = False
    """Whether some deal that meets it goes to a row above: it counts only where none of those holds."""


@dataclass(frozen=True, slots=True, repr=False)
class PayTable:
    """What becomes of a bet, for all facts of a deal."""

    rows: tuple[CompiledRow, ...]
    reads: Reads
    reads_suits: bool
    """Whether a suited pair is paid otherwise than another."""
    cells: tuple[int, ...]
    """The number of a row for each combination of facts read; `NO_ROW` where no deal leads."""
    totals_stride: int
    player_stride: int
    banker_stride: int
    cards: CardTable | None = field(default=None, compare=False)
    """How single cards lead to a cell, for a bet that reads them."""
    _outcomes: tuple[Outcome | None, ...] = field(init=False, compare=False)
    """The outcomes of the cells, so that settling takes one look-up."""

    def __post_init__(self) -> None:
        by_row = (*(row.outcome for row in self.rows), None)
        object.__setattr__(self, "_outcomes", tuple(map(by_row.__getitem__, self.cells)))

    def __repr__(self) -> str:
        return f"<PayTable: {len(self.rows)} rows, reads {self.reads.name}>"

    def settled(self, facts: Facts, player: Sequence[Card], banker: Sequence[Card]) -> Outcome:
        """What becomes of the bet after this deal, whatever the bet reads of it."""
        if self.cards is None:
            return self.outcome(facts)
        outcome = self._outcomes[self.cards.cell(player, banker)]
        assert outcome is not None, "no finished deal has these cards"
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
        outcome = self._outcomes[
            facts.totals * self.totals_stride
            + facts.player_pair * self.player_stride
            + facts.banker_pair * self.banker_stride
        ]
        assert outcome is not None, "no finished deal has these facts"
        return outcome

    def row(self, facts: Facts) -> int:
        """The number of the row that a deal with these facts comes to."""
        row = self.cells[
            facts.totals * self.totals_stride
            + facts.player_pair * self.player_stride
            + facts.banker_pair * self.banker_stride
        ]
        assert row != NO_ROW, "no finished deal has these facts"
        return row

    @property
    def nets(self) -> list[Fraction]:
        """What one unit staked gains at each cell; nothing where no deal leads."""
        by_row = (*(row.outcome.net for row in self.rows), Fraction(0))
        return [by_row[row] for row in self.cells]


class Condition:
    """Any one of several conditions, ready to be asked."""

    def __init__(self, when: When | tuple[When, ...], play: Play) -> None:
        whens = when if isinstance(when, tuple) else (when,)
        self.reads = Reads.NOTHING
        self.reads_suits = any(one.reads_suits for one in whens)
        self._alternatives = []
        for one in whens:
            self.reads |= one.reads
            self._alternatives.append((totals_met(one, play.naturals), _pairs_met(one)))

    def holds(self, totals: int, player_pair: int, banker_pair: int) -> bool:
        """Whether these facts meet it."""
        pairs = player_pair * PAIRS + banker_pair
        for some, others in self._alternatives:  # noqa: SIM110 - asked for every cell of every bet
            if totals in some and pairs in others:
                return True
        return False


def _pairs_met(when: When) -> frozenset[int]:
    """The pairs of both hands, in one number, that meet the part of a condition that looks at pairs."""
    if not when.reads & (Reads.PLAYER_PAIR | Reads.BANKER_PAIR):
        return _ALL_PAIRS
    test = pairs_test(when)
    return frozenset(pairs for pairs in _ALL_PAIRS if test(*divmod(pairs, PAIRS)))


_ALL_PAIRS = frozenset(range(PAIRS * PAIRS))


def compile_pay_table(
    bet: Bet, play: Play, place: Place, most_decks: int, bets: Mapping[str, Bet] | None = None
) -> PayTable | list[Problem]:
    """The pay table of a bet, or its gaps, overlaps and rows that can never happen.

    `bets` are all bets of the book by area, for one that asks whether others win.
    """
    if any(one.reads & Reads.CARDS for row in bet.pays for one in _conditions(row)):
        return _compile_cards(bet, play, place, bets or {})
    conditions = [Condition(row.when, play) if row.when is not None else None for row in bet.pays]
    reads = Reads.NOTHING
    for condition in conditions:
        if condition is not None:
            reads |= condition.reads
    asked = [(i, condition) for i, condition in enumerate(conditions) if condition is not None]
    strides = strides_of(reads)
    numbers = [NO_ROW] * number_of_cells(reads)
    used, below = [False] * len(bet.pays), set[int]()
    gaps: list[Cell] = []
    overlaps: dict[tuple[int, int], list[Cell]] = {}
    for cell in possible_cells(play, reads):
        if most_decks == 1 and any(map(is_pair_suited, cell[1:])):
            continue
        rows = [i for i, condition in asked if condition.holds(*cell)]
        if not rows and conditions[-1] is None:
            rows = [len(conditions) - 1]
        if not rows:
            gaps.append(cell)
            continue
        if len(rows) > 1 and not bet.first_match:
            overlaps.setdefault((rows[0], rows[1]), []).append(cell)
        below.update(rows[1:])
        used[rows[0]] = True
        place_of = cell[0] * strides[0] + cell[1] * strides[1] + cell[2] * strides[2]
        numbers[place_of] = rows[0]
    examples = {rows: _example(cells, reads) for rows, cells in overlaps.items()}
    if problems := _problems(place, _example(gaps, reads) if gaps else "", examples, used):
        return problems
    if most_decks == 1:
        _fill_suited(numbers, strides)
    compiled = _compiled(bet, below)
    reads_suits = any(c.reads_suits for c in conditions if c) and _pays_suited(compiled, numbers, strides)
    return PayTable(compiled, reads, reads_suits, tuple(numbers), *strides)


def _compiled(bet: Bet, below: Collection[int]) -> tuple[CompiledRow, ...]:
    return tuple(CompiledRow(row.when, _outcome(row), i in below) for i, row in enumerate(bet.pays))


def _conditions(row: PayRow) -> tuple[When, ...]:
    if row.when is None:
        return ()
    return row.when if isinstance(row.when, tuple) else (row.when,)


def _problems(
    place: Place, gap: str, overlaps: Mapping[tuple[int, int], str], used: Sequence[bool]
) -> list[Problem]:
    """What keeps a pay table from being total, with an example of each."""
    problems = [Problem((*place, "pays"), f"no row covers {gap}")] if gap else []
    for (first, second), example in overlaps.items():
        sentence = f"rows {first + 1} and {second + 1} both cover {example}"
        problems.append(Problem((*place, "pays", second), sentence))
    problems += [
        Problem((*place, "pays", i), "no deal ever comes to this row")
        for i, was_used in enumerate(used)
        if not was_used and not any(i in pair for pair in overlaps)
    ]
    return problems


def _compile_cards(bet: Bet, play: Play, place: Place, bets: Mapping[str, Bet]) -> PayTable | list[Problem]:
    """The pay table of a bet that reads single cards."""
    try:
        proof = prove(bet, play, bets)
    except TooManyFacts as error:
        return [Problem((*place, "pays"), str(error))]
    examples = {rows: _first(deals) for rows, deals in proof.overlaps.items()}
    # A row that nothing reaches is left to `punto check`: published tables have some, such as six eights.
    used = [True] * len(bet.pays)
    if problems := _problems(place, _first(proof.gaps) if proof.gaps else "", examples, used):
        return problems
    compiled = _compiled(bet, proof.below)
    return PayTable(
        compiled, Reads.CARDS, proof.table.kinds.has_suits, proof.cells, 0, 0, 0, cards=proof.table
    )


def _first(deals: list[str]) -> str:
    return deals[0] + (f" and {len(deals) - 1} more" if len(deals) > 1 else "")


def _fill_suited(numbers: list[int], strides: Cell) -> None:
    """Let each suited pair be paid like the other pair of its rank, which stands just before it."""
    for cell, before in _suited_cells(numbers, strides):
        numbers[cell] = numbers[before]


def _pays_suited(rows: Sequence[CompiledRow], numbers: Sequence[int], strides: Cell) -> bool:
    """Whether some suited pair comes to another outcome than the other pair of its rank."""
    outcomes = (*(row.outcome for row in rows), None)
    cells = _suited_cells(numbers, strides)
    return any(outcomes[numbers[cell]] != outcomes[numbers[before]] for cell, before in cells)


def _suited_cells(numbers: Sequence[int], strides: Cell) -> Iterator[tuple[int, int]]:
    """The cells of suited pairs, each with that of the other pair of its rank."""
    for stride in filter(None, strides[1:]):
        for cell in range(len(numbers)):
            if is_pair_suited(cell // stride % PAIRS):
                yield cell, cell - stride


def _outcome(row: PayRow) -> Outcome:
    if row.odds is not None:
        return Outcome(Result.WIN, parse_odds(row.odds), row.clause)
    assert row.result is not None, "validation lets no row without odds or result through"
    return Outcome(row.result, None, row.clause)


def _example(cells: list[Cell], reads: Reads) -> str:
    totals, player, banker = cells[0]
    facts = []
    if Reads.TOTALS in reads:
        facts.append(str(ALL_TOTALS[totals]))
    if Reads.PLAYER_PAIR in reads:
        facts.append(f"Player with {describe_pair(player)}")
    if Reads.BANKER_PAIR in reads:
        facts.append(f"Banker with {describe_pair(banker)}")
    more = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
    return ", ".join(facts or ["any deal"]) + more
