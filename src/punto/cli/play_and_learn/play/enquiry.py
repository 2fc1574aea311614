"""What a player may ask at any time: help, bets, roads, odds, rules, why, and the statement so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.text import Text

from punto.cards.card import Card
from punto.cli.play_and_learn.play.account.rounds import bet_names, history_grid, played_rounds
from punto.cli.play_and_learn.play.account.statement import statement_lines, statement_of
from punto.cli.play_and_learn.play.bet_line import short_names
from punto.cli.play_and_learn.play.help import ALWAYS, HELP, Moment
from punto.cli.play_and_learn.play.screen import PlayScreen
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.cli.terminal.faces import WINNERS
from punto.cli.terminal.ink import columns, ink, lines_of
from punto.cli.terminal.road_board import MIN_HEIGHT, draw_roads, has_shapes
from punto.documents.page import Grid
from punto.money import format_money
from punto.roads import Roads, RoundResult, RoundWinner
from punto.rules.facts import Hand, Winner, pair_index
from punto.rules.outcome import format_odds
from punto.rules.pay_table import PayTable
from punto.rules.role import Role
from punto.rules.text.bet import Area
from punto.rules.words import either
from punto.table import command as c
from punto.table import event as e
from punto.table import refusal_of

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
    short = {area: name for name, area in short_names(tuple(bet.area for bet in solo.book.bets)).items()}
    rows = []
    for bet in solo.book.bets:
        if bet.kind is Area.WAGER:
            continue
        legal = open_bets.get(bet.area)
        if legal is not None and isinstance(legal.command, c.PlaceBet):
            most = format_money(legal.most) if legal.most is not None else "any amount"
            takes = f"{format_money(legal.command.amount)} to {most}"
        else:
            takes = f"beside {' or '.join(bet.needs)}" if bet.needs else _why_not(solo, bet.area)
        rows.append((short[bet.area], bet.area, _pays(solo.book.pay_tables[bet.area]), takes))
    return lines_of(Grid(("", "bet", "pays", "takes now"), tuple(rows), grows=3))


def _pays(table: PayTable) -> str:
    """What a bet can pay: all of it where that is little, otherwise the least and the most."""
    odds = sorted({row.outcome.odds for row in table.rows if row.outcome.odds is not None})
    if len(odds) > SHOWN_ODDS:
        return f"{format_odds(odds[0])} to {format_odds(odds[-1])}"
    return either([format_odds(one) for one in odds]) if odds else ""


def _why_not(solo: SoloTable, area: str) -> str:
    least = solo.table.terms.limits_of(area).minimum
    command = c.PlaceBet(actor=PLAYER, role=Role.PLAYER, box=solo.box, area=area, amount=least)
    refusal = refusal_of(solo.table, command)
    return refusal.sentence if refusal is not None else ""


def roads_of(events: Iterable[e.Event]) -> Roads:
    """The roads of the shoe in play; a void round leaves no mark."""
    roads, hands = Roads(), {Hand.PLAYER: list[Card](), Hand.BANKER: list[Card]()}
    for event in events:
        match event:
            case e.ShoeLoaded():
                roads = Roads()
            case e.BetsCalled():
                hands = {Hand.PLAYER: [], Hand.BANKER: []}
            case e.CardDealt(card=card) if card is not None:
                hands[event.hand].append(card)
            case e.RoundSettled():
                pairs = {hand: bool(pair_index(*cards[:2])) for hand, cards in hands.items()}
                winner = RoundWinner(event.winner.value)
                roads = roads.append(RoundResult(winner, pairs[Hand.BANKER], pairs[Hand.PLAYER]))
    return roads


def road_strip(roads: Roads, columns: int) -> Text:
    """The last results of the shoe on one line."""
    styles = {RoundWinner.BANKER: "banker", RoundWinner.PLAYER: "player", RoundWinner.TIE: "tie"}
    letters = {RoundWinner.BANKER: "B", RoundWinner.PLAYER: "P", RoundWinner.TIE: "T"}
    room = columns // 2
    shown = roads.bead[-room:]
    strip = Text()
    for bead in shown:
        strip.append(letters[bead.result], styles[bead.result]).append(" ")
    strip.rstrip()
    return strip


class Enquiry:
    """Answers what the player asks, without changing anything."""

    def __init__(self, solo: SoloTable, screen: PlayScreen, bankroll: Callable[[], int]) -> None:
        self.solo, self.screen, self.bankroll = solo, screen, bankroll
        self.place = Moment.BETS
        """Where the game stands: what help is about."""
        self.has_coach = False
        self._answers: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "history": self._history,
            "coach": self._coach,
            "bets": lambda _: self._print(bet_lines(solo)),
            "roads": self._roads,
            "odds": self._odds,
            "why": self._why,
            "rules": self._rules,
            "shuffle": lambda _: self._print(SHUFFLE),
            **dict.fromkeys(("statement", "balance", "account", "chips"), self._statement),
        }

    def answer(self, line: str) -> bool:
        """Answer a line, if it is a question."""
        word, _, rest = line.partition(" ")
        ask = self._answers.get(word.lower())
        if ask is not None:
            ask(rest.strip())
        return ask is not None

    def _print(self, lines: Iterable[str]) -> None:
        self.screen.say()
        for line in lines:
            self.screen.say(line)
        self.screen.say()

    def _statement(self, _: str) -> None:
        statement = statement_of(self.bankroll(), self.solo.events)
        self._print(statement_lines(statement, self.screen.label))

    def _help(self, _: str) -> None:
        rows = HELP[self.place]
        lines = lines_of(Grid(("", self.place.value), rows, grows=1))
        always = lines_of(Grid(("", "At any time:"), ALWAYS, grows=1))
        self._print([*lines, "", *always])

    def _history(self, wanted: str) -> None:
        rounds = list(played_rounds(self.solo))
        if not rounds:
            self.screen.say("No round has been settled yet.")
            return
        grid = history_grid(rounds, is_whole=wanted.lower() == "all")
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
        from punto.cli.play_and_learn.play.account.coach import coach_grid, coach_lines

        rounds = list(played_rounds(self.solo))
        grid = coach_grid(self.solo.book, rounds[-1]) if rounds and self.has_coach else None
        if grid is None:
            return
        self._print(lines_of(grid))
        for line in coach_lines(self.solo.book, rounds[-1]):
            self.screen.say(line)

    def _roads(self, _: str) -> None:
        console = self.screen.console
        # A terminal shows what matters most on one screen; a pipe has no end.
        self._draw_roads(console.height - SCREEN_REST if console.is_terminal else None)

    def _draw_roads(self, height: int | None) -> None:
        console = self.screen.console
        self.screen.say()
        plain = not has_shapes(console.encoding)
        console.print(draw_roads(roads_of(self.solo.events), console.width, height, ascii_only=plain))

    def show_roads(self) -> None:
        """The roads of the shoe at the end of a game, without what would come next."""
        if roads_of(self.solo.events).bead:
            self._draw_roads(3 * MIN_HEIGHT + 1)

    def _odds(self, _: str) -> None:
        from punto.odds.advice import advise
        from punto.odds.undealt import Undealt, UndealtError

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
        settled = next((event for event in reversed(self.solo.events) if _is_settled(event)), None)
        if not isinstance(settled, e.RoundSettled):
            self.screen.say("No round has been settled yet.")
            return
        book, mine = self.solo.book, [bet for bet in settled.bets if bet.player == PLAYER]
        rows = tuple(
            (name, format_money(bet.stake), bet.odds or bet.result.value, bet.clause)
            for name, bet in zip(bet_names(book, mine), mine, strict=True)
        )
        numbers = dict.fromkeys(bet.clause for bet in mine)
        clauses = [clause for number in numbers if (clause := book.clause(number)) is not None]
        won = WINNERS[settled.winner] + ("" if settled.winner is Winner.TIE else " won")
        lines = [f"Round {settled.round}: {won}. The clauses are those of {book.source}."]
        if rows:
            lines += lines_of(Grid(("bet", "stake", "result", "clause"), rows, right=(1,)))
        if clauses:
            senses = tuple((clause.number, clause.sense) for clause in clauses)
            lines += ["", *lines_of(Grid(("clause", "its sense"), senses, grows=1))]
        self._print(lines)

    def _rules(self, wanted: str) -> None:
        from punto.documents.page import Page
        from punto.documents.text import page_lines
        from punto.reports.rule_book import rule_book_page

        page, book = rule_book_page(self.solo.book), self.solo.book
        clause = book.clause(wanted)
        if clause is not None:
            senses = (
                (
                    clause.number,
                    clause.sense + (f"\nOur reading: {clause.reading}" if clause.reading else ""),
                ),
            )
            self._print(lines_of(Grid(("clause", "its sense"), senses, grows=1)))
            return
        sections = [s for s in page.sections if wanted.lower() in ("all", *s.heading.lower().split())]
        found = sections or [s for s in page.sections if wanted and wanted.lower() in s.heading.lower()]
        if found:
            self._print(page_lines(Page(page.title, tuple(found), lead=page.lead), columns(), ink))
            return
        headings = [f"  {section.heading}" for section in page.sections]
        unknown = [f"The book has nothing under {wanted!r}."] if wanted else []
        self._print([*unknown, *page.lead, "Its parts; type rules and a word of one to see it:", *headings])


def _is_settled(event: e.Event) -> bool:
    return isinstance(event, e.RoundSettled)
