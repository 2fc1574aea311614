"""The front door: what a notebook or a script needs, with text going in and frozen values coming out.

`import punto` gives these names and loads nothing until one is used. Each takes what the others give, or text: a book
by its name, by the path of a file, or as a table that is run by it; cards as text, as `Card`s or as the deal they made.
What cannot be read raises `PuntoError`, which carries a refusal; what the rules refuse is given back as a refusal.
Whoever needs more imports the packages: what these functions give are their values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import EnumType
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from punto.books import load as _load
from punto.extras import extra_needed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role as Role  # A name of the front door, too.
from punto.rules.book import Book

if TYPE_CHECKING:
    from punto.cards.card import Card
    from punto.coup.coup import Coup
    from punto.odds.bet_odds import Odds
    from punto.roads.roads import Roads, RoundResult
    from punto.studies.simulation_results import Simulated
    from punto.table.acting import Step
    from punto.table.command import Command
    from punto.table.legality import Legal
    from punto.table.notation import Played, Unmet
    from punto.table.slip import SettlementLine
    from punto.table.state import Table
    from punto.table.terms import Terms

AnyBook: TypeAlias = "Book | Table | Step | PlayedSession | str | os.PathLike[str]"
"""A book, its name, the path of its file, or a table that is run by it."""
AnyCards: TypeAlias = "str | Card | Coup | Iterable[str | Card]"
"""Cards in dealing order: text such as `2S KH 3♦`, cards, or a finished deal."""
AnyMoney: TypeAlias = str | int | Decimal
"""An amount: minor units as a whole number, or text and decimals as money is written, `"12.50"`."""
AnyTable: TypeAlias = "Table | Step | PlayedSession"  # A table, or what was done at one.

_Arguments = ParamSpec("_Arguments")
_Value = TypeVar("_Value")


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
    return _table(book).book


def _table(table: AnyTable) -> Table:
    from punto.table.state import Table

    inner = table if isinstance(table, Table) else getattr(table, "table", None)
    if not isinstance(inner, Table):
        raise PuntoError(_unreadable(f"{type(table).__name__} is not a table; open_table gives one"))
    return inner


def _cards(cards: AnyCards) -> tuple[Card, ...]:
    from punto.cards.card import Card, parse_cards
    from punto.coup.coup import Coup

    if isinstance(cards, Coup):
        return cards.cards
    if isinstance(cards, Card):
        return (cards,)
    if isinstance(cards, str):
        return parse_cards(cards)
    if not isinstance(cards, Iterable):
        raise ValueError(f"cards cannot be read from {type(cards).__name__}; write for example '2S KH 3D'")
    return tuple(card if isinstance(card, Card) else Card.parse(card) for card in cards)


def _units(amount: AnyMoney) -> int:
    from punto.money import format_amount, parse_amount

    if isinstance(amount, bool) or not isinstance(amount, str | int | Decimal):
        raise ValueError(f"{amount!r} is not an amount: give minor units as a whole number, or text such as '12.50'")
    if isinstance(amount, Decimal):
        return parse_amount(f"{amount:f}")
    return parse_amount(amount if isinstance(amount, str) else format_amount(amount))


def _decks(rules: Book, decks: object) -> int:
    """The decks asked for, if the book allows them; by default the most that it allows."""
    from punto.rules.wording import wrong_decks

    if decks is None:
        return max(rules.decks.allowed)
    if isinstance(decks, bool) or not isinstance(decks, int) or decks < 1:
        raise ValueError(f"{decks!r} is not a number of decks; give a whole number, 1 or more")
    wrong = wrong_decks(rules.name, rules.decks, decks)
    if wrong is not None:
        raise ValueError(wrong)
    return decks


@_one_error
def deal(book: AnyBook, cards: AnyCards) -> Coup:
    """The finished deal that these cards make, in dealing order; `PuntoError` if they are too few or many.

    >>> import punto
    >>> coup = punto.deal("ez", "2S KH 3D 2C KD 5S")
    >>> coup.winner.value, coup.player_points, coup.banker_points
    ('banker', 5, 7)
    """
    from punto.coup.coup import deal_exactly

    return deal_exactly(load(book).play, _cards(cards))


@_one_error
def settle(book: AnyBook, cards: AnyCards, bets: Mapping[str, AnyMoney]) -> tuple[SettlementLine, ...] | Refusal:
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
    from punto.table.slip import finished_coup, settle_slip

    rules = load(book)
    coup = finished_coup(rules, _cards(cards), max(rules.decks.allowed))
    if isinstance(coup, Refusal):
        return coup
    slip = {rules.area_named(area): _units(stake) for area, stake in bets.items()}
    if len(slip) < len(bets):
        area = next(name for name in slip if sum(rules.area_named(one) == name for one in bets) > 1)
        return Refusal(Reason.AREA_TWICE, None, {"area": area})
    lines = settle_slip(rules, coup, slip)
    return lines if isinstance(lines, Refusal) else tuple(lines)


@_one_error
def odds_of(book: AnyBook, *, decks: int | None = None, seen: AnyCards = "", cards: AnyCards = "") -> Odds:
    """Exact odds of every bet: before the deal, or with the `cards` of the round so far on the table.

    `decks` defaults to the most that the book allows; `seen` are cards that have left the shoe before.

    >>> import punto
    >>> f"{float(punto.odds_of('commission').bet('banker').edge):.4%}"
    '1.0579%'
    """
    from punto.odds.bet_odds import odds_of as exact
    from punto.odds.known_cards import Undealt

    rules, so_far = load(book), _cards(cards)
    full = Undealt.of_decks(_decks(rules, decks))
    return exact(rules, full.less((*_cards(seen), *so_far)), so_far)


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

    from punto.refusal import AMOUNTS
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
            value = _units(value) if field.name in AMOUNTS and value is not None else msgspec.to_builtins(value)
            msgspec.convert(value, field.type)
        except msgspec.ValidationError:
            names = [repr(one.value) for one in list[Any](field.type)] if isinstance(field.type, EnumType) else []
            choices = f"; it is {' or '.join(names)}" if names else ""
            raise ValueError(f"{field.name} cannot be {value!r}{choices}") from None
        values[field.name] = value
    return msgspec.convert(values, Terms)


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
    from punto.table.legality import Legal
    from punto.table.notation import CommandGiven, parse_line

    if isinstance(command, str):
        line = parse_line(command)
        if not isinstance(line, CommandGiven):
            raise ValueError(f"{command!r} is not a command; write for example 'Ann as dealer: load the shoe'")
        command = line.command
    return carry_out(_table(table), command.command if isinstance(command, Legal) else command)


@_one_error
def legal_commands(table: AnyTable, who: str, role: str | Role = "player") -> tuple[Legal, ...]:
    """Everything that somebody may do now, with amounts and odds.

    >>> import punto
    >>> table = punto.open_table("ez", burn="none")
    >>> sorted({legal.command.name() for legal in punto.legal_commands(table, "Ann", "dealer")})
    ['load-shoe', 'pause-table', 'report', 'take-seat']
    """
    from punto.suggestion import did_you_mean
    from punto.table.legality import legal_commands as allowed

    roles = {each.value: each for each in Role}
    if not isinstance(role, Role) and role not in roles:
        raise ValueError(f"{role!r} is not a role{did_you_mean(role, roles)}; there are {', '.join(roles)}")
    return allowed(_table(table), who, Role(role))


@dataclass(frozen=True, slots=True)
class PlayedSession:
    steps: tuple[Played, ...]  # Every command with what came of it.
    table: Table  # The table at the end.
    unmet: tuple[Unmet, ...]  # Expectations (`> …` lines) that were not met.

    def __repr__(self) -> str:
        return f"<PlayedSession: {len(self.steps)} commands, {len(self.unmet)} expectations unmet>"


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

    session = parse_session(text)
    steps = tuple(play(session, lambda name: _load(name, Path(folder))))
    last = steps[-1]
    table = last.before if isinstance(last.outcome, Refusal) else evolved(last.before, last.outcome)
    return PlayedSession(steps, table, tuple(unmet(session, steps)))


@_one_error
def simulate(
    book: AnyBook,
    rounds: int | float | str = 1_000_000,
    *,
    seed: int = 0,
    decks: int | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulated:
    """Simulate whole shoes to the cut card: every bet beside its exact value, the same for a seed anywhere.

    `progress(done, rounds)` is called after each batch.

    >>> import punto
    >>> result = punto.simulate("ez", 10_000, seed=7)
    >>> result.tally.rounds
    10000
    """
    from time import perf_counter

    from punto.simulation.deals import ShoeTerms
    from punto.simulation.run import Tally, Threads, deals_of, parse_rounds, sums
    from punto.studies.simulation_results import beside_exact

    rules = load(book)
    wanted = rounds if isinstance(rounds, int) else parse_rounds(str(rounds))
    if wanted is None:
        raise ValueError(f"{rounds!r} is not a whole number")
    deals = deals_of(rules, ShoeTerms(decks=_decks(rules, decks)), seed)
    threads, begun = Threads(workers or os.cpu_count() or 1), perf_counter()
    tally = Tally.empty(deals)
    try:
        for tally in sums(Tally.empty(deals), wanted, threads):
            if progress is not None:
                progress(tally.rounds, wanted)
    finally:
        threads.close()
    return beside_exact(rules, tally, tally.rounds / (perf_counter() - begun))


@_one_error
def roads_of(results: str | Roads | Iterable[Coup | RoundResult]) -> Roads:
    """The five roads of results such as `"BBPTb"`, or of finished deals in their order.

    >>> import punto
    >>> punto.roads_of("BBBPPBPPPTPBBPB").big_eye
    'RBBBRRBRBB'
    >>> str(punto.roads_of([punto.deal("ez", "2S KH 3D 2C KD 5S")]))
    'B'
    """
    from punto.roads.roads import Roads

    if isinstance(results, Roads):
        return results
    if isinstance(results, str):
        return Roads.parse(results)
    if not isinstance(results, Iterable):
        raise ValueError(_RESULTS)
    return Roads().extend(tuple(_result(each) for each in results))


_RESULTS = "results are text such as 'BBPTb', finished deals, or roads"


def _result(ended: Coup | RoundResult) -> RoundResult:
    from punto.coup.coup import Coup
    from punto.roads.roads import RoundResult, RoundWinner
    from punto.rules.outcome import pair_index

    if isinstance(ended, RoundResult):
        return ended
    if not isinstance(ended, Coup):
        raise ValueError(_RESULTS)
    pairs = [bool(pair_index(*hand[:2])) for hand in (ended.banker, ended.player)]
    return RoundResult(RoundWinner(ended.winner.value), *pairs)
