"""Whole rounds at the table against the checker, which shares nothing with it: 1,000 rounds of every book.

In a tenth of them something goes wrong, and what comes of it is compared as closely as the rest.
"""

import ast
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from punto import books
from tests.agreement import (
    checker,
    facts,
    law,
    oracle,
    oracle_deal,
    oracle_insurance,
    second_case,
    second_deal,
    second_reading,
    second_remedy,
    second_table,
    sighted,
)
from tests.agreement.random_rounds import play_block

BLOCKS = range(5)
ROUNDS_A_BLOCK = 200
OWN = (
    *(checker, facts, law, oracle, oracle_deal, oracle_insurance, sighted),
    *(second_case, second_deal, second_reading, second_remedy, second_table),
)
"""The checker: everything that says what must come of a command."""


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", books.NAMES)
def test_random_rounds_agree(name: str, block: int) -> None:
    counts = play_block(name, block, ROUNDS_A_BLOCK)
    assert counts["rounds"] == ROUNDS_A_BLOCK
    assert counts["settled bets"] > ROUNDS_A_BLOCK, "hardly anything was bet"
    assert counts["case-opened"] > 5, "hardly anything went wrong"
    assert counts["void"], "no round was voided"
    if name == "insurance":
        assert counts["insured"], "nothing was insured"
        assert counts["options"], "nobody was given a choice"


@pytest.mark.slow
def test_everything_that_can_go_wrong_is_among_them() -> None:
    """What the clauses of the insurance book speak of, each found at least once, and each way out taken."""
    counts: Counter[str] = Counter()
    found: set[str] = set()
    for block in range(1_000):  # a neglected insurance that would have won is rare: once in a hundred blocks
        counts += play_block("insurance", block, 12, with_errors=1)
        found = {name.removeprefix("found ") for name in counts if name.startswith("found ")}
        if block >= 80 and found >= set(law.RULES["insurance"]):
            break
    assert found >= set(law.RULES["insurance"])
    assert {name for name in counts if name.startswith("resolved ")} >= {
        f"resolved {how}" for how in ("chosen", "void", "reconstructed", "withdrawn", "dismissed", "superseded")
    }
    assert counts["cut"] > 20, "hardly a box was over its differential"
    assert counts["re-offers"], "no window was offered anew"
    assert counts["as-they-lie"], "nothing was played as it lay"


def test_the_checker_can_disagree() -> None:
    """A stake told wrong is settled otherwise; it would be no evidence if everything agreed with it."""
    deal = oracle_deal.play_out(["KS", "KH", "9D", "7C"])
    bet = checker.Bet(1, "Ann", "player", 1000, is_seated=True)
    assert checker.settled("commission", [bet], [], deal, "half-up") == [(1, "Ann", "player", 1000, "win", 1000)]
    other = oracle_deal.play_out(["KS", "KH", "6D", "7C"])
    assert checker.settled("commission", [bet], [], other, "half-up") == [(1, "Ann", "player", 1000, "lose", -1000)]


@pytest.mark.parametrize(
    ("player", "banker", "net"),
    [
        ("KS 9H", "KD 2C 7H", 8),  # a tie at nine
        ("KS 7H", "KD 2C 5H", 0),  # put right to a tie at seven: no nine any more
        ("KS 9H", "KD 2C 6H", -1),
        ("KS 7H", "KD 2C 6H", 8),
    ],
)
def test_insurance_is_settled_on_the_hands_played(player: str, banker: str, net: int) -> None:
    taken = checker.Taken(1, "Ann", "player", 5, 100, Fraction(8), had_nine=True)
    assert checker.insurance_net(taken, oracle_deal.Deal(player.split(), banker.split())) == net


@pytest.mark.parametrize("module", OWN, ids=lambda module: module.__name__)
def test_they_share_nothing_with_what_they_check(module: object) -> None:
    file = getattr(module, "__file__", None)
    assert file is not None
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert not any(name.split(".")[0] == "punto" for name in names)
