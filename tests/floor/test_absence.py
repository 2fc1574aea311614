"""Seats of players who have gone: whoever logs out, stays quiet, or is marked as away; and who keeps theirs."""

from __future__ import annotations

from pathlib import Path

from punto.cards.source import SourceKind
from punto.client import Done
from punto.floor.absence import Absences
from punto.floor.house_rules import change_rules
from punto.rules.authority import Role
from tests.browser.croupier import Croupier
from tests.server.running_floor import RunningFloor, running_floor


def seats(floor: RunningFloor, table: str) -> dict[int, str]:
    loaded = floor.app_state.floor.table(table)
    assert loaded is not None
    return dict(loaded.table.state.seats)


def test_a_seat_is_given_back_by_whoever_logs_out(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        floor.client("Cas").buy_in("Lee", 100_000)
        croupier, other = Croupier(floor, "commission"), floor.new_table("ez", source=SourceKind.ENTERED)
        here, phone = floor.fresh_client("Lee"), floor.fresh_client("Lee")
        for table in (croupier.table, other):
            assert isinstance(here.give(table, {"type": "take-seat", "box": 2}, Role.PLAYER), Done)
        croupier.give("take-seat", by="Kim", role=Role.PLAYER, box=1)
        croupier.open_bets()
        bet = {"type": "place-bet", "box": 2, "area": "banker", "amount": 2500, "round": 1}
        assert isinstance(here.give(croupier.table, bet, Role.PLAYER), Done)

        assert phone.http.delete("/sessions/current").status_code == 204
        assert (seats(floor, croupier.table), seats(floor, other)) == ({1: "Kim", 2: "Lee"}, {2: "Lee"})
        assert here.http.delete("/sessions/current").status_code == 204
        assert (seats(floor, croupier.table), seats(floor, other)) == ({1: "Kim", 2: "Lee"}, {}), "a bet is live"

        absences = floor.app_state.absences
        absences.look()
        assert seats(floor, croupier.table) == {1: "Kim", 2: "Lee"}
        croupier.deal("2S 3H 5D 6C")  # Player 7, Banker 9
        croupier.finish()
        absences.look()
        assert seats(floor, croupier.table) == {1: "Kim"}
        account = floor.fresh_client("Lee").http.get("/accounts/me").json()
        assert account["balance"] == {"free": 100_000 + 2375, "staked": 0, "held": 0}


def test_whoever_comes_back_before_keeps_the_seat(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        floor.client("Cas").buy_in("Lee", 100_000)
        croupier, lee = Croupier(floor, "commission"), floor.fresh_client("Lee")
        assert isinstance(lee.give(croupier.table, {"type": "take-seat", "box": 2}, Role.PLAYER), Done)
        croupier.open_bets()
        bet = {"type": "place-bet", "box": 2, "area": "banker", "amount": 2500, "round": 1}
        assert isinstance(lee.give(croupier.table, bet, Role.PLAYER), Done)
        assert lee.http.delete("/sessions/current").status_code == 204
        floor.fresh_client("Lee")
        croupier.deal("2S 3H 5D 6C")
        croupier.finish()
        floor.app_state.absences.look()
        assert seats(floor, croupier.table) == {2: "Lee"}
        floor.app_state.absences.look()
        assert seats(floor, croupier.table) == {2: "Lee"}, "to have gone once is over"


def test_a_seat_that_waits_for_its_bet_is_given_back_after_a_restart(tmp_path: Path) -> None:
    database = str(tmp_path / "house.db")
    with running_floor(database) as floor:
        floor.client("Cas").buy_in("Lee", 100_000)
        croupier, lee = Croupier(floor, "commission"), floor.fresh_client("Lee")
        assert isinstance(lee.give(croupier.table, {"type": "take-seat", "box": 2}, Role.PLAYER), Done)
        croupier.open_bets()
        bet = {"type": "place-bet", "box": 2, "area": "banker", "amount": 2500, "round": 1}
        assert isinstance(lee.give(croupier.table, bet, Role.PLAYER), Done)
        assert lee.http.delete("/sessions/current").status_code == 204
        assert seats(floor, croupier.table) == {2: "Lee"}
    with running_floor(database) as floor:
        croupier.floor = floor
        croupier.deal("2S 3H 5D 6C")
        croupier.finish()
        floor.app_state.absences.look()
        assert seats(floor, croupier.table) == {}


KEPT_MS = 30 * 60_000


def test_how_long_a_seat_is_kept_is_a_rule_of_the_house(tmp_path: Path) -> None:
    """Lee sits down, bets once and does nothing more; staff seats Kim and Max, and says that Max is away."""
    with running_floor(str(tmp_path / "house.db")) as floor:
        for player in ("Lee", "Kim", "Max"):
            floor.client("Cas").buy_in(player, 100_000)
            floor.client(player)  # each has a session
        croupier, now = Croupier(floor, "commission"), 0
        absences = Absences(floor.app_state.floor, lambda: now)
        croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
        croupier.give("take-seat", player="Kim", box=2)
        croupier.give("take-seat", player="Max", box=3)
        croupier.give("walk-away", player="Max")
        croupier.open_bets()
        croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="banker", amount=2500, round=1)
        now = floor.app_state.now() + KEPT_MS
        absences.look()
        assert seats(floor, croupier.table) == {1: "Lee", 2: "Kim", 3: "Max"}, "a round is on"
        croupier.deal("2S 3H 5D 6C")
        croupier.finish()
        now = floor.app_state.now() + KEPT_MS // 2
        absences.look()
        assert seats(floor, croupier.table) == {1: "Lee", 2: "Kim", 3: "Max"}
        loaded = floor.app_state.floor.table(croupier.table)
        assert loaded is not None
        now = loaded.table.state.since + KEPT_MS - 1
        absences.look()
        assert seats(floor, croupier.table) == {1: "Lee", 2: "Kim"}, "Lee has a part in the last round"
        now += 1
        change_rules(floor.store, {"seat_kept_minutes": 31}, "Ada", 1)
        absences.look()
        assert seats(floor, croupier.table) == {1: "Lee", 2: "Kim"}
        change_rules(floor.store, {"seat_kept_minutes": None}, "Ada", 1)
        absences.look()
        assert seats(floor, croupier.table) == {2: "Kim"}, "whom staff seated stays"
        events = floor.client("Dan").events(croupier.table).events  # type: ignore[union-attr]
        gone = [(one.event["player"], one.event["by"]) for one in events if one.event["type"] == "seat-left"]
        assert gone == [("Max", "the dealer"), ("Lee", "the dealer")]
