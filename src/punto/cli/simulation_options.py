"""The strategy that the options of `punto simulate` ask for: its name, stakes and limits, and what to do with
insurance and antes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from punto.cli.files import CannotRead, once_each, read_text
from punto.cli.options import read_as
from punto.cli.output import refuse
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.simulation.deals import Deals
    from punto.simulation.own_kernel import OwnSessions
    from punto.simulation.sessions import Sessions
    from punto.simulation.strategy import CountSystem, InsuringRule, Strategy

LARGEST_AMOUNT = 10**15  # Minor units of an amount: what a session wins or loses must fit 64 bits.
LARGEST_POLICY = 1024 * 1024  # Bytes of a policy: every cell of every window fits many times.
MOST_NUMBERS = 1000  # Numbers of a list on the command line.
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
USUAL_STAKE = "100"
COUNT = "count"  # Flat stakes, but only when a count says so.
POLICIES = ("never", "always", "best")

PolicyT = TypeVar("PolicyT")


@dataclass(frozen=True, slots=True)
class StrategyOptions:
    strategy: str  # Empty where none was named.
    bets: tuple[str, ...] = ()
    tags: str | None = None
    trigger: float | None = None
    line: str | None = None
    insure: str = "never"
    ante: str = "best"
    minimum: str | None = None
    maximum: str | None = None
    bankroll: str | None = None
    goal: str | None = None
    stop_loss: str | None = None
    session_shoes: int = 1

    def named(self) -> list[str]:
        """The options beside the strategy that say something else than their defaults, as they are typed."""
        return [
            _TYPED.get(field.name, f"--{field.name.replace('_', '-')}")
            for field in fields(self)
            if field.name != "strategy" and getattr(self, field.name) != field.default
        ]


_TYPED = {"bets": "--bet", "ante": "--give-up", "minimum": "--min", "maximum": "--max"}


def sessions_of(book: Book, deals: Deals, options: StrategyOptions) -> Sessions:
    """The sessions that a command line asks for; the command ends if there can be none such."""
    from punto.simulation.sessions import Sessions

    path, _, name = options.strategy.rpartition(":")
    if path.endswith(".py"):
        sessions: Sessions = _own_sessions(book, deals, options, path, name)
    else:
        sessions = Sessions(deals, book, _strategy_of(book, deals, options))
    if problem := sessions.problem():
        refuse(problem)
    return sessions


def _own_sessions(book: Book, deals: Deals, options: StrategyOptions, path: str, name: str) -> OwnSessions:
    from punto.simulation.own_kernel import OwnSessions
    from punto.simulation.own_strategy import own_strategy, read_source

    if options.bets or options.tags or options.line is not None:
        refuse("your own strategy says what to bet: give it no --bet, --tags or --line")
    source = read_source(path, name)
    if options.insure != "never" and source.decides("insure"):
        refuse(f"{name} in {path} decides insurance itself: give it no --insure")
    if options.ante != "best" and source.decides("follow"):
        refuse(f"{name} in {path} decides antes itself: give it no --give-up")
    return OwnSessions(deals, book, own_strategy(book, _strategy_of(book, deals, options)), source=source)


def _strategy_of(book: Book, deals: Deals, options: StrategyOptions) -> Strategy:
    from punto.rules.outcome import Hand
    from punto.simulation.strategy import Strategy

    stakes = {}
    for text in options.bets or [book.main_area(Hand.BANKER) or next(iter(book.pay_tables))]:
        named, _, stake = text.partition("=")
        area = book.area_named(named)
        if area in stakes:
            refuse(f"--bet {area} is given more than once: give the whole stake in one")
        stakes[area] = _amount(stake.strip() or USUAL_STAKE, f"the stake on {area}") or 0
    decks = deals.terms.decks
    return Strategy(
        stakes=stakes,
        progression=_progression(options.strategy),
        count=_count_system(options),
        line=_numbers(options.line, "line") if options.line is not None else (1, 2, 3, 4),
        insuring=_insuring(book, decks, options.insure) if book.insurance or options.insure != "never" else (),
        giving_up=_giving_up(book, decks, options.ante) if book.ante or options.ante != "best" else {},
        minimum=_amount(options.minimum, "the minimum") or 0,
        maximum=_amount(options.maximum, "the maximum"),
        bankroll=_amount(options.bankroll, "the bankroll"),
        goal=_amount(options.goal, "the goal"),
        stop_loss=_amount(options.stop_loss, "the stop-loss"),
        shoes=options.session_shoes,
    )


def strategy_names() -> tuple[str, ...]:
    """The strategies that are built in."""
    from punto.simulation.strategy import Progression

    return (*(progression.value for progression in Progression), COUNT)


def _progression(name: str) -> Any:
    from punto.simulation.strategy import Progression

    if name == COUNT or name.rpartition(":")[0].endswith(".py"):
        return Progression.FLAT
    names = strategy_names()
    if name not in names:
        meant = did_you_mean(name, names)
        refuse(f"{name!r} is not a strategy{meant}; choose one of {', '.join(names)}, or your own as FILE.py:FUNCTION")
    return Progression(name)


def _count_system(options: StrategyOptions) -> CountSystem | None:
    from punto.simulation.strategy import CountSystem

    if options.tags is None:
        if options.strategy == COUNT:
            refuse("a count needs --tags, what each card adds, and --trigger, the true count to bet at")
        return None
    return CountSystem(_numbers(options.tags, "tags"), options.trigger if options.trigger is not None else 0.0)


def _numbers(text: str, what: str) -> tuple[int, ...]:
    numbers = text.replace(",", " ").split()
    if len(numbers) > MOST_NUMBERS or not all(map(_NUMBER.fullmatch, numbers)):
        start = text if len(text) <= 60 else f"{text[:60]}…"
        refuse(f"{start!r} is not a list of {what}; write whole numbers with commas between them")
    return tuple(map(int, numbers))


def _amount(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    from punto.money import parse_amount

    units = read_as(parse_amount, text, f"{what}: ")
    if units >= LARGEST_AMOUNT:
        refuse(f"{what}: {text} is more than a simulation can count")
    return units


def _insuring(book: Book, decks: int, policy: str) -> tuple[InsuringRule, ...]:
    from punto.odds.insurance import insurance_odds
    from punto.odds.known_cards import Undealt
    from punto.simulation.strategy import Insuring, InsuringRule

    if policy == "never":
        return ()
    if policy not in POLICIES:
        written = _read_policy(policy, tuple[InsuringRule, ...])
        cells_seen = set()
        for rule in written:
            cell = (rule.hand, rule.cards, rule.player_points, rule.banker_points)
            if cell in cells_seen:
                where = f"{rule.cards} cards, Player {rule.player_points}, Banker {rule.banker_points}"
                refuse(f"{policy} is not a policy: it decides twice on the {rule.hand.value} hand at {where}")
            cells_seen.add(cell)
        return written
    rules = []
    for offer in insurance_odds(book, Undealt.of_decks(decks)).offers if book.insurance else ():
        choice = Insuring.INSURE if policy == "always" else Insuring(offer.choice.value)
        cards = offer.offer.window.cards
        rules.append(InsuringRule(offer.offer.hand, cards, offer.player_points, offer.banker_points, choice))
    if not rules:
        refuse(f"{book.name} has no insurance")
    return tuple(rules)


def _giving_up(book: Book, decks: int, policy: str) -> dict[str, tuple[int, ...]]:
    from punto.odds.ante import ante_odds
    from punto.odds.known_cards import Undealt

    ante = book.ante
    if ante is None:
        refuse(f"{book.name} has no antes")
    if policy == "never":
        return {}
    if policy == "always":
        return {pair.ante: tuple(range(10**ante.shown_cards)) for pair in ante.pairs}
    if policy not in POLICIES:
        return _read_policy(policy, dict[str, tuple[int, ...]])
    return {
        side.pair.ante: tuple(
            sum(points * 10**place for place, points in enumerate(decision.shown))
            for decision in side.decisions
            if not decision.is_played
        )
        for side in ante_odds(book, Undealt.of_decks(decks)).sides
    }


def _read_policy(name: str, kind: type[PolicyT]) -> PolicyT:
    import msgspec

    try:
        text = read_text(Path(name), LARGEST_POLICY)
        return msgspec.convert(json.loads(text, object_pairs_hook=once_each), type=kind)
    except CannotRead:
        meant = did_you_mean(name, POLICIES)
        refuse(f"{name!r} is not a policy{meant}; give {', '.join(POLICIES)}, or a JSON file that can be read")
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        refuse(f"{name} is not a policy: {error}")
