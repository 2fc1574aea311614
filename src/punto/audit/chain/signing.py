"""The key that signs anchors: Ed25519, from `cryptography`.

The private key is never in the database: it is in `PUNTO_ANCHOR_KEY` (64 hexadecimal digits), in the file
that `PUNTO_ANCHOR_KEY_FILE` names, or in the user's configuration folder, where it is made when the first
anchor is. Whoever checks an anchor needs the public key alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from punto.store.keys.secret_key import SecretKey

ANCHOR_KEY = SecretKey(
    "PUNTO_ANCHOR_KEY",
    "anchor-key",
    "give the public key that you trust with --public-key",
)
PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")


class Signer:
    """Signs with a private key."""

    def __init__(self, key: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(key)

    @property
    def public_key(self) -> str:
        """The public key as 64 hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> str:
        """The signature of this content as 128 hexadecimal digits."""
        return self._key.sign(content).hex()


def found_signer(environment: Mapping[str, str], *, make: bool) -> Signer:
    """The signer of this machine; its key is made where there is none if that is asked for."""
    return Signer(ANCHOR_KEY.found(environment, make=make))


def is_signed(content: bytes, signature: str, public_key: str) -> bool:
    """Whether the owner of a public key signed this content."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True
