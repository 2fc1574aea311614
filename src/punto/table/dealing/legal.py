"""Which cards may be dealt, opened, put right or squeezed now."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.rules.facts import Hand
from punto.table.asking import Asking, Legal
from punto.table.dealing import commands as c
from punto.table.dealing.decisions import refuse_correct
from punto.table.layout import SqueezeKind


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    yield asking.offer(c.DealCard)
    yield asking.offer(c.DealCard, card=_next_card(asking), free=("card",))
    yield asking.offer(c.TakeDraw)
    for hand in Hand:
        for number, slot in enumerate(asking.state.slots(hand), start=1):
            if slot.card is None:
                yield asking.offer(
                    c.RevealCard, hand=hand, number=number, card=asking.card_left(), free=("card",)
                )
            else:
                yield asking.offer(c.RevealCard, hand=hand, number=number)
                yield from _corrections(asking, hand, number, slot.face_up)
    for hand in Hand:
        for number in (1, 2, 3):
            yield asking.offer(c.AskSqueeze, hand=hand, number=number)
    for kind in SqueezeKind:
        if kind is not SqueezeKind.CARD:
            yield asking.offer(c.AskSqueeze, kind=kind, free=("hand", "number"))
    for consent in (True, False):
        yield asking.offer(c.AnswerSqueeze, consent=consent)


def _corrections(asking: Asking, hand: Hand, number: int, face_up: bool) -> Iterator[Legal]:
    if not face_up or asking.table.terms.source is not SourceKind.ENTERED or not asking.may(c.CorrectCard):
        return
    for card in DECK:
        command = c.CorrectCard(actor=asking.actor, role=asking.role, hand=hand, number=number, card=card)
        if refuse_correct(asking.table, command) is None:
            yield asking.offer(c.CorrectCard, hand=hand, number=number, card=card, free=("card",))
            return


def _next_card(asking: Asking) -> Card | None:
    known = asking.state.carried[0].card if asking.state.carried else None
    return known or asking.card_left()
