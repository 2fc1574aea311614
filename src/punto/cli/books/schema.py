"""`punto schema`: the format of book files as a JSON Schema, for editors."""

from __future__ import annotations

from punto.cli.options.book import JsonOption
from punto.cli.terminal.say import answer_json


def schema(json: JsonOption = False) -> None:  # noqa: ARG001 - it is JSON either way
    """Print a JSON Schema of book files, for editors."""
    from punto.books.schema import book_schema

    answer_json(book_schema())
