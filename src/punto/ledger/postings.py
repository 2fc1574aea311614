"""What moves when something happens at a table, from the table before the event and the event alone.

A stake goes from its player into play. A settlement takes it out again, line by line: what is lost goes to
the float, what is paid or pushed is held for its table. Held money is the player's at the next call or when
the table closes; until then the settlement can be reversed, and whatever it paid is still there. Whoever leaves, or
whose table pauses, has it at once. If such a settlement is reversed after all, the bank advances what was taken away:
whatever the round then brings that player repays the bank first, and the player never has less than was paid.

A commission that is taken with the pay-out never leaves the float. One that is collected later is paid out with the
win and set aside at once, so that it is never short, and goes to the float when it is collected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from msgspec.structs import replace

from punto.ledger import movement as accounts
from punto.ledger.movement import Movement, MovementKind, Posting, moved
from punto.rules.outcome import insurance_area
from punto.table.antes import WagerPlaced
from punto.table.betting import BetPlaced, BetReturned, BetsCalled
from punto.table.dealing import CardDealt
from punto.table.event import Event
from punto.table.house import CommissionCollected, TableClosed, WinningsReleased
from punto.table.insurance import InsuranceTaken
from punto.table.irregularity_events import BetsReturned, OptionChosen, RoundVoided, Ruled
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, Stake, State

Returning = BetReturned | OptionChosen | Ruled | BetsReturned | RoundVoided
"""Events by which stakes go back undecided."""


def laid_stake(event: Event) -> Stake | None:
    """The stake that an event puts on the layout."""
    match event:
        case BetPlaced() | WagerPlaced():
            return Stake(event.box, event.player, event.area, event.amount)
        case InsuranceTaken():
            return Stake(event.box, event.player, insurance_area(event.hand, event.window), event.amount)
        case _:
            return None


def returned_stakes(event: Event) -> tuple[Stake, ...]:
    """The stakes that an event takes off the layout undecided."""
    match event:
        case BetReturned():
            return (Stake(event.box, event.player, event.area, event.amount),)
        case OptionChosen() | Ruled() | RoundVoided():
            return event.returned
        case BetsReturned():
            return event.bets
        case _:
            return ()


def movements_of(table_id: str, before: State, event: Event, *, float_balance: int = 0) -> tuple[Movement, ...]:
    """The movements of an event, in an order in which no account runs short that had enough for them.

    `float_balance`, what the float of the table holds, is asked for only when the table closes.
    """
    if type(event) is BetPlaced:  # most of what moves anything
        return (_bet(table_id, before, Stake(event.box, event.player, event.area, event.amount)),)
    if type(event) is CardDealt:  # most of what moves nothing
        return ()
    match event:
        case BetReturned() | OptionChosen() | Ruled() | BetsReturned() | RoundVoided():
            return tuple(_back(table_id, before, event))
        case RoundSettled():
            return _settled(table_id, before, event.bets)
        case SettlementReversed():
            return _reversed(table_id, before)
        case CommissionCollected():
            due, at_table = accounts.due_account(table_id, event.player), accounts.float_account(table_id)
            postings = moved(event.amount, source=due, target=at_table)
            return (Movement(MovementKind.COLLECTION, postings, table_id, before.round, player=event.player),)
        case WinningsReleased():
            return (_release(table_id, before, event.player, event.amount),)
        case BetsCalled():
            return tuple(_released(table_id, before))
        case TableClosed():
            return (*_released(table_id, before), *_credited(table_id, before, float_balance))
        case _:
            stake = laid_stake(event)
            return (_bet(table_id, before, stake),) if stake is not None else ()


def _bet(table_id: str, state: State, stake: Stake) -> Movement:
    player, play = accounts.player_account(stake.player), accounts.play_account(table_id, state.round)
    postings = moved(stake.amount, source=player, target=play)
    return Movement(MovementKind.BET, postings, table_id, state.round, stake.box, stake.area, stake.player)


def _back(table_id: str, state: State, event: Returning) -> Iterator[Movement]:
    """What goes back undecided was never held, so it is free at once."""
    stakes, reason = returned_stakes(event), _why_back(event)
    assert state.settled is None or not stakes, "what is settled is no longer in play"
    kind = MovementKind.VOID if isinstance(event, RoundVoided) else MovementKind.RETURN
    play, repaid = accounts.play_account(table_id, state.round), _Repaying(state)
    for stake in stakes:
        own, bank = accounts.player_account(stake.player), repaid.of(stake.player, stake.amount)
        postings = _entries((play, -stake.amount), (own, stake.amount - bank), (repaid.bank, bank))
        where = (table_id, state.round, stake.box, stake.area, stake.player)
        yield Movement(kind, postings, *where, event.clause, reason)


class _Repaying:
    """What the bank has advanced for players who have theirs, as stakes and wins repay it."""

    def __init__(self, state: State) -> None:
        self.bank = accounts.bank_account(state.round_terms.currency)
        self._advanced = dict(state.advanced)

    def of(self, player: str, amount: int) -> int:
        """The part of what a player would get that goes to the bank."""
        if not self._advanced and amount >= 0:
            return 0
        part = min(amount, self._advanced.get(player, 0))
        if part:
            self._advanced[player] -= part
        return part


def _entries(*entries: tuple[str, int]) -> tuple[Posting, ...]:
    return tuple([Posting(account, amount) for account, amount in entries if amount])


def _why_back(event: Returning) -> str:
    match event:
        case BetReturned():
            return event.why.value
        case OptionChosen():
            return "option"
        case BetsReturned():
            return "record-slip" if event.is_slip else "insurance-neglected"
        case Ruled() | RoundVoided():
            return event.reason


def _settled(table_id: str, state: State, lines: Sequence[SettledBet]) -> tuple[Movement, ...]:
    """The fill that the round needs, then the lines: what the house gets before what it pays."""
    cost = sum([line.net + line.commission if line.is_due else line.net for line in lines])
    in_order, repaid = sorted(lines, key=attrgetter("net")), _Repaying(state)
    movements = [movement for line in in_order for movement in _line(table_id, state, line, repaid)]
    if cost > 0:
        assert state.terms is not None
        bank, at_table = accounts.bank_account(state.terms.currency), accounts.float_account(table_id)
        postings = moved(cost, source=bank, target=at_table)
        movements.insert(0, Movement(MovementKind.FILL, postings, table_id, state.round))
    return tuple(movements)


def _line(table_id: str, state: State, line: SettledBet, repaid: _Repaying) -> Iterator[Movement]:
    """The whole stake leaves play; the player gets it with the net, the float bears the net.

    What is collected later goes with it, and from there to what is due: that commission leaves the float too.
    """
    paid, due = line.stake + line.net, line.commission if line.is_due else 0
    assert paid >= 0, "nobody loses more than the stake"
    held, bank = accounts.held_account(table_id, line.player), repaid.of(line.player, paid)
    postings = _entries(
        (accounts.play_account(table_id, state.round), -line.stake),
        (accounts.float_account(table_id), -line.net - due),
        (held, paid - bank + due),
        (repaid.bank, bank),
    )
    where = (table_id, state.round, line.box, line.area, line.player)
    yield Movement(MovementKind.SETTLEMENT, postings, *where, line.clause, line.result.value, line.commission)
    if due:
        aside = moved(due, source=held, target=accounts.due_account(table_id, line.player))
        yield Movement(MovementKind.COMMISSION, aside, *where)


def _reversed(table_id: str, state: State) -> tuple[Movement, ...]:
    """The exact opposite of the settlement, last movement first; the bank advances what is no longer held."""
    assert state.settled is not None, "only what was settled is reversed"
    back, freed, bank = [], dict(state.freed), accounts.bank_account(state.round_terms.currency)
    for done in reversed(_settled(table_id, state, state.settled)):
        totals = {posting.account: -posting.amount for posting in done.postings}
        if done.player is not None and freed.get(done.player):
            held = accounts.held_account(table_id, done.player)
            gone = min(freed[done.player], max(0, -totals.get(held, 0)))
            freed[done.player] -= gone
            totals |= {held: totals.get(held, 0) + gone, bank: totals.get(bank, 0) - gone}
        postings = _entries(*totals.items())
        back.append(replace(done, kind=MovementKind.REVERSAL, postings=postings, commission=-done.commission))
    return tuple(back)


def _released(table_id: str, state: State) -> Iterator[Movement]:
    """What the last settlement paid can no longer be reversed."""
    for player, amount in state.winnings().items():
        yield _release(table_id, state, player, amount)


def _release(table_id: str, state: State, player: str, amount: int) -> Movement:
    """What a table has held is the player's; the commission on it is told with the first part."""
    postings = moved(amount, source=accounts.held_account(table_id, player), target=accounts.player_account(player))
    is_told = player in state.freed or player in state.advanced
    kept = 0 if is_told else sum(line.commission for line in state.settled or () if line.player == player)
    return Movement(MovementKind.RELEASE, postings, table_id, state.round, player=player, commission=kept)


def _credited(table_id: str, state: State, balance: int) -> Iterator[Movement]:
    assert state.terms is not None and balance >= 0
    if balance:
        bank, at_table = accounts.bank_account(state.terms.currency), accounts.float_account(table_id)
        yield Movement(MovementKind.CREDIT, moved(balance, source=at_table, target=bank), table_id)
