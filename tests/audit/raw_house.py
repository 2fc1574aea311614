"""A second reading of a house for its reports: raw rows, SQL and formulas of its own; nothing of `punto.audit` is used.

Money comes from movements and postings, where the reports take it from events. Times are lengths of unions of
intervals. Only the exact odds of a single bet are asked of `punto.odds`, which other tests hold against brute force.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, isqrt
from typing import Any

from punto import odds
from punto.books import load
from punto.rules.book import digest_of
from punto.store.reader import Reader

DAY = 86_400_000
Json = dict[str, Any]
FOREVER = 10**18
LOG_200 = Fraction(5_298_318, 10**6)  # A little more than the natural logarithm of 200.


class RawHouse:
    """Everything in a database, as it is stored."""

    def __init__(self, reader: Reader, begins: int = 6 * 3_600_000) -> None:
        self.begins = begins
        rows = reader.connection.all
        self.books = {digest: json.loads(text) for digest, text in rows("SELECT digest, document FROM books")}
        self.tables: dict[str, str] = dict(rows("SELECT id, digest FROM tables WHERE NOT imported ORDER BY id"))
        self.events: dict[str, list[Json]] = defaultdict(list)
        for table, seq, body in rows("SELECT table_id, seq, body FROM events ORDER BY table_id, seq"):
            self.events[table].append({"seq": seq, **json.loads(body)})
        names = (
            *("id", "table", "seq", "time", "kind", "round", "box", "area", "player"),
            *("actor", "second", "reason", "commission"),
        )
        self.movements: list[Json] = [
            dict(zip(names, row, strict=True)) | {"postings": []}
            for row in rows(
                "SELECT id, table_id, seq, time_ms, kind, round, box, area, player, actor, second, reason, commission "
                "FROM movements ORDER BY id"
            )
        ]
        by_id = {movement["id"]: movement for movement in self.movements}
        for id, account, amount in rows("SELECT movement_id, account, amount FROM postings ORDER BY movement_id, line"):
            by_id[id]["postings"].append((account, amount))
        self.currency: dict[str, str] = dict(rows("SELECT handle, currency FROM accounts"))
        self.acts = [json.loads(body) for (body,) in rows("SELECT body FROM house_events ORDER BY seq")]
        self.owner: dict[str, str] = dict(rows("SELECT handle, kind FROM accounts"))

    def who(self, player: str) -> str:
        return self.owner[player]

    def day(self, time: int) -> int:
        return (time - self.begins) // DAY

    def of_table(self, table: str, kinds: Iterable[str]) -> Iterable[Json]:
        return (m for m in self.movements if m["table"] == table and m["kind"] in kinds and m["player"])

    # Money.

    def lines(self, table: str, start: int, end: int) -> list[Json]:
        """Settled bets and those taken back, as movements: player, area, sign, stake, win of the house, commission."""
        found = []
        for m in self.of_table(table, ("settlement", "commission", "reversal")):
            if start <= m["time"] < end:
                play = sum(amount for account, amount in m["postings"] if account.startswith("play/"))
                win = sum(amount for account, amount in m["postings"] if account.startswith(("float/", "due/")))
                sign = (play < 0) - (play > 0)  # Commission that is set aside is no bet of its own.
                found.append({**m, "sign": sign, "stake": -play, "win": win})
        return found

    def drops(self, table: str, start: int, end: int) -> Counter[str]:
        """Fresh money by player: every gaming day begins with nothing that was returned."""
        has: Counter[tuple[str, int]] = Counter()
        fresh: Counter[str] = Counter()
        for m in self.of_table(table, ("bet", "return", "void", "settlement", "commission", "reversal")):
            key = (m["player"], self.day(m["time"]))
            moved = {account.split("/")[0]: amount for account, amount in m["postings"]}
            if m["kind"] == "bet":
                again = min(moved["play"], has[key])
                has[key] -= again
                fresh[m["player"]] += (moved["play"] - again) if start <= m["time"] < end else 0
            else:
                back = moved.get("player", 0) if m["kind"] in ("return", "void") else moved.get("held", 0)
                has[key] = max(0, has[key] + back)
        return fresh

    def balances(self, before: int, who: str | None = None) -> Counter[str]:
        """By account; of what moved for players, for bots or for test accounts alone, where that is asked."""
        total: Counter[str] = Counter()
        for m in self.movements:
            if m["time"] < before and (who is None or (m["player"] and self.who(m["player"]) == who)):
                for account, amount in m["postings"]:
                    total[account] += amount
        return total

    def funds(self, before: int) -> dict[str, Json]:
        """By player: free, held, and what lies at each table."""
        funds: dict[str, Json] = defaultdict(lambda: {"free": 0, "held": 0, "lying": Counter()})
        for m in self.movements:
            if m["time"] >= before:
                continue
            for account, amount in m["postings"]:
                kind, _, rest = account.partition("/")
                if kind == "player":
                    funds[rest]["free"] += amount
                elif kind == "held":
                    funds[rest.partition("/")[2]]["held"] += amount
                elif kind == "play":
                    funds[m["player"]]["lying"][m["table"]] += amount
        return funds

    # Odds.

    def decks(self, table: str, round: int) -> int:
        terms = decks = 0
        for event in self.events[table]:
            if event["type"] in ("table-opened", "terms-changed"):
                terms = event["terms"].get("decks", 8)
            if event["type"] == "bets-called":
                decks = terms
                if event["round"] == round:
                    return decks
        return decks

    def odds_of(self, table: str, m: Json, taken: dict[Any, Any]) -> tuple[Fraction, int, int] | None:
        """Edge, deviation and reach of a unit of a settled bet; None where it has no exact edge."""
        book, decks, area = self.book(table), self.decks(table, m["round"]), m["area"]
        return _unit(book, decks, area, taken.get((m["round"], m["box"], m["player"], area)))

    def book(self, table: str) -> Any:
        name = self.books[self.tables[table]]["name"]
        book = load(name)
        assert digest_of(book) == self.tables[table]
        return book

    def insured(self, table: str) -> dict[Any, Any]:
        """The totals on which insurance was taken: by round, box, player and area."""
        taken, round = {}, 0
        for event in self.events[table]:
            round = event["round"] if event["type"] == "bets-called" else round
            for one in [event] if event["type"] == "insurance-taken" else event.get("insured") or ():
                area = f"insurance-{one['hand']}-{one['window']}"
                taken[round, one["box"], one["player"], area] = tuple(one["totals"])
        return taken

    # Time.

    def open_ms(self, table: str, start: int, end: int) -> int:
        spans, since = [], None
        for event in self.events[table]:
            if event["type"] in ("table-opened", "table-resumed"):
                since = event["time"]
            elif event["type"] in ("table-paused", "table-closed") and since is not None:
                spans.append((since, event["time"]))
                since = None
        if since is not None:
            spans.append((since, FOREVER))
        return _length(spans, start, end)

    def presence(self, table: str, start: int, end: int) -> dict[str, int]:
        """How long each player had a seat or a bet."""
        spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        seats: dict[int, tuple[str, int]] = {}
        bets: dict[str, int] = {}
        lines: list[Json] = []
        for event in self.events[table]:
            kind, now = event["type"], event["time"]
            if kind == "seat-taken":
                seats[event["box"]] = event["player"], now
            elif kind == "seat-left":
                player, since = seats.pop(event["box"])
                spans[player].append((since, now))
            elif kind in ("bet-placed", "wager-placed", "insurance-taken"):
                bets.setdefault(event["player"], now)
            elif kind in ("round-settled", "round-voided", "bets-called", "table-closed"):
                lines = event.get("bets", lines)
                for player, since in bets.items():
                    spans[player].append((since, now))
                bets = {}
            elif kind == "settlement-reversed":
                bets |= {line["player"]: now for line in lines}
            if kind == "table-closed":
                for player, since in seats.values():
                    spans[player].append((since, now))
                seats = {}
        for player, since in (*seats.values(), *bets.items()):
            spans[player].append((since, FOREVER))
        return {player: length for player, each in spans.items() if (length := _length(each, start, end))}

    # Rounds and people.

    def rounds(self, table: str, start: int, end: int) -> list[tuple[int, Json, list[Json]]]:
        """Settlements and reversals: the sign, the event and its lines."""
        found, lines = [], []
        for event in self.events[table]:
            if event["type"] == "round-settled":
                lines = event["bets"]
                found.append((1, event, lines))
            elif event["type"] == "settlement-reversed":
                found.append((-1, event, lines))
        return [each for each in found if start <= each[1]["time"] < end]

    def count(self, table: str, kind: str, start: int, end: int) -> int:
        return sum(event["type"] == kind and start <= event["time"] < end for event in self.events[table])

    def wrong(self, table: str, start: int, end: int) -> Counter[tuple[str, str]]:
        """What went wrong, by dealer and kind."""
        callers, dealer, found = {}, "", Counter[tuple[str, str]]()
        for event in self.events[table]:
            kind = None
            if event["type"] == "bets-called":
                callers[event["round"]] = dealer = event["by"]
            elif event["type"] == "case-closed":
                kind = "dismissed" if event["resolution"] in ("dismissed", "withdrawn") else event["finding"]
            elif event["type"] == "round-voided":
                kind = "void"
            elif event["type"] == "error-found-late":
                found[callers[event["round"]], "found-late"] += start <= event["time"] < end
            if kind and start <= event["time"] < end:
                found[dealer, kind] += 1
        return +found

    def stretches(self, table: str, start: int, end: int) -> list[list[Any]]:
        """Who dealt: dealer, role, from, to, rounds, voids."""
        found: list[list[Any]] = []
        dealer, is_on = ("", ""), False
        for event in [*self.events[table], {"type": "end", "time": end}]:
            kind, now = event["type"], event["time"]
            if now >= start and is_on and not found:
                found.append([*dealer, start, start, 0, 0])
            if now >= end:
                break
            if kind == "bets-called":
                dealer, is_on = (event["by"], event["role"]), True
            if now < start:
                is_on = (is_on and kind not in ("round-settled", "round-voided")) or kind == "settlement-reversed"
                continue
            if kind not in ("bets-called", "round-settled", "round-voided", "settlement-reversed", "case-closed"):
                continue
            if not found or tuple(found[-1][:2]) != dealer:
                found.append([*dealer, now, now, 0, 0])
            found[-1][3] = now
            found[-1][4] += {"round-settled": 1, "settlement-reversed": -1}.get(kind, 0)
            found[-1][5] += kind == "round-voided"
            is_on = (is_on and kind not in ("round-settled", "round-voided")) or kind == "settlement-reversed"
        if is_on and found:
            found[-1][3] = end
        return found

    def bounds(self, parts: list[tuple[str, int, int]]) -> tuple[int, int]:
        """Within which amounts the win from players should be, over tables and spans."""
        mean, variance, most, furthest = Fraction(0), 0, 0, 0
        for table, start, end in parts:
            taken = self.insured(table)
            by_round: dict[Any, list[Json]] = defaultdict(list)
            for m in self.lines(table, start, end):
                if self.who(m["player"]) == "player":
                    by_round[m["seq"]].append(m)
            for lines in by_round.values():
                deviation = reach = 0
                for m in lines:
                    unit = self.odds_of(table, m, taken)
                    if unit is not None:
                        mean += unit[0] * m["stake"]
                        deviation += abs(m["stake"]) * unit[1]
                        reach += abs(m["stake"]) * unit[2]
                sign = next(m["sign"] for m in lines if m["sign"])
                variance += sign * deviation**2
                furthest += sign * reach
                most = max(most, reach)
        part = ceil(LOG_200 * most / 3)
        wide = part + _root(part**2 + ceil(2 * LOG_200 * max(0, variance)))
        units = ceil(Fraction(min(wide, max(0, furthest)), 10**6))
        return floor(mean - units), ceil(mean + units)


_units: dict[Any, tuple[Fraction, int, int] | None] = {}


def _unit(book: Any, decks: int, area: str, totals: Any) -> tuple[Fraction, int, int] | None:
    key = (book.name, decks, area, totals)
    if key not in _units:
        _units[key] = _find_unit(book, decks, area, totals)
    return _units[key]


def _find_unit(book: Any, decks: int, area: str, totals: Any) -> tuple[Fraction, int, int] | None:
    undealt = odds.Undealt.of_decks(decks)
    if area.startswith("insurance-"):
        for offer in odds.insurance_odds(book, undealt).offers:
            if (offer.offer.area, (offer.player_points, offer.banker_points)) == (area, totals):
                wide = offer.offer.odds + 1
                return -offer.ev, ceil(wide * 500_000), ceil(wide * 10**6)
        return None
    for side in odds.ante_odds(book, undealt).sides:
        if area == side.pair.wager:
            return Fraction(0), 0, 0
        if area == side.pair.ante:
            ante, wager = ([row.outcome.net for row in book.pay_tables[a].rows] for a in (area, side.pair.wager))
            wide = max(ante) + side.multiple * max(wager) - min(-1, *ante) - side.multiple * min(wager)
            return side.edge, ceil(wide * 500_000), ceil(wide * 10**6)
    bet = odds.book_odds(book, undealt).bet(area)
    mean = sum(net * ways for net, ways in bet.net_ways()) / Fraction(bet.total)
    square = sum((net - mean) ** 2 * ways for net, ways in bet.net_ways()) / Fraction(bet.total)
    reach = max(abs(net - mean) for net, _ in bet.net_ways())
    return -mean, _root(ceil(square * 10**12)), ceil(reach * 10**6)


def _root(number: int) -> int:
    """The least whole number whose square is not less."""
    return isqrt(number - 1) + 1 if number else 0


def _length(spans: Iterable[tuple[int, int]], start: int, end: int) -> int:
    """How much of a span some intervals cover together."""
    cut = sorted((max(a, start), min(b, end)) for a, b in spans if a < end and b > start)
    edges = sorted({edge for span in cut for edge in span})
    return sum(b - a for a, b in pairwise(edges) if any(low <= a and b <= high for low, high in cut))
