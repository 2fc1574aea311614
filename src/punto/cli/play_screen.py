"""What a player sees: cards as they come, the dealer's calls, settled bets, the rounds of the game, the
statement, the summary at its end, a coach who looks back, and what can be typed at each moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from punto.cards.card import Card, Rank
from punto.cards.shoe import Shoe
from punto.cli.game_terminal import LEAST_HANDS_WIDTH, HandNames, draw_hands, wrapped
from punto.cli.ink import lines_of
from punto.cli.output import can_show
from punto.cli.play_table import PLAYER, SoloTable
from punto.cli.road_board import MIN_HEIGHT, MIN_WIDTH, draw_roads, has_shapes
from punto.coup.coup import dealing_order, points
from punto.documents.page import Grid, Style, percent
from punto.documents.text import pad, width, wrap
from punto.ledger.results import Purse, purse_of
from punto.money import format_money
from punto.roads.roads import Roads
from punto.rules.book import Book, label_of
from punto.rules.outcome import Hand, Result, Winner, shown_odds
from punto.rules.wording import counted
from punto.table.betting import BetPlaced, BetReturned, BetsCalled, BetsClosed
from punto.table.dealing import CardDealt, CardRevealed, DealFinished
from punto.table.event import Event
from punto.table.house import CardsBurned, CutCardCameOut, SeatTaken, ShoeLoaded
from punto.table.settlement import RoundSettled
from punto.table.state import OfferMade, SettledBet, State

if TYPE_CHECKING:  # loaded when somebody asks for odds, a coach or a summary
    from punto.odds.advice import Advice

SHOWN_ROUNDS = 20  # Rounds of a history, unless all are asked for.


@dataclass(frozen=True, slots=True)
class PlayedRound:
    number: int
    shoe: Shoe  # Before its first card.
    cards: tuple[Card, ...]  # In dealing order.
    points: dict[Hand, int]
    winner: Winner
    bets: tuple[SettledBet, ...]  # Those of the player.
    offers: tuple[tuple[int, OfferMade], ...] = ()
    """Insurance that the player was offered, each with its window by number of cards."""

    @property
    def staked(self) -> int:
        return sum(bet.stake for bet in self.bets)

    @property
    def net(self) -> int:
        return sum(bet.net for bet in self.bets)


def played_rounds(solo: SoloTable) -> list[PlayedRound]:
    return [
        PlayedRound(
            ended.round,
            solo.shoes[ended.round],
            dealing_order(ended.player, ended.banker),
            {Hand.PLAYER: ended.player_points, Hand.BANKER: ended.banker_points},
            ended.winner,
            tuple(bet for bet in ended.bets if bet.player == PLAYER),
            tuple((window, offer) for (n, window), made in solo.offers.items() if n == ended.round for offer in made),
        )
        for ended in solo.rounds
        if ended.winner is not None
    ]


def bet_names(book: Book, bets: Sequence[SettledBet]) -> list[str]:
    """What the player calls each bet: its label, with its box where they are in several."""
    is_one = len({bet.box for bet in bets}) == 1
    return [label_of(book, bet.area) + ("" if is_one else f", box {bet.box}") for bet in bets]


def history_grid(rounds: list[PlayedRound], *, is_whole: bool) -> Grid:
    """What each of the last rounds brought, and all of them so far."""
    so_far, rows = 0, list[tuple[str, ...]]()
    for played in rounds:
        so_far += played.net
        won = f"{played.winner.label} {played.points[Hand.PLAYER]}:{played.points[Hand.BANKER]}"
        nets = format_money(played.net, is_signed=True), format_money(so_far, is_signed=True)
        rows.append((str(played.number), won, format_money(played.staked), *nets))
    first = 0 if is_whole else max(0, len(rows) - SHOWN_ROUNDS)
    marks = {
        place: Style.GOOD if played.net > 0 else Style.BAD for place, played in enumerate(rounds[first:]) if played.net
    }
    heads = ("round", "result", "staked", "net", "so far")
    return Grid(heads, tuple(rows[first:]), right=(0, 2, 3, 4), marks=marks)


MIN_LABEL, MAX_LABEL = 8, 28  # Columns for the name of a bet.
_RESULTS = {Result.PUSH: "returned", Result.LOSE: "lost"}


def settled_lines(book: Book, bets: Sequence[SettledBet], in_hand: int, columns: int) -> list[Text]:
    net = sum(bet.net for bet in bets)
    rows = []
    for name, bet in zip(bet_names(book, bets), bets, strict=True):
        outcome = f"pays {shown_odds(bet.odds)}" if bet.odds else _RESULTS[bet.result]
        rows.append((name, format_money(bet.stake), outcome, format_money(bet.net, is_signed=True), bet.result.value))
    style = "bold win" if net > 0 else "bold lose" if net < 0 else "bold"
    rows.append(("net", "", "", format_money(net, is_signed=True), style))
    # Where there is room the columns stay in one place from round to round.
    least = (MAX_LABEL, 9, 11, 10) if columns >= LEAST_HANDS_WIDTH else (0, 0, 0, 0)
    stake, how, nets = (max(least[n], *(len(row[n]) for row in rows)) for n in (1, 2, 3))
    label = max(least[0], *(width(row[0]) for row in rows))
    label = max(MIN_LABEL, min(label, columns - stake - how - nets - 5))
    lines = []
    for name, staked, outcome, brought, colour in rows:
        first, *more = wrap(name, label)
        line = Text(f"  {pad(first, label)}{staked:>{stake + 1}}  {outcome:<{how}}")
        line.append(f"{brought:>{nets}}", colour)
        balance = f"   in hand {format_money(in_hand)}"
        if name == "net" and line.cell_len + len(balance) <= columns:
            line.append(balance)
        lines += [line, *(Text(f"  {part}") for part in more)]
    return lines


@dataclass(frozen=True, slots=True)
class StatementRow:
    bets: int
    won: int
    staked: int
    net: int

    @classmethod
    def of(cls, bets: Sequence[SettledBet]) -> StatementRow:
        won, staked = sum(bet.net > 0 for bet in bets), sum(bet.stake for bet in bets)
        return cls(len(bets), won, staked, sum(bet.net for bet in bets))

    def cells(self, name: str) -> tuple[str, ...]:
        """A line of the statement."""
        staked, net = format_money(self.staked), format_money(self.net, is_signed=True)
        return name, str(self.bets), str(self.won), staked, net


@dataclass(frozen=True, slots=True)
class Statement:
    """The account of a whole game."""

    purse: Purse
    rounds: int
    shoes: int
    total: StatementRow
    rows: dict[str, StatementRow]  # By betting area.
    boxes: dict[int, StatementRow]  # The same bets by box.

    @property
    def net(self) -> int:
        return self.total.net


def statement_of(bankroll: int, events: Iterable[Event]) -> Statement:
    listed = tuple(events)
    settled = [event for event in listed if isinstance(event, RoundSettled)]
    shoes = sum(isinstance(event, ShoeLoaded) for event in listed)
    bets = [bet for event in settled for bet in event.bets if bet.player == PLAYER]
    areas, boxes = dict.fromkeys(bet.area for bet in bets), sorted({bet.box for bet in bets})
    by_area = {area: StatementRow.of([bet for bet in bets if bet.area == area]) for area in areas}
    by_box = {box: StatementRow.of([bet for bet in bets if bet.box == box]) for box in boxes}
    purse = purse_of(PLAYER, bankroll, listed)
    return Statement(purse, len(settled), shoes, StatementRow.of(bets), by_area, by_box)


def statement_lines(statement: Statement, label: Callable[[str], str]) -> Iterator[str]:
    yield f"{counted(statement.rounds, 'round')} from {counted(statement.shoes, 'shoe')}."
    if statement.rows:
        named = {label(area): row for area, row in statement.rows.items()}
        if len(statement.boxes) > 1:
            named |= {f"all in box {box}": row for box, row in statement.boxes.items()}
        rows = tuple(row.cells(name) for name, row in named.items())
        heads = ("bet", "bets", "won", "staked", "net")
        yield from lines_of(Grid(heads, (*rows, statement.total.cells("in all")), right=(1, 2, 3, 4)))
    purse = statement.purse
    on_layout = f", {format_money(purse.on_layout)} on the layout" if purse.on_layout else ""
    yield f"Bought {format_money(purse.bought)}, in hand {format_money(purse.in_hand)}{on_layout}."


def summary_lines(book: Book, decks: int, rounds: Sequence[PlayedRound]) -> Iterator[str]:
    """The game in a few sentences; nothing where no bet was settled."""
    bet_on = [played for played in rounds if played.bets]
    if not bet_on:
        return
    net_of = attrgetter("net")
    best, worst = max(bet_on, key=net_of), min(bet_on, key=net_of)
    if best.net > 0:
        yield f"Biggest win: {format_money(best.net, is_signed=True)} in round {best.number}."
    if worst.net < 0:
        yield f"Biggest loss: {format_money(worst.net)} in round {worst.number}."
    won, lost = streak(bet_on, 1), streak(bet_on, -1)
    yield f"Longest streaks: {counted(won, 'round')} won, {counted(lost, 'round')} lost."
    staked, net = sum(played.staked for played in bet_on), sum(played.net for played in bet_on)
    cost = round(expected_cost(book, decks, bet_on))
    average = f"costs {format_money(cost)}" if cost >= 0 else f"gains {format_money(-cost)}"
    brought = f"{'brought' if net > 0 else 'cost'} you {format_money(abs(net))}" if net else "came out even"
    yield (
        f"Staked {format_money(staked)}. On average that {average}; it {brought}. "
        f"(By the odds of a full shoe; the difference is chance.)"
    )


def streak(rounds: Sequence[PlayedRound], sign: int) -> int:
    """The most rounds in a row that were won, or lost; a round that brought nothing ends neither."""
    longest = running = 0
    for played in rounds:
        if played.net:
            running = running + 1 if played.net * sign > 0 else 0
        longest = max(longest, running)
    return longest


def expected_cost(book: Book, decks: int, rounds: Sequence[PlayedRound]) -> Fraction:
    """What the bets of these rounds cost on average, in minor units; negative where they gain.

    It is exact, by the odds of a full shoe: stake times house edge, for insurance by the points at which it was
    taken, and for an ante with optimal play. It looks back and predicts nothing.
    """
    from punto.odds.advice import advise
    from punto.odds.insurance import insurance_odds
    from punto.odds.known_cards import Undealt

    fresh = Undealt.of_decks(decks)
    advice = advise(book, fresh)
    evs = {bet.area: bet.ev for bet in advice.odds.bets}
    evs |= {side.pair.ante: side.ev for side in advice.ante_sides}
    cost, insured = Fraction(0), list[tuple[PlayedRound, SettledBet]]()
    for played in rounds:
        for bet in played.bets:
            if bet.area in book.insurance_areas:
                insured.append((played, bet))
            elif bet.area in book.opening_areas:  # a wager is counted with its ante
                cost -= bet.stake * evs[bet.area]
    if insured:
        offers = insurance_odds(book, fresh).offers
        by_points = {(odds.offer.area, odds.player_points, odds.banker_points): odds.ev for odds in offers}
        for played, bet in insured:
            cards = played.cards[: book.insurance_areas[bet.area][1]]
            player, banker = points((cards[0], cards[2], *cards[4:])), points((cards[1], cards[3]))
            cost -= bet.stake * by_points[bet.area, player, banker]
    return cost


# A coach who looks back at a round: what each bet cost on average, and whether insurance was worth it. The
# figures are exact, by the cards that nobody had seen when the bet was made, and say nothing of what will come.


def coach_grid(book: Book, played: PlayedRound) -> Grid | None:
    """What each bet of a round was worth when it was made; None for a round without bets."""
    if not played.bets:
        return None
    before = _advice(book, played, 0)
    evs = {bet.area: bet.ev for bet in before.odds.bets}
    antes = {side.pair.ante: side.ev for side in before.ante_sides}
    rows = []
    for name, bet in zip(bet_names(book, played.bets), played.bets, strict=True):
        if bet.area in book.insurance_areas:
            ev = _offer_ev(book, played, bet.area)
            word = "worth it" if ev > 0 else "not worth it" if ev else "fair"
        elif bet.area in antes:
            ev, word = antes[bet.area], "with its wager, optimal play"
        elif bet.area in book.opening_areas:
            ev, word = evs[bet.area], ""
        else:
            continue  # a wager is judged with its ante
        on_average, net = format_money(round(ev * bet.stake), is_signed=True), format_money(bet.net, is_signed=True)
        rows.append((name, format_money(bet.stake), percent(-ev, 2), on_average, net, word))
    heads = ("bet", "stake", "house edge", "on average", "this time", "")
    return Grid(heads, tuple(rows), right=(1, 2, 3, 4), grows=5)


def coach_lines(book: Book, played: PlayedRound) -> Iterator[str]:
    """What a coach says about the player's decisions on antes, and on insurance that was not taken."""
    areas = {offered: area for area, offered in book.insurance_areas.items()}
    spots = {(bet.box, bet.area) for bet in played.bets}
    is_one = len({bet.box for bet in played.bets}) == 1
    for window, offer in played.offers:
        area = areas[offer.hand, window]
        if (offer.box, area) not in spots:
            ev = _offer_ev(book, played, area)
            worth = "would have been worth it" if ev > 0 else "was not worth it" if ev else "was fair"
            offered = f"{label_of(book, area)}{'' if is_one else f', box {offer.box}'} at {shown_odds(offer.odds)}"
            yield f"{offered}, not taken: its house edge was {percent(-ev, 2)}. It {worth}."
    if book.ante is None:
        return
    from punto.odds.ante import GIVE_UP

    antes = {ante.ante: ante for ante in _advice(book, played, book.ante.shown_cards).antes}
    for name, bet in zip(bet_names(book, played.bets), played.bets, strict=True):
        if (ante := antes.get(bet.area)) is None:
            continue
        has_wagered = (bet.box, ante.wager) in spots
        is_best = has_wagered is (ante.best == "play")
        what = "Wagering" if has_wagered else "Giving up"
        yield (
            f"{name}: with the card shown, the house edge was "
            f"{percent(-ante.play, 2)} of the ante for the wager and {percent(-GIVE_UP, 0)} for giving "
            f"up. {what} was the {'better' if is_best else 'worse'} choice."
        )


def _offer_ev(book: Book, played: PlayedRound, area: str) -> Fraction:
    """What a unit of this insurance was worth when it was offered."""
    offers = _advice(book, played, book.insurance_areas[area][1]).offers
    return next(odds.ev for odds in offers if odds.offer.area == area)


def _advice(book: Book, played: PlayedRound, cards: int) -> Advice:
    from punto.odds.advice import advise
    from punto.odds.known_cards import Undealt

    dealt = played.cards[:cards]
    return advise(book, Undealt.of_composition(played.shoe.composition).less(dealt), dealt)


def peeled(card: Card) -> tuple[str, ...]:
    """What shows step by step as a card is squeezed, first at its narrow edge, then along its long side.

    >>> peeled(Card("9H"))
    ('two pips at the edge: it is not a picture card', 'four pips at the side: nine or ten')
    """
    rank = int(card.rank)
    if rank > Rank.TEN:
        return ("a frame at the edge: it is a picture card, which counts 0",)
    if rank == 1:
        return ("nothing at the edge", "no pips at the side: an ace")
    edge = "one pip at the edge" if rank < 4 else "two pips at the edge"
    sides = ((3, "no", "two or three"), (5, "two", "four or five"), (8, "three", "six, seven or eight"))
    pips, ranks = next(((pips, ranks) for most, pips, ranks in sides if rank <= most), ("four", "nine or ten"))
    return f"{edge}: it is not a picture card", f"{pips} pips at the side: {ranks}"


TEXT_COLUMNS = 80  # Longer lines are hard to read: a wider terminal has the roads at the right.
OTHER_LINES = 10  # Lines of a screen that the roads leave to the head of a round, its bets and the prompt.


class PlayScreen:
    """The table as the player sees it.

    On a terminal the two hands stand in one place and grow card by card. Into a pipe, or on a terminal that
    cannot move its cursor, they are drawn when somebody has to decide and when the deal is finished.
    """

    def __init__(self, console: Console, book: Book, pace: float) -> None:
        self.console, self.book, self.pace = console, book, pace
        self.names = HandNames.of(book, console.encoding)
        self.player: list[Card | None] = []
        self.banker: list[Card | None] = []
        self.round = 0
        self.columns = min(console.width, TEXT_COLUMNS)  # What sentences and tables are set in.
        self.board: Roads | None = None
        """The roads beside the cards, where there is room: as they were before this round."""
        self.latest: Callable[[], Roads] = Roads  # The roads with the result of the round that is over.
        self._can_move = console.is_terminal and not console.is_dumb_terminal
        self._drawn = 0  # Lines of the hands that can still be drawn over, because nothing stands below them.
        self._called = ""  # What the dealer said over the cards that were drawn last.
        self._under: list[Text] = []  # How bets were settled, where that stands beside the roads.

    def set(self, state: State) -> None:
        """Put the cards of a round in progress on the screen, as after a game was resumed."""
        self.player = [slot.card if slot.face_up else None for slot in state.player]
        self.banker = [slot.card if slot.face_up else None for slot in state.banker]

    def say(self, text: str | Text = "", style: str = "") -> None:
        """A sentence or a line under everything else; a long one goes on below where it began."""
        self._drawn = 0
        if isinstance(text, str) and "\x1b" in text:
            text = Text.from_ansi(text)  # a line of a grid, in its colours
        for line in wrapped(text, self.columns) if isinstance(text, str) else (text,):
            self.console.print(line, style=style, highlight=False, markup=False)

    def show(self, events: Sequence[Event]) -> None:
        """Tell what happened, in its order."""
        later: list[str] = []
        for place, event in enumerate(events):
            if isinstance(event, BetsCalled):
                self.round = event.round
            elif isinstance(event, BetsClosed) and self._can_move:
                self._draw(self._closing_call())
                time.sleep(self.pace)
            elif isinstance(event, CardDealt | CardRevealed):
                hand = self.player if event.hand is Hand.PLAYER else self.banker
                if isinstance(event, CardDealt):
                    hand.append(event.card if event.face_up else None)
                else:
                    hand[event.number - 1] = event.card
                coming = events[place + 1 :]
                if self._can_move or not any(isinstance(other, CardDealt | CardRevealed) for other in coming):
                    self._draw(self._call(coming))
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

    def settle(self, settled: RoundSettled, in_hand: int) -> None:
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
        others = dict[str, int]()  # what the bots won and lost
        for bet in settled.bets:
            if bet.player != PLAYER:
                others[bet.player] = others.get(bet.player, 0) + bet.net
        if others:
            nets = ", ".join(f"{name} {format_money(net, is_signed=True)}" for name, net in others.items())
            self.say(f"  At the other boxes: {nets}.", "dim")

    def label(self, area: str) -> str:
        """A betting area as the layout names it, insurance too."""
        return label_of(self.book, area)

    def clear(self) -> None:
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
        board = draw_roads(self.board, room, height, ascii_only=plain).renderables
        return [line for line in board if isinstance(line, Text)]

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

    def _call(self, coming: Sequence[Event]) -> str:
        """What the dealer says over the cards that lie now."""
        for event in coming:
            if isinstance(event, DealFinished):
                self.board = self.latest()
                return self.result_of(event)
            if isinstance(event, CardDealt):
                if len(self.player) + len(self.banker) < 4 or not event.face_up:
                    return ""
                return f"{event.hand.value.title()} draws a card."
        return ""

    def _closing_call(self) -> str:
        words = self.book.betting.closes.words
        if words is None:
            return ""
        chinese = words.zh_hans
        return f"{words.en} {chinese}" if chinese and can_show(chinese, self.console.encoding) else words.en

    def result_of(self, event: DealFinished) -> str:
        if event.winner is Winner.TIE:
            words = f"Tie, {event.player_points} each."
        else:
            points = sorted((event.player_points, event.banker_points), reverse=True)
            words = f"{event.winner.label} wins, {points[0]} over {points[1]}."
        declared = [one.labels.en for one, _ in self.book.declarations if one.name in event.declared]
        return " ".join((*(f"{name}." for name in declared if name != event.winner.label), words))

    def _words(self, event: Event) -> str:
        """An event in a sentence; empty for what is shown otherwise or needs no words."""
        clause = f" (clause {event.clause})" if isinstance(event, BetPlaced | BetReturned) and event.clause else ""
        match event:
            case ShoeLoaded():
                return f"A new shoe: {counted(event.decks, 'deck')}, shuffled."
            case CardsBurned(shown=card) if card is not None:
                return f"{card.symbol} is shown, and {event.count - 1} more are burned."
            case CutCardCameOut():
                after = event.last_round - self.round
                more = "this is the last round" if not after else f"after this round {after} more"
                return f"The cut card is out: {more}."
            case BetPlaced(rejected=rejected) if rejected:
                return f"{format_money(rejected)} on {event.area} is over the limit and comes back{clause}."
            case BetReturned(why="needs-bet"):
                return f"{format_money(event.amount)} on {event.area} comes back: it cannot be bet alone{clause}."
            case SeatTaken(notice=notice) if notice:
                return f"No insurance is offered at this table (clause {notice})."
            case SeatTaken(player=player) if player == PLAYER:
                return f"Box {event.box} is yours too."
            case _:
                return ""
