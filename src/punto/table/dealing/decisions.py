"""The deal, card by card: where the next card goes, what it opens, and when the deal is finished.

What happens next is judged by cards that lie open. A card face down decides nothing until it is turned, so
neither an offer nor a refusal can tell anybody what it is.
"""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.coup.deal import deal_hands, next_hand, reconstruct
from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.betting import Signal
from punto.rules.text.irregularity import Finding
from punto.table.antes.question import ask_antes, waits_for_card
from punto.table.betting.decisions import close_bets, refuse_closing
from punto.table.dealing import commands as c
from punto.table.dealing import events as e
from punto.table.dealing.drawer import refuse_drawer
from punto.table.dealing.squeezes import is_reordered
from punto.table.draft import Draft
from punto.table.house.events import CutCardCameOut
from punto.table.insurance.decisions import close_window, offer_due
from punto.table.layout import AnteState
from punto.table.state import Phase, Slot, State, Table, shown_cards
from punto.table.terms import Drawing, Faces
from punto.table.verb import Verb, Verbs

CLOSED = "▯"
"""How a card that lies face down is told in a refusal, which must not tell which it is."""
_ONE_OF_EACH = DECK[:10]
"""A card of every number of points: ace to ten."""


def due_hand(table: Table) -> Hand | Refusal:
    """The hand that gets the next card, or why none can be dealt now."""
    state, play = table.state, table.book.play
    rule = table.book.play
    if min(len(state.player), len(state.banker)) < 2:
        return Hand.PLAYER if len(state.player) <= len(state.banker) else Hand.BANKER
    if is_reordered(state) and len(state.player) == 3 and len(state.banker) == 2:
        return Hand.BANKER  # certain whatever Player's third card is (insurance 3.14)
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    if player is None or banker is None:
        return Refusal(Reason.REVEAL_FIRST, rule.deal_clause)
    hand = next_hand(play, player, banker)
    return hand if hand is not None else Refusal(Reason.DEAL_FINISHED, rule.naturals_clause)


def refuse_deal(table: Table, command: c.DealCard) -> Refusal | None:
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
    return due if isinstance(due, Refusal) else _refuse_card(table, command.card)


def _refuse_card(table: Table, card: Card | None) -> Refusal | None:
    state, terms = table.state, table.terms
    assert state.shoe is not None
    if state.carried:
        first = state.carried[0].card
        if card is None and first is None and is_face_up(table):
            return Refusal(Reason.CARD_NEEDED, None)
        if card is first or first is None:  # one that nobody has seen is named when it is dealt
            return refuse_spent(table, card) if card is not None and not state.carried[0].face_up else None
        shown = str(first) if state.carried[0].face_up else CLOSED
        return Refusal(Reason.CARRIED_FIRST, table.book.clause_of(Finding.EXCESS), {"card": shown})
    if card is None:
        if is_face_up(table) or terms.source is not SourceKind.ENTERED:
            return Refusal(Reason.CARD_NEEDED, None)
        return None if state.shoe.cards_left else _refuse_absent(table, card)
    return _refuse_absent(table, card)


def _refuse_absent(table: Table, card: Card | None) -> Refusal | None:
    """Cards that the shoe cannot hold any more are not dealt from it."""
    shoe, clause = table.state.shoe, table.book.decks.clause
    assert shoe is not None
    if not shoe.cards_left:
        return Refusal(Reason.CARD_NOT_THERE, clause, {"problem": "the shoe has no card left"})
    return None if card is None else refuse_spent(table, card)


def refuse_spent(table: Table, card: Card) -> Refusal | None:
    """A card of which all that the shoe held have been seen."""
    shoe = table.state.shoe
    assert shoe is not None
    if shoe.out.count(card) < shoe.decks:
        return None
    problem = f"all {shoe.decks} {card} of this shoe are already out"
    return Refusal(Reason.CARD_NOT_THERE, table.book.decks.clause, {"problem": problem})


def deal_card(draft: Draft, command: c.DealCard) -> None:
    if draft.state.phase is Phase.BETTING:
        close_bets(draft, command)
    close_window(draft)
    due = due_hand(draft.table)
    assert isinstance(due, Hand)
    draft.add(
        e.CardDealt(
            *draft.stamp,
            hand=due,
            card=command.card,
            face_up=is_face_up(draft.table),
            carried=bool(draft.state.carried),
        )
    )
    note_cut(draft)
    proceed(draft)


def is_face_up(table: Table) -> bool:
    """Whether the next card is dealt face up.

    Where cards are dealt face down, one that antes are decided by is shown all the same; so is a card carried
    over that everybody has seen.
    """
    ante, carried = table.book.ante, table.state.carried
    if table.terms.faces is Faces.UP or (carried and carried[0].face_up):
        return True
    return ante is not None and table.state.cards_out < ante.shown_cards


def note_cut(draft: Draft) -> None:
    """Say so when the cut card is out, by whatever card that left the shoe."""
    state, shoe = draft.state, draft.state.shoe
    if shoe is not None and shoe.behind_cut > 0 and shoe.is_cut_card_out and state.last_round is None:
        draft.add(CutCardCameOut(*draft.stamp, last_round=state.round + draft.terms.rounds_after_cut))


def proceed(draft: Draft) -> None:
    """What follows from the cards on the table: antes to decide, insurance to offer, or the end of the
    deal.
    """
    state = draft.state
    if state.phase is not Phase.DEALING or state.case is not None:
        return
    if ask_antes(draft):
        return
    offer_due(draft)
    finish(draft)


def finish(draft: Draft) -> None:
    """Declare the result once every card is out and open."""
    state = draft.state
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    if player is None or banker is None or state.cards_out < 4:
        return
    if next_hand(draft.book.play, player, banker) is not None:
        return
    coup = deal_hands(draft.book.play, player, banker)
    draft.add(
        e.DealFinished(
            *draft.stamp,
            winner=coup.winner,
            player_points=coup.player_points,
            banker_points=coup.banker_points,
            declared=coup.declared(draft.book),
        )
    )


def refuse_correct(table: Table, command: c.CorrectCard) -> Refusal | None:
    """A card keyed in wrongly is put right, unless the deal or a player already went by it."""
    state = table.state
    if table.terms.source is not SourceKind.ENTERED:
        return Refusal(Reason.NOT_ENTERED, None)
    if state.phase not in (Phase.DEALING, Phase.ANTES, Phase.FINISHED) or not state.are_cards_in_play:
        return Refusal(Reason.NO_ROUND, None)
    slots = state.slots(command.hand)
    params: dict[str, str | int] = {"hand": command.hand.value, "number": command.number}
    slot = slots[command.number - 1] if 1 <= command.number <= len(slots) else None
    if slot is None or slot.card is None or not slot.face_up:
        return Refusal(Reason.NO_SUCH_CARD, None, params)
    if slot.card is command.card:
        return Refusal(Reason.SAME_CARD, None)
    if refusal := refuse_spent(table, command.card):
        return refusal
    if _was_decided_by(state):
        return Refusal(Reason.DECISION_TAKEN, table.book.clause_of(Finding.UNCOVERED))
    return None if _deals_alike(table, command) else Refusal(Reason.DIFFERENT_DEAL, None)


def _was_decided_by(state: State) -> bool:
    """Whether an ante or insurance was decided, or a window closed, in the light of the cards."""
    closed = set(state.windows_seen) - {state.window}
    antes = any(bet.ante is not AnteState.OPEN for bet in state.bets)
    return bool(state.insured or closed or state.forgone or antes)


def _deals_alike(table: Table, command: c.CorrectCard) -> bool:
    """Whether the cards on the table would have gone where they lie with the other card in its place."""
    state = table.state
    hands = {Hand.PLAYER: list(state.player), Hand.BANKER: list(state.banker)}
    hands[command.hand][command.number - 1] = Slot(command.card, face_up=True)
    order = replace(state, player=tuple(hands[Hand.PLAYER]), banker=tuple(hands[Hand.BANKER])).order
    for unseen in _ONE_OF_EACH:  # whatever lies face down: the answer must not tell which it is
        cards = [slot.card if slot.face_up and slot.card else unseen for slot in order]
        player, banker, over = reconstruct(table.book.play, cards)
        if over or (len(player), len(banker)) != (len(state.player), len(state.banker)):
            return False
    return True


def correct_card(draft: Draft, command: c.CorrectCard) -> None:
    slot = draft.state.slots(command.hand)[command.number - 1]
    assert slot.card is not None
    draft.add(
        e.CardCorrected(
            *draft.stamp, hand=command.hand, number=command.number, was=slot.card, card=command.card
        )
    )
    proceed(draft)


VERBS: Verbs = {
    c.DealCard: Verb(refuse=refuse_deal, carry_out=deal_card),
    c.CorrectCard: Verb(refuse=refuse_correct, carry_out=correct_card),
}
