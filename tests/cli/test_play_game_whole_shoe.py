"""A whole shoe of every book, played through a terminal and settled again by a second reading.

Every round has the same bets; every insurance offered is taken to its greatest stake, every ante is wagered.
What the statement says must then be what the oracle, which shares nothing with punto, makes of the cards.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from punto.books import NAMES, load
from punto.cards.source import seeded_bytes
from punto.dealer.dealer import deal_shoe
from tests.agreement.oracle import net_of_unit, rounded
from tests.agreement.oracle_deal import Deal, play_out
from tests.agreement.oracle_insurance import insurance_odds
from tests.cli.pseudo_terminal import Terminal

BETS = {
    "commission": {"banker": 130, "tie": 10, "banker-pair": 15},
    "easy-six": {"player": 110, "easy-six": 10, "player-pair": 10},
    "ez": {"banker": 100, "dragon-7": 10, "panda-8": 10},
    "insurance": {"player": 55, "banker": 100, "super-six-plus": 10},
    "knockout": {"banker": 100, "winning-total-7": 10, "ante-player": 50, "ante-banker": 20},
}
SEED = 77
PROMPTS = ("your bets> ", "wager or give up> ", "insure Player", "insure Banker", "A new shoe")


def insured(deal: Deal, bets: dict[str, int]) -> dict[str, int]:
    """Every insurance that is offered, to the greatest stake, in whole units of money."""
    taken: dict[str, int] = {}
    for hand in ("player", "banker"):
        left = Fraction(bets.get(hand, 0))
        for cards in (4, 5):
            odds = insurance_odds(f"insurance-{hand}-{cards}", deal)
            # Who was offered nothing worth a chip after four cards has passed nothing up.
            stake = int(left / odds) if odds else 0
            if odds and stake:
                taken[f"insurance-{hand}-{cards}"] = stake
                left -= stake * odds
    return taken


def expected(book: str, deal: Deal) -> int:
    """What the bets of a round gain, in minor units."""
    bets = dict(BETS[book])
    if book == "knockout":
        bets |= {"wager-player": 100, "wager-banker": 40}
    if book == "insurance":
        bets |= insured(deal, bets)
    return sum(rounded(net_of_unit(book, area, deal, bets) * stake * 100) for area, stake in bets.items())


@pytest.mark.slow
@pytest.mark.parametrize("book", NAMES)
def test_a_whole_shoe(book: str, tmp_path: Path) -> None:
    shoe = deal_shoe(8, seeded_bytes(SEED))
    deals = [play_out([str(card) for card in coup.cards]) for coup in shoe.rounds(load(book).play)]
    terminal = Terminal(tmp_path, "play", book, "--seed", str(SEED), "--box", "2", "--pace", "0", "--bankroll", "90k")
    terminal.wait_for("A new shoe")
    terminal.wait_for("your bets> ")
    prompt = terminal.type(" ".join(f"{area} {stake}" for area, stake in BETS[book].items()), *PROMPTS)
    line, shoes = "deal", 1
    while shoes == 1:
        prompt = terminal.type(line, *PROMPTS)
        shoes += prompt == "A new shoe"
        line = {"your bets> ": "same deal", "wager or give up> ": "wager"}.get(prompt, "max")
    terminal.wait_for("your bets> ")
    terminal.type("statement", "your bets> ")
    terminal.type("quit")
    assert terminal.end() == 0
    terminal.check()
    net = sum(expected(book, deal) for deal in deals)
    sign = "+" if net > 0 else "-"
    whole, cents = divmod(abs(net), 100)
    shown = f"{sign}{whole:,}" + (f".{cents:02}" if cents else "")
    assert f"{len(deals)} rounds from 2 shoes." in terminal.lines
    [total] = {line.split()[-1] for line in terminal.lines if line.startswith("  in all")}
    assert total == shown
    # The last strip of results over the shoe says how its latest rounds went.
    strips = [line.split() for line in terminal.lines if line.startswith(("  B", "  P", "  T")) and is_strip(line)]
    letters = [deal.winner[0].upper() for deal in deals[:-1]]
    assert strips[-1] == letters[-len(strips[-1]) :]
    assert len(strips[-1]) == min(len(letters), 39)


def is_strip(line: str) -> bool:
    return set(line) <= set("BPT ")
