"""What `legal_commands` lists for somebody at a table."""

from collections.abc import Iterable
from typing import Any

from punto.rules.authority import Role
from punto.table import Legal, Refusal, decide, legal_commands
from tests.table.scenes import STAFF, Scene


def listed(scene: Scene, who: str, *kinds: type[Any]) -> list[Legal]:
    """What is listed for somebody, of these kinds."""
    found = legal_commands(scene.table, who, STAFF.get(who, Role.PLAYER))
    assert all(not isinstance(decide(scene.table, legal.command), Refusal) for legal in found)
    return [legal for legal in found if not kinds or isinstance(legal.command, kinds)]


def kinds(entries: Iterable[Legal]) -> set[str]:
    return {legal.command.name() for legal in entries}


def amounts(entries: Iterable[Legal]) -> dict[str, tuple[int, int | None]]:
    """By betting area, the least and the greatest amount."""
    found: dict[str, tuple[int, int | None]] = {}
    for legal in entries:
        command: Any = legal.command
        found[getattr(command, "area", "")] = (command.amount, legal.most)
    return found
