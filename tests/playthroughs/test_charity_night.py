"""A charity night from an empty machine to a closed day: forty guests by invitation, four tables, a cage, everything
that can go wrong in one evening, and at the end counts that equal the ledger to the unit.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from punto.client import Dispute
from punto.rules.authority import Role
from tests.cli.called import refusal
from tests.playthroughs import charity_night
from tests.playthroughs.charity_night import (
    BY_HAND,
    BY_MACHINE,
    GUESTS,
    SEATED,
    STAFF,
    TABLES,
    Clock,
    Night,
    chips_of,
    done,
    lines_told,
    told,
    why_not,
)

FIRST, MORE, DRAWER, FLOAT, FILL = 50_000, 20_000, 4_000_000, 500_000, 100_000
BUYING_MORE = GUESTS[:6]
KEEPING = GUESTS[-3:]
"""Who goes home without cashing out."""
CAREFUL, LEAVING, RECKONED, DISPUTING = SEATED["north"][1], SEATED["south"][2], SEATED["south"][3], SEATED["north"][0]


@pytest.mark.slow
def test_a_charity_night(tmp_path: Path) -> None:
    with charity_night.empty_machine(tmp_path) as patch:
        clock = Clock(patch)
        codes = set_up_the_house(patch)
        with charity_night.open_doors(clock) as night:
            open_the_cage_and_the_tables(night)
            guests_arrive(night, codes)
            play_the_evening(night)
            stop_and_close(night)
            paid = pay_everybody(night)
            look_at_the_software(night)
        settled = {table: settled_bets(lines_told("table", "log", table)) for table in TABLES}
        compare_with_the_ledger(settled, paid)
        compare_with_the_counts(settled)
        close_the_day(clock)
        compare_with_the_reports(settled, paid)
        look_back_at_what_mattered()


def set_up_the_house(patch: pytest.MonkeyPatch) -> list[str]:
    """Rules, people, tables and invitations, all with the command line; the codes of the invitations."""
    told("house", "rules", "operator=Friends of the Hospital", "shifts_required=true", "large_stake=200")
    for name, role in STAFF.items():
        charity_night.let_in(patch, name, role)
    for table, (book, layout, *_) in {**BY_HAND, **BY_MACHINE}.items():
        source = "entered" if table in BY_HAND else "shuffled"
        terms = ("burn=none", "minimum=10", f"source={source}")
        told("table", "new", table, book, layout, *terms, "--as", "Rob:shift-manager")
    made = told("house", "invite", "40", "--buy-in", "500", "-o", "guests.html")
    assert Path("guests.html").stat().st_size > 0
    return [invitation["code"] for invitation in made["invitations"]]


def open_the_cage_and_the_tables(night: Night) -> None:
    """A cashier's shift, a counted rack at every table, and two tables that deal by themselves."""
    early = {"key": "early", "account": "Dan", "amount": 100}
    assert night.refused("Cas", "POST", "/cashier/buy-in", early) == "no-shift"
    shift = night.ask("Cas", "POST", "/cashier/shift/open", {"chips": chips_of(DRAWER)})
    assert shift["opened"] == DRAWER
    for table in TABLES:
        night.sign(table, BY_HAND[table][2] if table in BY_HAND else "Dan", "Sue", "open", FLOAT)
    pace = dict.fromkeys(("antes", "insurance", "squeeze", "cards", "rounds"), 0)
    for table in BY_MACHINE:
        running = {"dealer": "automatic", "pace": {**pace, "bets": charity_night.BETS_MS}}
        assert night.ask("Sue", "PUT", f"/tables/{table}/running", running)["dealer"] == "automatic"
    for table in BY_HAND:
        night.deal(table, "load-shoe")


def guests_arrive(night: Night, codes: list[str]) -> None:
    """Forty log-ins by invitation, each with its first chips; some buy more; everybody finds a place."""
    for guest, code in zip(GUESTS, codes, strict=True):
        night.arrive(guest, code)
        assert done(night.who(guest).account()).free == FIRST
    assert night.refused("Ada", "POST", f"/invitations/{codes[0]}", {"name": "late", "password": "a good cause"}) == (
        "no-invitation"
    ), "a code holds once"
    for guest in BUYING_MORE:
        moved = done(night.who("Cas").buy_in(guest, MORE))
        assert night.ask(guest, "GET", f"/receipts/{moved.receipt}")["amount"] == MORE
    for table, guests in SEATED.items():
        for box, guest in enumerate(guests[:9], start=1):
            done(night.who(guest).give(table, {"type": "take-seat", "box": box}))


def play_the_evening(night: Night) -> None:
    """Three rounds everywhere, and everything that happens between them."""
    for round in (1, 2, 3):
        machines_play(night, round)
        if round == 1:
            a_limit_refuses_a_bet(night)
            night.round_by_hand("south")
            somebody_disputes(night)
        elif round == 2:
            a_card_goes_to_the_wrong_hand(night)
            a_fill_with_two_people(night)
            somebody_is_excluded_and_another_is_told_the_time(night)
        else:
            a_large_stake(night)


def machines_play(night: Night, round: int) -> None:
    for table in BY_MACHINE:
        night.wait_for(table, "bets-called", round)
        night.everybody_bets(table)
    night.time_goes_by()
    for table in BY_MACHINE:
        night.wait_for(table, "round-settled", round)


def a_limit_refuses_a_bet(night: Night) -> None:
    """A guest who wants to stake at most 20.00 tonight; one who wants to be told the time every quarter of an hour."""
    limit = {"what": "stake", "period": "session", "amount": 2_000}
    night.ask(CAREFUL, "PUT", "/accounts/me/limits", {"limits": [limit]})
    night.ask(RECKONED, "PUT", "/accounts/me/reality-check", {"minutes": 15})
    night.deal("north", "call-bets")
    assert why_not(night.bet("north", CAREFUL, "banker", 2_500)) == "limit"
    night.everybody_bets("north")
    night.finish_by_hand("north")


def somebody_disputes(night: Night) -> None:
    """A guest disputes a round, and the pit answers."""
    last = night.view("north")["round"]
    dispute = night.who(DISPUTING).dispute("north", last, "I had more on Banker")
    assert isinstance(dispute, Dispute), dispute
    assert night.who("Sue").disputes() == (dispute,)
    done(night.who("Mia").answer_dispute(dispute.dispute, "the record shows one bet"))


def a_card_goes_to_the_wrong_hand(night: Night) -> None:
    """Player's third card is put to Banker. The dealer says what lies where, the book finds the clause, and the pit
    supervisor puts the hand right: commission 5.1.2.
    """
    night.deal("north", "call-bets")
    night.everybody_bets("north", without=[CAREFUL])
    night.deal("north", "close-bets")
    *dealt, third = charity_night.WRONG_HAND
    for card in dealt:
        night.deal("north", "deal-card", card=card)
    reported = night.deal("north", "report", cards=[{"card": third, "lies": "banker"}])
    found = [record.event for record in reported.events if record.event["type"] == "clause-found"]
    assert [(event["finding"], event["clause"]) for event in found] == [("wrong-number", "5.1.2")]
    judged = done(night.act("north", "Sue", Role.PIT_SUPERVISOR, "judge-reconstruction", possible=True))
    assert {"cards-reconstructed", "deal-finished"} <= {record.event["type"] for record in judged.events}
    night.deal("north", "settle-round")


def a_fill_with_two_people(night: Night) -> None:
    """Chips from the cage to a table: the cashier brings them, the dealer takes them."""
    night.sign("north", "Cas", "Dan", "fill", FILL)
    assert night.ask("Aud", "GET", "/tables/north/rack")["fills"] == FILL


def somebody_is_excluded_and_another_is_told_the_time(night: Night) -> None:
    """An exclusion holds at once, and the bet that lies is settled. A reality check holds up bets until it is seen."""
    night.deal("south", "call-bets")
    done(night.bet("south", LEAVING, "banker", 1_000))
    night.ask(LEAVING, "POST", "/accounts/me/exclusion", {"days": 30})
    assert why_not(night.bet("south", LEAVING, "player", 1_000)) == "excluded"
    assert why_not(night.bet("south", RECKONED, "player", 1_000)) == "reality-check"
    shown = night.ask(RECKONED, "POST", "/accounts/me/reality-check")
    assert shown["minutes"] >= 15 and shown["net"] == shown["returned"] - shown["staked"]
    night.everybody_bets("south", without=[LEAVING])
    night.finish_by_hand("south")


def a_large_stake(night: Night) -> None:
    """Beyond the threshold of the house: a significant event, of which nobody at the table is told."""
    night.deal("north", "call-bets")
    done(night.bet("north", BUYING_MORE[0], "banker", 25_000))
    night.everybody_bets("north", without=[CAREFUL, BUYING_MORE[0]])
    night.finish_by_hand("north")


def stop_and_close(night: Night) -> None:
    """The floor is stopped in the middle of rounds: they are finished, and no other begins. Then tables are closed,
    so that everything held is free, and racks are counted.
    """
    rounds = {table: night.view(table)["round"] for table in TABLES}
    night.deal("south", "call-bets")
    night.everybody_bets("south", without=[LEAVING])
    for table in BY_MACHINE:
        night.wait_for(table, "bets-called", 4)
        night.everybody_bets(table)
    night.ask("Rob", "POST", "/house/stop", {"reason": "last round"})
    assert why_not(night.act("north", "Dan", Role.DEALER, "call-bets")) == "stopped"
    night.finish_by_hand("south")
    night.time_goes_by()
    for table in BY_MACHINE:
        night.wait_for(table, "round-settled", 4)
    assert why_not(night.act("south", "Dora", Role.DEALER, "call-bets")) == "stopped"
    for table in TABLES:
        done(night.act(table, "Sue", Role.PIT_SUPERVISOR, "close-table"))
        night.sign(table, "Dan", "Sue", "close", FLOAT + (FILL if table == "north" else 0) + chips_won(night, table))
    assert {table: night.view(table)["round"] for table in TABLES} == {
        **rounds,
        "south": rounds["south"] + 1,
        **dict.fromkeys(BY_MACHINE, 4),
    }


def chips_won(night: Night, table: str) -> int:
    """What a table has won, as an auditor adds it up from its events."""
    events = done(night.who("Aud").events(table, limit=1000, role=Role.AUDITOR)).events
    return -sum(int(bet["net"]) for bet in settled_bets([{"event": record.event} for record in events]))


def pay_everybody(night: Night) -> int:
    """Whoever does not keep an account for the next night cashes out; what was paid. The drawer is counted."""
    paid = 0
    for guest in GUESTS:
        free = done(night.who(guest).account()).free
        if guest not in KEEPING and free:
            done(night.who("Cas").cash_out(guest, free))
            paid += free
    drawer = DRAWER + MORE * len(BUYING_MORE) - paid
    shift = night.ask("Cas", "POST", "/cashier/shift/close", {"chips": chips_of(drawer)})
    assert (shift["bought"], shift["paid"], shift["difference"]) == (MORE * len(BUYING_MORE), paid, 0)
    return paid


def look_at_the_software(night: Night) -> None:
    """Every file of the software is compared with what was installed, now; the result is kept."""
    found = night.ask("Aud", "POST", "/audit/integrity")
    kept = night.ask("Aud", "GET", "/audit/integrity")
    assert found["ok"] and kept["now"]["digest"] == found["digest"]


def settled_bets(records: list[Any]) -> list[dict[str, Any]]:
    """Every settled bet of a log of a table; no settlement of this night was taken back."""
    events = [record["event"] for record in records]
    assert "settlement-reversed" not in {event["type"] for event in events}
    return [bet for event in events if event["type"] == "round-settled" for bet in event["bets"]]


def minor(amount: str) -> int:
    """An amount of the command line in minor units, without the code that wrote it."""
    whole, _, cents = amount.removeprefix("-").partition(".")
    return (-1 if amount.startswith("-") else 1) * (int(whole) * 100 + int(cents or "0"))


def movements_of(guest: str) -> Counter[str]:
    """What the movements of each kind of a guest come to, by the statement."""
    sums: Counter[str] = Counter()
    for line in told("account", "statement", guest)["lines"]:
        sums[line["kind"]] += minor(line["amount"])
    return sums


def compare_with_the_ledger(settled: dict[str, list[dict[str, Any]]], paid: int) -> None:
    """What guests brought, less what they took and what they still have, is what the tables have won, to the unit;
    and so for every guest alone.
    """
    bets = [bet for table in TABLES for bet in settled[table]]
    assert len(bets) == 137, "every bet of the night was settled"
    all_moved: Counter[str] = Counter()
    for guest in GUESTS:
        moved, own = movements_of(guest), [bet for bet in bets if bet["player"] == guest]
        free = minor(told("account", "show", guest)["free"])
        assert free == (0 if guest not in KEEPING else moved.total())
        assert moved["buy-in"] == FIRST + (MORE if guest in BUYING_MORE else 0)
        assert moved["bet"] == -sum(bet["stake"] for bet in own)
        assert moved["release"] == sum(bet["stake"] + bet["net"] for bet in own)
        assert moved.total() == free
        all_moved.update({**moved, "free": free})
    won = -sum(bet["net"] for bet in bets)
    assert won == all_moved["buy-in"] + all_moved["cash-out"] - all_moved["free"]
    assert -all_moved["cash-out"] == paid


def compare_with_the_counts(settled: dict[str, list[dict[str, Any]]]) -> None:
    """The chips that two people counted at every table are those of the opener, the fill and the bets."""
    slips = [event["after"] for event in lines_told("audit", "events") if event["code"] == "rack-slip"]
    counted = {slip["table_id"]: slip for slip in slips if slip["kind"] == "close"}
    assert len(slips) == 9 and set(counted) == set(TABLES)
    for table, slip in counted.items():
        fill = FILL if table == "north" else 0
        assert slip["amount"] == slip["expected"] == FLOAT + fill - sum(bet["net"] for bet in settled[table])


def close_the_day(clock: Clock) -> None:
    """Not before the gaming day is over; then for good, once, with files that are what their sums say."""
    night = told("house", "report", "floor")["to"] // 1000
    day = (datetime.fromtimestamp(night, UTC) - timedelta(hours=6)).date().isoformat()
    assert "not over" in refusal("house", "close-day", "--day", day)
    clock.put_on(24 * 3_600_000)
    closed = told("house", "close-day", "--day", day, "-o", "days")
    folder = Path(closed["folder"])
    for name, digest in closed["files"].items():
        assert sha256((folder / name).read_bytes()).hexdigest() == digest
    assert {"anchor.json", "floor.json", "cashier.csv", "player.html"} <= set(closed["files"])
    assert told("audit", "verify", "--anchor", str(folder / "anchor.json"))["ok"]
    assert "closed" in refusal("house", "close-day", "--day", day)
    [fixed] = told("house", "report", "floor", "--day", day)["fixed"]
    assert (fixed["day"], fixed["is_same"]) == (day, True)


def compare_with_the_reports(settled: dict[str, list[dict[str, Any]]], paid: int) -> None:
    """Every total that the reports have is what the test adds up from events and statements."""
    bets = [bet for table in TABLES for bet in settled[table]]
    handle, won = sum(bet["stake"] for bet in bets), -sum(bet["net"] for bet in bets)
    bought, free = FIRST * len(GUESTS) + MORE * len(BUYING_MORE), sum(movements_of(guest).total() for guest in KEEPING)
    floor = told("house", "report", "floor")
    rows = {row["table"]: (row["rounds"], minor(row["handle"]), minor(row["win"])) for row in floor["rows"]}
    for table in TABLES:
        own = settled[table]
        rounds = 3 if table in BY_HAND else 4
        assert rows[table] == (rounds, sum(bet["stake"] for bet in own), -sum(bet["net"] for bet in own))
    totals = floor["totals"]
    assert (totals["rounds"], totals["bets"], totals["irregularities"], totals["voids"]) == (14, len(bets), 1, 0)
    told_so = [minor(totals[name]) for name in ("handle", "win", "commission", "free", "held", "in_play", "liability")]
    commission = sum(bet.get("commission", 0) for bet in bets)
    assert told_so == [handle, won, commission, free, 0, 0, free]
    players = told("house", "report", "player")["totals"]
    told_so = [minor(players[name]) for name in ("handle", "net", "buy_ins", "cash_outs", "free")]
    assert (players["players"], told_so) == (len(GUESTS), [handle, -won, bought, paid, free])
    cashier = told("house", "report", "cashier")
    desk = {row["cashier"]: (minor(row["buy_ins"]), minor(row["cash_outs"])) for row in cashier["rows"]}
    assert desk["Cas"] == (MORE * len(BUYING_MORE), paid)
    assert minor(cashier["totals"]["drawer_change"]) == bought - paid == won + free
    areas = Counter[str]()
    for row in told("house", "report", "table")["rows"]:
        areas[row["area"]] += minor(row["handle"])
    assert areas == Counter({area: sum(bet["stake"] for bet in bets if bet["area"] == area) for area in areas})
    dealt = {
        row["dealer"]: row["rounds"] for row in told("house", "report", "staff")["rows"] if row["table"] in BY_HAND
    }
    assert dealt == {"Dan": 3, "Dora": 3}
    assert told("house", "report", "alterations")["totals"]["by_kind"]["play-stopped"] == 1


def look_back_at_what_mattered() -> None:
    """Nothing was changed, and the house was told of everything that mattered, once."""
    assert {"ok": True, "problems": []}.items() <= told("audit", "verify").items()
    events = lines_told("audit", "events")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    counts = Counter(event["code"] for event in events)
    assert (counts["invitation-made"], counts["invitation-used"], counts["rack-slip"]) == (40, 40, 9)
    assert counts["table-opened"] == counts["table-closed"] == len(TABLES)
    once = {
        **{"rules-changed": None, "shift-opened": "Cas", "shift-closed": "Cas", "play-stopped": "Rob"},
        **{"limits-changed": CAREFUL, "player-excluded": LEAVING, "reality-check-answered": RECKONED},
        **{"dispute-raised": DISPUTING, "dispute-answered": "Mia", "case-closed": "Sue"},
        **{"large-stake": BUYING_MORE[0], "integrity-checked": "Aud", "day-closed": None},
    }
    for code, who in once.items():
        [event] = [event for event in events if event["code"] == code]
        assert who is None or event["who"] == who, event
    assert not {"count-differs", "round-voided", "settlement-reversed", "clock-put-back"} & counts.keys()
