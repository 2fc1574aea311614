"""The tray: commands that come in during one turn of the loop go to the floor together, and come back so.

Hundreds of bets arrive at the same moment. Each could cross to the thread that commits and back by itself;
crossing costs as much as reading a bet, so they share it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from punto.floor.floor import Floor
from punto.floor.job import Accepted, Job
from punto.refusal import Refusal
from punto.store.errors import StoreError
from punto.table.command import Command

Outcome = Accepted | Refusal | BaseException
Answer = asyncio.Future[Accepted | Refusal]


class Tray:
    """What waits to be given to a floor, on the loop of the server."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._jobs: list[Job] = []
        self._answers: list[Answer] = []

    def give(self, table: str, command: Command, expected: int | None = None) -> Answer:
        """Give a command; the answer comes when what it caused is durable."""
        loop = asyncio.get_running_loop()
        if not self._jobs:
            loop.call_soon(self._hand_over, loop)
        answer: Answer = loop.create_future()
        self._jobs.append(Job(table, command, expected))
        self._answers.append(answer)
        return answer

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs, answers = self._jobs, self._answers
        self._jobs, self._answers = [], []
        try:
            self._floor.submit_all(jobs, partial(_committed, loop, answers))
        except StoreError as error:  # the floor is closing
            _answer(answers, [error] * len(answers))


def _committed(
    loop: asyncio.AbstractEventLoop, answers: Sequence[Answer], outcomes: Sequence[Outcome]
) -> None:
    """In the thread of the commit: hand over to the loop."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(_answer, answers, outcomes)


def _answer(answers: Sequence[Answer], outcomes: Sequence[Outcome]) -> None:
    for answer, outcome in zip(answers, outcomes, strict=True):
        if answer.done():
            continue  # whoever asked has gone
        if isinstance(outcome, BaseException):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)
