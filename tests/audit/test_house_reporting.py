"""Every figure of every report of a house over random lives, against a second reading of the raw rows.

A life goes on for some gaming days at ten tables. Spans are cut anywhere, also in the middle of rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import floor
from random import Random
from typing import Any

import msgspec
import pytest

from punto.audit import house_report as reports
from punto.audit.house_report import ReportKind
from punto.books import NAMES
from punto.floor.desk import Desk
from punto.floor.gaming_day import SpanQuery, house_report
from punto.floor.house_rules import change_rules
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.people import set_roles
from punto.store.pit import keep_run
from punto.store.record import AccountOwner
from punto.store.store import Store, open_store
from punto.table.header import Person
from tests.audit.raw_house import RawHouse
from tests.floor.life import live_block

STEP = 11 * 60_000  # From one command to the next, so that a life of a few rounds goes on for days.
TEST_ACCOUNT, BOT = "Cat", "Eve"
SUE, CAS, PIA = Person("Sue", Role.PIT_MANAGER), Person("Cas", Role.CASHIER), Person("Pia", Role.CASHIER)
MADE = 10**12


@pytest.mark.slow
@pytest.mark.gli("2.8.3")
@pytest.mark.gli("2.9.1")
@pytest.mark.gli("2.9.2")
@pytest.mark.gli("2.9.3")
@pytest.mark.gli("2.9.5")
@pytest.mark.parametrize(("block", "half"), [(735, 0), (716, 1)])
def test_every_figure_is_that_of_a_second_reading(block: int, half: int, database: str) -> None:
    with open_store(database) as store:
        live_block(store, block, 3, STEP, NAMES[half::2])
        work_at_desk(store, Random(block))
        with store.read() as reader:
            raw = RawHouse(reader)
        assert_lively(raw, ("wager-placed", "error-found-late") if half == 0 else ("insurance-taken",))
        for check in CHECKS:
            check(store, raw)


def assert_lively(raw: RawHouse, kinds: tuple[str, ...]) -> None:
    """Much happened in this life, and much of it is counted in its own way."""
    happened = {event["type"] for events in raw.events.values() for event in events}
    assert happened >= {"round-voided", "settlement-reversed", "case-closed", *kinds}


def work_at_desk(store: Store, random: Random) -> None:
    desk = Desk(store)
    for _ in range(12):
        now, amount = random.randrange(5 * 86_400_000), random.randrange(1, 50_000)
        player = random.choice(("Ann", "Ben", TEST_ACCOUNT, BOT))
        assert not isinstance(desk.buy_in(player, amount, random.choice((CAS, PIA)), now), Refusal)
        assert not isinstance(desk.cash_out(player, amount // 2 + 1, CAS, now + 1), Refusal)
        sign = random.choice((-1, 1))
        assert not isinstance(desk.correct(player, sign * (amount // 3 + 1), SUE, CAS, "count", now + 2), Refusal)
    desk.mark_account(TEST_ACCOUNT, AccountOwner.TEST, 7)
    desk.mark_account(BOT, AccountOwner.BOT, 7)
    assert not isinstance(change_rules(store, {"large_win": 5_000}, "Ada", 7, "trying"), Refusal)
    assert not isinstance(change_rules(store, {"operator": "Casino Punto"}, "Ada", 8 * 3_600_000), Refusal)
    with store.write() as transaction:
        table = transaction.tables()[0].id
        keep_run(transaction, table, {"dealer": "person", "pace": None, "bots": f'["{BOT}"]'}, "Sue", 9_000_000)
        set_roles(transaction, "Ben", (Role.PLAYER, Role.DEALER), "Ada", 3 * 86_400_000)


def spans(raw: RawHouse, random: Random, number: int = 2) -> Iterator[tuple[int, int]]:
    last = max(event["time"] for events in raw.events.values() for event in events)
    yield 0, last + 1
    for _ in range(number):
        start, end = sorted((random.randrange(last), random.randrange(last)))
        yield start, end


def made(store: Store, kind: ReportKind, start: int, end: int, table: str | None = None) -> Any:
    with store.read() as reader:
        report = house_report(reader, kind, SpanQuery(from_=start, to=end, table=table), MADE)
    assert not isinstance(report, Refusal), report.sentence
    return report


def rounded(exact: Fraction) -> int:
    return floor(exact + Fraction(1, 2))


def theory(raw: RawHouse, table: str, lines: list[dict[str, Any]]) -> tuple[Fraction, int]:
    taken, total, without = raw.insured(table), Fraction(0), 0
    for line in lines:
        unit = raw.odds_of(table, line, taken)
        if unit is None:
            without += line["stake"]
        else:
            total += unit[0] * line["stake"]
    return total, without


def expected_play(raw: RawHouse, tables: list[str], start: int, end: int, who: str) -> dict[str, Any]:
    lines = [(table, line) for table in tables for line in raw.lines(table, start, end)]
    own = [(table, line) for table, line in lines if raw.who(line["player"]) == who]
    drop = sum(
        amount for table in tables for player, amount in raw.drops(table, start, end).items() if raw.who(player) == who
    )
    exact, without = Fraction(0), 0
    for table in tables:
        part = theory(raw, table, [line for where, line in own if where == table])
        exact, without = exact + part[0], without + part[1]
    win, handle = (sum(line[name] for _, line in own) for name in ("win", "stake"))
    return {
        "bets": sum(line["sign"] for _, line in own),
        "handle": handle,
        "drop": drop,
        "win": win,
        "hold": float(Fraction(win, drop)) if drop else None,
        "commission": sum(line["commission"] for _, line in own),
        "theoretical_win": rounded(exact),
        "theoretical_exact": str(exact),
        "unweighed": without,
    }


def expected_table(raw: RawHouse, tables: list[str], start: int, end: int) -> dict[str, Any]:
    rounds = sum(sign for table in tables for sign, _, _ in raw.rounds(table, start, end))
    open_ms = sum(raw.open_ms(table, start, end) for table in tables)
    wrong = [count for table in tables for (_, kind), count in raw.wrong(table, start, end).items() if kind != "void"]
    least, greatest = raw.bounds([(table, start, end) for table in tables])
    play = expected_play(raw, tables, start, end, "player")
    return {
        **play,
        "currency": "USD",
        "rounds": rounds,
        "open_ms": open_ms,
        "rounds_an_hour": float(Fraction(rounds * 3_600_000, open_ms)) if open_ms else None,
        "voids": sum(raw.count(table, "round-voided", start, end) for table in tables),
        "reversals": sum(raw.count(table, "settlement-reversed", start, end) for table in tables),
        "irregularities": sum(wrong),
        "least_win": least,
        "greatest_win": greatest,
        "beyond_chance": not least <= play["win"] <= greatest,
    }


def check_floor(lived: Store, raw: RawHouse) -> None:
    for start, end in spans(raw, Random(1)):
        report = made(lived, ReportKind.FLOOR, start, end)
        funds = raw.funds(end)
        owed = [has for player, has in funds.items() if raw.who(player) == "player"]
        tables = [table for table in raw.tables if raw.events[table][0]["time"] < end]
        assert [row.table for row in report.rows] == tables
        for row in report.rows:
            lying = sum(has["lying"][row.table] for has in owed)
            wanted = {**expected_table(raw, [row.table], start, end), "in_play": lying, "digest": raw.tables[row.table]}
            assert {name: getattr(row, name) for name in wanted} == wanted
        owing = {name: sum(has[name] for has in owed) for name in ("free", "held")}
        owing["in_play"] = sum(has["lying"].total() for has in owed)
        wanted = {**expected_table(raw, tables, start, end), **owing, "liability": sum(owing.values())}
        assert {name: getattr(report.totals, name) for name in wanted} == wanted
        check_apart(raw, report, start, end)
        check_wrong(raw, report, start, end)
        assert (report.from_, report.to, report.made, report.operator) == (start, end, MADE, "Casino Punto")
        assert report.is_active and report.title and report.version


def check_apart(raw: RawHouse, report: reports.FloorReport, start: int, end: int) -> None:
    found = {(row.table, row.accounts.value): row for row in report.apart}
    for table in raw.tables:
        for who in ("bot", "test"):
            wanted = expected_play(raw, [table], start, end, who)
            if wanted["bets"] or wanted["drop"] or wanted["handle"]:
                row = found.pop((table, who))
                assert {name: getattr(row, name) for name in wanted} == wanted
    assert not found


def check_wrong(raw: RawHouse, report: reports.FloorReport, start: int, end: int) -> None:
    wanted = {
        (table, dealer, kind): count
        for table in raw.tables
        for (dealer, kind), count in raw.wrong(table, start, end).items()
    }
    assert {(row.table, row.dealer, row.kind): row.count for row in report.irregularities} == wanted


def check_bets(lived: Store, raw: RawHouse) -> None:
    for start, end in spans(raw, Random(2)):
        report = made(lived, ReportKind.TABLE, start, end)
        found = {(row.table, row.area, row.decks): row for row in report.rows}
        groups: dict[Any, list[dict[str, Any]]] = {}
        for table in raw.tables:
            for line in raw.lines(table, start, end):
                if raw.who(line["player"]) == "player":
                    groups.setdefault((table, line["area"], raw.decks(table, line["round"])), []).append(line)
        assert set(found) == set(groups)
        for key, lines in groups.items():
            exact, without = theory(raw, key[0], lines)
            handle, win = (sum(line[name] for line in lines) for name in ("stake", "win"))
            edge = exact / (handle - without) if handle - without else None
            row = found[key]
            assert (row.bets, row.handle, row.win) == (sum(line["sign"] for line in lines), handle, win)
            assert (row.theoretical_exact, row.unweighed) == (str(exact), without)
            assert row.edge_exact == (str(edge) if edge is not None else None)
            assert row.hold_by_handle == (float(Fraction(win, handle)) if handle else None)
            assert row.commission == sum(line["commission"] for line in lines)


def check_players(lived: Store, raw: RawHouse) -> None:
    for start, end in spans(raw, Random(3)):
        report = made(lived, ReportKind.PLAYER, start, end)
        rows = {row.player: row for row in (*report.rows, *report.apart)}
        assert {row.player for row in report.apart} <= {TEST_ACCOUNT, BOT}
        funds = raw.funds(end)
        for player in raw.currency:
            wanted = expected_player(raw, player, start, end, funds)
            row = rows.pop(player, None)
            if row is None:
                assert not any(value for name, value in wanted.items() if name != "theoretical_exact"), player
                continue
            assert {name: getattr(row, name) for name in wanted} == wanted
        assert not rows
        totals = msgspec.to_builtins(report.totals)
        for name in (
            "rounds",
            "bets",
            "handle",
            "net",
            "drop",
            "buy_ins",
            "cash_outs",
            "corrections",
            "free",
            "time_ms",
        ):
            assert totals[name] == sum(getattr(row, name) for row in report.rows)
        exact = sum((Fraction(row.theoretical_exact) for row in report.rows), Fraction(0))
        assert (totals["theoretical_exact"], totals["theoretical_loss"]) == (str(exact), rounded(exact))
        assert totals["liability"] == sum(row.free + row.held + row.in_play for row in report.rows)


def expected_player(raw: RawHouse, player: str, start: int, end: int, funds: dict[str, Any]) -> dict[str, Any]:
    rounds = time = drop = bets = handle = win = 0
    exact = Fraction(0)
    for table in raw.tables:
        own = [line for line in raw.lines(table, start, end) if line["player"] == player]
        exact += theory(raw, table, own)[0]
        bets += sum(line["sign"] for line in own)
        handle += sum(line["stake"] for line in own)
        win += sum(line["win"] for line in own)
        played = (sign for sign, _, lines in raw.rounds(table, start, end) if player in {x["player"] for x in lines})
        rounds += sum(played)
        time += raw.presence(table, start, end).get(player, 0)
        drop += raw.drops(table, start, end)[player]
    moved: Counter[str] = Counter()
    for m in raw.movements:
        if m["table"] is None and m["player"] == player and start <= m["time"] < end:
            moved[m["kind"]] += sum(amount for account, amount in m["postings"] if account == f"player/{player}")
    has = funds.get(player) or {"free": 0, "held": 0, "lying": Counter()}
    return {
        "rounds": rounds,
        "bets": bets,
        "handle": handle,
        "average_bet": rounded(Fraction(handle, rounds)) if rounds > 0 else None,
        "time_ms": time,
        "net": -win,
        "theoretical_loss": rounded(exact),
        "theoretical_exact": str(exact),
        "drop": drop,
        "buy_ins": moved["buy-in"],
        "cash_outs": -moved["cash-out"],
        "corrections": moved["correction"],
        "free": has["free"],
        "held": has["held"],
        "in_play": has["lying"].total(),
    }


def check_cashier(lived: Store, raw: RawHouse) -> None:
    for start, end in spans(raw, Random(4)):
        report = made(lived, ReportKind.CASHIER, start, end)
        sums: Counter[tuple[str, str, str]] = Counter()
        counts: Counter[tuple[str, str, str]] = Counter()
        for m in raw.movements:
            if m["table"] is None and start <= m["time"] < end:
                key = (m["actor"], raw.who(m["player"]), m["kind"])
                sums[key] += sum(amount for account, amount in m["postings"] if account.startswith("player/"))
                counts[key] += 1
        rows = {(row.cashier, row.accounts.value): row for row in (*report.rows, *report.apart)}
        assert set(rows) == {key[:2] for key in counts}
        for (cashier, who), row in rows.items():
            wanted = [sums[cashier, who, kind] for kind in ("buy-in", "cash-out", "correction")]
            assert [row.buy_ins, -row.cash_outs, row.corrections] == wanted
            numbers = [counts[cashier, who, kind] for kind in ("buy-in", "cash-out", "correction")]
            assert [row.buy_in_count, row.cash_out_count, row.correction_count] == numbers
            assert row.drawer_change == row.buy_ins - row.cash_outs
        before, after = (-raw.balances(moment, "player")["cash/USD"] for moment in (start, end))
        assert (report.totals.drawer_before, report.totals.drawer_after) == (before, after)
        assert report.totals.buy_ins == sum(row.buy_ins for row in report.rows)


def check_dealers(lived: Store, raw: RawHouse) -> None:
    for start, end in spans(raw, Random(5)):
        report = made(lived, ReportKind.STAFF, start, end)
        for table in raw.tables:
            rows = sorted((row for row in report.rows if row.table == table), key=lambda row: row.from_)
            found = [[row.dealer, row.role, row.from_, row.to, row.rounds, row.voids] for row in rows]
            assert found == raw.stretches(table, start, end)
            for row in rows:
                time = row.to - row.from_
                assert row.rounds_an_hour == (float(Fraction(row.rounds * 3_600_000, time)) if time else None)
        wrong: Counter[str] = Counter()
        for table in raw.tables:
            for (_, kind), count in raw.wrong(table, start, end).items():
                wrong[kind] += count
        assert {**report.totals.irregularities, "void": report.totals.voids} == {"void": 0, **wrong}


def check_alterations(lived: Store, raw: RawHouse) -> None:
    codes = ("rules-changed", "roles-changed", "run-changed", "account-marked", "password-set")
    for start, end in spans(raw, Random(6)):
        report = made(lived, ReportKind.ALTERATIONS, start, end)
        wanted: list[tuple[Any, ...]] = [
            (
                act["time"],
                act["code"],
                act["subject"],
                act["who"],
                act.get("reason"),
                act.get("before"),
                act.get("after"),
            )
            for act in raw.acts
            if act["code"] in codes and start <= act["time"] < end
        ]
        for m in raw.movements:
            if m["kind"] == "correction" and start <= m["time"] < end:
                amount = dict(m["postings"])[f"player/{m['player']}"]
                earlier = [each for each in raw.movements if each["id"] < m["id"]]
                free = sum(dict(each["postings"]).get(f"player/{m['player']}", 0) for each in earlier)
                states = ({"free": free}, {"free": free + amount})
                wanted.append(
                    (m["time"], "account-corrected", f"account/{m['player']}", m["actor"], m["reason"], *states)
                )
        found = [
            (row.time, row.what, row.subject, row.who, row.reason, row.before, row.after)
            for row in report.rows
            if row.what != "terms-changed"
        ]
        assert sorted(found, key=str) == sorted(wanted, key=str)
        assert [row.time for row in report.rows] == sorted(row.time for row in report.rows)
        assert all(row.second == "Cas" for row in report.rows if row.what == "account-corrected")


ADDED = ("rounds", "bets", "handle", "drop", "win", "commission", "open_ms", "voids", "reversals", "irregularities")


def check_parts(lived: Store, raw: RawHouse) -> None:
    random = Random(8)
    for start, end in spans(raw, random, 1):
        cuts = sorted({start, end, *(random.randrange(start, end + 1) for _ in range(3))})
        for kind, names in (
            (ReportKind.FLOOR, ADDED),
            (ReportKind.PLAYER, ("handle", "drop", "net", "time_ms", "buy_ins")),
        ):
            whole = made(lived, kind, start, end).totals
            parts = [made(lived, kind, a, b).totals for a, b in pairwise(cuts)]
            for name in names:
                assert getattr(whole, name) == sum(getattr(part, name) for part in parts), name
            exact = sum((Fraction(part.theoretical_exact) for part in parts), Fraction(0))
            assert whole.theoretical_exact == str(exact)


CHECKS = (check_floor, check_bets, check_players, check_cashier, check_dealers, check_alterations, check_parts)
