"""The GPU kernel against the processor's, for a machine that has a GPU: `pytest tests/gpu/gpu_*.py`.

The name keeps it from being collected with the other tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import NAMES, base_of, load
from punto.cards.shoe import Burn
from punto.rules.book import Book, read_book
from punto.simulation.deals import ShoeTerms
from punto.simulation.gpu import Gpu
from punto.simulation.run import Tally, Threads, deals_of, sums

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SIDE_BETS, CARD_BETS = str(EXAMPLES / "side-bets.toml"), str(EXAMPLES / "card-bets.toml")
TERMS = (
    ShoeTerms(),
    ShoeTerms(decks=6, behind_cut=60, rounds_after_cut=0),
    ShoeTerms(decks=4, rounds_per_shoe=30),
    ShoeTerms(decks=1, behind_cut=0, burn=Burn(by_first_card=False, fixed=3)),
    ShoeTerms(decks=39, behind_cut=1500, rounds_after_cut=2),
)


def ranks_only() -> Book:
    """The bets on single cards that ask for no suits."""
    removed = [f"bets.{area}" for area, table in load(CARD_BETS).pay_tables.items() if table.reads_suits]
    text = f'extends = "{CARD_BETS}"\nname = "ranks"\nremove = {removed}\n'.replace("'", '"')
    return read_book(text, "ranks.toml", base_of)


BOOKS = {**{Path(name).stem: load(name) for name in (*NAMES, SIDE_BETS, CARD_BETS)}, "ranks": ranks_only()}


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("name", BOOKS)
def test_the_same_histogram(name: str, terms: ShoeTerms) -> None:
    deals = deals_of(BOOKS[name], terms, 2**63 + 20_261_115)
    first = 2**32 - 2000
    here, there = deals.play(first, 5000), Gpu().play(deals, first, 5000)
    assert (here.lengths == there.lengths).all()
    assert (here.histogram == there.histogram).all()


@pytest.mark.parametrize("rounds", [1, 1000, 5_000_000])
def test_the_same_run(rounds: int) -> None:
    start = Tally.empty(deals_of(load("commission"), ShoeTerms(), 7))
    *_, here = sums(start, rounds, Threads(2))
    *_, there = sums(start, rounds, Gpu(20_000))
    assert all((here.arrays()[name] == there.arrays()[name]).all() for name in here.arrays())
