"""A card that lies face down shows through nothing.

Two tables are played alike, command by command, and differ only in cards that lie face down. Until one of
them is turned, everything that anybody can learn must be the same at both: what is listed for each person,
every refusal, and every event but for the card itself.
"""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from punto import books
from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.table import Refusal, decide, legal_commands
from punto.table.command import Command
from punto.table.dealing import AnswerSqueeze, AskSqueeze, CardDealt, CorrectCard, DealCard, RevealCard
from punto.table.irregularity_case import Face
from punto.table.irregularity_events import CaseOpened, EvidenceAdded, EvidenceWithdrawn, Report
from punto.table.state import SqueezeKind
from punto.table.terms import Drawing, Faces, Offering
from tests.table.machine_commands import PEOPLE, wild
from tests.table.machine_evidence import random_facts, random_sightings
from tests.table.scenes import SUPERVISOR, B, P, Scene, made

BETS = {"Ann": "player=3000 player-pair=1000 tie=1000", "Ben": "banker=2000 banker-pair=1000"}


def twins(book: str, **terms: Any) -> tuple[Scene, Scene]:
    return Scene(book, faces=Faces.DOWN, **terms), Scene(book, faces=Faces.DOWN, **terms)


def seen(answer: Any) -> Any:
    """An answer as people see it: a card dealt face down is a card."""
    if isinstance(answer, Refusal):
        return answer
    return [_as_seen(event) for event in answer]


def _as_seen(event: Any) -> Any:
    if isinstance(event, CardDealt) and not event.face_up:
        return replace(event, card=None)
    if isinstance(event, CaseOpened | EvidenceAdded | EvidenceWithdrawn):
        cards = [replace(card, card=None) if card.face is Face.DOWN else card for card in event.evidence.cards]
        return replace(event, evidence=replace(event.evidence, cards=tuple(cards)))
    return event


def assert_alike(first: Scene, second: Scene, random: Random) -> None:
    """Nobody can tell the two tables apart, whatever is tried."""
    for actor, role in PEOPLE:
        assert legal_commands(first.table, actor, role) == legal_commands(second.table, actor, role)
    for _ in range(40):
        command = wild(first.table, random)
        if isinstance(command, RevealCard | CorrectCard) or _turns_a_card(first, command):
            continue  # these turn a card, and then it may be seen
        answers = [seen(decide(scene.table, command)) for scene in (first, second)]
        assert answers[0] == answers[1], command


def _turns_a_card(scene: Scene, command: Command) -> bool:
    """Whether a report turns a card on record up, or names one that was keyed in, which a person knows."""
    is_keyed = scene.table.terms.source is SourceKind.ENTERED
    return isinstance(command, Report) and any(
        isinstance(sighting.nth, int) and (sighting.face is Face.UP or (is_keyed and sighting.is_ is not None))
        for sighting in command.cards
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", books.NAMES)
def test_nothing_that_is_reported_tells_what_lies_face_down(name: str, seed: int) -> None:
    """Reports alone, many of them, on cards that lie face down at both tables."""
    random = Random(f"reports {name}/{seed}")
    scenes = twins(name, source=random.choice((SourceKind.SHUFFLED, SourceKind.ENTERED)))
    bets = {player: text.split()[0] for player, text in BETS.items()}
    for scene in scenes:
        scene.start(**bets)
    for place in range(random.randint(1, 4)):
        card = random.choice(DECK)
        deal_both(scenes, card, card if name == "knockout" and place == 0 else random.choice(DECK))
    for _ in range(25):
        cards = random_sightings(scenes[0].table, random)
        command = Report(actor=SUPERVISOR, role=Role.PIT_SUPERVISOR, cards=cards, seen=random_facts(random))
        if _turns_a_card(scenes[0], command):
            continue
        answers = [seen(decide(scene.table, command)) for scene in scenes]
        assert answers[0] == answers[1], command


def deal_both(scenes: tuple[Scene, Scene], first: Card, second: Card) -> None:
    answers = []
    for scene, card in zip(scenes, (first, second), strict=True):
        by = "Ann" if scene.table.terms.drawing is Drawing.PLAYERS else "Dan"
        answers.append(seen(scene.do(DealCard, by, card=card)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", books.NAMES)
def test_four_cards_face_down_say_nothing(name: str, seed: int) -> None:
    random = Random(f"{name}/{seed}")
    scenes = twins(
        name,
        source=random.choice((SourceKind.SHUFFLED, SourceKind.ENTERED, SourceKind.CONTINUOUS)),
        drawing=random.choice(tuple(Drawing)),
        offering=random.choice(tuple(Offering)),
    )
    bets = {"Ann": BETS["Ann"]} if scenes[0].table.terms.drawing is Drawing.PLAYERS else BETS
    if name == "ez":
        bets = {player: text.split()[0] for player, text in bets.items()}
    for scene in scenes:
        scene.start(**bets)
    for place in range(4):
        card = random.choice(DECK)
        # Up The Ante shows its card; every other one lies face down.
        is_shown = name == "knockout" and place == 0
        deal_both(scenes, card, card if is_shown else random.choice(DECK))
        assert_alike(*scenes, random)
    for scene in scenes:
        assert scene.refuse(DealCard, "Dan" if len(bets) == 2 else "Ann", card=DECK[0])[:12] == "reveal-first"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("third", ["AS", "9S", "KS"])
def test_a_third_card_face_down_says_nothing(seed: int, third: str) -> None:
    """Player 2, Banker 3, which stands beside an eight and draws beside all else."""
    random = Random(seed)
    scenes = twins("insurance", source=SourceKind.ENTERED)
    for scene in scenes:
        scene.start(**BETS)
        scene.deal("KS KH 2D 3C")
        scene.open_all()
    deal_both(scenes, Card("8S"), Card(third))
    assert_alike(*scenes, random)
    for scene in scenes:
        assert scene.refuse(DealCard, card=DECK[0]) == "reveal-first 3.10"
        correct = {"hand": B, "number": 2, "card": Card("4C")}
        # Whether a correction would have dealt otherwise may not depend on what lies face down.
        assert isinstance(scene.give(made(CorrectCard, "Dan", **correct)), tuple)


def test_under_a_changed_order_bankers_card_comes_whatever_players_is() -> None:
    scenes = twins("insurance")
    for scene in scenes:
        scene.start(**BETS)
        scene.deal("KS KH 2D AC")
        scene.open_all()
        scene.do(AskSqueeze, "Ann", kind=SqueezeKind.BANKER_THIRD_FIRST)
        scene.do(AnswerSqueeze, consent=True)
    deal_both(scenes, Card("8S"), Card("5S"))
    assert_alike(*scenes, Random(1))
    deal_both(scenes, Card("4S"), Card("4S"))
    assert_alike(*scenes, Random(2))
    for scene in scenes:
        assert scene.refuse(RevealCard, hand=P, number=3) == "no-such-card 3.10"


def test_a_name_for_a_known_card_is_refused_whether_right_or_wrong() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(**BETS)
    scene.deal("KS KH 2D AC")
    for guess in ("KS", "QS"):
        assert scene.refuse(RevealCard, hand=P, number=1, card=Card(guess)) == "not-entered"


def test_the_shoe_has_shown_nothing_of_what_lies_face_down() -> None:
    """With all but one king of spades out, no refusal tells whether the last lies on the table."""
    for hidden in ("KS", "QS"):
        scene = Scene("insurance", faces=Faces.DOWN, decks=4)
        for _ in range(3):
            scene.start(**BETS)
            scene.deal("KS 4H 9D 3C")
            scene.open_all()
            scene.settle()
        scene.start(**BETS)
        scene.deal(hidden)
        assert scene.state.shoe is not None
        assert scene.state.shoe.out.count(Card("KS")) == 3
        scene.deal("KS")  # what a second king means is found when it is turned
        assert scene.hands() == "?? / ??"


def test_a_card_that_cannot_be_is_found_when_it_is_turned() -> None:
    scene = Scene("insurance", faces=Faces.DOWN, decks=4)
    scene.start(**BETS)
    scene.deal("KS 4H 9D 3C")
    scene.open_all()
    scene.settle()
    scene.start(**BETS)
    scene.deal("KS KS KS KS")
    for hand, number in ((P, 1), (B, 1), (P, 2)):
        scene.do(RevealCard, hand=hand, number=number)
    assert scene.refuse(RevealCard, hand=B, number=2) == "card-not-there 2.2.1"
