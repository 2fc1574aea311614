"""The count room: a process that works out what takes long, one task at a time, so that nobody else waits.

Whoever asks for much waits for their own: each account has a queue of its own, the accounts take turns, and a
queue that is full says when to come back. What is asked for again while it is worked out, or after that, is
not worked out twice. The process only reads; where it ends before its time, the next task starts another.
"""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

import msgspec

from punto.server import counting
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.address import Address
from punto.store.errors import StoreBroken, StoreError

EACH_MAY_WAIT = 20
"""Tasks that one account may have in its queue: a page asks for half a dozen at once."""
ALL_MAY_WAIT = 2_000
KEPT_BYTES = 16 * 1024 * 1024
"""Answers that are kept for whoever asks for the same; the one used longest ago is forgotten first."""
_COMMAND = "from punto.server.counting import main; main()"

Outcome = bytes | BaseException


@dataclass(eq=False, slots=True)
class _Task:
    """Something to be worked out, and who waits for it."""

    content: bytes
    key: Hashable | None
    waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[bytes]]] = field(default_factory=list)
    is_begun: bool = False


class CountRoom:
    """A process with a queue for each account, and what it has worked out lately."""

    def __init__(self, address: Address, name: str) -> None:
        self._address, self._name = address, name
        self._queues: OrderedDict[str, deque[_Task]] = OrderedDict()
        self._by_key: dict[Hashable, _Task] = {}
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._changed = Condition()
        self._thread: Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self.done = 0
        """Tasks that were worked out; those that were not needed again are not among them."""

    async def ask(
        self, account: str, work: Callable[..., Any], *arguments: Any, key: Hashable | None = None
    ) -> msgspec.Raw:
        """The JSON of what a work of `counting` comes to; with a key, it stays the same for that key."""
        whole = None if key is None else (work.__name__, key)
        content = pickle.dumps((work.__name__, arguments))
        return await self._asked(account, content, whole)

    async def ask_afresh(self, account: str, work: Callable[..., Any], *arguments: Any) -> msgspec.Raw:
        """The same, begun after this was asked; all who wait for it share it."""
        content = pickle.dumps((work.__name__, arguments))
        return await self._asked(account, content, (_AFRESH, content))

    async def _asked(self, account: str, content: bytes, key: Hashable | None) -> msgspec.Raw:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[bytes] = loop.create_future()
        with self._changed:
            if key is not None and (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return msgspec.Raw(kept)
            task = self._by_key.get(key) if key is not None else None
            if task is not None and _is_afresh(key) and task.is_begun:
                task = None  # what it finds may be older than the question
            if task is None:
                task = _Task(content, key)
                self._put(account, task)
            task.waiting.append((loop, answer))
        try:
            return msgspec.Raw(await answer)
        finally:
            if answer.cancelled():
                self._leave(account, task, answer)

    def _put(self, account: str, task: _Task) -> None:
        """Under the lock: a task goes to the end of the queue of its account."""
        if self._is_closed:
            raise StoreError("the server is stopping")
        queue = self._queues.get(account)
        if (queue is not None and len(queue) >= EACH_MAY_WAIT) or self.waiting() >= ALL_MAY_WAIT:
            raise Rejected(429, ServerReason.TOO_OFTEN, retry_after=1, seconds=1)
        self._queues.setdefault(account, deque()).append(task)
        if task.key is not None:
            self._by_key[task.key] = task
        if self._thread is None:
            self._thread = Thread(target=self._work, name=f"punto-{self._name}", daemon=True)
            self._thread.start()
        self._changed.notify()

    def waiting(self) -> int:
        """Tasks that nobody has begun."""
        return sum(map(len, self._queues.values()))

    def start(self) -> None:
        """Start the process now, so that the first who asks does not wait for it."""
        with self._changed:
            if self._thread is None and not self._is_closed:
                self._thread = Thread(target=self._work, name=f"punto-{self._name}", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End it; whoever still waits is told."""
        with self._changed:
            self._is_closed = True
            process = self._process
            self._changed.notify_all()
        if process is not None:
            process.kill()  # it only reads
        if self._thread is not None:
            self._thread.join()

    def _leave(self, account: str, task: _Task, answer: asyncio.Future[bytes]) -> None:
        """Whoever asked has gone: a task that nobody waits for, and nobody has begun, is not begun."""
        with self._changed:
            task.waiting = [each for each in task.waiting if each[1] is not answer]
            queue = self._queues.get(account)
            if not task.waiting and queue is not None and task in queue:
                queue.remove(task)
                self._forget(task)
                if not queue:
                    del self._queues[account]

    # ── In its thread ────────────────────────────────────────────────────────────────────────────

    def _work(self) -> None:
        with suppress(OSError):
            self._running()
        while (task := self._next()) is not None:
            outcome = self._worked_out(task)
            with self._changed:
                self._forget(task)
                self.done += 1
                if isinstance(outcome, bytes) and task.key is not None and not _is_afresh(task.key):
                    self._keep(task.key, outcome)
                waiting, task.waiting = task.waiting, []
            for loop, answer in waiting:
                _tell(loop, answer, outcome)
        self._end()

    def _next(self) -> _Task | None:
        """The next task of the account whose turn it is; None at the end."""
        with self._changed:
            while not self._queues and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                return None
            account, queue = self._queues.popitem(last=False)
            task = queue.popleft()
            if queue:
                self._queues[account] = queue  # behind all others
            task.is_begun = True
            return task

    def _worked_out(self, task: _Task) -> Outcome:
        try:
            process = self._running()
            assert process.stdin is not None and process.stdout is not None
            counting.send(process.stdin, counting.TASK, task.content)
            found = counting.receive(process.stdout)
        except OSError as error:
            self._give_up()
            return StoreBroken(f"what takes long could not be worked out: {error}")
        if found is None:
            self._give_up()
            return StoreBroken("what takes long could not be worked out: its process ended")
        kind, content = found
        if kind == counting.ANSWER:
            return content
        if kind == counting.REJECTED:
            status, reason, params = pickle.loads(content)
            return Rejected(status, ServerReason(reason), **params)
        if kind == counting.FAILED:
            return StoreBroken(content.decode())
        return RuntimeError(content.decode())

    def _running(self) -> subprocess.Popen[bytes]:
        """The process; started where there is none."""
        process = self._process
        if process is None or process.poll() is not None:
            if process is not None:
                _end(process)
            # A session of its own: Ctrl-C is for the server, which ends this one when nobody needs it.
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
            assert process.stdin is not None
            counting.send(process.stdin, counting.TASK, pickle.dumps(self._address))
            with self._changed:
                self._process = process
                is_closed = self._is_closed
            if is_closed:
                process.kill()
        return process

    def _give_up(self) -> None:
        """The process is of no more use; the next task starts another."""
        with self._changed:
            process, self._process = self._process, None
        if process is not None:
            _end(process)

    def _end(self) -> None:
        with self._changed:
            left = [task for queue in self._queues.values() for task in queue]
            self._queues.clear()
        for task in left:
            for loop, answer in task.waiting:
                _tell(loop, answer, StoreError("the server is stopping"))
        if self._process is not None:
            _end(self._process)

    def _forget(self, task: _Task) -> None:
        """Under the lock: whoever asks from now on does not join this task."""
        if task.key is not None and self._by_key.get(task.key) is task:
            del self._by_key[task.key]

    def _keep(self, key: Hashable, content: bytes) -> None:
        """Under the lock."""
        self._kept[key] = content
        self._kept_bytes += len(content)
        while self._kept_bytes > KEPT_BYTES:
            _, gone = self._kept.popitem(last=False)
            self._kept_bytes -= len(gone)


_AFRESH = object()
"""Marks the key of what must not be older than the question."""


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what was not sent yet
                pipe.close()


def _is_afresh(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[0] is _AFRESH


def _tell(loop: asyncio.AbstractEventLoop, answer: asyncio.Future[bytes], outcome: Outcome) -> None:
    def tell() -> None:
        if answer.done():
            return
        if isinstance(outcome, BaseException):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    if not loop.is_closed():
        with suppress(RuntimeError):  # it was closed meanwhile
            loop.call_soon_threadsafe(tell)
