"""`punto tune`: pay tables for a bet that give the house edge one wants."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files.new_book import NewBook, quoted
from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import DecksOption, allowed_decks
from punto.cli.terminal.say import answer_json, refuse
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.text.bet import Bet
    from punto.rules.text.book_text import Clause
    from punto.studies.workshop.tuning import Tuning, TuningTerms

_EDGE = re.compile(
    r"(-?[0-9]{1,3}(?:\.[0-9]{1,9})?) ?%?(?:\.\.(-?[0-9]{1,3}(?:\.[0-9]{1,9})?) ?%?)?", re.ASCII
)
_ODDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?", re.ASCII)
LIMIT = 100_000
"""The greatest odds that a search takes."""


def tune(
    book: BookArgument,
    bet: Annotated[str, typer.Argument(metavar="BET", help="The betting area.", show_default=False)],
    edge: Annotated[
        str,
        typer.Option("--edge", metavar="RANGE", help="The house edge, such as 4%..8%.", show_default=False),
    ],
    decks: DecksOption = None,
    least: Annotated[str, typer.Option("--least", metavar="ODDS", help="The lowest odds of a row.")] = "1",
    most: Annotated[str, typer.Option("--most", metavar="ODDS", help="The highest odds of a row.")] = "50",
    half: Annotated[bool, typer.Option("--half", help="Try half odds too: 1.5 to 1.")] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="ROW=ODDS", help="Leave a row at these odds.", show_default=False),
    ] = None,
    by: Annotated[
        str, typer.Option("--by", metavar="FIGURE", help="Rank by nearness, deviation or counting.")
    ] = "nearness",
    show: Annotated[int, typer.Option("--show", metavar="N", min=1, max=10_000, help="Tables to list.")] = 20,
    write: Annotated[
        str | None,
        typer.Option("--write", metavar="FILE", help="Write a book with the best table.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Find every pay table of a bet with a house edge in a range."""
    rule_book = open_book(book)
    bet = rule_book.area_named(bet)
    found = rule_book.bet(bet)
    if found is None or bet not in rule_book.outright_areas:
        areas = ", ".join(rule_book.outright_areas)
        meant = did_you_mean(bet, rule_book.outright_areas)
        refuse(f"{rule_book.name} has no bet {bet} that can be tuned{meant}; it has {areas}")
    number = allowed_decks(rule_book, decks)

    from punto.studies.workshop.tuning import RankedBy, TooManyTables, TuningTerms
    from punto.studies.workshop.tuning import tune as search

    if by not in [one.value for one in RankedBy]:
        refuse(f"--by takes nearness, deviation or counting, not {by!r}")
    unit = Fraction(1, 2) if half else Fraction(1)
    low, high = _range(edge)
    bounds = _odds("--least", least), _odds("--most", most)
    if bounds[0] > bounds[1]:
        refuse(f"--least {least} is more than --most {most}")
    kept = tuple(_kept(text, rule_book, bet) for text in keep or ())
    terms = TuningTerms(low, high, unit, *bounds, kept, RankedBy(by), show)
    target = NewBook.at(write) if write is not None else None
    try:
        tuning = search(rule_book, bet, number, terms)
    except TooManyTables as error:
        refuse(str(error))
    if target is not None:
        if not tuning.tables:
            refuse("no pay table gives such an edge, so nothing is written")
        target.write(_tuned_book(target, book, rule_book, found, tuning))
    if json:
        answer_json(_record(rule_book, tuning, terms))
        return
    _draw(rule_book, tuning, terms)
    if target is not None:
        from punto.cli.terminal.ink import note

        print()
        note(f"{target.path} has the first of them. Next: punto check {target.path}")


def _range(text: str) -> tuple[Fraction, Fraction]:
    """The range of the edge; one number alone is a range of its own."""
    match = _EDGE.fullmatch(text.strip())
    if match is None:
        refuse(f"--edge takes a range in per cent, such as 4%..8%, and {text!r} is not one")
    low, high = Fraction(match[1]) / 100, Fraction(match[2] or match[1]) / 100
    if low > high:
        refuse(f"--edge takes the lower end first, and {text!r} has it last")
    return low, high


def _odds(option: str, text: str) -> Fraction:
    odds = Fraction(text) if _ODDS.fullmatch(text) else Fraction(0)
    if not 0 < odds <= LIMIT:
        refuse(f"{option} takes odds as one number, 8 for 8 to 1, up to {LIMIT:,}, and {text!r} is not one")
    return odds


def _kept(text: str, book: Book, bet: str) -> tuple[int, Fraction]:
    from punto.rules.outcome import Result, parse_odds

    row, _, odds = text.partition("=")
    rows = book.pay_tables[bet].rows
    winning = [str(n) for n, one in enumerate(rows, start=1) if one.outcome.result is Result.WIN]
    if row not in winning:
        refuse(f"--keep takes ROW=ODDS, where ROW is the number of a row that wins: {', '.join(winning)}")
    try:
        value = parse_odds(odds) if ":" in odds else _odds("--keep", odds)
    except ValueError:
        value = Fraction(0)
    if not 0 < value <= LIMIT:
        refuse(f"--keep takes odds such as 12, 0.95 or 1:2, up to {LIMIT:,}, and {odds!r} is not one")
    return int(row), value


def _tuned_book(target: NewBook, base: str, book: Book, bet: Bet, tuning: Tuning) -> str:
    """A book that extends the one that was tuned, with the best odds in the bet and in its clauses."""
    import msgspec

    from punto.rules.book_toml import bet_toml, entry_toml
    from punto.rules.outcome import format_odds, parse_odds
    from punto.rules.words import counted

    odds = dict(zip((row.number for row in tuning.rows), tuning.tables[0].odds, strict=True))
    changed = {
        n: format_odds(odds[n])
        for n, row in enumerate(bet.pays, start=1)
        if row.odds is not None and parse_odds(row.odds) != odds[n]
    }
    pays = tuple(
        msgspec.structs.replace(row, odds=changed.get(n, row.odds)) for n, row in enumerate(bet.pays, start=1)
    )
    tuned = msgspec.structs.replace(bet, pays=pays)
    numbers = dict.fromkeys(row.clause for n, row in enumerate(pays, start=1) if n in changed)
    clauses = "".join(f"\n{entry_toml('clauses', _tuned_clause(book, one, bet, tuned))}" for one in numbers)
    edge = f"{float(tuning.tables[0].edge) * 100:.4f} %"
    return f"""\
# {bet.labels.en} with a house edge of {edge} at {counted(tuning.decks, "deck")}, found by punto tune.

format = 1
extends = {quoted(target.beside(base))}
name = {quoted(target.name)}
title = {quoted(target.name.replace("-", " ").title())}
source = "House rules, draft"

{bet_toml(tuned)}{clauses}"""


def _tuned_clause(book: Book, number: str, bet: Bet, tuned: Bet) -> Clause:
    """A clause that named the old odds of a bet, in words that are true of the new ones."""
    import msgspec

    from punto.rules.words import row_words

    clause = book.clause(number)
    assert clause is not None, "every clause that is cited is listed"
    table = book.pay_tables[bet.area]
    paid = "; ".join(
        f"{row.odds} when {row_words(known)}"
        for row, known in zip(tuned.pays, table.rows, strict=True)
        if row.odds
    )
    sense = f"{bet.labels.en} pays {paid}."
    if any(row.clause == number for other in book.bets if other is not bet for row in other.pays):
        # Other bets rest on the clause too: its words stay, but for the odds of this one.
        told = _retold(clause.sense, book, bet, tuned)
        sense = told or f"{clause.sense} Not so in this book: {sense}"
    return msgspec.structs.replace(clause, sense=sense, zh_hans=None, zh_hant=None)


def _retold(sense: str, book: Book, bet: Bet, tuned: Bet) -> str | None:
    """The words of a clause with new odds, where a part of it names the bet and each of the old ones once."""
    new = {
        (old.odds or "").removesuffix(":1"): (row.odds or "").replace(":", " to ")
        for old, row in zip(bet.pays, tuned.pays, strict=True)
        if old.odds != row.odds
    }
    others = "|".join(re.escape(other.labels.en) for other in book.bets if other is not bet)
    part = re.compile(rf"\b{re.escape(bet.labels.en)}\b(?:(?!\.(?!\d)|;|\b(?:{others})\b).)*")
    found = [m for m in part.finditer(sense) if all(_TO_ONE.findall(m[0]).count(old) == 1 for old in new)]
    if len(found) != 1:
        return None
    (match,) = found
    told = _TO_ONE.sub(lambda odds: new.get(odds[1], odds[0]), match[0])
    return f"{sense[: match.start()]}{told}{sense[match.end() :]}"


_TO_ONE = re.compile(r"\b(\d+(?:\.\d+)?) to 1\b")
"""Odds as clauses write them."""


def _record(book: Book, tuning: Tuning, terms: TuningTerms) -> dict[str, object]:
    """The answer for programs; docs/reference/command-line.md describes it."""
    from punto.documents.number import fraction
    from punto.rules.digest import digest_of
    from punto.rules.outcome import format_odds
    from punto.rules.words import row_words

    rows = book.pay_tables[tuning.area].rows
    return {
        "book": book.name,
        "digest": digest_of(book),
        "bet": tuning.area,
        "decks": tuning.decks,
        "edge": [float(terms.low), float(terms.high)],
        "hit": float(tuning.hit),
        "rows": [
            {"row": row.number, "when": row_words(rows[row.number - 1]), "chance": fraction(row.chance)}
            for row in tuning.rows
        ],
        "candidates": tuning.candidates,
        "found": tuning.found,
        "tables": [
            {
                "odds": [format_odds(odds) for odds in table.odds],
                "edge": float(table.edge),
                "ev": fraction(-table.edge),
                "sd": table.sd,
                "removal": table.removal,
            }
            for table in tuning.tables
        ],
    }


def _draw(book: Book, tuning: Tuning, terms: TuningTerms) -> None:
    from punto.cli.terminal.ink import show
    from punto.documents.number import percent
    from punto.documents.page import Grid, figures
    from punto.rules.labels import label_of
    from punto.rules.outcome import format_odds
    from punto.rules.words import counted, row_words

    rows = book.pay_tables[tuning.area].rows
    title = f"{book.title}: {label_of(book, tuning.area)}, {counted(tuning.decks, 'deck')}"
    won = tuple((str(r.number), row_words(rows[r.number - 1]), percent(r.chance)) for r in tuning.rows)
    show(Grid(("row", "when it wins", "chance"), won, title, right=(2,), grows=1))
    print()
    span = f"{percent(terms.low, 2)} to {percent(terms.high, 2)}"
    counts = f"{tuning.found:,} of {tuning.candidates:,} pay tables"
    if not tuning.tables:
        show(f"None of {tuning.candidates:,} pay tables gives a house edge of {span}. Try wider bounds.")
        return
    show(f"{counts} give a house edge of {span}. Each wins {percent(tuning.hit)} of the time.")
    print()
    heads = ("", *(f"row {row.number}" for row in tuning.rows), "House edge", "Deviation", "Removal")
    listed = tuple(
        (
            str(n),
            *map(format_odds, table.odds),
            percent(table.edge),
            f"{table.sd:.4f}",
            percent(table.removal),
        )
        for n, table in enumerate(tuning.tables, start=1)
    )
    show(figures("", heads, listed))
