"""`punto backup`, `restore` and `replay`: a database as one file, a backup into an empty database, and
whether an exported table comes to the state and the hash that it names.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.database_options import TIME_HELP, DatabaseOption, default_database, opened, operator, read_time
from punto.cli.files import opened_file, read_failures_told
from punto.cli.options import JsonOption, answer, argument, open_book, option
from punto.cli.output import answer_json, complain, refuse

if TYPE_CHECKING:
    from punto.floor.archive import Replayed


def backup(
    file: Annotated[str, argument("FILE", "A new file; an existing one is never overwritten.")],
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Write everything in a database to one file.

    It is one consistent moment, also while tables are being played, and holds everything but the key that
    seals the order of shuffled shoes: keep that apart.
    """
    from punto.store.backup import backup as write_backup
    from punto.store.backup import note_backup

    with opened(database) as store:
        rows = write_backup(store, Path(file))
        note_backup(store, Path(file), rows, operator())
    sentence = f"{file}: {rows:,} rows; punto restore {file} --database URL reads them into an empty database"
    answer({"file": file, "rows": rows}, sentence, json=json)


def restore(
    file: Annotated[str, argument("FILE", "A backup; with --to also a folder of backups.")],
    until: Annotated[str | None, option("--to", "TIME", f"The house as it was at this time, {TIME_HELP}")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Read a backup into an empty database.

    Nothing is ever overwritten: a database that is not empty is refused. With --to, the last backup in a folder that
    has nothing after that moment is read, and everything in it is verified; exit status 1 if something was
    changed.
    """
    from punto.store.backup import backup_until
    from punto.store.backup import restore as read_backup
    from punto.store.connection import parse_address

    path, moment, limit = Path(file), 0, read_time("--to", until)
    if limit is not None:
        path, moment = backup_until(path, limit)
    address = parse_address(database if database is not None else default_database(create=True))
    rows = read_backup(path, address)
    found: dict[str, object] = {"database": str(address), "rows": rows}
    sentence = f"{address}: {rows:,} rows were restored"
    if limit is None:
        answer(found, sentence, json=json)
        return
    is_sound = _is_sound(str(address))
    when = datetime.fromtimestamp(moment / 1000, UTC).isoformat(timespec="seconds")
    sentence += f" from {path}: the house as it was at {when}; what came after that is not in it"
    verified = "every record was verified" if is_sound else "RECORDS WERE CHANGED: run punto audit verify"
    answer({**found, "file": str(path), "moment": moment, "verified": is_sound}, f"{sentence}; {verified}", json=json)
    if not is_sound:
        raise typer.Exit(DIFFERENT)


def _is_sound(database: str) -> bool:
    """Whether every record of a database is as it was written."""
    from punto.audit.verification import verify

    with opened(database) as store, store.read() as reader:
        return verify(reader, None, None, None).ok


DIFFERENT = 1  # Exit status of a replay that differs.


def replay(
    file: Annotated[str, argument("FILE", "An exported table: JSON Lines, Parquet or a session.")],
    json: JsonOption = False,
) -> None:
    """Replay an exported table and say whether it is the same.

    Everything is computed again from the file alone, by the book whose digest it names, and compared with
    the state and the hash that it names. Exit status 1 if it differs. No database is needed.
    """
    from punto.floor.archive import WrongExport

    try:
        came = _replayed(file)
    except WrongExport as error:
        refuse(f"{file} cannot be replayed: {error}")
    if json:
        answer_json(came)
    elif came.is_same:
        print(f"{file}: the same: table {came.table}, {came.version:,} events, hash {came.head}")
    for difference in () if json else came.differences:
        complain(f"{file}: {difference}")
    if not came.is_same:
        raise typer.Exit(DIFFERENT)


def _replayed(file: str) -> Replayed:
    from punto.books import load_earlier
    from punto.cli.deal_commands import read_session_text
    from punto.cli.table_commands import exported_lines
    from punto.floor.archive import replay_export, replay_session
    from punto.floor.parquet import MAGIC

    path = Path(file)
    with read_failures_told(file):
        try:
            with opened_file(path) as stream:
                begin = stream.read(len(MAGIC))
        except FileNotFoundError:
            refuse(f"there is no file {file}")
    if begin == MAGIC or begin[:1] in (b"{", b"\x00"):
        return replay_export(exported_lines(path))
    text = read_session_text(file)
    return replay_session(text, lambda name: open_book(name, path.parent, f"{file}: "), load_earlier)
