"""An exported table as Parquet, for people who look at many events with other tools.

A row for each event, with what most questions ask for in columns of their own, the whole event as JSON
exactly as it is stored, and its hash in the chain. The first row also has the header of the export, so the
file can be replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec

from punto.floor.archive.export import export_header
from punto.floor.archive.export_file import WrongExport
from punto.floor.loaded import LoadedTable
from punto.store.chain.rows import link_rows
from punto.store.reader import Reader
from punto.store.record import decode_event, record_line

MAGIC = b"PAR1"
"""What a Parquet file begins with."""

_TEXT = ("by", "role", "player", "area", "hand", "card", "clause")
_NUMBERS = ("box", "amount")


def export_parquet(reader: Reader, loaded: LoadedTable) -> bytes:
    """The file."""
    import polars as pl

    rows: dict[str, list[Any]] = {name: [] for name in _schema()}
    header, round = msgspec.json.encode(export_header(reader, loaded)).decode(), 0
    for seq, v, key, body, link in link_rows(reader, loaded.id, loaded.version):
        event: Any = msgspec.to_builtins(decode_event(body, v))
        round = event["round"] if event["type"] == "bets-called" else round
        told = {name: _of_kind(event.get(name), str) for name in _TEXT}
        told |= {name: _of_kind(event.get(name), int) for name in _NUMBERS}
        envelope = {
            "header": header if seq == 1 else None,
            "table": loaded.id,
            "seq": seq,
            "v": v,
            "key": key,
            "type": event["type"],
            "time": event["time"],
            "round": round or None,
            **told,
            "event": body,
            "hash": bytes(link).hex(),
        }
        for name, value in envelope.items():
            rows[name].append(value)
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
    names = (
        "header",
        "table",
        "seq",
        "v",
        "key",
        "type",
        "time",
        "round",
        *_TEXT,
        *_NUMBERS,
        "event",
        "hash",
    )
    return {name: "number" if name in numbers else "text" for name in names}


def parquet_lines(content: bytes) -> Iterator[bytes]:
    """The lines of an export from its Parquet file; `WrongExport` where it is not one."""
    import polars as pl

    columns = ("header", "table", "seq", "v", "key", "event")
    try:
        frame = pl.read_parquet(BytesIO(content), columns=list(columns))
        rows = frame.rows()
    except Exception as error:  # whatever the reader of a damaged file comes to
        first = (str(error).splitlines() or ["damaged"])[0]
        raise WrongExport(f"it is not the Parquet file of a table: {first}") from None
    if not rows or not isinstance(rows[0][0], str):
        raise WrongExport("its first row does not say what the table has to come to")
    yield rows[0][0].encode()
    for _, table, seq, v, key, event in rows:
        yield record_line(table, seq, v, key, event).encode()
