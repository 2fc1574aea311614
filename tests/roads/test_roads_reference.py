"""What docs/reference/roads.md says is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from punto.roads.roads import Roads, picture

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "roads.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_table_of_examples() -> None:
    rows = re.findall(r"^\| `([BPT]+)` \| `?([RB]*)`? ?\| `?([RB]*)`? ?\| `?([RB]*)`? ?\|$", PAGE, re.MULTILINE)
    assert len(rows) == 3
    for results, *derived in rows:
        roads = Roads.parse(results)
        assert [roads.big_eye, roads.small, roads.cockroach] == derived


def test_the_json_example() -> None:
    (example,) = blocks("json")
    assert json.loads(example) == json.loads(msgspec.json.encode(picture(Roads.parse("Bb"))))


def test_the_python_example_runs() -> None:
    (example,) = blocks("python")
    exec(compile(example, "docs/reference/roads.md", "exec"), {})
