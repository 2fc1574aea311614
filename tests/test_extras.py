"""What an installation without extras can do, and what it says where one is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from punto.extras import MODULES_OF, extra_needed, install

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OWNERS = packages_distributions()
PARTS = {"dask": "distributed", "llvmlite": "numba"}  # Modules that come with another package of the same extra.
IMPORTED = re.compile(r"^\s*(?:from (\w+)[.\w]* import |import (\w+)(?:[.\w]*)(?: as \w+)?$)", re.MULTILINE)

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Nothing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Nothing())
"""
"""An interpreter in which the modules of all extras are missing."""
RUN_EACH = """
import json
from punto.cli.main import run
for line in json.loads(sys.argv[1]):
    print("status", run(line))
"""


def packages(requirements: list[str]) -> set[str]:
    """The names of packages, without versions and without our own extras."""
    return {re.split(r"[\[<>=; ]", one)[0] for one in requirements} - {"punto"}


def owners_of(module: str) -> set[str]:
    """The packages that a module comes in, as they are written in requirements."""
    return {name.lower().replace("_", "-") for name in OWNERS.get(module, ())}


def without_extras(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    missing = set(chain.from_iterable(MODULES_OF.values()))
    program = WITHOUT.format(missing=missing) + code
    return subprocess.run([sys.executable, "-c", program, *arguments], text=True, capture_output=True, check=False)


def test_every_module_of_an_extra_is_in_a_package_of_that_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    for extra, modules in MODULES_OF.items():
        declared = packages(extras[extra])
        for module in modules:
            of = {PARTS.get(module, ""), *owners_of(module)} if module != "cupy" else {"cupy-cuda12x"}
            assert of & declared, (extra, module)


def test_every_package_of_an_extra_has_a_module_with_a_sentence() -> None:
    for extra in MODULES_OF:
        for package in packages(PROJECT["optional-dependencies"][extra]) - {"cupy-cuda12x"}:
            assert any(package in owners_of(module) for module in MODULES_OF[extra]), (extra, package)


def test_nothing_is_imported_that_no_installation_brings() -> None:
    known = {*sys.stdlib_module_names, "punto", *chain(*MODULES_OF.values())}
    base = packages(PROJECT["dependencies"])
    for path in (ROOT / "src/punto").rglob("*.py"):
        found = IMPORTED.findall(path.read_text(encoding="utf-8"))
        for root in {one or other for one, other in found} - known:
            assert base & owners_of(root), (path.name, root)


def test_the_base_settles_deals_and_has_exact_odds() -> None:
    lines = [
        ("rules", "ez"),
        ("settle", "ez", "--cards", "2S KH 3D 2C KD 5S", "--bet", "banker=100"),
        ("odds", "insurance", "--json"),
        ("deal", "knockout"),
        ("roads", "BBPT"),
        ("run", str(ROOT / "docs/examples/insured-round.punto")),
    ]
    done = without_extras(RUN_EACH, json.dumps(lines))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("status 0\n") == len(lines)


def test_one_sentence_says_what_to_install() -> None:
    wanted = {
        ("simulate", "ez"): ("numpy", "study"),
        ("report", "ez", "-o", "never.pdf"): ("matplotlib", "report"),
        ("simulate", "ez", "-o", "never.csv"): ("polars", "report"),
        ("simulate", "ez", "-o", "never.svg"): ("matplotlib", "report"),
        ("serve",): ("argon2", "serve"),
        ("play",): ("cryptography", "serve"),
        ("audit", "verify"): ("cryptography", "serve"),
    }
    done = without_extras(RUN_EACH, json.dumps(list(wanted)))
    assert done.stdout == "status 2\n" * len(wanted)
    assert done.stderr.splitlines() == [
        f"punto: this needs {module}, which is not installed; run: {install(f'[{extra}]')}"
        for module, extra in wanted.values()
    ]


def test_from_python_it_is_an_import_error() -> None:
    code = """
import punto
assert punto.settle("ez", "2S KH 3D 2C KD 5S", {"banker": "100"})[0].net == 0
assert punto.odds_of("commission").bet("banker").edge
for ask in (lambda: punto.simulate("ez", 10), lambda: __import__("punto.client")):
    try:
        ask()
    except ImportError as error:
        print(error)
"""
    done = without_extras(code)
    assert done.stdout.count(f"which is not installed; run: {install('[')[:-1]}") == 2, done


def test_a_module_of_nobody_is_not_explained() -> None:
    assert extra_needed(ModuleNotFoundError("No module named 'nothing'", name="nothing")) is None
    assert "[study]'" in str(extra_needed(ModuleNotFoundError("", name="numpy.linalg")))


def test_environments_for_agents_say_which_extra_they_need() -> None:
    done = without_extras("import punto.rl")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        f"this needs gymnasium, which is not installed; run: {install('[rl]')}"
    )


class Installed:
    """A distribution with these files beside its metadata."""

    def __init__(self, **files: str) -> None:
        self.files = {name.replace("_json", ".json"): text for name, text in files.items()}

    def read_text(self, name: str) -> str | None:
        return self.files.get(name)


@pytest.mark.parametrize(
    ("installer", "mark", "command"),
    [
        ("pip", None, "pip install"),
        ("uv", None, "uv pip install"),
        ("uv", "uv-receipt.toml", "uv tool install"),
        ("uv", "pipx_metadata.json", "pipx install --force"),
    ],
)
def test_the_sentence_names_the_tool_and_the_source_of_this_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installer: str, mark: str | None, command: str
) -> None:
    (checkout := tmp_path / "my punto").mkdir()
    here = Installed(direct_url_json=json.dumps({"url": checkout.as_uri(), "dir_info": {}}), INSTALLER=f"{installer}\n")
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: here)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    if mark is not None:
        (tmp_path / mark).touch()
    assert install("[serve]") == f"{command} '{checkout}[serve]'"
    checkout.rmdir()  # Whoever has thrown the checkout away can name the package only.
    assert install("[serve]") == f"{command} 'punto[serve]'"


def test_an_editable_installation_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.dumps({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: Installed(direct_url_json=told, INSTALLER="pip"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install("[rl]") == f"pip install -e '{tmp_path}[rl]'"
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: Installed(INSTALLER="pip"))
    assert install() == "pip install 'punto'"
