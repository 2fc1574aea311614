"""Random commands: some as the list of legal ones says, filled in at random, and some wild.

Everything comes out of one `Random`, whose seed is what a failing example prints.
"""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.money import Rounding
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.table import Legal, Table
from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager
from punto.table.betting import AdviseMinimum, CallBets, CloseBets, PlaceBet, ReduceBet, RejectExcess, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import AnswerSqueeze, AskSqueeze, CorrectCard, DealCard, RevealCard, TakeDraw
from punto.table.header import CommandHeader
from punto.table.house import BurnCards, ComeBack, LoadShoe, WalkAway
from punto.table.insurance import DeclineInsurance, OfferInsurance, TakeInsurance, WishInsurance
from punto.table.irregularity_events import (
    ChooseOption,
    CloseOptions,
    DismissReport,
    Effect,
    ExpireOptions,
    JudgeReconstruction,
    Option,
    OrderCards,
    ReplaceCards,
    Report,
    ReturnBets,
    Rule,
    VoidRound,
    WithdrawEvidence,
)
from punto.table.settlement import SettleRound
from punto.table.state import SqueezeKind
from punto.table.terms import BetLimits, Drawing, Faces, Noticing, Offering, Terms
from tests.table.machine_evidence import (
    cards_to_order,
    numbers_to_take_back,
    random_card,
    random_facts,
    random_order,
    random_sightings,
)
from tests.table.scenes import STAFF, terms_of

PLAYERS = ("Ann", "Ben", "Cat")
PEOPLE: tuple[tuple[str, Role], ...] = (*((name, Role.PLAYER) for name in PLAYERS), *STAFF.items())
COMMAND = msgspec.json.Decoder(Command)
COMMANDS: tuple[type[CommandHeader], ...] = get_args(Command)

ONWARD = (
    LoadShoe, BurnCards, CallBets, PlaceBet, CloseBets, DealCard, RevealCard,
    SettleRound, PlaceWager, GiveUpAnte, TakeInsurance, JudgeReconstruction, OrderCards,
    VoidRound, ChooseOption, CloseOptions, ReturnBets, Rule,
)  # fmt: skip
"""Commands that bring a round to its end."""

ASTRAY = (
    Report, WithdrawEvidence, CorrectCard, AskSqueeze, AnswerSqueeze, OfferInsurance,
    TakeInsurance,
    DeclineInsurance, WishInsurance, ReduceBet, WithdrawBet, RejectExcess, AdviseMinimum,
    RevealCard, ReplaceCards, DismissReport, WalkAway, ComeBack, ExpireAntes,
    ExpireOptions, TakeDraw,
)  # fmt: skip
"""Commands that not every round sees."""

TO_A_WINDOW = (PlaceBet, CloseBets, DealCard, RevealCard, OfferInsurance)
"""Commands that bring a round to its next insurance window."""

RESOLVING = (
    ChooseOption, CloseOptions, JudgeReconstruction, OrderCards, ReturnBets, Rule, VoidRound,
)  # fmt: skip
"""Commands by which a case is resolved."""

PAST_BETTING = tuple(kind for kind in ONWARD if kind is not PlaceBet)
"""The same, when enough lies on the layout."""


def random_terms(book: str, random: Random) -> Terms:
    """Terms that the book allows, of every kind."""
    decks = 6 if book == "ez" else random.choice((4, 6))
    left = random.choice((12, 20, 40, None))
    measured = book == "insurance"
    minimum = random.choice((100, 1000))
    insured = random.random() < 0.9
    return terms_of(
        book,
        decks=decks,
        boxes_each=random.choice((1, 1, 2)),
        chip=random.choice((1, 100)),
        minimum=minimum,
        maximum=None if measured else random.choice((None, 3000)),
        differential=random.choice((1000, 2500, 100_000)) if measured else None,
        bet_limits={"tie": BetLimits(minimum, minimum + 1000)} if random.random() < 0.3 else {},
        faces=random.choice((Faces.UP, Faces.DOWN)),
        private=True,
        insurance=insured,
        requested_by=None if insured or not measured else "Ann",
        offering=random.choice(tuple(Offering)),
        noticing=random.choice(tuple(Noticing)),
        drawing=random.choice((Drawing.DEALER, Drawing.DEALER, Drawing.PLAYERS)),
        rounding=random.choice(tuple(Rounding)),
        burn="first-card" if left is None else str(decks * 52 - left),
        behind_cut=random.choice((0, 3, 6)),
        rounds_after_cut=random.choice((0, 1)),
        source=random.choice(tuple(SourceKind)),
    )


def filled(legal: Legal, table: Table, random: Random) -> Command:
    """A listed command with its free parts filled at random; the table may still refuse what came of it."""
    kind = type(legal.command)
    values = {name: _value(kind, name, table, random) for name in legal.free if random.random() < 0.7}
    if "amount" in values and legal.most is not None and random.random() < 0.3:
        values["amount"] = legal.most
    if values.get("card", DECK[0]) is None and isinstance(legal.command, CorrectCard):
        del values["card"]  # it has to be named there
    return replace(legal.command, **values)


def wild(table: Table, random: Random) -> Command:
    """Any command by anybody, sensible or not, as long as its JSON can be read."""
    while True:
        kind = random.choice(COMMANDS)
        actor, role = random.choice(PEOPLE)
        if random.random() < 0.1:
            role = random.choice(tuple(Role))
        own = [name for name in kind.__struct_fields__ if name not in CommandHeader.__struct_fields__]
        fields: dict[str, Any] = {name: _value(kind, name, table, random) for name in own}
        try:
            made: Command = COMMAND.decode(msgspec.json.encode(kind(actor=actor, role=role, **fields)))
            return made
        except msgspec.ValidationError:
            continue


def _value(kind: type[CommandHeader], name: str, table: Table, random: Random) -> Any:
    terms = table.state.terms
    chip = terms.chip if terms else 100
    bets = table.state.bets
    choices: dict[str, Any] = {
        "terms": lambda: random_terms(table.book.name, random),
        "card": lambda: random_card(table, random),
        "cards": lambda: _CARDS[kind](table, random),
        "seen": lambda: random_facts(random),
        "order": lambda: random_order(random),
        "box": lambda: random.choice((0, 1, 1, 2, 2, 3, 9, *(bet.box for bet in bets))),
        "player": lambda: random.choice((None, *PLAYERS, *PLAYERS, "Zoe")),
        "area": lambda: random.choice((*table.book.areas, *(bet.area for bet in bets), "nowhere")),
        "amount": lambda: random.choice((chip, 10 * chip, 1000, 2000, 2500, 7000, 0, -chip, 50)),
        "hand": lambda: random.choice((*Hand, *Hand, None)),
        "number": lambda: random.choice((1, 2, 3, 3, None, 0, 4)),
        "consent": lambda: random.random() < 0.7,
        "kind": lambda: random.choice(tuple(SqueezeKind)),
        "window": lambda: random.choice((None, None, table.state.window, 4, 5)),
        "round": lambda: random.choice((None, None, table.state.round, table.state.round - 1, 99)),
        "note": lambda: random.choice(("", "seen by two")),
        "reason": lambda: random.choice(("", "because")),
        "possible": lambda: random.random() < 0.6,
        "option": lambda: random.choice(tuple(Option)),
        "effect": lambda: random.choice(tuple(Effect)),
        "commitment": lambda: "",  # a shuffle that can be checked is told elsewhere
        "algorithm": lambda: "",
        "instead": lambda: random.choice(("", "", "", "the cards may be known")),
        "digest": lambda: random.choice(("", "5a" * 32)),
        "value": lambda: random.choice(("", "5a", "not hexadecimal")),
        "shoe": lambda: random.choice((0, 1, table.state.shoe_number)),
        "seed": lambda: random.choice(("", "5a" * 32)),
        "players": lambda: random.choice(((), ("Ann",), ("Ann", "Ben"), ("Zoe",))),
    }
    return choices[name]()


_CARDS: dict[type[CommandHeader], Any] = {
    Report: random_sightings,
    WithdrawEvidence: numbers_to_take_back,
    OrderCards: cards_to_order,
}
"""What `cards` are, in each command that has them."""
