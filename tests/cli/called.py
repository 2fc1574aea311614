"""Calling the `punto` command in this process, through the function that its script calls."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from punto.cli.main import run


class Answer(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document that stdout holds."""
        return json.loads(self.out)


def call(*arguments: str) -> Answer:
    """Run `punto` with these arguments."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        status = run(arguments)
    return Answer(status, _text(out), _text(err))


def answer(*arguments: str) -> Answer:
    """Run a command that must succeed and say nothing on stderr."""
    answered = call(*arguments)
    assert (answered.status, answered.err) == (0, "")
    return answered


def refusal(*arguments: str) -> str:
    """The one sentence of a command that must be refused: status 2, nothing on stdout."""
    refused = call(*arguments)
    assert (refused.status, refused.out) == (2, "")
    line = refused.err.removesuffix("\n")
    assert line
    assert "\n" not in line
    assert "Traceback" not in line
    return line


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
