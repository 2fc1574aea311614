"""Events of the table in their JSON form, as the facts that the checker speaks of."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

Json = dict[str, Any]
Fact = tuple[Any, ...]


def facts_of(events: list[Json]) -> list[Fact]:
    """The facts of some events; those that say nothing of the round are left out."""
    told = [event for event in events if event["type"] != "bets-returned" or event["bets"]]
    return [FACTS[event["type"]](event) for event in told if event["type"] in FACTS]


def _odds(text: str) -> Fraction:
    pays, _, to = text.partition(":")
    return Fraction(pays) / Fraction(to)


def _stakes(stakes: list[Json]) -> tuple[Fact, ...]:
    return tuple((stake["box"], stake["player"], stake["area"], stake["amount"]) for stake in stakes)


def _offered(event: Json) -> Fact:
    offers = (
        (made["box"], made["player"], made["hand"], _odds(made["odds"]), made["most"]) for made in event["offers"]
    )
    odds = ((hand, _odds(text)) for hand, text in event["odds"].items())
    return "offered", event["window"], frozenset(odds), frozenset(offers)


def _evidence(event: Json) -> Fact:
    cards = tuple(
        (
            card["card"],
            card["lies"],
            card.get("face", "up") == "up",
            card.get("together", False),
            card.get("foreign", False),
            card.get("carried", False),
        )
        for card in event["evidence"].get("cards", ())
    )
    return event["type"], event["case"], (cards, tuple(event["evidence"].get("seen", ())))


def _found(event: Json) -> Fact:
    told = (event["finding"], event["clause"], event["awaits"], event["decider"])
    return "found", *told, event.get("house_term", False)


def _hands(kind: str, event: Json, over: str) -> Fact:
    hands = (tuple(event.get(name, ())) for name in ("player", "banker", over))
    return kind, *hands, event.get("clause")


def _settled(event: Json) -> Fact:
    lines = tuple(
        (line["box"], line["player"], line["area"], line["stake"], line["result"], line["net"])
        for line in event["bets"]
    )
    return "settled", event["winner"], lines


def _fields(kind: str, *names: str) -> Callable[[Json], Fact]:
    return lambda event: (kind, *(event[name] for name in names))


FACTS: dict[str, Callable[[Json], Fact]] = {
    "bets-called": _fields("called", "round"),
    "bet-returned": _fields("cut", "box", "player", "area", "amount", "why"),
    "bets-closed": _fields("bets-closed"),
    "card-dealt": lambda e: ("dealt", e["hand"], e["card"], e["face_up"], e.get("carried", False)),
    "card-revealed": _fields("revealed", "hand", "number", "card"),
    "deal-finished": lambda e: (
        "finished",
        e["winner"],
        e["player_points"],
        e["banker_points"],
        tuple(sorted(e["declared"])),
    ),
    "antes-asked": lambda e: ("antes-asked", _stakes(e["antes"])),
    "wager-placed": _fields("wagered", "box", "player", "area", "amount"),
    "ante-given-up": _fields("given-up", "box", "player", "area"),
    "insurance-offered": _offered,
    "insurance-closed": lambda e: ("passed", e["window"], frozenset(e["forgone"])),
    "insurance-neglected": _fields("neglected", "window"),
    "insurance-taken": lambda e: (
        *("insured", e["box"], e["player"], e["hand"], e["window"]),
        *(e["amount"], _odds(e["odds"])),
    ),
    "insurance-declined": _fields("declined", "player"),
    "insurance-wished": _fields("wished", "box", "player", "hand", "window"),
    "walked-away": _fields("away", "player"),
    "came-back": _fields("back", "player"),
    "case-opened": _evidence,
    "evidence-added": _evidence,
    "evidence-withdrawn": _evidence,
    "clause-found": _found,
    "case-closed": lambda e: ("resolved", e["case"], e["finding"], e["resolution"], e.get("clause")),
    "error-found-late": _fields("late", "round", "clause"),
    "reconstruction-judged": _fields("judged", "possible", "clause"),
    "cards-ordered": lambda e: ("ordered", tuple(e["cards"]), e["clause"]),
    "cards-reconstructed": lambda e: _hands("reconstructed", e, "carried"),
    "cards-played-as-they-lie": lambda e: _hands("as-they-lie", e, "out"),
    "options-given": lambda e: ("options", tuple(e["players"]), e["is_reconstructed"], e["clause"]),
    "option-chosen": lambda e: (*("chose", e["player"], e["option"], e["clause"]), _stakes(e.get("returned", ()))),
    "cards-replaced": _fields("replaced", "clause"),
    "bets-returned": lambda e: ("bets-back", _stakes(e["bets"]), e["clause"]),
    "ruled": lambda e: ("ruled", e["effect"], e["clause"], _stakes(e.get("returned", ()))),
    "round-voided": lambda e: ("void", e["round"], e["clause"], _stakes(e["returned"])),
    "settlement-reversed": _fields("reopened", "round"),
    "round-settled": _settled,
}
"""By the name of the event."""
