"""The seal on the seeds of shuffled shoes: whoever has the database, or a backup of it, cannot read a card.

A seed is encrypted with AES-256-GCM, bound to its table and shoe, under a key that is never in the database:
in `PUNTO_KEY` (64 hexadecimal digits), in the file that `PUNTO_KEY_FILE` names, or in a file in the user's
configuration folder, which is made when the first shoe is shuffled. Without the key a shoe can only be
replaced.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from punto.store.errors import KeyTrouble

KEY_BYTES = 32
NONCE_BYTES = 12


class Seal:
    """Seals and opens seeds; its key is looked for, or made, when it is first needed."""

    def __init__(self, key: bytes | None = None, environment: Mapping[str, str] | None = None) -> None:
        """With this key, or the one that the environment leads to."""
        assert key is None or len(key) == KEY_BYTES
        self._key = key
        self._environment = os.environ if environment is None else environment

    def seal(self, table: str, shoe: int, secret: bytes) -> bytes:
        """A secret of a shoe, for the key alone; a key is made where there is none."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher(make=True).encrypt(nonce, secret, _bound(table, shoe))

    def open(self, table: str, shoe: int, sealed: bytes) -> bytes:
        """The secret of a shoe; `KeyTrouble` where there is no key, or another than it was sealed with."""
        nonce, body = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return self._cipher(make=False).decrypt(nonce, body, _bound(table, shoe))
        except (InvalidTag, ValueError):
            sentence = f"the seed of shoe {table}/{shoe} was sealed with another key than {self._place()}"
            raise KeyTrouble(f"{sentence}, or is damaged; the shoe can only be replaced") from None

    def _cipher(self, *, make: bool) -> AESGCM:
        if self._key is None:
            self._key = _found_key(self._environment, make=make)
        return AESGCM(self._key)

    def _place(self) -> str:
        if self._environment.get("PUNTO_KEY"):
            return "the one in PUNTO_KEY"
        return f"the one in {key_file(self._environment)}"


def key_file(environment: Mapping[str, str]) -> Path:
    """The file that holds the key where the environment does not."""
    if named := environment.get("PUNTO_KEY_FILE"):
        return Path(named)
    folder = Path(environment.get("XDG_CONFIG_HOME", ""))
    # The XDG specification tells us to pass over a relative path.
    return (folder if folder.is_absolute() else Path.home() / ".config") / "punto" / "key"


def _found_key(environment: Mapping[str, str], *, make: bool) -> bytes:
    if told := environment.get("PUNTO_KEY"):
        return _parsed(told, "PUNTO_KEY")
    path = key_file(environment)
    try:
        if make and not path.exists():
            _make(path, with_folder="PUNTO_KEY_FILE" not in environment)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise KeyTrouble(f"the key in {path} can be read by others; make it yours alone (chmod 600)")
        return _parsed(path.read_text(encoding="ascii"), str(path))
    except FileNotFoundError:
        sentence = f"there is no key in {path}, and PUNTO_KEY is not set"
        raise KeyTrouble(f"{sentence}: shoes that were shuffled can only be replaced") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise KeyTrouble(f"the key in {path} cannot be read: {reason}") from None


def _make(path: Path, *, with_folder: bool) -> None:
    """A fresh key, whole or not at all, in a file that nobody else may read."""
    if with_folder:
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


def _bound(table: str, shoe: int) -> bytes:
    """What a sealed seed is bound to: moved to another shoe, it does not open."""
    return f"{table}/{shoe}".encode()
