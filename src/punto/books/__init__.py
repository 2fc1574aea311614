"""The five rule books, and loading: a built-in name or the path of a user's own TOML file.

`punto.books()` gives their names. The package itself answers that call, because it has the name that whoever looks for
the books tries first, and a function of that name would hide it.
"""

from __future__ import annotations

import re
import sys
import zlib
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import cast

import msgspec

from punto.named_file import at_once
from punto.rules.book import Book, compile_book, read_resolved
from punto.rules.book_file import BaseNotFound, BookSource, Resolved, resolve_source
from punto.rules.book_text import BookText
from punto.rules.told import meant, told
from punto.suggestion import did_you_mean

NAMES: tuple[str, ...] = ("commission", "easy-six", "ez", "insurance", "knockout")  # The built-in books.
_BUILT_IN = ", ".join(NAMES)

LARGEST_BOOK = 512 * 1024
"""Characters of a book: sixteen times the longest we have, and an end to a device that has none."""


class BookNotFound(Exception):
    """Neither a built-in book nor a file that can be read."""


class _NoFile(BookNotFound):
    """There is nothing of this name at all."""


def built_in_name(text: str) -> str | None:
    """The built-in book that a text names, in any case: `EZ`, `Easy Six`; None where it names none."""
    name = "-".join(text.lower().replace("_", " ").split())
    return name if name in NAMES else None


def load(book: str, folder: Path = Path()) -> Book:
    """A built-in book by its name, or a user's own by the path of its file, seen from a folder."""
    if book in NAMES:
        return _built_in(book)
    if not book.strip():
        raise BookNotFound(f"no book was named; built in are {_BUILT_IN}")
    try:
        return read_resolved(_resolved_file(folder / book))
    except _NoFile:
        if book.endswith(".toml") or "/" in book:
            raise  # that can only be meant as a file
        if (name := built_in_name(book)) is not None:
            return _built_in(name)
        meant = did_you_mean(book, NAMES)
        raise BookNotFound(f"there is no book {book}{meant}; built in are {_BUILT_IN}, or name a TOML file") from None


def built_in(name: str) -> Book | None:
    """The built-in book of exactly this name, None where there is none."""
    return _built_in(name) if name in NAMES else None


def load_earlier(digest: str) -> Book | None:
    """A built-in book as it was before its data changed, by the digest that it had; None where there was none.

    Sessions name their book by digest, and what was played by one is replayed by the same.
    """
    path = Path(__file__).with_name("earlier") / f"{digest}.json"
    if re.fullmatch("[0-9a-f]{64}", digest) is None or not path.is_file():
        return None
    return compile_book(msgspec.json.decode(path.read_bytes(), type=BookText))


def resolve(book: str) -> Resolved:
    """The values of a book, each with the place where it stands, for whoever writes it.

    A file is meant even where it is called like a built-in book.
    """
    path, built_in = Path(book), built_in_name(book)
    return resolve_built_in(built_in) if built_in and not path.is_file() else _resolved_file(path)


@lru_cache(maxsize=len(NAMES))
def _built_in(name: str) -> Book:
    book = _read_before(name)
    return read_resolved(resolve_built_in(name)) if book is None else compile_book(book)


def resolve_built_in(name: str) -> Resolved:
    return resolve_source(built_in_source(name), base_of, take_bet)


READ = Path(__file__).with_name("read")
"""The built-in books as they are once they are read and examined, which `tools/read_books.py` writes: to read TOML and
look for mistakes took longer than to compile a book, whenever a command started."""


class _ReadBook(msgspec.Struct, frozen=True):
    file: int  # The check sum of the TOML text.
    book: BookText


def in_one_text(toml: str, book: BookText) -> bytes:
    """A book that was read, to be kept beside the file it was read from."""
    return msgspec.json.encode(_ReadBook(zlib.crc32(toml.encode()), book)) + b"\n"


def _read_before(name: str) -> BookText | None:
    """A built-in book that was read before; None where its file is not the same any more."""
    try:
        read = msgspec.json.decode((READ / f"{name}.json").read_bytes(), type=_ReadBook)
    except (OSError, msgspec.DecodeError):
        return None
    return read.book if read.file == zlib.crc32(built_in_source(name).text.encode()) else None


def _resolved_file(path: Path) -> Resolved:
    text = _file_text(path)
    if all(line.lstrip().startswith("#") or not line.strip() for line in text.splitlines()):
        raise BookNotFound(f"{path} is empty: there is no book in it")
    return resolve_source(_file_source(path, text), base_of, take_bet)


def built_in_source(name: str) -> BookSource:
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    return BookSource(f"{name}.toml", text, f"built in: {name}")


def take_bet(name: str) -> BookSource:
    """A bet of the catalogue, as a piece of a book; the catalogue is loaded when a book takes something."""
    from punto.books.catalogue import taken

    return taken(name)


def base_of(name: str, source: BookSource) -> BookSource:
    """The book that another one extends: a built-in one, or a file beside the one that names it."""
    if name in NAMES:
        return built_in_source(name)
    try:
        return _file_source(path := Path(source.file).parent / name, _file_text(path))
    except BookNotFound as error:
        raise BaseNotFound(told("no-base", why=str(error), meant=meant(name, NAMES), names=_BUILT_IN)) from None


def _file_source(path: Path, text: str) -> BookSource:
    return BookSource(str(path), text, str(path.resolve()))


def _file_text(path: Path) -> str:
    try:
        # Some editors put a byte order mark first.
        with open(path, encoding="utf-8-sig", opener=at_once) as file:
            text = file.read(LARGEST_BOOK + 1)
    except FileNotFoundError:
        raise _NoFile(f"there is no file {path}") from None
    except UnicodeDecodeError:
        raise BookNotFound(f"{path} cannot be read: it is not UTF-8 text") from None
    except OSError as error:
        raise BookNotFound(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise BookNotFound(f"{path} cannot be read: that is not a name for a file") from None
    if len(text) > LARGEST_BOOK:
        raise BookNotFound(f"{path} cannot be read: it is larger than {LARGEST_BOOK // 1024} KiB")
    return text


class Shelf(ModuleType):
    """This package, which can be called as well."""

    load = staticmethod(load)
    NAMES = NAMES
    __file__: str

    def __call__(self) -> tuple[str, ...]:
        """The names of the built-in books, which `load` and all other names of `punto` take.

        >>> import punto
        >>> punto.books()
        ('commission', 'easy-six', 'ez', 'insurance', 'knockout')
        """
        return NAMES


sys.modules[__name__].__class__ = Shelf
shelf = cast(Shelf, sys.modules[__name__])
