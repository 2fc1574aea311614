"""An anchor: where every table stood at one moment, signed, to be kept where the database is not. Whoever can write to
the database can compute every hash in it again; the anchor's they cannot, for the private key is never in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Annotated, Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from punto.store.chain import CASHIER, DESK, HOUSE, first_hash
from punto.store.errors import KeyTrouble, StoreBroken
from punto.store.reader import Reader
from punto.store.seal import SecretKey

ANCHOR_KEY = SecretKey("PUNTO_ANCHOR_KEY", "anchor-key", "give the public key that you trust with --public-key")
PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")


class Signer:
    def __init__(self, key: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(key)

    @property
    def public_key(self) -> str:
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> str:
        return self._key.sign(content).hex()


def own_signer(*, make: bool) -> Signer:
    return Signer(ANCHOR_KEY.read(make=make))


def is_signed(content: bytes, signature: str, public_key: str) -> bool:
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


ANCHOR_NAME = "anchor"
ANCHOR_VERSION = 1
LARGEST_ANCHOR = 64 * 1024 * 1024  # Bytes of a file that may be an anchor: one of half a million tables.

_Seq = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
_Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Signature = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]


class WrongAnchor(Exception):
    """A file is not an anchor that can be trusted; the sentence says why."""


class AnchoredChain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How far a chain had come, and its hash there."""

    seq: _Seq
    hash: _Hash
    imported: bool = False  # The table came from a file: it has no postings.
    asked: _Seq = 0  # How many commands had been given to the table.
    asked_hash: _Hash | None = None  # The hash of the last of them; None for the house, which is given none.


class Anchor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All chains of a database at one moment."""

    punto: str = ANCHOR_NAME
    v: int = ANCHOR_VERSION
    time: int  # Milliseconds.
    tables: dict[str, AnchoredChain]
    cashier: AnchoredChain  # The cashier's movements; `asked` are the commands that were given to the desk.
    house: AnchoredChain  # What the house itself did.
    public_key: _Hash
    signature: _Signature
    software: str | msgspec.UnsetType = msgspec.UNSET  # What made it: version and digest; early anchors do not say.


def make_anchor(reader: Reader, signer: Signer, now: int, software: str | None = None) -> Anchor:
    """An anchor of everything that a reader sees; `StoreBroken` where a table is not in order.

    Only ends are looked at: each table must end where its row says. Verify before you make an anchor.
    """
    tables: dict[str, AnchoredChain] = {}
    for table in reader.tables():
        first = (0, first_hash(table.id, table.digest))
        if (reader.last_link(table.id) or first) != (table.version, table.head):
            raise StoreBroken(f"table {table.id} does not end at the record that it should; run audit verify")
        commands = (table.asked, table.asked_head.hex())
        tables[table.id] = AnchoredChain(table.version, table.head.hex(), table.imported, *commands)
    number, head = reader.chain_end(CASHIER)
    asked, asked_head = reader.chain_end(DESK)
    acts, last = reader.chain_end(HOUSE)
    anchor = Anchor(
        time=now,
        tables=tables,
        cashier=AnchoredChain(number, head.hex(), asked=asked, asked_hash=asked_head.hex()),
        house=AnchoredChain(acts, last.hex()),
        public_key=signer.public_key,
        signature="0" * 128,
        software=software if software is not None else msgspec.UNSET,
    )
    return msgspec.structs.replace(anchor, signature=signer.sign(_signed_bytes(anchor)))


def read_anchor(content: bytes, trusted: Collection[str]) -> Anchor:
    """The anchor in a file, signed with one of the keys that are trusted; `WrongAnchor` otherwise."""
    try:
        anchor = msgspec.json.decode(content, type=Anchor)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WrongAnchor(f"it is not an anchor: {error}") from None
    if anchor.punto != ANCHOR_NAME:
        raise WrongAnchor(f"it is not an anchor but {anchor.punto!r}")
    if anchor.v != ANCHOR_VERSION:
        raise WrongAnchor(f"it is of version {anchor.v}; this version of Punto reads {ANCHOR_VERSION}")
    if anchor.public_key not in trusted:
        raise WrongAnchor(f"it is signed with the key {anchor.public_key}, which is not one that you trust")
    if not is_signed(_signed_bytes(anchor), anchor.signature, anchor.public_key):
        raise WrongAnchor("its signature is wrong: it was changed after it was signed")
    return anchor


def read_trusted(content: bytes, keys: Collection[str] = ()) -> Anchor:
    """The anchor in a file, signed with one of these keys, or with that of this machine where none is named."""
    try:
        return read_anchor(content, keys or (own_signer(make=False).public_key,))
    except KeyTrouble as error:
        raise WrongAnchor(str(error)) from None


def anchor_file(anchor: Anchor) -> bytes:
    return msgspec.json.format(msgspec.json.encode(anchor), indent=2) + b"\n"


def _signed_bytes(anchor: Anchor) -> bytes:
    """The anchor's JSON without `signature`, in one fixed form: UTF-8, sorted keys, no blanks."""
    document: dict[str, Any] = msgspec.to_builtins(anchor)
    del document["signature"]
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
