"""What mutants are made from: the books, sessions, kept files and command lines that there are."""

from __future__ import annotations

import io
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import punto.books
from punto.cli.main import run

ROOT = Path(__file__).parents[2]

LINES = (
    "books --json",
    "rules ez --json",
    "rules knockout --markdown",
    "check book.toml --json",
    "settle commission --cards|KS 9H KD KC|--bet banker=100 --bet tie=10 --json",
    "settle insurance --cards|KS 6H 6D 2C 5S|--bet player=300 --bet insurance-player-4=100",
    "deal ez --seed 7 --rounds 5 --decks 8 --json",
    "roads BBPTbPpB --json",
    "odds ez --decks 8 --seen|AS KD 7H|--json",
    "odds insurance --composition c.json",
    "insurance insurance --decks 6",
    "run s.punto --json",
    "play ez --seed 1",
    "drill ez --seed 1 --json --questions 2",
    "demo",
    "simulate ez --rounds 1000 --seed 1 --workers 1",
)


@dataclass(frozen=True)
class Corpus:
    """All of it, as bytes."""

    books: list[bytes]
    sessions: list[bytes]
    games: list[bytes]
    scores: list[bytes]
    checkpoints: list[bytes]
    lines: list[list[str]]
    composition: bytes
    simulation: tuple[str, ...]
    house: HouseFiles
    settings: bytes


@dataclass(frozen=True)
class HouseFiles:
    """What a house with stored tables gives away: each of these files may come back from anybody."""

    export: bytes
    parquet: bytes
    session: bytes
    shoe: bytes
    backup: bytes
    anchor: bytes
    key: str
    """The public key that the anchor is signed with."""


def collected() -> Corpus:
    """The corpus; what commands keep is made by them, in the folder where one is."""
    folder = Path(punto.books.__file__).parent
    toml = [*sorted(folder.glob("*.toml")), ROOT / "docs/examples/side-bets.toml"]
    sessions = sorted((ROOT / "tests/playthroughs").rglob("*.punto"))
    games = [_kept("game", "play", book, "--seed", "1", "--save") for book in ("ez", "insurance", "knockout")]
    score = _kept("score", "drill", "ez", "--seed", "1", "--json", "--score")
    simulation = ("simulate", "ez", "--rounds", "2000000", "--seed", "1", "--workers", "1")
    return Corpus(
        books=[file.read_bytes() for file in toml],
        sessions=[file.read_bytes() for file in sessions],
        games=games,
        scores=[score],
        checkpoints=[_checkpoint(simulation)],
        lines=[_words(line) for line in LINES],
        composition=b'{"A": 32, "2": 31, "3": 32, "9": 32, "10": 128}',
        simulation=simulation,
        house=house_files(),
        settings=b'port = 0\npace = 0.5\nrate = 30\nhosts = ["floor.example"]\ndatabase = "x.db"\n',
    )


@cache
def house_files() -> HouseFiles:
    """Files of a small house, made once."""
    from punto.audit.anchor import anchor_file
    from tests.audit.house import SIGNER, build

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database, made = str(folder / "house.db"), folder / "backup.db"
        anchor = anchor_file(build(database))
        written = {}
        for file in ("t.jsonl", "t.parquet", "t.punto"):
            _quietly("table", "export", "t3", "-o", str(folder / file), "--database", database)
            written[file] = (folder / file).read_bytes()
        _quietly("backup", str(made), "--database", database)
        return HouseFiles(
            export=written["t.jsonl"],
            parquet=written["t.parquet"],
            session=written["t.punto"],
            shoe=(ROOT / "docs/examples/checked-table.jsonl").read_bytes(),
            backup=made.read_bytes(),
            anchor=anchor,
            key=SIGNER.public_key,
        )


def _quietly(*arguments: str) -> None:
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
        assert run(arguments) == 0, arguments


def _words(line: str) -> list[str]:
    """Words between blanks; what stands between bars is one word."""
    parts = line.split("|")
    return [word for i, part in enumerate(parts) for word in ([part] if i % 2 else part.split())]


def _kept(name: str, *arguments: str) -> bytes:
    """What a command keeps in a file after some lines of answers."""
    file = Path(f"{name}-{arguments[1]}.json")
    file.unlink(missing_ok=True)
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(b"1\nbanker 100\ndeal\n\nq\nskip\nskip\n"))
    try:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
            run((*arguments, str(file)))
    finally:
        sys.stdin = before
    return file.read_bytes()


def _checkpoint(simulation: tuple[str, ...]) -> bytes:
    """The state that such a run keeps on its way."""
    from punto.cli import simulate_command

    file, seconds = Path("checkpoint-kept"), simulate_command.CHECKPOINT_SECONDS
    file.unlink(missing_ok=True)
    simulate_command.CHECKPOINT_SECONDS = -1.0  # due at once
    try:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
            run((*simulation, "--checkpoint", str(file)))
    finally:
        simulate_command.CHECKPOINT_SECONDS = seconds
    return file.read_bytes()
