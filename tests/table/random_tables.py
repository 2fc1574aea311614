"""Random tables with something wrong: a round dealt so far, and what is seen of its cards.

Each comes in two forms that are made side by side: as commands for the program, and described in plain words
for the second reading. Everything comes out of one `Random`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.rules.outcome import Hand
from punto.table import Refusal
from punto.table.antes import GiveUpAnte
from punto.table.dealing import DealCard, RevealCard
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_case import Face, Place, Sighting
from punto.table.state import AnteState, Phase
from punto.table.terms import Faces
from tests.table.scenes import DEALER, Scene, made
from tests.table.second_reading import HANDS, Described, OnTable

BETS = {"Ann": "player=3000", "Ben": "banker=2000"}
CHIP = 100
INSURED = ("KS KH 6D 5C", "KS KH 5D 4C", "KS KH 4D 6C")
"""Four cards after which insurance is offered."""
FACTS = ("foreign-card", "wrong-set", "not-shuffled", "cards-run-out", "uncovered")


@dataclass(frozen=True)
class Situation:
    """A scene, what is reported of it, and how that describes the table."""

    scene: Scene
    sightings: tuple[Sighting, ...]
    facts: tuple[str, ...]
    order_seen: bool
    described: Described
    order: tuple[int, ...]
    """The cards in their order: n for the nth on record, -n for the nth sighting, where that is new."""


def random_scene(book: str, random: Random, **terms: Any) -> Scene:
    """A round dealt so far, some of its cards opened, now and then settled."""
    faces = random.choice((Faces.UP, Faces.DOWN))
    source = random.choice((SourceKind.SHUFFLED, SourceKind.ENTERED))
    scene = Scene(book, **{"faces": faces, "source": source, **terms})
    bets = dict(BETS)
    if book == "knockout" and random.random() < 0.5:
        bets["Ann"] += " ante-player=1000"
    is_early = random.random() < 0.1
    if is_early:
        scene.seat("Ann", 1)
        scene.call()
        scene.bet("Ann", "player", 3000)
        return scene
    scene.start(**bets)
    if book == "insurance" and random.random() < 0.25:
        scene.deal(random.choice(INSURED))
        scene.open_all()
    for _ in range(random.choice((0, 1, 2, 3, 4, 4, 5, 8, 12, 14))):
        _step(scene, random)
    if scene.state.phase is Phase.FINISHED and random.random() < 0.4:
        scene.settle()
    return scene


def _step(scene: Scene, random: Random) -> None:
    """Deal or open a card, whichever the table takes; what is offered or asked for meanwhile is answered."""
    for offer in scene.state.offers:
        if random.random() < 0.5:
            scene.give(made(TakeInsurance, offer.player, box=offer.box, hand=offer.hand, amount=CHIP))
    for _ in range(4):
        if scene.state.phase is Phase.ANTES and random.random() < 0.5:
            scene.do(GiveUpAnte, "Ann", box=1, area="ante-player")
        unseen = scene.table.terms.source is SourceKind.ENTERED and random.random() < 0.5
        card = None if unseen and scene.table.terms.faces is Faces.DOWN else random.choice(DECK)
        if random.random() < 0.5:
            command = made(DealCard, DEALER, card=card)
        else:
            hand, number = random.choice(tuple(Hand)), random.randint(1, 3)
            slots = scene.state.slots(hand)
            known = len(slots) >= number and slots[number - 1].card is not None
            command = made(RevealCard, DEALER, hand=hand, number=number, card=None if known else random.choice(DECK))
        if not isinstance(scene.give(command), Refusal):
            return


def described(scene: Scene) -> Described:
    """The table as it is on record."""
    state, book = scene.state, scene.table.book
    cards = tuple(
        OnTable(str(slot.card) if slot.card else None, hand.value, slot.face_up, was_up=slot.face_up, put_at=hand.value)
        for hand, slot in state.recorded
    )
    return Described(
        cards,
        face_down_table=scene.table.terms.faces is Faces.DOWN,
        settled=state.settled is not None,
        before_the_call=state.phase is Phase.BETTING and book.betting.closes.by.value == "call",
        shown_at_once=book.ante.shown_cards if book.ante else 0,
        antes_open=any(bet.ante is AnteState.OPEN and bet.area == "ante-player" for bet in state.bets),
    )


def random_situation(book: str, random: Random, *, simple: bool = False, most: int = 3, **terms: Any) -> Situation:
    """A round dealt so far and what is seen of it; a simple one has no marks beside where cards lie."""
    scene = random_scene(book, random, **terms)
    table = described(scene)
    together = random.random() < 0.25 and not simple
    sightings: list[Sighting] = []
    spoken: set[int] = set()
    order = [number + 1 for number in range(len(table.cards))]
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, most))):
        told = random_told(table, random, together=together, simple=simple)
        if "nth" in told:
            if order[told["nth"] - 1] in spoken:
                continue  # said once
            spoken.add(order[told["nth"] - 1])
        sightings.append(Sighting(**told))
        if "nth" not in told:
            order.insert(told.get("after", len(order)), -len(sightings))
        table = with_told(table, told)
    facts = tuple(random.sample(FACTS, 1)) if random.random() < 0.15 or not sightings else ()
    order_seen = together and random.random() < 0.3
    table = replace(table, facts=frozenset(facts), order_seen=order_seen)
    return Situation(scene, tuple(sightings), facts, order_seen, table, tuple(order))


def random_told(table: Described, random: Random, *, together: bool, simple: bool) -> dict[str, Any]:
    """What is said of one card, as the fields of a sighting."""
    told: dict[str, Any] = {"together": together and random.random() < 0.8}
    places = [Place.PLAYER, Place.BANKER] * 4 + [Place.TABLE, Place.FLOOR]
    on_record = [i for i, card in enumerate(table.cards) if not card.is_new]
    if on_record and random.random() < 0.35:
        told["nth"] = random.choice(on_record) + 1
        card = table.cards[told["nth"] - 1]
        if random.random() < 0.8:
            told["lies"] = random.choice([*places, Place.SHOE, Place.SHOE])
        if not card.up and random.random() < 0.4:
            told["face"] = Face.UP
            if card.name is None:
                told["is_"] = random.choice(DECK)
        elif card.up and random.random() < 0.1 and not simple:
            told["is_"] = random.choice(DECK)
    else:
        told["card"] = random.choice((None, *DECK[::5]))
        told["lies"] = random.choice(places)
        if told["card"] is not None and random.random() < 0.5:
            told["face"] = random.choice(tuple(Face))
        if random.random() < 0.1 and not simple:
            told["after"] = random.randint(0, len(table.cards))
    if random.random() < 0.05 and not simple:
        told["foreign"] = True
    return told


def with_told(table: Described, told: dict[str, Any]) -> Described:
    """The description with what was said of one card."""
    cards = list(table.cards)
    lies, face, name = told.get("lies"), told.get("face"), told.get("is_")
    marks: dict[str, Any] = {mark: True for mark in ("together", "foreign") if told.get(mark)}
    if "nth" in told:
        card = cards[told["nth"] - 1]
        if lies is not None:
            card = replace(card, lies=lies.value)
        if face is not None:
            card = replace(card, up=face is Face.UP)
        if name is not None and str(name) != card.name:
            card = replace(card, name=str(name), renamed=card.name is not None)
        cards[told["nth"] - 1] = replace(card, **marks)
        return replace(table, cards=tuple(cards))
    assert lies is not None
    named: Card | None = name or told["card"]
    shown = not table.face_down_table or len(table.left) < table.shown_at_once
    up = face is Face.UP if face is not None else named is not None and shown
    new = OnTable(str(named) if named else None, lies.value, up, **marks)
    at = told.get("after")
    cards.insert(len(cards) if at is None else at, new)
    return replace(table, cards=tuple(cards))


def hands_of(scene: Scene) -> list[list[str]]:
    """Both hands as everybody sees them."""
    return [[str(slot.card) if slot.face_up else "??" for slot in scene.state.slots(hand)] for hand in Hand]


__all__ = ["HANDS", "Situation", "described", "hands_of", "random_situation"]
