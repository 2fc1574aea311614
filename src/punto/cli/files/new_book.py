"""A book file that does not exist yet: its name, how it calls the book it extends, and writing it once."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from punto.cli.files.writer import CannotWrite, check_new, write_whole
from punto.cli.terminal.say import refuse


@dataclass(frozen=True, slots=True)
class NewBook:
    """A file that is to become a book."""

    path: Path
    name: str
    """The name of the book, made from that of the file."""

    @classmethod
    def at(cls, file: str) -> NewBook:
        """The new book of this file; the command ends if there cannot be one, or there is a file already."""
        path = Path(file)
        if path.suffix != ".toml":
            instead = f"{path.stem or 'mine'}.toml"
            refuse(f"the name of a book file ends in .toml, and {file!r} does not; write {instead}")
        name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
        if not name or not file.isprintable():
            refuse(f"{file!r} leaves no name for the book; use letters or digits of ASCII")
        try:
            return cls(check_new(file), name)
        except CannotWrite as error:
            refuse(str(error))

    def beside(self, base: str) -> str:
        """How this book calls the one it extends: a built-in name, or the path from its own folder."""
        from punto.books import built_in_name

        built_in = built_in_name(base)
        if built_in is not None and (built_in == base or not Path(base).is_file()):
            return built_in
        return Path(os.path.relpath(Path(base).resolve(), self.path.resolve().parent)).as_posix()

    def write(self, text: str) -> None:
        """Write the file; the command ends if that cannot be done."""
        try:
            write_whole(self.path, text.encode(), is_new=True)
        except CannotWrite as error:
            refuse(str(error))


def quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False)
