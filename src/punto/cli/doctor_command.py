"""`punto doctor`: whether this machine and its house are well, and which software is installed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.database_options import DatabaseOption, default_database, is_missing
from punto.cli.ink import show
from punto.cli.options import JsonOption
from punto.cli.output import answer_json, one_line
from punto.documents.page import Grid, Style

if TYPE_CHECKING:
    from punto.store.connection import Address

UNWELL = 1  # Exit status where something is wrong.


def doctor(
    manifest: Annotated[
        bool, typer.Option("--manifest", help="Print every file of the software with its SHA-256, for sha256sum -c.")
    ] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Look whether this machine and its house are well.

    The software beside what was installed, the database, its schema, key and backups, the disk and the clock: each
    sentence says what to do. Nothing is changed. Exit status 1 if something is wrong.
    """
    if manifest:
        _print_manifest(json=json)
        return
    from punto.floor.doctor import Patient, examine

    diagnosis = examine(Patient(_place(database)))
    if json:
        answer_json(diagnosis)
    else:
        marks = {place: Style.NOTICE for place, check in enumerate(diagnosis.checks) if not check.ok}
        rows = tuple((c.check, "well" if c.ok else "not well", one_line(c.sentence)) for c in diagnosis.checks)
        show(Grid(("check", "", "what was found"), rows, grows=2, marks=marks))
    if not diagnosis.ok:
        raise typer.Exit(UNWELL)


def _place(database: str | None) -> Address | None:
    from punto.store.connection import parse_address

    if is_missing(database):
        return None
    return parse_address(database if database is not None else default_database(create=False))


def _print_manifest(*, json: bool) -> None:
    from punto.floor.integrity import check_software, files_of, manifest_text

    if json:
        import msgspec

        answer_json({**msgspec.to_builtins(check_software()), "manifest": files_of()})
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(manifest_text(files_of()).encode())
    sys.stdout.buffer.flush()
