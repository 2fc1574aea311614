"""The stand-alone script of the documentation shares nothing with Punto and comes to the same answers."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from punto.audit.shuffle import CHACHA20, commitment_of, order_of

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SCRIPT = EXAMPLES / "check_shoe.py"
LOG = EXAMPLES / "checked-table.jsonl"


def run(log: Path, shoe: int = 1) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-I", SCRIPT, log, str(shoe)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def events() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]


def changed(tmp_path: Path, kind: str, nth: int = 0, **fields: Any) -> Path:
    """The log with one event changed."""
    records = events()
    [record for record in records if record["event"]["type"] == kind][nth]["event"].update(fields)
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.gli("2.3.3")
def test_it_is_short_and_imports_the_standard_library_only() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {str(name).split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_the_shoe_of_the_example_matches() -> None:
    status, out = run(LOG)
    assert status == 0
    assert "fits the seed" in out
    assert "2 of 2 fit their pledges" in out
    assert "40 compared, all in their places" in out


def test_a_shoe_that_is_not_opened_is_not_checked() -> None:
    status, out = run(LOG, 2)
    assert status == 1
    assert "not opened yet" in out


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("seed-opened", {"seed": "00" * 32}, "DOES NOT FIT THE SEED"),
        ("shoe-loaded", {"decks": 6}, "DOES NOT FIT THE SEED"),
        ("shoe-loaded", {"algorithm": "another"}, "DOES NOT FIT THE SEED"),
        ("bytes-opened", {"value": "00"}, "DO NOT FIT"),
        ("card-dealt", {"card": "4S"}, "WRONG at [6]"),
        ("cards-burned", {"shown": "5S"}, "WRONG at [1]"),
    ],
)
def test_what_was_changed_is_found(tmp_path: Path, kind: str, fields: dict[str, Any], words: str) -> None:
    status, out = run(changed(tmp_path, kind, **fields))
    assert status == 1
    assert words in out


def published(path: Path, secret: bytes, decks: int, added: dict[str, bytes | None]) -> None:
    """The log of a shoe whose players pledge these bytes, and open those that are not None."""
    commitment = commitment_of("t1", 3, decks, CHACHA20, secret)
    loaded = {"number": 3, "decks": decks, "commitment": commitment, "algorithm": CHACHA20}
    told = [{"type": "shoe-loaded", **loaded}]
    for player, value in added.items():
        digest = sha256(value or b"kept").hexdigest()
        told.append({"type": "bytes-pledged", "player": player, "digest": digest})
    for player, value in reversed(added.items()):
        if value is not None:
            told.append({"type": "bytes-opened", "player": player, "value": value.hex()})
    told.append({"type": "seed-opened", "shoe": 3, "seed": secret.hex(), "algorithm": CHACHA20})
    lines = (json.dumps({"table": "t1", "seq": seq, "event": event}) for seq, event in enumerate(told))
    path.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.gli("2.3.3")
def test_it_finds_the_same_orders_as_punto(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, path, random = ModuleType("check_shoe"), tmp_path / "log.jsonl", Random(15)
    exec(compile(SCRIPT.read_text(encoding="utf-8"), str(SCRIPT), "exec"), script.__dict__)
    for number in range(40):
        secret, decks = random.randbytes(32), (1, 6, 8)[number % 3]
        bytes_of = (random.randbytes(random.randint(1, 64)) for _ in range(number % 4))
        added: dict[str, bytes | None] = {f"player {i}": value for i, value in enumerate(bytes_of)}
        if len(added) > 2:
            added["player 1"] = None
        published(path, secret, decks, added)
        with pytest.raises(SystemExit) as ended:
            script.main(str(path), 3)
        assert ended.value.code == 0
        opened = [value for value in added.values() if value is not None]
        order = [card.value for card in order_of(CHACHA20, secret, decks, opened)]
        assert f"order: {' '.join(order)}\n" in capsys.readouterr().out


def test_without_arguments_it_says_what_it_takes() -> None:
    done = subprocess.run([sys.executable, "-I", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr == "write: check_shoe.py LOG SHOE\n"
