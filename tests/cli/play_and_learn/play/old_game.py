"""A kept game as earlier versions saved it: JSON with the seed and the commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from punto.cli.play_saved_games import remove_game_files, resume_game
from punto.rules.book import digest_of


def old_form(file: Path, book: str) -> dict[str, Any]:
    """The game in a database, as JSON would have it."""
    stored, solo, bankroll = resume_game(file)
    stored.close()
    commands = msgspec.to_builtins(solo.commands)
    for command in commands:
        for name in ("round", "window", "time"):
            command.pop(name, None)
    return {
        "type": "punto-game",
        "version": 1,
        "book": book,
        "seed": solo.seed,
        "bankroll": bankroll,
        "commands": commands,
        "digest": digest_of(solo.book),
    }


def make_old(file: Path, book: str, place: Path | None = None) -> None:
    """Put the game in its old form into the place of the database, or elsewhere."""
    content = json.dumps(old_form(file, book))
    remove_game_files(file)
    (place or file).write_text(content)
