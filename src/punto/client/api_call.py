"""A call of the API as a description, and how one description becomes a method of two clients.

`Client` asks and waits for the answer, `AsyncClient` gives it to be awaited. Both take their methods from `floor_calls`
and `house_calls`, where each call stands once: what is sent, and, as its return type, what the answer is read as.
Answers whose structs belong to the server are read as they come, as `dict`. Roles may be given as text, amounts as
money is written. What is None is left out, so that the server's default holds. tests/client compares all this with the
endpoints of the server: a call without a method fails there.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, wraps
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, get_args, overload
from urllib.parse import quote

import msgspec

from punto.floor.answers import Limit, PlayMeasure
from punto.inputs import AnyCards, AnyRole, cards_of, role_of, units_of
from punto.refusal import RefusalText
from punto.rules.authority import Role
from punto.table.header import CommandHeader

Json = dict[str, Any]
AnyCommand = CommandHeader | Mapping[str, Any]
Chips = Mapping[Any, int]  # How many chips of each value: `{"100": 5, "25": 20}`.

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")
_T = TypeVar("_T")


class Refused(RefusalText, frozen=True):
    """Why something was not done; nothing has changed."""

    status: int = 0  # The HTTP status; 0 in an answer on a stream.
    retry_after: int | None = None  # Seconds to wait, where it was too often.


@dataclass(frozen=True, slots=True)
class ApiCall(Generic[_Answer]):
    """A call that is ready to be sent; `_Answer` is what its answer is read as."""

    method: str
    path: str  # After the prefix of the API, unless it is `outside`.
    body: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    inner: str = ""  # The field of the answer that is given back alone.
    accepted: tuple[int, ...] = ()  # Statuses beside those of success that have an answer and no refusal.
    is_outside: bool = False
    ends_session: bool = False


class Waits:
    """Whoever asks and waits."""

    def ask(self, call: ApiCall[_T], kind: Any) -> _T | Refused:
        raise NotImplementedError


class IsAwaited:
    """Whoever asks and is awaited."""

    async def ask(self, call: ApiCall[_T], kind: Any) -> _T | Refused:
        raise NotImplementedError


class Method(Generic[_Given, _Answer]):
    """A call as a method of both clients."""

    def __init__(self, describe: Callable[Concatenate[Any, _Given], ApiCall[_Answer]]) -> None:
        self.describe = self.__wrapped__ = describe
        self.__doc__, self.__name__ = describe.__doc__, describe.__name__

    @cached_property
    def kind(self) -> Any:
        """What the answer is read as: the return type alone, since the others name what is loaded for checkers only."""
        annotation: str = self.describe.__annotations__["return"]
        [kind] = get_args(eval(annotation, vars(sys.modules[self.describe.__module__])))
        return kind

    @overload
    def __get__(self, asking: None, owner: type) -> Self: ...
    @overload
    def __get__(self, asking: Waits, owner: type) -> Callable[_Given, _Answer | Refused]: ...
    @overload
    def __get__(self, asking: IsAwaited, owner: type) -> Callable[_Given, Awaitable[_Answer | Refused]]: ...
    def __get__(self, asking: Waits | IsAwaited | None, owner: type) -> Any:
        if asking is None:
            return self

        @wraps(self.describe)
        def ask(*args: _Given.args, **kwargs: _Given.kwargs) -> Any:
            return asking.ask(self.describe(asking, *args, **kwargs), self.kind)

        return ask


def fresh_key() -> str:
    return secrets.token_hex(12)


def read(path: str, *, inner: str = "", **query: Any) -> ApiCall[Any]:
    """A call that reads; what is None is not asked for."""
    asked = {name.rstrip("_"): _word(value) for name, value in query.items() if value is not None}
    return ApiCall("GET", path, query=asked, inner=inner)


def _word(value: Any) -> str:
    """A value in the address of a call."""
    value = msgspec.to_builtins(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def send(method: str, path: str, *, inner: str = "", **body: Any) -> ApiCall[Any]:
    """A call that does something; what is None is left out of its body, which there is none of without fields."""
    sent = {name: value for name, value in body.items() if value is not None}
    return ApiCall(method, path, sent if body else None, inner=inner)


def part(name: str) -> str:
    """A name as a part of an address."""
    return quote(str(name), safe="")


def role_or_none(role: AnyRole | None) -> Role | None:
    return None if role is None else role_of(role)


def chip_counts(chips: Chips) -> list[dict[str, int]]:
    return [{"value": units_of(value), "count": count} for value, count in chips.items()]


def one_card(card: AnyCards) -> str:
    """One card as the API writes it."""
    cards = cards_of(card)
    if len(cards) != 1:
        raise ValueError(f"a device reads one card at a time, not {len(cards)}")
    return str(cards[0])


def card_names(cards: AnyCards) -> str:
    """Cards as an address has them. Text that is not of cards alone is for the server to judge: it takes ranks too."""
    try:
        return ",".join(map(str, cards_of(cards)))
    except ValueError:
        if isinstance(cards, str):
            return ",".join(cards.replace(",", " ").split())
        raise


def own_fields(command: AnyCommand) -> Json:
    """Of a table's command only what it asks for: who gives it, and when, is for the session to say."""
    if not isinstance(command, CommandHeader | Mapping):
        raise ValueError(f"{type(command).__name__} is not a command; give one of punto.table, or a dict with its type")
    fields = msgspec.to_builtins(command, str_keys=True) if isinstance(command, CommandHeader) else command
    return _with_units({name: value for name, value in fields.items() if name not in CommandHeader.__struct_fields__})


def limit_fields(limits: Iterable[Limit | Mapping[str, Any]]) -> list[Json]:
    """Limits as the API takes them; those of time are minutes, and no money."""
    sent = [dict(msgspec.to_builtins(limit)) for limit in limits]
    return [limit if limit.get("what") == PlayMeasure.TIME.value else _with_units(limit) for limit in sent]


def _with_units(fields: Json) -> Json:
    """These with their amount in minor units. A float with a fraction is refused: JSON would make a whole one of it."""
    if isinstance(amount := fields.get("amount"), str | Decimal | float):
        return {**fields, "amount": units_of(amount)}
    return fields


def command_body(
    command: AnyCommand, role: AnyRole, *, expected: int | None = None, key: str | None = None
) -> dict[str, Any]:
    """A command as `POST /tables/{id}/commands` and the stream of a table take it."""
    body = {"key": key or fresh_key(), "role": role_of(role).value, "command": own_fields(command)}
    return body if expected is None else {**body, "expected": expected}
