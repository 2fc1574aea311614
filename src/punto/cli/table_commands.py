"""`punto table`: tables that are kept in a database are opened, given lines of notation, listed, shown,
exported and imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.database_options import (
    TIME_HELP,
    AsOption,
    DatabaseOption,
    found_table,
    is_missing,
    named_person,
    now_ms,
    opened,
    operator,
    read_time,
    reading,
    refuse_for,
    removed_on_refusal,
    running,
)
from punto.cli.deal_commands import UNMET, read_session_text, session_printer
from punto.cli.files import CannotWrite, check_writable, write_whole
from punto.cli.options import BookArgument, JsonOption, complete_table, open_book
from punto.cli.output import answer_json, answer_lines, complain, one_line, refuse, refuse_lines
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.floor.floor import Floor
    from punto.floor.job import Accepted
    from punto.floor.loaded_table import LoadedTable
    from punto.ledger.results import TableResults
    from punto.refusal import Refusal
    from punto.store.reader import Reader
    from punto.store.record import StoredTable
    from punto.table.command import Command
    from punto.table.header import Person
    from punto.table.notation import Played, Session
    from punto.table.state import State
    from punto.table.terms import Terms


OPENER = "house:pit-supervisor"  # Who opens a table where nobody is named.


def table_new(
    id: Annotated[
        str, typer.Argument(metavar="ID", help="Lower-case letters, digits and hyphens.", show_default=False)
    ],
    book: BookArgument,
    layout: Annotated[str, typer.Argument(metavar="LAYOUT", help="A layout of the book.", show_default=False)],
    terms: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TERM=VALUE]...", help="Terms of the table, such as minimum=25.", show_default=False),
    ] = None,
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Open a new table by a rule book.

    The book is stored with the table: the file may change or vanish later.
    """
    from punto.refusal import Refusal
    from punto.rules.book import digest_of
    from punto.table.house import OpenTable

    check_table_id(id)
    rule_book = open_book(book)
    person = named_person("--as", who, OPENER)
    agreed = _terms(rule_book.name, layout, terms or [], person)
    command = OpenTable(actor=person.name, role=person.role, time=now_ms(), terms=agreed)
    with running(database, create=True) as floor:
        answer = floor.open_table(id, rule_book, command)
        if isinstance(answer, Refusal):
            refuse_for(answer)
    if json:
        answer_json({"table": id, "version": answer.version, "digest": digest_of(rule_book)})
        return
    print(f"table {id} is open: {rule_book.title}, layout {agreed.layout}, {agreed.source.value} cards")
    print(f"punto table run {id} FILE gives it commands; punto table show {id} shows it")


def check_table_id(id: str) -> None:
    """End the command if no table can be called so."""
    from punto.floor.floor import TABLE_ID

    if not TABLE_ID.fullmatch(id):
        refuse(f"{id!r} cannot be the id of a table; use 1 to 40 of a-z, 0-9 and -, such as main-1")


def _terms(book: str, layout: str, terms: list[str], person: Person) -> Terms:
    """The terms as the notation reads them behind `open BOOK LAYOUT`."""
    from punto.suggestion import did_you_mean
    from punto.table.house import OpenTable
    from punto.table.notation import format_word, parse_phrase
    from punto.table.terms import Terms

    special = ("book", "layout", "bet_limits", "authority")
    known = [name for name in Terms.__struct_fields__ if name not in special]
    for term in terms:
        if "=" not in term or any(blank.isspace() for blank in term):
            refuse(f"{term!r} is not a term; write TERM=VALUE, such as minimum=25 or source=entered")
        name = term.partition("=")[0]
        if name not in known and not name.startswith(("limit.", "may.")):
            refuse(f"{name!r} is not a term{did_you_mean(name, known)}; terms are {', '.join(known)}")
    opening = ["open", format_word(book), format_word(layout)]
    by = {"actor": person.name, "role": person.role}
    for term in terms:  # one by one first, so that a wrong one can be named
        try:
            parse_phrase([*opening, term], by)
        except ValueError as error:
            refuse(f"{term} is not taken: {error}")
    try:
        command = parse_phrase([*opening, *terms], by)
    except ValueError as error:
        refuse(str(error))
    assert isinstance(command, OpenTable)
    return command.terms


TableArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A stored table.", show_default=False, autocompletion=complete_table)
]


def table_run(
    id: TableArgument,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Lines of notation; - for stdin.", show_default=False)],
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Give lines of notation to a table.

    A line without a name before its colon is given by --as. Bets that name no round are for the round that
    is open. A shuffled table draws its cards itself: write deal and burn without a card.
    """
    from punto.table.notation import unmet

    person = named_person("--as", who, "") if who is not None else None
    session = _read_lines(file, person)
    steps: list[Played] = []
    printed = _print_events if json else _printed_for_people()
    with running(database) as floor:
        with floor.store.read() as reader:
            found_table(reader, id)
        for number, command in _commands(session, person):
            step, answer = _given(floor, id, number, command)
            printed(step, answer)
            steps.append(step)
    sys.stdout.flush()
    wrong = unmet(session, steps)
    for missed in wrong:
        complain(f"{file}: line {missed.number}: {missed.sentence}")
    if wrong:
        raise typer.Exit(UNMET)


def _read_lines(file: str, person: Person | None) -> Session:
    from punto.rules.authority import Role
    from punto.table.notation import WrongLines, parse_session

    text = read_session_text(file)
    if person is not None:
        text = "\n".join(_with_person(line, person) for line in text.split("\n"))
    try:
        return parse_session(text, has_dealer=person is not None and person.role is Role.DEALER)
    except WrongLines as error:
        refuse_lines([f"{file}: line {number}: {sentence}" for number, sentence in error.problems])


def _with_person(line: str, person: Person) -> str:
    """A line that names nobody, with the person of `--as` before it."""
    from punto.cards.card import parse_cards
    from punto.table.notation import format_word, split_line

    try:
        words, _ = split_line(line)
    except ValueError:
        return line
    if not words or words[0] == ">" or any(word.endswith(":") for word in words):
        return line
    try:
        parse_cards(" ".join(words))
    except ValueError:
        return f"{format_word(person.name)} as {person.role.value}: {line}"
    return line


def _commands(session: Session, person: Person | None) -> Iterator[tuple[int, Command]]:
    from punto.rules.authority import Role
    from punto.table.notation import commands_of

    dealer = person.name if person is not None and person.role is Role.DEALER else ""
    return commands_of(session, dealer)


def _given(floor: Floor, id: str, number: int, command: Command) -> tuple[Played, Accepted | Refusal]:
    """Give one command on the table as it is now."""
    from msgspec.structs import replace

    from punto.refusal import Refusal
    from punto.rules.authority import Role
    from punto.table.notation import Played

    loaded = floor.table(id)
    assert loaded is not None, "a table is never removed"
    command = _filled(command, loaded.table.state)
    if not command.time:
        command = replace(command, time=now_ms())
    expected = loaded.version if command.role is Role.DEALER else None
    answer = floor.give(id, command, expected)
    if isinstance(answer, Refusal):
        return Played(number, command, loaded.table, answer), answer
    before = floor.table(id, answer.version - len(answer.records))
    assert before is not None
    events = tuple(record.event for record in answer.records)
    return Played(number, command, before.table, events), answer


def _filled(command: Command, state: State) -> Command:
    """A line means the round, and the window, that are open when it is given."""
    from msgspec.structs import replace

    from punto.floor.job import BETS, INSURANCES

    if isinstance(command, (*BETS, *INSURANCES)) and command.round is None:
        command = replace(command, round=state.round)
    if isinstance(command, INSURANCES) and command.window is None and state.window is not None:
        command = replace(command, window=state.window)
    return command


Printer = Callable[["Played", "Accepted | Refusal"], None]


def _printed_for_people() -> Printer:
    printed = session_printer()
    return lambda step, _: printed(step)


def _print_events(step: Played, answer: Accepted | Refusal) -> None:
    """As `punto run --json`, with the number under which each event is stored."""
    from punto.refusal import Refusal
    from punto.table.notation import PlayedLine

    if isinstance(answer, Refusal):
        answer_lines([PlayedLine(step.number, refusal=answer.text)])
    else:
        answer_lines([PlayedLine(step.number, record.seq, record.event) for record in answer.records])


def table_list(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List the tables."""
    tables = [] if is_missing(database) else _found_tables(database)
    if json:
        from punto.floor.loaded_table import summary_of

        answer_json([summary_of(loaded) for _, loaded in tables])
    elif tables:
        _draw_list(tables)
    else:
        print("there are no tables yet; punto table new main-1 ez house opens one")


def _found_tables(database: str | None) -> list[tuple[StoredTable, LoadedTable]]:
    from punto.floor.loaded_table import BookCache, load_table

    books = BookCache()
    with opened(database) as store, store.read() as reader:
        return [(stored, load_table(reader, books, stored)) for stored in reader.tables()]


def _draw_list(tables: list[tuple[StoredTable, LoadedTable]]) -> None:
    from punto.cli.ink import show
    from punto.documents.page import Grid

    rows = tuple(
        (
            stored.id,
            loaded.table.book.title,
            "imported" if stored.imported else _phase(loaded),
            str(loaded.table.state.round),
            f"{stored.version:,}",
        )
        for stored, loaded in tables
    )
    show(Grid(("table", "game", "now", "round", "version"), rows, right=(3, 4), grows=1))


def _phase(loaded: LoadedTable) -> str:
    state = loaded.table.state
    return "paused" if state.is_paused else PHASES[state.phase.value]


PHASES = {
    "new": "not open yet",
    "idle": "between rounds",
    "betting": "bets are open",
    "dealing": "dealing",
    "antes": "antes",
    "finished": "to be settled",
    "closed": "closed",
}
"""What a table is doing, for people."""


def table_show(
    id: TableArgument,
    at: Annotated[
        int | None, typer.Option("--at", metavar="SEQ", min=0, help="As it was after this event.", show_default=False)
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help=f"Results from this time on, {TIME_HELP}", show_default=False),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="Results before this time.", show_default=False)
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show a table as it is, or as it was, and its results.

    Results of a shift are those from --since to --until: drop, handle, win, hold and voids.
    """
    from punto.floor.loaded_table import BookCache, TableRecord, load_table, table_results

    begin, end = read_time("--since", since), read_time("--until", until)
    with reading(database) as reader:
        stored = found_table(reader, id)
        if at is not None and at > stored.version:
            refuse(f"--at must be from 0 to {stored.version:,}, the last event of table {id}, not {at:,}")
        loaded = load_table(reader, BookCache(), stored, at=at)
        results = None
        if not stored.imported:
            results = table_results(reader, id, loaded.version, begin, end)
    if json:
        answer_json(TableRecord.of(loaded, results))
    else:
        _draw_table(loaded, results)


def _draw_table(loaded: LoadedTable, results: TableResults | None) -> None:
    from punto.cli.ink import show as show_blocks
    from punto.cli.ink import show_pairs, tell
    from punto.documents.page import Style
    from punto.rules.book import SHORT_DIGEST, digest_of

    table, state = loaded.table, loaded.table.state
    tell(f"{loaded.id}: {table.book.title}", Style.TITLE)
    now = "paused" if state.is_paused else PHASES[state.phase.value]
    rows = [
        ("now", f"{now}, round {state.round}" if state.round else now),
        ("version", f"{loaded.version:,}{' (imported: it cannot go on)' if loaded.imported else ''}"),
        ("book", f"{table.book.name}, digest {digest_of(table.book)[:SHORT_DIGEST]}"),
        *_house(state),
        *_cards(loaded.id, state),
    ]
    show_pairs(rows)
    if state.stakes:
        print()
        show_blocks(_stakes(loaded))
    if results is not None:
        print()
        show_blocks(_results_grid(results, state.terms.currency if state.terms else ""))


def _house(state: State) -> list[tuple[str, str]]:
    from punto.money import format_money
    from punto.rules.wording import counted

    terms = state.terms
    if terms is None:
        return []
    most = f" to {format_money(terms.maximum)}" if terms.maximum is not None else " at least"
    rows = [
        ("terms", f"layout {terms.layout}, {counted(terms.decks, 'deck')}, {terms.source.value} cards"),
        ("bets", f"{terms.currency} {format_money(terms.minimum)}{most}"),
    ]
    seats = [f"{box} {one_line(name)}" for box, name in sorted(state.seats.items())]
    return [*rows, ("seats", ", ".join(seats) or "nobody is seated")]


def _cards(id: str, state: State) -> list[tuple[str, str]]:
    if state.shoe is None:
        return [("shoe", "none in play: load the shoe")]
    rows = [("shoe", f"{state.shoe_number}, {state.shoe.cards_left} cards left"), *_promise(id, state)]
    for name, slots in (("Player", state.player), ("Banker", state.banker)):
        if slots:
            faces = [slot.card.symbol if slot.face_up and slot.card else "face down" for slot in slots]
            rows.append((name, " ".join(faces) if "face down" not in faces else ", ".join(faces)))
    return rows


def _promise(id: str, state: State) -> list[tuple[str, str]]:
    """What the house is bound to, and how it can be checked."""
    from punto.cards.source import SourceKind

    if state.terms is not None and state.terms.source is SourceKind.CONTINUOUS:
        return [("shuffle", "a continuous shuffler promises no order")]
    shoe = next((shoe for shoe in state.committed if shoe.shoe == state.shoe_number), None)
    if shoe is None:
        return []
    rows = [("commitment", shoe.commitment)]
    if state.pledges:
        opened = f"{len(shoe.contributions)} of {len(state.pledges)} opened"
        rows.append(("pledges", opened if state.pledges_closed else f"{len(state.pledges)}, open for more"))
    when = f"when shoe {state.shoe_number + 1} is called, or at the close"
    return [*rows, ("", f"its seed is opened {when}: punto audit shoe {id}/{shoe.shoe}")]


def _stakes(loaded: LoadedTable) -> Any:
    from punto.documents.page import Grid
    from punto.money import format_money
    from punto.rules.book import label_of

    rows = tuple(
        (str(stake.box), one_line(stake.player), label_of(loaded.table.book, stake.area), format_money(stake.amount))
        for stake in loaded.table.state.stakes
    )
    return Grid(("box", "player", "bet", "stake"), rows, "On the layout", right=(0, 3), grows=2)


def _results_grid(results: TableResults, currency: str) -> Any:
    from punto.documents.page import Grid
    from punto.money import format_money

    hold = results.hold
    row = (
        format_money(results.drop),
        format_money(results.handle),
        format_money(results.win, is_signed=True),
        f"{float(hold) * 100:.2f} %" if hold is not None else "–",
        str(results.voids),
    )
    heads = ("drop", "handle", "win", "hold", "voids")
    return Grid(heads, (row,), f"Results, {currency}", right=range(5))


def table_log(
    id: TableArgument,
    after: Annotated[int, typer.Option("--after", metavar="SEQ", min=0, help="Only what comes after this event.")] = 0,
    database: DatabaseOption = None,
    json: JsonOption = False,  # noqa: ARG001
) -> None:
    """Print the stored events of a table.

    They are JSON Lines, with --json or without it: table, seq, v, key and event.
    """
    with reading(database) as reader:
        found_table(reader, id)
        sys.stdout.flush()
        for line in reader.lines(id, after):
            sys.stdout.buffer.write(line.encode() + b"\n")
        sys.stdout.buffer.flush()


EXPORT_ENDINGS = {".punto": "punto", ".parquet": "parquet"}
"""The format of a file by the end of its name; any other is JSON Lines."""
EXPORT_FORMATS = ("jsonl", "parquet", "punto")


def table_export(
    id: TableArgument,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to; FILE.punto is a session, FILE.parquet Parquet, any other name JSON Lines.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="jsonl, parquet or punto; default: as the name of the file ends.",
            show_default=False,
        ),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Write a table to a file: JSON Lines, Parquet, or a session.

    JSON Lines have every event and the book, and can be imported; Parquet has the same in columns. A session
    has the commands as people write them, with the cards, and punto run plays it again. A book that is not
    built in is written beside it. punto replay says whether a file comes to what it says.
    """
    from punto.floor.loaded_table import BookCache, load_table

    form = _export_format(form, output)
    try:
        path = check_writable(output) if output is not None else None
        with reading(database) as reader:
            loaded = load_table(reader, BookCache(), found_table(reader, id))
            if path is None:
                _print_export(reader, loaded, form)
                return
            files = _export_files(reader, loaded, path, form)
        for file, content in files.items():
            write_whole(file, content)
    except CannotWrite as error:
        refuse(str(error))
    if json:
        answer_json({"table": id, "version": loaded.version, "files": [str(file) for file in files]})
    else:
        print(f"table {id}, version {loaded.version:,}: {' and '.join(map(str, files))}")


def _export_format(wanted: str | None, output: str | None) -> str:
    form = wanted or EXPORT_ENDINGS.get(Path(output or "").suffix.lower(), "jsonl")
    if form not in EXPORT_FORMATS:
        refuse(f"{form!r} is not a format{did_you_mean(form, EXPORT_FORMATS)}; formats are {', '.join(EXPORT_FORMATS)}")
    if form == "parquet" and output is None:
        refuse("Parquet is not for the screen; name a file with -o FILE.parquet")
    return form


def _print_export(reader: Reader, loaded: LoadedTable, form: str) -> None:
    from punto.floor.archive import export_lines, session_lines

    if form == "punto":
        _check_commands(loaded)
    sys.stdout.flush()
    for line in (session_lines if form == "punto" else export_lines)(reader, loaded):
        sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def _check_commands(loaded: LoadedTable) -> None:
    if loaded.imported:
        refuse(f"table {loaded.id} was imported and has no commands; export it as JSON Lines")


def _export_files(reader: Reader, loaded: LoadedTable, path: Path, form: str) -> dict[Path, bytes]:
    """What is to be written, by its path; the book comes before the session that names it."""
    from punto.floor.archive import export_lines, session_lines

    if form == "parquet":
        from punto.floor.parquet import export_parquet

        return {path: export_parquet(reader, loaded)}
    if form == "jsonl":
        return {path: _export_text(export_lines(reader, loaded))}
    _check_commands(loaded)
    book = _book_beside(loaded, path)
    session = _export_text(session_lines(reader, loaded, book.name if book is not None else None))
    if book is None:
        return {path: session}
    from punto.rules.book_file import book_toml

    return {book: book_toml(loaded.table.book.text).encode(), path: session}


def _export_text(lines: object) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()  # type: ignore[attr-defined]


def _book_beside(loaded: LoadedTable, path: Path) -> Path | None:
    """Where the book goes; None where the one of that name is built in and says the same."""
    from punto.books import NAMES, load
    from punto.rules.book import digest_of

    book = loaded.table.book
    if book.name in NAMES and digest_of(load(book.name)) == digest_of(book):
        return None
    beside = path.with_suffix(".toml")
    if beside.exists() and beside.read_bytes() != _book_text(loaded):
        refuse(f"{beside} exists already and is another book: export to another name")
    return beside


def _book_text(loaded: LoadedTable) -> bytes:
    from punto.rules.book_file import book_toml

    return book_toml(loaded.table.book.text).encode()


def table_import(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An exported table, JSON Lines or Parquet.", show_default=False)
    ],
    id: Annotated[str, typer.Option("--as-table", metavar="ID", help="The id of the new table.")],
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Read an exported table, to be looked at.

    Its events are replayed and must lead to the state that the file names. It is marked as imported, has no
    postings and cannot go on.
    """
    from punto.floor.archive import WrongExport, import_table
    from punto.refusal import Refusal

    check_table_id(id)
    try:
        with removed_on_refusal(database), opened(database, create=True) as store:
            version = import_table(store, id, exported_lines(Path(file)), now_ms(), operator())
    except WrongExport as error:
        refuse(f"{file} cannot be imported: {error}")
    if isinstance(version, Refusal):
        refuse_for(version)
    if json:
        answer_json({"table": id, "version": version, "imported": True})
    else:
        print(f"table {id} was imported at version {version:,}; punto table show {id} shows it")


def exported_lines(path: Path) -> Iterator[bytes]:
    """The lines of an exported table, JSON Lines or Parquet; the command ends if they cannot be read."""
    from punto.cli.files import opened_file
    from punto.floor.archive import LONGEST_LINE
    from punto.floor.parquet import MAGIC, parquet_lines

    try:
        with opened_file(path) as stream:
            if stream.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
                yield from parquet_lines(stream)
                return
            while line := stream.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    refuse(f"{path} cannot be read: a line is longer than {LONGEST_LINE // 1024 // 1024} MiB")
                yield line.rstrip(b"\r\n")
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}")
    except ValueError:
        refuse(f"{path} cannot be read: no file can be called so")
