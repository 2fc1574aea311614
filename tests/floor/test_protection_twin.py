"""Whatever order limits, bets, exclusions, buy-ins, settlements, reversals, voids and days come in: no accepted bet
breaks a limit in force, says a second bookkeeper who shares no formula with the first.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from random import Random
from threading import Lock, Thread
from typing import Any

import pytest

from punto import books
from punto.cards.source import SourceKind
from punto.floor.answers import Exclusion, Guardian, Limit, PlayerLimits, PlayMeasure, PlayPeriod
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.house_rules import change_rules
from punto.floor.protection import Protections
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table import legal_commands
from punto.table.betting import PlaceBet, WithdrawBet
from punto.table.irregularity_events import Report
from tests.floor.crowd import CASHIER, TABLES, Client, TableDealer
from tests.floor.house import House
from tests.floor.ledger_check import check_store
from tests.floor.life import DrawnLife
from tests.floor.play_twin import HOUR, Asked, check_accepted
from tests.table.machine_commands import PLAYERS, filled

NEW_YEAR = round(datetime(2026, 1, 1, 5, 30, tzinfo=UTC).timestamp() * 1000)
ZONE = "Asia/Macau"
TURNS = 8
JUMPS = (1, 1, 1, 60_000, 5 * 60_000, 31 * 60_000, HOUR, 7 * HOUR, 26 * HOUR, 9 * 24 * HOUR)


class Clock:
    """Goes on by a little, and now and then by a lot; any thread may ask."""

    def __init__(self, random: Random, leaps: float) -> None:
        self._random, self._leaps, self._now, self._lock = random, leaps, NEW_YEAR, Lock()

    def __call__(self) -> int:
        with self._lock:
            self._now += self._random.choice(JUMPS) if self._random.random() < self._leaps else 1
            return self._now


class Guarded:
    """People who ask for limits and exclusions as it comes to their minds, and what they asked for."""

    def __init__(self, store: Store, clock: Clock, random: Random, asked: Asked) -> None:
        self._store, self._clock, self._random, self.asked = store, clock, random, asked

    def act(self, player: str) -> None:
        random, at = self._random, list[int]()

        def told() -> int:
            at.append(self._clock())
            return at[-1]

        protections, desk = Protections(self._store, told), Desk(self._store)
        chance = random.random()
        if chance < 0.05:
            if isinstance(answer := protections.exclude(player, 1, player, Guardian.PLAYER), Exclusion):
                self.asked.exclusions.append((at[-1], player, answer.until_ms))
        elif chance < 0.6:
            by, limits = random.choice(list(Guardian)), self._limits()
            kept = protections.set_limits(player, limits, player if by is Guardian.PLAYER else "Sue", by)
            assert isinstance(kept, PlayerLimits)
            self.asked.limit(at[-1], player, by, limits)
        else:
            desk.buy_in(player, random.randint(1, 20) * 1_000, CASHIER, self._clock())

    def begin(self, player: str) -> None:
        """A limit of every kind, which nobody reaches."""
        limits, now = [Limit(what, period, 10**9) for what in PlayMeasure for period in PlayPeriod], self._clock()
        Protections(self._store, lambda: now).set_limits(player, limits, "Sue", Guardian.HOUSE)
        self.asked.limit(now, player, Guardian.HOUSE, limits)

    def _limits(self) -> list[Limit]:
        random = self._random
        places = random.sample([(what, period) for what in PlayMeasure for period in PlayPeriod], random.randint(0, 4))
        most = {PlayMeasure.TIME: 300, PlayMeasure.BUY_IN: 60_000}
        return [Limit(what, period, random.randint(1, most.get(what, 40_000))) for what, period in places]


class WatchedLife(DrawnLife):
    """A table at which everything happens, by a clock that several tables share. People name its cards, so that
    much can be said to have gone wrong, also with a round that was settled.
    """

    sources = (SourceKind.ENTERED,)

    def __init__(self, book: str, random: Random, floor: Floor, clock: Clock) -> None:
        self._clock = clock
        super().__init__(book, random, floor, book)

    @property
    def time(self) -> int:
        return self._clock()

    @time.setter
    def time(self, _: int) -> None: ...

    def step(self) -> None:
        table, random = self.table, self.random
        if table.state.settled is not None and table.state.case is None and random.random() < 0.4:
            listed = [each for each in legal_commands(table, "Dan", Role.DEALER) if isinstance(each.command, Report)]
            if listed:
                self._act(filled(random.choice(listed), table, random))
                return
        self._act(self._next(is_late=False))


@pytest.mark.gli("2.5.5")
@pytest.mark.gli("A.3.8")
@pytest.mark.slow
def test_no_accepted_bet_breaks_a_limit_in_force_in_any_life(store: Store) -> None:
    counts: Counter[str] = Counter()
    change_rules(store, {"time_zone": ZONE}, "Sue", 0)
    desk, asked = Desk(store), Asked()
    for name in (*PLAYERS, "Zoe"):
        desk.open_account(StoredPerson(name), "USD", 0)
        desk.buy_in(name, 10**9, CASHIER, 0)
    random = Random("lives")
    clock = Clock(random, 0.04)
    with Floor(store, Seal(bytes(32))) as floor:
        lives = [WatchedLife(book, random, floor, clock) for book in books.NAMES]
        guarded = Guarded(store, clock, random, asked)
        for name in PLAYERS:
            guarded.begin(name)
        for life in lives * TURNS:
            for _ in range(30):
                if random.random() < 0.1:
                    guarded.act(random.choice(PLAYERS))
                life.step()
    for life in lives:
        counts += life.counts
    check_store(store)
    with store.read() as reader:
        seen = check_accepted(reader, asked, ZONE)
    print(dict(counts), dict(seen))
    assert {f"{what.value} by {period.value}" for what in PlayMeasure for period in PlayPeriod} <= seen.keys()
    for event in (
        "refused limit",
        "refused excluded",
        "round-settled",
        "settlement-reversed",
        "round-voided",
        "bet-returned",
    ):
        assert counts[event], f"the lives have met {event}"


class Bettor(Client):
    """A client who bets by the clock of the house, and sets limits between bets."""

    def __init__(self, number: int, floor: Floor, random: Random, clock: Clock, asked: Asked) -> None:
        super().__init__(number, floor, random)
        self._clock, self._guarded = clock, Guarded(floor.store, clock, random, asked)

    @property
    def player(self) -> str:
        return PLAYERS[self.number % len(PLAYERS)]

    def _act(self) -> None:
        random, table = self.random, self.random.choice(TABLES)
        if random.random() < 0.08:
            self._guarded.act(self.player)
            return
        loaded = self.floor.table(table)
        assert loaded is not None
        header: dict[str, Any] = {
            "actor": self.player,
            "role": Role.PLAYER,
            "key": f"{self.number}-{len(self.history)}",
            "round": loaded.table.state.round,
            "box": PLAYERS.index(self.player) + 1,
            "area": random.choice(("player", "banker", "tie")),
            "time": self._clock(),
        }
        kind: Any = WithdrawBet if random.random() < 0.2 else PlaceBet
        amount = {} if kind is WithdrawBet else {"amount": random.randint(10, 60) * 100}
        self.give(table, kind(**header, **amount))


@pytest.mark.gli("2.5.5")
@pytest.mark.slow
def test_no_accepted_bet_breaks_a_limit_with_many_clients_at_several_tables(database: str) -> None:
    random, asked = Random("crowd"), Asked()
    clock = Clock(random, 0.01)
    with open_store(database) as first, open_store(database) as second:
        change_rules(first, {"time_zone": ZONE}, "Sue", 0)
        with House(first) as house:
            for player in PLAYERS:
                house.buy_in(player, 10**9)
            for id in TABLES:
                house.open(id, "commission")
                house.seat(*PLAYERS, id=id)
        seal = Seal(bytes(range(32)))
        with Floor(first, seal) as one, Floor(second, seal) as two:
            floors = (one, two)
            bettors = [Bettor(n, floors[n % 2], Random(f"crowd/{n}"), clock, asked) for n in range(12)]
            dealers = [TableDealer(n, floors[n % 2], Random(n)) for n, _ in enumerate(TABLES)]
            threads = [Thread(target=bettor.live, args=(80,)) for bettor in bettors]
            threads += [Thread(target=each.run, args=(table, 6)) for each, table in zip(dealers, TABLES, strict=True)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for client in (*bettors, *dealers):
                if client.problem is not None:
                    raise client.problem
        check_store(first)
        asked.limits.sort(key=lambda each: each[0])
        with first.read() as reader:
            seen = check_accepted(reader, asked, ZONE)
    answers = [answer for bettor in bettors for _, answer in bettor.history]
    refused = Counter(answer.reason for answer in answers if isinstance(answer, Refusal))
    print(dict(refused), dict(seen))
    assert refused[Reason.LIMIT] and len(answers) > refused.total() and seen
