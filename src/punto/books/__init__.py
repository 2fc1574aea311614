"""The five rule books, and loading: a built-in name or the path of a user's own TOML file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from punto.rules.compiled import CompiledBook, read_book

NAMES: tuple[str, ...] = ("commission", "easy-six", "ez", "insurance", "knockout")
"""The built-in books."""


class BookNotFound(Exception):
    """Neither a built-in book nor a file that can be read."""


def load(book: str) -> CompiledBook:
    """A built-in book by its name, or a user's own by the path of its file."""
    return _built_in(book) if book in NAMES else load_file(Path(book))


@lru_cache(maxsize=len(NAMES))
def _built_in(name: str) -> CompiledBook:
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    return read_book(text, f"{name}.toml")


def load_file(path: Path) -> CompiledBook:
    """The book in a TOML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BookNotFound(
            f"there is no book {path}; built in are {', '.join(NAMES)}, or name a TOML file"
        ) from None
    except UnicodeDecodeError:
        raise BookNotFound(f"{path} cannot be read: it is not UTF-8 text") from None
    except OSError as error:
        raise BookNotFound(f"{path} cannot be read: {error.strerror}") from None
    return read_book(text, str(path))
