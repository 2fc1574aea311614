"""A game in the terminal: rounds, one after the other, until the player leaves. What a player is asked during
the deal (an ante, insurance, a card to squeeze), and what a player may ask at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from pathlib import Path

import msgspec
from rich.text import Text

from punto.cards.card import Card
from punto.cli import play_bets, play_screen
from punto.cli.game_terminal import Dialogue
from punto.cli.ink import columns, ink, lines_of
from punto.cli.play_bets import BetLine, BetPlacing, NotUnderstood
from punto.cli.play_screen import PlayScreen
from punto.cli.play_table import PLAYER, SoloTable
from punto.cli.road_board import LETTERS, MIN_HEIGHT, draw_roads, has_shapes
from punto.documents.page import Grid
from punto.ledger.results import purse_of
from punto.money import format_money
from punto.refusal import Refusal
from punto.roads.roads import Roads
from punto.rules.authority import Role
from punto.rules.book_text import Area
from punto.rules.outcome import Hand, Result, Winner, shown_odds
from punto.rules.pay_table import PayTable
from punto.rules.wording import either_words
from punto.table import refusal_of
from punto.table.antes import GiveUpAnte, PlaceWager
from punto.table.betting import PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealFinished, RevealCard
from punto.table.insurance import DeclineInsurance, TakeInsurance, open_offer
from punto.table.legality import Legal
from punto.table.settlement import RoundSettled
from punto.table.state import Phase, State, shown_points


class Moment(Enum):
    """Where a game stands when it asks for a line; the value is its part of `play_help.json`."""

    BETS = "bets"
    INSURANCE = "insurance"
    ANTE = "ante"
    SQUEEZE = "squeeze"


class MomentHelp(msgspec.Struct):
    title: str
    words: tuple[str, ...]  # That Tab completes.
    rows: dict[str, str]  # What is typed, and what it does.

    def lines(self) -> list[str]:
        return lines_of(Grid(("", self.title), tuple(self.rows.items()), grows=1))


@lru_cache(maxsize=1)
def play_help() -> dict[str, MomentHelp]:
    """What can be typed, by moment; `always` has what can be typed anywhere."""
    return msgspec.json.decode(Path(__file__).with_name("play_help.json").read_bytes(), type=dict[str, MomentHelp])


YES = ("wager", "w", "yes", "y", "play")
NO = ("give up", "give", "g", "no", "n")
DECLINE = ("", "no", "n", "none", "decline", "0")
_TIES = {Result.WIN: "or on a tie.", Result.PUSH: "returned on a tie.", Result.LOSE: "lost on a tie."}
MOST_WORDS = ("max", "most", "m")
_ORDINALS = {1: "first", 2: "second", 3: "third"}


class Questions:
    """Asks the player, until there is an answer that the table takes."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def ask(self) -> None:
        """Everything that is to be decided now."""
        if self.game.solo.state.phase is Phase.ANTES:
            self._ask_antes()
        elif (squeezed := self.game.solo.squeezed()) is not None:
            self._ask_squeeze(*squeezed)
        else:
            self._ask_insurance()

    def _ask_antes(self) -> None:
        while True:
            decisions = iter(self.game.solo.decisions())
            give_up = next((command for command, _ in decisions if isinstance(command, GiveUpAnte)), None)
            if give_up is None:
                return
            # Each ante is listed with its wager right behind it.
            wager, legal = next((command, legal) for command, legal in decisions if isinstance(command, PlaceWager))
            self._ask_ante(give_up, wager, legal)

    def _ask_ante(self, give_up: GiveUpAnte, wager: PlaceWager, legal: Legal) -> None:
        game = self.game
        ante = game.solo.state.bet(give_up.box, PLAYER, give_up.area)
        assert ante is not None
        name, where = game.screen.label(give_up.area), self._in_box(give_up.box)
        odds = either_words(tuple(dict.fromkeys(map(shown_odds, legal.odds))))
        more = f"wager {format_money(wager.amount)} more (pays {odds})"
        game.screen.say(f"  {name} {format_money(ante.stake)}{where}: {more}, or give it up.")
        if wager.amount > game.in_hand:
            game.screen.say(f"  {play_bets.short_of(game.in_hand, wager.amount)}", "lose")
        while True:
            line = game.ask_line("wager or give up> ", Moment.ANTE).lower()
            if line in YES:
                if wager.amount > game.in_hand:
                    wanted = format_money(wager.amount)
                    game.screen.say(f"  The wager is {wanted}. {play_bets.short_of(game.in_hand, wager.amount)}")
                elif game.give(wager):
                    return
            elif line in NO:
                if game.give(give_up):
                    return
            else:
                game.screen.say("  Write wager, or give up. odds shows what each is worth.")

    def _ask_squeeze(self, hand: Hand, number: int, card: Card) -> None:
        """Peel a card with Enter until it is open."""
        game, steps = self.game, list(play_screen.peeled(card))
        name = f"{hand.value.title()}'s {_ORDINALS[number]} card"
        while steps and game.round_opened != game.solo.state.round:
            line = game.ask_line(f"squeeze {name}> ", Moment.SQUEEZE).lower()
            if line in ("open all", "all"):
                game.round_opened = game.solo.state.round
            elif line in ("open", "o"):
                break
            elif line:
                game.screen.say("  Press Enter to peel, or type open.")
            else:
                game.screen.say(f"  {name}: {steps.pop(0)}.")
        game.give(RevealCard(actor=PLAYER, role=Role.PLAYER, hand=hand, number=number))

    def _ask_insurance(self) -> None:
        decisions, took = self.game.solo.decisions(), False
        offers = [(command, legal) for command, legal in decisions if isinstance(command, TakeInsurance)]
        for command, legal in offers:
            took = self._ask_offer(command, legal, took=took) or took
        if offers and not took:
            # Only now: whoever declines has no offer left, in any box.
            self.game.give(DeclineInsurance(actor=PLAYER, role=Role.PLAYER))

    def _in_box(self, box: int) -> str:
        """Which box a question is about, where the player has bets in several."""
        boxes = {bet.box for bet in self.game.solo.state.bets if bet.player == PLAYER}
        return f", box {box}" if len(boxes) > 1 else ""

    def _ask_offer(self, offer: TakeInsurance, legal: Legal, *, took: bool) -> bool:
        """The offer on one hand in one box; whether it was taken."""
        game, most, insurance = self.game, legal.most or 0, self.game.solo.book.insurance
        hand = f"{offer.hand.value.title()}{self._in_box(offer.box)}"
        open_now = open_offer(game.solo.table, offer.box, PLAYER, offer.hand)
        assert insurance is not None and open_now is not None, "the table has just offered it"
        game.screen.say(
            f"  {insurance.labels.en} on {hand} at {shown_odds(legal.odds[0])}, up to {format_money(most)}: "
            f"paid if {offer.hand.other.value.title()} wins, {_TIES[open_now.on_tie.result]} Enter for none."
        )
        if not took and self._gives_up_more():
            clause = f"(clause {insurance.forgone_clause})"
            game.screen.say(f"  Taking none now gives up the offer after Player's third card, too {clause}.")
        while True:
            line = game.ask_line(f"insure {hand} (0-{play_bets.typed_amount(most)})> ", Moment.INSURANCE)
            if line.lower() in DECLINE:
                return False
            try:
                amount = most if line.lower() in MOST_WORDS else play_bets.read_money(line.split()[-1])
            except ValueError:
                game.screen.say(f"  {line!r} is not an amount: write one, max, or no.")
                continue
            if game.in_hand < amount <= most:
                game.screen.say(f"  {play_bets.short_of(game.in_hand, amount)}")
            elif game.give(msgspec.structs.replace(offer, amount=amount)):
                game.screen.say(f"  {format_money(amount)} on {hand} at {shown_odds(legal.odds[0])}.", "dim")
                return True

    def _gives_up_more(self) -> bool:
        """Whether a later offer could come in this round, which whoever takes none now will not get."""
        solo, state = self.game.solo, self.game.solo.state
        player, banker = shown_points(state.player), shown_points(state.banker)
        if state.window is None or player is None or banker is None or state.cards_out > 4:
            return False
        areas = {bet.area for bet in state.bets if bet.player == PLAYER}
        return solo.book.play.player_draws[player * 10 + banker] and any(
            solo.book.main_area(offer.hand) in areas
            for third in range(10)
            for offer in solo.book.open_offers(5, (player + third) % 10, banker, third)
        )


SHOWN_ODDS = 3
SCREEN_REST = 3
"""Lines of a screen that the roads leave free: the blank one above, the prompt, and the one that scrolls."""

SHUFFLE = (
    "Your shoe was put in order once, before your first bet, by a seed in the file of this game.",
    "Nothing is promised about it: the game is yours, and so is the seed.",
    "A table of a house commits to the seed of every shoe before the first bet, and opens it later:",
    "punto table new opens one, and punto audit shoe checks its shoes.",
)
"""What a player can know about the order of the cards."""


def bet_lines(solo: SoloTable) -> list[str]:
    """Every opening bet with its short name, its pay, and its limits or why it cannot be placed."""
    open_bets = solo.bets()
    short = {area: name for name, area in play_bets.short_names(tuple(bet.area for bet in solo.book.bets)).items()}
    rows = []
    for bet in solo.book.bets:
        if bet.kind is Area.WAGER:
            continue
        legal = open_bets.get(bet.area)
        if legal is not None and isinstance(legal.command, PlaceBet):
            most = format_money(legal.most) if legal.most is not None else "any amount"
            takes = f"{format_money(legal.command.amount)} to {most}"
        elif bet.needs:
            takes = f"beside {' or '.join(bet.needs)}"
        else:
            least = solo.table.terms.limits_of(bet.area).minimum
            command = PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area=bet.area, amount=least)
            refusal = refusal_of(solo.table, command)
            takes = refusal.sentence if refusal is not None else ""
        rows.append((short[bet.area], bet.area, _pays(solo.book.pay_tables[bet.area]), takes))
    return lines_of(Grid(("", "bet", "pays", "takes now"), tuple(rows), grows=3))


def _pays(table: PayTable) -> str:
    """What a bet can pay: all of it where that is little, otherwise the least and the most."""
    odds = sorted({row.outcome.odds for row in table.rows if row.outcome.odds is not None})
    if len(odds) > SHOWN_ODDS:
        return f"{shown_odds(odds[0])} to {shown_odds(odds[-1])}"
    return either_words([shown_odds(one) for one in odds]) if odds else ""


def road_strip(roads: Roads, columns: int) -> Text:
    """The last results of the shoe on one line."""
    strip = Text()
    for bead in roads.bead[-(columns // 2) :]:
        strip.append(LETTERS[bead.result], bead.result.value).append(" ")
    strip.rstrip()
    return strip


class Enquiry:
    """Answers what the player asks, without changing anything."""

    def __init__(self, solo: SoloTable, screen: PlayScreen) -> None:
        self.solo, self.screen, console = solo, screen, screen.console
        self.place = Moment.BETS  # What help is about.
        self.has_coach = False
        self._answers: dict[str, Callable[[str], None]] = {
            **dict.fromkeys(("?", "help"), self._help),
            "history": self._history,
            "coach": self._coach,
            "bets": lambda _: self._print(bet_lines(solo)),
            # A terminal shows what matters most on one screen; a pipe has no end.
            "roads": lambda _: self._draw_roads(console.height - SCREEN_REST if console.is_terminal else None),
            "odds": self._odds,
            "why": self._why,
            "rules": self._rules,
            "shuffle": lambda _: self._print(SHUFFLE),
            **dict.fromkeys(("statement", "balance", "account", "chips"), lambda _: self._print(self.statement())),
        }

    def answer(self, line: str) -> bool:
        """Answer a line, if it is a question."""
        word, _, rest = line.partition(" ")
        ask = self._answers.get(word.lower())
        if ask is not None:
            ask(rest.strip())
        return ask is not None

    def statement(self) -> Iterable[str]:
        """The account so far."""
        statement = play_screen.statement_of(self.solo.bankroll, self.solo.events)
        return play_screen.statement_lines(statement, self.screen.label)

    def _print(self, lines: Iterable[str]) -> None:
        self.screen.say()
        for line in lines:
            self.screen.say(line)
        self.screen.say()

    def _help(self, _: str) -> None:
        self._print([*play_help()[self.place.value].lines(), "", *play_help()["always"].lines()])

    def _history(self, wanted: str) -> None:
        rounds = play_screen.played_rounds(self.solo)
        if not rounds:
            self.screen.say("No round has been settled yet.")
            return
        grid = play_screen.history_grid(rounds, is_whole=wanted.lower() == "all")
        more = len(rounds) - len(grid.rows)
        self._print([*lines_of(grid), *([f"  and {more} before; history all shows them"] if more else [])])

    def _coach(self, wanted: str) -> None:
        self.has_coach = wanted.lower() not in ("off", "no")
        if not self.has_coach:
            self.screen.say("The coach is silent now; type coach to hear it again.")
            return
        self.screen.say(
            "After each round you see what each bet cost on average, and whether insurance was worth it. "
            "A coach looks back and never predicts; coach off ends it."
        )
        self.tell_coach()

    def tell_coach(self) -> None:
        """What the last round's bets were worth, if the player wants to know."""
        rounds = play_screen.played_rounds(self.solo)
        grid = play_screen.coach_grid(self.solo.book, rounds[-1]) if rounds and self.has_coach else None
        if grid is None:
            return
        self._print(lines_of(grid))
        for line in play_screen.coach_lines(self.solo.book, rounds[-1]):
            self.screen.say(line)

    def _draw_roads(self, height: int | None) -> None:
        console = self.screen.console
        self.screen.say()
        console.print(draw_roads(self.solo.roads(), console.width, height, ascii_only=not has_shapes(console.encoding)))

    def show_roads(self) -> None:
        """The roads of the shoe at the end of a game, without what would come next."""
        if self.solo.roads().bead:
            self._draw_roads(3 * MIN_HEIGHT + 1)

    def _odds(self, _: str) -> None:
        from punto.odds.advice import advise
        from punto.odds.known_cards import Undealt, UndealtError

        shoe = self.solo.state.shoe
        if shoe is None:
            self.screen.say("No shoe is in play.")
            return
        if any(not slot.face_up for slot in self.solo.state.order):
            self.screen.say("Odds go by open cards: ask again when no card lies face down.")
            return
        dealt = [slot.card for slot in self.solo.state.order if slot.card is not None]
        try:
            advice = advise(self.solo.book, Undealt.of_composition(shoe.composition), dealt)
        except UndealtError as error:
            self.screen.say(f"{error}.")
            return
        self._print(lines_of(advice.table))

    def _why(self, _: str) -> None:
        settled = next((event for event in reversed(self.solo.events) if isinstance(event, RoundSettled)), None)
        if settled is None:
            self.screen.say("No round has been settled yet.")
            return
        book, mine = self.solo.book, [bet for bet in settled.bets if bet.player == PLAYER]
        rows = tuple(
            (name, format_money(bet.stake), shown_odds(bet.odds) if bet.odds else bet.result.value, bet.clause)
            for name, bet in zip(play_screen.bet_names(book, mine), mine, strict=True)
        )
        clauses = map(book.clause, dict.fromkeys(bet.clause for bet in mine))
        senses = tuple((clause.number, clause.sense) for clause in clauses if clause is not None)
        won = settled.winner.label + ("" if settled.winner is Winner.TIE else " won")
        lines = [f"Round {settled.round}: {won}. The clauses are those of {book.source}."]
        if rows:
            lines += lines_of(Grid(("bet", "stake", "result", "clause"), rows, right=(1,)))
        if senses:
            lines += ["", *lines_of(Grid(("clause", "its sense"), senses, grows=1))]
        self._print(lines)

    def _rules(self, wanted: str) -> None:
        from punto.documents.page import Page
        from punto.documents.text import page_lines
        from punto.reports.rule_book import rule_book_page

        page, book = rule_book_page(self.solo.book), self.solo.book
        clause = book.clause(wanted)
        if clause is not None:
            senses = ((clause.number, clause.sense + (f"\nOur reading: {clause.reading}" if clause.reading else "")),)
            self._print(lines_of(Grid(("clause", "its sense"), senses, grows=1)))
            return
        sections = [s for s in page.sections if wanted.lower() in ("all", *s.heading.lower().split())]
        chosen = sections or [s for s in page.sections if wanted and wanted.lower() in s.heading.lower()]
        if chosen:
            self._print(page_lines(Page(page.title, tuple(chosen), lead=page.lead), columns(), ink))
            return
        headings = [f"  {section.heading}" for section in page.sections]
        unknown = [f"The book has nothing under {wanted!r}."] if wanted else []
        self._print([*unknown, *page.lead, "Its parts; type rules and a word of one to see it:", *headings])


PROMPT = "your bets> "


class Quit(Exception):
    """The player leaves, for good where the game is over."""

    def __init__(self, *, is_over: bool) -> None:
        self.is_over = is_over


class Game:
    """A player, a table, and the screen that shows it."""

    def __init__(self, solo: SoloTable, screen: PlayScreen, dialogue: Dialogue) -> None:
        self.solo, self.screen, self.dialogue = solo, screen, dialogue
        solo.tell_lost = self.tell_lost
        self.enquiry = Enquiry(solo, screen)
        self.questions = Questions(self)
        self.betting = BetPlacing(solo, lambda: self.in_hand)
        self.round_opened = 0  # The round whose cards the player wants opened without peeling.
        self._is_told = False
        screen.latest = solo.roads

    @property
    def in_hand(self) -> int:
        return purse_of(PLAYER, self.solo.bankroll, self.solo.events).in_hand

    def play(self) -> None:
        """Rounds without end; `Quit`, `Left`, `TableStopped` or Ctrl-C is the way out."""
        while True:
            if self.solo.state.phase is Phase.IDLE:
                self.screen.clear()
                self.screen.board = self.solo.roads()
                self.screen.show(self.solo.go_on())
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
        if isinstance(last, RoundSettled):
            # Whoever left in the middle of the cards has not seen how they fell.
            finished = next(event for event in reversed(self.solo.events) if isinstance(event, DealFinished))
            self.screen.draw_again(self.screen.result_of(finished))
            self.screen.settle(last, self.in_hand)
        else:
            self.screen.draw_again()

    def tell_lost(self, why: str) -> None:
        """A full disk does not stop a game; it is said once, and the game is no longer kept."""
        self.screen.say(f"The game is not being kept: {why}.", "lose")

    def ask_line(self, prompt: str, place: Moment) -> str:
        """Ask until there is a line that is neither a question nor a way out."""
        self.enquiry.place = place
        areas = (*self._areas, *play_bets.short_names(tuple(self._areas))) if place is Moment.BETS else ()
        self.dialogue.complete((*play_help()[place.value].words, *areas, *play_help()["always"].words))
        while True:
            line = self.dialogue.ask(prompt)
            word, _, rest = line.lower().partition(" ")
            if word in ("quit", "q", "exit", "leave"):
                raise Quit(is_over=word == "leave")
            if word == "save":  # everything is kept as it is done; whoever asks is told where
                path = self.solo.path
                self.screen.say(f"Kept in {path}." if path else "This game is not being kept; name a file with --save.")
            elif word == "buy":
                self._buy(rest)
            elif not self.enquiry.answer(line):
                return line

    def _buy(self, text: str) -> None:
        try:
            amount = play_bets.read_money(text)
        except ValueError as error:
            self.screen.say(f"{error}. Write for example: buy 1000" if text else "Write for example: buy 1000")
            return
        refusal = self.solo.buy(amount)
        self.screen.say(play_bets.refusal_sentence(refusal) if refusal else f"In hand {format_money(self.in_hand)}.")

    def _take_bets(self) -> None:
        """Until the player says deal."""
        self.betting.begin()
        self._head()
        while True:
            line = self.ask_line(PROMPT, Moment.BETS)
            try:
                if self._bet(play_bets.read_lines(line, self._areas) if line else (BetLine(deal=self._has_bets()),)):
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
        if bots := [f"{name} (box {box}) {_stakes(state, name)}" for box, name in self.solo.bots().items()]:
            self.screen.say(f"At the table: {'; '.join(bots)}.", "dim")
        if strip := road_strip(self.solo.roads(), self.screen.columns - 2):
            self.screen.say(Text("  ").append_text(strip))
        if not self._is_told:
            self._is_told = True
            for text in bet_lines(self.solo):
                self.screen.say(text)
            self.screen.say("Type bets such as: banker 100 tie 10. Then deal, or Enter. ? for help.", "dim")
        if self._has_bets():
            self._tell_bets()
        elif self.in_hand < self.solo.table.terms.minimum:
            self.screen.say("Less in hand than the minimum bet: type buy 1000 for more chips, or quit.", "lose")

    def _bet(self, lines: Sequence[BetLine]) -> bool:
        """Carry out a line; whether the cards may come."""
        wants_cards = any(line.deal for line in lines)
        if all(line.is_empty for line in lines):
            self.screen.say("  No bets on the table. Type bets, or deal to watch a round without; ? for help.")
            return False
        commands = self.betting.commands(lines)
        if not commands:
            return wants_cards
        wanted, freed = self.betting.cost()
        if wanted > self.in_hand + freed:
            self.screen.say(f"  {self.betting.too_dear(commands, self.in_hand + freed, wanted)}")
            return False
        warning = self.betting.short_for_wagers(commands, self.in_hand + freed - wanted)
        if not self.give(*commands):
            return False
        self.betting.remember(lines)
        if wants_cards and not warning:
            return True
        self._tell_bets()
        if warning:
            self.screen.say(f"  {warning}", "lose")
            if wants_cards:
                self.screen.say("  The cards have not been dealt; deal goes on all the same, undo takes back.")
        return False

    def _tell_bets(self) -> None:
        laid: dict[int, list[str]] = {}
        for bet in self.solo.state.bets:
            if bet.player == PLAYER:
                laid.setdefault(bet.box, []).append(f"{bet.area} {format_money(bet.stake)}")
        is_plain = {*laid} <= {self.solo.box} and len(self.solo.boxes) == 1
        parts = [("" if is_plain else f"box {box}: ") + ", ".join(bets) for box, bets in sorted(laid.items())]
        self.screen.say(f"  On the layout: {'; '.join(parts) or 'none'}. In hand {format_money(self.in_hand)}.", "dim")

    def give(self, *commands: Command) -> bool:
        """Give the player's commands; where one is refused that is said, and nothing has happened."""
        events = self.solo.give(*commands)
        if isinstance(events, Refusal):
            self.screen.say(f"  {play_bets.refusal_sentence(events)}")
            return False
        self.screen.show(events)
        return True

    def _deal(self) -> None:
        """From the last bet to the settlement, with the player's decisions in between."""
        self._go_on(is_ready=self.solo.state.phase is Phase.BETTING)
        while self.solo.state.phase is not Phase.IDLE:
            self.questions.ask()
            self._go_on(is_ready=True)

    def _go_on(self, *, is_ready: bool) -> None:
        events = self.solo.go_on(is_ready=is_ready)
        self.screen.show(events)
        for event in events:
            if isinstance(event, RoundSettled):
                self.screen.settle(event, self.in_hand)
                self.enquiry.tell_coach()


def box_words(boxes: Iterable[int]) -> str:
    """`boxes 2, 3 and 5`"""
    *some, last = map(str, sorted(boxes))
    return f"boxes {', '.join(some)} and {last}" if some else f"box {last}"


def _stakes(state: State, player: str) -> str:
    """What somebody else has bet in this round."""
    bets = [f"{bet.area} {format_money(bet.stake)}" for bet in state.bets if bet.player == player]
    return ", ".join(bets) or "sits out"
