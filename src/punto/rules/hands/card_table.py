"""The pay table of a bet on single cards: a code for each hand, and a row for every two codes.

Compiling proves what `pay_table` proves for other bets, over the codes that the two hands can come to by the
table of play: every deal has exactly one row, or a first one. Deals are taken as a shoe of many decks has
them, so that one card may lie on the table six times; with fewer decks that is more than can happen. Rows
that nothing reaches are named by `punto check`, which counts exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from punto.cards.card import Card, format_cards
from punto.rules.facts import Hand
from punto.rules.hands.hand_table import Ends, HandTable, Kinds, finishes, hand_table, kinds_of
from punto.rules.hands.questions import HandQuestions, TooManyFacts
from punto.rules.play import Play
from punto.rules.text.bet import Bet

MOST_CELLS = 400_000
"""Pairs of codes that a bet may tell apart: four cards as a poker hand need 207,025."""

MOST_CELLS_OF_BOOK = 2_000_000
"""The same of all bets of a book together."""

NO_ROW = -1
"""Stands for a row where no deal leads."""
UNSEEN = -2
"""Stands for a row while nothing is known of a cell."""


@dataclass(frozen=True, slots=True)
class CardTable:
    """How the cards of two hands lead to a cell of a pay table."""

    kinds: Kinds
    player: HandTable
    banker: HandTable

    @property
    def reads_third(self) -> bool:
        """Whether a third card can matter; if not, four cards decide the bet."""
        return self.kinds.has_points

    @property
    def cells(self) -> int:
        """Cells of the pay table."""
        return len(self.player.values) * len(self.banker.values)

    def cell(self, player: Sequence[Card], banker: Sequence[Card]) -> int:
        """The cell that two finished hands come to."""
        code = self.player.code(self.kinds, player)
        return code * len(self.banker.values) + self.banker.code(self.kinds, banker)

    def possible_cells(
        self, play: Play, player: Sequence[Card | None], banker: Sequence[Card | None]
    ) -> Iterator[int]:
        """Cells that hands may still come to, of which some cards are known (None for one that is not)."""
        ends = [
            hand.ends_from(self.kinds, seen) for hand, seen in ((self.player, player), (self.banker, banker))
        ]
        for players, bankers in finishes(play, *ends):
            yield from (p * len(self.banker.values) + b for p in players for b in bankers)


@dataclass(frozen=True, slots=True)
class Proof:
    """Rows of all cells, and what keeps the pay table from being total."""

    table: CardTable
    cells: tuple[int, ...]
    gaps: list[str]
    """Deals without a row, as cards."""
    overlaps: dict[tuple[int, int], list[str]]
    """Two rows and deals that both cover, as cards."""
    below: frozenset[int]
    """Rows that hold for some deal which goes to a row above."""


def prove(bet: Bet, play: Play, bets: Mapping[str, Bet]) -> Proof:
    """The table of a bet, and its gaps and overlaps; `bets` are all of the book, by area."""
    questions = HandQuestions(play.naturals)
    rows = questions.rows(bet, bets)
    questions.merge()
    table = _table(questions)
    answers = questions.answers(table.player.values, table.banker.values)
    wide = len(table.banker.values)
    cells = [UNSEEN] * table.cells
    gaps: list[str] = []
    overlaps: dict[tuple[int, int], list[str]] = {}
    known: dict[int, tuple[int, ...]] = {}
    beside = lru_cache(maxsize=None)(answers.beside)
    for player, banker in _finishes(table, play):
        for p, players in player.items():
            answered = beside(p)
            for b, bankers in banker.items():
                if cells[p * wide + b] != UNSEEN:
                    continue
                met = answered[b]
                if met not in known:
                    known[met] = rows.found(met)
                found = known[met]
                cells[p * wide + b] = found[0] if found else NO_ROW
                if len(found) == 1 or (found and bet.first_match):
                    continue
                deal = f"Player {format_cards(players)}, Banker {format_cards(bankers)}"
                (overlaps.setdefault(found[:2], []) if found else gaps).append(deal)  # type: ignore[arg-type]
    reached = tuple(NO_ROW if row == UNSEEN else row for row in cells)
    below = frozenset(row for found in known.values() for row in found[1:])
    return Proof(table, reached, gaps, overlaps, below)


def _table(questions: HandQuestions) -> CardTable:
    """The kinds of cards and the codes of both hands."""
    facts = [fact for hand in Hand for fact, _ in questions.reads[hand]]
    kinds = kinds_of(facts, has_points=any(fact.reads_third for fact in facts))
    player, banker = (hand_table(questions.reads[hand], kinds) for hand in Hand)
    table = CardTable(kinds, player, banker)
    if table.cells > MOST_CELLS:
        raise TooManyFacts(
            f"the bet tells {table.cells:,} pairs of hands apart, and may tell {MOST_CELLS:,}; "
            "ask for fewer things at once"
        )
    return table


def _finishes(table: CardTable, play: Play) -> Iterator[tuple[Ends, Ends]]:
    """Codes of Player's hand and of Banker's that go together by the table of play."""
    return finishes(play, table.player.ends, table.banker.ends)
