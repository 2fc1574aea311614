"""Up the Ante: a card is shown, then each ante is given up or followed by its wager.

Commands, events, the question that the deal asks, decisions and words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from punto.money import format_money
from punto.refusal import Reason, Refusal
from punto.rules import holdings
from punto.rules.authority import Role
from punto.rules.book_text import AntePair, Area
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs, subject
from punto.table.state import AnteState, LaidBet, Phase, Stake, State, Table
from punto.table.words import Sentence, Telling, Theme, Words, plain, say, stake_fact


class PlaceWager(CommandHeader, frozen=True, kw_only=True):
    """Go on with an ante: the wager beside it."""

    phrase: ClassVar[str] = "wager"

    box: int
    area: str  # The betting area of the wager.
    amount: int
    player: str | None = None
    round: int | None = None


class GiveUpAnte(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "give up"

    box: int
    area: str  # The betting area of the ante.
    player: str | None = None
    round: int | None = None


class ExpireAntes(CommandHeader, frozen=True, kw_only=True):
    """The decision clock ran out: every ante not decided is given up."""

    phrase: ClassVar[str] = "time is up"


AnteCommand = PlaceWager | GiveUpAnte | ExpireAntes


class AntesAsked(EventHeader, frozen=True):
    """The card is shown: every ante is to be decided."""

    antes: tuple[Stake, ...]

    def fold(self, state: State) -> State:
        spots = tuple((ante.box, ante.player, ante.area) for ante in self.antes)
        return replace(state, antes_open=spots, phase=Phase.ANTES, since=self.time)


class WagerPlaced(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    amount: int
    ante: str

    def fold(self, state: State) -> State:
        ante = state.bet(self.box, self.player, self.ante)
        assert ante is not None
        wager = LaidBet(self.box, self.player, self.area, self.amount, ante.is_seated)
        state = replace(state, bets=(*state.bets, wager))
        return _decided(state.with_bet(replace(ante, ante=AnteState.WAGERED)), ante)


class AnteGivenUp(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    clause: str

    def fold(self, state: State) -> State:
        ante = state.bet(self.box, self.player, self.area)
        assert ante is not None
        return _decided(state.with_bet(replace(ante, ante=AnteState.GIVEN_UP)), ante)


def _decided(state: State, ante: LaidBet) -> State:
    return state.with_antes_open(tuple(spot for spot in state.antes_open if spot != ante.spot))


AnteEvent = AntesAsked | WagerPlaced | AnteGivenUp


def ask_antes(draft: Draft) -> bool:
    """Ask for every ante once the card is open; whether there was one to ask for."""
    antes = open_antes(draft.table)
    if not antes or waits_for_card(draft.table):
        return False
    draft.add(AntesAsked(*draft.stamp, antes=antes))
    return True


def waits_for_card(table: Table) -> bool:
    """Whether antes cannot be asked for yet: a card that they are decided by is to come, or lies closed."""
    ante, order = table.book.ante, table.state.order
    if ante is None or not open_antes(table):
        return False
    return not all(slot.face_up for slot in order[: ante.shown_cards]) or len(order) < ante.shown_cards


def open_antes(table: Table) -> tuple[Stake, ...]:
    """Antes that nobody has decided."""
    antes = []
    for bet in table.state.bets if table.book.ante is not None else ():
        rule = table.book.bet(bet.area)
        if rule is not None and rule.kind is Area.ANTE and bet.ante is AnteState.OPEN:
            antes.append(Stake(bet.box, bet.player, bet.area, bet.stake))
    return tuple(antes)


def pair_with(table: Table, area: str) -> AntePair | None:
    """The ante and wager that a betting area belongs to."""
    pairs = table.book.ante.pairs if table.book.ante else ()
    return next((pair for pair in pairs if area in (pair.ante, pair.wager)), None)


def refuse_place_wager(table: Table, command: PlaceWager) -> Refusal | None:
    pair = pair_with(table, command.area)
    rules = table.book.ante
    if pair is None or rules is None or command.area != pair.wager:
        return _refuse_area(table, command, pair)
    bet = _open_ante(table, command.box, subject(command), pair.ante)
    return holdings.refuse_wager(table.book, command.area, command.amount, bet.stake if bet else None)


def _refuse_area(table: Table, command: PlaceWager, pair: AntePair | None) -> Refusal:
    """A wager where none goes: on the ante itself, on another bet, or on nothing of this book."""
    rules, params = table.book.ante, dict[str, str | int](area=command.area)
    if refusal := holdings.refuse_area(table.book, command.area):
        return refusal
    if rules is None:
        return Refusal(Reason.NO_ANTE_OPEN, None, {"area": command.area})
    params["wagers"] = pair.wager if pair else ", ".join(each.wager for each in rules.pairs)
    return Refusal(Reason.NOT_A_WAGER, rules.wager_clause, params)


def _open_ante(table: Table, box: int, player: str, ante: str) -> LaidBet | None:
    return table.state.bet(box, player, ante) if (box, player, ante) in table.state.antes_open else None


def place_wager(draft: Draft, command: PlaceWager) -> None:
    pair = pair_with(draft.table, command.area)
    assert pair is not None
    spot = command.box, subject(command), pair.wager
    draft.add(WagerPlaced(*draft.stamp, *spot, amount=command.amount, ante=pair.ante))


def refuse_give_up_ante(table: Table, command: GiveUpAnte) -> Refusal | None:
    """Staff give up an ante only for a player who has left."""
    player = subject(command)
    bet = _open_ante(table, command.box, player, command.area)
    if refusal := holdings.refuse_ante(table.book, command.area, bet.stake if bet else None):
        return refusal
    if command.role is not Role.PLAYER and player not in table.state.away:
        rules = table.book.ante
        return Refusal(Reason.PLAYERS_PRESENT, rules.clause if rules else None, {"players": player})
    return None


def give_up_ante(draft: Draft, command: GiveUpAnte) -> None:
    _give_up(draft, command.box, subject(command), command.area)


def _give_up(draft: Draft, box: int, player: str, area: str) -> None:
    rules = draft.book.ante
    assert rules is not None
    draft.add(AnteGivenUp(*draft.stamp, box=box, player=player, area=area, clause=rules.give_up_clause))


def refuse_expire_antes(table: Table, _: ExpireAntes) -> Refusal | None:
    if table.state.antes_open:
        return None
    rules = table.book.ante
    return Refusal(Reason.NO_CASE, rules.clause if rules else None, {"why": "no ante is open"})


def expire_antes(draft: Draft, _: ExpireAntes) -> None:
    for box, player, area in draft.state.antes_open:
        _give_up(draft, box, player, area)


ANTE_VERBS: Verbs = {
    PlaceWager: Verb(refuse=refuse_place_wager, carry_out=place_wager, names_player=True, in_person=True),
    GiveUpAnte: Verb(refuse=refuse_give_up_ante, carry_out=give_up_ante, names_player=True),
    ExpireAntes: Verb(refuse=refuse_expire_antes, carry_out=expire_antes),
}


def _tell_antes_asked(telling: Telling, event: AntesAsked) -> Iterator[Sentence]:
    ante = telling.book.ante
    assert ante is not None
    for stake in event.antes:
        due = format_money(ante.multiple * stake.amount)
        yield Sentence(Theme.OFFER, f"{telling.stake(stake)}; wager {due} or give up?")


ANTE_WORDS: dict[type[EventHeader], Words] = {
    AntesAsked: Words(("asked",), lambda event: [stake_fact("asked", ante) for ante in event.antes], _tell_antes_asked),
    WagerPlaced: plain("wagered box player area amount", say("{bet}: {amount}")),
    AnteGivenUp: plain("given-up box player area clause", say("{bet}: given up{by_clause}")),
}
