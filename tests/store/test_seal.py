"""The seal on seeds: only the key opens it, and only for its own shoe."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.store.errors import KeyTrouble
from punto.store.seal import KEY_BYTES, SEAL_KEY, Seal
from punto.store.store import open_store
from punto.store.witness import check_key

KEY = bytes(range(KEY_BYTES))
names = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=40)


@given(names, st.integers(1, 10**9), st.binary(max_size=64))
def test_what_is_sealed_opens(table: str, shoe: int, secret: bytes) -> None:
    sealed = Seal(KEY).seal(table, shoe, secret)
    assert Seal(KEY).open(table, shoe, sealed) == secret
    assert len(secret) < 8 or secret not in sealed
    assert Seal(KEY).seal(table, shoe, secret) != sealed


@given(st.data())
def test_it_opens_for_nothing_else(data: st.DataObject) -> None:
    sealed = Seal(KEY).seal("t1", 2, b"seed")
    place = data.draw(st.integers(0, len(sealed) - 1))
    changed = bytes(byte ^ (1 if i == place else 0) for i, byte in enumerate(sealed))
    shorter = sealed[: data.draw(st.integers(0, len(sealed) - 1))]
    for key, table, shoe, content in [
        (KEY, "t1", 2, changed),
        (KEY, "t1", 2, shorter),
        (KEY, "t1", 3, sealed),
        (KEY, "t2", 2, sealed),
        (KEY[::-1], "t1", 2, sealed),
    ]:
        with pytest.raises(KeyTrouble, match="can only be replaced"):
            Seal(key).open(table, shoe, content)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of whoever runs the tests."""
    for name in ("PUNTO_KEY", "PUNTO_KEY_FILE", "PUNTO_SECOND_KEY", "PUNTO_LOST_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_a_key_is_made_when_it_is_first_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    seal = Seal()
    path = tmp_path / "punto" / "key"
    assert SEAL_KEY.path == path and not path.exists()
    with pytest.raises(KeyTrouble, match="there is no key"):
        seal.open("t1", 1, b"0" * 40)
    assert not path.exists()
    sealed = seal.seal("t1", 1, b"seed")
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["key"]
    content = path.read_text(encoding="ascii")
    assert Seal().open("t1", 1, sealed) == b"seed"
    assert path.read_text(encoding="ascii") == content


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my-key"
    file.write_text(KEY.hex() + "\n", encoding="ascii")
    file.chmod(0o600)
    sealed = Seal(KEY).seal("t1", 1, b"seed")
    monkeypatch.setenv("PUNTO_KEY_FILE", str(file))
    assert Seal().open("t1", 1, sealed) == b"seed"
    monkeypatch.setenv("PUNTO_KEY", KEY[::-1].hex())
    with pytest.raises(KeyTrouble, match="PUNTO_KEY"):
        Seal().open("t1", 1, sealed)
    monkeypatch.delenv("PUNTO_KEY_FILE")
    monkeypatch.setenv("PUNTO_KEY", KEY.hex())
    assert Seal().open("t1", 1, sealed) == b"seed"


@pytest.mark.parametrize("text", ["", "abc", "zz" * 32, "ab" * 31, "ab" * 33, "\N{SNOWMAN}"])
def test_a_key_that_is_not_one(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my-key"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    monkeypatch.setenv("PUNTO_KEY_FILE", str(file))
    with pytest.raises(KeyTrouble, match="my-key"):
        Seal().seal("t1", 1, b"seed")
    if text:
        monkeypatch.setenv("PUNTO_KEY", text)
        with pytest.raises(KeyTrouble, match="PUNTO_KEY"):
            Seal().seal("t1", 1, b"seed")


def test_a_key_that_others_can_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my-key"
    file.write_text(KEY.hex(), encoding="ascii")
    file.chmod(0o640)
    monkeypatch.setenv("PUNTO_KEY_FILE", str(file))
    with pytest.raises(KeyTrouble, match="chmod 600"):
        Seal().seal("t1", 1, b"seed")


@pytest.mark.parametrize("name", ["key", "nowhere/key"])
def test_a_key_file_that_is_named_and_not_there_is_not_made(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / name
    monkeypatch.setenv("PUNTO_KEY_FILE", str(file))
    with pytest.raises(KeyTrouble, match=f"PUNTO_KEY_FILE names {file}, which is not there"):
        Seal().seal("t1", 1, b"seed")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("PUNTO_KEY_FILE", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = Seal().seal("t1", 1, b"seed")
    assert made and (tmp_path / "punto/key").exists(), "an empty name is none"


@pytest.mark.gli("B.6.2")
def test_a_second_key_opens_and_is_believed_and_seals_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = b"o" * KEY_BYTES, b"n" * KEY_BYTES
    before, both, after = Seal(old), Seal(new, old), Seal(new)
    assert both.open("t1", 1, before.seal("t1", 1, b"seed")) == b"seed"
    assert both.open_secret("totp:Lee", before.seal_secret("totp:Lee", b"code")) == b"code"
    assert both.is_signed(before.sign("a", 1), "a", 1) and both.is_signed(after.sign("a", 1), "a", 1)
    assert not both.is_signed(before.sign("a", 1), "a", 2)
    assert after.open("t1", 1, both.seal("t1", 1, b"seed")) == b"seed"
    with pytest.raises(KeyTrouble):
        before.open("t1", 1, both.seal("t1", 1, b"seed"))
    with pytest.raises(KeyTrouble):
        both.open("t1", 1, Seal(b"x" * KEY_BYTES).seal("t1", 1, b"seed"))
    monkeypatch.setenv("PUNTO_KEY", new.hex())
    monkeypatch.setenv("PUNTO_SECOND_KEY", old.hex())
    assert Seal().open("t1", 1, before.seal("t1", 1, b"seed")) == b"seed"
    assert Seal().key_ids() == both.key_ids() == [*after.key_ids(), *before.key_ids()]


@pytest.mark.gli("B.6.2")
def test_servers_of_a_house_have_one_key(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new, other = (bytes([n]) * KEY_BYTES for n in (1, 2, 3))

    def start(seal: Seal) -> None:
        with store.write() as transaction:
            check_key(transaction, seal)

    with open_store(database) as store:
        for seal in (Seal(old), Seal(old, new), Seal(new, old), Seal(new), Seal(old, new), Seal(new, old)):
            start(seal)
        for wrong in (Seal(old), Seal(other)):
            with pytest.raises(KeyTrouble, match=f"with another key .{Seal(new).key_ids()[0]}. .*give every server"):
                start(wrong)
        monkeypatch.setenv("PUNTO_LOST_KEY", Seal(new).key_ids()[0])
        start(Seal(other))
        monkeypatch.delenv("PUNTO_LOST_KEY")
        start(Seal(other))
