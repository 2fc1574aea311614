"""Whether values have the shape of a book, or of any entry: its keys, and the kinds of their values.

The converter stops at its first error and speaks of types. A designer wants all errors at once, in the words of a
rule book, each at its own place. So every key of every table is asked alone, and for what is wrong something of the
right shape stands in: what is right can then be asked whether it makes sense, in the same go.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from punto.malformed import Fault, Wrong, choices_at, fault_of
from punto.rules.book_text import BookText
from punto.rules.told import Told, meant, told
from punto.rules.validation import Place, Problem
from punto.suggestion import nearest


class Shaped(msgspec.Struct, frozen=True):
    """Values that have the shape of an entry: as they were written, and something else where they had another."""

    values: dict[str, Any]
    problems: list[Problem] = msgspec.field(default_factory=list)
    stand_ins: set[Place] = msgspec.field(default_factory=set)
    """Where something stands in for what was missing, unknown or wrong."""

    def supports(self, problem: Problem) -> bool:
        """Whether a problem is one of what was written, and cannot come of what stands in for it."""
        place = problem.place
        return not any(
            place[: len(one)] == one or one[:-1] == place or any(_rests_on(asked, one) for asked in problem.asks)
            for one in self.stand_ins
        )


def _rests_on(asked: tuple[str | int | None, ...], stand_in: Place) -> bool:
    """Whether this is a key that is asked, or what the key would stand in."""
    steps = zip(asked, stand_in, strict=False)
    return len(stand_in) <= len(asked) and all(step is None or step == one for step, one in steps)


def shape_problems(raw: dict[str, Any], struct: type[msgspec.Struct] = BookText) -> list[Problem]:
    """Every entry that has the wrong shape."""
    return shaped(raw, struct).problems


def shaped(raw: dict[str, Any], struct: type[msgspec.Struct] = BookText) -> Shaped:
    """These values in the right shape, and what was wrong with them."""
    found = Shaped({})
    found.values.update(_shaped_table(raw, struct, (), found))
    return found


def _shaped_table(raw: dict[str, Any], struct: type[msgspec.Struct], place: Place, found: Shaped) -> dict[str, Any]:
    keys, required = _keys_of(struct)
    unknown = [name for name in raw if name not in keys]
    for name in unknown:
        sentence = told("no-key" if place else "no-key-in-book", meant=meant(name, keys))
        found.problems.append(Problem((*place, name), sentence))
        found.stand_ins.add((*place, name))
    values: dict[str, Any] = {}
    for name, kind in keys.items():
        inside: Place = (*place, name)
        if name in raw:
            value = _shaped_value(raw[name], kind, inside, found)
            if value is not _WRONG:
                values[name] = value
            elif name in required:
                values[name] = _stand_in(kind)
        elif name in required:
            # A key that is nearly there was told already.
            if not any(nearest(one, keys) == name for one in unknown):
                found.problems.append(Problem(place, told("missing" if place else "missing-in-book", key=name)))
            found.stand_ins.add(inside)
            values[name] = _stand_in(kind)
    return values


_WRONG: Any = object()


def _shaped_value(value: Any, kind: Any, place: Place, found: Shaped) -> Any:
    """The value, with stand-ins inside; `_WRONG` where it is wrong as a whole, which is told."""
    for one in _alternatives(kind):
        if isinstance(value, list) and get_origin(one) is tuple:
            item = get_args(one)[0]
            items = [_shaped_value(each, item, (*place, i), found) for i, each in enumerate(value)]
            return [_stand_in(item) if each is _WRONG else each for each in items]
        if isinstance(value, dict) and isinstance(one, type) and issubclass(one, msgspec.Struct):
            return _shaped_table(value, one, place, found)
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        fault = fault_of(error)
        inside: Place = tuple(step for step in fault.place if step is not None)
        found.problems.append(Problem((*place, *inside), _shape_sentence(fault, choices_at(kind, inside))))
        found.stand_ins.add(place)
        return _WRONG
    return value


def _alternatives(kind: Any) -> Iterator[Any]:
    """The kinds of which a value is one, without their bounds."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for one in get_args(kind):
            yield from _alternatives(one)
    else:
        yield kind


@cache
def _keys_of(struct: type[msgspec.Struct]) -> tuple[dict[str, Any], frozenset[str]]:
    """The keys of an entry with the kinds of their values, and which of them must be there."""
    required = (each.name for each in msgspec.structs.fields(struct) if each.required)
    return get_type_hints(struct, include_extras=True), frozenset(required)


def _stand_in(kind: Any) -> Any:
    """Something of this kind."""
    bounds = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    one = next(_alternatives(kind))
    if get_origin(one) is tuple:
        return []
    if issubclass(one, msgspec.Struct):
        keys, required = _keys_of(one)
        return {name: _stand_in(keys[name]) for name in keys if name in required}
    if issubclass(one, Enum):
        return next(iter(one)).value
    if one is int:
        return next((bound.ge for bound in bounds if bound.ge is not None), 0)
    return False if one is bool else "x"


def _shape_sentence(fault: Fault, choices: tuple[str, ...]) -> Told:
    """What is wrong in the words of a rule book; `choices` are the words that may stand there."""
    match fault.wrong, fault.details:
        case Wrong.MISSING, (key,):
            return told("missing", key=key)
        case Wrong.CHOICE, (value,):
            return told("not-a-choice", value=value, choices=choices)
        case Wrong.TYPE, (wanted, sent):
            expected = tuple(told(f"kind.{name}") for name in wanted.split(" | ") if name != "null")
            return told("other-type", expected=expected, sent=told(f"kind.{sent}") if sent != "null" else sent)
        case Wrong.BOUND, (limit, number):
            return told("at-least" if limit == ">=" else "at-most", number=str(number))
        case Wrong.LENGTH, (_, "<=", most):
            return told("too-long", most=int(most))
        case Wrong.LENGTH, _:
            return told("empty")
        case Wrong.FORM, _:
            return told("not-a-name")
        case _:
            return told("other", why=fault.sentence[0].lower() + fault.sentence[1:])
