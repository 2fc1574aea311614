"""Every language has every word of English, and no other; adding one is adding files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from punto.refusal import Reason
from punto.server.validation import ServerReason
from punto.words import ENGLISH, FOLDER, languages, phrases
from tools.words import language_gaps

OF_THE_PAGE = {"unreadable-answer"}
"""What the page itself says where an answer cannot be read."""


@pytest.mark.parametrize("language", languages())
def test_nothing_is_missing_in_a_language_and_nothing_too_much(language: str) -> None:
    assert language_gaps(language) == []


def test_every_reason_has_a_sentence_and_every_sentence_a_reason() -> None:
    codes = {reason.value for reason in (*Reason, *ServerReason)}
    assert set(phrases(ENGLISH, "refusals.json")) == codes | OF_THE_PAGE


def test_what_is_wrong_with_a_language_is_said_to_the_key(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "en", tmp_path / "en")
    shutil.copytree(FOLDER / "en", tmp_path / "xx")
    assert language_gaps("xx", tmp_path) == []

    file = tmp_path / "xx/refusals.json"
    words = json.loads(file.read_text(encoding="utf-8"))
    del words["paused"]
    words |= {"pausd": "x", "no-table": "no table", "seat-taken": "box {bx}", "not-seated": ""}
    file.write_text(json.dumps(words), encoding="utf-8")
    calls = tmp_path / "xx/calls.toml"
    calls.write_text(calls.read_text(encoding="utf-8").replace("{hand} has {count} and draws", "{hand} draws"), "utf-8")
    (tmp_path / "xx/more.toml").touch()
    (tmp_path / "xx/conditions.toml").unlink()
    assert language_gaps("xx", tmp_path) == [
        "xx/conditions.toml is missing",
        "xx/more.toml is not in English",
        "xx/calls.toml: reason.draws has no {count}",
        "xx/refusals.json: paused is missing",
        "xx/refusals.json: pausd is not in English",
        "xx/refusals.json: seat-taken has {bx}, which English has not",
        "xx/refusals.json: not-seated is empty",
    ]
