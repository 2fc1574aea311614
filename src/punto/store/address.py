"""The address of a database: a file for SQLite, a server for PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from punto.store.errors import BadAddress

EXPECTED = "expected a path, sqlite:///path or postgresql://user@host/database"


class DatabaseKind(Enum):
    """The two databases that a store can be in."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is."""

    kind: DatabaseKind
    place: str
    """The path of the file, or the address of the server as PostgreSQL itself reads it."""

    @property
    def path(self) -> Path:
        """The file of an SQLite database."""
        assert self.kind is DatabaseKind.SQLITE
        return Path(self.place)

    def __str__(self) -> str:
        """For people: without a password."""
        return self.place if self.kind is DatabaseKind.SQLITE else _without_password(self.place)


def parse_address(text: str) -> Address:
    """Read an address, or raise `BadAddress` with what was expected."""
    if not text.strip() or "\0" in text:
        raise BadAddress(f"{text!r} is not the address of a database; {EXPECTED}")
    scheme, separator, rest = text.partition("://")
    if not separator:
        if text.lower().startswith(("sqlite:", "postgresql:", "postgres:")):
            raise BadAddress(f"{text!r} is not the address of a database; {EXPECTED}")
        return _file(text, text)
    match scheme.lower():
        case "sqlite":
            if not rest.startswith("/") or "?" in rest:
                raise BadAddress(f"{text!r} is not the address of an SQLite file; expected sqlite:///path")
            return _file(unquote(rest[1:]), text)
        case "postgresql" | "postgres":
            return _server(text)
        case _:
            raise BadAddress(f"{scheme}:// is not a kind of database that Punto uses; {EXPECTED}")


def _file(path: str, text: str) -> Address:
    if not path or path == ":memory:" or path.endswith("/"):
        raise BadAddress(f"{text!r} does not name the file of a database; {EXPECTED}")
    return Address(DatabaseKind.SQLITE, path)


def _server(text: str) -> Address:
    try:
        split = urlsplit(text)
        _ = split.port
    except ValueError as error:
        raise BadAddress(f"{_without_password(text)!r} is not the address of a server: {error}") from None
    return Address(DatabaseKind.POSTGRESQL, text)


def _without_password(text: str) -> str:
    try:
        split = urlsplit(text)
    except ValueError:
        return text.partition("://")[0] + "://…"
    name, at, host = split.netloc.rpartition("@")
    query = "" if "password" in split.query else split.query
    return urlunsplit(split._replace(netloc=name.partition(":")[0] + at + host, query=query))
