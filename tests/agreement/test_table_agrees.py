"""Whole rounds at the table against the checker, which shares nothing with it: 1,000 rounds of every book."""

import ast
from pathlib import Path

import pytest

from punto import books
from tests.agreement import checker, oracle
from tests.agreement.random_rounds import play_block

BLOCKS = range(5)
ROUNDS_A_BLOCK = 200


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", books.NAMES)
def test_random_rounds_agree(name: str, block: int) -> None:
    counts = play_block(name, block, ROUNDS_A_BLOCK)
    assert counts["rounds"] == ROUNDS_A_BLOCK
    assert counts["lines"] > ROUNDS_A_BLOCK, "hardly anything was bet"
    if name == "insurance":
        assert counts["insurance"], "nothing was insured"
    assert bool(counts["put right"]) == (name != "ez"), "no card came too soon"


def test_boxes_over_the_differential_are_among_them() -> None:
    assert sum(play_block("insurance", block, 60)["scaled"] for block in BLOCKS) > 20


def test_the_checker_can_disagree() -> None:
    """A stake told wrong is settled otherwise; it would be no evidence if everything agreed with it."""
    deal = oracle.play_out(["KS", "KH", "9D", "7C"])
    bet = checker.Bet(1, "Ann", "player", 1000, is_seated=True)
    assert checker.settled("commission", [bet], [], deal, "half-up") == [
        (1, "Ann", "player", 1000, "win", 1000)
    ]
    other = oracle.play_out(["KS", "KH", "6D", "7C"])
    assert checker.settled("commission", [bet], [], other, "half-up") == [
        (1, "Ann", "player", 1000, "lose", -1000)
    ]


@pytest.mark.parametrize("module", [checker, oracle])
def test_they_share_nothing_with_what_they_check(module: object) -> None:
    file = getattr(module, "__file__", None)
    assert file is not None
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert not any(name.split(".")[0] == "punto" for name in names)
