"""The two hands as cards on the layout: Player left, Banker right, third cards crosswise.

        PLAYER 闲  9                            BANKER 庄  3
        ╭───╮╭───╮╭─────╮                       ╭───╮╭───╮
        │ 6 ││ K ││ 3 ♥ │                       │ 2 ││ A │
        │ ♦ ││ ♣ │╰─────╯                       │ ♠ ││ ♥ │
        ╰───╯╰───╯                              ╰───╯╰───╯

A narrow terminal gets one line a hand, and one that has no such shapes gets plain letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from punto.cards.card import Card, Suit
from punto.cli.terminal.road_board import has_shapes
from punto.coup.coup import points
from punto.rules.book import Book
from punto.rules.facts import Hand

INDENT = 8
COLUMN = 40
"""Where the Banker hand begins, counted from the Player hand."""
LEAST_WIDTH = 66

_RED = {Suit.HEARTS, Suit.DIAMONDS}


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines that cards are drawn with: corners from the top left on, then across and down."""

    corners: str
    across: str
    down: str
    back: str
    """What the back of a card is covered with."""
    has_suits: bool

    def edge(self, columns: int, *, is_top: bool) -> str:
        corners = self.corners[:2] if is_top else self.corners[2:]
        return f"{corners[0]}{self.across * (columns - 2)}{corners[1]}"


ROUND = Frame("╭╮╰╯", "─", "│", "░", has_suits=True)
PLAIN = Frame("++++", "-", "|", "#", has_suits=False)


@dataclass(frozen=True, slots=True)
class Names:
    """What the two hands are called on this book's layout."""

    player: str
    banker: str

    @classmethod
    def of(cls, book: Book, encoding: str = "utf-8") -> Names:
        return cls(_name(book, Hand.PLAYER, encoding), _name(book, Hand.BANKER, encoding))


def _name(book: Book, hand: Hand, encoding: str) -> str:
    bet = book.bet(book.main_area(hand))
    english = hand.value.upper()
    chinese = None if bet is None else bet.labels.zh_hans
    return f"{english} {chinese}" if chinese and can_show(chinese, encoding) else english


def can_show(text: str, encoding: str) -> bool:
    """Whether a terminal of this encoding can show a text."""
    try:
        text.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def draw_hands(
    names: Names,
    player: Sequence[Card | None],
    banker: Sequence[Card | None],
    width: int = 80,
    encoding: str = "utf-8",
    *,
    has_points: bool = True,
) -> list[Text]:
    """Both hands, in five lines, or in two where the width is too small for cards.

    Without `has_points` whoever looks has to count.
    """
    frame = ROUND if has_shapes(encoding) else PLAIN
    titles = (
        _title(names.player, "player", player if has_points else ()),
        _title(names.banker, "banker", banker if has_points else ()),
    )
    if width < LEAST_WIDTH:
        return [_line(titles[0], player, frame), _line(titles[1], banker, frame)]
    lines = []
    for left, right in zip(_hand(titles[0], player, frame), _hand(titles[1], banker, frame), strict=True):
        line = Text(" " * INDENT).append_text(left)
        line.append(" " * (INDENT + COLUMN - line.cell_len)).append_text(right)
        line.rstrip()
        lines.append(line)
    return lines


def _title(name: str, style: str, cards: Sequence[Card | None]) -> Text:
    """The name, with the points of a hand that lies open."""
    title = Text(name, style)
    seen = tuple(card for card in cards if card is not None)
    return title.append(f"  {points(seen)}", "bold") if cards and len(seen) == len(cards) else title


def _line(title: Text, cards: Sequence[Card | None], frame: Frame) -> Text:
    line = title
    for card in cards:
        line.append(" ").append(*_face(card, frame))
    return line


def _face(card: Card | None, frame: Frame) -> tuple[str, str]:
    if card is None:
        return frame.back * 2, "dim"
    return (card.symbol if frame.has_suits else str(card)), ("red" if card.suit in _RED else "")


def _hand(title: Text, cards: Sequence[Card | None], frame: Frame) -> list[Text]:
    rows = [title, *(Text() for _ in range(4))]
    for number, card in enumerate(cards):
        drawn = _upright(card, frame) if number < 2 else _crosswise(card, frame)
        for row, piece in zip(rows[1:], drawn, strict=False):
            row.append_text(piece)
    return rows


def _upright(card: Card | None, frame: Frame) -> list[Text]:
    top, bottom = Text(frame.edge(5, is_top=True)), Text(frame.edge(5, is_top=False))
    if card is None:
        back = [Text(frame.down).append(frame.back * 3, "dim").append(frame.down) for _ in range(2)]
        return [top, *back, bottom]
    return [
        top,
        _inside(card.rank.notation.center(3) if len(card.rank.notation) < 2 else "10 ", card, frame),
        _inside(_suit(card, frame).center(3), card, frame),
        bottom,
    ]


def _crosswise(card: Card | None, frame: Frame) -> list[Text]:
    middle = (
        Text(frame.down).append(frame.back * 5, "dim").append(frame.down)
        if card is None
        else _inside(f"{card.rank.notation:>2} {_suit(card, frame)} ", card, frame)
    )
    return [Text(frame.edge(7, is_top=True)), middle, Text(frame.edge(7, is_top=False))]


def _suit(card: Card, frame: Frame) -> str:
    return card.suit.symbol if frame.has_suits else card.suit.value


def _inside(face: str, card: Card, frame: Frame) -> Text:
    return Text(frame.down).append(face, "red" if card.suit in _RED else "bold").append(frame.down)
