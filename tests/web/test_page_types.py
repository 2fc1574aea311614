"""What the pages are compiled against is what the server sends."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from punto.refusal import SENTENCES
from punto.server.validation import REASON_SENTENCES as SERVER_SENTENCES
from tools.page_types import FILES, FOLDER

WORDS = Path(__file__).parents[2] / "web/src/words"


@pytest.mark.parametrize("name", FILES)
def test_the_types_of_the_pages_are_those_of_the_server(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8")
    assert kept == FILES[name](), "type: .venv/bin/python tools/page_types.py"


@pytest.mark.parametrize("script", ["hans", "hant"])
def test_every_reason_has_its_words_in_chinese(script: str) -> None:
    words = json.loads((WORDS / f"refusals.zh-{script}.json").read_text(encoding="utf-8"))
    ours = {reason.value: sentence for reason, sentence in SENTENCES.items()}
    sentences = ours | {reason.value: sentence for reason, sentence in SERVER_SENTENCES.items()}
    assert [reason for reason in sentences if reason not in words] == []
    for reason, sentence in sentences.items():
        used = set(re.findall(r"{(\w+)}", words[reason]))
        assert used <= set(re.findall(r"{(\w+)}", sentence)), reason
