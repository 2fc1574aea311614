"""Write the built-in books as they are once they are read: `src/punto/books/read`.

Usage: .venv/bin/python tools/read_books.py

A command reads such a text in a fiftieth of the time that TOML takes. It is used only while it belongs to the TOML file
beside it, so nothing is wrong until this is run again: only slower.
"""

from __future__ import annotations

from punto.books import NAMES, READ, built_in_source, in_one_text, resolve_built_in
from punto.rules.book_file import examined


def read_text(name: str) -> bytes:
    """What is kept of a book."""
    book, problems = examined(resolve_built_in(name))
    assert not problems, problems
    return in_one_text(built_in_source(name).text, book)


def main() -> None:
    READ.mkdir(exist_ok=True)
    for name in NAMES:
        (READ / f"{name}.json").write_bytes(read_text(name))


if __name__ == "__main__":
    main()
