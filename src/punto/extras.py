"""The extras of an installation: what `pip install punto` leaves out, and the sentence for whoever needs it.

Rules, cards, tables, roads, exact odds and the command line run on a small base. Kernels, reports and the server need
larger libraries, which are installed by the name of an extra: `pip install 'punto[study]'`. The sentence names the tool
that made this installation, and the folder or file that it was made from: the index of packages may know no Punto, or
another one.
"""

from __future__ import annotations

import sys
from pathlib import Path

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
    return ExtraNeeded(f"this needs {root}, which is not installed; run: {install(f'[{extra}]')}", name=root)


def install(extra: str = "") -> str:
    """What to type for Punto with an extra: by the tool and from the place of this installation."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        here = distribution("punto")
    except PackageNotFoundError:  # Somebody has put the sources on the path.
        return f"pip install 'punto{extra}'"
    told = json.loads(here.read_text("direct_url.json") or "{}")  # PEP 610; nothing where it came from an index
    place = unquote(urlsplit(told.get("url", "")).path)
    source = place if told.get("url", "").startswith("file:") and Path(place).exists() else "punto"
    tool = _tool(Path(sys.prefix), (here.read_text("INSTALLER") or "").strip())
    editable = "-e " if told.get("dir_info", {}).get("editable") and source != "punto" else ""
    return f"{tool} {editable}'{source}{extra}'"


def _tool(environment: Path, installer: str) -> str:
    """The command that installs into an environment."""
    if (environment / "uv-receipt.toml").exists():
        return "uv tool install"
    if (environment / "pipx_metadata.json").exists():
        return "pipx install --force"
    return "uv pip install" if installer == "uv" else "pip install"
