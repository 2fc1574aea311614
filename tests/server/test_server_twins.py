"""Two tables that differ only in cards that lie face down, or are still to come, give the same answers.

Searching answers for the names of cards, as `test_server_leak` does, finds what is said. It does not find what could
be worked out from odds, figures, refusals or lists. Here everything that can be asked about a table is asked
of both after every card, by people of every role, and each answer has to be the same byte for byte.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from punto.cards.card import Card
from punto.cards.shoe import Composition
from punto.cards.source import SourceKind
from punto.client import Refused
from punto.floor import shoe as floor_cards
from punto.floor.job import Accepted
from punto.rules.authority import Authority, Role
from punto.server import book_routes as odds
from punto.server.app import INSIDE
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.house import LoadShoe, TakeSeat
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Report
from punto.table.settlement import SettleRound
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.server.running_floor import RunningFloor

CARDS = zip(["KS", "2H", "9D", "4C"], ["3S", "9H", "9C", "8D"], strict=True)
"""The first four cards of a round at one table and at the other."""
PAST = ("/events?limit=1000", "/roads", "/history", "/statistics", "/cases", "/running", "/rounds/1", "/board")
ASKED = {
    "Lee": ("", *PAST, "/odds?shoe=live"),
    **dict.fromkeys(
        ("Kim", "Non", "Dan", "Sue", "Rob", "Aud", "Cas", "Ada"),
        ("", PAST[0], "/cases", "/dealing", "/rounds/1", "/board"),
    ),
}
MOMENTS = (["KS", "2H", "9D", "4C"], ["3S", "9H", "9C", "8D"])
"""Cards for which advice is asked: some of them lie there."""
CROOKS = {
    "Lee": Role.PLAYER,
    "Dan": Role.DEALER,
    "Sue": Role.PIT_SUPERVISOR,
    "Mia": Role.PIT_MANAGER,
    "Rob": Role.SHIFT_MANAGER,
}
TOLD: tuple[dict[str, Any], ...] = (
    *({"card": None, "lies": place, "face": face} for place in ("player", "table") for face in ("up", "down")),
    {"card": None, "lies": "banker", "face": "up", "together": True},
    {"card": "KS", "lies": "player"},
    *({"nth": 1, "lies": place} for place in ("banker", "floor", "table", "shoe")),
    *({"nth": 1, "face": "up", **truth} for truth in ({}, {"is": "KS"}, {"is": "3S"})),
    {"nth": 1, "is": "KS"},
    {"nth": 1, "together": True},
    {"nth": 1, "foreign": True},
)
TRIED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("report", {"cards": [told]}) for told in TOLD),
    ("report", {"cards": [TOLD[0]] * 6}),
    ("report", {"seen": ["uncovered"]}),
    ("report", {"cards": [TOLD[0]]}),
    *(("reveal-card", {"hand": hand, "number": 1}) for hand in ("player", "banker")),
    ("reveal-card", {"hand": "player", "number": 1, "card": "KS"}),
    ("order-cards", {"cards": ["KS", "3S"]}),
    ("judge-reconstruction", {"possible": True}),
    ("withdraw-evidence", {"cards": [1]}),
    ("correct-card", {"hand": "player", "number": 1, "card": "KS"}),
    ("open-seed", {"shoe": 1, "seed": "kept"}),
    ("replace-cards", {}),
    ("dismiss-report", {"reason": "a mistake"}),
)
_COMMITMENT = re.compile(r'"commitment":"[0-9a-f]{64}"')
"""Of a seed that nobody can guess: it tells nothing of the order."""
_TIME = re.compile(r"\b1[0-9]{12}\b")


class Twin:
    """A table that is dealt face down, and everything about it that somebody can ask for."""

    def __init__(self, floor: RunningFloor, source: SourceKind = SourceKind.ENTERED) -> None:
        self.floor, self.source = floor, source
        self.id = floor.new_table("insurance", source=source, faces=Faces.DOWN, burn="none")
        dealer: dict[str, Any] = {"actor": "Dan", "role": Role.DEALER}
        self.give(LoadShoe(**dealer))
        self.give(TakeSeat(actor="Lee", role=Role.PLAYER, box=1))
        self.give(CallBets(**dealer))
        bet: dict[str, Any] = {"actor": "Lee", "role": Role.PLAYER, "box": 1, "amount": 2000, "round": 1}
        self.give(PlaceBet(**bet, area="player"))
        self.give(CloseBets(**dealer))

    def give(self, command: Command) -> None:
        answer = self.floor.app_state.floor.give(self.id, command, self.floor.version(self.id))
        assert isinstance(answer, Accepted), answer

    def deal(self, card: str) -> None:
        named = Card(card) if self.source is SourceKind.ENTERED else None
        self.give(DealCard(actor="Dan", role=Role.DEALER, card=named))

    def attempts(self) -> dict[str, str]:
        """Everything that a crook of any role would report, turn, order or take back: what is answered."""
        found = {}
        for name, role in CROOKS.items():
            http = self.floor.client(name).http
            for number, (kind, fields) in enumerate(TRIED):
                version = self.floor.version(self.id)
                body: dict[str, Any] = {"key": f"{number}-{self.id}-{version}", "role": role.value, "expected": version}
                body["command"] = {"type": kind, **fields}
                answer = http.post(f"/tables/{self.id}/commands", json=body)
                found[f"{name} {number} {kind}"] = self._told(answer)
        return found

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
        text = _COMMITMENT.sub('"commitment":"DIGEST"', _TIME.sub("TIME", answer.text))
        return f"{answer.status_code} {text.replace(self.id, 'T')}"


@pytest.mark.slow
@pytest.mark.gli("C.6.4")
def test_nothing_that_can_be_asked_tells_the_twins_apart(floor: RunningFloor) -> None:
    floor.client("Cas").buy_in("Lee", 1_000_000)
    twins = Twin(floor), Twin(floor)
    for cards in CARDS:
        for twin, card in zip(twins, cards, strict=True):
            twin.deal(card)
        first, second = (twin.answers() for twin in twins)
        assert first == second
        assert first["Lee "].startswith("200 ") and first["Lee /odds?shoe=live"].startswith("200 ")
    one, other = (floor.app_state.floor.table(twin.id) for twin in twins)
    assert one is not None and other is not None
    assert one.table.state.player != other.table.state.player, "they do differ"


@pytest.mark.slow
def test_no_report_tells_the_twins_of_a_sealed_shoe_apart(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two shuffled shoes with other cards: whatever is tried before a card lies open is answered alike."""
    orders = [tuple(map(Card, cards)) for cards in MOMENTS]
    by_seed: dict[bytes, tuple[Card, ...]] = {}

    def order_of(seed: Any, decks: int, _: Any = ()) -> tuple[Card, ...]:
        first = by_seed.setdefault(seed.secret, orders[len(by_seed) % 2])
        return (*first, *Composition.of_decks(decks).less(first).cards())

    monkeypatch.setattr(floor_cards, "shoe_order", order_of)
    floor.client("Cas").buy_in("Lee", 1_000_000)
    twins = Twin(floor, SourceKind.SHUFFLED), Twin(floor, SourceKind.SHUFFLED)
    for number in range(4):
        for twin in twins:
            twin.deal("")
        if number < 3:  # with four cards out they may be turned
            first, second = (twin.attempts() for twin in twins)
            assert {what for what in first if first[what] != second[what]} == set()
            accepted = {what for what, told in first.items() if told.startswith("200")}
            assert {what.split(" ", 2)[2] for what in accepted} == {"report", "dismiss-report"}
            assert all("report" not in what or what.split()[1] == str(UNCOVERED) for what in accepted - DISMISSED)
        first, second = (twin.answers() for twin in twins)
        assert first == second
    one, other = (floor.app_state.floor.table(twin.id) for twin in twins)
    assert one is not None and other is not None
    assert one.table.state.player != other.table.state.player, "they do differ"


UNCOVERED = len(TOLD) + 1
"""The one report among those that are tried that speaks of no card."""
DISMISSED = {f"{name} {len(TRIED) - 1} dismiss-report" for name in CROOKS}


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["betting", "dealing", "finished", "settled", "case"])
def test_no_role_says_of_cards_what_the_record_does_not(floor: RunningFloor, moment: str) -> None:
    """Role, report and phase: nothing that is said of cards is taken, and nothing changes."""
    id = floor.new_table("ez", burn="none")
    dealer: dict[str, Any] = {"actor": "Dan", "role": Role.DEALER}

    def give(command: Command) -> None:
        assert isinstance(floor.app_state.floor.give(id, command, floor.version(id)), Accepted)

    give(LoadShoe(**dealer))
    give(CallBets(**dealer))
    cards = {"betting": 0, "dealing": 2}.get(moment, 6)
    while cards and (loaded := floor.app_state.floor.table(id)) and loaded.table.state.phase is not Phase.FINISHED:
        give(DealCard(**dealer))
        cards -= 1
    if moment == "settled":
        give(SettleRound(**dealer))
    if moment == "case":
        give(Report(**dealer, seen=(Seen.UNCOVERED,)))
    before = floor.version(id)
    for name, role in CROOKS.items():
        for told in TOLD:
            if told == {"nth": 1, "face": "up"}:
                continue  # so it lies at this table
            answer = floor.client(name).give(id, {"type": "report", "cards": [told]}, role, expected=before)
            assert isinstance(answer, Refused), (name, told)
            reasons = ("nothing-wrong", "card-named", "no-such-card")
            assert answer.reason in (("not-allowed",) if role is Role.PLAYER else reasons), (name, told)
    assert floor.version(id) == before


@pytest.mark.parametrize("name", ["Sue", "Mia", "Rob"])
def test_no_terms_give_a_player_the_powers_of_staff(floor: RunningFloor, name: str) -> None:
    id = floor.new_table("ez")
    loaded = floor.app_state.floor.table(id)
    assert loaded is not None
    for power in ("rule", "void-round", "dismiss-report", "report", "settle-round", "call-bets"):
        entry = Authority(power, (Role.PLAYER, Role.PIT_SUPERVISOR))
        terms = msgspec.to_builtins(msgspec.structs.replace(loaded.table.terms, authority=(entry,)))
        answer = floor.client(name).give(id, {"type": "change-terms", "terms": terms}, CROOKS[name])
        assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "wrong-terms")


@pytest.mark.slow
def test_odds_that_know_too_much_are_found(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live odds that leave out the cards face down: no card is named, and yet each could be worked out."""
    real = odds._undealt

    def knowing(table: Any, asked: Any) -> Any:
        decks, undealt = real(table, asked)
        slots = (*table.state.player, *table.state.banker)
        return decks, undealt.less(tuple(slot.card for slot in slots if not slot.face_up))

    monkeypatch.setattr(odds, "_undealt", knowing)
    floor.client("Cas").buy_in("Lee", 1_000_000)
    twins = Twin(floor), Twin(floor)
    for twin, card in zip(twins, ("KS", "9S"), strict=True):
        twin.deal(card)
    first, second = (twin.answers() for twin in twins)
    apart = {what for what in first if first[what] != second[what]}
    assert "Lee /odds?shoe=live" in apart and not apart & {"Lee ", "Lee /events?limit=1000"}


def test_every_call_about_a_table_is_asked() -> None:
    asked = {
        path.partition("?")[0].replace("/rounds/1", "/rounds/{round}") for paths in ASKED.values() for path in paths
    }
    known = {each.path.removeprefix("/tables/{id}") for each in INSIDE if each.path.startswith("/tables/{id}")}
    assert known - asked == {"/commands", "/advice", "/pit-calls", "/rack", "/board/key"}, "the last three are of staff"
