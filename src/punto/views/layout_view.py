"""The layout as a viewer sees it: names in every language, betting areas with odds, limits and cost, and the
boxes with their bets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from fractions import Fraction
from functools import lru_cache

import msgspec

from punto.books.translation import name_in, translated
from punto.dealer.bot import BOTS
from punto.money import Rounding
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import Undealt
from punto.rules.book import Book, hand_label, label_of
from punto.rules.book_text import Area, Bet, BookText, Clause, Irregularity, LimitKind
from punto.rules.entry import Labels, each_of
from punto.rules.outcome import Hand
from punto.rules.pay_table import CompiledRow
from punto.rules.wording import options_words, outcome_words, remedy_words, row_words
from punto.table.antes import PlaceWager
from punto.table.betting import PlaceBet, difference_in_box, is_under_minimum, room_in_box
from punto.table.legality import Legal
from punto.table.state import AnteState, LaidBet, Table
from punto.table.terms import boxes_of
from punto.views.viewer import Viewer, taken_from
from punto.words import LabelView, Language, in_every_language


def label_view(labels: Labels) -> LabelView:
    return in_every_language(lambda language: name_in(labels, language))


def text_label(english: str) -> LabelView:
    """A text of ours in every language, such as a note of the catalogue; English where there is no other."""
    return in_every_language(lambda language: translated(english, language) or english)


def area_label(book: Book, area: str) -> LabelView:
    return in_every_language(lambda language: label_of(book, area, language, name_in))


def hand_labels(book: Book, hand: Hand) -> LabelView:
    return in_every_language(lambda language: hand_label(book, hand, language, name_in))


def title_label(book: Book) -> LabelView:
    return _text(book.text, "title")


def sense_label(clause: Clause) -> LabelView:
    return _text(clause, "sense")


def reading_label(clause: Clause) -> LabelView | None:
    """How a clause is read, where the text leaves room."""
    return _text(clause, "reading") if clause.reading else None


def row_label(book: Book, row: CompiledRow) -> LabelView:
    def words_in(language: Language) -> str:
        return row_words(row, language, lambda area: label_of(book, area, language, name_in))

    return in_every_language(words_in)


def remedy_label(entry: Irregularity) -> LabelView:
    return in_every_language(lambda language: remedy_words(entry.remedy, language))


def options_label(entry: Irregularity) -> LabelView | None:
    """Whether players may have their bets back; None where they never may."""
    if not options_words(entry.options):
        return None
    return in_every_language(lambda language: options_words(entry.options, language))


def _text(entry: BookText | Clause, name: str) -> LabelView:
    """A text in the words of its book, else of the built-in book that says the same, else in English."""
    english: str = getattr(entry, name)

    def words_in(language: Language) -> str:
        own = getattr(getattr(entry, language, None), name, None)
        return own or translated(english, language) or english

    return in_every_language(words_in)


class CostView(msgspec.Struct, frozen=True):
    """What stakes on one betting area come to. Amounts are minor units."""

    area: str
    staked: int
    edge: float | None
    """The part of a stake that the house keeps on average; None where it depends on the cards (insurance)."""
    expected: int | None  # What these stakes cost on average, exactly computed and rounded once.
    actual: int  # What they brought or cost in fact.


@lru_cache(maxsize=64)
def edges_of(book: Book, decks: int) -> Mapping[str, Fraction]:
    """The house edge of each betting area with a full shoe; an ante with its wager, with optimal play.

    It says what a bet costs on average, and nothing about the next round. Insurance has none of its own.
    """
    undealt = Undealt.of_decks(decks)
    edges = {bet.area: bet.edge for bet in book_odds(book, undealt).bets}
    return edges | {side.pair.ante: side.edge for side in ante_odds(book, undealt).sides}


def cost_views(book: Book, decks: int, stakes: Iterable[tuple[str, int, int]]) -> tuple[CostView, ...]:
    """What stakes cost on average and in fact, by area; each stake is an area, an amount and its net."""
    edges, staked, nets = edges_of(book, decks), Counter[str](), Counter[str]()
    for area, amount, net in stakes:
        staked[area] += amount
        nets[area] += net
    return tuple(_cost_view(area, total, edges.get(area), nets[area]) for area, total in staked.items())


def _cost_view(area: str, staked: int, edge: Fraction | None, net: int) -> CostView:
    if edge is None:
        return CostView(area, staked, None, None, net)
    exact = edge * staked
    return CostView(area, staked, float(edge), Rounding.HALF_UP.apply(exact.numerator, exact.denominator), net)


class AreaGroup(Enum):
    """Where an area lies on the layout."""

    MAIN = "main"
    PAIR = "pair"
    SIDE = "side"
    ANTE = "ante"
    WAGER = "wager"


class PaysView(msgspec.Struct, frozen=True):
    """One row of a pay table in words."""

    when: LabelView  # When it holds: `Banker wins on 6`.
    pays: str  # Odds such as `8:1`, or `push` or `lose`.
    clause: str


class AreaView(msgspec.Struct, frozen=True):
    """A betting area. Amounts are minor units."""

    area: str  # Its name in commands, such as `banker-pair`.
    label: LabelView
    group: AreaGroup
    hand: Hand | None  # The hand that a main bet, an ante or a wager is on.
    odds: tuple[str, ...]  # What it can pay, the highest last as the book writes it, such as `8:1`.
    pays: tuple[PaysView, ...]  # Its whole pay table in words.
    needs: tuple[str, ...]  # Areas of which the same player must hold at least one.
    least: int  # The least stake at this table.
    most: int | None  # The greatest stake at this table, where it has one.
    edge: float | None  # The part of a stake that the house keeps on average, with a full shoe of the table's decks.
    on: bool  # Whether the viewer may bet on it now, in some box.
    laid: int | None
    """What lies on it, of all players together; None for whoever is told of no bets."""


def area_views(table: Table, legal: tuple[Legal, ...]) -> tuple[AreaView, ...]:
    """Every betting area of a table; `legal` is what the viewer may do."""
    open_areas = {entry.command.area for entry in legal if isinstance(entry.command, PlaceBet | PlaceWager)}
    laid = Counter[str]()
    for bet in table.state.bets:
        laid[bet.area] += bet.stake

    def area_view(fixed: AreaView) -> AreaView:
        limits, area = table.terms.limits_of(fixed.area), fixed.area
        amounts = {"least": limits.minimum, "most": limits.maximum, "laid": laid[area]}
        return msgspec.structs.replace(fixed, **amounts, on=area in open_areas)

    return tuple(map(area_view, _book_areas(table.book, table.terms.decks)))


@lru_cache(maxsize=64)
def _book_areas(book: Book, decks: int) -> tuple[AreaView, ...]:
    edges = edges_of(book, decks)
    return tuple(_area_view(book, bet, edges.get(bet.area)) for bet in book.bets)


def _area_view(book: Book, bet: Bet, edge: Fraction | None) -> AreaView:
    rows = ((row_label(book, row), row.outcome) for row in book.pay_tables[bet.area].rows)
    return AreaView(
        area=bet.area,
        label=area_label(book, bet.area),
        group=_area_group(bet),
        hand=bet.hand,
        odds=written_odds(bet),
        pays=tuple(PaysView(when, outcome_words(outcome), outcome.clause) for when, outcome in rows),
        needs=bet.needs,
        least=0,
        most=None,
        edge=None if edge is None else float(edge),
        on=False,
        laid=0,
    )


def written_odds(bet: Bet) -> tuple[str, ...]:
    """What a bet can pay, each once, as the book writes it."""
    return tuple(dict.fromkeys(row.odds for row in bet.pays if row.odds))


_PAIRS = frozenset(f"{hand.value}_pair{grade}" for hand in Hand for grade in ("", "_of", "_suited"))


def _area_group(bet: Bet) -> AreaGroup:
    """Side bets on a pair of one hand lie beside that hand; what a bet is on follows from its pay table."""
    if bet.kind is not Area.SIDE:
        return AreaGroup(bet.kind.value)
    facts = [when for row in bet.pays if row.odds for when in each_of(row.when)]
    terms = [[name for name in when.__struct_fields__ if getattr(when, name) is not None] for when in facts]
    is_pair = bool(terms) and all(len(names) == 1 and names[0] in _PAIRS for names in terms)
    return AreaGroup.PAIR if is_pair else AreaGroup.SIDE


class BetStatus(Enum):
    """What is to be said of a bet on the layout."""

    LIVE = "live"
    UNDER = "under-minimum"  # It lies under the minimum, and nobody has said so yet.
    ADVISED = "advised"  # The dealer said that it is under the minimum.
    WAGERED = "wagered"  # An ante that its wager follows.
    GIVEN_UP = "given-up"


class BetView(msgspec.Struct, frozen=True):
    """A bet on the layout. Amounts are minor units."""

    player: str
    area: str
    stake: int
    status: BetStatus
    seated: bool  # Whether the player sits at this box; the others bet behind.
    mine: bool  # Whether it is the viewer's own.


class InsuredView(msgspec.Struct, frozen=True):
    """Insurance that was taken."""

    player: str
    hand: Hand
    window: int  # Number of cards that were on the table.
    amount: int
    odds: str
    mine: bool


class RoomView(msgspec.Struct, frozen=True):
    """How much more a box takes on each hand under the differential."""

    player: int
    banker: int


class SeatView(msgspec.Struct, frozen=True):
    """A betting box."""

    box: int
    player: str | None  # Who sits there.
    bot: bool  # Whether a bot of the house sits there.
    away: bool  # Whether whoever sits there walked away.
    mine: bool  # Whether the viewer sits there.
    bets: tuple[BetView, ...]
    """All bets in the box, those of standing players too, in the order in which they were placed."""
    insurance: tuple[InsuredView, ...]
    room: RoomView | None  # What the viewer may still add here; None where the book measures by single bets.
    heavier: Hand | None  # The hand with more on it in this box; None where they are equal.
    difference: int  # By how much.


def seat_views(table: Table, viewer: Viewer) -> tuple[SeatView, ...]:
    boxes = boxes_of(table.book, table.terms)
    return tuple(_seat_view(table, box, viewer) for box in range(1, boxes + 1))


def _seat_view(table: Table, box: int, viewer: Viewer) -> SeatView:
    state, player = table.state, table.state.seats.get(box)
    mine, (heavier, by) = viewer.owns(player), difference_in_box(table, box)
    insured = (taken for taken in state.insured if taken.box == box)
    return SeatView(
        box=box,
        player=player,
        bot=player in BOTS,
        away=player in state.away,
        mine=mine,
        bets=tuple(_bet_view(table, bet, viewer) for bet in state.bets if bet.box == box),
        insurance=tuple(taken_from(taken, InsuredView, mine=viewer.owns(taken.player)) for taken in insured),
        room=_room_view(table, box, is_seated=mine),
        heavier=heavier if by else None,
        difference=by,
    )


def _room_view(table: Table, box: int, *, is_seated: bool) -> RoomView | None:
    if table.book.limits.kind is not LimitKind.DIFFERENTIAL:
        return None
    areas = map(table.book.main_area, (Hand.PLAYER, Hand.BANKER))
    return RoomView(*(room_in_box(table, box, area, is_seated=is_seated) or 0 for area in areas))


def _bet_view(table: Table, bet: LaidBet, viewer: Viewer) -> BetView:
    if bet.ante is not AnteState.OPEN:
        status = BetStatus.WAGERED if bet.ante is AnteState.WAGERED else BetStatus.GIVEN_UP
    elif bet.is_advised:
        status = BetStatus.ADVISED
    else:
        status = BetStatus.UNDER if is_under_minimum(table, bet) else BetStatus.LIVE
    return BetView(bet.player, bet.area, bet.stake, status, bet.is_seated, viewer.owns(bet.player))
