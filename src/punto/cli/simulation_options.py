"""The strategy that the options of `punto simulate` ask for: its name, stakes and limits, and what to do with
insurance and antes, read from the command line and from files.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from punto.cli.files import CannotRead, once_each, read_text
from punto.cli.options import read_as
from punto.cli.output import refuse
from punto.money import parse_amount
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.simulation.deals import Deals
    from punto.simulation.sessions import Sessions

LARGEST_AMOUNT = 10**15  # Minor units of an amount: what a session wins or loses must fit 64 bits.
LARGEST_POLICY = 1024 * 1024  # Bytes of a policy: every cell of every window fits many times.
MOST_NUMBERS = 1000  # Numbers of a list on the command line.
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")

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
    from punto.simulation.own_strategy import read_source
    from punto.simulation.strategy import InsuringRule
    from punto.studies.chosen_strategy import COUNT, POLICIES, USUAL_LINE, StrategyChoice, decided_twice

    path, _, name = options.strategy.rpartition(":")
    is_own = path.endswith(".py")
    if is_own and (options.bets or options.tags or options.line is not None):
        refuse("your own strategy says what to bet: give it no --bet, --tags or --line")
    if options.strategy == COUNT and options.tags is None:
        refuse("a count needs --tags, what each card adds, and --trigger, the true count to bet at")
    insure = options.insure if options.insure in POLICIES else _read_policy(options.insure, tuple[InsuringRule, ...])
    if not isinstance(insure, str) and (twice := decided_twice(insure)):
        refuse(f"{options.insure} is not a policy: it {twice}")
    give_up = options.ante if options.ante in POLICIES else _read_policy(options.ante, dict[str, tuple[int, ...]])
    choice = StrategyChoice(
        name=options.strategy,
        source=read_source(path, name) if is_own else None,
        stakes=_stakes(book, options.bets),
        tags=None if options.tags is None else _numbers(options.tags, "tags"),
        trigger=options.trigger,
        line=USUAL_LINE if options.line is None else _numbers(options.line, "line"),
        insure=insure,
        give_up=give_up,
        minimum=_amount(options.minimum, "the minimum") or 0,
        maximum=_amount(options.maximum, "the maximum"),
        bankroll=_amount(options.bankroll, "the bankroll"),
        goal=_amount(options.goal, "the goal"),
        stop_loss=_amount(options.stop_loss, "the stop-loss"),
        shoes=options.session_shoes,
    )
    try:
        return choice.sessions(book, deals)
    except ValueError as error:
        refuse(str(error))


def _stakes(book: Book, bets: tuple[str, ...]) -> dict[str, int]:
    from punto.studies.chosen_strategy import USUAL_STAKE

    stakes: dict[str, int] = {}
    for text in bets:
        named, _, stake = text.partition("=")
        area = book.area_named(named)
        if area in stakes:
            refuse(f"--bet {area} is given more than once: give the whole stake in one")
        stakes[area] = _amount(stake.strip() or None, f"the stake on {area}") or USUAL_STAKE
    return stakes


def _numbers(text: str, what: str) -> tuple[int, ...]:
    numbers = text.replace(",", " ").split()
    if len(numbers) > MOST_NUMBERS or not all(map(_NUMBER.fullmatch, numbers)):
        start = text if len(text) <= 60 else f"{text[:60]}…"
        refuse(f"{start!r} is not a list of {what}; write whole numbers with commas between them")
    return tuple(map(int, numbers))


def _amount(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    units = read_as(parse_amount, text, f"{what}: ")
    if units >= LARGEST_AMOUNT:
        refuse(f"{what}: {text} is more than a simulation can count")
    return units


def _read_policy(name: str, kind: type[PolicyT]) -> PolicyT:
    import msgspec

    from punto.studies.chosen_strategy import POLICIES

    try:
        text = read_text(Path(name), LARGEST_POLICY)
        return msgspec.convert(json.loads(text, object_pairs_hook=once_each), type=kind)
    except CannotRead:
        meant = did_you_mean(name, POLICIES)
        refuse(f"{name!r} is not a policy{meant}; give {', '.join(POLICIES)}, or a JSON file that can be read")
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        refuse(f"{name} is not a policy: {error}")
