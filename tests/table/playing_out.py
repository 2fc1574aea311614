"""A table played out without chance: whoever is asked answers alike, and the next cards are always the same.

So what comes after two reports can be compared, to the last settled line.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.rules.outcome import Hand
from punto.table import Refusal
from punto.table.antes import GiveUpAnte
from punto.table.betting import CloseBets
from punto.table.dealing import DealCard, DealFinished, RevealCard
from punto.table.insurance import InsuranceOffered, TakeInsurance
from punto.table.irregularity_case import Awaits, Face
from punto.table.irregularity_events import (
    BetsReturned,
    CardsPlayedAsTheyLie,
    CardsReconstructed,
    CardsReplaced,
    ChooseOption,
    CloseOptions,
    Effect,
    JudgeReconstruction,
    Option,
    OptionChosen,
    OptionsGiven,
    OrderCards,
    ReturnBets,
    RoundVoided,
    Rule,
    VoidRound,
)
from punto.table.settlement import RoundSettled, SettleRound
from punto.table.state import Phase
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, Scene, made

MOST_STEPS = 80


def played_out(scene: Scene, *, possible: bool) -> list[Any]:
    """What comes after now, until the round is over; the House says whether cards can be put right."""
    length = len(scene.log)
    for _ in range(MOST_STEPS):
        if scene.state.case is None and scene.state.phase in (Phase.IDLE, Phase.CLOSED):
            return told(scene.log[length:])
        assert any(not isinstance(scene.give(one), Refusal) for one in _steps(scene, possible=possible)), (
            scene.state.case and scene.state.case.found,
            scene.hands(),
            scene.state.phase,
        )
    raise AssertionError("the round does not end")


def _steps(scene: Scene, *, possible: bool) -> list[Any]:
    """What may be tried now, the first that is taken is done."""
    if scene.state.case is not None:
        return [*_of_the_case(scene, possible=possible), *_reveals(scene)]
    return [*_insurances(scene), *_antes(scene), *_reveals(scene), *_deals(scene), made(SettleRound, DEALER)]


def _of_the_case(scene: Scene, *, possible: bool) -> list[Any]:
    case = scene.state.case
    assert case is not None and case.found is not None
    # Only what people can tell apart is named: with the system's own cards that is what lies open.
    is_told = scene.table.terms.source is SourceKind.ENTERED
    told = [card for card in case.evidence.group if is_told or card.face is Face.UP]
    group = sorted((card.card for card in told if card.card is not None), key=str)
    ways: dict[Awaits, list[Any]] = {
        Awaits.ORDER: [made(OrderCards, SUPERVISOR, cards=tuple(group))],
        Awaits.JUDGEMENT: [
            *([made(JudgeReconstruction, SUPERVISOR, possible=True)] if possible else []),
            *(_reveals(scene) if possible else []),
            made(JudgeReconstruction, SUPERVISOR, possible=False),
            made(JudgeReconstruction, SUPERVISOR, possible=True),  # a slip of the record is confirmed
            *_reveals(scene),
        ],
        Awaits.VOID: [made(VoidRound, SUPERVISOR)],
        Awaits.RETURN_BETS: [made(ReturnBets, MANAGER)],
        Awaits.RULING: [
            made(Rule, SHIFT, effect=Effect.CONTINUE, reason="so"),
            *_reveals(scene),
            made(Rule, SHIFT, effect=Effect.VOID, reason="so"),
        ],
        Awaits.OPTIONS: [
            made(CloseOptions, DEALER),
            made(ChooseOption, "Ann", option=Option.CONTINUE if possible else Option.RETURN),
            made(ChooseOption, "Ben", option=Option.RETURN if possible else Option.CONTINUE),
        ],
        Awaits.NOTHING: [],
    }
    return ways[case.found.awaits]


def _reveals(scene: Scene) -> list[Any]:
    """Every card face down in turn; one that nobody knows proves to be one that its place decides.

    Which of a hand's first two came first may be unknown, so for these how many of them are still unseen decides.
    """
    found = []
    for hand in Hand:
        slots = scene.state.slots(hand)
        unseen = sum(slot.card is None for slot in slots[:2])
        for number, slot in enumerate(slots, start=1):
            if not slot.face_up:
                place = unseen if number <= 2 else number
                name = None if slot.card else DECK[(17 * place + 5 * (hand is Hand.BANKER)) % 52]
                found.append(made(RevealCard, DEALER, hand=hand, number=number, card=name))
    return found


def _insurances(scene: Scene) -> list[Any]:
    """Ann takes every offer at a chip, once; Ben lets it pass."""
    state = scene.state
    taken = {(taken.box, taken.hand, taken.window) for taken in state.insured}
    return [
        made(TakeInsurance, "Ann", box=offer.box, hand=offer.hand, amount=scene.table.terms.chip)
        for offer in state.offers
        if offer.player == "Ann" and (offer.box, offer.hand, state.window) not in taken
    ]


def _antes(scene: Scene) -> list[Any]:
    return [made(GiveUpAnte, player, box=box, area=area) for box, player, area in scene.state.antes_open]


def _deals(scene: Scene) -> list[Any]:
    carried, place = scene.state.carried, scene.state.cards_out
    card = carried[0].card if carried else DECK[(11 * place + 3) % 52]
    if card is None and scene.table.terms.source is not SourceKind.ENTERED:
        return []
    return [made(DealCard, DEALER, card=card), made(CloseBets, DEALER)]


def told(events: list[Any]) -> list[Any]:
    """What people have of it: choices, offers, hands, how it ended and every settled line."""
    kinds = (
        OptionsGiven,
        OptionChosen,
        InsuranceOffered,
        CardsReconstructed,
        CardsPlayedAsTheyLie,
        DealFinished,
        RoundSettled,
        RoundVoided,
        BetsReturned,
        CardsReplaced,
    )
    return [_without_order(event) for event in events if isinstance(event, kinds)]


def _without_order(event: Any) -> Any:
    """Cards left as they lie are in a hand or out of play; in which order they came there may be unknown. Of hands that
    were put right the first two cards may have come either way.
    """
    if isinstance(event, CardsReconstructed):
        hands = {name: getattr(event, name) for name in ("player", "banker")}
        return replace(event, **{name: (*sorted(hand[:2], key=str), *hand[2:]) for name, hand in hands.items()})
    if not isinstance(event, CardsPlayedAsTheyLie):
        return event
    lying = {name: tuple(sorted(getattr(event, name), key=str)) for name in ("player", "banker", "out")}
    return replace(event, **lying)
