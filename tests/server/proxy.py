"""A proxy of ours between a client and a floor that makes a bad network: it delays, cuts and reorders.

Bytes of one connection keep their order, as TCP promises, but each connection has delays of its own: what was
sent first on one arrives after what was sent later on another. Connections are cut at any moment, in the
middle of a frame, before an answer, or before anything was passed on.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from threading import Event, Thread

PIECE = 512
"""Bytes that are passed on at a time, so that frames are cut in the middle."""


class BadNetwork:
    """A proxy in a thread of its own, in front of a port of this machine."""

    def __init__(self, port: int, seed: int, *, delay_s: float = 0.03, cut: float = 0.01) -> None:
        self._target, self._random = port, Random(seed)
        self._delay, self._cut = delay_s, cut
        self.port, self.cuts, self.connections = 0, 0, 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_ready = Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Event | None = None
        self._thread = Thread(target=lambda: asyncio.run(self._main()), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> BadNetwork:
        self._thread.start()
        assert self._is_ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None and self._end is not None
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(60)

    def heal(self) -> None:
        """From here on nothing is delayed or cut."""
        self._delay = self._cut = 0

    async def _main(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._is_ready.set()
        await self._end.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            floor = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            self._leave(writer)
            return
        self._writers.add(floor[1])
        ways = [
            asyncio.create_task(self._pass_on(reader, floor[1])),
            asyncio.create_task(self._pass_on(floor[0], writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._leave(writer)
            self._leave(floor[1])

    def _leave(self, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()
        self._writers.discard(writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while content := await reader.read(PIECE):
                if self._delay:
                    await asyncio.sleep(self._random.expovariate(1 / self._delay))
                if self._random.random() < self._cut:
                    self.cuts += 1
                    return
                writer.write(content)
                await writer.drain()
