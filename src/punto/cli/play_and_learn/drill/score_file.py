"""The file in which the score is kept between sittings."""

from __future__ import annotations

from pathlib import Path

import msgspec

from punto.cli.files.kept_file import form_of, keep, kept
from punto.cli.files.reader import CannotRead
from punto.cli.files.writer import CannotWrite
from punto.cli.terminal.say import complain
from punto.drill.score import TYPE, VERSION, Score


class WrongScore(Exception):
    """A file that is not a score of ours; the sentence says what is wrong with it."""


class ScoreFile:
    """Keeps the score after every answer; a failure to write is reported once."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def read(self) -> Score:
        """The score that was kept, a fresh one if there is none; raises `WrongScore` for another file."""
        try:
            content = kept(self.path) if self.path is not None else None
        except CannotRead as error:
            raise WrongScore(str(error)) from None
        if content is None:
            return Score()
        version = form_of(content, TYPE)
        if version not in (None, VERSION):
            raise WrongScore(
                f"{self.path} has a score of version {version}; this punto reads version {VERSION}"
            )
        try:
            if version is None:
                raise msgspec.ValidationError
            return msgspec.json.decode(content, type=Score)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise WrongScore(
                f"{self.path} is not a score of punto drill; name another file with --score"
            ) from None

    def keep(self, score: Score) -> None:
        """Keep the score, if there is a file for it."""
        if self.path is None:
            return
        try:
            keep(self.path, msgspec.json.encode(score) + b"\n")
        except CannotWrite as error:
            complain(f"the score is not kept: {error}")
            self.path = None
