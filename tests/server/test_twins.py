"""Two tables that differ only in cards that lie face down give the same answers, whatever is asked.

Searching answers for the names of cards, as `test_leak` does, finds what is said. It does not find what could
be worked out from odds, figures, refusals or lists. Here everything that can be asked about a table is asked
of both after every card, by people of every role, and each answer has to be the same byte for byte.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.floor.job import Accepted
from punto.rules.role import Role
from punto.server.app import INSIDE
from punto.server.routes import odds
from punto.table import command as c
from punto.table.terms import Faces
from tests.server.running_floor import RunningFloor

CARDS = zip(["KS", "2H", "9D", "4C"], ["3S", "9H", "9C", "8D"], strict=True)
"""The first four cards of a round at one table and at the other."""
PAST = ("/events?limit=1000", "/roads", "/history", "/statistics", "/cases", "/running")
ASKED = {
    "Lee": ("", *PAST, "/odds?shoe=live"),
    **dict.fromkeys(("Kim", "Non", "Dan", "Sue", "Rob", "Aud", "Cas", "Ada"), ("", PAST[0], "/cases")),
}
MOMENTS = (["KS", "2H", "9D", "4C"], ["3S", "9H", "9C", "8D"])
"""Cards for which advice is asked: some of them lie there."""
_TIME = re.compile(r"\b1[0-9]{12}\b")


class Twin:
    """A table with a physical shoe, dealt face down, and everything about it that somebody can ask for."""

    def __init__(self, floor: RunningFloor) -> None:
        self.floor = floor
        self.id = floor.new_table("insurance", source=SourceKind.ENTERED, faces=Faces.DOWN)
        dealer: dict[str, Any] = {"actor": "Dan", "role": Role.DEALER}
        self.give(c.LoadShoe(**dealer))
        self.give(c.BurnCards(**dealer, card=Card("2S")))
        self.give(c.TakeSeat(actor="Lee", role=Role.PLAYER, box=1))
        self.give(c.CallBets(**dealer))
        bet: dict[str, Any] = {"actor": "Lee", "role": Role.PLAYER, "box": 1, "amount": 2000, "round": 1}
        self.give(c.PlaceBet(**bet, area="player"))
        self.give(c.CloseBets(**dealer))

    def give(self, command: c.Command) -> None:
        answer = self.floor.hall.floor.give(self.id, command, self.floor.version(self.id))
        assert isinstance(answer, Accepted), answer

    def deal(self, card: str) -> None:
        self.give(c.DealCard(actor="Dan", role=Role.DEALER, card=Card(card)))

    def answers(self) -> dict[str, str]:
        """By person and call: status and body, without the times and the name of the table."""
        found = {}
        for name, paths in ASKED.items():
            http = self.floor.client(name).http
            for path in paths:
                found[f"{name} {path}"] = self._told(http.get(f"/tables/{self.id}{path}"))
        http = self.floor.client("Lee").http
        for cards in MOMENTS:
            body = {"cards": cards, "shoe": "live"}
            found[f"advice {cards}"] = self._told(http.post(f"/tables/{self.id}/advice", json=body))
        bet = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 1000}
        for word, command in (("bet", bet), ("deal", {"type": "deal-card"})):
            key = f"{word}-{self.id}-{self.floor.version(self.id)}"
            asked = {"key": key, "role": "player", "command": command}
            found[word] = self._told(http.post(f"/tables/{self.id}/commands", json=asked))
        auditor = self.floor.client("Aud").http
        for path in (f"rounds?table={self.id}", f"rounds/{self.id}/1", f"shoes/{self.id}/1"):
            found[f"audit {path.replace(self.id, 'T')}"] = self._told(auditor.get(f"/audit/{path}"))
        return found

    def _told(self, answer: Any) -> str:
        return f"{answer.status_code} {_TIME.sub('TIME', answer.text).replace(self.id, 'T')}"


@pytest.mark.slow
def test_nothing_that_can_be_asked_tells_the_twins_apart(floor: RunningFloor) -> None:
    floor.client("Cas").buy_in("Lee", 1_000_000)
    twins = Twin(floor), Twin(floor)
    for cards in CARDS:
        for twin, card in zip(twins, cards, strict=True):
            twin.deal(card)
        first, second = (twin.answers() for twin in twins)
        assert first == second
        assert first["Lee "].startswith("200 ") and first["Lee /odds?shoe=live"].startswith("200 ")
    one, other = (floor.hall.floor.table(twin.id) for twin in twins)
    assert one is not None and other is not None
    assert one.table.state.player != other.table.state.player, "they do differ"


@pytest.mark.slow
def test_odds_that_know_too_much_are_found(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live odds that leave out the cards face down: no card is named, and yet each could be worked out."""
    real = odds._undealt

    def knowing(table: Any, asked: Any) -> Any:
        decks, undealt = real(table, asked)
        slots = (*table.state.player, *table.state.banker)
        return decks, undealt.less(tuple(slot.card for slot in slots if not slot.face_up))

    monkeypatch.setattr(odds, "_undealt", knowing)
    twins = Twin(floor), Twin(floor)
    for twin, card in zip(twins, ("KS", "9S"), strict=True):
        twin.deal(card)
    first, second = (twin.answers() for twin in twins)
    apart = {what for what in first if first[what] != second[what]}
    assert "Lee /odds?shoe=live" in apart and not apart & {"Lee ", "Lee /events?limit=1000"}


def test_every_call_about_a_table_is_asked() -> None:
    asked = {path.partition("?")[0] for paths in ASKED.values() for path in paths}
    known = {
        each.path.removeprefix("/tables/{id}") for each in INSIDE if each.path.startswith("/tables/{id}")
    }
    assert known - asked == {"/commands", "/advice", "/pit-calls"}, "the last is a note of staff"
