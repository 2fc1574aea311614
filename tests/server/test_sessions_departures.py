"""Who logs out gives the seat back: not before bets are settled, and not while another session is open."""

from __future__ import annotations

from pathlib import Path

from punto.cards.source import SourceKind
from punto.client import Done
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

        departures = floor.app_state.departures
        departures.look()
        assert seats(floor, croupier.table) == {1: "Kim", 2: "Lee"}
        croupier.deal("2S 3H 5D 6C")  # Player 7, Banker 9
        croupier.finish()
        departures.look()
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
        floor.app_state.departures.look()
        assert seats(floor, croupier.table) == {2: "Lee"}
        floor.app_state.departures.look()
        assert seats(floor, croupier.table) == {2: "Lee"}, "to have gone once is over"
