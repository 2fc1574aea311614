"""The database that a command works on, who is named as the one who does it, and times on the command line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

from punto.cli.files import CannotWrite, data_file
from punto.cli.options import Completion, argument, check_one_of, complete_person, option
from punto.cli.output import complain, refuse
from punto.money import Money, format_amount
from punto.refusal import Refusal
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.floor.floor import Floor
    from punto.store.reader import Reader
    from punto.store.record import StoredTable
    from punto.store.store import Store
    from punto.table.header import Person

DEFAULT_FILE = "house.db"
DATABASE_VARIABLE = "PUNTO_DATABASE"


def _complete_stored(what: str, field: str) -> Completion:
    """Completes names in the database that a command line without `--database` works on."""

    def complete(incomplete: str) -> list[str]:
        from punto.store.errors import StoreError
        from punto.store.store import open_store

        url = os.environ.get(DATABASE_VARIABLE) or str(data_file(DEFAULT_FILE))
        try:
            with open_store(url, create=False) as store, store.read() as reader:
                names = [str(getattr(stored, field)) for stored in getattr(reader, what)()]
        except StoreError:
            return []  # a shell that completes says nothing about what is wrong
        return [name for name in names if name.startswith(incomplete)]

    return complete


complete_table = _complete_stored("tables", "id")
complete_account = _complete_stored("accounts", "handle")

DATABASE_HELP = "A file, sqlite:///PATH or postgresql://…; default: a file in your data folder."
DatabaseOption = Annotated[
    str | None, option("--database", "URL", DATABASE_HELP, envvar=DATABASE_VARIABLE, show_envvar=False)
]
AsOption = Annotated[
    str | None, option("--as", "NAME:ROLE", "Who does it, in which role.", autocompletion=complete_person)
]
TableArgument = Annotated[str, argument("ID", "A stored table.", complete_table)]
TIME_HELP = "as 2026-11-15T08:00 (your time zone) or milliseconds."

COMMAND_LINE = "the command line"
_T = TypeVar("_T")


@contextmanager
def opened(url: str | None, *, create: bool = False) -> Iterator[Store]:
    from punto.store.store import open_store

    if not create and is_missing(url):
        path = data_file(DEFAULT_FILE)
        refuse(f"there is no database at {path} yet; punto table new or punto account new makes it")
    place = url if url is not None else default_database(create=create)
    with told_if_begun(place), open_store(place, create=create) as store:
        yield store


@contextmanager
def told_if_begun(url: str) -> Iterator[None]:
    """Says where a database was begun whose name is relative: in another folder the same name is another house."""
    from punto.store.connection import DatabaseKind, parse_address

    address = parse_address(url)
    is_relative = address.kind is DatabaseKind.SQLITE and not address.path.is_absolute()
    is_new = is_relative and not address.path.exists()
    yield
    if is_new and address.path.exists():
        named = f"{DATABASE_VARIABLE}={url}" if os.environ.get(DATABASE_VARIABLE) == url else f"--database {url}"
        why = f"{named} is a file in the folder where you are, so it is another house in another folder"
        complain(f"began a new database, {address.whole}: {why}")


@contextmanager
def removed_on_refusal(url: str | None, server: str | None = None) -> Iterator[None]:
    """A database file that was not there before, and is made for something that is refused, goes again."""
    if server is not None:
        yield
        return
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
            other = "name another file with --database, or in PUNTO_DATABASE"
            raise CannotWrite(f"{path} cannot be written: {error.strerror}; {other}") from None
    return str(path)


def named_person(option: str, text: str | None, default: str) -> Person:
    """The person of `--as` or `--with`; the command ends if it is not one."""
    from punto.rules.authority import Role
    from punto.table.header import Person

    name, colon, role = (text if text is not None else default).rpartition(":")
    if not colon or not name.strip():
        refuse(f"{option} takes a name, a colon and a role, such as Ann:dealer, not {text!r}")
    check_one_of("role", role, [known.value for known in Role])
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
    return time.time_ns() // 1_000_000


def accepted(answer: _T | Refusal, hint: str = "") -> _T:
    """What the floor answers; the command ends with the sentence of a refusal, and a hint."""
    if isinstance(answer, Refusal):
        refuse(f"{answer.sentence}{hint}")
    return answer


def stored_table(reader: Reader, id: str) -> StoredTable:
    """The stored table of an id; the command ends if there is none."""
    stored = reader.table(id)
    if stored is None:
        names = [table.id for table in reader.tables()]
        refuse(f"there is no table {id}{did_you_mean(id, names)}; punto table list shows all")
    return stored


def read_time(option: str, text: str | None) -> int | None:
    """A time in milliseconds; the command ends if it is not one."""
    if text is None:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= 15:
        return int(text)
    try:
        # Without a zone it is the clock of the reader, by which times are shown too.
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        refuse(f"{option} takes a time {TIME_HELP.rstrip('.')}, not {text!r}")


def with_amounts(value: Any, *, is_money: bool = False) -> Any:
    """What the API answers, with money as the command line has it: text in major units, with two decimals."""
    import msgspec

    match value:
        case msgspec.Struct():
            pairs = ((field, getattr(value, field.name)) for field in msgspec.structs.fields(value))
            return {
                field.encode_name: with_amounts(each, is_money=_is_money(field.type))
                for field, each in pairs
                if each is not msgspec.UNSET
                and (each or field.name != "commission" or _always_has(value, field.default))
            }
        case dict():
            return {name: with_amounts(each, is_money=is_money) for name, each in value.items()}
        case tuple() | list():
            return [with_amounts(each) for each in value]
        case _:
            return format_amount(value) if is_money and value is not None else value


def _always_has(value: Any, commission: Any) -> bool:
    """Whether a commission is named where there is none: in figures of a report, and not in single lines."""
    return commission == 0 and not value.__struct_config__.omit_defaults


def _is_money(kind: Any) -> bool:
    """Whether a field holds money: one amount, or several by name."""
    return kind == Money or Money in get_args(kind)
