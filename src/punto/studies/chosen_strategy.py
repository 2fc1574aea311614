"""A strategy as somebody asks for it, by its name and in amounts, and the sessions that are played by it at a book.

`punto simulate --strategy` and `punto.strategy` ask for the same here. What to do with insurance and antes is chosen by
a word (`never`, `always`, `best`) or row by row; `best` is what exact odds say of a full shoe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from punto.odds.ante import ante_odds
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import Undealt
from punto.rules.book import Book
from punto.rules.outcome import Hand
from punto.simulation.deals import Deals
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import OwnSource, own_strategy
from punto.simulation.sessions import Sessions
from punto.simulation.strategy import CountSystem, Insuring, InsuringRule, Progression, Strategy
from punto.suggestion import did_you_mean

USUAL_STAKE = 100_00
USUAL_LINE = (1, 2, 3, 4)  # Where a Labouchère begins.
COUNT = "count"  # Flat stakes, but only when a count says so.
POLICIES = ("never", "always", "best")
STRATEGIES = (*(progression.value for progression in Progression), COUNT)  # Those that are built in.


@dataclass(frozen=True, kw_only=True)
class StrategyChoice:
    """A strategy that was asked for. Amounts are minor units."""

    name: str  # Of a built-in strategy, or of a function.
    source: OwnSource | None = None  # The function, where it is somebody's own.
    stakes: Mapping[str, int] = field(default_factory=dict)  # By betting area; default: 100 on Banker.
    tags: tuple[int, ...] | None = None
    trigger: float | None = None
    line: tuple[int, ...] = USUAL_LINE
    insure: str | tuple[InsuringRule, ...] = "never"
    give_up: str | Mapping[str, tuple[int, ...]] = "best"
    minimum: int = 0
    maximum: int | None = None
    bankroll: int | None = None
    goal: int | None = None
    stop_loss: int | None = None
    shoes: int = 1

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in ("stakes", "maximum", "bankroll", "goal", "stop_loss")}
        words = [self.name, *(f"{name} {value}" for name, value in given.items() if value)]
        return f"<StrategyChoice {', '.join(words)}>"

    def require_known(self) -> None:
        """`ValueError` where there is no strategy of this name."""
        self._progression()

    def sessions(self, book: Book, deals: Deals) -> Sessions:
        """The sessions at a book; `ValueError` where there can be none such."""
        strategy = self._strategy(book, deals.terms.decks)
        sessions = Sessions(deals, book, strategy)
        if self.source is not None:
            self._check_own(self.source)
            sessions = OwnSessions(deals, book, own_strategy(book, strategy), source=self.source)
        if problem := sessions.problem():
            raise ValueError(problem)
        return sessions

    def _check_own(self, source: OwnSource) -> None:
        """Nothing is given beside a function that it decides itself."""
        if self.stakes or self.tags is not None or self.line != USUAL_LINE:
            raise ValueError("your own strategy says what to bet: give it no bets, tags or line")
        for what, policy, usual in (("insure", self.insure, "never"), ("follow", self.give_up, "best")):
            if policy != usual and source.decides(what):
                given = "insurance" if what == "insure" else "antes"
                raise ValueError(f"{source.name} in {source.path} decides {given} itself: give no policy for it")

    def _strategy(self, book: Book, decks: int) -> Strategy:
        stakes = {book.area_named(area): stake for area, stake in self.stakes.items()}
        if len(stakes) < len(self.stakes):
            raise ValueError(f"a betting area is named twice among {', '.join(self.stakes)}")
        stakes = stakes or {book.main_area(Hand.BANKER) or next(iter(book.pay_tables)): USUAL_STAKE}
        has_policy = self.insure != "never"
        return Strategy(
            stakes=stakes,
            progression=self._progression(),
            count=self._count(),
            line=self.line,
            insuring=insuring_by(book, decks, self.insure) if book.insurance or has_policy else (),
            giving_up=giving_up_by(book, decks, self.give_up) if book.ante or self.give_up != "best" else {},
            minimum=self.minimum,
            maximum=self.maximum,
            bankroll=self.bankroll,
            goal=self.goal,
            stop_loss=self.stop_loss,
            shoes=self.shoes,
        )

    def _progression(self) -> Progression:
        if self.name == COUNT or self.source is not None:
            return Progression.FLAT
        if self.name not in STRATEGIES:
            choices = f"choose one of {', '.join(STRATEGIES)}, or your own as FILE.py:FUNCTION"
            raise ValueError(f"{self.name!r} is not a strategy{did_you_mean(self.name, STRATEGIES)}; {choices}")
        return Progression(self.name)

    def _count(self) -> CountSystem | None:
        if self.tags is not None:
            return CountSystem(self.tags, self.trigger if self.trigger is not None else 0.0)
        if self.trigger is not None and self.name != COUNT:
            raise ValueError("a trigger is a true count: give tags too, what each card adds")
        if self.name == COUNT:
            raise ValueError("a count needs tags, what each card adds, and a trigger, the true count to bet at")
        return None


def insuring_by(book: Book, decks: int, policy: str | tuple[InsuringRule, ...]) -> tuple[InsuringRule, ...]:
    """What to do at each offer of insurance."""
    if not isinstance(policy, str):
        if twice := decided_twice(policy):
            raise ValueError(f"the policy {twice}")
        return policy
    _check_policy(policy)
    if policy == "never":
        return ()
    rules = []
    for offer in insurance_odds(book, Undealt.of_decks(decks)).offers if book.insurance else ():
        choice = Insuring.INSURE if policy == "always" else Insuring(offer.choice.value)
        cards = offer.offer.window.cards
        rules.append(InsuringRule(offer.offer.hand, cards, offer.player_points, offer.banker_points, choice))
    if not rules:
        raise ValueError(f"{book.name} has no insurance")
    return tuple(rules)


def decided_twice(rules: tuple[InsuringRule, ...]) -> str | None:
    """What a policy that says two things of one offer does, for a sentence; None for a policy in order."""
    seen = set[Any]()
    for rule in rules:
        cell = (rule.hand, rule.cards, rule.player_points, rule.banker_points)
        if cell in seen:
            where = f"{rule.cards} cards, Player {rule.player_points}, Banker {rule.banker_points}"
            return f"decides twice on the {rule.hand.value} hand at {where}"
        seen.add(cell)
    return None


def giving_up_by(book: Book, decks: int, policy: str | Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """By ante: the shown points at which it is given up."""
    ante = book.ante
    if ante is None:
        raise ValueError(f"{book.name} has no antes")
    if not isinstance(policy, str):
        return dict(policy)
    _check_policy(policy)
    if policy == "never":
        return {}
    if policy == "always":
        return {pair.ante: tuple(range(10**ante.shown_cards)) for pair in ante.pairs}
    return {
        side.pair.ante: tuple(
            sum(points * 10**place for place, points in enumerate(decision.shown))
            for decision in side.decisions
            if not decision.is_played
        )
        for side in ante_odds(book, Undealt.of_decks(decks)).sides
    }


def _check_policy(word: str) -> None:
    if word not in POLICIES:
        meant = did_you_mean(word, POLICIES)
        raise ValueError(f"{word!r} is not a policy{meant}; give {', '.join(POLICIES)}, or say what to do row by row")
