"""`punto bets`, `compare`, `new` and `tune`: what a designer of a book works with. The catalogue of published
bets with exact edges, which are counted once and kept in the user's cache folder; what differs between two
books; a short file to begin with; and pay tables that give the house edge one wants.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from punto import __version__
from punto.books import NAMES, load
from punto.books.catalogue import SECTIONS, CataloguedBet, catalogue, piece_toml, section, source_words, sources
from punto.cli.book_commands import print_page
from punto.cli.files import CannotRead, CannotWrite, check_new, read_kept, write_kept, write_whole
from punto.cli.ink import note, show, tell
from punto.cli.options import BookArgument, JsonOption, argument, complete_bet, open_book, option
from punto.cli.output import answer_json, one_line, refuse
from punto.cli.shoe_options import DecksOption, allowed_decks
from punto.documents.page import Grid, Listing, Style, figures, fraction, percent
from punto.rules.book import label_of
from punto.rules.book_amendment import ChangedLine, StaleText, stale_texts, with_base, with_odds
from punto.rules.book_file import EACH, entry_toml
from punto.rules.outcome import Result, parse_odds, shown_odds
from punto.rules.wording import counted, row_words
from punto.suggestion import did_you_mean
from punto.views.catalogue_view import PRICED_BASE, BetRecord, PricedBet, WaysOfRow, count_bets, pays_words, priced_bet

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.book_text import Bet, Clause, PayRow
    from punto.studies.tuning import Tuning, TuningTerms

MOST_ODDS = 100_000  # The greatest odds that a search takes.

_EDGE = re.compile(r"(-?[0-9]{1,3}(?:\.[0-9]{1,9})?) ?%?(?:\.\.(-?[0-9]{1,3}(?:\.[0-9]{1,9})?) ?%?)?", re.ASCII)
_ODDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?", re.ASCII)


def priced(bets: Sequence[CataloguedBet], decks: int) -> Iterator[PricedBet]:
    """The bets with their exact odds, from the cache or counted now; what was counted is then kept."""
    play = msgspec.json.encode(load(PRICED_BASE).text.play)
    keys = {bet.bet: _cache_key(bet, play, decks) for bet in bets}
    known = _cached_counts()
    missing = [bet for bet in bets if len(known.get(keys[bet.bet], ())) != len(bet.as_bet.pays)]
    if missing:
        known |= {keys[one.bet.bet]: [row[1:] for row in one.rows] for one in count_bets(missing, decks)}
        _cache_counts(known)
    for bet in bets:
        yield priced_bet(bet, known[keys[bet.bet]])


def _cache_key(bet: CataloguedBet, play: bytes, decks: int) -> str:
    rows = msgspec.json.encode([bet.first_match, [row.when for row in bet.pays]])
    return sha256(b"\n".join((__version__.encode(), str(decks).encode(), rows, play))).hexdigest()


def cache_file() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("punto", appauthor=False) / "catalogue-odds.json"


def _cached_counts() -> dict[str, list[WaysOfRow]]:
    try:
        content = read_kept(cache_file())
        counts = msgspec.json.decode(content, type=dict[str, list[tuple[str, bool]]]) if content else {}
        return {key: [(int(ways), below) for ways, below in rows] for key, rows in counts.items()}
    except (CannotRead, RuntimeError, ValueError, RecursionError, msgspec.MsgspecError):
        return {}


def _cache_counts(known: dict[str, list[WaysOfRow]]) -> None:
    # As text: the counts of a large shoe are beyond 64 bits.
    content = {key: [(str(ways), below) for ways, below in rows] for key, rows in known.items()}
    with suppress(CannotWrite, RuntimeError):
        write_kept(cache_file(), msgspec.json.encode(content))


def bets(
    name: Annotated[str, argument("[NAME]", "A bet, a section, or a part of the names of several.", complete_bet)] = "",
    decks: Annotated[int, option("--decks", "N", "Decks in the shoe.", min=1, max=100, show_default=True)] = 8,
    toml: Annotated[bool, typer.Option("--toml", help="Print bets as TOML, to copy into a book.")] = False,
    json: JsonOption = False,
) -> None:
    """List published bets that a book can take, each with its exact edge."""
    if toml and json:
        refuse("--toml and --json ask for different things; give one of them")
    wanted = _named_bets(name)
    if toml:
        print("\n".join(map(piece_toml, wanted)), end="")
        return
    priced_bets = tuple(priced(wanted, decks))
    if json:
        answer_json([BetRecord.of(one) for one in priced_bets])
    elif name == wanted[0].bet:
        _draw_bet(priced_bets[0], decks)
    else:
        _draw_bets(priced_bets, decks)


def _named_bets(name: str) -> list[CataloguedBet]:
    """The bets that are meant: one by its name, a section, or all that have the text in a name."""
    every = catalogue()
    if name in every:
        return [every[name]]
    if name in SECTIONS:
        return list(section(name).bets)
    text = name.strip().lower()
    named = [bet for bet in every.values() if text in bet.bet or text in bet.labels.en.lower()]
    if not named:
        meant = did_you_mean(name, (*every, *SECTIONS))
        refuse(f"the catalogue has no bet {name!r}{meant}; its sections are {', '.join(SECTIONS)}")
    return named


def _draw_bets(bets: tuple[PricedBet, ...], decks: int) -> None:
    for name in SECTIONS:
        names = {bet.bet for bet in section(name).bets}
        rows = []
        for one in bets:
            if one.bet.bet in names:
                pays = ", ".join(pays_words(row.row).removesuffix(":1") for row in one.rows[:-1])
                published, sources_of_bet = _published(one.bet, decks), " ".join(one.bet.source)
                rows.append((one.bet.bet, pays, percent(one.edge), published, sources_of_bet))
        if rows:
            title = f"{section(name).title} ({name}), {counted(decks, 'deck')}"
            show(Grid(("bet", "pays to 1", "edge", "published", "source"), tuple(rows), title, (2, 3), grows=1))
            print()
    keys = {key for one in bets for key in one.bet.source}
    show(Listing(tuple(f"{key}: {text}" for key, text in sources().items() if key in keys)))
    print()
    if any(_published(one.bet, decks).endswith("*") for one in bets):
        tell("* Our exact edge differs from the published one; punto bets NAME says why.", Style.QUIET)
    tell('Take one into a book with take = ["NAME"]. punto bets NAME shows it in full.', Style.QUIET)


def _published(bet: CataloguedBet, decks: int) -> str:
    """The edge as it was printed for this number of decks, marked where ours differs."""
    printed = next((one for one in bet.published if one.decks == decks and one.edge), None)
    return "" if printed is None else f"{printed.edge} %{'*' if printed.differs else ''}"


def _draw_bet(one: PricedBet, decks: int) -> None:
    bet = one.bet
    rows = tuple((row.when, pays_words(row.row), percent(Fraction(row.ways, one.total))) for row in one.rows)
    title = f"{bet.labels.en} ({bet.bet}), {counted(decks, 'deck')}"
    show(Grid(("when", "pays", "chance"), rows, title, right=(1, 2), grows=0))
    print()
    published = []
    for printed in bet.published:
        values = ", ".join(f"{name} {value} %" for name in ("edge", "hit") if (value := getattr(printed, name)))
        differs = f". {printed.differs}" if printed.differs else ""
        published.append(f"Published for {counted(printed.decks, 'deck')}: {values}{differs}")
    facts = (
        "The first row that holds counts." if bet.first_match else "",
        f"House edge: {percent(one.edge)}, exactly {fraction(one.edge)}",
        f"Hit: {percent(one.hit)}, exactly {fraction(one.hit)}",
        *published,
        f"Needs a bet on {' or '.join(bet.needs)}" if bet.needs else "",
        f"Note: {bet.note}" if bet.note else "",
        f"Source: {source_words(bet)}",
    )
    show(Listing(tuple(filter(None, facts))))
    print()
    tell(f'Take it into a book with take = ["{bet.bet}"].', Style.QUIET)


def compare(
    first: Annotated[str, argument("BOOK", "The first book.")],
    second: Annotated[str, argument("OTHER", "The second book.")],
    decks: DecksOption = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print an HTML page.")] = False,
    json: JsonOption = False,
) -> None:
    """Show what differs between two books, and what it does to bets."""
    if markdown + html + json > 1:
        refuse("--markdown, --html and --json ask for different things; give one of them")
    books = open_book(first), open_book(second)

    from punto.reports.comparison import Comparison, NoSharedDecks, compared_decks, comparison_page, comparison_record

    try:
        comparison = Comparison(*books, compared_decks(*books, decks))
    except NoSharedDecks as error:
        refuse(str(error))
    if json:
        answer_json(comparison_record(comparison))
    else:
        print_page(comparison_page(comparison), markdown=markdown, html=html)


@dataclass(frozen=True, slots=True)
class NewBook:
    path: Path
    name: str  # The name of the book, made from that of the file.

    @classmethod
    def at(cls, file: str) -> NewBook:
        """The new book of this file; the command ends if there cannot be one, or there is a file already."""
        path = Path(file)
        if path.suffix != ".toml":
            instead = f"{path.stem or 'mine'}.toml"
            refuse(f"the name of a book file ends in .toml, and {file!r} does not; write {instead}")
        name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
        if not name or not file.isprintable():
            refuse(f"{file!r} leaves no name for the book; use letters or digits of ASCII")
        if name in NAMES:
            refuse(f"{name} is the name of a built-in book; choose another, such as my-{name}.toml")
        return cls(check_new(file), name)

    def beside(self, base: str) -> str:
        """How this book calls the one it extends: a built-in name, or the path from its own folder."""
        from punto.books import built_in_name

        built_in = built_in_name(base)
        if built_in is not None and (built_in == base or not Path(base).is_file()):
            return built_in
        return Path(os.path.relpath(Path(base).resolve(), self.path.resolve().parent)).as_posix()


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False)


def new(
    file: Annotated[str, argument("FILE", "The book file to write.")],
    base: Annotated[
        str, option("--from", "BOOK", "The book to build on: a built-in name or a file.", show_default=True)
    ] = "commission",
    json: JsonOption = False,
) -> None:
    """Write a short, commented book file that builds on another book."""
    from punto.books.schema import first_book

    target = NewBook.at(file)
    base_book = open_book(base)
    if target.name == base_book.name:
        other = quote(str(target.path.with_name(f"my-{target.path.name}")))
        why = f"{target.name} is the name of the book it builds on, and only the digest would tell the two apart"
        refuse(f"{why}; write another name, such as {other}")
    extends, typed = target.beside(base), quote(file)
    write_whole(target.path, first_book(base_book, extends, typed, target.name).encode(), is_new=True)
    if json:
        answer_json({"file": file, "name": target.name, "extends": extends})
    else:
        note(f"{file} is a new book, {target.name}, which extends {extends}. Next: punto check {typed}")


def tune(
    book: BookArgument,
    bet: Annotated[str, argument("BET", "The betting area.")],
    edge: Annotated[str, option("--edge", "RANGE", "The house edge, such as 4%..8%.")],
    decks: DecksOption = None,
    least: Annotated[str, option("--least", "ODDS", "The lowest odds of a row.", show_default=True)] = "1",
    most: Annotated[str, option("--most", "ODDS", "The highest odds of a row.", show_default=True)] = "50",
    half: Annotated[bool, typer.Option("--half", help="Try half odds too: 1.5 to 1.")] = False,
    keep: Annotated[
        list[str] | None, option("--keep", "ROW=ODDS", "Leave a row at these odds; can be repeated.")
    ] = None,
    by: Annotated[
        str, option("--by", "FIGURE", "Rank by nearness, deviation or counting.", show_default=True)
    ] = "nearness",
    limit: Annotated[
        int, option("--limit", "N", "At most this many tables.", min=1, max=10_000, show_default=True)
    ] = 20,
    output: Annotated[
        str | None, option("--output -o", "FILE", "A new file: the book with the best table in it, as .toml.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Find every pay table of a bet with a house edge in a range."""
    rule_book = open_book(book)
    bet = rule_book.area_named(bet)
    tuned = rule_book.bet(bet)
    if tuned is None or bet not in rule_book.outright_areas:
        areas = ", ".join(rule_book.outright_areas)
        meant = did_you_mean(bet, rule_book.outright_areas)
        refuse(f"{rule_book.name} has no bet {bet} that can be tuned{meant}; it has {areas}")
    decks = allowed_decks(rule_book, decks)

    from punto.studies.tuning import RankedBy, TuningRecord, TuningTerms
    from punto.studies.tuning import tune as search

    if by not in [one.value for one in RankedBy]:
        refuse(f"--by takes nearness, deviation or counting, not {by!r}")
    low, high = _edge_range(edge)
    bounds = _read_odds("--least", least), _read_odds("--most", most)
    if bounds[0] > bounds[1]:
        refuse(f"--least {least} is more than --most {most}")
    fixed_rows = tuple(_kept_row(text, rule_book, bet) for text in keep or ())
    unit = Fraction(1, 2) if half else Fraction(1)
    terms = TuningTerms(low, high, unit, *bounds, fixed_rows, RankedBy(by), limit)
    target = NewBook.at(output) if output is not None else None
    tuning = search(rule_book, bet, decks, terms)
    written = None
    if target is not None:
        if not tuning.tables:
            refuse("no pay table gives such an edge, so nothing is written")
        written = _tuned_book(target, book, rule_book, tuned, tuning)
        write_whole(target.path, written.text.encode(), is_new=True)
    if json:
        record = msgspec.to_builtins(TuningRecord.of(rule_book, tuning, terms))
        if target is not None and written is not None:
            record |= {"file": str(target.path), "changes": written.changes, "stale": written.stale}
        answer_json(record)
        return
    _draw_tuning(rule_book, tuning, terms)
    if target is not None and written is not None:
        print()
        path = str(target.path)
        for line in written.told(path):
            note(one_line(line))
        note(f"{path} has the first of them, and nothing else is changed. Next: punto check {quote(path)}")


def _edge_range(text: str) -> tuple[Fraction, Fraction]:
    """The range of the edge; one number alone is a range of its own."""
    match = _EDGE.fullmatch(text.strip())
    if match is None:
        refuse(f"--edge takes a range in per cent, such as 4%..8%, and {text!r} is not one")
    low, high = Fraction(match[1]) / 100, Fraction(match[2] or match[1]) / 100
    if low > high:
        refuse(f"--edge takes the lower end first, and {text!r} has it last")
    return low, high


def _read_odds(name: str, text: str) -> Fraction:
    odds = Fraction(text) if _ODDS.fullmatch(text) else Fraction(0)
    if not 0 < odds <= MOST_ODDS:
        refuse(f"{name} takes odds as one number, 8 for 8 to 1, up to {MOST_ODDS:,}, and {text!r} is not one")
    return odds


def _kept_row(text: str, book: Book, bet: str) -> tuple[int, Fraction]:
    row, _, odds = text.partition("=")
    rows = book.pay_tables[bet].rows
    winning = [str(n) for n, one in enumerate(rows, start=1) if one.outcome.result is Result.WIN]
    if row not in winning:
        refuse(f"--keep takes ROW=ODDS, where ROW is the number of a row that wins: {', '.join(winning)}")
    try:
        value = parse_odds(odds) if ":" in odds else _read_odds("--keep", odds)
    except ValueError:
        value = Fraction(0)
    if not 0 < value <= MOST_ODDS:
        refuse(f"--keep takes odds such as 12, 0.95 or 1:2, up to {MOST_ODDS:,}, and {odds!r} is not one")
    return int(row), value


@dataclass(frozen=True, slots=True)
class TunedBook:
    """The text of a tuned book, and what it says otherwise than the book that was tuned."""

    text: str
    changes: tuple[ChangedLine, ...]
    stale: tuple[StaleText, ...]  # Clauses that still speak of the old odds; only their writer can change them.

    def told(self, file: str) -> Iterator[str]:
        """One line for each change, and one for each text that is left to the writer."""
        for change in self.changes:
            yield f"{file}: line {change.line}: {change.before}"
            yield f"{file}: line {change.line}: now {change.after}"
        for one in self.stale:
            yield f"{file}: clause {one.clause} still says {one.quoted!r} ({one.key}): change its words yourself"


def _tuned_book(target: NewBook, base: str, book: Book, bet: Bet, tuning: Tuning) -> TunedBook:
    """The book that was tuned with the best odds in the bet, and nothing else changed.

    A file that has the bet row by row is copied with new odds where they stand. Of any other book (a built-in one, or
    one that has the bet from elsewhere) it is a file that extends it, and has the bet alone.
    """
    best = dict(zip((row.number for row in tuning.rows), tuning.tables[0].odds, strict=True))
    odds = {
        n - 1: shown_odds(best[n])
        for n, row in enumerate(bet.pays, start=1)
        if row.odds is not None and parse_odds(row.odds) != best[n]
    }
    stale = tuple(stale_texts(book.text, bet, odds))
    return _copied(target, base, bet, odds, stale) or _extended(target, base, book, bet, tuning, odds, stale)


def _copied(
    target: NewBook, base: str, bet: Bet, odds: dict[int, str], stale: tuple[StaleText, ...]
) -> TunedBook | None:
    """The file itself with new odds in it; None where the bet does not stand in it row by row."""
    from punto.books import NAMES, resolve

    if base in NAMES or not Path(base).is_file():
        return None
    resolved = resolve(base)
    place = ("bets", next(i for i, one in enumerate(resolved.values["bets"]) if one.get("area") == bet.area))
    source, inside = resolved.origins[place]
    if source is not resolved.source or inside[:-1] != ("bets",):
        return None
    number = inside[1]
    assert isinstance(number, int), "the place of an entry ends in its number"
    raw = tomllib.loads(source.text)
    amended = None if EACH in raw["bets"][number] else with_odds(source.text, number, bet, odds)
    if amended is None:
        return None
    text, changes = amended
    if isinstance(extends := raw.get("extends"), str):
        below = Path(base).parent / extends
        if below.is_file() and (seen := target.beside(str(below))) != extends:
            text, moved = with_base(text, seen)
            changes = (*moved, *changes)
    return TunedBook(text, changes, stale)


def _extended(
    target: NewBook, base: str, book: Book, bet: Bet, tuning: Tuning, odds: dict[int, str], stale: tuple[StaleText, ...]
) -> TunedBook:
    """A file that extends the book, with the bet in it and words for the clauses that speak of the old odds."""
    pays = tuple(
        # A commission goes with the odds that it was written for.
        msgspec.structs.replace(row, odds=odds[i], commission=None) if i in odds else row
        for i, row in enumerate(bet.pays)
    )
    clauses = "".join(map(_clause_to_write, (book.clause(number) for number in dict.fromkeys(s.clause for s in stale))))
    edge = f"{float(tuning.tables[0].edge) * 100:.4f} %"
    text = f"""\
# {bet.labels.en} with a house edge of {edge} at {counted(tuning.decks, "deck")}, found by punto tune.

format = 1
extends = {_quoted(target.beside(base))}
name = {_quoted(target.name)}
title = {_quoted(target.name.replace("-", " ").title())}
source = "House rules, draft"

{entry_toml("bets", msgspec.structs.replace(bet, pays=pays))}{clauses}"""
    lines = [n for n, line in enumerate(text.splitlines(), start=1) if line.lstrip().startswith("{")]
    rows = ((lines[i], row, new) for i, (row, new) in enumerate(zip(bet.pays, pays, strict=True)) if i in odds)
    return TunedBook(text, tuple(ChangedLine(line, *map(_paid_words, (row, new))) for line, row, new in rows), stale)


def _clause_to_write(clause: Clause | None) -> str:
    """A clause as comments, for the writer of the book to put right."""
    assert clause is not None, "every clause that is cited is listed"
    entry = "".join(f"# {line}\n" for line in entry_toml("clauses", clause).splitlines())
    return f"\n# This clause still speaks of the old odds. Change its words, and take the # away:\n#\n{entry}"


def _paid_words(row: PayRow) -> str:
    """What a row pays as its file says it."""
    kept = f", commission {row.commission.rate}" if row.commission is not None else ""
    return f'odds = "{row.odds}"{kept}'


def _draw_tuning(book: Book, tuning: Tuning, terms: TuningTerms) -> None:
    rows = book.pay_tables[tuning.area].rows
    title = f"{book.title}: {label_of(book, tuning.area)}, {counted(tuning.decks, 'deck')}"
    won = tuple((str(r.number), row_words(rows[r.number - 1]), percent(r.chance)) for r in tuning.rows)
    show(Grid(("row", "when it wins", "chance"), won, title, right=(2,), grows=1))
    print()
    span = f"{percent(terms.low, 2)} to {percent(terms.high, 2)}"
    if not tuning.tables:
        show(f"None of {tuning.candidates:,} pay tables gives a house edge of {span}. Try wider bounds.")
        return
    counts = f"{tuning.found:,} of {tuning.candidates:,} pay tables"
    give, each = ("gives", "It") if tuning.found == 1 else ("give", "Each")
    show(f"{counts} {give} a house edge of {span}. {each} wins {percent(tuning.hit)} of the time.")
    print()
    heads = ("", *(f"row {row.number}" for row in tuning.rows), "House edge", "Deviation", "Removal")
    listed = tuple(
        (str(n), *map(shown_odds, table.odds), percent(table.edge), f"{table.sd:.4f}", percent(table.removal))
        for n, table in enumerate(tuning.tables, start=1)
    )
    show(figures("", heads, listed))
