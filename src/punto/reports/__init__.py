"""Reports: PAR sheets as HTML, PDF, CSV, Parquet and JSON."""

from punto.reports.formats import FORMATS, write_whole
from punto.reports.par_sheet import ParSheet, par_sheet

__all__ = ["FORMATS", "ParSheet", "par_sheet", "write_whole"]
