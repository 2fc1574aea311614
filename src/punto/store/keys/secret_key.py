"""A secret key of 32 bytes that is never in the database: from the environment, or from a file.

The environment has the key itself as 64 hexadecimal digits, or the path of a file that holds them; otherwise
the file is in the user's configuration folder. Only that one is made when it is first needed, readable by its
owner only: a file that somebody named and that is not there is more likely a mistyped name than a wish for
another key. A file that others can read is refused.
"""

from __future__ import annotations

import os
import secrets
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from punto.store.errors import KeyTrouble

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class SecretKey:
    """Where a key is looked for."""

    variable: str
    """What holds the key in the environment; the same with `_FILE` names a file."""
    file: str
    """The name of the file in the configuration folder."""
    without: str
    """What cannot be done without it, as the end of a sentence."""

    def path(self, environment: Mapping[str, str]) -> Path:
        """The file that holds the key where the environment does not."""
        if named := environment.get(f"{self.variable}_FILE"):
            return Path(named)
        folder = Path(environment.get("XDG_CONFIG_HOME", ""))
        # The XDG specification tells us to pass over a relative path.
        return (folder if folder.is_absolute() else Path.home() / ".config") / "punto" / self.file

    def found(self, environment: Mapping[str, str], *, make: bool) -> bytes:
        """The key, made where there is none if that is asked for; `KeyTrouble` says what is wrong."""
        if told := environment.get(self.variable):
            return _parsed(told, self.variable)
        path = self.path(environment)
        is_named = bool(environment.get(f"{self.variable}_FILE"))
        try:
            if make and not is_named and not path.exists():
                _make(path)
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                raise KeyTrouble(f"the key in {path} can be read by others; make it yours alone (chmod 600)")
            return _parsed(path.read_text(encoding="ascii"), str(path))
        except FileNotFoundError:
            if is_named:
                raise KeyTrouble(self._not_there(path)) from None
            sentence = f"there is no key in {path}, and {self.variable} is not set"
            raise KeyTrouble(f"{sentence}: {self.without}") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise KeyTrouble(f"the key in {path} cannot be read: {reason}") from None

    def check(self, environment: Mapping[str, str]) -> None:
        """`KeyTrouble` where there is a key, or one is named, that cannot be used."""
        named = environment.get(self.variable) or environment.get(f"{self.variable}_FILE")
        if named or os.path.lexists(self.path(environment)):
            self.found(environment, make=False)

    def _not_there(self, path: Path) -> str:
        found = f"{self.variable}_FILE names {path}, which is not there"
        if not path.absolute().parent.is_dir():
            return f"{found}, nor is its folder; check the name"
        making = f"(umask 077; openssl rand -hex {KEY_BYTES} > {shlex.quote(str(path))})"
        return f"{found}; check the name, or make a key there: {making}"


def _make(path: Path) -> None:
    """A fresh key, whole or not at all, in a file that nobody else may read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another program made one at the same moment, and that is the key
            os.link(draft, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        draft.unlink()


def _parsed(text: str, place: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise KeyTrouble(f"{place} must hold a key of {KEY_BYTES * 2} hexadecimal digits")
    return key
