"""`punto serve` refuses to start, in one sentence, with a key for sealing seeds that it could not use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.called import refusal


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PUNTO_KEY_FILE", "mistyped", "PUNTO_KEY_FILE names mistyped, which is not there"),
        ("PUNTO_KEY_FILE", "open-key", "can be read by others"),
        ("PUNTO_KEY", "12ab", "PUNTO_KEY must hold a key of 64 hexadecimal digits"),
        ("XDG_CONFIG_HOME", "config", "punto/key must hold a key"),
    ],
)
def test_a_key_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("PUNTO_KEY", "PUNTO_KEY_FILE"):
        monkeypatch.delenv(variable, raising=False)
    Path("open-key").write_text("12" * 32, encoding="ascii")
    Path("open-key").chmod(0o644)
    broken = tmp_path / "config/punto/key"
    broken.parent.mkdir(parents=True)
    broken.touch(mode=0o600)
    monkeypatch.setenv(name, str(tmp_path / value) if name == "XDG_CONFIG_HOME" else value)
    assert words in refusal("serve", "--port", "0", "--no-browser", "--database", "house.db")
    assert not Path("house.db").exists()
