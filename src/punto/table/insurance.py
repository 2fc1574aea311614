"""Insurance: players take it, decline it or wish for it while its window is open.

A window opens when the pay table has a row for the exposed points and the table of play still brings a card; the
next card closes it. All pay-outs promised on one bet together never exceed the bet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from punto.coup.coup import points
from punto.money import Money, format_amount
from punto.refusal import Reason, Refusal
from punto.rules import holdings
from punto.rules.book_text import Insurance
from punto.rules.outcome import Hand, Result, format_odds, parse_odds, shown_odds
from punto.rules.pay_table import InsuranceOffer
from punto.table.betting import refuse_chips
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs, subject
from punto.table.state import Closing, LaidInsurance, OfferMade, Phase, Stake, State, Table, Wish, shown_cards
from punto.table.terms import Offering
from punto.table.words import FactLine, Sentence, Telling, Theme, Words, fact, plain


class OfferInsurance(CommandHeader, frozen=True, kw_only=True):
    """The dealer offers the insurance that is due (`offering` = `dealer`)."""


class TakeInsurance(CommandHeader, frozen=True, kw_only=True):
    """Take insurance on a hand."""

    box: int
    hand: Hand
    amount: Money
    player: str | None = None
    round: int | None = None
    window: int | None = None


class DeclineInsurance(CommandHeader, frozen=True, kw_only=True):
    """Decline the offers open now."""

    player: str | None = None
    round: int | None = None
    window: int | None = None


class WishInsurance(CommandHeader, frozen=True, kw_only=True):
    """Put on record that a player meant to insure while no offer had been made."""

    box: int
    hand: Hand
    player: str | None = None
    round: int | None = None


InsuranceCommand = OfferInsurance | TakeInsurance | DeclineInsurance | WishInsurance


class InsuranceOffered(EventHeader, frozen=True):
    """A window opened with `window` cards on the table; `odds` are displayed by hand, `offers` are for each player."""

    window: int  # Number of cards on the table.
    odds: dict[str, str]  # The odds that the display shows, by hand.
    offers: tuple[OfferMade, ...]

    def fold(self, state: State) -> State:
        seen = (*state.windows_seen, self.window)
        return replace(state, window=self.window, offers=self.offers, windows_seen=seen, since=self.time)


class InsuranceTaken(EventHeader, frozen=True):
    """Insurance was taken; `totals` are the points of Player and Banker that the offer was made on."""

    box: int
    player: str
    hand: Hand
    window: int
    amount: Money
    odds: str
    totals: tuple[int, int]  # Points of Player and Banker that the offer was made on.

    def fold(self, state: State) -> State:
        taken = LaidInsurance(self.box, self.player, self.hand, self.window, self.amount, self.odds, self.totals)
        return replace(state, insured=(*state.insured, taken))


class InsuranceDeclined(EventHeader, frozen=True):
    """A player declined: forgone for the round."""

    player: str
    window: int | None = None  # The window whose offer it was; logs of earlier versions do not say.

    def fold(self, state: State) -> State:
        declined = state.declined if self.window is None else (*state.declined, (self.window, self.player))
        return replace(state, forgone=state.forgone | {self.player}, declined=declined)


class InsuranceClosed(EventHeader, frozen=True):
    """The next card left the shoe, rightly or not; `forgone` had an offer and took none."""

    window: int
    forgone: tuple[str, ...]
    clause: str

    def fold(self, state: State) -> State:
        closing = Closing(state.cards_out + 1, self.forgone)
        forgone = state.forgone | set(self.forgone)
        return replace(state, window=None, offers=(), forgone=forgone, closings=(*state.closings, closing))


class InsuranceNeglected(EventHeader, frozen=True):
    """The next card came, and the offer that was due had not been made."""

    window: int

    def fold(self, state: State) -> State:
        return replace(state, neglected=(*state.neglected, self.window))


class InsuranceWished(EventHeader, frozen=True):
    """The wish to insure is on record."""

    box: int
    player: str
    hand: Hand
    window: int

    def fold(self, state: State) -> State:
        wish = Wish(self.box, self.player, self.hand, self.window)
        return replace(state, wishes=(*state.wishes, wish))


InsuranceEvent = (
    InsuranceOffered | InsuranceTaken | InsuranceDeclined | InsuranceClosed | InsuranceNeglected | InsuranceWished
)


MOST_INSURANCES = 1_000  # That may be taken in one round.


def insurance_of(table: Table) -> Insurance | None:
    """The book's insurance, where this table offers it."""
    return table.book.insurance if table.terms.insurance else None


def due_offers(table: Table) -> tuple[InsuranceOffer, ...]:
    """The insurance that the cards on the table call for and that has not been offered yet."""
    state = table.state
    if insurance_of(table) is None or state.phase is not Phase.DEALING or state.window is not None:
        return ()
    if len(state.banker) != 2 or state.cards_out in state.windows_seen:
        return ()
    return offers_at(table, state.cards_out)


def offers_at(table: Table, cards: int) -> tuple[InsuranceOffer, ...]:
    """The insurance open with this number of cards on the table, judged by exposed cards."""
    exposed = exposed_at(table, cards)
    if exposed is None or (cards == 5 and table.state.is_waived):
        return ()
    return table.book.open_offers(*exposed)


def exposed_at(table: Table, cards: int) -> tuple[int, int, int, int | None] | None:
    """Number of cards, the points of both hands then and of Player's third; None while one is face down."""
    player, banker = shown_cards(table.state.player[: cards - 2]), shown_cards(table.state.banker[:2])
    if player is None or banker is None or len(player) != cards - 2:
        return None
    return cards, points(player), points(banker), player[2].points if cards == 5 else None


def offer_due(draft: Draft) -> None:
    """Open a window that is due, where the display offers insurance by itself."""
    if draft.terms.offering is Offering.AUTOMATIC and due_offers(draft.table):
        _offer(draft)


def _offer(draft: Draft) -> None:
    table, due = draft.table, due_offers(draft.table)
    made = [
        OfferMade(bet.box, bet.player, offer.hand, format_odds(offer.odds), most)
        for offer in due
        for bet in table.state.bets
        if bet.area == table.book.main_area(offer.hand) and not table.state.has_forgone(bet.player)
        if (most := greatest_stake(table, bet.box, bet.player, offer)) > 0
    ]
    odds = {offer.hand.value: format_odds(offer.odds) for offer in due}
    draft.add(InsuranceOffered, window=table.state.cards_out, odds=odds, offers=tuple(made))


def greatest_stake(table: Table, box: int, player: str, offer: InsuranceOffer) -> int:
    """What a player may still stake on an offer in a box."""
    bet = table.state.bet(box, player, table.book.main_area(offer.hand))
    if bet is None:
        return 0
    promised = sum(
        holdings.promised_by(parse_odds(taken.odds), taken.amount)
        for taken in table.state.insured
        if (taken.box, taken.player, taken.hand) == (box, player, offer.hand)
    )
    return holdings.greatest_insurance(offer, bet.stake, promised, table.terms.chip)


def close_window(draft: Draft) -> None:
    """The next card comes: what was not taken is forgone, what was not offered is neglected."""
    state, insurance = draft.state, draft.book.insurance
    if insurance is None:
        return
    if state.window is not None:
        took = {taken.player for taken in state.insured if taken.window == state.window}
        offered = dict.fromkeys(offer.player for offer in state.offers)
        forgone = tuple(player for player in offered if player not in took and not state.has_forgone(player))
        draft.add(InsuranceClosed, window=state.window, forgone=forgone, clause=insurance.forgone_clause)
    elif due_offers(draft.table) and state.cards_out not in state.neglected:
        draft.add(InsuranceNeglected, window=state.cards_out)


def refuse_offer_insurance(table: Table, _: OfferInsurance) -> Refusal | None:
    insurance = _insurance_or_refusal(table)
    if isinstance(insurance, Refusal):
        return insurance
    return None if due_offers(table) else Refusal(Reason.NO_OFFER_DUE, insurance.table_clause)


def _insurance_or_refusal(table: Table) -> Insurance | Refusal:
    insurance = table.book.insurance
    if insurance is None:
        return Refusal(Reason.NO_INSURANCE_HERE, None)
    return insurance if table.terms.insurance else Refusal(Reason.INSURANCE_EXCLUDED, insurance.notice_clause)


def _no_window(table: Table, insurance: Insurance) -> Refusal:
    """No window is open: the next card closed it, or none was due."""
    was_closed = bool(table.state.windows_seen or table.state.neglected)
    return Refusal(Reason.NO_WINDOW, insurance.forgone_clause if was_closed else insurance.draw_clause)


def open_offer(table: Table, box: int, player: str, hand: Hand) -> InsuranceOffer | None:
    """The offer that a player has open now on a hand in a box."""
    state = table.state
    if state.window is None or state.has_forgone(player):
        return None
    if not any((made.box, made.player, made.hand) == (box, player, hand) for made in state.offers):
        return None
    return next((offer for offer in offers_at(table, state.window) if offer.hand is hand), None)


def refuse_take_insurance(table: Table, command: TakeInsurance) -> Refusal | None:
    insurance, state, player = _insurance_or_refusal(table), table.state, subject(command)
    if isinstance(insurance, Refusal):
        return insurance
    if state.window is None:
        if state.is_waived and state.phase is Phase.DEALING and table.book.squeeze:
            return Refusal(Reason.INSURANCE_WAIVED, table.book.squeeze.reorder_clause)
        return _no_window(table, insurance)
    # Whoever holds the bet but has used up its cap got no offer, and is told of the cap.
    forgone = holdings.refuse_forgone(table.book, is_forgone=state.has_forgone(player))
    if refusal := forgone or _refuse_unheld(table, command):
        return refusal
    offer = next((each for each in offers_at(table, state.window) if each.hand is command.hand), None)
    if offer is None:
        exposed = exposed_at(table, state.window)
        assert exposed is not None, "a window opens on exposed cards"
        return holdings.refuse_offer(table.book, command.hand, *exposed)
    if len(state.insured) >= MOST_INSURANCES:
        return Refusal(Reason.TOO_MANY, None, {"what": "insurances", "count": MOST_INSURANCES})
    most = greatest_stake(table, command.box, player, offer)
    return refuse_chips(table, command.amount) or holdings.refuse_over_cap(table.book, command.amount, most)


def _refuse_unheld(table: Table, command: TakeInsurance | WishInsurance) -> Refusal | None:
    bet = table.state.bet(command.box, subject(command), table.book.main_area(command.hand))
    return holdings.refuse_unheld(table.book, command.hand, bet.stake if bet else None)


def take_insurance(draft: Draft, command: TakeInsurance) -> None:
    player = subject(command)
    offer, window = open_offer(draft.table, command.box, player, command.hand), draft.state.window
    assert offer is not None and window is not None
    taken = window, command.amount, format_odds(offer.odds), totals_at(draft.table, window)
    draft.add(InsuranceTaken, command.box, player, command.hand, *taken)


def totals_at(table: Table, cards: int) -> tuple[int, int]:
    """Points of both hands with this number of cards on the table."""
    exposed = exposed_at(table, cards)
    assert exposed is not None
    return exposed[1], exposed[2]


def on_true_hand(table: Table, taken: LaidInsurance) -> LaidInsurance | None:
    """Insurance taken on a hand that proved false, as it stands on the true one; None if not offered."""
    if len(table.state.banker) < 2:
        return None
    (was,) = [each for each in table.book.offers.cells[(taken.window, *taken.totals)] if each.hand is taken.hand]
    same = (was.hand, was.odds, was.on_tie.result)
    for offer in offers_at(table, taken.window):
        if (offer.hand, offer.odds, offer.on_tie.result) == same:
            return replace(taken, totals=totals_at(table, taken.window))
    return None


def refuse_decline_insurance(table: Table, command: DeclineInsurance) -> Refusal | None:
    insurance, state, player = _insurance_or_refusal(table), table.state, subject(command)
    if isinstance(insurance, Refusal):
        return insurance
    if state.window is None:
        return _no_window(table, insurance)
    took = any(taken.player == player and taken.window == state.window for taken in state.insured)
    has_offer = any(offer.player == player for offer in state.offers)
    return holdings.refuse_forgone(table.book, is_forgone=took or state.has_forgone(player) or not has_offer)


def refuse_wish_insurance(table: Table, command: WishInsurance) -> Refusal | None:
    """A wish counts while its window is due; after the next card nobody can have meant it."""
    insurance, state, player = _insurance_or_refusal(table), table.state, subject(command)
    if isinstance(insurance, Refusal):
        return insurance
    if state.window is not None:
        return Refusal(Reason.WAS_OFFERED, insurance.neglect_clause)
    if refusal := holdings.refuse_forgone(table.book, is_forgone=state.has_forgone(player)):
        return refusal
    if not any(offer.hand is command.hand for offer in due_offers(table)):
        return _no_window(table, insurance)
    if refusal := _refuse_unheld(table, command):
        return refusal
    wish = (command.box, player, command.hand, state.cards_out)
    if any((made.box, made.player, made.hand, made.window) == wish for made in state.wishes):
        return Refusal(Reason.ALREADY_WISHED, insurance.neglect_clause)
    return None


def wish_insurance(draft: Draft, command: WishInsurance) -> None:
    draft.add(InsuranceWished, command.box, subject(command), command.hand, draft.state.cards_out)


def neglected_bets(table: Table) -> tuple[Stake, ...]:
    """Original bets of players who wished to insure, got no offer, and would have won the insurance."""
    state, stakes = table.state, list[Stake]()
    if insurance_of(table) is None or state.winner is None:
        return ()
    for wish in state.wishes:
        bet = state.bet(wish.box, wish.player, table.book.main_area(wish.hand))
        offers = [offer for offer in offers_at(table, wish.window) if offer.hand is wish.hand]
        if wish.window not in state.neglected or bet is None or not offers:
            continue
        if offers[0].outcome(state.winner).result is Result.WIN:
            stakes.append(bet.as_stake)
    return tuple(dict.fromkeys(stakes))


INSURANCE_VERBS: Verbs = {
    OfferInsurance: Verb("offer insurance", refuse_offer_insurance, lambda draft, _: _offer(draft)),
    TakeInsurance: Verb("insure", refuse_take_insurance, take_insurance, names_player=True, in_person=True),
    DeclineInsurance: Verb(
        "decline insurance",
        refuse_decline_insurance,
        lambda draft, command: draft.add(InsuranceDeclined, subject(command), draft.state.window),
        names_player=True,
    ),
    WishInsurance: Verb("wish to insure", refuse_wish_insurance, wish_insurance, names_player=True),
}


def _insurance_offered_facts(event: InsuranceOffered) -> Iterator[FactLine]:
    yield fact("window", event.window, *chain.from_iterable(sorted(event.odds.items())))
    for offer in event.offers:
        yield fact("offered", offer.box, offer.player, offer.hand, offer.odds, "most", format_amount(offer.most))


def _tell_offered(telling: Telling, event: InsuranceOffered) -> Iterator[Sentence]:
    each = ", ".join(f"{telling.hand(Hand(hand))} {shown_odds(event.odds[hand])}" for hand in sorted(event.odds))
    yield from telling.say("insurance-offered", event, Theme.OFFER, each=each)
    for offer in event.offers:
        yield from telling.say("offer-made", offer, Theme.OFFER)


def _insurance_closed_facts(event: InsuranceClosed) -> Iterator[FactLine]:
    yield fact("window-closed", event.window)
    for player in event.forgone:
        yield fact("forgone", player, event.clause)


def _tell_window_closed(telling: Telling, event: InsuranceClosed) -> Iterator[Sentence]:
    for player in event.forgone:
        yield from telling.say("insurance-closed", event, player=player)


INSURANCE_WORDS: dict[type[EventHeader], Words] = {
    InsuranceOffered: Words(("window", "offered"), _insurance_offered_facts, _tell_offered),
    InsuranceTaken: plain("insured box player hand odds amount"),
    InsuranceDeclined: plain("declined player"),
    InsuranceClosed: Words(("window-closed", "forgone"), _insurance_closed_facts, _tell_window_closed),
    InsuranceNeglected: plain("neglected window"),
    InsuranceWished: plain("wished box player hand window"),
}
