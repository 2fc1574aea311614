"""Evidence against an honest table, as e-values that hold however often one looks: the questions asked of
every round, the chances of every answer from the cards not yet seen, whether the cards came as from a well
shuffled shoe, and whether a player wins more than chance allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from punto.audit.sight import SeenArrays, SeenShoe
from punto.cards.card import DECK
from punto.odds.histograms import Histograms
from punto.rules.book import Book, label_of
from punto.rules.condition import Reads
from punto.rules.outcome import ALL_TOTALS, NO_ROW, PAIRS, Facts, Outcome, Result, Totals, shown_odds

Floats = NDArray[np.float64]
TILTS = np.array((-0.5, -0.2, -0.1, -0.05, -0.02, -0.01, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0))
"""By how much an alternative makes something likelier: 0.1 for a tenth more often."""


@dataclass(frozen=True, slots=True)
class Course:
    """How the evidence went, shoe by shoe: natural logarithms of the e-value."""

    logs: tuple[float, ...]

    @property
    def now(self) -> float:
        return self.logs[-1] if self.logs else 0.0

    @property
    def greatest(self) -> float:
        return max(self.logs, default=0.0)

    def first_over(self, limit: float) -> int | None:
        """The first shoe, counted from 0, at whose end the evidence exceeds a limit."""
        return next((place for place, log in enumerate(self.logs) if log >= limit), None)


def tilted(happened: Floats, chances: Floats, shoes: NDArray[np.int64], tilts: Floats = TILTS) -> Floats:
    """Logarithms of likelihood ratios, summed by shoe: a row for each shoe, a column for each alternative.

    `happened` and `chances` have a row for each trial and a column for each thing that may come; `shoes` are
    the rows at which a new shoe begins. An alternative makes one of the things likelier by one tilt.
    """
    columns = []
    for tilt in tilts:
        gains = happened * np.log1p(tilt) - np.log1p(tilt * chances)
        columns.append(np.add.reduceat(gains, shoes, axis=0) if len(gains) else gains)
    return np.concatenate(columns, axis=1)


def courses(log_ratios: Floats, parts: Sequence[int]) -> list[Course]:
    """The course of the evidence for each question, from likelihood ratios by shoe and alternative.

    `parts` are the numbers of alternatives of the questions, in the order of the columns.
    """
    starts = np.concatenate(([0], np.cumsum(parts)[:-1])).astype(np.int64)
    sizes = np.log(np.asarray(parts, np.float64))
    capital = np.full(log_ratios.shape[1], -np.inf)
    rows = []
    for shoe, ratios in enumerate(log_ratios, start=1):
        capital = np.logaddexp(capital, -np.log(shoe * (shoe + 1.0))) + ratios
        waiting = -np.log(shoe + 1.0)
        rows.append(np.logaddexp.reduceat(np.logaddexp(capital, waiting), starts) - sizes)
    return [Course(tuple(float(row[place]) for row in rows)) for place in range(len(parts))]


@dataclass(frozen=True, slots=True)
class RoundQuestion:
    """One thing that is compared with its odds in every round."""

    name: str
    over: Reads  # One of the three facts of a deal.
    answers: tuple[str, ...]
    cells: NDArray[np.int64]  # For each fact the number of its answer.
    is_after_cut: bool = False  # Asked only of rounds that are called when the cut card is out.


def questions_of(book: Book) -> tuple[tuple[RoundQuestion, ...], tuple[str, ...]]:
    """The questions to ask of a book's rounds, and the betting areas whose facts are not watched."""
    points, is_pair = tuple(map(str, range(10))), (np.arange(PAIRS) > 0).astype(np.int64)
    winner = _of_totals("winner", ("Player", "Banker", "tie"), _winner)
    questions = [
        winner,
        _of_totals("Player's total", points, lambda t: t.player_points),
        _of_totals("Banker's total", points, lambda t: t.banker_points),
        _of_totals("cards in the round", ("4", "5", "6"), lambda t: t.player_cards + t.banker_cards - 4),
        RoundQuestion("pair in Player's hand", Reads.PLAYER_PAIR, ("no", "yes"), is_pair),
        RoundQuestion("pair in Banker's hand", Reads.BANKER_PAIR, ("no", "yes"), is_pair),
        replace(winner, name="winner after the cut card", is_after_cut=True),
    ]
    bets = {area: _of_bet(book, area) for area in book.pay_tables}
    questions += [bet for bet in bets.values() if bet is not None and len(bet.answers) > 1]
    return tuple(questions), tuple(area for area, bet in bets.items() if bet is None)


def _winner(totals: Totals) -> int:
    winners = (totals.player_points > totals.banker_points, totals.player_points < totals.banker_points)
    return winners.index(True) if any(winners) else 2


def _of_totals(name: str, answers: tuple[str, ...], answer: Callable[[Totals], int]) -> RoundQuestion:
    return RoundQuestion(name, Reads.TOTALS, answers, np.array(list(map(answer, ALL_TOTALS)), np.int64))


_FACTS: dict[Reads, tuple[Callable[[int], Facts], int]] = {
    Reads.TOTALS: (lambda cell: Facts(cell, 0, 0), len(ALL_TOTALS)),
    Reads.PLAYER_PAIR: (lambda cell: Facts(0, cell, 0), PAIRS),
    Reads.BANKER_PAIR: (lambda cell: Facts(0, 0, cell), PAIRS),
}


def _of_bet(book: Book, area: str) -> RoundQuestion | None:
    """A bet by the outcomes of its pay table; None where its facts have no quick conditional chances."""
    table = book.pay_tables[area]
    facts, number = _FACTS.get(table.reads, (None, 0))
    if facts is None or len(table.cells) != number:
        return None
    words = [
        _NEVER if row == NO_ROW else _outcome_words(table.outcome(facts(cell))) for cell, row in enumerate(table.cells)
    ]
    outcomes = list(dict.fromkeys(words))
    cells = np.array(list(map(outcomes.index, words)), np.int64)
    return RoundQuestion(label_of(book, area), table.reads, tuple(outcomes), cells)


_NEVER = "never comes"  # Stands for facts to which no deal leads.


def _outcome_words(outcome: Outcome) -> str:
    if outcome.result is Result.WIN and outcome.odds is not None:
        return f"wins {shown_odds(outcome.odds)}"
    return {Result.WIN: "wins", Result.PUSH: "pushes", Result.LOSE: "loses"}[outcome.result]


ROUNDS_AT_ONCE = 4096  # Rounds whose chances are held in memory together.


def chances_by_totals(histograms: Histograms, seen: SeenArrays) -> Iterator[tuple[int, Floats]]:
    """Some thousands of rounds at a time: the first of them, and the chance of each of the 400 `totals`."""
    for start in range(0, seen.rounds, ROUNDS_AT_ONCE):
        counts = seen.unseen[start : start + ROUNDS_AT_ONCE].astype(np.int64)
        weights = np.asarray(histograms.many(_points(counts)), np.float64)
        yield start, weights / weights.sum(axis=1, keepdims=True)


def chances_of_pairs(unseen: NDArray[np.int64]) -> Floats:
    """The chance of each pair in the first two cards of a hand, for each row of counts of the 52 cards."""
    by_suit = unseen.reshape(len(unseen), 4, 13)
    ranks = by_suit.sum(axis=1)
    suited = (by_suit * (by_suit - 1)).sum(axis=1)
    size = ranks.sum(axis=1, keepdims=True)
    ways = (size * (size - 1)).astype(np.float64)
    chances = np.zeros((len(unseen), PAIRS))
    chances[:, 1::2] = (ranks * (ranks - 1) - suited) / ways
    chances[:, 2::2] = suited / ways
    chances[:, 0] = 1 - chances[:, 1:].sum(axis=1)
    return chances


class AskedRounds:
    """Questions about rounds as two matrices, one over the 400 `totals` and one over pairs."""

    def __init__(self, questions: Sequence[RoundQuestion]) -> None:
        self.widths = [len(question.answers) for question in questions]
        self._questions = questions
        self._of_totals = _matrix(questions, is_totals=True)
        self._of_pairs = _matrix(questions, is_totals=False)

    def answers_and_chances(self, seen: SeenArrays, start: int, totals: Floats) -> tuple[Floats, Floats]:
        """What came and what was to be expected in some rounds, from this one on: a row for each round, a
        column for each answer of each question.
        """
        part = slice(start, start + len(totals))
        chances = totals @ self._of_totals
        chances += chances_of_pairs(seen.unseen[part].astype(np.int64)) @ self._of_pairs
        came = np.zeros_like(chances)
        facts = {
            Reads.TOTALS: seen.totals[part],
            Reads.PLAYER_PAIR: seen.player_pair[part],
            Reads.BANKER_PAIR: seen.banker_pair[part],
        }
        column, rows = 0, np.arange(len(totals))
        for question, width in zip(self._questions, self.widths, strict=True):
            came[rows, column + question.cells[facts[question.over]]] = 1.0
            if question.is_after_cut:
                # A round before the cut card says nothing: nothing can come, and nothing does.
                for array in (came, chances):
                    array[:, column : column + width] *= seen.after_cut[part][:, None]
            column += width
        return came, chances


def _matrix(questions: Sequence[RoundQuestion], *, is_totals: bool) -> Floats:
    """For each fact a row, for each answer of each question a column: 1 where the fact gives the answer."""
    height = len(ALL_TOTALS) if is_totals else PAIRS
    parts = []
    for question in questions:
        is_its = (question.over is Reads.TOTALS) is is_totals
        is_answer = question.cells[:, None] == np.arange(len(question.answers))
        parts.append(is_answer if is_its else np.zeros((height, len(question.answers))))
    return np.concatenate(parts, axis=1).astype(np.float64)


def _points(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts of cards of 0 to 9 points, from counts of the 52 cards."""
    ranks = counts.reshape(len(counts), 4, 13).sum(axis=1)
    return np.concatenate((ranks[:, 9:].sum(axis=1, keepdims=True), ranks[:, :9]), axis=1)


SAME_ORDER = 20  # First cards of two shoes that are compared; honest shoes agree in them with a chance below 1e-30.
_SUCCESSOR = np.array([(card.index + 1) % 13 + card.index // 13 * 13 for card in DECK])
"""The card after each in a new deck, suit by suit."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One thing asked of every shoe: what came, what was expected, and how likely alternatives make it."""

    name: str
    log_ratios: Floats  # A row for each shoe, a column for each alternative.
    answers: tuple[str, ...]
    came: tuple[float, ...]
    expected: tuple[float, ...]


def ask_cards(seen: SeenArrays) -> list[AskedQuestion]:
    """Everything that is asked of the cards; shoes without a card count as having said nothing."""
    if not seen.shoes:
        return []
    single = (_grouped_cards("rank of a card", _RANKS), _grouped_cards("suit of a card", _SUITS))
    following = (
        _AskedOfCards("next card of a new deck follows", ("yes",), _new_deck),
        _AskedOfCards("card of the same rank follows", ("yes",), _same_rank),
    )
    tilted_questions = (*_tilted_questions(seen, single), *_tilted_questions(seen, following))
    return [_one_card_missing_or_too_many(seen), *tilted_questions, _burn_card(seen)]


_RANKS = tuple(DECK[place].rank.notation for place in range(13))
_SUITS = tuple(DECK[place * 13].suit.symbol for place in range(4))

Trials = tuple[NDArray[np.bool_], Floats]
"""What came of each draw, and with which chance: a column for each answer."""


@dataclass(frozen=True, slots=True)
class _AskedOfCards:
    name: str
    answers: tuple[str, ...]
    ask: Callable[[NDArray[np.int64], Floats], Trials]
    """Of the cards of a shoe, and of the chances of the 52 cards before each of them."""


def _card_chances(drawn: NDArray[np.int64], decks: int) -> Floats:
    is_drawn = drawn[:, None] == np.arange(52)
    before = decks - np.cumsum(is_drawn, axis=0) + is_drawn
    return before / before.sum(axis=1, keepdims=True) if len(before) else np.zeros((0, 52))


def _grouped_cards(name: str, words: tuple[str, ...]) -> _AskedOfCards:
    """Which of 13 ranks, or of 4 suits, a card is."""
    of_card = np.arange(52) % 13 if len(words) == 13 else np.arange(52) // 13
    is_in = (of_card[:, None] == np.arange(len(words))).astype(np.float64)
    return _AskedOfCards(name, words, lambda drawn, chances: (is_in[drawn] > 0, chances @ is_in))


def _new_deck(drawn: NDArray[np.int64], chances: Floats) -> Trials:
    wanted = _SUCCESSOR[drawn[:-1]]
    return (drawn[1:] == wanted)[:, None], chances[1:][np.arange(len(wanted)), wanted][:, None]


def _same_rank(drawn: NDArray[np.int64], chances: Floats) -> Trials:
    earlier, later = drawn[:-1] % 13, drawn[1:] % 13
    of_rank = chances.reshape(len(chances), 4, 13).sum(axis=1)[1:]
    return (later == earlier)[:, None], of_rank[np.arange(len(earlier)), earlier][:, None]


SHOES_AT_ONCE = 32


def _tilted_questions(seen: SeenArrays, questions: Sequence[_AskedOfCards]) -> list[AskedQuestion]:
    """Questions that are asked of every draw; some shoes at a time."""
    widths = [len(one.answers) for one in questions]
    rows = [np.zeros((seen.shoes, width * len(TILTS))) for width in widths]
    totals = [np.zeros((2, width)) for width in widths]
    for start in range(0, seen.shoes, SHOES_AT_ONCE):
        part = slice(start, start + SHOES_AT_ONCE)
        shoes = [
            (place, drawn, _card_chances(drawn, decks))
            for place, (drawn, decks) in enumerate(zip(seen.drawn[part], seen.decks[part], strict=True), start)
            if len(drawn) > 1
        ]
        if not shoes:
            continue
        places = np.array([place for place, _, _ in shoes])
        for number, one in enumerate(questions):
            trials = [one.ask(drawn, chances) for _, drawn, chances in shoes]
            came = np.concatenate([came for came, _ in trials]).astype(np.float64)
            chances = np.concatenate([chance for _, chance in trials])
            begins = np.cumsum([0, *(len(some) for some, _ in trials[:-1])])
            rows[number][places] = tilted(came, chances, begins)
            totals[number] += np.stack((came.sum(axis=0), chances.sum(axis=0)))
    return [
        AskedQuestion(one.name, ratios, one.answers, tuple(map(float, both[0])), tuple(map(float, both[1])))
        for one, ratios, both in zip(questions, rows, totals, strict=True)
    ]


def _burn_card(seen: SeenArrays) -> AskedQuestion:
    """The rank of the burn card that is shown first: each of 13 with the same chance."""
    burned = np.flatnonzero(seen.burned >= 0)
    rows = np.zeros((seen.shoes, 13 * len(TILTS)))
    came = (seen.burned[burned, None] % 13 == np.arange(13)).astype(np.float64)
    chances = np.full(came.shape, 1 / 13)
    if len(burned):
        rows[burned] = tilted(came, chances, np.arange(len(burned)))
    totals = (tuple(map(float, array.sum(axis=0))) for array in (came, chances))
    return AskedQuestion("burn card", rows, _RANKS, *totals)


def _one_card_missing_or_too_many(seen: SeenArrays) -> AskedQuestion:
    """104 alternatives: one of the 52 cards is missing from the shoe, or there is one more of it.

    The ratios of a whole shoe come to closed forms: with N cards, n of them seen, d of a card and j of those
    seen, N/(N-n) · (d-j)/d for one that is missing, (N-n+1)/(N+1) · (d+1)/(d-j+1) for one too many.
    """
    rows = []
    for drawn, decks in zip(seen.drawn, seen.decks, strict=True):
        size, out = decks * 52, np.bincount(drawn, minlength=52).astype(np.float64)
        left = size - out.sum()
        with np.errstate(divide="ignore"):
            missing = np.log(size / max(left, 0.5)) + np.log((decks - out) / decks)
        more = np.log((left + 1) / (size + 1)) + np.log((decks + 1) / (decks - out + 1))
        rows.append(np.concatenate((missing, more)))
    full = sum(len(drawn) > 0 for drawn in seen.drawn)
    ratios = np.array(rows).reshape(seen.shoes, 104)
    return AskedQuestion("a card missing or too many", ratios, ("shoes",), (full,), (full,))


def repeated_orders(shoes: Sequence[SeenShoe]) -> list[tuple[int, int]]:
    """Pairs of shoes, the earlier first, that began with the same cards in the same order."""
    first: dict[tuple[int, ...], int] = {}
    pairs = []
    for shoe in shoes:
        beginning = tuple(card.index for card in shoe.cards[:SAME_ORDER])
        if len(beginning) == SAME_ORDER:
            earlier = first.setdefault(beginning, shoe.number)
            if earlier != shoe.number:
                pairs.append((earlier, shoe.number))
    return pairs


SHARES = np.array((0.05, 0.1, 0.2, 0.4))  # Shares of the capital that are bet along with a player.


class Winnings:
    """What the players of a table won and what they could expect to, shoe by shoe, as the capital of somebody who
    bets along with the player at fair odds.

    What the player has on the layout is known before the deal; its result is compared with its expectation over the
    unseen cards. Bets on points and numbers of cards count; pairs, antes and insurance do not.
    """

    def __init__(self, book: Book, seen: SeenArrays) -> None:
        self._seen, tables = seen, book.pay_tables
        nets = {  # What one unit gains, by `totals`, of every bet that reads nothing else.
            area: np.array([float(net) for net in tables[area].nets])
            for area in book.outright_areas
            if tables[area].reads is Reads.TOTALS
        }
        self._slips: dict[str, list[tuple[NDArray[np.int64], Floats]]] = {}
        for player, slips in seen.stakes.items():
            for slip, rows in slips.items():
                if watched := [stake * nets[area] for area, stake in slip if area in nets]:
                    self._slips.setdefault(player, []).append((rows, np.sum(watched, axis=0)))
        self.rows = {player: np.zeros((seen.shoes, len(SHARES))) for player in self._slips}
        """By player, in the order of their first bets: likelihood ratios, a row for each shoe."""
        self.won = dict.fromkeys(self._slips, 0.0)
        self.expected = dict.fromkeys(self._slips, 0.0)

    def add(self, start: int, chances: Floats) -> None:
        """Some rounds more, from this one on, each with the chances of its `totals`."""
        end = start + len(chances)
        for player, slips in self._slips.items():
            for rows, net in slips:
                some = rows[np.searchsorted(rows, start) : np.searchsorted(rows, end)]
                if len(some):
                    self._add(player, some, net, chances[some - start])

    def _add(self, player: str, rows: NDArray[np.int64], net: Floats, chances: Floats) -> None:
        means, results = chances @ net, net[self._seen.totals[rows]]
        worst = means - _least(chances, net)
        is_risked = worst > 0
        gains = (results[is_risked] - means[is_risked]) / worst[is_risked]
        ratios = np.log1p(SHARES * gains[:, None])
        np.add.at(self.rows[player], self._seen.shoe[rows[is_risked]], ratios)
        self.won[player] += float(results.sum())
        self.expected[player] += float(means.sum())


def _least(chances: Floats, net: Floats) -> Floats:
    """The least that can come in each round; nearly always it is the least of all."""
    least = np.full(len(chances), net.min())
    is_other = chances @ (net == net.min()).astype(np.float64) <= 0
    least[is_other] = np.where(chances[is_other] > 0, net, np.inf).min(axis=1, initial=np.inf)
    return least
