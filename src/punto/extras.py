"""The extras of an installation: what `pip install punto` leaves out, and the sentence for whoever needs it.

Rules, cards, tables, roads, exact odds and the command line run on a small base. Kernels, reports and the server need
larger libraries, which are installed by the name of an extra: `pip install 'punto[study]'`.
"""

from __future__ import annotations

MODULES_OF: dict[str, tuple[str, ...]] = {
    "study": ("numpy", "numba", "llvmlite"),
    "report": ("matplotlib", "polars", "typst", "xlsxwriter"),
    "client": ("httpx", "websockets"),
    "serve": (
        *("sqlalchemy", "alembic", "cryptography", "argon2", "pyotp", "segno"),
        *("uvicorn", "uvloop", "httptools", "prometheus_client"),
    ),
    "postgres": ("psycopg",),
    "cluster": ("dask", "distributed"),
    "rl": ("gymnasium", "pettingzoo"),
    "gpu": ("cupy",),
    "telemetry": ("opentelemetry",),
}
"""The modules that each extra brings, as code imports them; pyproject.toml has the packages that they are in."""


class ExtraNeeded(ImportError):
    """Something was asked for that needs an extra which is not installed; the message says which."""


def extra_needed(error: ModuleNotFoundError) -> ExtraNeeded | None:
    """The error to raise instead, where a module of an extra is missing; None where it is another module."""
    root = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in MODULES_OF.items() if root in modules), None)
    if extra is None:
        return None
    return ExtraNeeded(f"this needs {root}, which is not installed; run: pip install 'punto[{extra}]'", name=root)
