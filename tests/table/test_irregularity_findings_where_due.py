"""Where each card was due by the table of play, from the order in which the cards left the shoe."""

from __future__ import annotations

import pytest

from punto.cards.source import SourceKind
from punto.rules.outcome import Hand
from punto.table.irregularity_case import Evidence, OrderKnown, RoundCard
from punto.table.irregularity_findings import due_by_order, due_hands, has_wrong_number, is_short, is_to_be_put_right
from tests.table.lying import DOWN, PLAY, lying, scene_of
from tests.table.scenes import B, P, Scene

SEEN, ENTERED = OrderKnown.SEEN, SourceKind.ENTERED


def in_order(text: str) -> tuple[RoundCard, ...]:
    """Cards of which only the order matters."""
    return lying(" ".join(f"{word}@table" for word in text.split()))


def short(due: tuple[Hand | None, ...] | None) -> str | None:
    letters = {P: "P", B: "B", None: "-"}
    return None if due is None else "".join(letters[hand] for hand in due)


@pytest.mark.parametrize(
    ("cards", "due"),
    [
        ("", ""),
        ("KS", "P"),
        ("KS KH", "PB"),
        ("? ? ?", "PBP"),
        ("? ? ? ?", "PBPB"),  # by order alone (5.8)
        ("KS KH 9D 7C 4S", "PBPB-"),  # a natural
        ("KS KH 6D 7C 4S", "PBPB-"),  # both stand
        ("KS KH 6D 5C 4S", "PBPBB"),  # Player stands, Banker draws
        ("KS KH 6D 5C 4S 2D", "PBPBB-"),
        ("KS KH 5D 7C 4S 2D", "PBPBP-"),  # Banker stands on seven
        ("KS KH 5D 6C 6S 2D 3D", "PBPBPB-"),  # six draws beside a six
        ("KS KH 5D 6C 5S 2D", "PBPBP-"),
        ("KS KH 5D 3C 8S 2D", "PBPBP-"),  # three stands beside an eight
        ("? ? ? ? 4S", None),
        ("? KH 6D 5C 4S", None),
        ("KS ? 9D ? 4S", "PBPB-"),  # a natural whatever Banker has
        ("KS KH 5D 2C ? 4S", "PBPBPB"),  # two draws beside anything
        ("KS KH 5D 3C ? 4S", None),
        ("KS KH 5D 7C ? 4S", "PBPBP-"),
        ("KS KH 5D 3C ?", "PBPBP"),
    ],
)
def test_where_each_card_was_due(cards: str, due: str | None) -> None:
    assert short(due_hands(PLAY, in_order(cards))) == due


def test_a_card_face_down_decides_nothing_though_it_is_known() -> None:
    assert short(due_hands(PLAY, in_order("(KS) KH (9D) 7C 4S"))) is None
    assert short(due_hands(PLAY, in_order("KS KH 5D 3C (8S) 4S"))) is None


@pytest.mark.parametrize(
    ("player", "banker", "is_wrong"),
    [
        ("", "KH", True),  # the first card is Player's
        ("KS 6D", "", True),  # and the second Banker's
        ("KS", "", False),
        ("KS", "KH", False),
        ("KS", "KH 5C", True),
        ("KS 6D", "KH", False),
        ("KS 6D 4S", "KH", True),  # a third before Banker has two
        ("KS 6D 4S 2S", "KH 5C", True),
        ("KS 5D 4S", "KH 7C", False),
        ("KS 6D 4S", "KH 7C", True),  # Player stands
        ("KS 9D 4S", "KH 5C", True),  # a natural
        ("KS 6D", "KH 5C 4S", False),  # Player stands, Banker draws
        ("KS 6D", "KH 6C 4S", True),
        ("KS 5D", "KH 3C 4S", True),  # Player draws first
        ("KS 5D 8S", "KH 3C 4S", True),  # three stands beside an eight
        ("KS 5D 7S", "KH 3C 4S", False),
        ("KS 5D ?", "KH 3C", False),
        ("KS 5D ?", "KH 3C 4S", True),  # given only once Player's third lies open
        ("KS 5D ?", "KH 2C 4S", False),  # two draws beside anything
        ("? 5D 4S", "KH 7C", True),  # no third card before four lie open
        ("? ?", "? ?", False),
    ],
)
def test_more_cards_than_the_table_of_play_gives_at_that_moment(player: str, banker: str, is_wrong: bool) -> None:
    assert has_wrong_number(PLAY, hands(player, banker)) is is_wrong


def hands(player: str, banker: str) -> tuple[RoundCard, ...]:
    words = [f"{word}@player" for word in player.split()] + [f"{word}@banker" for word in banker.split()]
    return lying(" ".join(words))


@pytest.mark.parametrize(
    ("player", "banker", "lacks"),
    [
        ("KS 6D", "KH", True),
        ("KS", "KH 7C", True),
        ("KS 6D", "KH 7C", False),
        ("KS 5D", "KH 7C", True),  # Player draws
        ("KS 6D", "KH 5C", True),  # Banker draws
        ("KS 9D", "KH 5C", False),  # a natural
        ("KS 5D 8S", "KH 3C", False),
        ("KS 5D 7S", "KH 3C", True),
        ("KS 5D 7S", "KH 3C 2C", False),
    ],
)
def test_fewer_cards_than_the_table_of_play_gives(player: str, banker: str, lacks: bool) -> None:
    assert is_short(PLAY, hands(player, banker)) is lacks


# ── Drawn together ───────────────────────────────────────────────────────────────────────────────


def evidence_of(scene: Scene) -> Evidence:
    assert scene.state.case is not None
    return scene.state.case.evidence


def test_where_cards_of_an_unknown_order_were_due_is_known_only_if_each_order_says_so() -> None:
    scene = scene_of("KS KH 4D 7C", "commission")
    scene.report("5H:player:together 6D:banker:together")
    assert due_by_order(scene.table, evidence_of(scene)) is None
    seen = scene_of("KS KH 4D 7C", "commission")
    seen.report("5H:player:together 6D:banker:together", order=SEEN)
    assert short(due_by_order(seen.table, evidence_of(seen))) == "PBPBP-"


def test_unseen_cards_drawn_together_are_ordered_by_where_they_lie() -> None:
    for entries in ("unseen:player:together unseen:banker:together", "unseen:banker:together unseen:player:together"):
        scene = scene_of("KS", faces=DOWN, source=ENTERED)
        scene.report(entries)
        assert [card.lies.value for card in evidence_of(scene).cards] == ["player", "banker", "player"]
        assert not is_to_be_put_right(scene.table.book, evidence_of(scene))


def test_what_the_system_knows_and_nobody_has_seen_is_unseen_too() -> None:
    scene = scene_of("9S", faces=DOWN)
    scene.report("8S:player:together 8C:banker:together")
    assert scene.found() == "drawn-together awaits options 5.10"
    assert [str(card.card) for card in evidence_of(scene).cards] == ["9S", "8C", "8S"]
    told = scene_of("9S", faces=DOWN, source=ENTERED)
    told.report("8S:player:together 8C:banker:together")
    assert told.found() == "drawn-together awaits order 5.10"  # whoever named them knows them
