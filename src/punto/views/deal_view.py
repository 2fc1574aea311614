"""A deal as a viewer sees it: shoe, hands, why each hand drew, what is called, windows for players, the
result, and a case if something went wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache

import msgspec

from punto.books.translation import name_in
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.coup.coup import Coup, deal_hands, points
from punto.odds.insurance import OfferOdds, insurance_odds
from punto.odds.known_cards import Undealt
from punto.rules.authority import Role
from punto.rules.book import Book, hand_label
from punto.rules.book_text import Finding, Insurance
from punto.rules.outcome import Hand, Result, Winner, format_odds
from punto.rules.pay_table import InsuranceOffer
from punto.rules.table_of_play import STOOD, Draw
from punto.rules.wording import rank_words
from punto.table.dealing import highest_bettor
from punto.table.house import is_shoe_finished
from punto.table.insurance import due_offers, exposed_at, greatest_stake, insurance_of, offers_at, open_offer
from punto.table.irregularity_case import Awaits, Face, Place, RoundCard, Seen
from punto.table.irregularity_events import Option
from punto.table.irregularity_findings import cards_behind, entry_on, record_of
from punto.table.settlement import settlement_due
from punto.table.state import (
    AnteState,
    Case,
    Phase,
    SettledBet,
    Slot,
    SqueezeKind,
    State,
    Table,
    shown_cards,
    shown_points,
)
from punto.views import layout_view
from punto.views.layout_view import label_view
from punto.views.viewer import Viewer, is_face_hidden, squeezes, taken_from, was_open
from punto.words import LabelView, Language, in_every_language, phrases


class PledgeView(msgspec.Struct, frozen=True):
    """Bytes that a player adds to the shuffle."""

    player: str
    digest: str
    opened: bool


class ShoeView(msgspec.Struct, frozen=True):
    """The shoe in play."""

    number: int
    size: int  # Cards in the full shoe.
    cards_left: int
    decks: int
    source: SourceKind
    cut_card_out: bool
    last_round: int | None  # Once the cut card is out: the last round of this shoe.
    finished: bool  # Whether a new shoe comes before the next round.
    burn_due: bool
    commitment: str | None  # The digest by which the house bound itself to the order of this shoe, where it did.
    algorithm: str | None
    pledges: tuple[PledgeView, ...]
    pledges_closed: bool


def shoe_view(state: State) -> ShoeView | None:
    shoe, terms = state.shoe, state.terms
    if shoe is None or terms is None:
        return None
    bound = next((each for each in state.committed if each.shoe == state.shoe_number), None)
    return ShoeView(
        number=state.shoe_number,
        size=shoe.size,
        cards_left=shoe.cards_left,
        decks=shoe.decks,
        source=terms.source,
        cut_card_out=shoe.behind_cut > 0 and shoe.is_cut_card_out,
        last_round=state.last_round,
        finished=is_shoe_finished(state),
        burn_due=state.burn_due,
        commitment=bound.commitment if bound else None,
        algorithm=bound.algorithm if bound else None,
        pledges=tuple(PledgeView(pledge.player, pledge.digest, pledge.opened is not None) for pledge in state.pledges),
        pledges_closed=state.pledges_closed,
    )


class CardView(msgspec.Struct, frozen=True):
    """A card on the felt."""

    card: Card | None  # None for a card that the viewer must not see, or that nobody knows.
    up: bool  # Whether it lies face up.
    crosswise: bool  # Whether it lies across: a third card does.
    squeezable: bool  # Whether the viewer is the one who opens it by hand.


class HandView(msgspec.Struct, frozen=True):
    """One of the two hands."""

    label: LabelView
    cards: tuple[CardView, ...]
    points: int | None
    """None while it has no card, or one of its first two lies face down; a third card counts once it is open."""
    natural: bool  # Whether its first two cards end the deal.
    draws: bool  # Whether it has taken a third card.


class HandsView(msgspec.Struct, frozen=True):
    """Both hands."""

    player: HandView
    banker: HandView


def hands_view(table: Table, viewer: Viewer) -> HandsView:
    return HandsView(*(_hand_view(table, hand, viewer) for hand in (Hand.PLAYER, Hand.BANKER)))


def _hand_view(table: Table, hand: Hand, viewer: Viewer) -> HandView:
    slots = table.state.slots(hand)
    total = shown_points(slots) if slots else None
    if total is None and len(slots) > 2:
        total = shown_points(slots[:2])  # what was known stays known until the third card is turned
    is_natural = len(slots) == 2 and total is not None and total in table.book.play.naturals
    cards = tuple(_card_view(table, hand, number, slot, viewer) for number, slot in enumerate(slots, start=1))
    return HandView(layout_view.hand_labels(table.book, hand), cards, total, is_natural, len(slots) > 2)


def _card_view(table: Table, hand: Hand, number: int, slot: Slot, viewer: Viewer) -> CardView:
    squeezable = not slot.face_up and viewer.sees_card(table.state, hand, number)
    card = slot.card if slot.face_up or squeezable else None
    return CardView(card, slot.face_up, crosswise=number > 2, squeezable=squeezable)


class ReasonView(msgspec.Struct, frozen=True):
    """Why a hand drew a third card or stood."""

    hand: Hand
    draws: bool
    points: int  # What its first two cards count.
    third: int | None  # The points of Player's third card, where that decided.
    label: LabelView
    clause: str


def reason_views(table: Table) -> tuple[ReasonView, ...]:
    """Why the hands of this round drew or stood, as far as the cards that lie open decide it."""
    play, state = table.book.play, table.state
    player, banker = shown_cards(state.player[:2]), shown_cards(state.banker[:2])
    if player is None or banker is None or len(player) < 2 or len(banker) < 2:
        return ()
    mine, other = points(player), points(banker)
    if play.ends[mine * 10 + other]:
        hand, count = (Hand.PLAYER, mine) if mine in play.naturals else (Hand.BANKER, other)
        return (_reason(table, hand, count, "natural", play.naturals_clause),)
    first = play.player[mine]
    assert first is not None, "every count that is not a natural has a row"
    reasons, third = [_row_reason(table, Hand.PLAYER, mine, first)], shown_cards(state.player[2:3])
    if not first.draws:
        reasons.append(_row_reason(table, Hand.BANKER, other, play.banker[STOOD][other]))
    elif third:
        beside, rows = third[0].points, [column[other] for column in play.banker[:STOOD]]
        is_same = len({row is not None and row.draws for row in rows}) == 1  # whatever Player's third card is
        reasons.append(_row_reason(table, Hand.BANKER, other, rows[beside], None if is_same else beside))
    return tuple(reasons)


def _row_reason(table: Table, hand: Hand, count: int, row: Draw | None, third: int | None = None) -> ReasonView:
    assert row is not None
    return _reason(table, hand, count, "draws" if row.draws else "stands", row.clause, third)


def _reason(table: Table, hand: Hand, count: int, what: str, clause: str, third: int | None = None) -> ReasonView:
    def words_in(language: Language) -> str:
        say = phrases(language, "calls.toml")
        name, player = (hand_label(table.book, one, language, name_in) for one in (hand, Hand.PLAYER))
        reason = say[f"reason.{what}"].format(hand=name, count=count)
        if third is None:
            return reason
        return say["reason.beside_third"].format(reason=reason, player=player, points=third)

    return ReasonView(hand, what == "draws", count, third, in_every_language(words_in), clause)


class LineView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one bet. Amounts are minor units."""

    box: int
    player: str
    area: str
    label: LabelView
    stake: int
    result: Result
    odds: str | None
    net: int  # What it brought or cost.
    returned: int  # What came back to the player, the stake included.
    clause: str
    mine: bool
    commission: int = 0  # What the house keeps of the win; left out where it keeps none.
    is_due: bool = False  # It is set aside, to be collected later.
    insures: Hand | None = None  # Of insurance: the hand that it was taken on.


class DeclaredView(msgspec.Struct, frozen=True):
    """A name that the dealer calls out with the result, such as a natural."""

    name: str
    label: LabelView


class ResultView(msgspec.Struct, frozen=True):
    """A round that is decided, until the next call for bets."""

    round: int
    winner: Winner
    player_points: int
    banker_points: int
    declared: tuple[DeclaredView, ...]
    winning: tuple[str, ...]  # The areas of the book that win, whether somebody bet there or not.
    settled: bool  # Whether the bets have been paid.
    lines: tuple[LineView, ...]  # Every bet, in the order in which boxes are settled; empty before that.
    queue: tuple[LineView, ...]
    """For dealers, before the settlement: what they are about to pay, take and return, in the same order."""
    net: int  # What the round brought the viewer or cost.


def result_view(table: Table, viewer: Viewer) -> ResultView | None:
    state = table.state
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    is_over = state.phase is Phase.FINISHED or state.settled is not None
    if state.winner is None or not is_over or not player or not banker:
        return None
    coup = deal_hands(table.book.play, player, banker)
    lines = tuple(line_view(table.book, bet, viewer) for bet in state.settled or ())
    due = settlement_due(table) if viewer.role is Role.DEALER else ()
    return ResultView(
        round=state.round,
        winner=state.winner,
        player_points=coup.player_points,
        banker_points=coup.banker_points,
        declared=declared_views(table.book, coup.declared(table.book)),
        winning=winning_areas(table.book, coup),
        settled=state.settled is not None,
        lines=lines,
        queue=tuple(line_view(table.book, bet, viewer) for bet in due),
        net=sum(line.net for line in lines if line.mine),
    )


def winning_areas(book: Book, coup: Coup) -> tuple[str, ...]:
    """Which areas of the layout a finished deal pays, in the order of the book."""
    outcomes = ((bet.area, book.pay_tables[bet.area]) for bet in book.bets)
    found = ((area, pays.outcome_of_deal(coup.facts, coup.player, coup.banker)) for area, pays in outcomes)
    return tuple(area for area, outcome in found if outcome.result is Result.WIN)


def declared_views(book: Book, names: tuple[str, ...]) -> tuple[DeclaredView, ...]:
    """What the dealer calls out, in every language; that it is a tie the winner says already."""
    labels = {declaration.name: declaration.labels for declaration, _ in book.declarations}
    return tuple(DeclaredView(name, label_view(labels[name])) for name in names if name != Winner.TIE.value)


def line_view(book: Book, bet: SettledBet, viewer: Viewer) -> LineView:
    label, mine = layout_view.area_label(book, bet.area), viewer.owns(bet.player)
    insures, _ = book.insurance_areas.get(bet.area, (None, 0))
    return taken_from(bet, LineView, label=label, returned=bet.stake + bet.net, mine=mine, insures=insures)


def is_void(state: State) -> bool:
    """Whether the round just over has no result: every bet of it went back."""
    is_between = state.phase in (Phase.IDLE, Phase.CLOSED)
    return is_between and state.round > 0 and state.settled is None and state.terms_at_call is None


SECOND_WINDOW_CARDS = 5  # Cards on the table at the second window.


class OfferEnd(Enum):
    """How the insured hand can come out."""

    LOSES = "loses"
    TIES = "ties"
    WINS = "wins"


class OfferEndView(msgspec.Struct, frozen=True):
    """What becomes of a stake on insurance where the insured hand comes out in one way."""

    end: OfferEnd
    result: Result
    odds: str | None  # What it pays, where it wins.
    clause: str
    chance: float  # How often it comes to that at these points, with a full shoe of the table's decks.
    label: LabelView  # The same in words: `If Player loses, it pays 2:1`.


class OfferView(msgspec.Struct, frozen=True):
    """Insurance that one holder of a main bet may take. Amounts are minor units."""

    box: int
    player: str
    hand: Hand
    odds: str
    most: int  # What may still be staked on it, earlier pay-outs taken off; 0 once it is used up or forgone.
    taken: int  # What was staked on it in this window.
    forgone: bool  # The player declined it, or walked away.
    mine: bool


class DisplayedOdds(msgspec.Struct, frozen=True):
    """What the display shows for one hand, and what insurance on it comes to by the book."""

    hand: Hand
    odds: str
    ends: tuple[OfferEndView, ...]  # Every way in which it can come out, and no other.
    edge: float | None
    """The part of a stake that the house keeps on average at these points, with a full shoe; negative where the
    player gains."""


class NoOffer(Enum):
    """Why nobody is offered insurance after Player's third card."""

    STANDS = "banker-stands"  # No more cards come.
    UNLISTED = "unlisted"  # The insurance pay table has no row for these points.


class InsuranceView(msgspec.Struct, frozen=True):
    """Insurance in this round."""

    window: int | None  # The window that is open, by the number of cards on the table; None where none is.
    odds: tuple[DisplayedOdds, ...]  # The odds of the open window.
    offers: tuple[OfferView, ...]
    due: bool  # The cards call for an offer, and the dealer has not made it yet.
    no_offer: NoOffer | None  # Why the window after Player's third card brings no offer, once that card lies open.
    no_offer_clause: str | None
    waived: bool  # The window after Player's third card is waived for all (3.14 of the book `insurance`).
    forgone: bool  # The viewer has no more insurance in this round.
    neglected: tuple[int, ...]  # Windows that should have been offered and were not.
    wished: tuple[int, ...]  # Windows in which the viewer asked for insurance and got no offer.
    wishing: tuple[str, ...]  # Players who asked and got no offer, for those who work at the table; empty for players.
    cap_clause: str  # The clause on the greatest stake.
    waive_clause: str | None  # The clause by which a squeeze waives the last window.
    neglect_clause: str  # The clause on an offer that was due and not made.


class AnteView(msgspec.Struct, frozen=True):
    """An ante and its decision."""

    box: int
    player: str
    ante: str  # Its betting area.
    stake: int
    wager: str  # The betting area of the wager.
    amount: int  # What the wager is, exactly.
    state: AnteState
    mine: bool


class SqueezeView(msgspec.Struct, frozen=True):
    """A squeeze that was asked for."""

    kind: SqueezeKind
    player: str
    hand: Hand | None
    number: int | None
    consent: bool | None  # None while the house has not answered.
    mine: bool


def insurance_view(table: Table, viewer: Viewer) -> InsuranceView | None:
    """Insurance as a viewer sees it; None where the table has none."""
    insurance, squeeze = insurance_of(table), table.book.squeeze
    if insurance is None:
        return None
    state = table.state
    displayed = offers_at(table, state.window) if state.window is not None else ()
    figures = offer_figures(table.book, table.terms.decks)  # Worked out once, before somebody waits for an offer.
    why, why_clause = _no_offer(table, insurance)
    wished = (wish.window for wish in state.wishes if viewer.owns(wish.player))
    return InsuranceView(
        window=state.window,
        odds=tuple(_displayed(table, offer, figures) for offer in displayed),
        offers=tuple(_offer_views(table, viewer)),
        due=bool(due_offers(table)),
        no_offer=why,
        no_offer_clause=why_clause,
        waived=state.is_waived,
        forgone=viewer.name is not None and viewer.owns(viewer.name) and state.has_forgone(viewer.name),
        neglected=state.neglected,
        wished=tuple(dict.fromkeys(wished)),
        wishing=tuple(dict.fromkeys(wish.player for wish in state.wishes)) if viewer.is_staff else (),
        cap_clause=insurance.cap_clause,
        waive_clause=squeeze.reorder_clause if squeeze else None,
        neglect_clause=insurance.neglect_clause,
    )


@lru_cache(maxsize=64)
def offer_figures(book: Book, decks: int) -> Mapping[tuple[int, Hand, int, int], OfferOdds]:
    """What each offer of a book comes to with a full shoe, by window, hand and the points of Player and Banker."""
    offers = insurance_odds(book, Undealt.of_decks(decks)).offers
    return {(one.offer.window.cards, one.offer.hand, one.player_points, one.banker_points): one for one in offers}


def _displayed(
    table: Table, offer: InsuranceOffer, figures: Mapping[tuple[int, Hand, int, int], OfferOdds]
) -> DisplayedOdds:
    exposed = exposed_at(table, offer.window.cards)
    assert exposed is not None, "a window opens on exposed cards"
    cards, player, banker, _ = exposed
    found = figures.get((cards, offer.hand, player, banker))
    if found is None:  # another hand than any full shoe deals: cards were put right
        return DisplayedOdds(offer.hand, format_odds(offer.odds), (), None)
    ends = tuple(_end_view(table.book, offer, winner, float(chance)) for winner, chance in found.ends)
    ordered = tuple(sorted(ends, key=lambda one: list(OfferEnd).index(one.end)))
    return DisplayedOdds(offer.hand, format_odds(offer.odds), ordered, -float(found.ev))


def _end_view(book: Book, offer: InsuranceOffer, winner: Winner, chance: float) -> OfferEndView:
    is_own = winner.value == offer.hand.value
    end = OfferEnd.TIES if winner is Winner.TIE else OfferEnd.WINS if is_own else OfferEnd.LOSES
    outcome = offer.outcome(winner)
    odds = format_odds(outcome.odds) if outcome.odds is not None else None

    def words_in(language: Language) -> str:
        say = phrases(language, "calls.toml")
        when = say[f"offer.{end.value}"].format(hand=hand_label(book, offer.hand, language, name_in))
        return say[f"offer.{outcome.result.value}"].format(when=when, odds=odds)

    return OfferEndView(end, outcome.result, odds, outcome.clause, chance, in_every_language(words_in))


def _no_offer(table: Table, insurance: Insurance) -> tuple[NoOffer | None, str | None]:
    state = table.state
    exposed = exposed_at(table, SECOND_WINDOW_CARDS) if len(state.player) == SECOND_WINDOW_CARDS - 2 else None
    is_there = any(window.cards == SECOND_WINDOW_CARDS for window in insurance.windows)
    if exposed is None or not is_there or state.is_waived or state.case is not None or is_void(state):
        return None, None
    _, player, banker, third = exposed
    if not table.book.play.brings_card(player, banker, third):
        return NoOffer.STANDS, insurance.draw_clause
    return (None, None) if table.book.open_offers(*exposed) else (NoOffer.UNLISTED, insurance.table_clause)


def _offer_views(table: Table, viewer: Viewer) -> Iterator[OfferView]:
    state = table.state
    for made in state.offers:
        offer = open_offer(table, made.box, made.player, made.hand)
        most = greatest_stake(table, made.box, made.player, offer) if offer is not None else 0
        spot = (made.box, made.player, made.hand, state.window)
        taken = sum(t.amount for t in state.insured if (t.box, t.player, t.hand, t.window) == spot)
        mine, forgone = viewer.owns(made.player), state.has_forgone(made.player)
        yield taken_from(made, OfferView, most=most, taken=taken, forgone=forgone, mine=mine)


def ante_views(table: Table, viewer: Viewer) -> tuple[AnteView, ...]:
    """The antes on the layout, from the card that is shown to the end of the round."""
    rules, state = table.book.ante, table.state
    if rules is None or state.phase is Phase.BETTING:
        return ()
    wagers, multiple = {pair.ante: pair.wager for pair in rules.pairs}, rules.multiple
    antes = ((bet, wagers[bet.area], viewer.owns(bet.player)) for bet in state.bets if bet.area in wagers)
    return tuple(
        AnteView(bet.box, bet.player, bet.area, bet.stake, wager, multiple * bet.stake, bet.ante, mine)
        for bet, wager, mine in antes
    )


def squeeze_views(table: Table, viewer: Viewer) -> tuple[SqueezeView, ...]:
    """The squeezes of this round, the last one last."""
    return tuple(taken_from(each, SqueezeView, mine=viewer.owns(each.player)) for each in table.state.squeezes)


def squeezer_of(table: Table) -> str | None:
    """The player who may ask for a squeeze, where the book has one."""
    return highest_bettor(table) if table.book.squeeze is not None else None


class CallCode(Enum):
    """What a table was last told."""

    WELCOME = "welcome"  # No round has been played.
    BETS_OPEN = "bets-open"
    BETS_CLOSED = "bets-closed"
    ANTES = "antes"  # A card is shown, and antes are decided.
    INSURANCE = "insurance"
    PLAYER_DRAWS = "player-draws"
    BANKER_DRAWS = "banker-draws"
    POINTS = "points"  # Both hands have two cards, and their points are called.
    DEALING = "dealing"
    RESULT = "result"
    VOID = "void"
    CASE = "case"
    PAUSED = "paused"
    CLOSED = "closed"


class CallView(msgspec.Struct, frozen=True):
    """What was last called."""

    code: CallCode
    sentence: str  # In English.
    label: LabelView  # In every language.
    called: bool  # Whether a dealer says it; the others only tell how the table stands.


NOT_CALLED = frozenset((CallCode.WELCOME, CallCode.DEALING, CallCode.CASE, CallCode.PAUSED, CallCode.CLOSED))


def call_view(table: Table) -> CallView:
    """What was last called at a table, by the cards and the phase alone.

    A book has the words of its own calls. What it does not say is in `words/*/calls.toml`.
    """
    code, betting = _call_code(table), table.book.betting
    own = {CallCode.BETS_OPEN: betting.opens.words, CallCode.BETS_CLOSED: betting.closes.words}.get(code)
    label = label_view(own) if own else in_every_language(lambda language: _called(table, code, language))
    return CallView(code, label.en, label, code not in NOT_CALLED)


_CALLS = {
    Phase.CLOSED: CallCode.CLOSED,
    Phase.BETTING: CallCode.BETS_OPEN,
    Phase.ANTES: CallCode.ANTES,
    Phase.FINISHED: CallCode.RESULT,
}


def _call_code(table: Table) -> CallCode:
    state = table.state
    if state.is_paused:
        return CallCode.PAUSED
    if state.case is not None:
        return CallCode.CASE
    if state.phase is Phase.DEALING:
        return _dealing_code(table, state)
    if state.phase in _CALLS:
        return _CALLS[state.phase]
    if state.settled is not None and state.winner is not None:
        return CallCode.RESULT
    return CallCode.VOID if is_void(state) else CallCode.WELCOME


def _dealing_code(table: Table, state: State) -> CallCode:
    if state.window is not None or due_offers(table):
        return CallCode.INSURANCE
    if len(state.banker) > 2:
        return CallCode.BANKER_DRAWS
    if len(state.player) > 2:
        return CallCode.PLAYER_DRAWS
    if state.cards_out == 0:
        return CallCode.BETS_CLOSED
    is_open = shown_points(state.player) is not None and shown_points(state.banker) is not None
    return CallCode.POINTS if state.cards_out == 4 and is_open else CallCode.DEALING


def _called(table: Table, code: CallCode, language: Language) -> str:
    say, state = phrases(language, "calls.toml"), table.state
    if code not in (CallCode.POINTS, CallCode.RESULT):
        return say[code.value]
    player, banker = (hand_label(table.book, hand, language, name_in) for hand in (Hand.PLAYER, Hand.BANKER))
    mine, other = shown_points(state.player), shown_points(state.banker)
    called = say["points"].format(player=player, player_points=mine, banker=banker, banker_points=other)
    if code is CallCode.POINTS:
        return called
    assert state.winner is not None
    return say["result"].format(wins=say[f"wins.{state.winner.value}"], points=called)


class EvidenceCardView(msgspec.Struct, frozen=True):
    """A card of the round as the evidence has it."""

    number: int  # Its place among the cards of the round, from 1: commands on evidence name it by this.
    card: Card | None  # None where the viewer must not see it.
    lies: Place
    face: Face
    recorded: bool  # Whether it was on record before the case was opened.
    spoken: bool  # Whether somebody reported something of it: it is not as it was on record.
    lay: Place | None  # Where it lay on record; None for a card that the reports brought up.
    lay_face: Face | None
    was: Card | None  # What it was on record, where it is said to be another card.
    hand: Hand | None  # The hand it is played in whatever its order, where cards were left as they lie.
    together: bool  # Drawn at once with others.
    foreign: bool
    carried: bool


class GroundView(msgspec.Struct, frozen=True):
    """Why the evidence comes to its clause."""

    card: int | None  # The number of the card that it is about.
    label: LabelView


class CaseView(msgspec.Struct, frozen=True):
    """An open case; the round stands still."""

    number: int
    finding: Finding | None
    clause: str | None  # The clause that the evidence comes to.
    sense: LabelView | None  # What that clause says, in short.
    remedy: LabelView | None  # What the book does about it, in words.
    options: LabelView | None  # Whether players may have their bets back, in words.
    awaits: Awaits | None
    decider: Role | None  # The least rank whose word it takes; player where players choose.
    decider_words: str | None
    house_term: bool  # The document does not name who decides: it is the house's reading.
    undecided: tuple[str, ...]  # Players whose choice is still to come.
    choices: tuple[Option, ...]  # What the viewer may choose now.
    reconstructed: bool  # Whether to continue means with the hands put right.
    options_clause: str | None
    grounds: tuple[GroundView, ...]  # Why it comes to that clause, for those who work at the table; empty for players.
    cards: tuple[EvidenceCardView, ...]  # The evidence, for the same people.
    seen: tuple[Seen, ...]
    note: str  # What was written down with it, for the same people.


_NOTHING_FOUND = dict.fromkeys(("finding", "clause", "awaits", "decider")) | {"house_term": False}


def case_view(table: Table, viewer: Viewer) -> CaseView | None:
    case = table.state.case
    if case is None:
        return None
    found, is_staff = case.found, viewer.is_staff
    entry = entry_on(table.book, found.finding) if found else None
    clause = table.book.clause(found.clause) if found and found.clause else None
    may_choose = found is not None and found.awaits is Awaits.OPTIONS
    is_asked = viewer.name in case.undecided and viewer.owns(viewer.name)
    numbered = enumerate(case.evidence.cards if is_staff else (), start=1)
    return CaseView(
        number=case.number,
        **(msgspec.structs.asdict(found) if found else _NOTHING_FOUND),
        sense=layout_view.sense_label(clause) if clause else None,
        remedy=layout_view.remedy_label(entry) if entry else None,
        options=layout_view.options_label(entry) if entry else None,
        decider_words=rank_words(found.decider) if found and found.decider else None,
        undecided=case.undecided,
        choices=tuple(Option) if may_choose and is_asked else (),
        reconstructed=case.is_choice_reconstructed,
        options_clause=case.options_clause,
        grounds=tuple(_grounds(table, case)) if is_staff else (),
        cards=tuple(_evidence_card(case, number, card, viewer) for number, card in numbered),
        seen=case.evidence.seen if is_staff else (),
        note=case.evidence.note if is_staff else "",
    )


def _grounds(table: Table, case: Case) -> Iterator[GroundView]:
    """Why the evidence comes to what was found. Cards are told by number: which they are is for others to show."""
    if case.found is None:
        return
    finding, book, cards = case.found.finding, table.book, case.evidence.cards
    behind = cards_behind(Table(book, case.before), case.evidence, finding)
    if not behind:
        lying = {hand: sum(card.lies is Place(hand.value) for card in cards) for hand in Hand}
        key = finding.value if finding is Finding.WRONG_NUMBER else "reported"
        yield GroundView(None, _ground_label(book, key, counts=lying))
    for number, due in behind:
        card = cards[number - 1]
        yield GroundView(
            number, _ground_label(book, _ground_key(finding, card), number=number, lies=card.lies, due=due)
        )


def _ground_key(finding: Finding, card: RoundCard) -> str:
    if finding is not Finding.DEALING_ERROR:
        return str(finding.value)
    if card.is_recovered:
        return "no-hand"
    if card.was is not None:
        return "other-card"
    return "moved" if card.is_moved else "drawn-together" if card.together else "face-down"


def _ground_label(
    book: Book,
    key: str,
    *,
    number: int = 0,
    lies: Place | None = None,
    due: Hand | None = None,
    counts: Mapping[Hand, int] | None = None,
) -> LabelView:
    def words_in(language: Language) -> str:
        names = {hand: hand_label(book, hand, language, name_in) for hand in Hand}
        here = next((names[hand] for hand in Hand if lies is not None and hand.value == lies.value), "")
        has = {f"{hand.value}_cards": count for hand, count in (counts or {}).items()}
        gaps: dict[str, str | int] = {"player": names[Hand.PLAYER], "banker": names[Hand.BANKER], **has}
        say: str = phrases(language, "calls.toml")[f"ground.{key}"]
        return say.format(number=number, lies=here, due=names[due] if due else "", **gaps)

    return in_every_language(words_in)


def _evidence_card(case: Case, number: int, card: RoundCard, viewer: Viewer) -> EvidenceCardView:
    before, face = case.before, card.card
    if is_face_hidden(card) and not viewer.sees_named(before) and not squeezes(before, card.nth, viewer):
        face = None
    record = record_of(before).cards[card.nth - 1] if card.nth is not None else None
    was = card.was if was_open(before, card.nth) or viewer.sees_named(before) else None
    return taken_from(
        card,
        EvidenceCardView,
        number=number,
        card=face,
        recorded=record is not None,
        spoken=card != record,
        lay=record.lies if record else None,
        lay_face=record.face if record else None,
        was=was,
        hand=card.plays_in,
    )
