"""How long a table takes: a complete round of ten bets through decide and evolve, and replaying a log.

The aims are 250 µs for a round from the call to the settlement, on one core, and 800,000 events a second for
a replay. The baseline, measured in the same run, is settling the same ten bets on a finished deal alone. Processor
time is measured, so that a busy machine takes less away.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from timeit import repeat

from msgspec.structs import replace

from punto import books
from punto.cards import Card, seeded_bytes, shuffled_shoe
from punto.coup import deal
from punto.rules.authority import Role
from punto.table import Phase, Refusal, State, Table, decide, default_terms, evolve, evolved, settle_bet
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.house import LoadShoe, OpenTable, TakeSeat
from punto.table.settlement import SettleRound

ROUND_AIM_US = 250
REPLAY_AIM_EVENTS = 800_000

BETS = (
    ("Ann", 1, "player", 2000), ("Ann", 1, "tie", 1000), ("Ann", 1, "player-pair", 1000),
    ("Ben", 2, "banker", 5000), ("Ben", 2, "banker-pair", 1000), ("Ben", 2, "super-six-plus", 1000),
    ("Cat", 3, "banker", 3000), ("Cat", 3, "tie", 1000), ("Dee", 4, "player", 9000), ("Dee", 4, "tie", 2000),
)  # fmt: skip


def give(table: Table, log: list[Event], command: Command) -> Table:
    answer = decide(table, command)
    assert not isinstance(answer, Refusal), answer.sentence
    log += answer
    return evolved(table, answer)


def opened() -> tuple[Table, list[Event]]:
    """A table of the fullest book, four players seated."""
    log: list[Event] = []
    table = Table(books.load("insurance"))
    terms = replace(default_terms(table.book), burn="none")
    table = give(table, log, OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
    table = give(table, log, LoadShoe(actor="Dan", role=Role.DEALER))
    for box, player in enumerate(("Ann", "Ben", "Cat", "Dee"), start=1):
        table = give(table, log, TakeSeat(actor=player, role=Role.PLAYER, box=box))
    return table, log


def play(table: Table, log: list[Event], cards: tuple[Card, ...]) -> Table:
    """One round: the call, ten bets, the close, as many cards as it takes, the settlement."""
    table = give(table, log, CallBets(actor="Dan", role=Role.DEALER))
    for player, box, area, amount in BETS:
        bet = PlaceBet(actor=player, role=Role.PLAYER, box=box, area=area, amount=amount)
        table = give(table, log, bet)
    table = give(table, log, CloseBets(actor="Dan", role=Role.DEALER))
    for card in cards:
        if table.state.phase is Phase.FINISHED:
            break
        table = give(table, log, DealCard(actor="Dan", role=Role.DEALER, card=card))
    return give(table, log, SettleRound(actor="Dan", role=Role.DEALER))


def replayed(log: list[Event]) -> State:
    state = State()
    for event in log:
        state = evolve(state, event)
    return state


def seconds(work: Callable[[], object]) -> float:
    """The quickest of several runs: what the work costs when nothing else disturbs it."""
    return min(repeat(work, timer=process_time, number=1, repeat=20))


def main() -> None:
    book, (start, opening) = books.load("insurance"), opened()
    order = shuffled_shoe(8, seeded_bytes("bench"))

    def shoe() -> tuple[Table, list[Event]]:
        """A whole shoe, to the cut card."""
        table, log, dealt = start, list(opening), 0
        while len(order) - dealt > 20:
            table = play(table, log, order[dealt : dealt + 6])
            dealt += table.state.cards_out
        return table, log

    table, log = shoe()
    rounds = table.state.round
    assert replayed(log) == table.state
    coup = deal(book.play, order)

    def settle_often() -> None:
        facts = coup.facts
        for _, _, area, amount in BETS * 100:
            settle_bet(area, amount, book.pay_tables[area].outcome_of_deal(facts, coup.player, coup.banker))

    round_us = seconds(shoe) / rounds * 1e6
    settle_us = seconds(settle_often) / 100 * 1e6
    events = len(log) / seconds(lambda: replayed(log))
    aim = f"{round_us / ROUND_AIM_US:.2f} of the aim of {ROUND_AIM_US} µs"
    print(f"a round of ten bets      {round_us:9.1f} µs         {aim}, over {rounds} rounds of a shoe")
    print(f"settling its bets alone  {settle_us:9.1f} µs         {settle_us / round_us:.3f} of the round")
    print(f"replay                   {events:9,.0f} events/s   {events / REPLAY_AIM_EVENTS:.2f} of the aim")


if __name__ == "__main__":
    main()
