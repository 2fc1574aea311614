"""What a report is as the content of a file, by the ending of the file's name.

Everything is loaded only when it is needed, so asking for the endings alone is fast.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

    from punto.reports.par_sheet import ParSheet
    from punto.studies.session_results import SessionResults
    from punto.studies.simulation_results import Convergence, Simulated

DRAWN = (".html", ".svg")  # Formats of a simulation that show pictures.
SIMULATION_ENDINGS = (".parquet", ".csv", ".json", *DRAWN)


def _sheet_bytes(ending: str, sheet: ParSheet) -> bytes:
    from punto.documents.typesetting import html_page, pdf_bytes
    from punto.reports.par_sheet_page import FigureRow, figure_rows, sheet_answer, sheet_page

    if ending == ".html":
        return html_page(sheet_page(sheet)).encode()
    if ending == ".pdf":
        return pdf_bytes(sheet_page(sheet))
    if ending == ".json":
        return _json(sheet_answer(sheet))
    import polars

    rows, names = figure_rows(sheet), list(FigureRow._fields)
    return _framed(polars.DataFrame(rows, schema=names, orient="row", infer_schema_length=None), ending)


FORMATS: dict[str, Callable[[ParSheet], bytes]] = {
    ending: partial(_sheet_bytes, ending) for ending in (".html", ".pdf", ".csv", ".parquet", ".json")
}
"""How a PAR sheet becomes the content of a file."""


def simulation_bytes(ending: str, answer: Simulated | SessionResults, looks: Convergence | None, command: str) -> bytes:
    """A simulation as a page or its main picture (then with `looks`), a row for each bet, or JSON."""
    if ending in DRAWN:
        from punto.reports.simulation_page import drawn_simulation

        assert looks is not None, "a picture of convergence needs the looks that were taken on the way"
        return drawn_simulation(ending, answer, looks, command).encode()
    if ending == ".json":
        return _json(answer.record())
    import polars

    from punto.studies.simulation_results import bet_rows

    return _framed(polars.DataFrame(bet_rows(answer.record()), infer_schema_length=None), ending)


def _framed(frame: polars.DataFrame, ending: str) -> bytes:
    with io.BytesIO() as file:
        (frame.write_csv if ending == ".csv" else frame.write_parquet)(file)
        return file.getvalue()


def _json(record: object) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"
