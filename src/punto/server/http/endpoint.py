"""An endpoint: one call of the API, as data; from it come the route, the checks and the OpenAPI document.

Every request takes the same way (`answering`), so nothing that is asked for here can be forgotten by one of
the calls.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from punto.rules.role import Role
from punto.server.access.session_book import Caller
from punto.server.hall import Hall
from punto.server.settings import Settings

PREFIX = "/api/v1"
COOKIE, SECURE_COOKIE = "punto_session", "__Host-punto_session"
"""The cookie of a session by http and by https; browsers let no other host set the second one."""


def cookie_name(settings: Settings) -> str:
    """The cookie that a server sets and reads."""
    return SECURE_COOKIE if settings.is_secure else COOKIE


class Inquiry(msgspec.Struct, frozen=True):
    """One request, read and checked."""

    hall: Hall
    caller: Caller
    """Who asks; where nobody has to log in, nobody."""
    path: dict[str, str]
    query: Any
    body: Any
    address: str


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that is not the usual one."""

    status: int
    value: Any = None
    cookies: tuple[tuple[str, int], ...] = ()
    """Session cookies to set: the token and its seconds; no seconds take it away."""


Call = Callable[[Inquiry], Awaitable[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One call of the API."""

    method: str
    path: str
    """After the prefix, with names in braces."""
    call: Call
    summary: str
    """One sentence; it stands in the OpenAPI document."""
    tag: str
    body: Any = None
    query: type[msgspec.Struct] | None = None
    answer: Any = None
    """What is sent where nothing is refused; None for an empty answer."""
    status: int = 200
    also: dict[int, Any] = field(default_factory=dict)
    """Other answers that are not refusals."""
    roles: tuple[Role, ...] = ()
    """Who may ask; anybody who has logged in, if empty."""
    is_open: bool = False
    """Nobody has to log in."""
    cost: int | Callable[[Any], int] = 1
    """As how many requests it counts, where it keeps a processor busy; it may depend on the query."""
    needs_role: bool = True
    """Not for what is about the caller's own session or password, nor where the body names the role."""
    is_fresh: bool = False
    """The password must have been given lately."""
    refuses: tuple[int, ...] = ()
    """Statuses of refusals beside those that every call of this kind has."""

    def price(self, query: Any) -> int:
        """As how many requests this one counts."""
        return self.cost if isinstance(self.cost, int) else self.cost(query)
