"""`punto serve`: opens a floor on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.database_options import DatabaseOption, default_database
from punto.cli.options import JsonOption
from punto.cli.output import refuse, refuse_lines

if TYPE_CHECKING:
    from punto.server.serving import Serving

_LISTEN, _TABLES, _PEOPLE = "Where it listens", "Tables", "People"


def serve(
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            help="The port to listen on; 0 for any that is free; default: 8317.",
            show_default=False,
            rich_help_panel=_LISTEN,
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="The address to listen on; default: 127.0.0.1.",
            show_default=False,
            rich_help_panel=_LISTEN,
        ),
    ] = None,
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            "--hosts",
            metavar="NAME",
            help="A host name that the server answers to; may be given several times.",
            show_default=False,
            rich_help_panel=_LISTEN,
        ),
    ] = None,
    origins: Annotated[
        list[str] | None,
        typer.Option(
            "--origins",
            metavar="URL",
            help="The origin of another page that may use it; may be given several times.",
            show_default=False,
            rich_help_panel=_LISTEN,
        ),
    ] = None,
    https: Annotated[
        bool | None,
        typer.Option(
            "--https/--no-https",
            help="The server is reached by https, through a proxy.",
            show_default=False,
            rich_help_panel=_LISTEN,
        ),
    ] = None,
    proxies: Annotated[
        list[str] | None,
        typer.Option(
            "--proxies",
            metavar="ADDRESS",
            help="A proxy whose X-Forwarded-For is believed; may be given several times.",
            show_default=False,
            rich_help_panel=_LISTEN,
        ),
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(
            "--pace",
            metavar="SECONDS",
            help="Seconds between two cards of an automatic dealer; default: 1.",
            show_default=False,
            rich_help_panel=_TABLES,
        ),
    ] = None,
    bets: Annotated[
        float | None,
        typer.Option(
            "--bets",
            metavar="SECONDS",
            help="Seconds in which bets can be placed at an automatic table; default: 20 times the pace.",
            show_default=False,
            rich_help_panel=_TABLES,
        ),
    ] = None,
    books: Annotated[
        list[str] | None,
        typer.Option(
            "--books",
            metavar="FILE",
            help="A book file of your own; may be given several times.",
            show_default=False,
            rich_help_panel=_TABLES,
        ),
    ] = None,
    demonstration: Annotated[
        bool | None,
        typer.Option(
            "--demonstration/--no-demonstration",
            help="Demonstration tables and log-ins, in an empty database; only on 127.0.0.1 with SQLite.",
            show_default=False,
            rich_help_panel=_TABLES,
        ),
    ] = None,
    session_hours: Annotated[
        float | None,
        typer.Option(
            "--session-hours",
            metavar="HOURS",
            help="Hours until a session expires; default: 12.",
            show_default=False,
            rich_help_panel=_PEOPLE,
        ),
    ] = None,
    fresh_minutes: Annotated[
        int | None,
        typer.Option(
            "--fresh-minutes",
            metavar="N",
            help="Minutes until sensitive acts ask for the password again; default: 15.",
            show_default=False,
            rich_help_panel=_PEOPLE,
        ),
    ] = None,
    approval_minutes: Annotated[
        int | None,
        typer.Option(
            "--approval-minutes",
            metavar="N",
            help="Minutes that a command waits for a second person; default: 10.",
            show_default=False,
            rich_help_panel=_PEOPLE,
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            metavar="N",
            help="Requests a second of one session; default: 100.",
            show_default=False,
            rich_help_panel=_PEOPLE,
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="LEVEL",
            help="What is logged on stderr: error, warning or info (every request); default: warning.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="A TOML file with settings; their names are those of the options, with _ for -.",
            show_default=False,
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the pages in a browser.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Open a floor on this machine: tables in a browser, and an API for programs.

    On 127.0.0.1 an empty SQLite file becomes a demonstration, with tables and log-ins to try. To a database
    that is in use nothing is added. Anywhere else make an administrator first: punto people new. Each option
    is also a setting of the environment, such as PUNTO_PORT, and of the file that --config names; the command
    line goes first, then the environment.
    """
    given = dict(locals())
    from punto.books import BookNotFound
    from punto.rules.validation import BookError
    from punto.server.serving import serve as serve_floor
    from punto.server.settings import WrongSetting, read_settings
    from punto.store.errors import StoreError
    from punto.store.seal import SEAL_KEY

    try:
        SEAL_KEY.check()
        settings = read_settings(given, os.environ, config, default_database(create=False))
        if settings.database == default_database(create=False):
            default_database(create=True)
        serve_floor(settings, lambda serving: _tell(serving, json=json, opens=not no_browser))
    except BookError as error:
        refuse_lines(error.lines)
    except (WrongSetting, StoreError, BookNotFound) as error:
        refuse(str(error))


def _tell(serving: Serving, *, json: bool, opens: bool) -> None:
    """Where to look, and who can log in."""
    if json:
        import msgspec

        names = ("url", "database", "logins")
        said = {name: getattr(serving, name) for name in names}
        print(msgspec.json.encode(said).decode(), flush=True)
        return
    print(f"The floor is open at {serving.url}  (database: {serving.database})")
    if serving.logins:
        print("Log in to try it; these names and passwords are of this database only:\n")
        for login in serving.logins:
            print(f"  {login.role.value:<16} {login.name:<12} {login.password}")
        print()
    else:
        _tell_of_house(serving)
    print("Ctrl-C stops it. The API is described at /docs.", flush=True)
    if opens:
        import webbrowser

        webbrowser.open(serving.url)


def _tell_of_house(serving: Serving) -> None:
    """Who can log in where nothing was made to be tried."""
    from punto.server.serving import first_administrator

    if serving.has_administrator:
        print("This database is a house of its own: log in as somebody who is in it (punto people list).")
        return
    print("This database is a house of its own, and nobody can administer it yet. Stop it and type")
    print(f"  {first_administrator(serving.database)}")
    print("To try a demonstration instead, name a new file: punto serve --database FILE")
