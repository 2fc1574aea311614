"""The seal on the seeds of shuffled shoes, and the secret keys of a house, which are never in the database.

The environment has a key itself as 64 hexadecimal digits, or the path of a file that holds them; otherwise the
file is in the user's settings folder. Only that one is made when it is first needed, readable by its owner only:
a file that somebody named and that is not there is more likely a mistyped name than a wish for another key. A
file that others can read is refused.

A seed is encrypted with AES-256-GCM, bound to its table and shoe: whoever has the database, or a backup of it,
cannot read a card, and without the key a shoe can only be replaced. The same key signs rows that the house acts
on by itself, such as approvals that are carried out after a restart: whoever can write to the database, and has
no key, cannot make one that is acted on.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import shlex
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from punto.store.errors import KeyTrouble
from punto.store.sqlite import sync

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class SecretKey:
    """Where a key is looked for."""

    variable: str  # What holds the key in the environment; the same with `_FILE` names a file.
    file: str  # The name of the file in the configuration folder.
    without: str  # What cannot be done without it, as the end of a sentence.

    @property
    def path(self) -> Path:
        """The file that holds the key where the environment does not."""
        if named := os.environ.get(f"{self.variable}_FILE"):
            return Path(named)
        from platformdirs import user_config_path

        return user_config_path("punto", appauthor=False) / self.file

    def read(self, *, make: bool) -> bytes:
        """The key, made where there is none if that is asked for; `KeyTrouble` says what is wrong."""
        if digits := os.environ.get(self.variable):
            return _parsed_key(digits, self.variable)
        path = self.path
        is_named = bool(os.environ.get(f"{self.variable}_FILE"))
        try:
            if make and not is_named and not path.exists():
                _make_key(path)
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                raise KeyTrouble(f"the key in {path} can be read by others; make it yours alone (chmod 600)")
            return _parsed_key(path.read_text(encoding="ascii"), str(path))
        except FileNotFoundError:
            sentence = f"there is no key in {path}, and {self.variable} is not set: {self.without}"
            raise KeyTrouble(self._not_there(path) if is_named else sentence) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise KeyTrouble(f"the key in {path} cannot be read: {reason}") from None

    @property
    def is_there(self) -> bool:
        """Whether there is a key, or one is named."""
        named = os.environ.get(self.variable) or os.environ.get(f"{self.variable}_FILE")
        return bool(named) or os.path.lexists(self.path)

    def check(self) -> None:
        """`KeyTrouble` where there is a key, or one is named, that cannot be used."""
        if self.is_there:
            self.read(make=False)

    def _not_there(self, path: Path) -> str:
        sentence = f"{self.variable}_FILE names {path}, which is not there"
        if not path.absolute().parent.is_dir():
            return f"{sentence}, nor is its folder; check the name"
        making = f"(umask 077; openssl rand -hex {KEY_BYTES} > {shlex.quote(str(path))})"
        return f"{sentence}; check the name, or make a key there: {making}"


def _make_key(path: Path) -> None:
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
        sync(path.parent)
    finally:
        draft.unlink()


def _parsed_key(text: str, place: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise KeyTrouble(f"{place} must hold a key of {KEY_BYTES * 2} hexadecimal digits")
    return key


NONCE_BYTES = 12
SEAL_KEY = SecretKey("PUNTO_KEY", "key", "shoes that were shuffled can only be replaced")
SECOND_KEY = SecretKey("PUNTO_SECOND_KEY", "second-key", "what was sealed with it cannot be opened")
"""While one key replaces another: opens and is believed like the first, and seals nothing."""


class Seal:
    """Seals and opens seeds; its key is looked for, or made, when it is first needed."""

    def __init__(self, key: bytes | None = None, second: bytes | None = None) -> None:
        """With this key, or the one that the environment leads to; a second one opens too."""
        assert key is None or len(key) == KEY_BYTES
        self._key, self._second, self._is_given = key, second, key is not None

    def key_ids(self, *, make: bool = True) -> list[str]:
        """What its keys are known by, the one that seals first; nothing about a key follows from it."""
        return [hmac.digest(key, b"punto/1/key-id", "sha256")[:4].hex() for key in self._keys(make=make)]

    @property
    def folder(self) -> Path | None:
        """Where its key is kept, for what belongs beside it; None for a key that was given as it is."""
        return None if self._is_given else SEAL_KEY.path.parent

    def seal(self, table: str, shoe: int, secret: bytes) -> bytes:
        """A secret of a shoe, for the key alone; a key is made where there is none."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + AESGCM(self._secret(make=True)).encrypt(nonce, secret, _bound(table, shoe))

    def open(self, table: str, shoe: int, sealed: bytes) -> bytes:
        """The secret of a shoe; `KeyTrouble` where there is no key, or another than it was sealed with."""
        try:
            return self._opened(sealed, _bound(table, shoe))
        except (InvalidTag, ValueError):
            place = "PUNTO_KEY" if os.environ.get("PUNTO_KEY") else SEAL_KEY.path
            sentence = f"the seed of shoe {table}/{shoe} was sealed with another key than the one in {place}"
            raise KeyTrouble(f"{sentence}, or is damaged; the shoe can only be replaced") from None

    def seal_secret(self, about: str, secret: bytes) -> bytes:
        """A secret about something else than a shoe, for the key alone; a key is made where there is none."""
        assert ":" in about.partition("/")[0], "what no table can be called"
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + AESGCM(self._secret(make=True)).encrypt(nonce, secret, about.encode())

    def open_secret(self, about: str, sealed: bytes) -> bytes:
        """A secret about something else; `KeyTrouble` where there is no key, or another than it was sealed with."""
        try:
            return self._opened(sealed, about.encode())
        except (InvalidTag, ValueError):
            raise KeyTrouble(f"the secret of {about} was sealed with another key, or is damaged") from None

    def sign(self, *values: str | int | None) -> bytes:
        """A signature of these values, which only the key can make; a key is made where there is none."""
        return _signed(self._secret(make=True), *values)

    def is_signed(self, signature: bytes, *values: str | int | None) -> bool:
        return any(hmac.compare_digest(_signed(key, *values), signature) for key in self._keys(make=True))

    def _opened(self, sealed: bytes, bound: bytes) -> bytes:
        """With whichever of its keys opens it."""
        nonce, body = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        first, *others = self._keys(make=False)
        for key in others:
            with suppress(InvalidTag, ValueError):
                return AESGCM(key).decrypt(nonce, body, bound)
        return AESGCM(first).decrypt(nonce, body, bound)

    def _keys(self, *, make: bool) -> list[bytes]:
        first = self._secret(make=make)
        if self._second is None and not self._is_given and SECOND_KEY.is_there:
            self._second = SECOND_KEY.read(make=False)
        return [first, self._second] if self._second is not None and self._second != first else [first]

    def _secret(self, *, make: bool) -> bytes:
        if self._key is None:
            self._key = SEAL_KEY.read(make=make)
        return self._key


def _signed(key: bytes, *values: str | int | None) -> bytes:
    # Under a key that follows from the other one, so that no signature says anything about a seed.
    derived = hmac.digest(key, b"punto/1/rows", "sha256")
    fixed = json.dumps(values, separators=(",", ":"))  # no two lists of values look alike in it
    return hmac.digest(derived, fixed.encode(), "sha256")


def _bound(table: str, shoe: int) -> bytes:
    """What a sealed seed is bound to: moved to another shoe, it does not open."""
    return f"{table}/{shoe}".encode()
