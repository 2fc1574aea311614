"""The front door: what a notebook or a script needs, with text going in and frozen values coming out.

`import punto` gives these names and loads nothing until one is used. Each takes what the others give, or text: a book
by its name, by the path of a file, or as a table that is run by it; cards as text, as `Card`s or as the deal they made.
What cannot be read raises `PuntoError`, which carries a refusal; what the rules refuse is given back as a refusal.
Whoever needs more imports the packages: what these functions give are their values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import EnumType
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar, get_args, overload

from punto.books import load as _load
from punto.extras import extra_needed
from punto.inputs import (
    AnyCards,
    AnyMoney,
    AnyNumber,
    AnyRole,
    cards_of,
    decks_of,
    role_of,
    rounds_of,
    seed_of,
    slip_of,
    stakes_of,
    units_of,
    whole_of,
    workers_of,
)
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role as Role  # A name of the front door, too.
from punto.rules.book import Book

if TYPE_CHECKING:
    from punto.coup.coup import Coup
    from punto.dealer.dealer import SeededShoe
    from punto.odds.bet_odds import Odds
    from punto.roads.roads import Roads, RoundResult
    from punto.rules.outcome import Winner
    from punto.simulation.dealt_rounds import DealtRounds
    from punto.simulation.run import Sum
    from punto.simulation.strategy import InsuringRule
    from punto.studies.chosen_strategy import StrategyChoice
    from punto.studies.session_results import SessionResults
    from punto.studies.simulation_results import Simulated
    from punto.table.acting import Step
    from punto.table.command import Command
    from punto.table.legality import Legal
    from punto.table.notation import Played, Unmet
    from punto.table.replay import EndedRound
    from punto.table.slip import SettledBets
    from punto.table.state import Table
    from punto.table.terms import Terms

AnyBook: TypeAlias = "Book | Table | Step | PlayedSession | SeededShoe | DealtRounds | Odds | str | os.PathLike[str]"
"""A book, its name, the path of its file, or what was made by it: a table, a shoe, odds."""
AnyTable: TypeAlias = "Table | Step | PlayedSession"  # A table, or what was done at one.
AnyStrategy: TypeAlias = "str | Callable[..., Any] | StrategyChoice"
AnyResults: TypeAlias = (
    "str | Roads | SeededShoe | PlayedSession | DealtRounds | Iterable[Coup | EndedRound | RoundResult | Winner | str]"
)

_Arguments = ParamSpec("_Arguments")
_Value = TypeVar("_Value")
_Sum = TypeVar("_Sum", bound="Sum[Any]")


class PuntoError(ValueError):
    """Something that was given to the front door cannot be used; `refusal` says what, for programs."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


def _one_error(function: Callable[_Arguments, _Value]) -> Callable[_Arguments, _Value]:
    """Whatever is wrong with what a caller gave is told in one way, whichever package noticed it."""

    @wraps(function)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Value:
        from punto.books import BookNotFound
        from punto.rules.book_file import BaseNotFound, BetNotFound
        from punto.rules.validation import BookError

        try:
            return function(*args, **kwargs)
        except PuntoError:
            raise
        except ModuleNotFoundError as error:
            raise (extra_needed(error) or error) from error
        except (ValueError, BookNotFound, BookError, BaseNotFound, BetNotFound) as error:
            raise PuntoError(_unreadable(str(error))) from error

    return call


_BOOK = "a book is its name, the path of its file, or what another name of punto gave you"


def _unreadable(problem: str) -> Refusal:
    return Refusal(Reason.UNREADABLE, None, {"problem": problem})


@_one_error
def load(book: AnyBook) -> Book:
    """A built-in book by its name, or your own by the path of its TOML file.

    >>> import punto
    >>> punto.load("ez")
    <Book ez: EZ Baccarat, 5 bets>
    """
    if isinstance(book, Book):
        return book
    if isinstance(book, str | os.PathLike):
        return _load(os.fspath(book))
    for given in (book, getattr(book, "table", None)):
        if isinstance(inner := getattr(given, "book", None), Book):
            return inner
    raise ValueError(f"{type(book).__name__} is not a book; {_BOOK}")


def _table(table: AnyTable) -> Table:
    from punto.table.state import Table

    if isinstance(table, Refusal):
        raise PuntoError(_unreadable(f"a refusal is not a table; what was refused before: {table.sentence}"))
    inner = table if isinstance(table, Table) else getattr(table, "table", None)
    if not isinstance(inner, Table):
        raise PuntoError(_unreadable(f"{type(table).__name__} is not a table; open_table gives one"))
    return inner


@_one_error
def deal(book: AnyBook, cards: AnyCards) -> Coup:
    """The finished deal that these cards make, in dealing order; `PuntoError` if they are too few or many.

    >>> import punto
    >>> coup = punto.deal("ez", "2S KH 3D 2C KD 5S")
    >>> coup.winner.value, coup.player_points, coup.banker_points
    ('banker', 5, 7)
    """
    from punto.coup.coup import deal_exactly

    return deal_exactly(load(book).play, cards_of(cards))


@_one_error
def settle(book: AnyBook, cards: AnyCards, bets: Mapping[str, AnyMoney]) -> SettledBets | Refusal:
    """One bettor's bets on a finished deal, settled; a refusal names the clause that forbids one of them.

    The deal is from `deal`, or its cards. Stakes are minor units (`1250`), or text as money is written: `"12.50"`.

    >>> import punto
    >>> for line in punto.settle("ez", "2S KH 3D 2C KD 5S", {"banker": "100", "dragon-7": "5"}):
    ...     print(line.area, line.outcome.result.value, punto.format_money(line.net), line.outcome.clause)
    banker push 0 5
    dragon-7 win 200 5
    >>> punto.settle("ez", punto.deal("ez", "2S KH 3D 2C KD 5S"), {"tie": 10_00})[0].net
    -1000
    >>> punto.settle("ez", "2S KH 3D 2C KD 5S", {"player-pair": "5"}).reason.value
    'unknown-area'
    """
    from punto.table.slip import SettledBets, finished_coup, settle_slip

    rules = load(book)
    coup = finished_coup(rules, cards_of(cards), max(rules.decks.allowed))
    if isinstance(coup, Refusal):
        return coup
    slip = slip_of(rules, bets)
    if isinstance(slip, Refusal):
        return slip
    lines = settle_slip(rules, coup, slip)
    return lines if isinstance(lines, Refusal) else SettledBets(lines)


@_one_error
def odds_of(book: AnyBook, *, decks: int | None = None, seen: AnyCards = "", cards: AnyCards = "") -> Odds:
    """Exact odds of every bet: before the deal, or with the `cards` of the round so far on the table.

    `decks` defaults to 8, or the most that the book allows; `seen` are cards that have left the shoe before. Antes and
    insurance depend on what the player decides: `punto.odds.ante_odds` and `insurance_odds` have them, played best.

    >>> import punto
    >>> f"{float(punto.odds_of('commission').bet('banker').edge):.4%}"
    '1.0579%'
    """
    from punto.odds.bet_odds import book_odds
    from punto.odds.known_cards import Undealt

    rules, so_far = load(book), cards_of(cards)
    full = Undealt.of_decks(decks_of(rules, decks))
    return book_odds(rules, full.less((*cards_of(seen), *so_far)), so_far)


@_one_error
def open_table(book: AnyBook, **terms: Any) -> Table:
    """A table that is open and waits for its shoe, with these terms or the usual ones.

    Amounts are minor units, or text as money is written. A wrong term raises `PuntoError`.

    >>> import punto
    >>> punto.open_table("ez", minimum="25", faces="down", burn="none")
    <Table of ez: idle, round 0>
    """
    from punto.table.acting import act as carry_out
    from punto.table.house import OpenTable
    from punto.table.state import Table

    rules = load(book)
    step = carry_out(Table(rules), OpenTable(actor="House", role=Role.PIT_SUPERVISOR, terms=_terms(rules, terms)))
    if isinstance(step, Refusal):
        raise PuntoError(step)
    return step.table


def _terms(rules: Book, terms: dict[str, Any]) -> Terms:
    import msgspec

    from punto.suggestion import did_you_mean
    from punto.table.terms import Terms, default_terms

    unknown = next((name for name in terms if name not in Terms.__struct_fields__), None)
    if unknown is not None:
        raise ValueError(f"a table has no term {unknown!r}{did_you_mean(unknown, Terms.__struct_fields__)}")
    values = msgspec.to_builtins(default_terms(rules))
    for field in msgspec.structs.fields(Terms):
        if field.name not in terms:
            continue
        value = terms[field.name]
        try:
            values[field.name] = _term(rules, field.name, field.type, value)
            msgspec.convert(values[field.name], field.type)
        except msgspec.ValidationError:
            raise ValueError(f"{field.name} cannot be {value!r}{_choices(field.type)}") from None
    return msgspec.convert(values, Terms)


def _term(rules: Book, name: str, kind: Any, value: Any) -> Any:
    """A term as it is stored: amounts, whole numbers and betting areas as they are given everywhere."""
    import msgspec

    from punto.refusal import AMOUNTS

    if isinstance(value, Mapping) and name == "bet_limits":
        return {rules.area_named(area): _units(limits) for area, limits in value.items()}
    if value is None:
        return None
    if name in AMOUNTS:
        return units_of(value)
    if int in (kind, *get_args(kind)):
        return whole_of(value, f"a value of {name}")
    # Cards to burn are a word or a number.
    return str(value) if name == "burn" else msgspec.to_builtins(value)


def _units(limits: Any) -> Any:
    """Limits of a betting area with amounts in minor units; anything else is left to the check of the terms."""
    import msgspec

    given = msgspec.to_builtins(limits)
    return {name: units_of(amount) for name, amount in given.items()} if isinstance(given, Mapping) else given


def _choices(kind: Any) -> str:
    """What a term may be, to stand behind a sentence."""
    kinds = get_args(kind) or (kind,)
    words = [repr(each.value) for one in kinds if isinstance(one, EnumType) for each in list[Any](one)]
    words += [word for type_, word in ((bool, "True or False"), (str, "text")) if type_ in kinds]
    return f"; it is {' or '.join(words)}" if words else ""


@_one_error
def act(table: AnyTable, command: str | Command | Legal) -> Step | Refusal:
    """Carry out one command, a line of notation or a value: a step, or a refusal. A step can be acted on again.

    >>> import punto
    >>> table = punto.open_table("ez", burn="none")
    >>> step = punto.act(table, "Ann as dealer: load the shoe")
    >>> [event.name() for event in step.events]
    ['shoe-loaded']
    >>> punto.act(step, "Lee: bet 1 banker 100").sentence
    'bets are not open (clause 1)'
    """
    from punto.table.acting import act as carry_out
    from punto.table.header import CommandHeader
    from punto.table.legality import Legal
    from punto.table.notation import CommandGiven, parse_line

    if isinstance(command, str):
        line = parse_line(command)
        if not isinstance(line, CommandGiven):
            raise ValueError(f"{command!r} is not a command; write for example 'Ann as dealer: load the shoe'")
        command = line.command
    if isinstance(command, Legal):
        command = command.command
    if not isinstance(command, CommandHeader):
        raise ValueError(f"{type(command).__name__} is not a command; write for example 'Lee: bet 1 banker 100'")
    return carry_out(_table(table), command)


@_one_error
def legal_commands(table: AnyTable, who: str, role: AnyRole = "player") -> tuple[Legal, ...]:
    """Everything that somebody may do now, with amounts and odds.

    >>> import punto
    >>> table = punto.open_table("ez", burn="none")
    >>> sorted({legal.command.name() for legal in punto.legal_commands(table, "Ann", "dealer")})
    ['load-shoe', 'pause-table', 'report', 'take-seat']
    """
    from punto.table.legality import legal_commands as allowed

    if not isinstance(who, str):
        raise ValueError(f"{type(who).__name__} is not a name; say who asks, for example 'Ann'")
    return allowed(_table(table), who, role_of(role))


@dataclass(frozen=True, slots=True)
class PlayedSession:
    steps: tuple[Played, ...]  # Every command with what came of it.
    table: Table  # The table at the end.
    unmet: tuple[Unmet, ...]  # Expectations (`> …` lines) that were not met.

    @property
    def rounds(self) -> tuple[EndedRound, ...]:
        """The rounds that ended in it."""
        from punto.table.acting import evolve
        from punto.table.replay import rounds_after

        ended: tuple[EndedRound, ...] = ()
        for step in self.steps:
            state = step.before.state
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                ended = rounds_after(ended, step.before.book, state, event, 0)
                state = evolve(state, event)
        return ended

    def _repr_html_(self) -> str:
        from punto.documents.page import Grid

        rows = [(str(step.number), line) for step in self.steps for line in _told(step)]
        return Grid(("line", "what happened"), tuple(rows))._repr_html_() + self.table._repr_html_()

    def __repr__(self) -> str:
        return f"<PlayedSession: {len(self.steps)} commands, {len(self.unmet)} expectations unmet>"


def _told(step: Played) -> Iterator[str]:
    """What came of a command, in sentences."""
    from punto.table.acting import evolve
    from punto.table.event import tell

    if isinstance(step.outcome, Refusal):
        yield f"refused, {step.command.actor}: {step.outcome.sentence}"
        return
    state = step.before.state
    for event in step.outcome:
        state = evolve(state, event)
        yield from (sentence.text for sentence in tell(step.before.book, state, event))


@_one_error
def play_session(text: str, folder: str | os.PathLike[str] = ".") -> PlayedSession:
    """Play a table session written in notation; book files that it names are looked for in `folder`.

    >>> import punto
    >>> punto.play_session("Pia as pit-supervisor: open ez house burn=none\\nAnn as dealer: load the shoe\\n")
    <PlayedSession: 2 commands, 0 expectations unmet>
    """
    from punto.table.acting import evolved
    from punto.table.notation import parse_session, unmet
    from punto.table.notation import play_session as play

    if not isinstance(text, str):
        raise ValueError(f"{type(text).__name__} is not the text of a session; read its file and give what it says")
    session = parse_session(text)
    steps = tuple(play(session, lambda name: _load(name, Path(folder))))
    last = steps[-1]
    table = last.before if isinstance(last.outcome, Refusal) else evolved(last.before, last.outcome)
    return PlayedSession(steps, table, tuple(unmet(session, steps)))


@_one_error
def shoe(book: AnyBook, seed: int = 0, *, decks: int | None = None) -> SeededShoe:
    """A shuffled shoe, dealt to its end: the one that `punto deal` deals with this seed. Its rounds are finished deals.

    >>> import punto
    >>> shoe = punto.shoe("ez", seed=7)
    >>> shoe
    <SeededShoe of ez: 79 rounds, 8 decks, seed 7>
    >>> punto.settle(shoe, shoe.rounds[0], {"banker": "100"}).net
    0
    """
    from punto.dealer.dealer import SeededShoe

    rules = load(book)
    return SeededShoe.of(rules, decks_of(rules, decks), seed_of(seed, None))


@_one_error
def rounds(book: AnyBook, n: AnyNumber, seed: int = 0, *, decks: int | None = None) -> DealtRounds:
    """Rounds as columns, those that `simulate` counts with this seed: as NumPy, Polars, pandas or Arrow.

    >>> import punto
    >>> rounds = punto.rounds("commission", "1e4", seed=7)
    >>> rounds
    <DealtRounds of commission: 10,000 rounds, 20 columns>
    >>> rounds["winner"][:3].tolist(), rounds["banker_1"][:3].tolist()
    (['player', 'tie', 'banker'], ['QD', '9C', '6D'])
    >>> f"{rounds['net_banker'].mean():.4f}"
    '-0.0131'
    >>> rounds.to_polars(["shoe", "round", "winner"]).shape
    (10000, 3)
    """
    from punto.simulation.deals import ShoeTerms
    from punto.simulation.dealt_rounds import MOST_DEALT, DealtRounds

    rules, number = load(book), rounds_of(n, MOST_DEALT)
    return DealtRounds.of(rules, ShoeTerms(decks=decks_of(rules, decks)), seed_of(seed), number)


@_one_error
def strategy(
    name: str | Callable[..., Any],
    bets: Mapping[str, AnyMoney] | None = None,
    *,
    tags: Iterable[int] | None = None,
    trigger: float | str | None = None,
    line: Iterable[int] | None = None,
    insure: str | Iterable[InsuringRule] = "never",
    give_up: str | Mapping[str, Iterable[int]] = "best",
    minimum: AnyMoney | None = None,
    maximum: AnyMoney | None = None,
    bankroll: AnyMoney | None = None,
    goal: AnyMoney | None = None,
    stop_loss: AnyMoney | None = None,
    shoes: AnyNumber = 1,
) -> StrategyChoice:
    """A strategy for `simulate`: a built-in one by its name, or your own function, with stakes and limits.

    Built in are flat, martingale, paroli, dalembert, fibonacci, labouchere, 1-3-2-6 and count. A function takes a view
    of the session and gives stakes in minor units by betting area; docs/reference/simulation.md describes it.

    >>> import punto
    >>> punto.strategy("martingale", {"banker": "10"}, maximum="500", bankroll="1,000")
    <StrategyChoice martingale, stakes {'banker': 1000}, maximum 50000, bankroll 100000>
    """
    from punto.simulation.own_strategy import given_source, read_source
    from punto.studies.chosen_strategy import USUAL_LINE, StrategyChoice

    path, _, function = name.rpartition(":") if isinstance(name, str) else ("", "", "")
    source = None if isinstance(name, str) else given_source(name)
    amounts = {"maximum": maximum, "bankroll": bankroll, "goal": goal, "stop_loss": stop_loss}
    choice = StrategyChoice(
        name=name if isinstance(name, str) else getattr(name, "__name__", "own"),
        source=read_source(path, function) if path.endswith(".py") else source,
        stakes=dict(stakes_of({} if bets is None else bets)),
        tags=None if tags is None else tuple(whole_of(tag, "a tag") for tag in tags),
        trigger=None if trigger is None else float(trigger),
        line=USUAL_LINE if line is None else tuple(whole_of(number, "a number of the line") for number in line),
        insure=insure if isinstance(insure, str) else tuple(insure),
        give_up=give_up if isinstance(give_up, str) else {area: tuple(points) for area, points in give_up.items()},
        minimum=0 if minimum is None else units_of(minimum),
        shoes=whole_of(shoes, "a number of shoes"),
        **{term: None if amount is None else units_of(amount) for term, amount in amounts.items()},
    )
    choice.require_known()
    return choice


@overload
def simulate(
    book: AnyBook,
    rounds: AnyNumber = 1_000_000,
    *,
    strategy: None = None,
    seed: int = 0,
    decks: int | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulated: ...
@overload
def simulate(
    book: AnyBook,
    rounds: AnyNumber = 1_000_000,
    *,
    strategy: AnyStrategy,
    seed: int = 0,
    decks: int | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SessionResults: ...
@_one_error
def simulate(
    book: AnyBook,
    rounds: AnyNumber = 1_000_000,
    *,
    strategy: AnyStrategy | None = None,
    seed: int = 0,
    decks: int | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulated | SessionResults:
    """Simulate whole shoes to the cut card: every bet beside its exact value, the same for a seed anywhere.

    With a strategy (its name, your function, or what `punto.strategy` gave you) sessions are played by it.
    `progress(done, rounds)` is called after each batch. Either way `bet(name)` of the result has the figures of a bet,
    and `record()` has all.

    >>> import punto
    >>> result = punto.simulate("ez", 10_000, seed=7)
    >>> result.rounds, [bet.bet for bet in result.record().bets]
    (10000, ['player', 'banker', 'tie', 'dragon-7', 'panda-8'])
    >>> f"{result.bet('banker').mean:.4f} beside {result.bet('banker').exact:.4f}"
    '-0.0122 beside -0.0102'
    >>> def always_tie(view):
    ...     return {"tie": 1000}
    >>> result = punto.simulate("ez", 10_000, seed=7, strategy=always_tie)
    >>> result.bet("tie").made, result.record().sessions.number, result.record().sessions.quantiles["0.5"]
    (10000, 122, -190.0)
    """
    from punto.simulation.deals import ShoeTerms
    from punto.simulation.run import deals_of
    from punto.studies.chosen_strategy import StrategyChoice

    rules, wanted, cores = load(book), rounds_of(rounds), workers_of(workers)
    deals = deals_of(rules, ShoeTerms(decks=decks_of(rules, decks)), seed_of(seed))
    if strategy is None:
        from punto.simulation.run import Tally
        from punto.studies.simulation_results import beside_exact

        counted, speed = _played(Tally.empty(deals), wanted, cores, progress)
        return beside_exact(rules, counted, speed)
    from punto.simulation.sessions import SessionTally
    from punto.studies.session_results import SessionResults, exact_values

    choice = strategy if isinstance(strategy, StrategyChoice) else _named_strategy(strategy)
    sessions = choice.sessions(rules, deals)
    total, speed = _played(SessionTally.empty(sessions), wanted, cores, progress, sessions.batch_shoes)
    return SessionResults(rules, choice.name, total, exact_values(sessions), speed)


_named_strategy = strategy  # The function, where a parameter has its name.


def _played(
    start: _Sum, rounds: int, cores: int, progress: Callable[[int, int], None] | None, batch: int | None = None
) -> tuple[_Sum, float]:
    """The sum after this many rounds, and how many were played in a second."""
    from time import perf_counter

    from punto.simulation.run import Threads, sums

    threads, begun, total = Threads(cores), perf_counter(), start
    threads.batch_shoes = batch or threads.batch_shoes
    try:
        for total in sums(start, rounds, threads):
            if progress is not None:
                progress(total.rounds, rounds)
    finally:
        threads.close()
    return total, total.rounds / (perf_counter() - begun)


@_one_error
def roads_of(results: AnyResults) -> Roads:
    """The five roads of results such as `"BBPTb"`, of finished deals in their order, or of whatever has rounds.

    >>> import punto
    >>> punto.roads_of("BBBPPBPPPTPBBPB").big_eye
    'RBBBRRBRBB'
    >>> str(punto.roads_of([punto.deal("ez", "2S KH 3D 2C KD 5S"), "P", "Tb"]))
    'BPTb'
    >>> len(punto.roads_of(punto.shoe("ez", seed=7)).bead)
    79
    """
    from punto.roads.roads import Roads

    if isinstance(results, Roads):
        return results
    if isinstance(results, str):
        return Roads.parse(results)
    ended = getattr(results, "rounds", getattr(results, "results", results))
    if not isinstance(ended, Iterable):
        raise ValueError(_RESULTS)
    return Roads().extend(tuple(chain.from_iterable(map(_results, ended))))


_RESULTS = "results are text such as 'BBPTb', finished deals, roads, or a shoe or session that has rounds"


def _results(ended: Coup | EndedRound | RoundResult | Winner | str) -> tuple[RoundResult, ...]:
    """What the roads see of a round; nothing of one that is void."""
    from punto.coup.coup import Coup
    from punto.roads.roads import RoundResult, RoundWinner, parse_results
    from punto.rules.outcome import NO_PAIR, Winner
    from punto.table.replay import EndedRound

    if isinstance(ended, RoundResult):
        return (ended,)
    if isinstance(ended, Winner):
        return (RoundResult(RoundWinner(ended.value)),)
    if isinstance(ended, str):
        is_word = ended in {winner.value for winner in RoundWinner}  # As `rounds["winner"]` has them.
        return (RoundResult(RoundWinner(ended)),) if is_word else parse_results(ended)
    if not isinstance(ended, Coup | EndedRound):
        raise ValueError(_RESULTS)
    if ended.winner is None or ended.facts is None:
        return ()
    pairs = [pair != NO_PAIR for pair in (ended.facts.banker_pair, ended.facts.player_pair)]
    return (RoundResult(RoundWinner(ended.winner.value), *pairs),)
