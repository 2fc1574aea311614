"""A game in the terminal: rounds, one after the other, until the player leaves.

Every line the player types becomes commands for the table, and what the table says comes back as sentences
and cards. The game is kept after every line, before anything of it is shown: whoever pulls the plug finds
the table as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from punto.cli.play_and_learn.play.amount import read_money
from punto.cli.play_and_learn.play.bet_line import BetLine, NotUnderstood, read_lines, short_names
from punto.cli.play_and_learn.play.betting import BetPlacing, refused
from punto.cli.play_and_learn.play.enquiry import Enquiry, bet_lines, road_strip, roads_of
from punto.cli.play_and_learn.play.help import PLACE_WORDS, WORDS, Moment
from punto.cli.play_and_learn.play.questions import Questions
from punto.cli.play_and_learn.play.saved_game import NotKept
from punto.cli.play_and_learn.play.screen import PlayScreen
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.cli.terminal.dialogue import Dialogue
from punto.ledger import purse_of
from punto.money import format_money
from punto.refusal import Refusal
from punto.roads import Roads
from punto.table import command as c
from punto.table import event as e
from punto.table.state import Phase, State

if TYPE_CHECKING:
    from punto.cli.play_and_learn.play.stored_game import StoredGame

PROMPT = "your bets> "


class Quit(Exception):
    """The player leaves; for good or not."""

    def __init__(self, *, is_over: bool) -> None:
        self.is_over = is_over


class Game:
    """A player, a table, and the database that the game is kept in."""

    def __init__(
        self,
        solo: SoloTable,
        screen: PlayScreen,
        dialogue: Dialogue,
        *,
        bankroll: int,
        kept: StoredGame | None = None,
    ) -> None:
        self.solo, self.screen, self.dialogue = solo, screen, dialogue
        self.bankroll, self.kept = bankroll, kept
        self.enquiry = Enquiry(solo, screen, lambda: self.bankroll)
        self.questions = Questions(self)
        self.betting = BetPlacing(solo, lambda: self.in_hand)
        self.round_opened = 0
        """The round whose cards the player wants opened without peeling."""
        self._is_told = False
        screen.latest = self.roads

    @property
    def in_hand(self) -> int:
        return purse_of(PLAYER, self.bankroll, self.solo.events).in_hand

    def roads(self) -> Roads:
        """The roads of the shoe in play."""
        return roads_of(self.solo.events)

    def play(self) -> None:
        """Rounds without end; `Quit`, `Left`, `TableStopped` or Ctrl-C is the way out."""
        while True:
            if self.solo.state.phase is Phase.IDLE:
                self.screen.clear()
                self.screen.board = self.roads()
                called = self.solo.go_on()
                self.save()
                self.screen.show(called)
            if self.solo.state.phase is Phase.BETTING:
                self._take_bets()
            self._deal()

    def show_again(self) -> None:
        """The cards of a resumed game: of the round that is being played, or of the one just settled."""
        state = self.solo.state
        if not state.cards_out:
            return
        self.screen.set(state)
        last = self.solo.events[-1]
        if isinstance(last, e.RoundSettled):
            # Whoever left in the middle of the cards has not seen how they fell.
            finished = next(
                event for event in reversed(self.solo.events) if isinstance(event, e.DealFinished)
            )
            self.screen.draw_again(self.screen.result_of(finished))
            self.screen.settle(last, self.in_hand)
        else:
            self.screen.draw_again()

    def save(self) -> None:
        """Keep the game as it is now."""
        if self.kept is None:
            return
        try:
            self.kept.keep(self.solo)
        except NotKept as error:
            self._lose_hold(error)

    def _lose_hold(self, error: NotKept) -> None:
        """A full disk does not stop a game; it is said once, and the game is no longer kept."""
        self.screen.say(f"The game is not being kept: {error}.", "lose")
        if self.kept is not None:
            self.kept.close()
        self.kept = None

    def asked(self, prompt: str, place: Moment) -> str | None:
        """A line that is neither a question nor a way out; None when it was one and has been answered."""
        self.enquiry.place = place
        areas = (*self._areas, *short_names(tuple(self._areas))) if place is Moment.BETS else ()
        self.dialogue.complete((*PLACE_WORDS[place], *areas, *WORDS))
        line = self.dialogue.ask(prompt)
        word, _, rest = line.lower().partition(" ")
        if word in ("quit", "q", "exit"):
            raise Quit(is_over=False)
        if word == "leave":
            raise Quit(is_over=True)
        if word == "save":
            self._save_now()
        elif word == "buy":
            self._buy(rest)
        elif not self.enquiry.answer(line):
            return line
        return None

    def _save_now(self) -> None:
        self.save()
        named = f"Kept in {self.kept.path}." if self.kept else None
        self.screen.say(named or "This game is not being kept; name a file with --save.")

    def _buy(self, text: str) -> None:
        try:
            amount = read_money(text)
        except ValueError as error:
            self.screen.say(
                f"{error}. Write for example: buy 1000" if text else "Write for example: buy 1000"
            )
            return
        self.bankroll += amount
        try:
            if self.kept is not None:
                self.kept.buy(self.solo, amount)
        except NotKept as error:
            self._lose_hold(error)
        self.screen.say(f"In hand {format_money(self.in_hand)}.")

    # ── Betting ──────────────────────────────────────────────────────────────────────────────────

    def _take_bets(self) -> None:
        """Until the player says deal."""
        self.betting.begin()
        self._head()
        while True:
            line = self.asked(PROMPT, Moment.BETS)
            if line is None:
                continue
            try:
                if self._bet(read_lines(line, self._areas) if line else (BetLine(deal=self._has_bets()),)):
                    return
            except NotUnderstood as error:
                self.screen.say(f"  {str(error)[:1].upper()}{str(error)[1:]}.".replace("..", "."))

    @property
    def _areas(self) -> list[str]:
        return [bet.area for bet in self.solo.book.bets]

    def _has_bets(self) -> bool:
        return any(bet.player == PLAYER for bet in self.solo.state.bets)

    def _head(self) -> None:
        state, shoe = self.solo.state, self.solo.state.shoe
        left = f"{shoe.cards_left} cards left" if shoe is not None else ""
        self.screen.say()
        facts = f"{box_words(self.solo.boxes)} · {left} · in hand {format_money(self.in_hand)}"
        title, columns = f"── Round {state.round} ", self.screen.columns
        if len(title) + len(facts) < columns:
            self.screen.say(title + "─" * (columns - len(title) - len(facts) - 1) + f" {facts}", "bold")
        else:
            self.screen.say(title + "─" * (columns - len(title)), "bold")
            self.screen.say(facts, "bold")
        bots = [f"{name} (box {box}) {_stakes(state, name)}" for box, name in self.solo.bots().items()]
        if bots:
            self.screen.say(f"At the table: {'; '.join(bots)}.", "dim")
        strip = road_strip(self.roads(), self.screen.columns - 2)
        if strip:
            self.screen.say(Text("  ").append_text(strip))
        if not self._is_told:
            self._is_told = True
            for text in bet_lines(self.solo):
                self.screen.say(text)
            self.screen.say("Type bets such as: banker 100 tie 10. Then deal, or Enter. ? for help.", "dim")
        if self._has_bets():
            self._tell_bets()
        elif self.in_hand < self.solo.table.terms.minimum:
            self.screen.say(
                "Less in hand than the minimum bet: type buy 1000 for more chips, or quit.", "lose"
            )

    def _bet(self, lines: Sequence[BetLine]) -> bool:
        """Carry out a line; whether the cards may come."""
        wants_cards = any(line.deal for line in lines)
        if all(line.is_empty for line in lines):
            self.screen.say(
                "  No bets on the table. Type bets, or deal to watch a round without; ? for help."
            )
            return False
        commands = self.betting.commands(lines)
        if not commands:
            return wants_cards
        wanted, freed = self.betting.cost(commands)
        if wanted > self.in_hand + freed:
            self.screen.say(f"  {self.betting.too_dear(commands, self.in_hand + freed, wanted)}")
            return False
        warning = self.betting.short_for_wagers(commands, self.in_hand + freed - wanted)
        is_dealt = wants_cards and not warning
        # With the cards coming at once, the deal is kept together with its bets.
        if self.give(*commands, is_kept=not is_dealt) is None:
            return False
        self.betting.remember(lines)
        if not is_dealt:
            self._tell_bets()
        if warning:
            self.screen.say(f"  {warning}", "lose")
            if wants_cards:
                self.screen.say(
                    "  The cards have not been dealt; deal goes on all the same, undo takes back."
                )
        return is_dealt

    def _tell_bets(self) -> None:
        laid: dict[int, list[str]] = {}
        for bet in self.solo.state.bets:
            if bet.player == PLAYER:
                laid.setdefault(bet.box, []).append(f"{bet.area} {format_money(bet.stake)}")
        is_plain = {*laid} <= {self.solo.box} and len(self.solo.boxes) == 1
        parts = [("" if is_plain else f"box {box}: ") + ", ".join(bets) for box, bets in sorted(laid.items())]
        text = "; ".join(parts) or "none"
        self.screen.say(f"  On the layout: {text}. In hand {format_money(self.in_hand)}.", "dim")

    def give(self, *commands: c.Command, is_kept: bool = True) -> tuple[e.Event, ...] | None:
        """Give the player's commands; a refusal is said, and nothing has happened."""
        events = self.solo.give(*commands)
        if isinstance(events, Refusal):
            self.screen.say(f"  {refused(events)}")
            return None
        if is_kept:
            self.save()
        self.screen.show(events)
        return events

    # ── The deal ─────────────────────────────────────────────────────────────────────────────────

    def _deal(self) -> None:
        """From the last bet to the settlement, with the player's decisions in between."""
        self._go_on(is_ready=self.solo.state.phase is Phase.BETTING)
        while self.solo.state.phase is not Phase.IDLE:
            self.questions.ask()
            self._go_on(is_ready=True)

    def _go_on(self, *, is_ready: bool) -> None:
        """Let the dealer act; the game is kept before it is shown."""
        events = self.solo.go_on(is_ready=is_ready)
        self.save()
        self.screen.show(events)
        for event in events:
            if isinstance(event, e.RoundSettled):
                self.screen.settle(event, self.in_hand)
                self.enquiry.tell_coach()


def box_words(boxes: Iterable[int]) -> str:
    """Boxes in words: `boxes 2, 3 and 5`."""
    *some, last = map(str, sorted(boxes))
    return f"boxes {', '.join(some)} and {last}" if some else f"box {last}"


def _stakes(state: State, player: str) -> str:
    """What somebody else has bet in this round."""
    bets = [f"{bet.area} {format_money(bet.stake)}" for bet in state.bets if bet.player == player]
    return ", ".join(bets) or "sits out"
