"""The files a PAR sheet can be written to, by their ending; and writing them whole or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from punto.reports.par_sheet import ParSheet


def _html(sheet: ParSheet) -> bytes:
    from punto.reports.page_html import html_page
    from punto.reports.sheet_document import sheet_document

    return html_page(sheet_document(sheet)).encode()


def _pdf(sheet: ParSheet) -> bytes:
    from punto.reports.page_pdf import pdf_bytes
    from punto.reports.sheet_document import sheet_document

    return pdf_bytes(sheet_document(sheet))


def _csv(sheet: ParSheet) -> bytes:
    import polars

    from punto.reports.figures import Row, rows

    return polars.DataFrame(rows(sheet), schema=list(Row._fields), orient="row").write_csv().encode()


def _parquet(sheet: ParSheet) -> bytes:
    import polars

    from punto.reports.figures import Row, rows

    buffer = io.BytesIO()
    polars.DataFrame(rows(sheet), schema=list(Row._fields), orient="row").write_parquet(buffer)
    return buffer.getvalue()


def _json(sheet: ParSheet) -> bytes:
    import msgspec

    from punto.reports.record import record

    return msgspec.json.format(msgspec.json.encode(record(sheet)), indent=2) + b"\n"


FORMATS: dict[str, Callable[[ParSheet], bytes]] = {
    ".html": _html,
    ".pdf": _pdf,
    ".csv": _csv,
    ".parquet": _parquet,
    ".json": _json,
}
"""How a sheet becomes the content of a file, by the file's ending."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or as it was before."""
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
