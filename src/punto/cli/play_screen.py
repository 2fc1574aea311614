"""What a player sees: cards as they come, the dealer's calls, settled bets, the rounds of the game, the
statement, the summary at its end, a coach who looks back, and what can be typed at each moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import zip_longest
from operator import attrgetter
from textwrap import wrap as wrap_text

from rich.console import Console
from rich.text import Text

from punto.cards.card import Card, Rank
from punto.cards.shoe import Shoe
from punto.cli.game_terminal import LEAST_HANDS_WIDTH, HandNames, can_show_hands, draw_hands
from punto.cli.ink import lines_of
from punto.cli.play_table import PLAYER, SoloTable
from punto.cli.road_board import MIN_HEIGHT, MIN_WIDTH, draw_roads, has_shapes
from punto.coup.coup import dealing_order, points
from punto.documents.page import Grid, Style, percent
from punto.documents.text import pad, width, wrap
from punto.ledger.results import Purse, purse_of
from punto.money import format_money
from punto.odds.advice import Advice, advise
from punto.odds.ante import GIVE_UP
from punto.odds.known_cards import Undealt
from punto.roads.roads import Roads
from punto.rules.book import Book, label_of
from punto.rules.book_text import Area
from punto.rules.outcome import Hand, Result, Winner
from punto.rules.wording import counted
from punto.table.betting import BetPlaced, BetReturned, BetsCalled, BetsClosed
from punto.table.dealing import CardDealt, CardRevealed, DealFinished
from punto.table.event import Event
from punto.table.house import CardsBurned, CutCardCameOut, SeatTaken, ShoeLoaded
from punto.table.settlement import RoundSettled
from punto.table.state import OfferMade, SettledBet, State

SHOWN_ROUNDS = 20  # Rounds of a history, unless all are asked for.


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was settled."""

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
    """Every settled round, in its order."""
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
    so_far, rows, marks = 0, list[tuple[str, ...]](), dict[int, Style]()
    for played in rounds:
        so_far += played.net
        won = f"{played.winner.label} {played.points[Hand.PLAYER]}:{played.points[Hand.BANKER]}"
        staked, net = format_money(played.staked), format_money(played.net, is_signed=True)
        rows.append((str(played.number), won, staked, net, format_money(so_far, is_signed=True)))
    listed = rows if is_whole else rows[-SHOWN_ROUNDS:]
    for place, played in enumerate(rounds[len(rows) - len(listed) :]):
        if played.net:
            marks[place] = Style.GOOD if played.net > 0 else Style.BAD
    heads = ("round", "result", "staked", "net", "so far")
    return Grid(heads, tuple(listed), right=(0, 2, 3, 4), marks=marks)


MIN_LABEL, MAX_LABEL = 8, 28  # Columns for the name of a bet.
_RESULTS = {Result.PUSH: "returned", Result.LOSE: "lost"}


def settled_lines(book: Book, bets: Sequence[SettledBet], in_hand: int, columns: int) -> list[Text]:
    """Every bet with what came of it, and the net of all."""
    net = sum(bet.net for bet in bets)
    rows = [
        (
            name,
            format_money(bet.stake),
            f"pays {bet.odds}" if bet.odds else _RESULTS[bet.result],
            format_money(bet.net, is_signed=True),
            bet.result.value,
        )
        for name, bet in zip(bet_names(book, bets), bets, strict=True)
    ]
    style = "bold win" if net > 0 else "bold lose" if net < 0 else "bold"
    rows.append(("net", "", "", format_money(net, is_signed=True), style))
    # Where there is room the columns stay in one place from round to round.
    least = (MAX_LABEL, 9, 11, 10) if columns >= LEAST_HANDS_WIDTH else (0, 0, 0, 0)
    stake, how, nets = (max(least[n], *(len(row[n]) for row in rows)) for n in (1, 2, 3))
    label = max(least[0], *(width(row[0]) for row in rows))
    label = max(MIN_LABEL, min(label, columns - stake - how - nets - 5))
    lines = []
    for name, staked, came, brought, colour in rows:
        first, *more = wrap(name, label)
        line = Text(f"  {pad(first, label)}{staked:>{stake + 1}}  {came:<{how}}")
        line.append(f"{brought:>{nets}}", colour)
        balance = f"   in hand {format_money(in_hand)}"
        if name == "net" and line.cell_len + len(balance) <= columns:
            line.append(balance)
        lines += [line, *(Text(f"  {part}") for part in more)]
    return lines


@dataclass(frozen=True, slots=True)
class StatementRow:
    """All bets on one area."""

    bets: int = 0
    won: int = 0
    staked: int = 0
    net: int = 0

    def plus(self, bet: SettledBet) -> StatementRow:
        return StatementRow(self.bets + 1, self.won + (bet.net > 0), self.staked + bet.stake, self.net + bet.net)


@dataclass(frozen=True, slots=True)
class Statement:
    """The account of a whole game."""

    purse: Purse
    rounds: int
    shoes: int
    rows: dict[str, StatementRow]  # By betting area.
    boxes: dict[int, StatementRow]  # The same bets by box.

    @property
    def net(self) -> int:
        return sum(row.net for row in self.rows.values())


def statement_of(bankroll: int, events: Iterable[Event]) -> Statement:
    """Add up what happened."""
    listed = tuple(events)
    rows: dict[str, StatementRow] = {}
    boxes: dict[int, StatementRow] = {}
    rounds = 0
    for event in listed:
        if isinstance(event, RoundSettled):
            rounds += 1
            for bet in event.bets:
                if bet.player != PLAYER:
                    continue
                rows[bet.area] = rows.get(bet.area, StatementRow()).plus(bet)
                boxes[bet.box] = boxes.get(bet.box, StatementRow()).plus(bet)
    shoes = sum(isinstance(event, ShoeLoaded) for event in listed)
    return Statement(purse_of(PLAYER, bankroll, listed), rounds, shoes, rows, boxes)


def statement_lines(statement: Statement, label: Callable[[str], str]) -> Iterator[str]:
    """The statement for people."""
    yield f"{counted(statement.rounds, 'round')} from {counted(statement.shoes, 'shoe')}."
    if statement.rows:
        named = {label(area): row for area, row in statement.rows.items()}
        if len(statement.boxes) > 1:
            named |= {f"all in box {box}": row for box, row in sorted(statement.boxes.items())}
        rows = tuple(
            (name, str(row.bets), str(row.won), format_money(row.staked), format_money(row.net, is_signed=True))
            for name, row in named.items()
        )
        staked = format_money(sum(row.staked for row in statement.rows.values()))
        bets = str(sum(row.bets for row in statement.rows.values()))
        won = str(sum(row.won for row in statement.rows.values()))
        total = ("in all", bets, won, staked, format_money(statement.net, is_signed=True))
        yield from lines_of(Grid(("bet", "bets", "won", "staked", "net"), (*rows, total), right=(1, 2, 3, 4)))
    purse = statement.purse
    lying = f", {format_money(purse.on_layout)} on the layout" if purse.on_layout else ""
    yield f"Bought {format_money(purse.bought)}, in hand {format_money(purse.in_hand)}{lying}."


# The end of a game: biggest win, streaks, what was staked, what that was expected to cost and what it did.
#
# What bets were expected to cost is exact, by the odds of a full shoe: stake times house edge, for insurance
# by the points at which it was taken, and for an ante with optimal play. It looks back and predicts nothing.


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
    yield (
        f"Staked {format_money(staked)}. On average that {_costs(cost)}; it {_cost(-net)}. "
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
    """What the bets of these rounds cost on average, in minor units; negative where they gain."""
    from punto.odds.advice import advise
    from punto.odds.insurance import insurance_odds
    from punto.odds.known_cards import Undealt

    fresh = Undealt.of_decks(decks)
    advice = advise(book, fresh)
    evs = {bet.area: bet.ev for bet in advice.odds.bets}
    evs |= {side.pair.ante: side.ev for side in advice.ante_sides}
    offers = {}
    if any(bet.area in book.insurance_areas for played in rounds for bet in played.bets):
        offers = {
            (odds.offer.area, odds.player_points, odds.banker_points): odds.ev
            for odds in insurance_odds(book, fresh).offers
        }
    cost = Fraction(0)
    for played in rounds:
        for bet in played.bets:
            if bet.area in book.insurance_areas:
                cost -= bet.stake * offers[(bet.area, *_at_window(book, played, bet.area))]
            elif not is_wager(book, bet.area):  # a wager is counted with its ante
                cost -= bet.stake * evs[bet.area]
    return cost


def is_wager(book: Book, area: str) -> bool:
    """Whether an area is the wager that goes with an ante."""
    bet = book.bet(area)
    return bet is not None and bet.kind is Area.WAGER


def _at_window(book: Book, played: PlayedRound, area: str) -> tuple[int, int]:
    """The points of both hands when this insurance was offered."""
    _, number = book.insurance_areas[area]
    cards = played.cards[:number]
    return points((cards[0], cards[2], *cards[4:])), points((cards[1], cards[3]))


def _costs(cost: int) -> str:
    return f"costs {format_money(cost)}" if cost >= 0 else f"gains {format_money(-cost)}"


def _cost(cost: int) -> str:
    if not cost:
        return "came out even"
    return f"cost you {format_money(cost)}" if cost > 0 else f"brought you {format_money(-cost)}"


# A coach who looks back at a round: what each bet cost on average, and whether insurance was worth it.
#
# The figures are exact, by the cards that nobody had seen when the bet was made. The coach says what a bet
# is worth, never what will come.


def coach_grid(book: Book, played: PlayedRound) -> Grid | None:
    """What each bet of a round was worth when it was made; None for a round without bets."""
    if not played.bets:
        return None
    before = _advice(book, played, 0)
    rows = []
    for name, bet in zip(bet_names(book, played.bets), played.bets, strict=True):
        if is_wager(book, bet.area):
            continue
        ev, word = _worth(book, played, bet.area, before)
        on_average = format_money(round(ev * bet.stake), is_signed=True)
        net = format_money(bet.net, is_signed=True)
        rows.append((name, format_money(bet.stake), percent(-ev, 2), on_average, net, word))
    heads = ("bet", "stake", "house edge", "on average", "this time", "")
    return Grid(heads, tuple(rows), right=(1, 2, 3, 4), grows=5)


def coach_lines(book: Book, played: PlayedRound) -> Iterator[str]:
    """What a coach says about the player's decisions on antes, and on insurance that was not taken."""
    yield from _passed(book, played)
    ante = book.ante
    if ante is None:
        return
    spots = {(bet.box, bet.area) for bet in played.bets}
    worth = {one.ante: one for one in _advice(book, played, ante.shown_cards).antes}
    for name, bet in zip(bet_names(book, played.bets), played.bets, strict=True):
        open_ante = worth.get(bet.area)
        if open_ante is None:
            continue
        has_wagered = (bet.box, open_ante.wager) in spots
        is_best = has_wagered is (open_ante.best == "play")
        what = "Wagering" if has_wagered else "Giving up"
        yield (
            f"{name}: with the card shown, the house edge was "
            f"{percent(-open_ante.play, 2)} of the ante for the wager and {percent(-GIVE_UP, 0)} for giving "
            f"up. {what} was the {'better' if is_best else 'worse'} choice."
        )


def _passed(book: Book, played: PlayedRound) -> Iterator[str]:
    """Every offer of insurance that was passed up, with what it was worth."""
    areas = {offered: area for area, offered in book.insurance_areas.items()}
    taken = {(bet.box, bet.area) for bet in played.bets}
    is_one = len({bet.box for bet in played.bets}) == 1
    for window, offer in played.offers:
        area = areas[offer.hand, window]
        if (offer.box, area) in taken:
            continue
        ev = next(one.ev for one in _advice(book, played, window).offers if one.offer.area == area)
        where = "" if is_one else f", box {offer.box}"
        worth = "would have been worth it" if ev > 0 else "was fair" if not ev else "was not worth it"
        offered = f"{label_of(book, area)}{where} at {offer.odds}"
        yield f"{offered}, not taken: its house edge was {percent(-ev, 2)}. It {worth}."


def _worth(book: Book, played: PlayedRound, area: str, before: Advice) -> tuple[Fraction, str]:
    """What a unit on this area was worth on average when it was bet, and a word on it."""
    if area in book.insurance_areas:
        _, number = book.insurance_areas[area]
        offers = _advice(book, played, number).offers
        ev = next(one.ev for one in offers if one.offer.area == area)
        word = "worth it" if ev > 0 else "fair" if not ev else "not worth it"
        return ev, word
    bet = book.bet(area)
    if bet is not None and bet.kind is Area.ANTE:
        side = next(side for side in before.ante_sides if side.pair.ante == area)
        return side.ev, "with its wager, optimal play"
    return before.odds.bet(area).ev, ""


def _advice(book: Book, played: PlayedRound, cards: int) -> Advice:
    dealt = played.cards[:cards]
    undealt = Undealt.of_composition(played.shoe.composition).less(dealt)
    return advise(book, undealt, dealt)


HelpRow = tuple[str, str]  # What is typed, and what it does.


class Moment(Enum):
    """Where a game stands when it asks for a line; the value heads the help."""

    BETS = "Bets are open. You can type:"
    INSURANCE = "Insurance is offered. You can type:"
    ANTE = "An ante is to be decided. You can type:"
    SQUEEZE = "A card of yours lies face down. You can type:"


PLAY_HELP: dict[Moment, tuple[HelpRow, ...]] = {
    Moment.BETS: (
        ("banker 100 tie 10", "put 100 on Banker and 10 on Tie, or raise the bets there; p100 and 100 banker do too"),
        ("banker max", "as much as the table and your chips allow"),
        ("off tie, off b 50", "take a bet off, or 50 of it; clear takes all of them off"),
        ("same, double", "the bets of the last round again; twice what is on the layout"),
        ("undo", "take back the last line"),
        ("box 2 banker 50", "bet in another box: a free one becomes yours too; where somebody sits you bet behind"),
        ("both banker 50", "bet in every box of yours"),
        ("deal", "no more bets, and the cards come; so does Enter after bets"),
    ),
    Moment.INSURANCE: (
        ("50", "insure with this amount"),
        ("max", "insure with as much as is allowed"),
        ("no", "no insurance; so does Enter"),
    ),
    Moment.ANTE: (("wager", "place the wager, and play on"), ("give up", "lose the ante, and nothing more")),
    Moment.SQUEEZE: (
        ("Enter", "peel the card a little further"),
        ("open", "turn it over at once; open all does so with every card of this round"),
    ),
}

ALWAYS_HELP: tuple[HelpRow, ...] = (
    ("bets", "every bet: its short name, what it pays, what it takes"),
    ("odds", "what each bet is worth now, exactly, by the cards not seen"),
    ("coach", "after each round, what each bet cost on average; coach off ends it"),
    ("roads", "the roads of this shoe"),
    ("history", "the last rounds and what they brought; history all shows every one"),
    ("why", "the last round again, each bet with its clause"),
    ("rules", "the rule book: rules pay, rules 3.12, rules all"),
    ("shuffle", "where the order of the cards comes from"),
    ("statement", "the account so far"),
    ("buy 1000", "more chips"),
    ("save", "keep the game now; it is kept after every line anyway"),
    ("quit", "leave; the game is kept, and you can go on with it the next time"),
    ("leave", "leave for good: the game ends here"),
)
"""What can be typed anywhere."""

PLAY_WORDS: tuple[str, ...] = (
    *("bets", "odds", "coach", "roads", "history", "why", "rules", "shuffle", "statement"),
    *("buy", "save", "quit", "leave", "help"),
)
"""The first words of what can be typed anywhere."""

PLACE_WORDS: dict[Moment, tuple[str, ...]] = {
    Moment.BETS: ("same", "clear", "off", "deal", "double", "undo", "max", "box", "both"),
    Moment.INSURANCE: ("max", "no"),
    Moment.ANTE: ("wager", "give up"),
    Moment.SQUEEZE: ("open",),
}


# Squeezing a card: what shows as it is peeled, first at its narrow edge, then along its long side.
#
# Players know the pips: no line of them along the side is an ace, a two or a three, two are a four or a
# five, three a six, a seven or an eight, four a nine or a ten, and a frame is a court card.


_SIDES = {0: "no pips at the side", 2: "two pips at the side", 3: "three pips at the side"}


def peeled(card: Card) -> tuple[str, ...]:
    """What shows step by step, before the card is turned over.

    >>> peeled(Card("9H"))
    ('two pips at the edge: it is not a picture card', 'four pips at the side: nine or ten')
    """
    points = int(card.rank)
    if points > Rank.TEN:
        return ("a frame at the edge: it is a picture, and counts nothing",)
    if points == 1:
        return ("nothing at the edge", "no pips at the side: an ace")
    edge = "one pip at the edge" if points in (2, 3) else "two pips at the edge"
    sides = "two or three" if points < 4 else "four or five" if points < 6 else "six, seven or eight"
    number = 0 if points < 4 else 2 if points < 6 else 3
    if points >= 9:
        return f"{edge}: it is not a picture card", "four pips at the side: nine or ten"
    return f"{edge}: it is not a picture card", f"{_SIDES[number]}: {sides}"


# What the player sees of a round: cards as they come, the dealer's calls, and how bets were settled.
#
# On a terminal the two hands stand in one place and grow card by card. Into a pipe, or on a terminal that
# cannot move its cursor, they are drawn when somebody has to decide and when the deal is finished.


TEXT_COLUMNS = 80  # Longer lines are hard to read: a wider terminal has the roads at the right.
OTHER_LINES = 10  # Lines of a screen that the roads leave to the head of a round, its bets and the prompt.


class PlayScreen:
    """The table as the player sees it."""

    def __init__(self, console: Console, book: Book, pace: float) -> None:
        self.console, self.book, self.pace = console, book, pace
        self.names = HandNames.of(book, console.encoding)
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
            lines = list(wrap_text(text, self.columns, subsequent_indent=margin, break_on_hyphens=False))
        for line in lines:
            self.console.print(line, style=style, highlight=False, markup=False)

    def show(self, events: Sequence[Event]) -> None:
        """Tell what happened, in its order."""
        later: list[str] = []
        for place, event in enumerate(events):
            if isinstance(event, BetsCalled):
                self.round = event.round
            elif isinstance(event, BetsClosed) and self._can_move:
                self._draw(self._closing_words())
                time.sleep(self.pace)
            elif isinstance(event, CardDealt | CardRevealed):
                if isinstance(event, CardDealt):
                    self._deal(event)
                else:
                    self._open(event)
                with_a_card = (CardDealt, CardRevealed)
                is_last = not any(isinstance(other, with_a_card) for other in events[place + 1 :])
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
        self._tell_others(settled)

    def _tell_others(self, settled: RoundSettled) -> None:
        """What the bots won and lost, in one line."""
        others = dict[str, int]()
        for bet in settled.bets:
            if bet.player != PLAYER:
                others[bet.player] = others.get(bet.player, 0) + bet.net
        if others:
            nets = ", ".join(f"{name} {format_money(net, is_signed=True)}" for name, net in others.items())
            self.say(f"  At the other boxes: {nets}.", "dim")

    def label(self, area: str) -> str:
        """A betting area as the layout names it, insurance too."""
        return label_of(self.book, area)

    def _deal(self, event: CardDealt) -> None:
        hand = self.player if event.hand is Hand.PLAYER else self.banker
        hand.append(event.card if event.face_up else None)

    def _open(self, event: CardRevealed) -> None:
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

    def _closing_words(self) -> str:
        words = self.book.betting.closes.words
        if words is None:
            return ""
        chinese = words.zh_hans
        return f"{words.en} {chinese}" if chinese and can_show_hands(chinese, self.console.encoding) else words.en

    def result_of(self, event: DealFinished) -> str:
        """What is called when the deal is finished."""
        if event.winner is Winner.TIE:
            words = f"Tie, {event.player_points} each."
        else:
            points = sorted((event.player_points, event.banker_points), reverse=True)
            words = f"{event.winner.label} wins, {points[0]} over {points[1]}."
        called = [
            declaration.labels.en
            for declaration, _ in self.book.declarations
            if declaration.name in event.declared and declaration.labels.en != event.winner.label
        ]
        return " ".join((*(f"{name}." for name in called), words))

    def _words(self, event: Event) -> str:
        """An event in a sentence; empty for what is shown otherwise or needs no words."""
        from punto.rules.wording import counted

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
                clause = f" (clause {event.clause})" if event.clause else ""
                return f"{format_money(rejected)} on {event.area} is over the limit and comes back{clause}."
            case BetReturned(why="needs-bet"):
                clause = f" (clause {event.clause})" if event.clause else ""
                return f"{format_money(event.amount)} on {event.area} comes back: it may not lie alone{clause}."
            case SeatTaken(notice=notice) if notice:
                return f"No insurance is offered at this table (clause {notice})."
            case SeatTaken(player=player) if player == PLAYER:
                return f"Box {event.box} is yours too."
            case _:
                return ""
