"""`punto serve` refuses a key that it could not use, in one sentence, and says where there are no pages yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.server.serving import Serving
from tests.cli.called import call, refusal


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


def test_a_checkout_without_pages_is_told_what_to_type(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is shown in the browser either, where there is nothing to see."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    for has_pages in (False, True):
        serving = Serving("http://127.0.0.1:1", "house.db", [], has_pages=has_pages)
        monkeypatch.setattr("punto.server.serving.serve", lambda _, tell, it=serving: tell(it))
        came = call("serve", "--database", str(tmp_path / "house.db"))
        assert came.status == 0 and ("make pages" in came.out) is not has_pages
    assert opened == ["http://127.0.0.1:1"]
