"""`punto table`: tables that are kept in a database are opened, given lines of notation, listed, shown,
exported and imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli import database_options
from punto.cli.database_options import AsOption, DatabaseOption, TableArgument, reading, stored_table
from punto.cli.deal_commands import UNMET, read_session_text, session_printer
from punto.cli.files import check_writable, reading_file, write_to_stdout, write_whole
from punto.cli.house_desk import LocalHouse, ServerOption, accepted, house_desk, local_house, not_served, served_house
from punto.cli.ink import show, show_pairs, tell
from punto.cli.options import BookArgument, JsonOption, answer, argument, check_one_of, open_book, option, read_as
from punto.cli.output import answer_json, answer_lines, complain, one_line, refuse, refuse_lines
from punto.documents.page import Grid, Style
from punto.money import format_money
from punto.refusal import Refusal

if TYPE_CHECKING:
    from punto.cli.served_table import ServedTable
    from punto.floor.answers import TableSummary
    from punto.floor.loaded_table import LoadedTable
    from punto.ledger.results import TableResults
    from punto.store.reader import Reader
    from punto.store.record import Record
    from punto.table.command import Command
    from punto.table.header import Person
    from punto.table.notation import Played, Session
    from punto.table.state import State
    from punto.table.terms import Terms

OPENER = "house:pit-supervisor"  # Who opens a table where nobody is named.
EXPORT_ENDINGS = {".punto": "punto", ".parquet": "parquet"}
"""The format of a file by the end of its name; any other is JSON Lines."""
EXPORT_FORMATS = ("jsonl", "parquet", "punto")
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


def table_new(
    id: Annotated[str, argument("ID", "Lower-case letters, digits and hyphens.")],
    book: BookArgument,
    layout: Annotated[str, argument("LAYOUT", "A layout of the book.")],
    terms: Annotated[list[str] | None, argument("[TERM=VALUE]...", "Terms of the table, such as minimum=25.")] = None,
    who: AsOption = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Open a new table by a rule book.

    The book is stored with the table: its file can be changed or deleted later.
    """
    from punto.floor.errand import TableErrand
    from punto.floor.loaded_table import book_document
    from punto.table.house import OpenTable

    check_table_id(id)
    rule_book = open_book(book)
    person = database_options.named_person("--as", who, OPENER)
    agreed = _terms(rule_book.name, layout, terms or [], person)
    command = OpenTable(actor=person.name, role=person.role, time=database_options.now_ms(), terms=agreed)
    errand = TableErrand(table=id, book=book_document(rule_book), command=command)
    with house_desk(database, server, create=True) as house:
        opened = accepted(house, house.do(errand))
    sentence = f"table {id} is open: {rule_book.title}, layout {agreed.layout}, {agreed.source.value} cards"
    hint = f"punto table run {id} FILE gives it commands; punto table show {id} shows it"
    answer(opened, f"{sentence}\n{hint}", json=json)


def check_table_id(id: str) -> None:
    """End the command if no table can be called so."""
    from punto.store import TABLE_ID

    if not TABLE_ID.fullmatch(id):
        refuse(f"{id!r} cannot be the id of a table; use 1 to 40 of a-z, 0-9 and -, such as main-1")


def _terms(book: str, layout: str, terms: list[str], person: Person) -> Terms:
    """The terms as the notation reads them behind `open BOOK LAYOUT`."""
    from punto.table.house import OpenTable
    from punto.table.notation import format_word, parse_phrase
    from punto.table.terms import Terms

    special = ("book", "layout", "bet_limits", "authority")
    known = [name for name in Terms.__struct_fields__ if name not in special]
    for term in terms:
        if "=" not in term or any(blank.isspace() for blank in term):
            refuse(f"{term!r} is not a term; write TERM=VALUE, such as minimum=25 or source=entered")
        name = term.partition("=")[0]
        if not name.startswith(("limit.", "may.")):
            check_one_of("term", name, known)
    opening = ["open", format_word(book), format_word(layout)]
    by = {"actor": person.name, "role": person.role}

    def parse(words: str) -> Command:
        return parse_phrase([*opening, *words.split()], by)

    for term in terms:  # one by one first, so that a wrong one can be named
        read_as(parse, term, f"{term} is not taken: ")
    command = read_as(parse, " ".join(terms))
    assert isinstance(command, OpenTable)
    return command.terms


def table_run(
    id: TableArgument,
    file: Annotated[str, argument("FILE", "Lines of notation; - for stdin.")],
    who: AsOption = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Give lines of notation to a table.

    A line without a name before its colon is given by --as. Bets that name no round are for the round that
    is open. A shuffled table draws its cards itself: write deal and burn without a card.
    """
    from punto.rules.authority import Role
    from punto.table.notation import PlayedLine, session_commands, unmet

    person = database_options.named_person("--as", who, "") if who is not None else None
    dealer = person.name if person is not None and person.role is Role.DEALER else ""
    session = _read_lines(file, person)
    tell_people = None if json else session_printer()
    steps: list[Played] = []
    with _run_table(id, database, server) as give:
        for number, command in session_commands(session, dealer):
            step, records = give(number, command)
            steps.append(step)
            if tell_people is not None:
                tell_people(step)
            elif isinstance(step.outcome, Refusal):
                answer_lines([PlayedLine(number, refusal=step.outcome.text)])
            else:  # as `punto run --json`, with the number under which each event is stored
                answer_lines([PlayedLine(number, record.seq, record.event) for record in records])
    sys.stdout.flush()
    missed = unmet(session, steps)
    for each in missed:
        complain(f"{file}: line {each.number}: {each.sentence}")
    if missed:
        raise typer.Exit(UNMET)


GiveLine = Callable[[int, "Command"], "tuple[Played, Sequence[Record]]"]
"""Gives the command of a line to a table: what came of it, and the records of its events."""


@contextmanager
def _run_table(id: str, database: str | None, server: str | None) -> Iterator[GiveLine]:
    """A table to be given commands, wherever it is."""
    if server is None:
        with local_house(database) as house:
            with house.store.read() as reader:
                stored_table(reader, id)
            yield partial(_give, house, id)
        return
    with served_house(server) as served:
        from punto.cli.served_table import ServedTable

        yield partial(_give_served, ServedTable(served, id))


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


def _give(house: LocalHouse, id: str, number: int, command: Command) -> tuple[Played, Sequence[Record]]:
    from punto.rules.authority import Role
    from punto.table.notation import Played

    floor = house.floor()
    loaded = floor.table(id)
    assert loaded is not None, "a table is never removed"
    command = _timed(_filled(command, loaded.table.state))
    came = house.give(id, command, loaded.version if command.role is Role.DEALER else None)
    if isinstance(came, Refusal):
        return Played(number, command, loaded.table, came), ()
    before = floor.table(id, came.version - len(came.records))
    assert before is not None
    return Played(number, command, before.table, tuple(record.event for record in came.records)), came.records


def _give_served(table: ServedTable, number: int, command: Command) -> tuple[Played, Sequence[Record]]:
    from punto.rules.authority import Role
    from punto.table.notation import Played

    table.catch_up()
    now = table.at()
    command = _timed(_filled(command, now.table.state))
    came = table.give(command, now.version if command.role is Role.DEALER else None)
    if isinstance(came, Refusal):
        return Played(number, command, now.table, came), ()
    before, records = came
    return Played(number, command, before.table, tuple(record.event for record in records)), records


def _timed(command: Command) -> Command:
    from msgspec.structs import replace

    return command if command.time else replace(command, time=database_options.now_ms())


def _filled(command: Command, state: State) -> Command:
    """A line means the round, and the window, that are open when it is given."""
    from msgspec.structs import replace

    from punto.floor.job import BETS, INSURANCES

    if isinstance(command, (*BETS, *INSURANCES)) and command.round is None:
        command = replace(command, round=state.round)
    if isinstance(command, INSURANCES) and command.window is None and state.window is not None:
        command = replace(command, window=state.window)
    return command


def table_list(database: DatabaseOption = None, server: ServerOption = None, json: JsonOption = False) -> None:
    """List the tables."""
    if server is not None:
        with served_house(server) as served:
            summaries, titles = served.summaries(), served.titles()
    else:
        summaries, titles = _local_tables(database)
    if json:
        answer_json(summaries)
        return
    if not summaries:
        print("there are no tables yet; punto table new main-1 ez house opens one")
        return
    rows = []
    for table in summaries:
        now = "imported" if table.imported else "paused" if table.paused else PHASES[table.phase.value]
        now = f"{now}, stopped" if table.stopped is not None else now
        rows.append((table.table, titles[table.table], now, str(table.round), f"{table.version:,}"))
    show(Grid(("table", "game", "now", "round", "version"), tuple(rows), right=(3, 4), grows=1))


def _local_tables(database: str | None) -> tuple[list[TableSummary], dict[str, str]]:
    """Every table in a line, and the game of each."""
    from punto.floor.loaded_table import BookCache, load_table, summary_of
    from punto.floor.orders import house_orders

    if database_options.is_missing(database):
        return [], {}
    with reading(database) as reader:
        books, orders = BookCache(), house_orders(reader)
        tables = [load_table(reader, books, stored) for stored in reader.tables()]
    summaries = [summary_of(loaded, orders.stop_at(loaded)) for loaded in tables]
    return summaries, {loaded.id: loaded.table.book.title for loaded in tables}


def table_show(
    id: TableArgument,
    at: Annotated[int | None, option("--at", "SEQ", "As it was after this event.", min=0)] = None,
    since: Annotated[
        str | None, option("--from", "TIME", f"Results from this time on, {database_options.TIME_HELP}")
    ] = None,
    until: Annotated[str | None, option("--to", "TIME", "Results before this time.")] = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Show a table as it is, or as it was, and its results.

    Results of a shift are those from --from to --to: drop, handle, win, hold and voids.
    """
    from punto.floor.loaded_table import TableRecord

    begin, end = database_options.read_time("--from", since), database_options.read_time("--to", until)
    look = _local_table if server is None else _served_table
    loaded, results = look(id, server or database, at, (begin, end))
    if json:
        answer_json(TableRecord.of(loaded, results))
    else:
        _draw_table(loaded, results)


def _local_table(
    id: str, database: str | None, at: int | None, span: tuple[int | None, int | None]
) -> tuple[LoadedTable, TableResults | None]:
    from punto.floor.loaded_table import BookCache, load_table, table_results

    with reading(database) as reader:
        stored = stored_table(reader, id)
        if at is not None and at > stored.version:
            refuse(f"--at must be from 0 to {stored.version:,}, the last event of table {id}, not {at:,}")
        loaded = load_table(reader, BookCache(), stored, at=at)
        return loaded, None if stored.imported else table_results(reader, id, loaded.version, *span)


def _served_table(
    id: str, server: str | None, at: int | None, span: tuple[int | None, int | None]
) -> tuple[LoadedTable, TableResults | None]:
    from punto.cli.served_table import ServedTable

    with served_house(server or "") as served:
        table = ServedTable(served, id)
        loaded = table.at(at)
        return loaded, table.results(loaded.version, *span)


def _phase(state: State) -> str:
    return "paused" if state.is_paused else PHASES[state.phase.value]


def _draw_table(loaded: LoadedTable, results: TableResults | None) -> None:
    from punto.rules.book import SHORT_DIGEST, digest_of

    book, state = loaded.table.book, loaded.table.state
    tell(f"{loaded.id}: {book.title}", Style.TITLE)
    now = _phase(state)
    rows = [
        ("now", f"{now}, round {state.round}" if state.round else now),
        ("version", f"{loaded.version:,}{' (imported: it cannot go on)' if loaded.imported else ''}"),
        ("book", f"{book.name}, digest {digest_of(book)[:SHORT_DIGEST]}"),
    ]
    show_pairs([*rows, *_house_rows(state), *_card_rows(loaded.id, state)])
    if state.stakes:
        print()
        show(_stakes_grid(loaded))
    if results is not None:
        print()
        show(_results_grid(results, state.terms.currency if state.terms else ""))


def _house_rows(state: State) -> list[tuple[str, str]]:
    from punto.rules.wording import counted

    terms = state.terms
    if terms is None:
        return []
    least = f"{terms.currency} {format_money(terms.minimum)}"
    limits = f"{least} to {format_money(terms.maximum)}" if terms.maximum is not None else f"at least {least}"
    seats = [f"{box} {one_line(name)}" for box, name in sorted(state.seats.items())]
    return [
        ("terms", f"layout {terms.layout}, {counted(terms.decks, 'deck')}, {terms.source.value} cards"),
        ("bets", limits),
        ("seats", ", ".join(seats) or "nobody is seated"),
    ]


def _card_rows(id: str, state: State) -> list[tuple[str, str]]:
    if state.shoe is None:
        return [("shoe", "none in play: load the shoe")]
    rows = [("shoe", f"{state.shoe_number}, {state.shoe.cards_left} cards left"), *_promise(id, state)]
    for name, slots in (("Player", state.player), ("Banker", state.banker)):
        if slots:
            faces = [slot.card.symbol if slot.face_up and slot.card else "face down" for slot in slots]
            rows.append((name, (", " if "face down" in faces else " ").join(faces)))
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


def _stakes_grid(loaded: LoadedTable) -> Grid:
    from punto.rules.book import label_of

    rows = tuple(
        (str(stake.box), one_line(stake.player), label_of(loaded.table.book, stake.area), format_money(stake.amount))
        for stake in loaded.table.state.stakes
    )
    return Grid(("box", "player", "bet", "stake"), rows, "On the layout", right=(0, 3), grows=2)


def _results_grid(results: TableResults, currency: str) -> Grid:
    hold = f"{float(results.hold) * 100:.2f} %" if results.hold is not None else "–"
    win = format_money(results.win, is_signed=True)
    heads: tuple[str, ...] = ("drop", "handle", "win", "hold", "voids")
    row: tuple[str, ...] = (format_money(results.drop), format_money(results.handle), win, hold, str(results.voids))
    if results.commission:
        heads, row = (*heads, "commission"), (*row, format_money(results.commission))
    return Grid(heads, (row,), f"Results, {currency}", right=range(len(heads)))


def table_log(
    id: TableArgument,
    after: Annotated[int, option("--after", "SEQ", "Only what comes after this event.", min=0, show_default=True)] = 0,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,  # noqa: ARG001
) -> None:
    """Print the stored events of a table.

    They are JSON Lines, with --json or without it: table, seq, v, key and event. Through a server they are as you may
    see them: without cards that were face down, and with your own keys only.
    """
    if server is not None:
        from punto.cli.served_table import served_lines

        with served_house(server) as served:
            write_to_stdout(served_lines(served, id, after))
        return
    with reading(database) as reader:
        stored_table(reader, id)
        write_to_stdout(line.encode() + b"\n" for line in reader.lines(id, after))


def table_export(
    id: TableArgument,
    output: Annotated[
        str | None,
        option(
            "--output -o", "FILE", "Where to; FILE.punto is a session, FILE.parquet Parquet, any other name JSON Lines."
        ),
    ] = None,
    form: Annotated[
        str | None, option("--format", "FORMAT", "jsonl, parquet or punto; default: as the name of the file ends.")
    ] = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Write a table to a file: JSON Lines, Parquet, or a session.

    JSON Lines have every event and the book, and can be imported; Parquet has the same in columns. A session
    has the commands as people write them, with the cards, and punto run plays it again. A book that is not
    built in is written beside it. punto replay checks such a file.
    """
    from punto.floor.loaded_table import BookCache, load_table

    not_served(server, "an export has every card and every key, so it is written where the database is")
    form = form or EXPORT_ENDINGS.get(Path(output or "").suffix.lower(), "jsonl")
    check_one_of("format", form, EXPORT_FORMATS)
    if form == "parquet" and output is None:
        refuse("Parquet is not for the screen; name a file with -o FILE.parquet")
    path = check_writable(output) if output is not None else None
    with reading(database) as reader:
        loaded = load_table(reader, BookCache(), stored_table(reader, id))
        if form == "punto" and loaded.imported:
            refuse(f"table {loaded.id} was imported and has no commands; export it as JSON Lines")
        if path is None:
            from punto.floor.archive import export_lines, session_lines

            lines = session_lines(reader, loaded) if form == "punto" else export_lines(reader, loaded)
            write_to_stdout(line.encode() + b"\n" for line in lines)
            return
        files = _export_files(reader, loaded, path, form)
    for file, content in files.items():
        write_whole(file, content)
    written = {"table": id, "version": loaded.version, "files": [str(file) for file in files]}
    answer(written, f"table {id}, version {loaded.version:,}: {' and '.join(map(str, files))}", json=json)


def _export_files(reader: Reader, loaded: LoadedTable, path: Path, form: str) -> dict[Path, bytes]:
    """What is to be written, by its path. A book that is not built in comes before the session that names it."""
    from punto.books import NAMES, load
    from punto.floor.archive import export_lines, session_lines
    from punto.rules.book import digest_of
    from punto.rules.book_file import book_toml

    if form == "parquet":
        from punto.floor.parquet import export_parquet

        return {path: export_parquet(reader, loaded)}
    if form == "jsonl":
        return {path: "".join(f"{line}\n" for line in export_lines(reader, loaded)).encode()}
    book, files, named = loaded.table.book, dict[Path, bytes](), None
    if book.name not in NAMES or digest_of(load(book.name)) != digest_of(book):
        beside, text = path.with_suffix(".toml"), book_toml(book.text).encode()
        if beside.exists() and beside.read_bytes() != text:
            refuse(f"{beside} exists already and is another book: export to another name")
        files, named = {beside: text}, beside.name
    return {**files, path: "".join(f"{line}\n" for line in session_lines(reader, loaded, named)).encode()}


def table_import(
    file: Annotated[str, argument("FILE", "An exported table, JSON Lines or Parquet.")],
    id: Annotated[str, option("--as-table", "ID", "The id of the new table.")],
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Read an exported table, to look at it; it cannot be continued.

    Its events are replayed and must lead to the state that the file names. It is marked as imported, has no
    postings and cannot go on.
    """
    from punto.floor.archive import WrongExport, import_table

    not_served(server, "a whole table is too long for a call of the API, so it is imported where the database is")
    check_table_id(id)
    _check_not_held(database)
    try:
        with database_options.removed_on_refusal(database), database_options.opened(database, create=True) as store:
            lines, now = exported_lines(Path(file)), database_options.now_ms()
            came = import_table(store, id, lines, now, database_options.operator())
    except WrongExport as error:
        refuse(f"{file} cannot be imported: {error}")
    version = database_options.accepted(came)
    sentence = f"table {id} was imported at version {version:,}; punto table show {id} shows it"
    answer({"table": id, "version": version, "imported": True}, sentence, json=json)


def _check_not_held(database: str | None) -> None:
    """A server that has the database is handed errands, and a whole table is too long for one."""
    from punto.store.connection import parse_address
    from punto.store.server_lock import holder_of

    holder = None if database is None else holder_of(parse_address(database))
    if holder is not None:
        refuse(f"{database} is in use by punto serve at {holder.url}; a table can be imported when it has stopped")


def exported_lines(path: Path) -> Iterator[bytes]:
    """The lines of an exported table, JSON Lines or Parquet; the command ends if they cannot be read."""
    from punto.floor.archive import LONGEST_LINE
    from punto.floor.parquet import MAGIC, parquet_lines

    with reading_file(path) as stream:
        if stream.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
            yield from parquet_lines(stream)
            return
        while line := stream.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                refuse(f"{path} cannot be read: a line is longer than {LONGEST_LINE // 1024 // 1024} MiB")
            yield line.rstrip(b"\r\n")
