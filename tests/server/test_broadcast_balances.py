"""One balance: free, staked and held are the same in every answer and on every stream of a player at one moment."""

from __future__ import annotations

from typing import Any

from punto.cards.source import SourceKind
from punto.client import Refused
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor
from tests.server.test_stream import opened

DEALT = ("5H", "KS", "3D", "2C")  # Player has a natural 8 against Banker's 2.


def give(floor: RunningFloor, id: str, command: dict[str, Any]) -> None:
    answer = floor.client("Dan").give(id, command, Role.DEALER, expected=floor.version(id))
    assert not isinstance(answer, Refused), answer


def bet(floor: RunningFloor, id: str, amount: int) -> None:
    command = {"type": "place-bet", "box": 1, "area": "player", "amount": amount, "round": 1}
    answer = floor.client("Lee").give(id, command)
    assert not isinstance(answer, Refused), answer


def shown(floor: RunningFloor) -> list[dict[str, int]]:
    """What each answer of the API says that Lee has."""
    lee = floor.client("Lee")
    tables = lee.http.get("/tables", params={"role": "player"}).json()["tables"]
    account, cashier = lee.http.get("/accounts/me").json(), floor.client("Cas").http.get("/cashier/accounts/Lee").json()
    return [*(one["view"]["mine"]["balance"] for one in tables), account["balance"], cashier["balance"]]


def test_every_answer_and_every_stream_of_a_player_says_the_same(floor: RunningFloor) -> None:
    physical = {"source": SourceKind.ENTERED, "burn": "none"}
    floor.client("Cas").buy_in("Lee", 100_000)
    ids = [floor.new_table("commission", **physical) for _ in range(3)]
    for id in ids:
        give(floor, id, {"type": "load-shoe"})
        assert not isinstance(floor.client("Lee").give(id, {"type": "take-seat", "box": 1}), Refused)
        give(floor, id, {"type": "call-bets"})
    start = shown(floor)[0]["free"]

    def same(free: int, staked: int, held: int) -> None:
        """All answers, and the last that each stream was told, which comes when the tables are quiet."""
        expected = {"free": start + free, "staked": staked, "held": held}
        assert shown(floor) == [expected] * len(shown(floor))
        for stream in streams:
            told: dict[str, int] = {}
            while told != expected:
                frame = stream.next(60)
                if frame["type"] in ("snapshot", "view"):
                    told = frame["view"]["mine"]["balance"]
                elif frame["type"] == "balance":
                    told = frame["balance"]

    streams = [opened(floor.client("Lee"), id, views=True) for id in ids]
    try:
        same(0, 0, 0)
        for number, id in enumerate(ids, start=1):
            bet(floor, id, 1_000)
            same(-1_000 * number, 1_000 * number, 0)
        give(floor, ids[0], {"type": "close-bets"})
        for card in DEALT:
            give(floor, ids[0], {"type": "deal-card", "card": card})
        give(floor, ids[0], {"type": "settle-round"})
        same(-3_000, 2_000, 2_000)
        assert not isinstance(floor.client("Lee").give(ids[0], {"type": "leave-seat"}), Refused)
        same(-1_000, 2_000, 0)
        floor.client("Cas").buy_in("Lee", 500)
        same(-500, 2_000, 0)
    finally:
        for stream in streams:
            stream.close()
