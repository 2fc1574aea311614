"""`punto doctor`: whether this machine and its house are well, and which software is installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.database_options import DatabaseOption, default_database, is_missing
from punto.cli.ink import show
from punto.cli.options import JsonOption, LanguageOption, language_of, option
from punto.cli.output import answer_json, one_line
from punto.documents.page import Grid, Style

if TYPE_CHECKING:
    from punto.floor.doctor import ServerPlan
    from punto.store.connection import Address

UNWELL = 1  # Exit status where something is wrong.


def doctor(
    manifest: Annotated[
        bool, typer.Option("--manifest", help="Print every file of the software with its SHA-256, for sha256sum -c.")
    ] = False,
    config: Annotated[
        Path | None, option("--config", "FILE", "The settings file of punto serve, to check it too.")
    ] = None,
    language: LanguageOption = "en",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Check that this machine and its house are in order.

    The software beside what was installed; settings, ports and proxies as punto serve would have them; the database,
    whether it is durable, its schema, key and backups; disk and clock. Each sentence says what to do. Nothing is
    changed. Exit status 1 if something is wrong.
    """
    if manifest:
        _print_manifest(json=json)
        return
    words = language_of(language)
    from punto.floor.doctor import Patient, examine

    diagnosis = examine(Patient(_place(database), plan=_plan(config)))
    if json:
        answer_json(diagnosis)
    else:
        marks = {place: Style.NOTICE for place, check in enumerate(diagnosis.checks) if not check.ok}
        told = ((one, one_line(getattr(one.words, words))) for one in diagnosis.checks)
        rows = tuple((one.check, "ok" if one.ok else "not ok", text) for one, text in told)
        show(Grid(("check", "", "what was found"), rows, grows=2, marks=marks))
    if not diagnosis.ok:
        raise typer.Exit(UNWELL)


def _place(database: str | None) -> Address | None:
    from punto.store.connection import parse_address

    if is_missing(database):
        return None
    return parse_address(database if database is not None else default_database(create=False))


def _plan(config: Path | None) -> ServerPlan:
    """How punto serve would be started here. A name in the environment that means nothing is most likely a slip."""
    from punto.floor.doctor import ServerPlan
    from punto.server.settings import SETTINGS, WrongSetting, read_settings
    from punto.suggestion import did_you_mean

    known = {*OTHER_VARIABLES, *(setting.variable for setting in SETTINGS)}
    strange = sorted(name for name in os.environ if name.startswith("PUNTO_") and name not in known)
    if strange:
        what = f"{strange[0]} in the environment is not a setting{did_you_mean(strange[0], sorted(known))}"
        return ServerPlan(problem=what)
    try:
        found = read_settings({}, os.environ, config, default_database(create=False))
    except WrongSetting as wrong:
        return ServerPlan(problem=str(wrong))
    return ServerPlan(
        *(found.host, found.port, found.metrics_port, found.hosts, found.https, found.proxies, found.is_loopback)
    )


OTHER_VARIABLES = (
    *(f"PUNTO_{name}{end}" for name in ("KEY", "SECOND_KEY", "ANCHOR_KEY") for end in ("", "_FILE")),
    *(f"PUNTO_{name}{end}" for name in ("TOKEN", "PASSWORD") for end in ("", "_FILE")),
    *("PUNTO_CODE", "PUNTO_LOST_KEY", "PUNTO_BROWSER", "PUNTO_TEST_SHOES", "PUNTO_TEST_FAMILY"),
)
"""Names in the environment that are not settings of a server."""


def _print_manifest(*, json: bool) -> None:
    from punto.floor.integrity import check_software, files_of, manifest_text

    if json:
        import msgspec

        answer_json({**msgspec.to_builtins(check_software()), "manifest": files_of()})
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(manifest_text(files_of()).encode())
    sys.stdout.buffer.flush()
