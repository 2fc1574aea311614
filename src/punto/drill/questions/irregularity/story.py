"""What happened, told as a report tells it: the cards in the order in which they left the shoe, where each
lies, which faces show, and what else was seen. No word of a clause in it.
"""

from __future__ import annotations

from punto.drill.questions.irregularity.scene import Incident
from punto.table import event as e
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.hands import due_hands
from punto.table.irregularities.sighting import Place, Seen, Sighting
from punto.table.terms import Faces

_SEEN = {
    Seen.FOREIGN_CARD: "A card of another set is found.",
    Seen.WRONG_SET: "The set is found to have too many or too few cards.",
    Seen.NOT_SHUFFLED: "It turns out that the cards were not shuffled.",
    Seen.CARDS_RUN_OUT: "The shoe has too few cards left to finish the round.",
    Seen.INTERRUPTION: "Then the power fails.",
    Seen.INSURANCE_NEGLECTED: (
        "Insurance was due and was not offered; a player had wished for it, and it would have won."
    ),
    Seen.UNCOVERED: "Then something happens that these rules do not speak of.",
}
WORD = {
    True: " The House says that the cards can be reconstructed.",
    False: " The House says that the cards cannot be reconstructed.",
}
"""The House's word, as the next sentence."""
_PLACES = {
    Place.PLAYER: "with Player",
    Place.BANKER: "with Banker",
    Place.TABLE: "on the table, with no hand",
    Place.FLOOR: "on the floor, and recovered",
    Place.SHOE: "never out of the shoe",
}


def tell(incident: Incident) -> str:
    """What happened, in sentences."""
    return " ".join(_sentences(incident))


def _sentences(incident: Incident) -> list[str]:
    happening, evidence = incident.happening, incident.evidence
    told = []
    if incident.table.table.terms.faces is Faces.DOWN:
        told.append("Cards are dealt face down at this table.")
    if happening.round is not None:
        where = ", ".join(_sighted(sighting) for sighting in happening.cards)
        told.append(f"Bets are open when it is noticed that in the round before one card more came: {where}.")
        return told
    if any(isinstance(event, e.SettlementReversed) for event in incident.events):
        told.append("The round has been settled, and the next has not begun.")
    if any(isinstance(event, e.BetsClosed) for event in incident.events):
        told.append("Bets have not been closed.")
    told.append(_cards(evidence))
    if len(evidence.group) > 1:
        known = "everybody saw in which order" if evidence.order else "nobody knows in which order"
        together = " and ".join(_face(card) for card in evidence.group)
        told.append(f"{together} came at once, and {known}{', as written' if evidence.order else ''}.")
    return [*told, *(_SEEN[fact] for fact in evidence.seen)]


def _cards(evidence: Evidence) -> str:
    listed = [card for card in evidence.cards if not card.foreign]
    told = f"Out of the shoe, in this order: {'; '.join(map(_lying, listed))}." if listed else ""
    foreign = [
        f"{_face(card)} of another set lies {_PLACES[card.lies]}." for card in evidence.cards if card.foreign
    ]
    return " ".join(filter(None, (told, *foreign))) or "No card is out."


def _lying(card: RoundCard) -> str:
    was = f" (taken for {card.was.symbol})" if card.was else ""
    return f"{_face(card)}{was} {_PLACES[card.lies]}"


def _face(card: RoundCard) -> str:
    return card.shown.symbol if card.shown else "a card face down"


def _sighted(sighting: Sighting) -> str:
    assert sighting.lies is not None
    face = sighting.card.symbol if sighting.card else "a card"
    return f"{face} {_PLACES[sighting.lies]}"


def where_due(incident: Incident) -> str:
    """Where the table of play puts the cards that lie elsewhere."""
    play, cards = incident.book.play, incident.evidence.left
    due = due_hands(play, cards) or due_hands(play, cards[:4]) or ()
    told = []
    for card, hand in zip(cards, due, strict=False):
        if hand is None:
            told.append(f"{_face(card)} was due to nobody")
        elif card.lies.value != hand.value:
            told.append(f"{_face(card)} was due to {hand.value.title()}")
    return "; ".join(told)
