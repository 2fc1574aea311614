"""The deal, card by card: where the next card goes, who draws and who opens it, and when the deal is finished.

What happens next is judged by cards that lie open. A card face down decides nothing until it is turned, so
neither an offer nor a refusal can tell anybody what it is.
"""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.coup.coup import deal_hands, next_hand, reconstruct
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.book_text import Finding, Signal
from punto.rules.outcome import Hand, Winner
from punto.table.antes import ask_antes, waits_for_card
from punto.table.betting import close_bets, refuse_closing
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs
from punto.table.house import CutCardCameOut
from punto.table.insurance import close_window, offer_due
from punto.table.irregularity_case import MOST_DEALT, Awaits, Face, Place
from punto.table.state import (
    AnteState,
    Case,
    Phase,
    Slot,
    SqueezeKind,
    SqueezeState,
    State,
    Table,
    shown_cards,
    shown_points,
    slots_face,
)
from punto.table.terms import Drawing, Faces
from punto.table.words import FactLine, Telling, Theme, Words, fact, plain, say


class DealCard(CommandHeader, frozen=True, kw_only=True):
    """Deal the next card; no card is named if it leaves a physical shoe face down."""

    card: Card | None = None


class TakeDraw(CommandHeader, frozen=True, kw_only=True):
    """The player who should draw does not: the dealer draws the other cards of the round (`drawing` = `players`)."""


class RevealCard(CommandHeader, frozen=True, kw_only=True):
    """Turn a face-down card face up; `card` names it where only the person who turns it can see it."""

    hand: Hand
    number: int  # The hand's first, second or third card.
    card: Card | None = None  # Which it is, where only the one who turns it can see.


class CorrectCard(CommandHeader, frozen=True, kw_only=True):
    """Correct a card that was entered wrongly."""

    hand: Hand
    number: int
    card: Card


class AskSqueeze(CommandHeader, frozen=True, kw_only=True):
    """Ask to squeeze cards; `hand` and `number` name the card for kind `card`."""

    kind: SqueezeKind = SqueezeKind.CARD
    hand: Hand | None = None
    number: int | None = None


class AnswerSqueeze(CommandHeader, frozen=True, kw_only=True):
    """The house's answer."""

    consent: bool


DealingCommand = DealCard | TakeDraw | RevealCard | CorrectCard | AskSqueeze | AnswerSqueeze


class CardDealt(EventHeader, frozen=True):
    """A card was dealt; null if nobody knows it; `carried`: it left the shoe in an earlier round."""

    hand: Hand
    card: Card | None  # None for a card from a physical shoe that lies face down.
    face_up: bool
    carried: bool = False  # It came out of the shoe in an earlier round.

    def fold(self, state: State) -> State:
        player, banker, shoe, carried, kept = state.player, state.banker, state.shoe, state.carried, state.kept
        assert shoe is not None
        if self.hand is Hand.PLAYER:
            player = (*player, Slot(self.card, self.face_up))
        else:
            banker = (*banker, Slot(self.card, self.face_up))
        # A card that nobody sees counts as unseen, whether or not the system knows it: what the shoe has
        # shown must not tell what lies face down.
        seen = self.card if self.face_up else None
        if not self.carried:
            shoe = shoe.burned(1) if seen is None else shoe.drawn((seen,))
        else:
            if seen is not None and not carried[0].face_up:
                shoe = shoe.named(seen)  # nobody had seen it when it was carried over
            carried, kept = carried[1:], max(0, kept - 1)
        record = (*state.record, self.hand)
        return replace(
            state, player=player, banker=banker, record=record, shoe=shoe, carried=carried, kept=kept, since=self.time
        )


class DrawTaken(EventHeader, frozen=True):
    """The dealer draws the other cards of the round in place of the player."""

    player: str
    clause: str | None

    def fold(self, state: State) -> State:
        return replace(state, is_draw_taken=True)


class CardRevealed(EventHeader, frozen=True):
    """A face-down card was turned face up."""

    hand: Hand
    number: int
    card: Card

    def fold(self, state: State) -> State:
        slot = replace(state.slots(self.hand)[self.number - 1], card=self.card, face_up=True)
        assert state.shoe is not None
        opened = replace(state.with_slot(self.hand, self.number, slot), since=self.time)
        if state.case is None:
            return replace(opened, shoe=state.shoe.named(self.card))
        evidence, nth = state.case.evidence, nths_of(state, self.hand)[self.number - 1]
        if any(card.nth == nth and card.face is Face.UP for card in evidence.cards):
            return opened  # the evidence has said so, and the shoe knows of it
        # Opened to find out where the cards go: it stays open even if the evidence is taken back.
        cards = (replace(card, card=self.card, face=Face.UP) if card.nth == nth else card for card in evidence.cards)
        before = self.fold(state.case.before)
        case = replace(state.case, before=before, evidence=replace(evidence, cards=tuple(cards)))
        return replace(opened, case=case, shoe=state.shoe.named(self.card))


def nths_of(state: State, hand: Hand) -> list[int]:
    """The numbers in the round of the cards of a hand."""
    return [nth for nth, to in enumerate(state.record, start=1) if to is hand]


class CardCorrected(EventHeader, frozen=True):
    """A card on record was corrected."""

    hand: Hand
    number: int
    was: Card
    card: Card

    def fold(self, state: State) -> State:
        slot = replace(state.slots(self.hand)[self.number - 1], card=self.card)
        assert state.shoe is not None
        windows = tuple(window for window in state.windows_seen if window != state.window)
        state = replace(state, shoe=state.shoe.corrected(self.was, self.card), phase=Phase.DEALING, winner=None)
        state = replace(state, window=None, offers=(), windows_seen=windows, since=self.time)
        return state.with_slot(self.hand, self.number, slot)


class DealFinished(EventHeader, frozen=True):
    """The deal is finished: no more cards; `declared` lists what the dealer announces."""

    winner: Winner
    player_points: int
    banker_points: int
    declared: tuple[str, ...]

    def fold(self, state: State) -> State:
        return replace(state, phase=Phase.FINISHED, winner=self.winner)


class SqueezeAsked(EventHeader, frozen=True):
    """A squeeze is asked for."""

    kind: SqueezeKind
    player: str
    hand: Hand | None = None
    number: int | None = None

    def fold(self, state: State) -> State:
        request = SqueezeState(self.kind, self.player, self.hand, self.number)
        return replace(state, squeezes=(*state.squeezes, request))


class SqueezeAnswered(EventHeader, frozen=True):
    """The house answered; `waives`: the insurance after Player's third card is waived for all."""

    consent: bool
    waives: bool = False  # Everybody's insurance after Player's third card is waived for the round.
    clause: str | None = None

    def fold(self, state: State) -> State:
        *before, request = state.squeezes
        squeezes = (*before, replace(request, consent=self.consent))
        return replace(state, squeezes=squeezes, is_waived=state.is_waived or self.waives)


DealingEvent = CardDealt | DrawTaken | CardRevealed | CardCorrected | DealFinished | SqueezeAsked | SqueezeAnswered


def drawer_of(table: Table) -> str | None:
    """The player who draws the cards of this round by the house rules (ez 2), None for the dealer."""
    state = table.state
    if table.terms.drawing is Drawing.DEALER or state.is_draw_taken:
        return None
    seated = {bet.box: bet.player for bet in state.bets if bet.is_seated and bet.player not in state.away}
    players = [seated[box] for box in sorted(seated)]
    return players[(state.round - 1) % len(players)] if players else None


def refuse_drawer(table: Table, command: DealCard) -> Refusal | None:
    drawer = drawer_of(table)
    if drawer == (command.actor if command.role is Role.PLAYER else None):
        return None
    return Refusal(Reason.NOT_THE_DRAWER, table.book.play.drawer_clause, {"player": drawer or "the dealer"})


def refuse_take_draw(table: Table, _: TakeDraw) -> Refusal | None:
    if table.state.phase in (Phase.BETTING, Phase.DEALING) and drawer_of(table) is not None:
        return None
    return Refusal(Reason.NO_CASE, table.book.play.drawer_clause, {"why": "no player is to draw a card"})


def take_draw(draft: Draft, _: TakeDraw) -> None:
    """A player who should draw and does not would hold everybody up."""
    drawer = drawer_of(draft.table)
    assert drawer is not None
    draft.add(DrawTaken, drawer, draft.book.play.drawer_clause)


MOST_SQUEEZES_ASKED = 100  # Times that a squeeze may be asked for in one round.


def highest_bettor(table: Table) -> str | None:
    """The seated player with the highest main bet; of equal bets the one that was placed first."""
    mains = {table.book.main_area(hand) for hand in Hand}
    seated = [bet for bet in table.state.bets if bet.is_seated and bet.area in mains]
    return max(seated, key=lambda bet: bet.stake).player if seated else None


def refuse_ask_squeeze(table: Table, command: AskSqueeze) -> Refusal | None:
    squeeze, state = table.book.squeeze, table.state
    if squeeze is None:
        return Refusal(Reason.NO_SQUEEZE, None)
    if table.terms.faces is Faces.UP:
        return Refusal(Reason.FACE_UP_TABLE, squeeze.clause)
    if state.phase is not Phase.DEALING:
        return Refusal(Reason.NOT_DEALING, squeeze.clause)
    highest = highest_bettor(table)
    if highest != command.actor:
        clause = squeeze.clause if command.kind is SqueezeKind.CARD else squeeze.reorder_clause
        return Refusal(Reason.NOT_HIGHEST, clause, {"player": highest or "nobody"})
    if any(request.consent is None for request in state.squeezes):
        return Refusal(Reason.ASKED_ALREADY, squeeze.clause)
    if len(state.squeezes) >= MOST_SQUEEZES_ASKED:
        return Refusal(Reason.TOO_MANY, None, {"what": "squeezes asked for", "count": MOST_SQUEEZES_ASKED})
    if command.kind is SqueezeKind.CARD:
        return _refuse_squeezed_card(state, command, squeeze.clause)
    return None if is_banker_certain(table) else Refusal(Reason.NOT_CERTAIN, squeeze.reorder_clause)


def _refuse_squeezed_card(state: State, command: AskSqueeze, clause: str) -> Refusal | None:
    """A card may be asked for before it is dealt, and only once."""
    if command.hand is None or command.number is None:
        return Refusal(Reason.CARD_NEEDED, clause)
    if command.number not in (1, 2, 3):
        return Refusal(Reason.NO_SUCH_CARD, clause, {"hand": command.hand.value, "number": command.number})
    if len(state.slots(command.hand)) >= command.number:
        return Refusal(Reason.CARD_ALREADY_DEALT, clause)
    return None


def is_banker_certain(table: Table) -> bool:
    """Whether Player draws, and Banker draws whatever that card is, while it has not been opened."""
    state, play = table.state, table.book.play
    player, banker = shown_points(state.player[:2]), shown_points(state.banker)
    if len(state.banker) != 2 or len(state.player) < 2 or player is None or banker is None:
        return False
    if not play.player_draws[player * 10 + banker] or (len(state.player) == 3 and state.player[2].face_up):
        return False
    return not is_reordered(state) and all(play.banker_draws[third][banker] for third in range(10))


def ask_squeeze(draft: Draft, command: AskSqueeze) -> None:
    draft.add(SqueezeAsked, command.kind, command.actor, command.hand, command.number)


def refuse_answer_squeeze(table: Table, command: AnswerSqueeze) -> Refusal | None:
    """What was asked is answered while it can still be done; too late, it can only be declined."""
    squeeze, state = table.book.squeeze, table.state
    request = state.squeezes[-1] if state.squeezes else None
    if squeeze is None or request is None or request.consent is not None or state.phase is not Phase.DEALING:
        return Refusal(Reason.NOTHING_ASKED, squeeze.clause if squeeze else None)
    if not command.consent:
        return None
    if request.kind is not SqueezeKind.CARD:
        return None if is_banker_certain(table) else Refusal(Reason.NOT_CERTAIN, squeeze.reorder_clause)
    assert request.hand is not None and request.number is not None
    is_open = any(slot.face_up for slot in state.slots(request.hand)[request.number - 1 : request.number])
    return Refusal(Reason.CARD_ALREADY_DEALT, squeeze.clause) if is_open else None


def answer_squeeze(draft: Draft, command: AnswerSqueeze) -> None:
    squeeze, request = draft.book.squeeze, draft.state.squeezes[-1]
    assert squeeze is not None
    reorders = request.kind is not SqueezeKind.CARD
    waives = command.consent and reorders and draft.book.insurance is not None
    draft.add(SqueezeAnswered, command.consent, waives, squeeze.reorder_clause if reorders else squeeze.clause)


def is_reordered(state: State) -> bool:
    """Whether the house consented that Banker's third card is opened before Player's third."""
    return any(request.consent and request.kind is not SqueezeKind.CARD for request in state.squeezes)


def may_open_card(state: State, player: str, hand: Hand, number: int) -> bool:
    return any(
        request.consent
        and request.player == player
        and _SQUEEZED.get(request.kind, (request.hand, request.number)) == (hand, number)
        for request in state.squeezes
    )


_SQUEEZED = {SqueezeKind.BANKER_THIRD_FIRST: (Hand.BANKER, 3), SqueezeKind.BANKER_THIRD_SHOWN: (Hand.PLAYER, 3)}
CLOSED = "▯"  # How a card that lies face down is told in a refusal, which must not tell which it is.
_ONE_OF_EACH = DECK[:10]  # A card of every number of points: ace to ten.


def due_hand(table: Table) -> Hand | Refusal:
    """The hand that gets the next card, or why none can be dealt now."""
    state, play = table.state, table.book.play
    if min(len(state.player), len(state.banker)) < 2:
        return Hand.PLAYER if len(state.player) <= len(state.banker) else Hand.BANKER
    if is_reordered(state) and len(state.player) == 3 and len(state.banker) == 2:
        return Hand.BANKER  # certain whatever Player's third card is (insurance 3.14)
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    if player is None or banker is None:
        return Refusal(Reason.REVEAL_FIRST, play.deal_clause)
    hand = next_hand(play, player, banker)
    return hand if hand is not None else Refusal(Reason.DEAL_FINISHED, play.naturals_clause)


def judge_deal(table: Table, command: DealCard) -> Refusal | Hand | None:
    """Why a card is not dealt; else the hand that gets it."""
    state, betting = table.state, table.book.betting
    if command.role is Role.PLAYER and table.terms.drawing is Drawing.DEALER:
        return refuse_drawer(table, command)
    if state.phase is Phase.ANTES:
        players = ", ".join(dict.fromkeys(player for _, player, _ in state.antes_open))
        ante = table.book.ante
        return Refusal(Reason.ANTES_UNDECIDED, ante.clause if ante else None, {"players": players})
    if state.phase is Phase.BETTING:
        if betting.closes.by is Signal.CALL:
            return Refusal(Reason.BETS_STILL_OPEN, betting.closes.clause)
        if refusal := refuse_closing(table):
            return refusal
    elif state.phase is not Phase.DEALING:
        return Refusal(Reason.NOT_DEALING, None)
    if refusal := refuse_drawer(table, command):
        return refusal
    ante = table.book.ante
    if ante is not None and state.cards_out >= ante.shown_cards and waits_for_card(table):
        return Refusal(Reason.REVEAL_FIRST, ante.clause)  # an ante is decided by a card that lies open
    due = due_hand(table)
    return due if isinstance(due, Refusal) else _refuse_card(table, command.card) or due


def _refuse_card(table: Table, card: Card | None) -> Refusal | None:
    state, terms = table.state, table.terms
    assert state.shoe is not None
    if state.carried:
        first = state.carried[0].card
        if card is None and first is None and is_face_up(table):
            return Refusal(Reason.CARD_NEEDED, None)
        if card is first or first is None:  # one that nobody has seen is named when it is dealt
            return refuse_spent(table, card) if card is not None and not state.carried[0].face_up else None
        face = str(first) if state.carried[0].face_up else CLOSED
        return Refusal(Reason.CARRIED_FIRST, table.book.clause_of(Finding.EXCESS), {"card": face})
    if card is None and (is_face_up(table) or terms.source is not SourceKind.ENTERED):
        return Refusal(Reason.CARD_NEEDED, None)
    if not state.shoe.cards_left:
        return Refusal(Reason.CARD_NOT_THERE, table.book.decks.clause, {"problem": "the shoe has no card left"})
    return None if card is None else refuse_spent(table, card)


def refuse_spent(table: Table, card: Card) -> Refusal | None:
    """A card of which all that the shoe held have been seen."""
    shoe = table.state.shoe
    # A round that is settled again may have cards face down of a set that was replaced: nothing is left to count.
    if shoe is None or shoe.count_out(card) < shoe.decks:
        return None
    problem = f"all {shoe.decks} {card} of this shoe are already out"
    return Refusal(Reason.CARD_NOT_THERE, table.book.decks.clause, {"problem": problem})


def deal_card(draft: Draft, command: DealCard) -> None:
    if draft.state.phase is Phase.BETTING:
        close_bets(draft, command)
    close_window(draft)
    due = draft.judged
    assert isinstance(due, Hand)
    draft.add(CardDealt, due, command.card, is_face_up(draft.table), bool(draft.state.carried))
    note_cut(draft)


def is_face_up(table: Table) -> bool:
    """Whether the next card is dealt face up.

    Where cards are dealt face down, one that antes are decided by is shown all the same; so is a card carried
    over that everybody has seen.
    """
    ante, carried = table.book.ante, table.state.carried
    if table.terms.faces is Faces.UP or (carried and carried[0].face_up):
        return True
    return ante is not None and table.state.cards_out < ante.shown_cards


def open_from_the_start(table: Table) -> int:
    """How many cards of a round lie open here as soon as they are with their hands."""
    ante = table.book.ante
    if table.state.round_terms.faces is Faces.UP:
        return MOST_DEALT
    return ante.shown_cards if ante is not None else 0


def note_cut(draft: Draft) -> None:
    """Say so when the cut card is out, by whatever card that left the shoe."""
    state, shoe = draft.state, draft.state.shoe
    if shoe is not None and shoe.behind_cut > 0 and shoe.is_cut_card_out and state.last_round is None:
        draft.add(CutCardCameOut, last_round=state.round + draft.terms.rounds_after_cut)


def proceed(draft: Draft) -> None:
    """What follows from the cards on the table: antes to decide, insurance to offer, or the end of the deal."""
    if draft.state.phase is Phase.DEALING and draft.state.case is None and not ask_antes(draft):
        offer_due(draft)
        finish_deal(draft)


def finish_deal(draft: Draft) -> None:
    state, play = draft.state, draft.book.play
    if state.cards_out < 4:
        return
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    if player is not None and banker is not None and next_hand(play, player, banker) is None:
        coup = deal_hands(play, player, banker)
        draft.add(DealFinished, coup.winner, coup.player_points, coup.banker_points, coup.declared(draft.book))


def refuse_correct(table: Table, command: CorrectCard) -> Refusal | None:
    """A card keyed in wrongly is put right, unless the deal or a player already went by it."""
    state = table.state
    if table.terms.source is not SourceKind.ENTERED:
        return Refusal(Reason.NOT_ENTERED, None)
    if state.phase not in (Phase.DEALING, Phase.ANTES, Phase.FINISHED) or not state.are_cards_in_play:
        return Refusal(Reason.NO_ROUND, None)
    slot = state.slot(command.hand, command.number)
    if slot is None or slot.card is None or not slot.face_up:
        return _no_such_card(command)
    if slot.card is command.card:
        return Refusal(Reason.SAME_CARD, None)
    if refusal := refuse_spent(table, command.card):
        return refusal
    # An ante or insurance was decided, or a window closed, in the light of the cards.
    closed = set(state.windows_seen) - {state.window}
    antes = any(bet.ante is not AnteState.OPEN for bet in state.bets)
    if state.insured or closed or state.forgone or antes:
        return Refusal(Reason.DECISION_TAKEN, table.book.clause_of(Finding.UNCOVERED))
    return None if _deals_alike(table, command) else Refusal(Reason.DIFFERENT_DEAL, None)


def _no_such_card(command: CorrectCard | RevealCard, clause: str | None = None) -> Refusal:
    return Refusal(Reason.NO_SUCH_CARD, clause, {"hand": command.hand.value, "number": command.number})


def _deals_alike(table: Table, command: CorrectCard) -> bool:
    """Whether the cards on the table would have gone where they lie with the other card in its place."""
    state = table.state
    order = state.with_slot(command.hand, command.number, Slot(command.card, face_up=True)).order
    for unseen in _ONE_OF_EACH:  # whatever lies face down: the answer must not tell which it is
        cards = [slot.card if slot.face_up and slot.card else unseen for slot in order]
        player, banker, over = reconstruct(table.book.play, cards)
        if over or (len(player), len(banker)) != (len(state.player), len(state.banker)):
            return False
    return True


def correct_card(draft: Draft, command: CorrectCard) -> None:
    slot = draft.state.slots(command.hand)[command.number - 1]
    assert slot.card is not None
    draft.add(CardCorrected, command.hand, command.number, slot.card, command.card)


def refuse_reveal(table: Table, command: RevealCard) -> Refusal | None:
    """Cards are opened once four are out, or sooner where the order of a round has to be found."""
    state = table.state
    slot, found = state.slot(command.hand, command.number), state.found_clause
    if slot is None or slot.face_up:
        return _no_such_card(command)
    if command.role is Role.PLAYER and not may_open_card(state, command.actor, command.hand, command.number):
        clause = table.book.squeeze.clause if table.book.squeeze else None
        return Refusal(Reason.NOT_YOUR_CARD, clause, {"player": command.actor})
    if found is not None and found.awaits not in (Awaits.JUDGEMENT, Awaits.ORDER, Awaits.RULING):
        # Opening a card must help the House, or whoever rules, to put the hands right.
        return Refusal(Reason.CASE_OPEN, None, {"kind": found.finding.value})
    nth = nths_of(state, command.hand)[command.number - 1]
    if state.case is not None and _is_spoken_of(state.case, nth):
        return _no_such_card(command)
    # Where the system gave the cards it knows their order, and none has to be opened to find it out.
    is_early = state.cards_out < 4 and (state.case is None or state.is_sealed)
    # A card that should lie open as soon as it is with its hand was closed only by an error.
    is_early = is_early and not (state.case is None and nth <= open_from_the_start(table))
    # Under insurance 3.14 Banker's third card is opened before Player's third.
    is_players_third = is_reordered(state) and command.hand is Hand.PLAYER and command.number == 3
    if is_early or (is_players_third and (len(state.banker) < 3 or not state.banker[2].face_up)):
        return _no_such_card(command, table.book.play.deal_clause)
    if slot.card is not None and command.card is not None:
        # Naming a card that the system knows must not tell which it is: every name is refused alike.
        return Refusal(Reason.NOT_ENTERED, None)
    card = slot.card or command.card
    return Refusal(Reason.CARD_NEEDED, None) if card is None else refuse_spent(table, card)


def _is_spoken_of(case: Case, nth: int) -> bool:
    """Whether the evidence says that the card never left the shoe, or shows its face already."""
    card = next(card for card in case.evidence.cards if card.nth == nth)
    return card.lies is Place.SHOE or card.face is Face.UP


def reveal_card(draft: Draft, command: RevealCard) -> None:
    slot = draft.state.slots(command.hand)[command.number - 1]
    card = slot.card or command.card
    assert card is not None
    draft.add(CardRevealed, command.hand, command.number, card)


DEALING_VERBS: Verbs = {
    DealCard: Verb("deal", judge_deal, deal_card),
    TakeDraw: Verb("take over the draw", refuse_take_draw, take_draw),
    RevealCard: Verb("reveal", refuse_reveal, reveal_card, in_a_case=True),
    CorrectCard: Verb("correct", refuse_correct, correct_card),
    AskSqueeze: Verb("ask to squeeze", refuse_ask_squeeze, ask_squeeze),
    AnswerSqueeze: Verb("answer the squeeze", refuse_answer_squeeze, answer_squeeze),
}


def _card_dealt_facts(event: CardDealt) -> list[FactLine]:
    face = event.card if event.face_up else "face-down"
    return [fact("dealt", event.hand, face, "carried" if event.carried else None)]


def _lying(telling: Telling, event: CardDealt | CardRevealed | CardCorrected) -> dict[str, object]:
    slots = telling.state.slots(event.hand)
    return {"cards": slots_face(slots), "is_third": len(slots) == 3}


def _declared(telling: Telling, event: DealFinished) -> dict[str, object]:
    names = {declaration.name: telling.named(declaration.labels) for declaration, _ in telling.book.declarations}
    called = [name for name in event.declared if name in names and name != Winner.TIE.value]
    return {"declared": "".join(f", {names[name]}" for name in called)}


DEALING_WORDS: dict[type[EventHeader], Words] = {
    CardDealt: Words(("dealt",), _card_dealt_facts, say(Theme.CARD, _lying)),
    DrawTaken: plain("draw-taken player clause"),
    CardRevealed: plain("revealed hand number card", say(Theme.CARD, _lying)),
    CardCorrected: plain("corrected hand number was to=card", say(Theme.CARD, _lying)),
    DealFinished: plain("finished winner player_points banker_points declared", say(Theme.RESULT, _declared)),
    SqueezeAsked: plain("squeeze-asked player kind hand number"),
    SqueezeAnswered: plain("squeeze-answered consent?yes/no waives?waives clause"),
}
