"""Settlements through the command, worked out by hand from the five documents.

Cards are in dealing order: Player, Banker, Player, Banker, then third cards.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from punto.books import NAMES, load
from punto.rules.book import digest_of
from tests.cli.called import answer
from tests.cli.settled_deals import (
    BANKER_SEVEN,
    DEALS,
    DRAGON,
    LOSE,
    NATURAL_NINE,
    PANDA,
    PLAYER_SIX,
    PUSH,
    TIE_ON_SEVEN,
    WIN,
    Lines,
)


def settle(book: str, cards: str, *bets: str) -> Any:
    options = [word for bet in bets for word in ("--bet", bet)]
    return answer("settle", book, "--cards", cards, *options, "--json").json


def check(book: str, cards: str, expected: Lines) -> Any:
    """Stake 100 on each area, and 200 on wagers."""
    stakes = {area: "200" if area.startswith("wager") else "100" for area in expected}
    settled = settle(book, cards, *(f"{area}={stake}" for area, stake in stakes.items()))
    found = {line["bet"]: (line["result"], line["odds"], line["net"], line["clause"]) for line in settled["lines"]}
    assert list(found.items()) == list(expected.items())
    assert [line["stake"] for line in settled["lines"]] == [f"{stake}.00" for stake in stakes.values()]
    assert float(settled["net"]) == sum(float(net) for _, _, net, _ in expected.values())
    return settled


def test_the_whole_document_as_it_is_promised() -> None:
    assert settle("commission", "ks, TH 9d 5c", "tie=2.5", "player=100", "banker=0.10") == {
        "book": "commission",
        "digest": digest_of(load("commission")),
        "player": {"cards": ["KS", "9D"], "points": 9},
        "banker": {"cards": ["10H", "5C"], "points": 5},
        "winner": "player",
        "natural": True,
        "declared": ["natural"],
        "lines": [
            {"bet": "tie", "stake": "2.50", "result": "lose", "odds": None, "net": "-2.50", "clause": "4.1.2"},
            {"bet": "player", "stake": "100.00", "result": "win", "odds": "1:1", "net": "100.00", "clause": "4.1.2"},
            {"bet": "banker", "stake": "0.10", "result": "lose", "odds": None, "net": "-0.10", "clause": "4.1.2"},
        ],
        "net": "97.40",
    }


@pytest.mark.parametrize(("book", "cards", "lines"), DEALS)
def test_every_area_wins_loses_and_comes_back(book: str, cards: str, lines: Lines) -> None:
    check(book, cards, lines)


@pytest.mark.parametrize(
    ("cards", "bets", "expected"),
    [
        # Banker 5 against 3 after four cards, 2:1; Player draws to 9 and wins.
        ("KS 2H 3D 3C 6H KH", {"banker": "100", "insurance-banker-4": "50"}, (WIN, "2:1", "100.00", "4.1.2")),
        # The same, but Banker wins with 5 against 4, and then 5 ties with 5.
        ("KS 2H 3D 3C AH", {"banker": "100", "insurance-banker-4": "50"}, (LOSE, None, "-50.00", "4.1.2")),
        ("KS 2H 3D 3C 2C", {"banker": "100", "insurance-banker-4": "50"}, (PUSH, None, "0.00", "4.2.1")),
        # Player stands on 6 against 4, 3:1; Banker draws to 8.
        ("2S KH 4D 4C 4S", {"player": "90", "insurance-player-4": "30"}, (WIN, "3:1", "90.00", "4.1.2")),
        # Player 5 against Banker 4, 2:1; Player stays on 5, Banker (4 beside a 0) stands and loses.
        ("KS KH 5D 4C KD", {"player": "100", "insurance-player-4": "10"}, (LOSE, None, "-10.00", "4.1.2")),
        # Player draws to 3 against Banker 4, 3:2; Banker draws to 2 and loses.
        ("KS KH AD 4C 2H 8S", {"banker": "90", "insurance-banker-5": "60"}, (WIN, "3:2", "90.00", "4.1.2")),
        # Player has drawn to 9: a tie at nine pays this insurance.
        ("KS KH 4D 5C 5H 4S", {"player": "80", "insurance-player-5": "10"}, (WIN, "8:1", "80.00", "4.2.1")),
        # Insurance on a Player 5 that ties at nine is returned.
        ("KS KH 5D 4C 4H 5S", {"player": "80", "insurance-player-4": "10"}, (PUSH, None, "0.00", "4.2.1")),
    ],
)
def test_insurance(cards: str, bets: dict[str, str], expected: tuple[str, str | None, str, str]) -> None:
    line = settle("insurance", cards, *(f"{area}={stake}" for area, stake in bets.items()))["lines"][-1]
    assert (line["result"], line["odds"], line["net"], line["clause"]) == expected


def test_insurance_at_both_windows_within_the_cap() -> None:
    bets = ("banker=100", "insurance-banker-4=20", "insurance-banker-5=8")
    settled = settle("insurance", "KS KH 4D 5C 7H KD", *bets)
    # Player draws to 1, Banker keeps 5 and wins: both insurances are lost.
    assert [line["net"] for line in settled["lines"]] == ["100.00", "-20.00", "-8.00"]


@pytest.mark.parametrize(
    ("book", "cards", "declared", "is_natural"),
    [
        ("ez", DRAGON, ["dragon-7"], False),
        ("ez", PANDA, ["panda-8"], False),
        ("ez", NATURAL_NINE, ["natural"], True),
        ("knockout", TIE_ON_SEVEN, ["tie"], False),
        ("insurance", "9S 9H KD KC", ["natural", "tie"], True),
        ("easy-six", BANKER_SEVEN, [], False),
    ],
)
def test_what_is_declared(book: str, cards: str, declared: list[str], is_natural: bool) -> None:
    settled = settle(book, cards, "tie=1")
    assert (settled["declared"], settled["natural"]) == (declared, is_natural)


@pytest.mark.parametrize(
    ("stake", "net"),
    # 0.95 of each: 0.0095, 0.095, 0.1045, 9.4905; halves of a cent go up.
    [("0.01", "0.01"), ("0.10", "0.10"), ("0.11", "0.10"), ("9.99", "9.49"), ("20", "19.00")],
)
def test_a_pay_out_is_rounded_half_up(stake: str, net: str) -> None:
    assert settle("commission", BANKER_SEVEN, f"banker={stake}")["net"] == net


def test_the_greatest_amount_is_exact() -> None:
    settled = settle("easy-six", PLAYER_SIX, "player=999999999999999.99")
    # 1.05 times the stake is 1049999999999999.9895.
    assert settled["net"] == "1049999999999999.99"
    assert settled["lines"][0]["stake"] == "999999999999999.99"


@pytest.mark.parametrize("book", NAMES)
def test_the_deals_above_let_every_area_win_and_lose(book: str) -> None:
    seen = {(area, line[0]) for name, _, lines in DEALS if name == book for area, line in lines.items()}
    areas = [bet.area for bet in load(book).bets]
    assert [area for area in areas if not {(area, WIN), (area, LOSE)} <= seen] == []


def test_a_users_own_book_settles_like_a_built_in_one(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(resources.files("punto.books").joinpath("ez.toml").read_text(encoding="utf-8"), "utf-8")
    assert settle(str(mine), DRAGON, "dragon-7=1") == settle("ez", DRAGON, "dragon-7=1")


def test_people_see_the_hands_and_every_line() -> None:
    shown = answer(
        "settle", "ez", "--cards", DRAGON, "--bet", "banker=100", "--bet", "dragon-7=5", "--bet", "player=10"
    ).out
    assert shown == (
        "EZ Baccarat\n"
        "  Player  2♠ 3♦ K♦     5\n"
        "  Banker  K♥ 2♣ 5♠     7  wins\n"
        "  Dragon 7\n"
        "\n"
        "  bet       stake  result  odds   net  clause\n"
        "  ────────  ─────  ──────  ────  ────  ──────\n"
        "  banker      100  push             0  5\n"
        "  dragon-7      5  win     40:1  +200  5\n"
        "  player       10  lose           -10  5\n"
        "  net                            +190\n"
    )


def test_people_see_that_a_tie_is_one() -> None:
    shown = answer("settle", "knockout", "--cards", TIE_ON_SEVEN, "--bet", "tie=1").out
    assert "  Tie\n" in shown
    assert "wins" not in shown


def test_colour_is_there_when_it_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32m" in answer("settle", "ez", "--cards", DRAGON, "--bet", "dragon-7=5").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in answer("settle", "ez", "--cards", DRAGON, "--bet", "dragon-7=5").out
