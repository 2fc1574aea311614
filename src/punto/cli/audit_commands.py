"""`punto audit`: whether what is stored was changed. Anchors and verification of records, the order of a shoe
against its promise, the history of a round for a dispute, a search among rounds, and results watched
against exact odds.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from punto.cli import database_options
from punto.cli.database_options import TIME_HELP, DatabaseOption, complete_table, reading, stored_table, with_amounts
from punto.cli.files import check_new, check_result_format, read_bytes, read_text, write_to_stdout, write_whole
from punto.cli.ink import show, show_page, show_pairs, tell
from punto.cli.options import JsonOption, LanguageOption, answer, argument, check_one_of, language_of, option, read_as
from punto.cli.output import answer_json, complain, one_line, refuse, told_times
from punto.documents.page import Grid, Page, Style
from punto.money import format_money, parse_amount
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.audit.anchor import Anchor
    from punto.audit.problem import AuditProblem, ProblemGroup
    from punto.audit.round_history import RoundPlace, RoundSummary
    from punto.audit.shuffle import ShoeCheck, ShoeRecord
    from punto.audit.sight import Sight
    from punto.audit.verification import Verification
    from punto.store.chain import HouseAct
    from punto.store.reader import Reader
    from punto.store.record import StoredTable
    from punto.words import Language

CHANGED = 1  # Exit status where something was changed, does not match, or is beyond chance.
MOST_PLACES = 8  # Places of one kind of problem that are named; the others are counted.
MOST_ALIKE = 5  # Problems of one kind without a place that are shown.
MANY_EVENTS = 200_000  # From this number of events on, several processes are faster than one.
MOST_WORKERS = 64
LARGEST_SHOE_LOG = 256 * 1024 * 1024  # Bytes of a file.
SHOWN_PROBLEMS = 10
MOST_ROUNDS = 50  # Rounds that are listed unless another number is asked for.
LONG_WATCH = 50_000  # Events of a table that take long enough to say so.
_CARDS_A_LINE = 13

PUBLIC_KEY_HELP = "A key that you trust, or a file with it; default: that of this machine. Can be repeated."
IRREGULARITY_HELP = "Only where something went wrong: any, void, reversed, a finding such as wrong-number, or a clause."
WATCHED_HELP = "Only this table; can be repeated. Default: all but imported ones."
LEVEL_HELP = "Chance of any false alarm about an honest floor, ever: 0.01 is 1 %."
PageOption = Annotated[str | None, option("--output -o", "FILE", "Write it as a web page: .html.")]


def audit_anchor(
    output: Annotated[str | None, option("--output -o", "FILE", "A new file; default: stdout.")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Write a signed anchor: where every table stands now.

    Keep anchors where nobody who can write to the database can change them: on another machine, on paper, with
    a third party. punto audit verify --anchor FILE finds every later change to what was there at that moment.
    """
    from punto.audit.anchor import ANCHOR_KEY, anchor_file, make_anchor, own_signer
    from punto.floor.integrity import software_name
    from punto.rules.wording import counted

    path = check_new(output) if output is not None else None
    is_new = not os.environ.get(ANCHOR_KEY.variable) and not ANCHOR_KEY.path.exists()
    with reading(database) as reader:
        anchor = make_anchor(reader, own_signer(make=True), database_options.now_ms(), software_name())
    if path is None:
        write_to_stdout([anchor_file(anchor)])
        return
    write_whole(path, anchor_file(anchor), is_new=True)
    events = sum(chain.seq for chain in anchor.tables.values())
    counts = {"tables": len(anchor.tables), "events": events}
    place = f", made now in {ANCHOR_KEY.path}" if is_new else ""
    answer(
        {"file": str(path), **counts, "public_key": anchor.public_key},
        f"{path}: {counted(len(anchor.tables), 'table')}, {counted(events, 'event')}; keep it away from the database\n"
        f"signed with the key {anchor.public_key}{place}",
        json=json,
    )


def problem_lines(problems: Sequence[AuditProblem], language: Language) -> Iterator[str]:
    from punto.audit.problem import problem_groups

    for table, (first, *others) in problem_groups(problems).items():
        yield from _group_lines(first, language)
        if others and table is not None:
            yield "  what may follow from it:"
        for group in others:
            for line in _group_lines(group, language):
                yield f"  {line}" if table is not None else line


def _group_lines(group: ProblemGroup, language: Language) -> Iterator[str]:
    from punto.audit.problem import event_ranges

    placeless = [problem for problem in group.others if problem.seq is None]
    elsewhere = {problem.seq for problem in group.others if problem.seq is not None} - {group.first.seq}
    yield _problem_line(group.first, language)
    if places := event_ranges(elsewhere):
        more = len(places) - MOST_PLACES
        listed = ", ".join(places[:MOST_PLACES]) + (f" and {more:,} more" if more > 0 else "")
        yield f"  the same at {listed}"
    yield from (_problem_line(problem, language) for problem in placeless[: MOST_ALIKE - 1])
    if len(placeless) >= MOST_ALIKE:
        yield f"  and {len(placeless) - MOST_ALIKE + 1:,} more like this"


def _problem_line(problem: AuditProblem, language: Language) -> str:
    place = "" if problem.table is None else problem.table
    place += "" if problem.seq is None else f"/{problem.seq}"
    words: str = getattr(problem.words, language)
    return f"{place}: {words}" if place else words


def audit_verify(
    table: Annotated[str | None, option("--table", "ID", "One table; default: everything.")] = None,
    anchor: Annotated[str | None, option("--anchor", "FILE", "An anchor that was kept.")] = None,
    public_key: Annotated[list[str] | None, option("--public-key", "KEY", PUBLIC_KEY_HELP)] = None,
    workers: Annotated[
        int | None,
        option("--workers", "N", "Processes that look at tables; default: one per core if there are many events."),
    ] = None,
    language: LanguageOption = "en",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Look for records that were changed, removed or added.

    Every hash is computed again, and every posting and balance derived from the events again. With an anchor,
    everything that it covers is known to be as it was; what came later is reported as unanchored. The
    first problem of each table is shown, with what may follow from it; --json lists them one by one. Exit status 1
    if something was changed.
    """
    from punto.audit.verification import several_processes, verify

    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        refuse(f"workers must be from 1 to {MOST_WORKERS}")
    if anchor is None and public_key:
        refuse("--public-key is for an anchor: give one with --anchor FILE")
    words = language_of(language)
    known = _given_anchor(anchor, public_key or []) if anchor is not None else None
    with database_options.opened(database) as store, store.read() as reader:
        tables = reader.tables()
        wanted = stored_table(reader, table) if table is not None else None
        if known is not None:
            _check_same_house(known, [each.id for each in tables], table)
        if workers is None:
            is_long = wanted is None and sum(each.version for each in tables) >= MANY_EVENTS
            workers = min(os.cpu_count() or 1, len(tables)) if is_long else 1
        with several_processes(store.address, workers) if workers > 1 else nullcontext() as begin:
            verification = verify(reader, wanted, known, begin)
    if json:
        answer_json(verification)
    else:
        _tell_verification(verification, words, has_anchor=known is not None)
    if not verification.ok:
        raise typer.Exit(CHANGED)


def _given_anchor(file: str, keys: list[str]) -> Anchor:
    """The anchor in a file; the command ends if it is not one, or nobody who is trusted signed it."""
    from punto.audit.anchor import LARGEST_ANCHOR, WrongAnchor, own_signer, read_anchor

    try:
        trusted = [_public_key(key) for key in keys] or [own_signer(make=False).public_key]
        return read_anchor(read_bytes(Path(file), LARGEST_ANCHOR), trusted)
    except WrongAnchor as error:
        refuse(f"{file} cannot be used: {error}")


def _public_key(text: str) -> str:
    from punto.audit.anchor import PUBLIC_KEY

    digits = text.strip().lower()
    if not PUBLIC_KEY.fullmatch(digits) and Path(text).is_file():
        digits = read_text(Path(text), 1024).strip().lower()
    if not PUBLIC_KEY.fullmatch(digits):
        wanted = "--public-key takes 64 hexadecimal digits, or a file that holds them"
        if Path(text).is_file():
            refuse(f"{wanted}; {text} holds something else")
        refuse(f"{wanted}; {text!r} is neither: there is no such file")
    return digits


def _check_same_house(anchor: Anchor, tables: list[str], wanted: str | None) -> None:
    if wanted is not None and wanted not in anchor.tables:
        refuse(f"the anchor says nothing about table {wanted}; make a new one with punto audit anchor")
    if anchor.tables and tables and not anchor.tables.keys() & set(tables):
        refuse("none of the tables in the anchor is in this database: it is the anchor of another one")


def _tell_verification(verification: Verification, language: Language, *, has_anchor: bool) -> None:
    from msgspec import UNSET

    from punto.rules.wording import counted

    for line in problem_lines(verification.problems, language):
        print(one_line(line))
    if verification.problems:
        print()
    chains = [(f"{id}: last event", verification.anchored.get(id), last) for id, last in verification.last.items()]
    own = {"cashier: last movement": verification.cashier, "house: last act": verification.house}
    for words, chain in own.items():
        if chain.anchored is not UNSET and chain.last is not UNSET:
            chains.append((words, chain.anchored, chain.last))
    for words, anchored, last in chains:
        print(one_line(f"{words} {last:,}{_vouched(anchored, last) if has_anchor else ''}"))
    events, tables = counted(verification.events, "event"), counted(len(verification.last), "table")
    print(f"{events} in {tables}: {'no change found' if verification.ok else 'something was changed'}")
    if not has_anchor:
        print("without --anchor, a change after which every hash was computed again is not found")


def _vouched(anchored: int | None, last: int) -> str:
    if anchored is None:
        return ", not in the anchor: unanchored"
    return f", anchored at {anchored:,}" + (f"; {last - anchored:,} after that unanchored" if anchored < last else "")


def audit_shoe(
    what: Annotated[str, argument("ID|FILE", "A shoe, as TABLE/2, a table, or a file with its record.")],
    number: Annotated[int | None, option("--shoe", "N", "Which shoe, if there are several.", min=1)] = None,
    order: Annotated[bool, typer.Option("--order", help="Print every card in its order.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Check that a shoe was dealt in the order that was promised.

    It uses only what was published: the seed must fit the commitment, the bytes of players their pledges, and
    every card its place. A file is a log (punto table log, punto table export) or what --json prints here.
    Exit status 1 if something does not match, or the shoe cannot be checked.
    """
    from punto.audit.shuffle import check_shoe
    from punto.store import TABLE_ID

    named = re.fullmatch(rf"({TABLE_ID.pattern})/([1-9][0-9]{{0,8}})", what)
    if named is not None and number is not None:
        refuse(f"{what} names its shoe already; --shoe is for tables and files")
    record = _stored_shoe(named[1], int(named[2]), database) if named else _shoe_of_file(what, number, database)
    checked = check_shoe(record)
    if json:
        answer_json(checked)
    else:
        _tell_shoe(checked, with_order=order)
    if not checked.matches:
        raise typer.Exit(CHANGED)


def _stored_shoe(table: str, shoe: int, database: str | None) -> ShoeRecord:
    from punto.audit.shuffle import check_shoe, stored_record

    with reading(database) as reader:
        stored = stored_table(reader, table)
        record = stored_record(reader, table, stored.version, shoe)
        if record is None:
            _refuse_shoe(reader, table, stored.version)
    if stored.imported and record.commitment and not check_shoe(record).matches:
        # A commitment binds a table by its id, and an import may have another one.
        refuse(f"table {table} was imported: check the file that it came from, punto audit shoe FILE")
    return record


def _only_shoe(table: str, database: str | None) -> int:
    """The shoe of a table that has had one; of several, somebody has to say which."""
    with reading(database) as reader:
        stored = stored_table(reader, table)
        if reader.state_at(table, stored.version).shoe_number != 1:
            _refuse_shoe(reader, table, stored.version)
    return 1


def _refuse_shoe(reader: Reader, table: str, version: int) -> NoReturn:
    """The shoes that a table has, for somebody who named none of them."""
    shoes = reader.state_at(table, version).shoe_number
    if not shoes:
        refuse(f"table {table} has not had a shoe yet")
    has = "shoe 1 only" if shoes == 1 else f"shoes 1 to {shoes:,}"
    refuse(f"table {table} has {has}; write {table}/{shoes} for the last one")


def _shoe_of_file(name: str, shoe: int | None, database: str | None) -> ShoeRecord:
    from punto.audit.shuffle import ShoesToChoose, WrongRecord, read_record
    from punto.store import TABLE_ID

    path = Path(name)
    if not path.exists() and TABLE_ID.fullmatch(name):
        with reading(database) as reader:
            is_table = reader.table(name) is not None
        if is_table:
            return _stored_shoe(name, shoe or _only_shoe(name, database), database)
    if not path.exists() and "." not in name:
        refuse(f"{name!r} is neither a file nor a shoe; a shoe is written TABLE/NUMBER, such as main-1/2")
    try:
        return read_record(read_bytes(path, LARGEST_SHOE_LOG), shoe)
    except ShoesToChoose as several:
        refuse(f"{name} holds shoes 1 to {several.shoes[-1]}; say which with --shoe N")
    except WrongRecord as error:
        refuse(f"{name} cannot be checked: {error}")


def _tell_shoe(checked: ShoeCheck, *, with_order: bool) -> None:
    from punto.rules.wording import counted

    tell(f"Shoe {checked.id}: {counted(checked.decks, 'deck')}, {checked.source.value} cards", Style.TITLE)
    rows = []
    if checked.commitment:
        rows += [("commitment", checked.commitment), ("algorithm", one_line(checked.algorithm))]
    for pledge in checked.pledges:
        added = pledge.opened if pledge.opened is not None else "pledged, not opened: left out"
        rows.append((f"from {one_line(pledge.player)}" if pledge.player else "added", one_line(added)))
    if checked.seed is not None:
        rows.append(("seed", one_line(checked.seed)))
    if checked.order is not None:
        rows.append(("dealt", f"{checked.compared} of {len(checked.order)} cards, each compared"))
    if rows:
        show_pairs(rows)
        print()
    if with_order and checked.order is not None:
        cards = [card.symbol for card in checked.order]
        for start in range(0, len(cards), _CARDS_A_LINE):
            print(f"{start + 1:4}  {' '.join(cards[start : start + _CARDS_A_LINE])}")
        print()
    _tell_shoe_verdict(checked)


def _tell_shoe_verdict(checked: ShoeCheck) -> None:
    if checked.closed is not None:
        complain(checked.closed)
    elif checked.matches:
        print("It matches: the house was bound to this order before the first bet, and dealt by it.")
    else:
        for problem in checked.problems[:SHOWN_PROBLEMS]:
            print(one_line(problem))
        if len(checked.problems) > SHOWN_PROBLEMS:
            print(f"… and {len(checked.problems) - SHOWN_PROBLEMS:,} more")
        print("It does not match: the shoe was not dealt as it was promised.")


def audit_round(
    id: Annotated[str, argument("ID", "A round, such as main-1/17.")],
    at: Annotated[int | None, option("--at", "SEQ", "As it was after this event of the round.", min=1)] = None,
    output: PageOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show everything about a round.

    Cards in order, who bet what and when, what was refused, what went wrong with its evidence and clauses,
    who decided and who approved it, every line paid, and balances before and after. With --at the table is
    shown as it was after an event. Exit status 1 if the records are not as they were stored.
    """
    from punto.audit.history_page import history_page, round_record
    from punto.audit.round_history import check_chained, round_history
    from punto.floor.loaded_table import BookCache

    path = check_result_format(output, (".html", ".htm")) if output is not None else None
    table, number = read_round_id(id)
    with reading(database) as reader:
        stored = stored_table(reader, table)
        place = _round_place(reader, stored, number)
        if at is not None and not place.first <= at <= place.last:
            refuse(f"round {id} has the events {place.first} to {place.last}; --at {at} is not one of them")
        book = BookCache().book(reader, stored.digest)
        history = round_history(reader, stored, book, place, at)
        chain = check_chained(reader, stored, history.at)
    page, record = history_page(history), None
    if json:
        same = {"same": chain.is_same, "version": chain.version, "hash": chain.hash}
        record = {**with_amounts(round_record(history)), **same}
    _answer_page(page, path, f"{path}: {page.title}", record)
    if not chain.is_same:
        complain(f"table {table}: the records up to event {chain.version:,} are not as they were stored")
        raise typer.Exit(CHANGED)


def _answer_page(page: Page, path: Path | None, written: str, record: object) -> None:
    """A page in its file, on the screen, or as the record of it that a program asked for."""
    if path is not None:
        from punto.documents.typesetting import html_page

        write_whole(path, html_page(page).encode())
    if record is not None:
        answer_json(record)
    elif path is not None:
        print(written)
    else:
        show_page(page)


def read_round_id(id: str) -> tuple[str, int]:
    """Table and number of a round; the command ends if it is not the id of one."""
    table, slash, number = id.rpartition("/")
    if not slash or not table or not (number.isascii() and number.isdecimal()) or len(number) > 15:
        refuse(f"{id!r} is not a round; write the table, a slash and its number, such as main-1/17")
    return table, int(number)


def _round_place(reader: Reader, table: StoredTable, number: int) -> RoundPlace:
    from punto.audit.round_history import last_round, place_of

    place = place_of(reader, table, number)
    if place is None:
        last = last_round(reader, table)
        had = f"its rounds are 1 to {last}" if last else "no round has been called there yet"
        refuse(f"table {table.id} has no round {number}; {had}")
    return place


def audit_rounds(
    table: Annotated[
        list[str] | None, option("--table", "ID", "Only of this table; can be repeated.", autocompletion=complete_table)
    ] = None,
    player: Annotated[str | None, option("--player", "NAME", "Only where this player bet.")] = None,
    since: Annotated[str | None, option("--from", "TIME", f"Called from this time on, {TIME_HELP}")] = None,
    until: Annotated[str | None, option("--to", "TIME", "Called before this time.")] = None,
    irregularity: Annotated[str | None, option("--irregularity", "WHAT", IRREGULARITY_HELP)] = None,
    amount: Annotated[
        str | None, option("--amount-over", "AMOUNT", "Only where a player staked or won more than this in the round.")
    ] = None,
    limit: Annotated[
        int, option("--limit", "N", "At most this many; the latest first.", min=1, show_default=True)
    ] = MOST_ROUNDS,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """List rounds, and search for them.

    The latest come first. Conditions that are given together must all hold.
    """
    from punto.audit.round_history import RoundSearch, find_rounds

    begin, end = database_options.read_time("--from", since), database_options.read_time("--to", until)
    over = read_as(parse_amount, amount, "--amount-over: ") if amount is not None else None
    _check_irregularity(irregularity)
    with reading(database) as reader:
        for id in table or ():
            stored_table(reader, id)
        search = RoundSearch(tuple(table or ()), player, begin, end, irregularity, over)
        rounds = find_rounds(reader, search, limit + 1)
    listed = rounds[:limit]
    if json:
        answer_json(with_amounts(listed))
    elif listed:
        _draw_rounds(listed, is_more=len(rounds) > limit)
    else:
        print("there are no rounds yet" if search == RoundSearch() else "no round matches")


def _check_irregularity(text: str | None) -> None:
    from punto.rules.book_text import Finding

    known = ["any", "void", "reversed", *(finding.value for finding in Finding)]
    if text is not None and text not in known and not text[:1].isdecimal():
        choices = f"{', '.join(known)}, or the number of a clause"
        refuse(f"{text!r} is not an irregularity{did_you_mean(text, known)}; write {choices}")


def _draw_rounds(rounds: list[RoundSummary], *, is_more: bool) -> None:
    from punto.audit.round_history import RoundStatus, result_words

    rows: list[tuple[str, ...]] = []
    zone, times = told_times([one.time for one in rounds])
    for one, called in zip(rounds, times, strict=True):
        place = f"{one.table}/{one.round}"
        staked = format_money(sum(result.staked for result in one.players.values()))
        won = format_money(-sum(result.net for result in one.players.values()), is_signed=True)
        house = won if one.status is RoundStatus.SETTLED else ""
        players = one_line(", ".join(one.players))
        rows.append((place, called, result_words(one), players, staked, house, ", ".join(one.findings)))
    heads: tuple[str, ...] = ("round", f"called ({zone})", "result", "players", "staked", "house", "what went wrong")
    if not any(one.findings for one in rounds):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    marks = {place: Style.NOTICE for place, one in enumerate(rounds) if one.is_irregular}
    show(Grid(heads, tuple(rows), right=(4, 5), grows=3, marks=marks))
    if is_more:
        print("there are more; --limit N lists more of them, and conditions narrow the list")


def audit_watch(
    table: Annotated[list[str] | None, option("--table", "ID", WATCHED_HELP, autocompletion=complete_table)] = None,
    level: Annotated[float, option("--level", "P", LEVEL_HELP, show_default=True)] = 0.01,
    output: PageOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Compare results with exact odds.

    Winners, totals, pairs, every bet, cards, burn and cut cards, and what players win, over all rounds of the
    tables. The limits hold however often you look. Exit status 1 if something is beyond chance, or was not
    paid by the book.
    """
    path = check_result_format(output, (".html", ".htm")) if output is not None else None
    if not 0 < level < 1:
        refuse("--level must be between 0 and 1, such as 0.01 for 1 %")
    with reading(database) as reader:
        # A copy of a table is not evidence of its own: imported tables are watched where they are named.
        here = [stored for stored in reader.tables() if not stored.imported]
        tables = [stored_table(reader, id) for id in dict.fromkeys(table)] if table else here
        if not tables and not json and path is None:
            print("there are no tables yet; punto table new main-1 ez house opens one")
            return
        sights = {stored.id: _sight_of(reader, stored) for stored in tables}

    from punto.audit.watch import floor_page, floor_sentence, watch_floor

    watch = watch_floor(sights, level)
    written = f"{path} is written. {floor_sentence(watch)}"
    _answer_page(floor_page(watch), path, written, watch if json else None)
    if not watch.is_quiet:
        raise typer.Exit(CHANGED)


def _sight_of(reader: Reader, stored: StoredTable) -> Sight:
    from punto.floor.loaded_table import BookCache
    from punto.floor.results_watch import sight_of

    if stored.version >= LONG_WATCH:
        print(f"reading {stored.version:,} events of table {stored.id}", file=sys.stderr)
    return sight_of(reader, stored, BookCache())


def audit_disputes(
    is_open: Annotated[bool, typer.Option("--open", help="Only those that nobody has answered.")] = False,
    table: Annotated[
        str | None, option("--table", "ID", "Only of this table.", autocompletion=database_options.complete_table)
    ] = None,
    player: Annotated[str | None, option("--player", "NAME", "Only of this player.")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """List rounds that players dispute.

    The latest first: which round, who, what they say, and what was answered by whom. `punto audit round` tells
    everything about the round itself.
    """
    from punto.store.dispute import all_disputes

    with reading(database) as reader:
        found = [
            one
            for one in all_disputes(reader)
            if (one.answer is None or not is_open) and table in (None, one.table) and player in (None, one.player)
        ]
    if json:
        answer_json(found)
        return
    if not found:
        print("no round is disputed")
        return
    rows = []
    zone, times = told_times([one.raised for one in found])
    for one, raised in zip(found, times, strict=True):
        answer = "" if one.answer is None else f"{one.answered_by}: {one.answer}"
        told = (f"{one.table}/{one.round}", raised, one.player, one.text, answer)
        rows.append(tuple(one_line(text) for text in told))
    show(Grid(("round", f"raised ({zone})", "player", "says", "answer"), tuple(rows), grows=3))


def audit_events(
    after: Annotated[int, option("--after", "SEQ", "Only those after this one.", min=0)] = 0,
    code: Annotated[list[str] | None, option("--code", "CODE", "Only of this kind; can be repeated.")] = None,
    table: Annotated[
        str | None, option("--table", "ID", "Only of this table.", autocompletion=database_options.complete_table)
    ] = None,
    person: Annotated[
        str | None, option("--who", "NAME", "Only what this person did or agreed to, or what concerns them.")
    ] = None,
    since: Annotated[str | None, option("--from", "TIME", f"From this time on, {TIME_HELP}")] = None,
    until: Annotated[str | None, option("--to", "TIME", "Before this time.")] = None,
    output: Annotated[str | None, option("--output -o", "FILE", "A new file: .csv or .jsonl.")] = None,
    language: LanguageOption = "en",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """List the significant events of the house.

    The oldest first: log-ins refused, roles, approvals, terms and rules before and after, voids, rulings,
    corrections, large stakes and wins, starts and stops, backups: who did it, who agreed, and why. With --json, and in
    a .jsonl file, each line is exactly as it is stored: anybody can compute the chain of hashes again from it.
    """
    from punto.audit.event_export import csv_lines
    from punto.store.chain import HouseCode
    from punto.store.significant_events import EventFilter, significant_lines

    for each in code or ():
        check_one_of("code", each, [known.value for known in HouseCode])
    words = language_of(language)
    path = check_result_format(output, (".csv", ".jsonl")) if output is not None else None
    begin, end = database_options.read_time("--from", since), database_options.read_time("--to", until)
    with reading(database) as reader:
        found = significant_lines(reader, after, EventFilter(tuple(code or ()), begin, end, table, person))
        if path is not None:
            is_csv = path.suffix == ".csv"
            lines = csv_lines(act for _, act in found) if is_csv else (f"{line}\n" for line, _ in found)
            write_whole(path, "".join(lines).encode(), is_new=True)
            print(f"{path} is written")
        elif json:
            write_to_stdout(f"{line}\n".encode() for line, _ in found)
        else:
            _draw_events([act for _, act in found], words)


def _draw_events(acts: list[HouseAct], language: Language) -> None:
    from punto.audit.event_export import code_words, head_words, place_of_act, what_changed

    if not acts:
        print("no event in the records of the house matches")
        return
    rows = []
    zone, times = told_times([act.time for act in acts])
    for act, time in zip(acts, times, strict=True):
        told = (act.who, act.second, what_changed(act), act.reason)
        place = (str(act.seq), time, code_words(act.code, language))
        rows.append((*place, *(one_line(text or "") for text in (place_of_act(act), *told))))
    heads = head_words(language)
    heads["time"] = heads["time"].replace("UTC", zone)
    show(
        Grid(
            ("", *(heads[name] for name in ("time", "event", "place", "who", "second", "what", "reason"))),
            tuple(rows),
            grows=6,
        )
    )
