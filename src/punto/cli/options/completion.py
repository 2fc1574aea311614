"""What a shell completes behind `punto`: books, bets, strategies, policies and kinds of questions.

`punto --install-completion` teaches the shell to ask.
"""

from __future__ import annotations

import os
from pathlib import Path


def complete_book(incomplete: str) -> list[str]:
    """Built-in books that begin so, and TOML files and folders."""
    from punto.books import NAMES

    names = [name for name in NAMES if name.startswith(incomplete)]
    folder, begun = Path(incomplete).parent, Path(incomplete).name
    if incomplete.endswith("/"):
        folder, begun = Path(incomplete), ""
    try:
        found = sorted(path for path in folder.iterdir() if path.name.startswith(begun) and begun != ".")
    except OSError:
        return names
    files = [str(path) for path in found if path.suffix == ".toml"]
    folders = [f"{path}/" for path in found if path.is_dir() and begun]
    return [*names, *files, *folders]


def complete_strategy(incomplete: str) -> list[str]:
    """Strategies that begin so."""
    from punto.cli.options.strategy import strategy_names

    return [name for name in strategy_names() if name.startswith(incomplete)]


def complete_policy(incomplete: str) -> list[str]:
    """Policies that begin so."""
    from punto.cli.options.strategy import POLICIES

    return [name for name in POLICIES if name.startswith(incomplete)]


def complete_kind(incomplete: str) -> list[str]:
    """Kinds of questions that begin so."""
    from punto.drill.syllabus import KINDS

    return [name for name in KINDS if name.startswith(incomplete)]


def complete_bet(incomplete: str) -> list[str]:
    """Bets and sections of the catalogue that begin so."""
    from punto.books.catalogue import SECTIONS, bet_names

    return [name for name in (*SECTIONS, *bet_names()) if name.startswith(incomplete)]


def complete_table(incomplete: str) -> list[str]:
    """Tables of the database that begin so."""
    return [name for name in _stored("tables", "id") if name.startswith(incomplete)]


def complete_account(incomplete: str) -> list[str]:
    """Accounts of the database that begin so."""
    return [name for name in _stored("accounts", "handle") if name.startswith(incomplete)]


def complete_person(incomplete: str) -> list[str]:
    """A name with the roles that it can have."""
    from punto.rules.role import Role

    name, colon, role = incomplete.partition(":")
    return [f"{name}:{known.value}" for known in Role if known.value.startswith(role)] if colon else []


def _stored(what: str, field: str) -> list[str]:
    """Names in the database that a command line without `--database` works on."""
    from punto.cli.files.kept_file import data_file
    from punto.store.errors import StoreError
    from punto.store.store import open_store

    url = os.environ.get("PUNTO_DATABASE") or str(data_file("house.db"))
    try:
        with open_store(url, create=False) as store, store.read() as reader:
            return [getattr(stored, field) for stored in getattr(reader, what)()]
    except StoreError:
        return []  # a shell that completes says nothing about what is wrong
