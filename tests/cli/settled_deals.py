"""Deals of the five books, settled by hand from their documents: every area wins, loses and comes back.

Cards are in dealing order: Player, Banker, Player, Banker, then third cards.
"""

from __future__ import annotations

NATURAL_NINE = "KS 3H 9D 5C"
"""Player 9 against Banker 8."""

BANKER_SEVEN = "2S 4H 3D 3C KD"
"""Player draws to 5, Banker stands on a two-card 7."""

TIE_ON_SEVEN = "KS KH 7D 7C"
TWO_PAIRS = "8S 9H 8D 9C"
"""Player 6 with a pair of eights, Banker a natural 8 with a pair of nines."""

TEN_AND_KING = "10S JH KD QC 5H 3C"
"""No pair in either hand, though all four count nothing: Player 5, Banker 3."""

BANKER_SIX = "2S 4H 3D 2C KD"
"""Player draws to 5, Banker stands on a two-card 6."""

BANKER_SIX_OF_THREE = "2S KH 3D 2C KD 4S"
PLAYER_SIX = "2S 3H 4D 2C KD"
"""Player stands on 6, Banker draws to 5."""

TIE_ON_SIX = "2S 4H 4D 2C"
DRAGON = "2S KH 3D 2C KD 5S"
"""Player draws to 5, Banker draws to 7."""

PANDA = "2S KH 3D 7C 3H"
"""Player draws to 8, Banker stands on 7."""

Lines = dict[str, tuple[str, str | None, str, str]]
"""Result, odds, net and clause by area, in order."""

WIN, PUSH, LOSE = "win", "push", "lose"


def lost(clause: str) -> tuple[str, None, str, str]:
    return (LOSE, None, "-100.00", clause)


def returned(clause: str) -> tuple[str, None, str, str]:
    return (PUSH, None, "0.00", clause)


def won(odds: str, net: str, clause: str) -> tuple[str, str, str, str]:
    return (WIN, odds, net, clause)


COMMISSION: list[tuple[str, Lines]] = [
    (
        NATURAL_NINE,
        {
            "player": won("1:1", "100.00", "4.1.2"),
            "banker": lost("4.1.2"),
            "tie": lost("4.1.2"),
            "player-pair": lost("4.1.2"),
            "banker-pair": lost("4.1.2"),
        },
    ),
    (BANKER_SEVEN, {"banker": won("19:20", "95.00", "4.1.2"), "player": lost("4.1.2")}),
    (BANKER_SIX, {"banker": won("19:20", "95.00", "4.1.2")}),
    (TIE_ON_SEVEN, {"player": returned("3.8"), "banker": returned("3.8"), "tie": won("8:1", "800.00", "4.1.2")}),
    (TWO_PAIRS, {"player-pair": won("11:1", "1100.00", "4.1.2"), "banker-pair": won("11:1", "1100.00", "4.1.2")}),
    (TEN_AND_KING, {"player-pair": lost("4.1.2"), "banker-pair": lost("4.1.2")}),
]

EASY_SIX: list[tuple[str, Lines]] = [
    (
        NATURAL_NINE,
        {
            "player": won("1:1", "100.00", "4.1.1"),
            "banker": lost("4.1.1"),
            "tie": lost("4.1.1"),
            "player-pair": lost("4.1.1"),
            "banker-pair": lost("4.1.1"),
            "easy-six": lost("4.1.1"),
        },
    ),
    (BANKER_SEVEN, {"banker": won("1:1", "100.00", "4.1.1"), "player": lost("4.1.1")}),
    (BANKER_SIX, {"banker": won("1:2", "50.00", "4.1.1"), "easy-six": won("6:1", "600.00", "4.1.1")}),
    (BANKER_SIX_OF_THREE, {"banker": won("1:2", "50.00", "4.1.1"), "easy-six": won("6:1", "600.00", "4.1.1")}),
    (
        PLAYER_SIX,
        {"player": won("21:20", "105.00", "4.1.1"), "easy-six": won("6:1", "600.00", "4.1.1"), "banker": lost("4.1.1")},
    ),
    (
        TIE_ON_SIX,
        {
            "tie": won("10:1", "1000.00", "4.1.1"),
            "easy-six": won("6:1", "600.00", "4.1.1"),
            "player": returned("3.8"),
            "banker": returned("3.8"),
        },
    ),
    (TIE_ON_SEVEN, {"tie": won("8:1", "800.00", "4.1.1"), "easy-six": lost("4.1.1")}),
    (TWO_PAIRS, {"player-pair": won("11:1", "1100.00", "4.1.1"), "banker-pair": won("11:1", "1100.00", "4.1.1")}),
    ("6S 9H 6D KC", {"player-pair": won("13:1", "1300.00", "4.1.1"), "banker-pair": lost("4.1.1")}),
    ("9S 6H KD 6C", {"banker-pair": won("13:1", "1300.00", "4.1.1"), "player-pair": lost("4.1.1")}),
]

EZ: list[tuple[str, Lines]] = [
    (
        NATURAL_NINE,
        {
            "player": won("1:1", "100.00", "5"),
            "banker": lost("5"),
            "tie": lost("5"),
            "dragon-7": lost("5"),
            "panda-8": lost("5"),
        },
    ),
    (BANKER_SEVEN, {"banker": won("1:1", "100.00", "5"), "player": lost("5"), "dragon-7": lost("5")}),
    (
        DRAGON,
        {
            "banker": returned("5"),
            "player": lost("5"),
            "tie": lost("5"),
            "dragon-7": won("40:1", "4000.00", "5"),
            "panda-8": lost("5"),
        },
    ),
    (
        PANDA,
        {
            "player": won("1:1", "100.00", "5"),
            "banker": lost("5"),
            "tie": lost("5"),
            "dragon-7": lost("5"),
            "panda-8": won("25:1", "2500.00", "5"),
        },
    ),
    # Eight on two cards is a natural and no Panda.
    ("KS KH 8D 7C", {"panda-8": lost("5"), "player": won("1:1", "100.00", "5")}),
    (
        TIE_ON_SEVEN,
        {
            "tie": won("8:1", "800.00", "5"),
            "player": returned("5"),
            "banker": returned("5"),
            "dragon-7": lost("5"),
            "panda-8": lost("5"),
        },
    ),
    # Seven of three cards against seven is a tie and no Dragon.
    ("2S KH 3D 2C 2H 5S", {"dragon-7": lost("5"), "banker": returned("5"), "tie": won("8:1", "800.00", "5")}),
]

INSURANCE: list[tuple[str, Lines]] = [
    (
        NATURAL_NINE,
        {
            "player": won("1:1", "100.00", "4.1.1"),
            "banker": lost("4.1.1"),
            "tie": lost("4.1.1"),
            "super-six-plus": lost("4.1.1"),
            "player-pair": lost("4.1.1"),
            "banker-pair": lost("4.1.1"),
        },
    ),
    (BANKER_SEVEN, {"banker": won("1:1", "100.00", "4.1.1"), "player": lost("4.1.1"), "super-six-plus": lost("4.1.1")}),
    (BANKER_SIX, {"banker": won("1:2", "50.00", "4.1.1"), "super-six-plus": won("12:1", "1200.00", "4.1.1")}),
    (BANKER_SIX_OF_THREE, {"banker": won("1:2", "50.00", "4.1.1"), "super-six-plus": won("20:1", "2000.00", "4.1.1")}),
    (PLAYER_SIX, {"player": won("1:1", "100.00", "4.1.1"), "super-six-plus": lost("4.1.1")}),
    (
        TIE_ON_SIX,
        {
            "tie": won("8:1", "800.00", "4.1.1"),
            "super-six-plus": lost("4.1.1"),
            "player": returned("3.17"),
            "banker": returned("3.17"),
        },
    ),
    (TWO_PAIRS, {"player-pair": won("11:1", "1100.00", "4.1.1"), "banker-pair": won("11:1", "1100.00", "4.1.1")}),
]

KNOCKOUT: list[tuple[str, Lines]] = [
    (
        NATURAL_NINE,
        {
            "player": won("1:1", "100.00", "4.1.1"),
            "banker": lost("4.1.1"),
            "tie": lost("4.1.1"),
            "player-pair": lost("4.1.1"),
            "banker-pair": lost("4.1.1"),
            "winning-total-1-4": lost("4.1.2"),
            "winning-total-5-6": lost("4.1.2"),
            "winning-total-7": lost("4.1.2"),
            "winning-total-8": lost("4.1.2"),
            "winning-total-9": won("2:1", "200.00", "4.1.2"),
            "ante-player": won("1:1", "100.00", "4.1.3"),
            "wager-player": won("2:1", "400.00", "4.1.3"),
            "ante-banker": lost("4.1.3"),
            "wager-banker": (LOSE, None, "-200.00", "4.1.3"),
        },
    ),
    # The winning hand counts, even if the bettor's own main bet lost.
    (
        BANKER_SEVEN,
        {
            "player": lost("4.1.1"),
            "winning-total-7": won("4:1", "400.00", "4.1.2"),
            "winning-total-9": lost("4.1.2"),
            "ante-player": lost("4.1.3"),
            "wager-player": (LOSE, None, "-200.00", "4.1.3"),
        },
    ),
    # Only the Banker bet is halved on a six, not the ante; the loser has 5.
    (
        BANKER_SIX,
        {
            "banker": won("1:2", "50.00", "4.1.1"),
            "ante-banker": won("1:1", "100.00", "4.1.3"),
            "wager-banker": won("1:1", "200.00", "4.1.3"),
            "winning-total-5-6": won("3:1", "300.00", "4.1.2"),
        },
    ),
    # Player 8 against Banker 7, then 2 against 0 and Banker 4 against 3.
    (PANDA, {"player": won("1:1", "100.00", "4.1.1"), "winning-total-8": won("3:1", "300.00", "4.1.2")}),
    (
        "10S JH KD QC 2H KC",
        {
            "player": won("1:1", "100.00", "4.1.1"),
            "winning-total-1-4": won("7:1", "700.00", "4.1.2"),
            "ante-player": won("1:1", "100.00", "4.1.3"),
            "wager-player": won("1:2", "100.00", "4.1.3"),
        },
    ),
    (
        "10S JH KD QC 3H 4C",
        {"ante-banker": won("1:1", "100.00", "4.1.3"), "wager-banker": won("1:2", "100.00", "4.1.3")},
    ),
    (
        TIE_ON_SEVEN,
        {
            "player": returned("3.9"),
            "banker": returned("3.9"),
            "tie": won("8:1", "800.00", "4.1.1"),
            "winning-total-7": returned("3.9"),
            "ante-player": returned("3.9"),
            "wager-player": returned("3.9"),
            # Given up when the first card was seen, and so lost on a tie as well.
            "ante-banker": lost("3.4.1"),
        },
    ),
    (
        TWO_PAIRS,
        {
            "player-pair": won("11:1", "1100.00", "4.1.1"),
            "banker-pair": won("11:1", "1100.00", "4.1.1"),
            "ante-banker": lost("3.4.1"),
        },
    ),
]

DEALS = [
    (book, cards, lines)
    for book, deals in (
        ("commission", COMMISSION),
        ("easy-six", EASY_SIX),
        ("ez", EZ),
        ("insurance", INSURANCE),
        ("knockout", KNOCKOUT),
    )
    for cards, lines in deals
]
