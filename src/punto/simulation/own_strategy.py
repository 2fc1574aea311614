"""A user's own strategy: its source text with the functions found in it, and one session of it in Python. A function
takes one parameter, a view, and gives stakes by area; or eight, numbers and arrays, and is compiled (`own_kernel.py`
describes them, and plays them). Either may stand in a class as `bets`, beside `insure` and `follow`, which then decide
insurance and antes. The text travels with the sessions, so that every machine plays the same function and a checkpoint
knows it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from punto.cards.card import Rank
from punto.rules.book import Book
from punto.rules.outcome import Facts, Hand
from punto.simulation.own_fault import error_words
from punto.simulation.strategy import Progression, Strategy

MOST_SOURCE = 1 << 20  # Characters of a file.
ARRAYS = ("round", "net", "bankroll", "last", "results", "unseen", "memory", "stakes")
"""Parameters of the compiled form; only their number counts."""
ASIDE = 3  # Parameters of its `insure` and `follow`: offer or ante, unseen, memory; or self, view, offer or ante.


class StrategyFault(ValueError):
    """A user's function that cannot be used, in one sentence."""


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy may know before a round."""

    round: int  # Of the shoe, from 1.
    net: int  # Of the session so far.
    bankroll: int | None  # What is left of it.
    results: str  # Winners of the shoe so far: `B`, `P` and `T`.
    last: Facts | None  # Facts of the round before in this shoe.
    unseen: tuple[int, ...]  # Cards not seen yet of each rank, ace first.
    memory: dict[Any, Any] = field(default_factory=dict)
    """What the strategy wants to remember; empty when a session begins."""


@dataclass(frozen=True, slots=True)
class OwnOffer:
    hand: Hand
    cards: int  # Cards on the table: 4 or 5.
    player_points: int
    banker_points: int
    odds: Fraction
    main: int  # The main bet that is insured.
    most: int  # The most that can be staked, by the cap and the money left.
    dealt: tuple[Rank, ...]  # The cards on the table, in dealing order.


@dataclass(frozen=True, slots=True)
class OwnAnte:
    area: str
    stake: int
    shown: tuple[Rank, ...]  # The cards shown, in dealing order.


Bets = Callable[[View], Mapping[str, int] | None]


@dataclass(frozen=True)
class OwnSource:
    """A strategy in a file: where, under which name, and the text of the file."""

    path: str
    name: str
    text: str

    def __reduce__(self) -> tuple[type[OwnSource], tuple[str, str, str]]:
        """Only the text travels to another machine, which loads it again."""
        return OwnSource, (self.path, self.name, self.text)

    @cached_property
    def loaded(self) -> Any:
        """The function or class; `StrategyFault` if there is none that can be used."""
        module = ModuleType("punto_strategy")
        module.__file__ = self.path
        try:
            exec(compile(self.text, self.path, "exec"), module.__dict__)
        except (Exception, SystemExit) as error:
            raise StrategyFault(f"{self.path} cannot be loaded: {error_words(error)}") from error
        own = getattr(module, self.name, None)
        if not callable(own):
            raise StrategyFault(f"{self.path} has no function {self.name}")
        if isinstance(own, type) and not callable(getattr(own, "bets", None)):
            raise StrategyFault(f"the class {self.name} in {self.path} has no method bets")
        return own

    @property
    def is_class(self) -> bool:
        return isinstance(self.loaded, type)

    @cached_property
    def is_compiled(self) -> bool:
        """Whether it is the form with numbers and arrays."""
        parameters = _parameters(self.loaded.bets if self.is_class else self.loaded)
        taken = 2 if self.is_class else 1
        if parameters not in (taken, len(ARRAYS)):
            number = "unknown" if parameters < 0 else parameters
            raise StrategyFault(
                f"{self.name} in {self.path} takes {number} parameters; it takes one, a view, "
                f"or {len(ARRAYS)}: {', '.join(ARRAYS)}"
            )
        return parameters == len(ARRAYS)

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """All functions of it that are asked for something."""
        if not self.is_class:
            return (self.loaded,)
        return (self.loaded.bets, *(getattr(self.loaded, what) for what in ("insure", "follow") if self.decides(what)))

    def decides(self, what: str) -> bool:
        """Whether it has a function of its own for `insure` or `follow`."""
        return self.is_class and callable(getattr(self.loaded, what, None))

    def require_usable(self) -> None:
        """Load it and look at all of its functions; `StrategyFault` if they cannot be used."""
        assert self.is_compiled in (True, False)
        for what in ("insure", "follow"):
            if self.decides(what) and (number := _parameters(getattr(self.loaded, what))) != ASIDE:
                raise StrategyFault(f"{self.name}.{what} in {self.path} takes {number} parameters, not 3")


@dataclass(frozen=True, eq=False)
class GivenSource(OwnSource):
    """A function or class that a program hands over as it is. It is known by itself and not by its text, which may say
    the same of other values around it."""

    given: Any = None

    __eq__, __hash__ = object.__eq__, object.__hash__

    @cached_property
    def loaded(self) -> Any:
        return self.given


def given_source(function: object) -> OwnSource:
    """A strategy out of a function or class of the running program; `StrategyFault` if it cannot be used."""
    if not callable(function):
        kind = type(function).__name__
        own = f"the class {kind}, not an object of it, since every session makes its own"
        wanted = own if hasattr(function, "bets") else "the name of one, a function that takes a view, or a class"
        raise StrategyFault(f"an object of the type {kind} is not a strategy; give {wanted}")
    name = getattr(function, "__name__", type(function).__name__)
    source = GivenSource(getattr(function, "__module__", "") or "this program", name, "", function)
    if isinstance(function, type) and not callable(getattr(function, "bets", None)):
        raise StrategyFault(f"the class {name} has no method bets")
    source.require_usable()
    return source


def read_source(path: str, name: str) -> OwnSource:
    """The strategy of this name in a file; `StrategyFault` if it cannot be read or used."""
    try:
        if not Path(path).is_file():
            raise StrategyFault(f"there is no Python file {path}")
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MOST_SOURCE + 1)
    except (OSError, ValueError) as error:
        raise StrategyFault(f"{path} cannot be read: {error_words(error)}") from None
    if len(text) > MOST_SOURCE:
        raise StrategyFault(f"{path} is longer than {MOST_SOURCE:,} characters")
    source = OwnSource(path, name, text)
    source.require_usable()
    return source


def _parameters(function: Any) -> int:
    try:
        return len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return -1


def own_strategy(book: Book, limits: Strategy) -> Strategy:
    """The limits of a strategy for a function that may lay any bet but those on suits and single cards."""
    tables = book.pay_tables
    units = {a: 1 for a in book.opening_areas if not tables[a].reads_suits and tables[a].cards is None}
    return msgspec.structs.replace(limits, stakes=units, progression=Progression.FLAT, count=None)
