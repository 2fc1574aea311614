"""What a client of the house knows: every command it sent, and every answer that it got.

The journal is a file of lines, each written at once. A line that a crash cut off was not seen by anybody.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from punto.floor.job import Accepted, Job
from punto.refusal import Refusal


class Sent(msgspec.Struct, frozen=True, tag="sent"):
    """A command that was about to be given."""

    job: Job


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """An answer that arrived."""

    actor: str
    key: str
    version: int | None = None
    seqs: tuple[int, ...] = ()
    refusal: Refusal | None = None


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A command that the store could not carry out; it said so."""

    actor: str
    key: str
    error: str


_decoder: msgspec.json.Decoder[Sent | Answered | Failed] = msgspec.json.Decoder(Sent | Answered | Failed)


class Journal:
    """A journal that is being written."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def sent(self, job: Job) -> None:
        self._write(Sent(job))

    def answered(self, job: Job, answer: Accepted | Refusal) -> None:
        actor, key = job.command.actor, job.command.key
        if isinstance(answer, Refusal):
            self._write(Answered(actor, key, refusal=answer))
        else:
            seqs = tuple(record.seq for record in answer.records)
            self._write(Answered(actor, key, answer.version, seqs))

    def failed(self, job: Job, error: BaseException) -> None:
        self._write(Failed(job.command.actor, job.command.key, f"{type(error).__name__}: {error}"))

    def _write(self, line: Sent | Answered | Failed) -> None:
        os.write(self._file, msgspec.json.encode(line) + b"\n")


@dataclass
class Known:
    """What all journals so far come to."""

    sent: dict[tuple[str, str], Job] = field(default_factory=dict)
    answered: dict[tuple[str, str], Answered] = field(default_factory=dict)
    failures: int = 0

    @property
    def unanswered(self) -> list[Job]:
        """What was sent and never answered: it may have been kept or not."""
        return [job for pair, job in self.sent.items() if pair not in self.answered]

    def read(self, path: Path) -> None:
        """Take up a journal; the same key never has two answers."""
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else []:
            if line.endswith(b"\n"):
                self.add(line)

    def add(self, line: bytes) -> None:
        """Take up one line of a journal."""
        match _decoder.decode(line):
            case Sent(job):
                self.sent[job.command.actor, job.command.key] = job
            case Answered() as answer:
                first = self.answered.setdefault((answer.actor, answer.key), answer)
                assert first == answer, f"answered twice: {first}, {answer}"
            case Failed():
                self.failures += 1
