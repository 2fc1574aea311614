"""`punto house`: what the house has decided for its whole floor, and stopping play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from punto.cli.database_options import DatabaseOption, accepted, now_ms, opened, operator
from punto.cli.ink import show
from punto.cli.options import JsonOption, answer, argument, option, read_as
from punto.cli.output import answer_json, refuse
from punto.documents.page import Grid

if TYPE_CHECKING:
    from punto.floor.answers import Stop
    from punto.floor.house_rules import HouseRules


def house_rules(
    rule: Annotated[
        list[str] | None, argument("[NAME=VALUE]...", "Rules to change; NAME= for the default. Without any: show all.")
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show the rules of the house, or change them.

    The profile is open, training or strict, or a TOML file of your own. Amounts are in major units.
    """
    from punto.floor import house_rules as rules_of_house

    with opened(database, create=bool(rule)) as store:
        if rule:
            changes = dict(_changed(text, rules_of_house.AMOUNTS) for text in rule)
            rules = accepted(rules_of_house.change_rules(store, changes, operator(), now_ms(), reason))
        else:
            with store.read() as reader:
                rules = rules_of_house.house_rules(reader)
    if json:
        import msgspec

        answer_json({name: msgspec.to_builtins(getattr(rules, name)) for name in rules_of_house.NAMES})
        return
    show(Grid(("rule", "value"), tuple(_rows(rules, rules_of_house.AMOUNTS)), grows=1))


BookName = Annotated[str | None, argument("[BOOK]", "The name of a book; default: the whole floor.")]


def house_stop(
    book: BookName = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Stop the floor, or the tables of one book.

    Rounds in play are finished. No other round is called and no new bet is taken until punto house start.
    """
    from punto.floor.orders import stop_play

    with opened(database) as store:
        stops = accepted(stop_play(store, book, reason, operator(), now_ms()))
    _tell_stops(stops, json=json)


def house_start(
    book: BookName = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Let the floor, or the tables of one book, be played again."""
    from punto.floor.orders import start_play

    with opened(database) as store:
        stops = accepted(start_play(store, book, operator(), now_ms(), reason))
    _tell_stops(stops, json=json)


def _tell_stops(stops: tuple[Stop, ...], *, json: bool) -> None:
    """Everything that is stopped now."""
    names = [f"tables of {stop.book}" if stop.book is not None else "the whole floor" for stop in stops]
    answer({"stops": stops}, f"stopped: {', '.join(names) or 'nothing'}", json=json)


def _changed(text: str, amounts: tuple[str, ...]) -> tuple[str, Any]:
    from punto.money import parse_amount

    name, equals, value = text.partition("=")
    if not equals:
        refuse(f"a rule is NAME=VALUE, such as profile=strict, not {text!r}")
    name = name.strip().replace("-", "_")
    if not value:
        return name, None
    return name, read_as(parse_amount, value) if name in amounts else value


def _rows(rules: HouseRules, amounts: tuple[str, ...]) -> list[tuple[str, str]]:
    from punto.money import format_money

    rows = []
    for name in rules.__struct_fields__:
        value = getattr(rules, name)
        if name == "profile":
            value = value.name
        elif value is None or value == "":
            value = "none"
        elif name in amounts:
            value = format_money(value)
        rows.append((name, str(value)))
    return rows
