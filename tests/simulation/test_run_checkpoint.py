"""Checkpoints: known by the content of all that decides a run, and refused if a single byte was changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from punto.books import load
from punto.rules.outcome import Hand
from punto.simulation.deals import ShoeTerms
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import OwnSource, own_strategy
from punto.simulation.run import Run, Tally, WrongCheckpoint, deals_of, from_checkpoint, to_checkpoint
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import Insuring, InsuringRule, Strategy

BOOK = load("insurance")
DEALS = deals_of(BOOK, ShoeTerms(), 4)
RUN = Run.of(BOOK.text, DEALS, 1000)
TALLY = Tally.empty(DEALS).plus(DEALS.play(0, 3))


def test_a_checkpoint_reads_back() -> None:
    kept = Tally.from_arrays(DEALS, from_checkpoint(RUN, to_checkpoint(RUN, TALLY.arrays())))
    assert all((kept.arrays()[name] == value).all() for name, value in TALLY.arrays().items())


def test_every_changed_byte_is_noticed() -> None:
    content = to_checkpoint(RUN, TALLY.arrays())
    for place in range(0, len(content), max(1, len(content) // 400)):
        changed = bytearray(content)
        changed[place] ^= 1
        with pytest.raises(WrongCheckpoint):
            from_checkpoint(RUN, bytes(changed))
    for length in (0, 10, 60, len(content) - 1):
        with pytest.raises(WrongCheckpoint):
            from_checkpoint(RUN, content[:length])


@pytest.mark.parametrize("name", ["next_shoe", "rounds", "lengths"])
def test_numbers_that_cannot_be_together_are_refused(name: str) -> None:
    """Even under a checksum that was made again."""
    arrays = {**TALLY.arrays(), name: TALLY.arrays()[name] + 1}
    with pytest.raises(ValueError, match=r"do not|does not|are not"):
        Tally.from_arrays(DEALS, arrays)
    played = _session_tally()
    arrays = {**played.arrays(), name: played.arrays()[name] + 1}
    with pytest.raises(ValueError, match=r"do not|are not"):
        SessionTally.from_arrays(played.sessions, arrays)


def _session_tally() -> SessionTally:
    sessions = Sessions(DEALS, BOOK, Strategy(stakes={"banker": 100}))
    return SessionTally.empty(sessions).plus(sessions.play(0, 3))


def test_everything_that_decides_a_session_is_in_its_identity() -> None:
    plain = Strategy(stakes={"banker": 100, "tie": 5})
    rule = InsuringRule(Hand.BANKER, 4, 5, 6, Insuring.INSURE)
    own = OwnSessions(DEALS, BOOK, own_strategy(BOOK, plain), source=OwnSource("a.py", "bets", "x = 1\n"))
    all_sessions = [
        Sessions(DEALS, BOOK, plain),
        Sessions(DEALS, BOOK, Strategy(stakes={"tie": 5, "banker": 100})),
        Sessions(DEALS, BOOK, Strategy(stakes={"banker": 100, "tie": 5}, insuring=(rule,))),
        Sessions(DEALS, BOOK, Strategy(stakes={"banker": 100, "tie": 5}, giving_up={"a": (1,)})),
        Sessions(DEALS, BOOK, Strategy(stakes={"banker": 100, "tie": 5}, maximum=1000)),
        own,
        replace(own, source=OwnSource("a.py", "bets", "x = 2\n")),
        replace(own, source=OwnSource("a.py", "other", "x = 1\n")),
    ]
    assert len({sessions.identity for sessions in all_sessions}) == len(all_sessions)
    moved = replace(own, source=OwnSource("b.py", "bets", "x = 1\n"))
    assert moved.identity == own.identity, "where the file is does not matter"


def test_another_book_under_the_same_name_is_another_run() -> None:
    import msgspec

    changed = msgspec.structs.replace(BOOK.text, title="Another")
    content = to_checkpoint(RUN, TALLY.arrays())
    with pytest.raises(WrongCheckpoint, match="has changed since"):
        from_checkpoint(Run.of(changed, DEALS, 1000), content)
    with pytest.raises(WrongCheckpoint, match="or its file has changed"):
        from_checkpoint(Run.of(BOOK.text, DEALS, 1000, "another"), content)
