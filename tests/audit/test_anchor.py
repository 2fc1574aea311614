"""An anchor is signed as the words of its definition say, and nothing in it can be changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.anchor import Anchor, AnchoredChain, Signer, WrongAnchor, anchor_file, make_anchor, read_anchor
from punto.store.store import open_store
from tests.store.sessions import add_table, events_of

SIGNER = Signer(bytes(32))


@pytest.fixture(scope="module")
def anchor(tmp_path_factory: pytest.TempPathFactory) -> Anchor:
    with open_store(str(tmp_path_factory.mktemp("anchor") / "house.db")) as store:
        with store.write() as transaction:
            add_table(transaction, "t1")
            add_table(transaction, "t2")
            transaction.append("t1", 0, events_of("insurance/declined"))
        with store.read() as reader:
            made = make_anchor(reader, SIGNER, 1_700_000_000_000)
            tables = {
                table.id: AnchoredChain(
                    table.version, table.head.hex(), asked=table.asked, asked_hash=table.asked_head.hex()
                )
                for table in reader.tables()
            }
    assert made.tables == tables and made.tables["t2"].seq == 0
    return made


@pytest.mark.gli("2.3.3")
def test_the_signature_is_of_the_document_in_one_fixed_form(anchor: Anchor) -> None:
    """Computed again with the standard library and the key alone."""
    document = json.loads(anchor_file(anchor))
    signature = bytes.fromhex(document.pop("signature"))
    content = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(document["public_key"]))
    key.verify(signature, content)


def test_it_is_read_as_it_was_written(anchor: Anchor) -> None:
    assert read_anchor(anchor_file(anchor), [SIGNER.public_key]) == anchor
    assert read_anchor(msgspec.json.encode(anchor), ["00" * 32, SIGNER.public_key]) == anchor


@given(st.data())
@pytest.mark.gli("B.3.2")
def test_no_letter_of_it_can_be_changed(anchor: Anchor, data: st.DataObject) -> None:
    """Except blanks between its parts, which mean nothing."""
    content = anchor_file(anchor)
    place = data.draw(st.integers(0, len(content) - 1))
    changed = bytearray(content)
    changed[place] = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
    try:
        found: Any = read_anchor(bytes(changed), [SIGNER.public_key])
    except WrongAnchor:
        return
    assert found == anchor


def test_a_key_of_ones_own_is_not_trusted(anchor: Anchor) -> None:
    other = Signer(bytes(range(32)))
    document = msgspec.structs.replace(anchor, public_key=other.public_key)
    with pytest.raises(WrongAnchor, match="not one that you trust"):
        read_anchor(anchor_file(document), [SIGNER.public_key])


def test_every_key_signs_its_own(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "house.db")) as store, store.read() as reader:
        for number in range(3):
            signer = Signer(bytes([number]) * 32)
            empty = make_anchor(reader, signer, 1)
            assert empty.tables == {} and empty.cashier.seq == 0
            assert read_anchor(anchor_file(empty), [signer.public_key]) == empty
