"""The server of a hall: uvicorn with our settings, and an end in good order when it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from punto.server.app import application
from punto.server.hall import Hall
from punto.server.http.floor_protocol import FloorProtocol, StreamProtocol
from punto.server.http.strict import LARGEST_BODY

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
LARGEST_FRAME = 4 * LARGEST_BODY
"""Bytes of a frame that are taken in to be refused in words; a larger one ends the stream at once."""
STOPPING_S = 5
"""Seconds that requests and streams have to end."""


class FloorServer(uvicorn.Server):
    """A server that stops in good order at a signal; uvicorn's own would end the process with it."""

    was_interrupted = False
    """Somebody pressed Ctrl-C."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._stop) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _: FrameType | None) -> None:
        self.force_exit = self.should_exit and number == signal.SIGINT
        self.should_exit = True
        self.was_interrupted = self.was_interrupted or number == signal.SIGINT

    def stop(self) -> None:
        """Stop in good order, as at a signal; from any thread."""
        self.should_exit = True

    def run_on(self, listener: socket.socket) -> None:
        """Serve on an open port until it is told to stop."""
        with asyncio.Runner(loop_factory=self.config.get_loop_factory()) as runner:
            runner.run(self.serve(sockets=[listener]))


def floor_server(hall: Hall) -> FloorServer:
    """The server of a hall."""
    config = uvicorn.Config(
        application(hall),
        http=FloorProtocol,
        ws=StreamProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=STOPPING_S,
        proxy_headers=bool(hall.settings.proxies),
        forwarded_allow_ips=list(hall.settings.proxies),
        lifespan="on",
    )
    return FloorServer(config)
