"""No dead end in the small world: from every state of a round, its people can bring it to its end.

`python -m tests.table.small_world` goes through a larger one, of more cards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from punto.books import NAMES
from punto.cards.source import SourceKind
from punto.refusal import Reason, Refusal
from punto.table.acting import VERBS
from punto.table.dealing import RevealCard
from punto.table.terms import Faces
from tests.table.small_world import REPORTS, World, explored

DOWN: dict[str, Any] = {"faces": Faces.DOWN}
PHYSICAL: dict[str, Any] = {"faces": Faces.DOWN, "source": SourceKind.ENTERED}
BETS = {"insurance": "player", "knockout": "ante-player"}


def told(world: World) -> list[str]:
    states = [table.state for table in world.dead_ends()]
    return [f"{state.phase.value} {state.case and state.case.found}" for state in states]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("book", "cards", "reports", "terms", "least"),
    [
        # A wrong number of cards has its own remedy in every book but ez, so fewer states wait for a ruling.
        *((book, "6D", REPORTS, {}, 450) for book in NAMES),
        ("knockout", "KS 6D", (), PHYSICAL, 1_000),
        ("insurance", "6D", (), DOWN, 100),
        ("commission", "6D", REPORTS[::3], PHYSICAL, 500),
    ],
)
def test_every_state_of_a_round_leads_to_its_end(
    book: str, cards: str, reports: tuple[str, ...], terms: dict[str, Any], least: int
) -> None:
    world = explored(book, (BETS.get(book, "banker"),), cards, reports, **terms)
    print(book, len(world.states))
    assert len(world.states) >= least, "the world is smaller than it was"
    assert told(world) == []


def test_a_dead_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nobody allowed to open cards, a table that deals them face down could not go on."""
    never = replace(VERBS[RevealCard], judge=lambda *_: Refusal(Reason.NO_SUCH_CARD, None))
    monkeypatch.setitem(cast("dict[Any, Any]", VERBS), RevealCard, never)
    assert told(explored("commission", ("banker",), "6D", (), **DOWN))
