"""Countability: how far each bet of a book can be beaten by counting cards.

Effects of removal say what each card does, tags what a counter would add up, and shoes played with every
expectation known what there is to earn: the figure that game protection wants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from punto.cards.card import Rank
from punto.documents.number import percent
from punto.documents.page import Grid, figures
from punto.rules.book import Book
from punto.studies.counting.perfect_play import CardCount, Earnings, PerfectPlay, perfect_play
from punto.studies.counting.published import PUBLISHED, PublishedCount
from punto.studies.counting.removal import Removal, insured_removals, removals, suited_label
from punto.studies.counting.tags import Tags, best_tags
from punto.studies.expectations import followed_areas, study_label
from punto.studies.shoes import Shoes


@dataclass(frozen=True, slots=True)
class PublishedBeside:
    """A published count, and what our shoes say it earns."""

    count: PublishedCount
    ours: Earnings

    @property
    def words(self) -> str:
        """Both figures in words."""
        error = "" if self.ours.error is None else f" ± {self.ours.error:.3f}"
        trigger = self.ours.trigger
        bets = "never betting" if trigger in (None, float("inf")) else f"betting from {trigger:g} per deck"
        return (
            f"the tags of {self.count.source}: published {self.count.units:.3f} units a shoe, "
            f"here {self.ours.units:.3f}{error}, {bets}"
        )


@dataclass(frozen=True, slots=True)
class Countable:
    """How far one bet can be counted."""

    removal: Removal
    tags: Tags
    perfect: Earnings | None
    """None where no shoes were played, or the bet is not followed through them."""
    counted: Earnings | None
    """With the best tags."""
    published: tuple[PublishedBeside, ...]

    @property
    def area(self) -> str:
        """The betting area."""
        return self.removal.area

    @property
    def effects(self) -> dict[str, Fraction]:
        """Effects of removal by rank, or by card where suits matter to the bet."""
        return dict(zip(self.removal.names, self.removal.effects, strict=True))

    @property
    def tag_of(self) -> dict[str, int]:
        """The best tag of each rank or card."""
        return dict(zip(self.removal.names, self.tags.values, strict=True))


@dataclass(frozen=True, slots=True)
class Countability:
    """How far the bets of a book can be counted."""

    book: Book
    shoes: Shoes
    number: int
    seed: int
    rounds: float
    """Rounds per shoe."""
    training: int
    """Other shoes, on which the triggers of the counts were chosen."""
    bets: tuple[Countable, ...]

    @property
    def table(self) -> Grid:
        """Earnings and tags, a row for each bet."""
        heads = ("Bet", "Perfect play", "± error", "Bets", "Counting", "± error", "From", "Correlation")
        rows = tuple(
            (
                study_label(self.book, one.area),
                *_earned(one.perfect),
                *_counted(one),
                f"{one.tags.correlation:.4f}",
            )
            for one in self.bets
        )
        title = f"{self.book.title}: units earned per shoe, {self.number} shoes"
        return figures(title, heads, rows)

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
        """How the shoes were played."""
        chosen = f"; triggers were chosen on {self.training:,} other shoes" if self.training else ""
        return (
            f"{self.rounds:.2f} rounds a shoe, cut card at {self.shoes.behind_cut}, seed {self.seed}"
            f"{chosen}.{_needs_words(self.book)}{self._left_out}{self._rough}"
        )

    @property
    def _rough(self) -> str:
        """What a star means, where there is one."""
        earned = (found for one in self.bets for found in (one.perfect, one.counted) if found is not None)
        if not any(found.is_rough for found in earned):
            return ""
        return " * Too few shoes earn anything for the error to be more than a rough guide."

    @property
    def _left_out(self) -> str:
        """Which bets were not followed through the shoes, and why."""
        if not self.not_followed or not self.number:
            return ""
        return f" {self.not_followed_words}"

    @property
    def not_followed_words(self) -> str:
        """The same in a sentence."""
        names = ", ".join(study_label(self.book, area) for area in self.not_followed)
        return (
            "Not followed, because single cards, suits, both hands' pairs, or a pair together with points "
            f"decide them: {names}."
        )

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def countability(
    book: Book,
    shoes: Shoes,
    number: int,
    seed: int,
    tell: Callable[[int], None] = lambda _: None,
) -> Countability:
    """Study how far every bet of a book can be counted; `number` may be 0 to play no shoes."""
    effects = (*removals(book, shoes.decks).bets, *insured_removals(book, shoes.decks))
    tags = {one.area: best_tags([float(effect) for effect in one.effects]) for one in effects}
    followed = [one.area for one in effects if one.area in followed_areas(book)]
    published = [
        count
        for count in PUBLISHED
        if count.is_for(book) and (count.decks, count.behind_cut) == (shoes.decks, shoes.behind_cut)
    ]
    counts = [CardCount(area, area, tags[area].values) for area in followed]
    counts += [CardCount(_name(count), count.area, count.by_rank, count.trigger) for count in published]
    play = perfect_play(book, shoes, number, seed, counts, tell) if number else PerfectPlay(0, 0.0, {}, {})
    bets = tuple(
        Countable(
            removal,
            tags[removal.area],
            play.perfect.get(removal.area),
            play.counted.get(removal.area),
            tuple(
                PublishedBeside(count, play.counted[_name(count)])
                for count in published
                if count.area == removal.area and number
            ),
        )
        for removal in effects
    )
    return Countability(book, shoes, number, seed, play.rounds, play.training, bets)


def _needs_words(book: Book) -> str:
    if not any(bet.needs for bet in book.bets):
        return ""
    return " A bet that needs a main bet is made with the one that is cheapest then, a unit on each."


def _name(count: PublishedCount) -> str:
    return f"{count.area}, {count.source}"


def _earned(earnings: Earnings | None) -> tuple[str, str, str]:
    if earnings is None:
        return "", "", ""
    return f"{earnings.units:.4f}", _error(earnings), percent(earnings.share, 2)


def _error(earnings: Earnings) -> str:
    """A star where the error is a rough guide; the remark says so."""
    mark = " *" if earnings.is_rough else ""
    return "" if earnings.error is None else f"{earnings.error:.4f}{mark}"


def _counted(one: Countable) -> tuple[str, str, str]:
    if one.counted is None or one.counted.trigger is None:
        return "", "", ""
    trigger = one.counted.trigger
    return (
        f"{one.counted.units:.4f}",
        _error(one.counted),
        f"{trigger:g}" if trigger < float("inf") else "never",
    )
