from __future__ import annotations

import sys
from pathlib import Path

import pytest

from punto.cli.output import typed_name


@pytest.mark.parametrize(
    ("called", "is_on_path", "typed"),
    [
        (".venv/bin/punto", False, ".venv/bin/punto"),
        (".venv/bin/punto", True, "punto"),
        ("/usr/local/bin/punto", True, "punto"),
        ("punto", False, "punto"),
    ],
)
def test_the_command_is_named_as_it_can_be_typed(
    called: str, is_on_path: bool, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_on_path:
        (tmp_path / "punto").write_text("#!/bin/sh\n")
        (tmp_path / "punto").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [called])
    assert typed_name() == typed
