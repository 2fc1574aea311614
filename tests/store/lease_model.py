"""Every way in which servers can share one table: a model of the lease, gone through to the end.

Each server is small: it beats (says that it is there, and takes or gives up by `share_of`, the rule that servers
really use), looks at the table and decides a step, and sends the step later. It may be held up between any two of
these, for any time, and come back; it may die, stop in good order, and begin again. Time goes on in beats of the
database's clock. A step carries the version that it was decided on, as a batch does that has its table locked.

    python -m tests.store.lease_model           three servers and two tables, and how many states there are
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from punto.store.lease import share_of

LEASE = 3  # Beats after which a server that has said nothing is gone.


@dataclass(frozen=True, slots=True)
class ModelServer:
    is_running: bool = True
    seen: int = 0  # Beats since it was last heard of, up to one more than a lease.
    believes: int = LEASE + 1  # Beats since it last had its share, by its own clock.
    holding: frozenset[int] = frozenset()  # What it believes to hold.
    decided: tuple[int, int] | None = None  # The table and the version of a step that is on its way.


@dataclass(frozen=True, slots=True)
class World:
    servers: tuple[ModelServer, ...]
    holders: tuple[int, ...]  # By table: the server that holds it; -1 for nobody.
    versions: tuple[int, ...]
    steps: tuple[int, ...]  # By table: how many steps were kept.
    idle: int = 0  # Beats since every table could go on, while somebody runs.

    def server(self, n: int, **changes: object) -> World:
        servers = list(self.servers)
        servers[n] = replace(servers[n], **changes)  # type: ignore[arg-type]
        return replace(self, servers=tuple(servers))


@dataclass(frozen=True, slots=True)
class Rules:
    """What is to be tried with a part left out: whoever looks at the model can break it."""

    has_versions: bool = True
    has_expiry: bool = True
    most_steps: int = 2


def first_world(servers: int, tables: int) -> World:
    nobody = ModelServer(is_running=True, seen=LEASE + 1)
    return World((nobody,) * servers, (-1,) * tables, (0,) * tables, (0,) * tables)


def beat(world: World, n: int, rules: Rules) -> World:
    """One transaction: say that a server is there, and have its share."""
    world = world.server(n, seen=0)
    there = [str(m) for m, server in enumerate(world.servers) if server.seen <= LEASE or not rules.has_expiry]
    tables = [str(table) for table in range(len(world.holders))]
    holders = {str(table): str(holder) for table, holder in enumerate(world.holders)}
    share = share_of(str(n), there, tables, holders)
    held = list(world.holders)
    for table in share.given_up:
        held[int(table)] = -1
    for table in share.taken:
        held[int(table)] = n
    own = frozenset(table for table, holder in enumerate(held) if holder == n)
    return replace(world, holders=tuple(held)).server(n, holding=own, believes=0)


def send(world: World, n: int, rules: Rules) -> World:
    """A step arrives: it is kept if the table is as it was when the step was decided."""
    decided = world.servers[n].decided
    assert decided is not None
    table, version = decided
    world = world.server(n, decided=None)
    if rules.has_versions and world.versions[table] != version:
        return world  # refused
    versions, steps = list(world.versions), list(world.steps)
    versions[table], steps[table] = version + 1, steps[table] + 1
    return replace(world, versions=tuple(versions), steps=tuple(steps))


def stop(world: World, n: int) -> World:
    """In good order: what it held is free at once."""
    held = tuple(-1 if holder == n else holder for holder in world.holders)
    gone = ModelServer(is_running=False, seen=LEASE + 1)
    servers = list(world.servers)
    servers[n] = gone
    return replace(world, holders=held, servers=tuple(servers))


def die(world: World, n: int) -> World:
    """Its transaction ends with it; what it held waits until others notice."""
    return world.server(n, is_running=False, decided=None, holding=frozenset(), believes=LEASE + 1)


def pass_time(world: World) -> World:
    servers = tuple(
        replace(server, seen=min(LEASE + 1, server.seen + 1), believes=min(LEASE + 1, server.believes + 1))
        for server in world.servers
    )
    return replace(world, servers=servers)


def next_worlds(world: World, rules: Rules) -> Iterator[World]:
    """Everything that can happen next, whoever is held up meanwhile."""
    yield pass_time(world)
    for n, server in enumerate(world.servers):
        if not server.is_running:
            yield world.server(n, is_running=True, decided=None, holding=frozenset(), believes=LEASE + 1)
            continue
        yield beat(world, n, rules)
        yield stop(world, n)
        yield die(world, n)
        if server.decided is not None:
            yield send(world, n, rules)
        elif server.believes <= LEASE:
            for table in server.holding:
                if world.versions[table] < rules.most_steps:
                    yield world.server(n, decided=(table, world.versions[table]))


def explore(servers: int, tables: int, rules: Rules, check: Callable[[World], None]) -> int:
    """Go through every world that can come to be; how many there are."""
    first = first_world(servers, tables)
    known, waiting = {first}, [first]
    for _ in count():
        if not waiting:
            break
        world = waiting.pop()
        check(world)
        for after in next_worlds(world, rules):
            if after not in known:
                known.add(after)
                waiting.append(after)
    return len(known)


def check_safe(world: World) -> None:
    """No step was ever kept twice: a table has as many steps as it has versions."""
    assert world.steps == world.versions, f"a step was kept twice: {world}"
    for table, holder in enumerate(world.holders):
        assert holder == -1 or 0 <= holder < len(world.servers), table


def check_goes_on(world: World, rules: Rules) -> None:
    """Whatever happened, and whoever is dead: if those that run beat, every table is dealt at soon, and evenly."""
    alive = [n for n, server in enumerate(world.servers) if server.is_running]
    if not alive:
        return
    for _ in range(LEASE + 2):
        world = pass_time(world)
        for n in alive:
            world = beat(world, n, rules)
    for n in alive:  # whoever gave something up has told the others to look
        world = beat(world, n, rules)
    assert all(holder in alive for holder in world.holders), f"a table has no dealer: {world}"
    shares = [world.holders.count(n) for n in alive]
    assert max(shares) - min(shares) <= 1, f"not even: {world}"
    for n in alive:
        assert world.servers[n].holding >= {table for table, holder in enumerate(world.holders) if holder == n}


if __name__ == "__main__":
    rules = Rules(most_steps=1)

    def check(world: World) -> None:
        check_safe(world)
        check_goes_on(world, rules)

    print(f"{explore(3, 2, rules, check):,} states: no step twice, every table goes on")
