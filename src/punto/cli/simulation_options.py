"""The options of `punto simulate`, in the groups in which its help lists them, and the strategy that is read
from them: its name, stakes and limits, and what to do with insurance and antes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.files import CannotRead, read_text
from punto.cli.options import JSON_HELP, complete_policy, complete_strategy
from punto.cli.output import refuse
from punto.cli.shoe_options import DECKS_HELP
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.simulation.deals import Deals
    from punto.simulation.own_strategy import OwnSessions
    from punto.simulation.sessions import Sessions
    from punto.simulation.strategy import CountSystem, InsuringRule, Strategy


PLAYED_PANEL = "What is played"
STRATEGY_PANEL = "Strategy"
DECISIONS_PANEL = "Insurance and antes"
MONEY_PANEL = "Limits and bankroll"
PLACE_PANEL = "Where it runs"
OUTPUT_PANEL = "Output"

RoundsOption = Annotated[
    str,
    typer.Option("--rounds", metavar="N", help="Rounds to play, such as 1000000 or 1e9.", rich_help_panel=PLAYED_PANEL),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        help="A whole number that fixes every card; default: a fresh one.",
        show_default=False,
        rich_help_panel=PLAYED_PANEL,
    ),
]
CutOption = Annotated[
    int | None,
    typer.Option("--cut", metavar="N", help="Cards behind the cut card; default: 14.", rich_help_panel=PLAYED_PANEL),
]
RoundsPerShoeOption = Annotated[
    int | None,
    typer.Option(
        "--rounds-per-shoe", metavar="N", help="Rounds from each shoe; no cut card.", rich_help_panel=PLAYED_PANEL
    ),
]
BurnOption = Annotated[
    str,
    typer.Option("--burn", metavar="HOW", help="first-card, none, or a number of cards.", rich_help_panel=PLAYED_PANEL),
]
DecksOption = Annotated[
    int | None, typer.Option("--decks", metavar="N", help=DECKS_HELP, show_default=False, rich_help_panel=PLAYED_PANEL)
]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="flat, count, a progression such as martingale, or your own as FILE.py:FUNCTION.",
        autocompletion=complete_strategy,
        show_default=False,
        rich_help_panel=STRATEGY_PANEL,
    ),
]
BetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--bet",
        metavar="AREA=STAKE",
        help="A bet of the strategy; may be given several times.",
        rich_help_panel=STRATEGY_PANEL,
    ),
]
TagsOption = Annotated[
    str | None,
    typer.Option("--tags", metavar="NUMBERS", help="What A 2 … 9 10 add to the count.", rich_help_panel=STRATEGY_PANEL),
]
TriggerOption = Annotated[
    float | None,
    typer.Option(
        "--trigger", metavar="COUNT", help="The true count from which to bet.", rich_help_panel=STRATEGY_PANEL
    ),
]
LineOption = Annotated[
    str | None,
    typer.Option(
        "--line",
        metavar="NUMBERS",
        help="The line a Labouchère starts with; default: 1,2,3,4.",
        rich_help_panel=STRATEGY_PANEL,
    ),
]
InsureOption = Annotated[
    str,
    typer.Option(
        "--insure",
        metavar="POLICY",
        help="never, always, best, or a JSON file.",
        rich_help_panel=DECISIONS_PANEL,
        autocompletion=complete_policy,
    ),
]
GiveUpOption = Annotated[
    str,
    typer.Option(
        "--give-up",
        metavar="POLICY",
        help="Antes: never, always, best, or a JSON file.",
        autocompletion=complete_policy,
        rich_help_panel=DECISIONS_PANEL,
    ),
]
MinimumOption = Annotated[
    str | None, typer.Option("--min", metavar="AMOUNT", help="The table's minimum bet.", rich_help_panel=MONEY_PANEL)
]
MaximumOption = Annotated[
    str | None, typer.Option("--max", metavar="AMOUNT", help="The table's maximum bet.", rich_help_panel=MONEY_PANEL)
]
BankrollOption = Annotated[
    str | None,
    typer.Option("--bankroll", metavar="AMOUNT", help="Money that a session starts with.", rich_help_panel=MONEY_PANEL),
]
GoalOption = Annotated[
    str | None,
    typer.Option(
        "--goal", metavar="AMOUNT", help="End a session once it has won this much.", rich_help_panel=MONEY_PANEL
    ),
]
StopLossOption = Annotated[
    str | None,
    typer.Option(
        "--stop-loss", metavar="AMOUNT", help="End a session once it has lost this much.", rich_help_panel=MONEY_PANEL
    ),
]
SessionShoesOption = Annotated[
    int,
    typer.Option(
        "--session-shoes", metavar="N", help="Shoes in a session, unless it ends sooner.", rich_help_panel=MONEY_PANEL
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="CPU cores to use; default: all.", rich_help_panel=PLACE_PANEL),
]
CheckpointOption = Annotated[
    str | None,
    typer.Option(
        "--checkpoint", metavar="FILE", help="Save progress here, and go on from it.", rich_help_panel=PLACE_PANEL
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on a Dask cluster; local starts one here.",
        rich_help_panel=PLACE_PANEL,
    ),
]
GpuOption = Annotated[bool, typer.Option("--gpu", help="Play on a GPU.", rich_help_panel=PLACE_PANEL)]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write .parquet, .csv, .json, .html or .svg.",
        rich_help_panel=OUTPUT_PANEL,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=JSON_HELP, rich_help_panel=OUTPUT_PANEL)]


LARGEST_AMOUNT = 10**15  # Minor units of an amount: what a session wins or loses must fit 64 bits.
LARGEST_POLICY = 1024 * 1024  # Bytes of a policy: every cell of every window fits many times.
MOST_NUMBERS = 1000  # Numbers of a list on the command line.
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
USUAL_STAKE = "100"
COUNT = "count"  # Flat stakes, but only when a count says so.
POLICIES = ("never", "always", "best")


@dataclass(frozen=True, slots=True)
class AskedStrategy:
    """What the options of the command line say."""

    strategy: str
    bets: list[str]
    tags: str | None
    trigger: float | None
    line: str | None
    insure: str
    ante: str
    minimum: str | None
    maximum: str | None
    bankroll: str | None
    goal: str | None
    stop_loss: str | None
    session_shoes: int


def sessions_of(book: Book, deals: Deals, asked: AskedStrategy) -> Sessions:
    """The sessions that a command line asks for; the command ends if there can be none such."""
    from punto.simulation.sessions import Sessions

    path, _, name = asked.strategy.rpartition(":")
    if path.endswith(".py"):
        return _own_sessions(book, deals, asked, path, name)
    sessions = Sessions(deals, book, _strategy(book, deals, asked))
    if problem := sessions.problem():
        refuse(problem)
    return sessions


def _own_sessions(book: Book, deals: Deals, asked: AskedStrategy, path: str, name: str) -> OwnSessions:
    from punto.simulation.own_strategy import OwnSessions, StrategyFault, own_strategy, read_source

    if asked.bets or asked.tags or asked.line is not None:
        refuse("your own strategy says what to bet: give it no --bet, --tags or --line")
    try:
        source = read_source(path, name)
    except StrategyFault as error:
        refuse(str(error))
    if asked.insure != "never" and source.decides("insure"):
        refuse(f"{name} in {path} decides insurance itself: give it no --insure")
    if asked.ante != "best" and source.decides("follow"):
        refuse(f"{name} in {path} decides antes itself: give it no --give-up")
    sessions = OwnSessions(deals, book, own_strategy(book, _strategy(book, deals, asked)), source=source)
    if problem := sessions.problem():
        refuse(problem)
    return sessions


def _strategy(book: Book, deals: Deals, asked: AskedStrategy) -> Strategy:
    from punto.rules.outcome import Hand
    from punto.simulation.strategy import Strategy

    stakes = {}
    for text in asked.bets or [book.main_area(Hand.BANKER) or next(iter(book.pay_tables))]:
        named, _, stake = text.partition("=")
        area = book.area_named(named)
        if area in stakes:
            refuse(f"--bet {area} is given more than once: give the whole stake in one")
        stakes[area] = _amount(stake.strip() or USUAL_STAKE, f"the stake on {area}") or 0
    decks = deals.terms.decks
    return Strategy(
        stakes=stakes,
        progression=_progression(asked.strategy),
        count=_count_system(asked),
        line=_numbers(asked.line, "line") if asked.line is not None else (1, 2, 3, 4),
        insuring=_insuring(book, decks, asked.insure) if book.insurance or asked.insure != "never" else (),
        giving_up=_giving_up(book, decks, asked.ante) if book.ante or asked.ante != "best" else {},
        minimum=_amount(asked.minimum, "the minimum") or 0,
        maximum=_amount(asked.maximum, "the maximum"),
        bankroll=_amount(asked.bankroll, "the bankroll"),
        goal=_amount(asked.goal, "the goal"),
        stop_loss=_amount(asked.stop_loss, "the stop-loss"),
        shoes=asked.session_shoes,
    )


def strategy_names() -> tuple[str, ...]:
    """The strategies that are built in."""
    from punto.simulation.strategy import Progression

    return (*(progression.value for progression in Progression), COUNT)


def _progression(name: str) -> Any:
    from punto.simulation.strategy import Progression

    if name == COUNT or name.rpartition(":")[0].endswith(".py"):
        return Progression.FLAT
    try:
        return Progression(name)
    except ValueError:
        names = strategy_names()
        meant = did_you_mean(name, names)
        refuse(f"{name!r} is not a strategy{meant}; choose one of {', '.join(names)}, or your own as FILE.py:FUNCTION")


def _count_system(asked: AskedStrategy) -> CountSystem | None:
    from punto.simulation.strategy import CountSystem

    if asked.tags is None:
        if asked.strategy == COUNT:
            refuse("a count needs --tags, what each card adds, and --trigger, the true count to bet at")
        return None
    return CountSystem(_numbers(asked.tags, "tags"), asked.trigger if asked.trigger is not None else 0.0)


def _numbers(text: str, what: str) -> tuple[int, ...]:
    numbers = text.replace(",", " ").split()
    if len(numbers) > MOST_NUMBERS or not all(map(_NUMBER.fullmatch, numbers)):
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        refuse(f"{shown!r} is not a list of {what}; write whole numbers with commas between them")
    return tuple(map(int, numbers))


def _amount(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    from punto.money import parse_amount

    try:
        units = parse_amount(text)
    except ValueError as error:
        refuse(f"{what}: {error}")
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
        written: tuple[InsuringRule, ...] = _read_policy(policy, tuple[InsuringRule, ...], POLICIES)
        cells_seen = set()
        for rule in written:
            cell = (rule.hand, rule.cards, rule.player_points, rule.banker_points)
            if cell in cells_seen:
                where = f"{rule.cards} cards, Player {rule.player_points}, Banker {rule.banker_points}"
                refuse(f"{policy} is not a policy: it decides twice on the {rule.hand.value} hand at {where}")
            cells_seen.add(cell)
        return written
    cells = []
    for offer in insurance_odds(book, Undealt.of_decks(decks)).offers if book.insurance else ():
        choice = Insuring.INSURE if policy == "always" else Insuring(offer.choice.value)
        cards = offer.offer.window.cards
        cells.append(InsuringRule(offer.offer.hand, cards, offer.player_points, offer.banker_points, choice))
    if not cells:
        refuse(f"{book.name} has no insurance")
    return tuple(cells)


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
        written: dict[str, tuple[int, ...]] = _read_policy(policy, dict[str, tuple[int, ...]], POLICIES)
        return written
    found = {}
    for side in ante_odds(book, Undealt.of_decks(decks)).sides:
        given_up = [decision.shown for decision in side.decisions if not decision.is_played]
        places = [sum(points * 10**i for i, points in enumerate(shown)) for shown in given_up]
        found[side.pair.ante] = tuple(places)
    return found


def _read_policy(name: str, kind: Any, policies: tuple[str, ...]) -> Any:
    import msgspec

    try:
        text = read_text(Path(name), LARGEST_POLICY)
        return msgspec.convert(json.loads(text, object_pairs_hook=_once_each), type=kind)
    except CannotRead:
        meant = did_you_mean(name, policies)
        refuse(f"{name!r} is not a policy{meant}; give {', '.join(policies)}, or a JSON file that can be read")
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        refuse(f"{name} is not a policy: {error}")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name[:40]} stands there twice")
        found[name] = value
    return found
