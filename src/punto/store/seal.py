"""The seal on the seeds of shuffled shoes: whoever has the database, or a backup of it, cannot read a card.

A seed is encrypted with AES-256-GCM, bound to its table and shoe, under a key that is never in the database:
in `PUNTO_KEY` (64 hexadecimal digits), in the file that `PUNTO_KEY_FILE` names, or in a file in the user's
configuration folder, which is made when the first shoe is shuffled. Without the key a shoe can only be
replaced.

The same key signs rows that the house acts on by itself, such as approvals that are carried out after a
restart: whoever can write to the database, and has no key, cannot make one that is acted on.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from punto.store.errors import KeyTrouble
from punto.store.keys.secret_key import KEY_BYTES, SecretKey

NONCE_BYTES = 12
SEAL_KEY = SecretKey("PUNTO_KEY", "key", "shoes that were shuffled can only be replaced")


class Seal:
    """Seals and opens seeds; its key is looked for, or made, when it is first needed."""

    def __init__(self, key: bytes | None = None, environment: Mapping[str, str] | None = None) -> None:
        """With this key, or the one that the environment leads to."""
        assert key is None or len(key) == KEY_BYTES
        self._key = key
        self._environment = os.environ if environment is None else environment

    @property
    def folder(self) -> Path | None:
        """Where its key is kept, for what belongs beside it; None for a key that was given as it is."""
        return SEAL_KEY.path(self._environment).parent if self._key is None else None

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

    def sign(self, *values: str | int | None) -> bytes:
        """A signature of these values, which only the key can make; a key is made where there is none."""
        # Under a key that follows from the other one, so that no signature says anything about a seed.
        derived = hmac.digest(self._found(make=True), b"punto/1/rows", "sha256")
        return hmac.digest(derived, _signed(values), "sha256")

    def is_signed(self, signature: bytes, *values: str | int | None) -> bool:
        """Whether the key made this signature of these values."""
        return hmac.compare_digest(self.sign(*values), signature)

    def _cipher(self, *, make: bool) -> AESGCM:
        return AESGCM(self._found(make=make))

    def _found(self, *, make: bool) -> bytes:
        if self._key is None:
            self._key = SEAL_KEY.found(self._environment, make=make)
        return self._key

    def _place(self) -> str:
        if self._environment.get("PUNTO_KEY"):
            return "the one in PUNTO_KEY"
        return f"the one in {SEAL_KEY.path(self._environment)}"


def _signed(values: tuple[str | int | None, ...]) -> bytes:
    """Values in one fixed form, in which no two lists of them look alike."""
    return json.dumps(values, separators=(",", ":")).encode()


def _bound(table: str, shoe: int) -> bytes:
    """What a sealed seed is bound to: moved to another shoe, it does not open."""
    return f"{table}/{shoe}".encode()
