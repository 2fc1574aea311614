"""The schema of books says of every shape what the parser says of it, and describes every field."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from punto.books import NAMES, base_of, built_in_source, take_bet
from punto.books.schema import book_schema
from punto.rules.book_file import BookSource, resolve_source
from punto.rules.shape import shape_problems
from punto.rules.validation import BookError
from tests.books.json_schema import is_valid
from tests.cli.called import answer
from tests.rules.layered import toml

SCHEMA = book_schema()
EXAMPLE = Path("docs/examples/side-bets.toml").read_text(encoding="utf-8")
BOOKS = [tomllib.loads(text) for text in (*(built_in_source(name).text for name in NAMES), EXAMPLE)]
BOOKS.append({**BOOKS[2], "take": ["ox-6", "quik"]})
BOOKS.append({**BOOKS[2], "take": ["ox-6", {"bet": "quik", "labels": {"zh_hans": "快"}, "zh_hant": {"sense": "快"}}]})
BOOKS.append({key: value for key, value in BOOKS[-1].items() if key != "bets"})
EXTENDING = tomllib.loads(
    'extends = "insurance"\nname = "own"\nremove = ["version"]\ntake = ["ox-6"]\nformat = 1\n'
    '[decks]\nallowed = [8]\n[[clauses]]\nnumber = "h-1"\nkind = "behaviour"\nsense = "House."\n'
    '[[layouts]]\nname = "own"\nlabel = "Own"\nboxes = 3\n[betting]\nlate_withdrawal = "refused"\n'
    '[betting.opens]\nby = "call"\nclause = "h-1"\nwords = { en = "Go" }\n'
)
VALUES: tuple[Any, ...] = (
    7,
    -1,
    0,
    1000,
    "",
    "x",
    "Not A Name",
    "tie",
    "quik",
    True,
    1.5,
    [],
    ["x"],
    "other",
    ["quik"],
    [3],
    {},
    {"en": "x"},
)
CASES = 100


def is_right_shape(values: dict[str, Any]) -> bool:
    try:
        resolved = resolve_source(BookSource("book.toml", toml(values)), base_of, take_bet)
    except BookError:
        return False
    return not resolved.problems and shape_problems(resolved.values) == []


def spots(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if way:
        yield way
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from spots(inner, (*way, key))


def spoiled(book: dict[str, Any], random: Random) -> dict[str, Any]:
    """The book with something left out, added or put in the place of something else."""
    copy = deepcopy(book)
    *way, last = random.choice(list(spots(copy)))
    around: Any = copy
    for step in way:
        around = around[step]
    match random.randrange(4):
        case 0:
            del around[last]
        case 1 if isinstance(around, dict):
            around[random.choice(("more", "clause", "name", "odds", "when"))] = random.choice(VALUES)
        case 2 if isinstance(around[last], str):
            around[last] = random.choice(("push", "win", "player", "banker", "call", "side", "A"))
        case _:
            around[last] = random.choice(VALUES)
    return copy


@pytest.mark.parametrize("number", range(len(BOOKS)))
def test_right_books_are_valid(number: int) -> None:
    assert is_valid(BOOKS[number], SCHEMA, SCHEMA)
    assert is_right_shape(BOOKS[number])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BOOKS)))
def test_schema_and_parser_give_the_same_verdict(number: int) -> None:
    random = Random(number)
    verdicts = []
    for _ in range(CASES):
        book = spoiled(BOOKS[number], random)
        right = is_right_shape(book)
        assert is_valid(book, SCHEMA, SCHEMA) == right, toml(book)
        verdicts.append(right)
    assert 5 < sum(verdicts) < CASES - 5  # both kinds came


@pytest.mark.slow
def test_what_the_schema_refuses_of_an_extending_book_the_parser_refuses_too() -> None:
    """Whether the base has what is left out is more than a schema can know; the other way it holds."""
    assert is_valid(EXTENDING, SCHEMA, SCHEMA)
    assert is_right_shape(EXTENDING)
    random, refused = Random(1), 0
    for _ in range(3 * CASES):
        book = spoiled(EXTENDING, random)
        if not is_valid(book, SCHEMA, SCHEMA):
            refused += 1
            assert not is_right_shape(book), toml(book)
    assert refused > CASES


def test_every_field_has_a_description() -> None:
    structs = [part for part in (SCHEMA, *SCHEMA["$defs"].values()) if "properties" in part]
    assert len(structs) > 20
    bare = [
        (part.get("title"), name)
        for part in structs
        for name, field in part["properties"].items()
        if not str(field.get("description", "")).strip(".… ")
    ]
    assert bare == []


def test_the_command_prints_it() -> None:
    assert answer("schema").json == SCHEMA == answer("schema", "--json").json
