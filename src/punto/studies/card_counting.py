"""Card counting: effects of removal, the whole-number tags that follow a bet best, counts that others have
published, what a perfect player or a counter earns, and how far each bet of a book can be beaten by all
that. Earnings are expectations, not results, so that luck adds nothing to their error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from punto.cards.card import DECK, Card, Rank, Suit
from punto.documents.page import Grid, Tabled, figures, percent
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import Weighing, book_odds
from punto.odds.insurance import gains_with_cards
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.odds.odds_answer import BetName
from punto.rules.book import Book, digest_of
from punto.rules.condition import When
from punto.rules.entry import each_of
from punto.rules.validation import book_entries
from punto.rules.wording import counted
from punto.studies.expectations import Block, Expectations, Shoes, followed_areas, insured_areas, study_label
from punto.studies.shuffled_shoes import RANKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Value = TypeVar("Value")
Tell = Callable[[str, int, int], None]  # Hears what is being worked out, and how much of how much is done.


@dataclass(frozen=True, slots=True)
class Removal:
    area: str
    full: Fraction  # Expectation of a unit with the full shoe; of an ante, with optimal play.
    effects: tuple[Fraction, ...]
    """What the expectation gains when one card is gone: of each rank, ace to king, or, where the bet does not
    treat the suits of a rank alike, of each card in the order of a new deck."""

    @property
    def is_by_card(self) -> bool:
        return len(self.effects) == len(DECK)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, DECK)) if self.is_by_card else tuple(rank.notation for rank in Rank)

    def by_suits(self, values: Sequence[Value]) -> tuple[tuple[str, tuple[Value, ...]], ...]:
        """Values of all ranks in rows of thirteen, each with its suits in words: one for suits that have the same
        values, or a single row without words where the bet treats all alike."""
        if not self.is_by_card:
            return (("", tuple(values)),)
        rows: dict[tuple[Value, ...], list[str]] = {}
        for suit, start in zip(Suit, range(0, len(DECK), len(Rank)), strict=True):
            rows.setdefault(tuple(values[start : start + len(Rank)]), []).append(suit.name.lower())
        return tuple((", ".join(suits), row) for row, suits in rows.items())


@dataclass(frozen=True, slots=True)
class Removals(Tabled):
    book: Book
    decks: int
    bets: tuple[Removal, ...]

    @property
    def table(self) -> Grid:
        """Effects in per cent, a row for each bet, or for each suit where suits matter to it."""
        heads = ("Bet", *(rank.notation for rank in Rank))
        rows = tuple(
            (suited_label(self.book, one.area, suits), *(f"{float(effect) * 100:+.4f}" for effect in row))
            for one in self.bets
            for suits, row in one.by_suits(one.effects)
        )
        return figures(f"{self.book.title}, {counted(self.decks, 'deck')}: effects of removal, %", heads, rows)


def suited_label(book: Book, area: str, suits: str) -> str:
    label = study_label(book, area)
    return f"{label}: {suits}" if suits else label


def removals(book: Book, decks: int, tell: Tell = lambda _what, _done, _of: None) -> Removals:
    """Exact effects of removal from a full shoe of this many decks."""
    full = Undealt.of_decks(decks)
    without = cache(lambda card: Weighing(book, full.less([card]), RoundSoFar()))
    whole = Weighing(book, full, RoundSoFar())
    bets = []
    for area in book.outright_areas:
        value, gone = whole.odds(area).ev, whole.odds_without(area)
        ev = cache(lambda card, area=area, gone=gone: (gone(card) if gone else without(card).odds(area)).ev)
        effects = tuple(ev(card) - value for card in cards_to_remove(book, area))
        by_rank = effects[: len(Rank)]
        bets.append(Removal(area, value, by_rank if by_rank * (len(effects) // len(Rank)) == effects else effects))
        tell("bets", len(bets), len(book.outright_areas))
    return Removals(book, decks, (*bets, *_antes(book, full)))


def _antes(book: Book, full: Undealt) -> tuple[Removal, ...]:
    if book.ante is None:
        return ()
    whole, *less = (ante_odds(book, undealt).sides for undealt in (full, *(full.less([_any_card(r)]) for r in Rank)))
    return tuple(
        Removal(side.pair.ante, side.ev, tuple(sides[i].ev - side.ev for sides in less)) for i, side in enumerate(whole)
    )


def insured_removals(book: Book, decks: int) -> tuple[Removal, ...]:
    """Effects of removal on the main bets that are insured by a player who sees every card."""
    if not (insured := insured_areas(book)):
        return ()
    shoes = [Undealt.of_decks(decks)]
    shoes += [shoes[0].less([_any_card(rank)]) for rank in list(Rank)[:10]]  # tens and courts do the same
    odds, gains = [book_odds(book, shoe) for shoe in shoes], [gains_with_cards(book, shoe) for shoe in shoes]
    effects = []
    for area, hand in insured.items():
        full, *less = [each.bet(book.main_area(hand)).ev + gain[hand] for each, gain in zip(odds, gains, strict=True)]
        effects.append(Removal(area, full, tuple(less[min(rank, 10) - 1] - full for rank in Rank)))
    return tuple(effects)


def cards_to_remove(book: Book, area: str) -> list[Card]:
    """A card of each rank, or, if the bet names suits, all of a deck; of cards alike to it, the first."""
    if not _names_suits(book, area):
        return [_any_card(rank) for rank in Rank]
    table = book.pay_tables[area].cards
    assert table is not None, "a bet that names suits reads single cards"
    return [table.kinds.cards[kind] for kind in table.kinds.of]


def _names_suits(book: Book, area: str) -> bool:
    bet = book.bet(area)
    whens = [one for _, one in book_entries(bet) if isinstance(one, When)]
    return any(w.names_suits or any(_names_suits(book, other) for other in each_of(w.wins)) for w in whens)


def _any_card(rank: Rank) -> Card:
    return Card(f"{rank.notation}{Suit.SPADES.value}")


GREATEST_TAG = 4  # Tags beyond four are more than a person adds up at a table.

TINY = 1e-12  # Differences between effects that are only those of rounding.


@dataclass(frozen=True, slots=True)
class Tags:
    """A tag for each rank, or for each card where suits matter, and their correlation with the effects."""

    values: tuple[int, ...]  # As the effects of removal are listed.
    correlation: float


def correlation(tags: Sequence[float], effects: Sequence[float]) -> float:
    """How well tags follow effects of removal: 1 is perfectly, 0 not at all."""
    mean_tag, mean_effect = sum(tags) / len(tags), sum(effects) / len(effects)
    both = sum((t - mean_tag) * (e - mean_effect) for t, e in zip(tags, effects, strict=True))
    squares = sum((t - mean_tag) ** 2 for t in tags) * sum((e - mean_effect) ** 2 for e in effects)
    return both / sqrt(squares) if squares else 0.0


def best_tags(effects: Sequence[float], greatest: int = GREATEST_TAG) -> Tags:
    """The tags most correlated with effects of removal, among whole numbers up to a greatest size that sum to nothing
    over a deck, so that the count starts and ends at zero. They are found for certain, by going through the ranks, or
    through all cards of a deck, with every sum and sum of squares that can be reached."""
    mean = sum(effects) / len(effects)
    best, chosen = _reached([effect - mean for effect in effects], greatest)
    balanced = best[len(effects) * greatest, 1:]  # by sum of squares: the greatest product of tags that sum to 0
    worth = balanced / np.sqrt(np.arange(1, len(balanced) + 1))
    highest = float(worth.max(initial=0.0))
    if highest <= TINY * max(map(abs, effects), default=0.0):  # every card does the same: nothing to count
        return Tags((0,) * len(effects), 0.0)
    # Of equally good ones, such as a row of tags and its double, the smallest.
    squares = int(np.argmax(np.round(worth / highest, 12) >= 1.0)) + 1
    tags = _settled(_traced(chosen, greatest, squares), effects)
    return Tags(tags, correlation(tags, effects))


def _reached(effects: Sequence[float], greatest: int) -> tuple[Floats, NDArray[np.int8]]:
    """By sum and sum of squares, the greatest product with the effects; and the last tag that led there. The sum
    stands `greatest` times the number of cards further on than it is, so that none is negative."""
    size = (2 * len(effects) * greatest + 1, len(effects) * greatest**2 + 1)
    best = np.full(size, -np.inf)
    best[len(effects) * greatest, 0] = 0.0
    chosen = np.zeros((len(effects), *size), np.int8)
    for effect, last in zip(effects, chosen, strict=True):
        step = np.full(size, -np.inf)
        for tag in sorted(range(-greatest, greatest + 1), key=abs):
            up, down, over = max(tag, 0), max(-tag, 0), tag * tag
            product = best[down : size[0] - up, : size[1] - over] + tag * effect
            into = step[up : size[0] - down, over:]
            is_better = product > into
            into[is_better] = product[is_better]
            last[up : size[0] - down, over:][is_better] = tag
        best = step
    return best, chosen


def _traced(chosen: NDArray[np.int8], greatest: int, squares: int) -> tuple[int, ...]:
    """The tags that led to a sum of nothing and this sum of squares, from the last to the first."""
    total, tags = len(chosen) * greatest, list[int]()
    for last in chosen[::-1]:
        tag = int(last[total, squares])
        tags.append(tag)
        total, squares = total - tag, squares - tag * tag
    return tuple(reversed(tags))


def _settled(tags: Sequence[int], effects: Sequence[float]) -> tuple[int, ...]:
    """Which of the cards of equal effect has which of their tags is the same: the smallest come first. They may differ,
    for only so can some counts be balanced."""
    by_effect: dict[float, list[int]] = {}
    for effect, tag in zip(effects, tags, strict=True):
        by_effect.setdefault(effect, []).append(tag)
    rows = {effect: iter(sorted(row)) for effect, row in by_effect.items()}
    return tuple(next(rows[effect]) for effect in effects)


@dataclass(frozen=True, slots=True)
class PublishedCount:
    """A published count: for which bet at which odds, its tags, and what it is said to earn."""

    area: str
    odds: Fraction
    decks: int
    behind_cut: int
    tags: tuple[int, ...]  # For ace to nine, then for ten and the courts.
    units: float  # Units per shoe.
    source: str
    trigger: float | None = None  # The count per deck left from which it bets, where that is published.

    @property
    def by_rank(self) -> tuple[int, ...]:
        return tuple(self.tags[min(rank, 10) - 1] for rank in Rank)

    def is_for(self, book: Book) -> bool:
        """Whether a book has the bet it speaks of, at the same odds."""
        table = book.pay_tables.get(self.area)
        odds = [row.outcome.odds for row in table.rows if row.outcome.odds is not None] if table else []
        return odds == [self.odds]


JACOBSON = "Eliot Jacobson, 100 million shoes"

PUBLISHED: tuple[PublishedCount, ...] = (
    PublishedCount("dragon-7", Fraction(40), 8, 14, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0), 0.597, JACOBSON, 4.0),
    PublishedCount("panda-8", Fraction(25), 8, 14, (1, 1, -2, -2, -2, -1, -1, -2, 4, 1), 0.237, JACOBSON),
)


MOST_TRAINING = 1_000
"""Shoes on which triggers are chosen, at most: betting a little early or late costs next to nothing."""
LEAST_EARNING = 50.0  # Shoes that make up the earnings, in effect, from which the error can be relied on.
TRAINING = 1  # The stream of random numbers of those shoes.


class EarnedUnits(msgspec.Struct, frozen=True):
    """Units earned per shoe by flat bets of one unit. They are expectations, not results: luck adds nothing to them."""

    units: float
    error: float | None  # Standard error of `units`; None where no two shoes differed, for then it is not known.


class Earnings(EarnedUnits, frozen=True, omit_defaults=True):
    """What is earned, how sure that is, and how often the bet is made."""

    is_rough: bool = msgspec.field(name="rough")
    """Whether so few shoes make up the earnings that the error is no more than a rough guide."""
    share: float  # Share of rounds in which the bet is made.
    trigger: float | None = msgspec.field(name="from", default=None)
    """The count per deck left from which a counter bets, infinite if never (programs read null); None for a perfect
    player."""


@dataclass(frozen=True, slots=True)
class PerfectPlay:
    shoes: int
    rounds: float  # Rounds per shoe.
    perfect: Mapping[str, Earnings]  # By betting area.
    counted: Mapping[str, Earnings]  # By the name of the count.
    training: int = 0  # Other shoes, on which triggers were chosen.


@dataclass(frozen=True, slots=True)
class CardCount:
    """A card count for one bet: a tag for each rank, ace to king."""

    name: str
    area: str
    tags: tuple[int, ...]
    trigger: float | None = None  # From which count per deck left it bets; None to choose the best.


def perfect_play(
    book: Book,
    shoes: Shoes,
    number: int,
    seed: int,
    counts: Sequence[CardCount] = (),
    tell: Callable[[int], None] = lambda _: None,
) -> PerfectPlay:
    """Play this number of shoes with the exact expectation of every bet known before every round, a unit on each bet
    whenever it is positive; `tell` hears how many shoes are done.

    A counter bets when the count per deck left reaches a trigger. Where none is given, it is chosen on shoes of its
    own: chosen and judged on the same shoes, it would look better than it is.
    """
    expect = Expectations(book)
    areas = expect.areas
    training = min(number, MOST_TRAINING) if any(count.trigger is None for count in counts) else 0
    triggers = _triggers(expect, shoes, training, seed, counts)
    earned = {area: _Sums() for area in areas}
    counted = {count.name: _Sums() for count in counts}
    rounds = 0
    for block in shoes.sample(number, seed):
        values = expect(block)
        rounds += len(values)
        for i, area in enumerate(areas):
            earned[area].add(block, values[:, i], values[:, i] > 0)
        counts_per_deck = _counts_per_deck(block, shoes.decks, counts)
        for count, per_deck in zip(counts, counts_per_deck, strict=True):
            value = values[:, areas.index(count.area)]
            counted[count.name].add(block, value, per_deck >= triggers[count.name])
        tell(block.first_shoe + block.shoes)
    return PerfectPlay(
        number,
        rounds / number,
        {area: sums.earnings(rounds) for area, sums in earned.items()},
        {name: sums.earnings(rounds, triggers[name]) for name, sums in counted.items()},
        training,
    )


def _triggers(
    expect: Expectations, shoes: Shoes, training: int, seed: int, counts: Sequence[CardCount]
) -> dict[str, float]:
    """The trigger of each count: the one given, or the best over shoes of another stream."""
    triggers = {count.name: count.trigger for count in counts if count.trigger is not None}
    chosen = [count for count in counts if count.trigger is None]
    levels: dict[str, dict[float, float]] = {count.name: {} for count in chosen}
    for block in shoes.sample(training, seed, stream=TRAINING):
        values = expect(block)
        for count, per_deck in zip(chosen, _counts_per_deck(block, shoes.decks, chosen), strict=True):
            halves, level = np.unique(np.floor(per_deck * 2), return_inverse=True)
            sums = np.bincount(level, values[:, expect.areas.index(count.area)])
            into = levels[count.name]
            for half, worth in zip(halves.tolist(), sums.tolist(), strict=True):
                into[half] = into.get(half, 0.0) + worth
    return triggers | {name: _best_trigger(by_half) for name, by_half in levels.items()}


class _Sums:
    def __init__(self) -> None:
        self._shoes, self._bets, self._sum, self._squares, self._sizes = 0, 0, 0.0, 0.0, 0.0

    def add(self, block: Block, values: Floats, is_bet: NDArray[Any]) -> None:
        by_shoe = np.bincount(block.shoe, np.where(is_bet, values, 0.0), minlength=block.shoes)
        self._shoes += block.shoes
        self._sum += float(by_shoe.sum())
        self._sizes += float(np.abs(by_shoe).sum())
        self._squares += float((by_shoe**2).sum())
        self._bets += int(is_bet.sum())

    def earnings(self, rounds: int, trigger: float | None = None) -> Earnings:
        mean = self._sum / self._shoes
        if self._shoes < 2:
            return Earnings(mean, None, False, self._bets / rounds, trigger)
        variance = max(self._squares / self._shoes - mean**2, 0.0) / (self._shoes - 1)
        # The number of shoes with equal earnings that would make up as much.
        is_rough = self._squares > 0 and self._sizes**2 / self._squares < LEAST_EARNING
        return Earnings(mean, sqrt(variance) or None, is_rough, self._bets / rounds, trigger)


def _counts_per_deck(block: Block, decks: int, counts: Sequence[CardCount]) -> Floats:
    """The count per deck left before each round, a row for each count."""
    tags = np.array([count.tags for count in counts], np.float64).reshape(-1, RANKS)
    seen = (4 * decks - block.ranks).T.astype(np.float64)
    per_deck: Floats = (tags @ seen) / (block.ranks.sum(axis=1) / 52)
    return per_deck


def _best_trigger(levels: Mapping[float, float]) -> float:
    """The count per deck from which betting earns most, by what it is worth at each, in halves; infinite if nothing."""
    best, trigger, from_here_up = 0.0, inf, 0.0
    for half in sorted(levels, reverse=True):
        from_here_up += levels[half]
        if from_here_up > best:
            best, trigger = from_here_up, half / 2
    return trigger


@dataclass(frozen=True, slots=True)
class PublishedBeside:
    """A published count, and what our shoes say it earns."""

    count: PublishedCount
    ours: Earnings

    @property
    def words(self) -> str:
        error = "" if self.ours.error is None else f" ± {self.ours.error:.3f}"
        trigger = self.ours.trigger
        bets = "never betting" if trigger in (None, inf) else f"betting from {trigger:g} per deck"
        return (
            f"the tags of {self.count.source}: published {self.count.units:.3f} units a shoe, "
            f"here {self.ours.units:.3f}{error}, {bets}"
        )


@dataclass(frozen=True, slots=True)
class Countable:
    removal: Removal
    tags: Tags
    perfect: Earnings | None  # None where no shoes were played, or the bet is not followed through them.
    counted: Earnings | None  # With the best tags.
    published: tuple[PublishedBeside, ...]

    @property
    def area(self) -> str:
        return self.removal.area

    @property
    def effects(self) -> dict[str, Fraction]:
        """Effects of removal by rank, or by card where suits matter to the bet."""
        return dict(zip(self.removal.names, self.removal.effects, strict=True))

    @property
    def tag_of(self) -> dict[str, int]:
        return dict(zip(self.removal.names, self.tags.values, strict=True))


class PublishedEntry(msgspec.Struct, frozen=True):
    source: str
    tags: dict[str, int]
    units: float
    ours: Earnings


class CountedBet(BetName, frozen=True):
    needs: tuple[str, ...] | UnsetType = msgspec.field(name="with")
    removal: dict[str, float]
    tags: dict[str, int]
    correlation: float
    perfect: EarnedUnits | None
    counted: Earnings | UnsetType | None = UNSET
    published: tuple[PublishedEntry, ...] | UnsetType = UNSET


class CountAnswer(msgspec.Struct, frozen=True):
    book: str
    digest: str
    decks: int
    cut: int
    shoes: int
    seed: int
    rounds_per_shoe: float
    trigger_shoes: int
    bets: tuple[CountedBet, ...]


def counted_bet(one: Countable) -> CountedBet:
    """What a PAR sheet says of a bet; `punto count` says more."""
    removal = {name: float(effect) for name, effect in one.effects.items()}
    perfect = EarnedUnits(one.perfect.units, one.perfect.error) if one.perfect is not None else None
    return CountedBet(one.area, UNSET, removal, one.tag_of, one.tags.correlation, perfect)


def _studied_bet(book: Book, one: Countable) -> CountedBet:
    bet, published = book.bet(one.area), []
    for beside in one.published:
        tags = {rank.notation: beside.count.by_rank[rank - 1] for rank in Rank}
        published.append(PublishedEntry(beside.count.source, tags, beside.count.units, beside.ours))
    needs = bet.needs if bet is not None else ()
    earned = {"perfect": one.perfect, "counted": one.counted, "published": tuple(published)}
    return msgspec.structs.replace(counted_bet(one), needs=needs, **earned)


@dataclass(frozen=True, slots=True)
class Countability(Tabled):
    """How far each bet of a book can be beaten by counting: the figure that game protection wants."""

    book: Book
    shoes: Shoes
    number: int
    seed: int
    rounds: float  # Rounds per shoe.
    training: int  # Other shoes, on which the triggers of the counts were chosen.
    bets: tuple[Countable, ...]

    @property
    def answer(self) -> CountAnswer:
        bets = tuple(_studied_bet(self.book, one) for one in self.bets)
        shoes = self.shoes.decks, self.shoes.behind_cut, self.number, self.seed
        return CountAnswer(self.book.name, digest_of(self.book), *shoes, self.rounds, self.training, bets)

    @property
    def table(self) -> Grid:
        heads = ("Bet", "Perfect play", "± error", "Bets", "Counting", "± error", "From", "Correlation")
        rows = tuple(
            (study_label(self.book, one.area), *_earned(one.perfect), *_counted(one), f"{one.tags.correlation:.4f}")
            for one in self.bets
        )
        return figures(f"{self.book.title}: units earned per shoe, {self.number} shoes", heads, rows)

    @property
    def tags_table(self) -> Grid:
        """The best tags, a row for each bet, or for each suit where suits matter to it."""
        heads = ("Bet", *(rank.notation for rank in Rank), "Correlation")
        rows = tuple(
            (suited_label(self.book, one.area, suits), *map(str, row), f"{one.tags.correlation:.4f}")
            for one in self.bets
            for suits, row in one.removal.by_suits(one.tags.values)
        )
        return figures("Best balanced whole-number tags", heads, rows)

    @property
    def not_followed(self) -> tuple[str, ...]:
        """Betting areas that were not followed through the shoes: what they earn is not known."""
        return tuple(one.area for one in self.bets if one.perfect is None)

    @property
    def remark(self) -> str:
        """How the shoes were played, which bets were not followed through them, and what a star means."""
        words = f"{self.rounds:.2f} rounds a shoe, cut card at {self.shoes.behind_cut}, seed {self.seed}"
        words += f"; triggers were chosen on {self.training:,} other shoes." if self.training else "."
        if any(bet.needs for bet in self.book.bets):
            words += " A bet that needs a main bet is made with the one that is cheapest then, a unit on each."
        if self.not_followed and self.number:
            words += f" {self.not_followed_words}"
        if any(earned is not None and earned.is_rough for one in self.bets for earned in (one.perfect, one.counted)):
            words += " * Too few shoes earn anything for the error to be more than a rough guide."
        return words

    @property
    def not_followed_words(self) -> str:
        names = ", ".join(study_label(self.book, area) for area in self.not_followed)
        return (
            "Not followed, because single cards, suits, both hands' pairs, or a pair together with points "
            f"decide them: {names}."
        )


def countability(
    book: Book, shoes: Shoes, number: int, seed: int, tell: Tell = lambda _what, _done, _of: None
) -> Countability:
    """Study how far every bet of a book can be counted; `number` may be 0 to play no shoes."""
    effects = (*removals(book, shoes.decks, tell).bets, *insured_removals(book, shoes.decks))
    tags = {one.area: best_tags([float(effect) for effect in one.effects]) for one in effects}
    followed = [one.area for one in effects if one.area in followed_areas(book)]
    terms = shoes.decks, shoes.behind_cut
    published = [count for count in PUBLISHED if count.is_for(book) and (count.decks, count.behind_cut) == terms]
    counts = [CardCount(area, area, tags[area].values) for area in followed]
    counts += [CardCount(_name(count), count.area, count.by_rank, count.trigger) for count in published]
    play = PerfectPlay(0, 0.0, {}, {})
    if number:
        play = perfect_play(book, shoes, number, seed, counts, lambda done: tell("shoes", done, number))
    bets = []
    for removal in effects:
        area = removal.area
        beside = [PublishedBeside(c, play.counted[_name(c)]) for c in published if c.area == area and number]
        earned = play.perfect.get(area), play.counted.get(area)
        bets.append(Countable(removal, tags[area], *earned, tuple(beside)))
    return Countability(book, shoes, number, seed, play.rounds, play.training, tuple(bets))


def _name(count: PublishedCount) -> str:
    return f"{count.area}, {count.source}"


def _earned(earnings: Earnings | None) -> tuple[str, str, str]:
    return (f"{earnings.units:.4f}", _error(earnings), percent(earnings.share, 2)) if earnings else ("", "", "")


def _error(earnings: Earnings) -> str:
    """A star where the error is a rough guide; the remark says so."""
    mark = " *" if earnings.is_rough else ""
    return "" if earnings.error is None else f"{earnings.error:.4f}{mark}"


def _counted(one: Countable) -> tuple[str, str, str]:
    if one.counted is None or one.counted.trigger is None:
        return "", "", ""
    trigger = one.counted.trigger
    return f"{one.counted.units:.4f}", _error(one.counted), f"{trigger:g}" if trigger < inf else "never"
