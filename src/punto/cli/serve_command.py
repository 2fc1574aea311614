"""`punto serve`: opens a floor on this machine."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.database_options import DatabaseOption, default_database
from punto.cli.options import JsonOption, option
from punto.server.settings import SETTINGS, Setting, read_settings

if TYPE_CHECKING:
    from punto.server.serving import Serving


def serve(
    config: Annotated[
        Path | None,
        option("--config", "FILE", "A TOML file with settings; their names are those of the options, with _ for -."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the pages in a browser.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
    **flags: Any,
) -> None:
    """Open a floor on this machine: tables in a browser, and an API for programs.

    On 127.0.0.1 an empty SQLite file becomes a demonstration, with tables and log-ins to try. Nothing is
    added to a database that is in use. Anywhere else make an administrator first: punto people new. You can also
    set each option in the environment, such as PUNTO_PORT, or in the file that --config names; the command
    line comes first, then the environment.
    """
    from punto.server.serving import serve as serve_floor
    from punto.store.seal import SEAL_KEY, SECOND_KEY

    SEAL_KEY.check()
    SECOND_KEY.check()
    settings = read_settings({**flags, "database": database}, os.environ, config, default_database(create=False))
    if settings.database == default_database(create=False):
        default_database(create=True)
    serve_floor(settings, lambda serving: _tell(serving, json=json, opens=not no_browser))


def _option(setting: Setting) -> inspect.Parameter:
    """The option of a setting; nothing is its default, so that the environment and the file can say it."""
    kind = list[str] if setting.kind is list else setting.kind
    names = f"{setting.flag}/--no-{setting.flag[2:]}" if setting.kind is bool else setting.flag
    declared = option(names, setting.about.metavar, setting.option_help, rich_help_panel=setting.about.panel)
    annotation = Annotated[kind | None, declared]  # type: ignore[valid-type]
    return inspect.Parameter(setting.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _signature() -> inspect.Signature:
    """Of `serve`, as Typer reads it: an option for each setting, then those that are not settings."""
    own = [each for each in inspect.signature(serve, eval_str=True).parameters.values() if each.name != "flags"]
    options = [_option(setting) for setting in SETTINGS if setting.name != "database"]
    return inspect.Signature([*options, *(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own)])


serve.__signature__ = _signature()  # type: ignore[attr-defined]


def _tell(serving: Serving, *, json: bool, opens: bool) -> None:
    """Where to look, and who can log in."""
    import msgspec

    from punto.server.serving import first_administrator

    if json:
        record = {name: getattr(serving, name) for name in ("url", "database", "logins", "entry")}
        if serving.metrics_port is not None:
            record["metrics_port"] = serving.metrics_port
        print(msgspec.json.encode(record).decode(), flush=True)
        return
    print(f"The floor is open at {serving.url}  (database: {serving.database})")
    if serving.entry:
        print("To come in as the player, open this; it works once, on this machine, in the next ten minutes:\n")
        print(f"  {serving.entry}\n")
    if serving.logins:
        print("Or log in as anybody; these names and passwords are of this database only:\n")
        for login in serving.logins:
            print(f"  {login.role.value:<16} {login.name:<12} {login.password}")
        print()
    elif serving.has_administrator:
        print("This database is a house of its own: log in as somebody who is in it (punto people list).")
    else:
        print("This database is a house of its own, and nobody can administer it yet. Stop it and type")
        print(f"  {first_administrator(serving.database)}")
        print("To try a demonstration instead, name a new file: punto serve --database FILE")
    if not serving.has_pages:
        print("There are no pages yet, only the API: this checkout has not built them. Stop the floor, type")
        print("  make pages")
        print("and start it again.")
    print("Ctrl-C stops it. The API is described at /docs.", flush=True)
    if opens and serving.has_pages:
        import webbrowser

        webbrowser.open(serving.entry or serving.url)
