"""What a report is as the content of a file, by the ending of the file's name.

Everything is loaded only when it is needed, so asking for the endings alone is fast.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from punto.reports.par_sheet import ParSheet
    from punto.studies.session_results import SessionResults, SessionsRecord
    from punto.studies.simulation_results import Convergence, Simulated, SimulationRecord

DRAWN = (".html", ".svg")  # Formats of a simulation that show pictures.
SIMULATION_ENDINGS = (".parquet", ".csv", ".json", *DRAWN)
LIBRARIES = {".html": "matplotlib", ".svg": "matplotlib", ".pdf": "typst", ".csv": "polars", ".parquet": "polars"}
"""What a format cannot be made without; it comes with `punto[report]`."""


def check_libraries(ending: str, *others: str) -> None:
    """Raise `ModuleNotFoundError` where a format cannot be made, before anything is computed for it."""
    for module in (*others, *((LIBRARIES[ending],) if ending in LIBRARIES else ())):
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)


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

    return _framed(polars.DataFrame(_bet_rows(answer.record()), infer_schema_length=None), ending)


def _bet_rows(record: SimulationRecord | SessionsRecord) -> list[dict[str, Any]]:
    """A row for each bet of a record, each with the run it comes from; the seed is text, as it may have 64 bits."""
    from msgspec.structs import asdict

    names = ("book", "digest", "rounds", "seed", "strategy")
    run: dict[str, Any] = {name: value for name, value in asdict(record).items() if name in names}
    rows = []
    for each in record.bets:
        bet = asdict(each)
        low, high = bet.pop("interval") or (None, None)
        rows.append({**run, "seed": str(record.seed), **bet, "low": low, "high": high})
    return rows


def _framed(frame: polars.DataFrame, ending: str) -> bytes:
    with io.BytesIO() as file:
        (frame.write_csv if ending == ".csv" else frame.write_parquet)(file)
        return file.getvalue()


def _json(record: object) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"
