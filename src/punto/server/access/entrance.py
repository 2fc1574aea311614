"""The entrance: who has come in and not said yet who they are, by address, the longest wait first.

Places are few and cost nothing to take, so they are counted: of all, and of each address. Whoever takes more
than a share pays with the place that waited longest, because honest clients say at once who they are: they
come in also where somebody else at the same address takes every place that there is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Entrance(Generic[T]):
    """Places that are taken."""

    def __init__(self) -> None:
        self._by_address: dict[str, OrderedDict[T, None]] = {}
        self._taken = 0

    def __len__(self) -> int:
        return self._taken

    def of(self, address: str) -> int:
        """How many places an address has."""
        return len(self._by_address.get(address, ()))

    def enter(self, address: str, one: T) -> None:
        """Take a place."""
        self._by_address.setdefault(address, OrderedDict())[one] = None
        self._taken += 1

    def leave(self, address: str, one: T) -> None:
        """Give a place back; whoever has none has left already."""
        taken = self._by_address.get(address)
        if taken is None or one not in taken:
            return
        del taken[one]
        self._taken -= 1
        if not taken:
            del self._by_address[address]

    def renew(self, address: str, one: T) -> None:
        """Begin the wait of somebody anew."""
        taken = self._by_address.get(address)
        if taken is not None and one in taken:
            taken.move_to_end(one)

    def waiting(self, address: str) -> Iterator[T]:
        """Those of an address, the longest wait first."""
        return iter(self._by_address.get(address, ()))

    def fullest(self) -> str:
        """The address with the most places."""
        return max(self._by_address, key=self.of, default="")
