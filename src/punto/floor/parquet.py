"""An exported table as Parquet, for people who look at many events with other tools.

A row for each event, with what most questions ask for in columns of their own, the whole event as JSON
exactly as it is stored, and its hash in the chain. The first row also has the header of the export, so the
file can be replayed.

A file that somebody else made is read by a process of its own, with bounds on its memory and time: a few
bytes of Parquet can stand for any number of rows, and a damaged file can end the reader.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from punto.floor.archive import LONGEST_LINE, WrongExport, export_header
from punto.floor.loaded_table import LoadedTable
from punto.store.reader import Reader, link_rows
from punto.store.record import decode_event, json_text, record_line

MAGIC = b"PAR1"  # What a Parquet file begins with.

_TEXT = ("by", "role", "player", "area", "hand", "card", "clause")
_NUMBERS = ("box", "amount")


def export_parquet(reader: Reader, loaded: LoadedTable) -> bytes:
    import polars as pl

    rows: dict[str, list[Any]] = {name: [] for name in _schema()}
    header, round = json_text(export_header(reader, loaded)), 0
    for seq, v, key, body, link in link_rows(reader, loaded.id, loaded.version):
        event: Any = msgspec.to_builtins(decode_event(body, v))
        round = event["round"] if event["type"] == "bets-called" else round
        place = (header if seq == 1 else None, loaded.id, seq, v, key, event["type"], event["time"], round or None)
        texts = (_of_kind(event.get(name), str) for name in _TEXT)
        numbers = (_of_kind(event.get(name), int) for name in _NUMBERS)
        for column, value in zip(rows.values(), (*place, *texts, *numbers, body, bytes(link).hex()), strict=True):
            column.append(value)
    kinds = {"text": pl.String, "number": pl.Int64}
    frame = pl.DataFrame(rows, schema={name: kinds[kind] for name, kind in _schema().items()})
    file = BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


def _of_kind(value: Any, kind: type) -> Any:
    """A value for a column; a hand of several cards, for one, has no place there."""
    return value if isinstance(value, kind) else None


def _schema() -> dict[str, str]:
    numbers = {"seq", "v", "time", "round", *_NUMBERS}
    names = ("header", "table", "seq", "v", "key", "type", "time", "round", *_TEXT, *_NUMBERS, "event", "hash")
    return {name: "number" if name in numbers else "text" for name in names}


LARGEST = 1024 * 1024 * 1024  # Bytes of a file.
MOST_MEMORY = 4 * 1024 * 1024 * 1024  # Bytes of memory for the process that reads one.
MOST_SECONDS = 600  # Of work of that process.
AT_ONCE = 64  # Rows that become lines at a time: each may be as long as a line can be.


def parquet_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of an export from its Parquet file; `WrongExport` where it is not one."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise WrongExport(f"it is larger than {LARGEST // 1024 // 1024} MiB")
    environment = {**os.environ, "POLARS_MAX_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    with TemporaryFile() as errors, TemporaryFile() as exported:
        exported.write(content)
        exported.seek(0)
        with subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=exported, stdout=subprocess.PIPE, stderr=errors, env=environment
        ) as reader:
            assert reader.stdout is not None
            try:
                while line := reader.stdout.readline(LONGEST_LINE + 1):
                    if len(line) > LONGEST_LINE:
                        raise WrongExport(f"a row is longer than {LONGEST_LINE // 1024 // 1024} MiB")
                    yield line.rstrip(b"\n")
                status = reader.wait()
            finally:
                reader.kill()
        if status != 0:
            errors.seek(0)
            reasons = errors.read(10_000).decode("utf-8", "replace").splitlines() if status == WRONG else []
            why = reasons[0] if reasons else "it cannot be read, or not within the bounds on memory and time"
            raise WrongExport(f"it is not the Parquet file of a table: {why}")


WRONG = 3  # Exit status of the reader for a file that is not one, with the reason on stderr.


def _read() -> int:
    """Print the lines of the Parquet file on stdin; for a process of its own."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import polars as pl

    columns = ["header", "table", "seq", "v", "key", "event"]
    try:
        frame = pl.read_parquet(BytesIO(sys.stdin.buffer.read()), columns=columns)
    except Exception as error:  # whatever the reader of a damaged file comes to
        sys.stderr.write((str(error).splitlines() or ["damaged"])[0])
        return WRONG
    texts = ("header", "table", "key", "event")
    kinds = {name: pl.String if name in texts else pl.Int64 for name in columns}
    if dict(frame.schema) != kinds or frame.is_empty() or frame["header"][0] is None:
        sys.stderr.write("it does not have the columns of a table, or its first row does not begin one")
        return WRONG
    if any((frame[name].str.len_bytes().max() or 0) > LONGEST_LINE for name in texts):  # type: ignore[operator]
        sys.stderr.write(f"a value is longer than {LONGEST_LINE // 1024 // 1024} MiB")
        return WRONG
    out = sys.stdout.buffer
    out.write(f"{frame['header'][0]}".replace("\n", " ").encode() + b"\n")
    for _, table, seq, v, key, event in frame.iter_rows(buffer_size=AT_ONCE):
        out.write(record_line(table, seq, v, key, event).replace("\n", " ").encode() + b"\n")
    out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(_read())
