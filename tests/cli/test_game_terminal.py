from __future__ import annotations

from punto.books import load
from punto.cards import parse_cards
from punto.cli.game_terminal import HandNames, draw_hands

NAMES = HandNames.of(load("ez"))


def drawn(player: str, banker: str, width: int = 80, encoding: str = "utf-8") -> list[str]:
    return [line.plain for line in draw_hands(NAMES, parse_cards(player), parse_cards(banker), width, encoding)]


def test_two_hands_with_a_third_card_crosswise() -> None:
    assert drawn("6D KC 10H", "2S AH") == [
        "        PLAYER 闲  6                            BANKER 庄  3",
        "        ╭───╮╭───╮╭─────╮                       ╭───╮╭───╮",
        "        │ 6 ││ K ││10 ♥ │                       │ 2 ││ A │",
        "        │ ♦ ││ ♣ │╰─────╯                       │ ♠ ││ ♥ │",
        "        ╰───╯╰───╯                              ╰───╯╰───╯",
    ]


def test_nothing_dealt_yet() -> None:
    assert drawn("", "") == ["        PLAYER 闲                               BANKER 庄", "", "", "", ""]


def test_a_card_face_down_shows_neither_rank_nor_points() -> None:
    cards = parse_cards("9S")
    lines = [line.plain for line in draw_hands(NAMES, (None, *cards, None), cards)]
    assert lines[0] == "        PLAYER 闲                               BANKER 庄  9"
    assert lines[2].startswith("        │░░░││ 9 ││░░░░░│")
    assert lines[3].startswith("        │░░░││ ♠ │╰─────╯")


def test_whoever_has_to_count_sees_no_points() -> None:
    lines = draw_hands(NAMES, parse_cards("9S"), parse_cards("8S"), has_points=False)
    assert lines[0].plain.split() == ["PLAYER", "闲", "BANKER", "庄"]


def test_plain_letters_and_narrow_terminals() -> None:
    assert drawn("10S", "", encoding="ascii")[1:] == [
        "        +---+",
        "        |10 |",
        "        | S |",
        "        +---+",
    ]
    assert drawn("10S 5H", "KD", width=40) == ["PLAYER 闲  5 10♠ 5♥", "BANKER 庄  0 K♦"]
    assert HandNames.of(load("ez"), "latin-1") == HandNames("PLAYER", "BANKER")
