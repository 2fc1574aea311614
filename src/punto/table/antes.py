"""Up the Ante: a card is shown, then each ante is given up or followed by its wager."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from punto.money import Money, format_money
from punto.refusal import Reason, Refusal
from punto.rules import holdings
from punto.rules.authority import Role
from punto.rules.book_text import AntePair
from punto.table.header import BetEvent, CommandHeader, Draft, EventHeader, StakeCommand, Verb, Verbs, subject
from punto.table.state import AnteState, LaidBet, Phase, Stake, State, Table
from punto.table.words import Sentence, Telling, Theme, Words, plain, stake_fact


class PlaceWager(StakeCommand, frozen=True, kw_only=True):
    """Go on with an ante: the wager beside it, on the betting area of the wager."""


class GiveUpAnte(CommandHeader, frozen=True, kw_only=True):
    """Give an ante up, by its betting area."""

    box: int
    area: str  # The betting area of the ante.
    player: str | None = None
    round: int | None = None


class ExpireAntes(CommandHeader, frozen=True, kw_only=True):
    """The time to decide is over: every undecided ante is given up."""


AnteCommand = PlaceWager | GiveUpAnte | ExpireAntes


class AntesAsked(EventHeader, frozen=True):
    """The card is shown: these antes must be decided."""

    antes: tuple[Stake, ...]

    def fold(self, state: State) -> State:
        spots = tuple((ante.box, ante.player, ante.area) for ante in self.antes)
        return replace(state, antes_open=spots, phase=Phase.ANTES, since=self.time)


class WagerPlaced(BetEvent, frozen=True):
    """A wager was placed with its ante."""

    amount: Money
    ante: str

    def fold(self, state: State) -> State:
        ante = state.bet(self.box, self.player, self.ante)
        assert ante is not None
        wager = LaidBet(self.box, self.player, self.area, self.amount, ante.is_seated)
        state = replace(state, bets=(*state.bets, wager))
        return _decided(state.with_bet(replace(ante, ante=AnteState.WAGERED)), ante)


class AnteGivenUp(BetEvent, frozen=True):
    """An ante was given up."""

    clause: str

    def fold(self, state: State) -> State:
        ante = self.laid_bet(state)
        return _decided(state.with_bet(replace(ante, ante=AnteState.GIVEN_UP)), ante)


def _decided(state: State, ante: LaidBet) -> State:
    return state.with_antes_open(tuple(spot for spot in state.antes_open if spot != ante.spot))


AnteEvent = AntesAsked | WagerPlaced | AnteGivenUp


def ask_antes(draft: Draft) -> bool:
    """Ask for every ante once the card is open; whether there was one to ask for."""
    antes = open_antes(draft.table)
    if not antes or waits_for_card(draft.table):
        return False
    draft.add(AntesAsked, antes=antes)
    return True


def waits_for_card(table: Table) -> bool:
    """Whether antes cannot be asked for yet: a card that they are decided by is to come, or lies closed."""
    ante, order = table.book.ante, table.state.order
    if ante is None or not open_antes(table):
        return False
    return not all(slot.face_up for slot in order[: ante.shown_cards]) or len(order) < ante.shown_cards


def open_antes(table: Table) -> tuple[Stake, ...]:
    if table.book.ante is None:
        return ()
    areas = {pair.ante for pair in table.book.ante.pairs}
    return tuple(bet.as_stake for bet in table.state.bets if bet.area in areas and bet.ante is AnteState.OPEN)


def pair_with(table: Table, area: str) -> AntePair | None:
    """The ante and wager that a betting area belongs to."""
    pairs = table.book.ante.pairs if table.book.ante else ()
    return next((pair for pair in pairs if area in (pair.ante, pair.wager)), None)


def refuse_place_wager(table: Table, command: PlaceWager) -> Refusal | None:
    pair, rules = pair_with(table, command.area), table.book.ante
    if pair is not None and command.area == pair.wager:
        stake = _open_stake(table, command.box, subject(command), pair.ante)
        return holdings.refuse_wager(table.book, command.area, command.amount, stake)
    # A wager where none goes: on the ante itself, on another bet, or on nothing of this book.
    if refusal := holdings.refuse_area(table.book, command.area):
        return refusal
    if rules is None:
        return Refusal(Reason.NO_ANTE_OPEN, None, {"area": command.area})
    wagers = pair.wager if pair else ", ".join(each.wager for each in rules.pairs)
    return Refusal(Reason.NOT_A_WAGER, rules.wager_clause, {"area": command.area, "wagers": wagers})


def _open_stake(table: Table, box: int, player: str, ante: str) -> int | None:
    """What lies on an ante that is still to be decided."""
    bet = table.state.bet(box, player, ante) if (box, player, ante) in table.state.antes_open else None
    return bet.stake if bet else None


def place_wager(draft: Draft, command: PlaceWager) -> None:
    pair = pair_with(draft.table, command.area)
    assert pair is not None
    draft.add(WagerPlaced, command.box, subject(command), pair.wager, command.amount, pair.ante)


def refuse_give_up_ante(table: Table, command: GiveUpAnte) -> Refusal | None:
    """Staff give up an ante only for a player who has left."""
    player = subject(command)
    stake = _open_stake(table, command.box, player, command.area)
    if refusal := holdings.refuse_ante(table.book, command.area, stake):
        return refusal
    if command.role is not Role.PLAYER and player not in table.state.away:
        rules = table.book.ante
        return Refusal(Reason.PLAYERS_PRESENT, rules.clause if rules else None, {"players": player})
    return None


def give_up_ante(draft: Draft, command: GiveUpAnte) -> None:
    _give_up(draft, command.box, subject(command), command.area)


def _give_up(draft: Draft, box: int, player: str, area: str) -> None:
    assert draft.book.ante is not None
    draft.add(AnteGivenUp, box, player, area, draft.book.ante.give_up_clause)


def refuse_expire_antes(table: Table, _: ExpireAntes) -> Refusal | None:
    clause = table.book.ante.clause if table.book.ante else None
    return None if table.state.antes_open else Refusal(Reason.NO_CASE, clause, {"why": "no ante is open"})


def expire_antes(draft: Draft, _: ExpireAntes) -> None:
    for box, player, area in draft.state.antes_open:
        _give_up(draft, box, player, area)


ANTE_VERBS: Verbs = {
    PlaceWager: Verb("wager", refuse_place_wager, place_wager, names_player=True, in_person=True),
    GiveUpAnte: Verb("give up", refuse_give_up_ante, give_up_ante, names_player=True),
    ExpireAntes: Verb("time is up", refuse_expire_antes, expire_antes),
}


def _tell_antes_asked(telling: Telling, event: AntesAsked) -> Iterator[Sentence]:
    assert telling.book.ante is not None
    for stake in event.antes:
        due = format_money(telling.book.ante.multiple * stake.amount)
        yield from telling.say("antes-asked", stake, Theme.OFFER, due=due)


ANTE_WORDS: dict[type[EventHeader], Words] = {
    AntesAsked: Words(("asked",), lambda event: [stake_fact("asked", ante) for ante in event.antes], _tell_antes_asked),
    WagerPlaced: plain("wagered box player area amount"),
    AnteGivenUp: plain("given-up box player area clause"),
}
