"""The event loop of the server, reached from other threads: the floor commits in one, a count room waits in another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

_T = TypeVar("_T")


def hand_over(loop: asyncio.AbstractEventLoop | None, call: Callable[..., None], *arguments: Any) -> None:
    """Call something on a loop from another thread, if that still runs."""
    if loop is not None and not loop.is_closed():
        with suppress(RuntimeError):  # it was closed meanwhile
            loop.call_soon_threadsafe(call, *arguments)


def fulfil(answer: asyncio.Future[_T], outcome: _T | BaseException) -> None:
    """Answer whoever waits, unless they have gone."""
    if answer.done():
        return
    if isinstance(outcome, BaseException):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
