"""A game in the terminal: rounds, one after the other, until the player leaves.

Every line the player types becomes commands for the table, and what the table says comes back as sentences
and cards. The game is kept after every line, before anything of it is shown: whoever pulls the plug finds
the table as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.text import Text

from punto.cli.files.writer import CannotWrite
from punto.cli.play_and_learn.play.enquiry import Enquiry, bet_lines, road_strip, roads_of
from punto.cli.play_and_learn.play.line import Line, NotUnderstood, read_line
from punto.cli.play_and_learn.play.purse import balance, money, read_money
from punto.cli.play_and_learn.play.questions import Questions
from punto.cli.play_and_learn.play.saved_game import save_game
from punto.cli.play_and_learn.play.scene import Scene
from punto.cli.play_and_learn.play.session import PLAYER, Session
from punto.cli.terminal.dialogue import Dialogue
from punto.refusal import Refusal
from punto.rules.role import Role
from punto.table import command as c
from punto.table import event as e
from punto.table.state import Phase

PROMPT = "your bets> "


class Quit(Exception):
    """The player leaves; for good or not."""

    def __init__(self, *, is_over: bool) -> None:
        self.is_over = is_over


class Game:
    """A player, a table, and the file that the game is kept in."""

    def __init__(
        self,
        session: Session,
        scene: Scene,
        dialogue: Dialogue,
        *,
        book: str,
        bankroll: int,
        file: Path | None,
    ) -> None:
        self.session, self.scene, self.dialogue = session, scene, dialogue
        self.book, self.bankroll, self.file = book, bankroll, file
        self.enquiry = Enquiry(session, scene, lambda: self.bankroll)
        self.questions = Questions(self)
        self._is_told = False

    @property
    def in_hand(self) -> int:
        return balance(self.bankroll, self.session.events)

    def play(self) -> None:
        """Rounds without end; `Quit`, `Left` or Ctrl-C is the way out."""
        while True:
            if self.session.state.phase is Phase.IDLE:
                self.scene.clear()
                # Not kept yet: whoever resumes finds the bets called again, with the same cards.
                self.scene.show(self.session.call_bets())
            if self.session.state.phase is Phase.BETTING:
                self._take_bets()
            self._deal()

    def show_again(self) -> None:
        """The cards of a resumed game: of the round that is being played, or of the one just settled."""
        state = self.session.state
        if not state.cards_out:
            return
        self.scene.set(state)
        last = self.session.events[-1]
        if isinstance(last, e.RoundSettled):
            # Whoever left in the middle of the cards has not seen how they fell.
            finished = next(
                event for event in reversed(self.session.events) if isinstance(event, e.DealFinished)
            )
            self.scene.draw_again(self.scene.result_of(finished))
            self.scene.settle(last, self.in_hand)
        else:
            self.scene.draw_again()

    def save(self) -> None:
        """Keep the game as it is now."""
        if self.file is None:
            return
        try:
            save_game(self.file, self.book, self.session, self.bankroll)
        except CannotWrite as error:
            # A full disk is no reason to stop a game; it is said once, and leaving says it again.
            self.scene.say(f"The game is not being kept: {error}.", "lose")
            self.file = None

    def asked(self, prompt: str) -> str | None:
        """A line that is no question and no way out; None when it was one that is done with."""
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
        kept = f"Kept in {self.file}." if self.file else "This game is not kept: name a file with --save."
        self.scene.say(kept)

    def _buy(self, text: str) -> None:
        try:
            self.bankroll += read_money(text)
        except ValueError as error:
            self.scene.say(f"{error}. Write for example: buy 1000" if text else "Write for example: buy 1000")
            return
        self.save()
        self.scene.say(f"In hand {money(self.in_hand)}.")

    # ── Betting ──────────────────────────────────────────────────────────────────────────────────

    def _take_bets(self) -> None:
        """Until the player says deal."""
        self._head()
        while True:
            line = self.asked(PROMPT)
            if line is None:
                continue
            try:
                if self._bet(read_line(line, self._areas) if line else Line(deal=self._lies())):
                    return
            except NotUnderstood as error:
                self.scene.say(f"  {str(error)[:1].upper()}{str(error)[1:]}.".replace("..", "."))

    @property
    def _areas(self) -> list[str]:
        return [bet.area for bet in self.session.book.bets]

    def _lies(self) -> bool:
        return any(bet.player == PLAYER for bet in self.session.state.bets)

    def _head(self) -> None:
        state, shoe = self.session.state, self.session.state.shoe
        left = f"{shoe.cards_left} cards left" if shoe is not None else ""
        self.scene.say()
        facts = f"box {self.session.box} · {left} · in hand {money(self.in_hand)}"
        title = f"── Round {state.round} "
        self.scene.say(
            title + "─" * (self.scene.console.width - len(title) - len(facts) - 1) + f" {facts}", "bold"
        )
        strip = road_strip(roads_of(self.session.events), self.scene.console.width - 2)
        if strip:
            self.scene.say(Text("  ").append_text(strip))
        if not self._is_told:
            self._is_told = True
            for text in bet_lines(self.session):
                self.scene.say(Text.from_ansi(text))
            self.scene.say("Type bets such as: banker 100 tie 10. Then deal, or Enter. ? for help.", "dim")
        if self._lies():
            self._tell_bets()
        elif self.in_hand < self.session.table.terms.minimum:
            self.scene.say("In hand is less than the least bet: buy 1000 buys chips, quit leaves.", "lose")

    def _bet(self, line: Line) -> bool:
        """Carry out a line; whether the cards may come."""
        if line == Line():
            self.scene.say("  No bets lie. Type bets, or deal to watch a round without any; ? for help.")
            return False
        commands = self._commands(line)
        if commands:
            wanted = sum(command.amount for command in commands if isinstance(command, c.PlaceBet))
            taken = sum(bet.stake for bet in self.session.state.bets if line.clear or bet.area in line.off)
            if wanted > self.in_hand + taken:
                self.scene.say(
                    f"  That is {money(wanted)}, and in hand is {money(self.in_hand)}; buy 1000 buys chips."
                )
                return False
            # With the cards coming at once, the deal is kept together with its bets.
            if self.give(*commands, is_kept=not line.deal) is None:
                return False
            if not line.deal:
                self._tell_bets()
        return line.deal

    def _commands(self, line: Line) -> list[c.Command]:
        """The commands of a line: bets come off first, and what may not lie alone is placed last."""
        box = self.session.box
        lying = [bet.area for bet in self.session.state.bets if bet.player == PLAYER]
        off = lying if line.clear else line.off
        commands: list[c.Command] = []
        needy = {bet.area for bet in self.session.book.bets if bet.needs}
        for area in sorted(dict.fromkeys(off), key=lambda area: area not in needy):
            commands.append(c.WithdrawBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area))
        if line.same and not self.session.last_bets:
            raise NotUnderstood("there are no bets of an earlier round yet")
        same = tuple(self.session.last_bets.items()) if line.same else ()
        for area, amount in sorted((*same, *line.bets), key=lambda bet: bet[0] in needy):
            commands.append(c.PlaceBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area, amount=amount))
        if line.clear and not commands:
            raise NotUnderstood("no bets lie")
        return commands

    def _tell_bets(self) -> None:
        bets = [f"{bet.area} {money(bet.stake)}" for bet in self.session.state.bets if bet.player == PLAYER]
        text = f"{', '.join(bets)}." if bets else "none."
        self.scene.say(f"  On the layout: {text} In hand {money(self.in_hand)}.", "dim")

    def give(self, *commands: c.Command, is_kept: bool = True) -> tuple[e.Event, ...] | None:
        """Give the player's commands; a refusal is said, and nothing has happened."""
        events = self.session.give(*commands)
        if isinstance(events, Refusal):
            self.scene.say(f"  {events.sentence[:1].upper()}{events.sentence[1:]}.")
            return None
        if is_kept:
            self.save()
        self.scene.show(events)
        return events

    # ── The deal ─────────────────────────────────────────────────────────────────────────────────

    def _deal(self) -> None:
        """From the last bet to the settlement, with the player's decisions in between."""
        if self.session.state.phase is Phase.BETTING:
            self._go_on(self.session.close_bets)
        else:
            self._go_on(self.session.run)
        while self.session.state.phase is not Phase.IDLE:
            if self.session.decisions():
                self.questions.ask()
                self._go_on(lambda: self.session.run(passing=True))
            else:
                self._go_on(self.session.run)

    def _go_on(self, act: Callable[[], tuple[e.Event, ...] | Refusal]) -> None:
        """Let the dealer act; the game is kept before it is shown."""
        events = act()
        assert not isinstance(events, Refusal), f"the dealer does only what is legal: {events}"
        if not self.session.decisions() and self.session.state.phase is not Phase.IDLE:
            events += self.session.run()
        self.save()
        self.scene.show(events)
        for event in events:
            if isinstance(event, e.RoundSettled):
                self.scene.settle(event, self.in_hand)
