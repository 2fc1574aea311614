"""What the player sees of a round: cards as they come, the dealer's calls, and how bets were settled.

On a terminal the two hands stand in one place and grow card by card. Into a pipe, or on a terminal that
cannot move its cursor, they are drawn when somebody has to decide and when the deal is finished.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import zip_longest
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from punto.cards.card import Card
from punto.cli.play_and_learn.play.account.settled import settled_lines
from punto.cli.play_and_learn.play.solo_table import PLAYER
from punto.cli.terminal.faces import WINNERS
from punto.cli.terminal.hands import Names, can_show, draw_hands
from punto.cli.terminal.road_board import MIN_HEIGHT, MIN_WIDTH, draw_roads, has_shapes
from punto.money import format_money
from punto.roads import Roads
from punto.rules.book import Book
from punto.rules.facts import Hand, Winner
from punto.rules.labels import label_of
from punto.table import event as e
from punto.table.state import State

TEXT_COLUMNS = 80
"""Longer lines are hard to read: a wider terminal has the roads at the right."""
OTHER_LINES = 10
"""Lines of a screen that the roads leave to the head of a round, its bets and the prompt."""


class PlayScreen:
    """The table as the player sees it."""

    def __init__(self, console: Console, book: Book, pace: float) -> None:
        self.console, self.book, self.pace = console, book, pace
        self.names = Names.of(book, console.encoding)
        self.player: list[Card | None] = []
        self.banker: list[Card | None] = []
        self.round = 0
        self.columns = min(console.width, TEXT_COLUMNS)
        """What sentences and tables are set in."""
        self.board: Roads | None = None
        """The roads beside the cards, where there is room: as they were before this round."""
        self.latest: Callable[[], Roads] = Roads
        """The roads with the result of the round that is over."""
        self._can_move = console.is_terminal and not console.is_dumb_terminal
        self._drawn = 0
        """Lines of the hands that can still be drawn over, because nothing stands below them."""
        self._called = ""
        """What the dealer said over the cards that were drawn last."""
        self._under: list[Text] = []
        """How bets were settled, where that stands beside the roads."""

    def set(self, state: State) -> None:
        """Put the cards of a round in progress on the screen, as after a game was resumed."""
        self.player = [slot.card if slot.face_up else None for slot in state.player]
        self.banker = [slot.card if slot.face_up else None for slot in state.banker]

    def say(self, text: str | Text = "", style: str = "") -> None:
        """A sentence or a line under everything else; a long one goes on below where it began."""
        self._drawn = 0
        if isinstance(text, str) and "\x1b" in text:
            text = Text.from_ansi(text)  # a line of a grid, in its colours
        lines: list[str | Text] = [text]
        if isinstance(text, str) and len(text) > self.columns:
            margin = text[: len(text) - len(text.lstrip())]
            lines = list(wrap(text, self.columns, subsequent_indent=margin, break_on_hyphens=False))
        for line in lines:
            self.console.print(line, style=style, highlight=False, markup=False)

    def show(self, events: Sequence[e.Event]) -> None:
        """Tell what happened, in its order."""
        later: list[str] = []
        for place, event in enumerate(events):
            if isinstance(event, e.BetsCalled):
                self.round = event.round
            elif isinstance(event, e.BetsClosed) and self._can_move:
                self._draw(self._closing_words())
                time.sleep(self.pace)
            elif isinstance(event, e.CardDealt | e.CardRevealed):
                if isinstance(event, e.CardDealt):
                    self._deal(event)
                else:
                    self._open(event)
                shown = (e.CardDealt, e.CardRevealed)
                is_last = not any(isinstance(other, shown) for other in events[place + 1 :])
                if self._can_move or is_last:
                    self._draw(self._call(events[place + 1 :]))
                if self._can_move:
                    time.sleep(self.pace)
            elif text := self._words(event):
                # A sentence in the middle of the cards would part them: it waits until all are drawn.
                later.append(text)
                if not self._drawn:
                    self._say_all(later)
        self._say_all(later)

    def _say_all(self, texts: list[str]) -> None:
        while texts:
            self.say(f"        {texts.pop(0)}" if self.player else texts.pop(0), "dim")

    def settle(self, settled: e.RoundSettled, in_hand: int) -> None:
        """Every bet with what came of it, under the cards; beside the roads where these are on the screen."""
        mine = [bet for bet in settled.bets if bet.player == PLAYER]
        lines = settled_lines(self.book, mine, in_hand, self.columns) if mine else []
        is_beside = self._drawn and self._board() and len(lines) + self._drawn < self.console.height
        if lines and is_beside and self._can_move:
            self._under = lines
            self._draw(self._called)
        else:
            for line in lines:
                self.say(line)
        self._tell_others(settled)

    def _tell_others(self, settled: e.RoundSettled) -> None:
        """What the bots won and lost, in one line."""
        others = dict[str, int]()
        for bet in settled.bets:
            if bet.player != PLAYER:
                others[bet.player] = others.get(bet.player, 0) + bet.net
        if others:
            told = ", ".join(f"{name} {format_money(net, is_signed=True)}" for name, net in others.items())
            self.say(f"  At the other boxes: {told}.", "dim")

    def label(self, area: str) -> str:
        """A betting area as the layout names it, insurance too."""
        return label_of(self.book, area)

    def _deal(self, event: e.CardDealt) -> None:
        hand = self.player if event.hand is Hand.PLAYER else self.banker
        hand.append(event.card if event.face_up else None)

    def _open(self, event: e.CardRevealed) -> None:
        (self.player if event.hand is Hand.PLAYER else self.banker)[event.number - 1] = event.card

    def clear(self) -> None:
        """Take the cards of the last round off the screen."""
        self.player, self.banker, self._drawn, self._under = [], [], 0, []

    def draw_again(self, call: str = "") -> None:
        """The hands once more, below everything."""
        self._drawn = 0
        self._draw(call)

    def _draw(self, call: str) -> None:
        self._called = call
        lines = draw_hands(self.names, self.player, self.banker, self.columns, self.console.encoding)
        lines.append(Text(f"        {call}" if call and len(lines) > 2 else call, "call"))
        lines = self._beside([*lines, *self._under])
        if self._drawn and self._can_move:
            self.console.file.write(f"\x1b[{self._drawn}A\x1b[J")
        for line in lines:
            self.console.print(line, highlight=False, no_wrap=True)
        self._drawn = len(lines)

    def _board(self) -> list[Text]:
        """The roads to stand at the right, as many as the terminal has room for; none where it is narrow."""
        room = self.console.width - self.columns - 2
        if room < MIN_WIDTH or self.board is None or not self.board.bead:
            return []
        plain = not has_shapes(self.console.encoding)
        height = max(MIN_HEIGHT, self.console.height - OTHER_LINES)
        drawn = draw_roads(self.board, room, height, ascii_only=plain).renderables
        return [line for line in drawn if isinstance(line, Text)]

    def _beside(self, lines: list[Text]) -> list[Text]:
        """The felt with the roads at its right."""
        board = self._board()
        if not board:
            return lines
        joined = []
        for left, right in zip_longest(lines, board, fillvalue=Text()):
            line = Text().append_text(left)  # the style of the left half is not that of the whole line
            line.append(" " * (self.columns + 2 - line.cell_len)).append_text(right)
            joined.append(line)
        return joined

    def _call(self, coming: Sequence[e.Event]) -> str:
        """What the dealer says over the cards that lie now."""
        for event in coming:
            if isinstance(event, e.DealFinished):
                self.board = self.latest()
                return self.result_of(event)
            if isinstance(event, e.CardDealt):
                if len(self.player) + len(self.banker) < 4 or not event.face_up:
                    return ""
                return f"{event.hand.value.title()} draws a card."
        return ""

    def _closing_words(self) -> str:
        words = self.book.betting.closes.words
        if words is None:
            return ""
        chinese = words.zh_hans
        return f"{words.en} {chinese}" if chinese and can_show(chinese, self.console.encoding) else words.en

    def result_of(self, event: e.DealFinished) -> str:
        """What is called when the deal is finished."""
        if event.winner is Winner.TIE:
            words = f"Tie, {event.player_points} each."
        else:
            points = sorted((event.player_points, event.banker_points), reverse=True)
            words = f"{WINNERS[event.winner]} wins, {points[0]} over {points[1]}."
        called = [
            declaration.labels.en
            for declaration, _ in self.book.declarations
            if declaration.name in event.declared and declaration.labels.en != WINNERS[event.winner]
        ]
        return " ".join((*(f"{name}." for name in called), words))

    def _words(self, event: e.Event) -> str:
        """An event in a sentence; empty for what is shown otherwise or needs no words."""
        from punto.rules.words import counted

        match event:
            case e.ShoeLoaded():
                return f"A new shoe: {counted(event.decks, 'deck')}, shuffled."
            case e.CardsBurned(shown=card) if card is not None:
                return f"{card.symbol} is shown, and {event.count - 1} more are burned."
            case e.CutCardCameOut():
                after = event.last_round - self.round
                more = "this is the last round" if not after else f"after this round {after} more"
                return f"The cut card is out: {more}."
            case e.BetPlaced(rejected=rejected) if rejected:
                clause = f" (clause {event.clause})" if event.clause else ""
                return f"{format_money(rejected)} on {event.area} is over the limit and comes back{clause}."
            case e.BetReturned(why="needs-bet"):
                clause = f" (clause {event.clause})" if event.clause else ""
                return (
                    f"{format_money(event.amount)} on {event.area} comes back: it may not lie alone{clause}."
                )
            case e.SeatTaken(notice=notice) if notice:
                return f"No insurance is offered at this table (clause {notice})."
            case e.SeatTaken(player=player) if player == PLAYER:
                return f"Box {event.box} is yours too."
            case _:
                return ""
