"""The database that a command works on, who is named as the one who does it, and times on the command line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from punto.cli.files import data_file
from punto.cli.options import complete_person
from punto.cli.output import refuse

if TYPE_CHECKING:
    from punto.floor.floor import Floor
    from punto.refusal import Refusal
    from punto.store.reader import Reader
    from punto.store.store import Store
    from punto.table.header import Person


DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="PUNTO_DATABASE",
        help="A file, sqlite:///PATH or postgresql://…; default: a file in your data folder.",
        show_default=False,
        show_envvar=False,
    ),
]
AsOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME:ROLE",
        help="Who does it, in which role.",
        show_default=False,
        autocompletion=complete_person,
    ),
]

DEFAULT_FILE = "house.db"
COMMAND_LINE = "the command line"


@contextmanager
def opened(url: str | None, *, create: bool = False) -> Iterator[Store]:
    """The database of the command line; the command ends with a sentence if something is wrong with it."""
    from punto.store.errors import StoreError
    from punto.store.store import open_store

    if not create and is_missing(url):
        path = data_file(DEFAULT_FILE)
        refuse(f"there is no database at {path} yet; punto table new or punto account new makes it")
    try:
        with open_store(url if url is not None else default_database(create=create), create=create) as store:
            yield store
    except StoreError as error:
        refuse(str(error))


@contextmanager
def removed_on_refusal(url: str | None) -> Iterator[None]:
    """A database file that was not there before, and is made for something that is refused, goes again."""
    from punto.store.connection import DatabaseKind, parse_address
    from punto.store.errors import StoreError

    try:
        address = parse_address(url if url is not None else str(data_file(DEFAULT_FILE)))
    except StoreError:
        address = None  # whoever opens it says what is wrong with it
    is_new = address is not None and address.kind is DatabaseKind.SQLITE and not address.path.exists()
    try:
        yield
    except BaseException:
        if is_new and address is not None:
            for end in ("", "-wal", "-shm", "-journal"):
                Path(f"{address.path}{end}").unlink(missing_ok=True)
        raise


@contextmanager
def reading(url: str | None) -> Iterator[Reader]:
    """One consistent view of the database of the command line."""
    with opened(url) as store, store.read() as reader:
        yield reader


@contextmanager
def running(url: str | None, *, create: bool = False) -> Iterator[Floor]:
    """A floor on the database of the command line."""
    from punto.floor.floor import Floor

    with opened(url, create=create) as store, Floor(store) as floor:
        yield floor


def is_missing(url: str | None) -> bool:
    """Whether nothing was ever kept: no database was named, and there is none in the data folder."""
    return url is None and not data_file(DEFAULT_FILE).exists()


def default_database(*, create: bool) -> str:
    """The file that is used where no database is named."""
    path = data_file(DEFAULT_FILE)
    if create:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            refuse(f"{path} cannot be written: {error.strerror}")
    return str(path)


def named_person(option: str, text: str | None, default: str) -> Person:
    """The person of `--as` or `--with`; the command ends if it is not one."""
    from punto.rules.authority import Role
    from punto.suggestion import did_you_mean
    from punto.table.header import Person

    name, colon, role = (text if text is not None else default).rpartition(":")
    if not colon or not name.strip():
        refuse(f"{option} takes a name, a colon and a role, such as Ann:dealer, not {text!r}")
    roles = [known.value for known in Role]
    if role not in roles:
        refuse(f"{role!r} is not a role{did_you_mean(role, roles)}; roles are {', '.join(roles)}")
    return Person(name, Role(role))


def operator() -> str:
    """Who is at the command line, as the records of the house name them: the login of this machine."""
    import getpass

    try:
        login = getpass.getuser()
    except (OSError, KeyError):  # a machine may have no name for whoever it is
        login = str(os.getuid())
    return f"{COMMAND_LINE} ({login})"


def now_ms() -> int:
    """The time that a command is given at, in milliseconds."""
    return time.time_ns() // 1_000_000


def refuse_for(refusal: Refusal) -> NoReturn:
    """End the command with the sentence of a refusal."""
    refuse(refusal.sentence)


def found_table(reader: Reader, id: str) -> Any:
    """The stored table of an id; the command ends if there is none."""
    from punto.suggestion import did_you_mean

    stored = reader.table(id)
    if stored is None:
        names = [table.id for table in reader.tables()]
        refuse(f"there is no table {id}{did_you_mean(id, names)}; punto table list shows all")
    return stored


# Times on the command line.


TIME_HELP = "as 2026-11-15T08:00 (UTC) or milliseconds."


def read_time(option: str, text: str | None) -> int | None:
    """A time in milliseconds; the command ends if it is not one."""
    if text is None:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= 15:
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return int(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        refuse(f"{option} takes a time {TIME_HELP.rstrip('.')}, not {text!r}")
