"""A terminal at which a person plays or learns: the Rich console, the conversation by lines, and the two
hands as cards on the layout. Only games and drills load it, because Rich takes longer to load than most
commands run.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from textwrap import wrap

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.text import Text
from rich.theme import Theme

from punto.cards.card import Card, Suit
from punto.cli.files import read_line
from punto.cli.output import can_show, one_line
from punto.cli.road_board import has_shapes
from punto.coup.coup import points
from punto.rules.book import Book
from punto.rules.outcome import Hand

COLUMNS, LINES = 80, 24
WIDE = 160  # The most columns that a game uses: 80 for the felt, the rest for the roads beside it.

_HAND_STYLES = {"player": "bold blue", "banker": "bold red", "tie": "bold green"}
_THEME = Theme(_HAND_STYLES | {"win": "green", "lose": "red", "push": "", "call": "yellow", "card.red": "red"})


class _Suits(RegexHighlighter):
    """Hearts and diamonds in red."""

    base_style = "card."
    highlights = (r"(?P<red>(10|[2-9AJQK])[♥♦])",)


def open_console(columns: int = COLUMNS) -> Console:
    """A console on stdout of at most this width; Rich itself respects NO_COLOR, pipes and dumb terminals.

    Text is never read as markup: a book may have brackets in its title.
    """
    console = Console(theme=_THEME, highlighter=_Suits(), markup=False)
    if console.is_dumb_terminal:
        # Rich takes every dumb terminal for one of 80 columns.
        console.width, console.height = shutil.get_terminal_size((COLUMNS, LINES))
    console.width = min(console.width, columns)
    return console


def wrapped(text: str, columns: int) -> list[str]:
    """A sentence in lines of at most this width: a long one goes on below where it began."""
    if len(text) <= columns:
        return [text]
    margin = text[: len(text) - len(text.lstrip())]
    return wrap(text, columns, subsequent_indent=margin, break_on_hyphens=False)


LONGEST_LINE = 200  # Characters that are read of a line: nobody types more.
LONGEST_PIPED = 10_000  # Characters of a line from a pipe: one that is longer may never end.


class PersonLeft(Exception):
    """The other side has gone: end of input, or Ctrl-D."""


class Dialogue:
    """Asks for lines on stdin.

    With a terminal the answer can be edited and earlier ones come back with the arrow keys. From a pipe the
    answer is printed behind its prompt, so that what a script did reads like what a person did.
    """

    def __init__(self) -> None:
        self.is_live = sys.stdin is not None and sys.stdin.isatty()
        self._words: tuple[str, ...] = ()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # what is not text is not an answer, and is asked again
        if self.is_live:
            # Importing it is what gives `input` its line editing; some systems have none.
            with suppress(ImportError):
                import readline

                readline.set_completer(self._completion)
                readline.set_completer_delims(" ")
                is_libedit = "libedit" in (readline.__doc__ or "")
                readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def complete(self, words: Iterable[str]) -> None:
        """What Tab completes from now on."""
        self._words = tuple(dict.fromkeys(words))

    def _completion(self, begun: str, number: int) -> str | None:
        """The words that begin so, one by one, as readline asks for them; a blank ends each."""
        words = [word for word in self._words if word.startswith(begun.lower())]
        return f"{words[number]} " if number < len(words) else None

    def ask(self, prompt: str) -> str:
        """One line, without blanks around it."""
        sys.stdout.flush()
        if self.is_live:
            try:
                return one_line(input(prompt)[:LONGEST_LINE]).strip()
            except EOFError:
                print()  # the cursor still stands behind the prompt
                raise PersonLeft from None
        if not (line := read_line(LONGEST_PIPED)):
            raise PersonLeft
        print(f"{prompt}{one_line(line[:LONGEST_LINE].rstrip())}")
        return one_line(line[:LONGEST_LINE]).strip()


# The two hands as cards on the layout: Player left, Banker right, third cards crosswise.
#
#         PLAYER 闲  9                            BANKER 庄  3
#         ╭───╮╭───╮╭─────╮                       ╭───╮╭───╮
#         │ 6 ││ K ││ 3 ♥ │                       │ 2 ││ A │
#         │ ♦ ││ ♣ │╰─────╯                       │ ♠ ││ ♥ │
#         ╰───╯╰───╯                              ╰───╯╰───╯
#
# A narrow terminal gets one line a hand, and one that has no such shapes gets plain letters.

HANDS_INDENT = 8
HAND_COLUMN = 40  # Where the Banker hand begins, counted from the Player hand.
LEAST_HANDS_WIDTH = 66

_RED = {Suit.HEARTS, Suit.DIAMONDS}


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines that cards are drawn with: corners from the top left on, then across and down."""

    corners: str
    across: str
    down: str
    back: str  # What the back of a card is covered with.
    has_suits: bool


ROUND_FRAME = Frame("╭╮╰╯", "─", "│", "░", has_suits=True)
PLAIN_FRAME = Frame("++++", "-", "|", "#", has_suits=False)


@dataclass(frozen=True, slots=True)
class HandNames:
    """What the two hands are called on this book's layout."""

    player: str
    banker: str

    @classmethod
    def of(cls, book: Book, encoding: str = "utf-8") -> HandNames:
        return cls(_hand_name(book, Hand.PLAYER, encoding), _hand_name(book, Hand.BANKER, encoding))


def _hand_name(book: Book, hand: Hand, encoding: str) -> str:
    bet = book.bet(book.main_area(hand))
    english = hand.value.upper()
    chinese = None if bet is None else bet.labels.zh_hans
    return f"{english} {chinese}" if chinese and can_show(chinese, encoding) else english


Cards = Sequence[Card | None]  # None is a card that lies face down.


def draw_hands(
    names: HandNames, player: Cards, banker: Cards, width: int = 80, encoding: str = "utf-8", *, has_points: bool = True
) -> list[Text]:
    """Both hands, in five lines, or in two where the width is too small for cards.

    Without `has_points` whoever looks has to count.
    """
    frame = ROUND_FRAME if has_shapes(encoding) else PLAIN_FRAME
    hands = [
        (_hand_title(name, style, cards if has_points else ()), cards)
        for name, style, cards in ((names.player, "player", player), (names.banker, "banker", banker))
    ]
    if width < LEAST_HANDS_WIDTH:
        return [_hand_line(title, cards, frame) for title, cards in hands]
    lines = []
    for left, right in zip(*(_hand_lines(title, cards, frame) for title, cards in hands), strict=True):
        line = Text(" " * HANDS_INDENT).append_text(left)
        line.append(" " * (HANDS_INDENT + HAND_COLUMN - line.cell_len)).append_text(right)
        line.rstrip()
        lines.append(line)
    return lines


def _hand_title(name: str, style: str, cards: Cards) -> Text:
    """The name, with the points of a hand that lies open."""
    title = Text(name, style)
    seen = tuple(card for card in cards if card is not None)
    return title.append(f"  {points(seen)}", "bold") if cards and len(seen) == len(cards) else title


def _hand_line(line: Text, cards: Cards, frame: Frame) -> Text:
    for card in cards:
        if card is None:
            line.append(" ").append(frame.back * 2, "dim")
        else:
            face = card.symbol if frame.has_suits else str(card)
            line.append(" ").append(face, "red" if card.suit in _RED else "")
    return line


def _hand_lines(title: Text, cards: Cards, frame: Frame) -> list[Text]:
    rows = [title, *(Text() for _ in range(4))]
    for number, card in enumerate(cards):
        for row, piece in zip(rows[1:], _card_lines(card, frame, is_crosswise=number > 1), strict=False):
            row.append_text(piece)
    return rows


def _card_lines(card: Card | None, frame: Frame, *, is_crosswise: bool) -> list[Text]:
    columns = 5 if is_crosswise else 3
    if card is None:
        faces, style = [frame.back * columns] * (1 if is_crosswise else 2), "dim"
    else:
        rank, suit = f"{card.rank.notation:>2} ", card.suit.symbol if frame.has_suits else card.suit.value
        faces = [f"{rank}{suit} "] if is_crosswise else [rank, f" {suit} "]
        style = "red" if card.suit in _RED else "bold"
    corners, across = frame.corners, frame.across * columns
    sides = [Text(frame.down).append(face, style).append(frame.down) for face in faces]
    return [Text(f"{corners[0]}{across}{corners[1]}"), *sides, Text(f"{corners[2]}{across}{corners[3]}")]
