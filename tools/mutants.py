"""Breaks the engine in many small places and sees whether the tests notice (mutation testing, cosmic-ray).

    python tools/mutants.py                  400 mutants of rules, coup and table
    python tools/mutants.py 50 --seed other  fifty others

The sample is seeded, so two people see the same mutants. Each is applied in a copy of the tree, never here,
and meets the tests of its own module first; only what survives meets the next ones. A mutant that changes
nothing but annotations is no mutant and is not drawn. Survivors are listed with what was changed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from random import Random

# It comes without types, and only requirements/mutants.txt brings it.
import cosmic_ray.plugins  # type: ignore[import-untyped, import-not-found, unused-ignore]
from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-untyped, import-not-found, unused-ignore]
from cosmic_ray.mutating import mutate_code  # type: ignore[import-untyped, import-not-found, unused-ignore]

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "coup", "table")
AIM = 0.9
TIMEOUT_S = 200

STAGES: dict[str, tuple[tuple[str, ...], ...]] = {
    "rules": (
        ("tests/rules",),
        ("tests/coup", "tests/books", "tests/clauses", "tests/agreement", "tests/table/test_slip.py"),
    ),
    "coup": (("tests/coup",), ("tests/clauses", "tests/agreement", "tests/rules")),
    "table": (
        ("tests/clauses", "tests/table/test_dealing_face_down.py"),
        ("tests/table", "--ignore=tests/table/test_table_machine.py", "tests/playthroughs"),
        ("tests/agreement/test_table_agrees.py", "tests/table/test_table_machine.py"),
    ),
}
"""Tests by package: what survives the quick ones, and those of its own module before, meets the next."""

NOT_ABOUT_THE_ENGINE = "--ignore=tests/clauses/test_conformance.py"

SAME = ("Is_Eq", "IsNot_NotEq")
"""Operators that change nothing here: only None and members of enums are compared by identity."""

NEEDED = ("src", "tests", "tools", "docs", "bench", "pyproject.toml", "Makefile", "README.md")
"""What of the tree the tests read."""


@dataclass(frozen=True)
class Mutant:
    """One small change of one module."""

    file: str
    operator: str
    occurrence: int

    def source(self, code: str) -> str | None:
        """The module with this change, None where it changes nothing that runs."""
        mutated = mutate_code(code, cosmic_ray.plugins.get_operator(self.operator)(), self.occurrence)
        if mutated is None or _running(mutated) == _running(code):
            return None
        return str(mutated)


class _NoAnnotations(ast.NodeTransformer):
    """Functions without the annotations that only type checkers read; fields of a struct keep theirs."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        for inner in ast.walk(node):
            if isinstance(inner, ast.AnnAssign):
                inner.annotation = ast.Constant(value=None)
        return self.generic_visit(node)


def _running(code: str) -> str | None:
    try:
        return ast.dump(_NoAnnotations().visit(ast.parse(code)))
    except SyntaxError:
        return None


def all_mutants() -> Iterator[Mutant]:
    """Every change that the operators can make, in a fixed order."""
    names = sorted(cosmic_ray.plugins.operator_names())
    operators = {name: cosmic_ray.plugins.get_operator(name) for name in names}
    for package in PACKAGES:
        for path in sorted((ROOT / "src" / "punto" / package).rglob("*.py")):
            nodes = list(ast_nodes(get_ast(path.read_text(encoding="utf-8"))))
            for name, operator in operators.items():
                if operator.arguments() or name.endswith(SAME):
                    continue
                found = sum(len(list(operator().mutation_positions(node))) for node in nodes)
                file = path.relative_to(ROOT).as_posix()
                yield from (Mutant(file, name, occurrence) for occurrence in range(found))


def sampled(number: int, seed: str) -> list[Mutant]:
    """So many mutants that change something that runs."""
    everything = list(all_mutants())
    Random(seed).shuffle(everything)
    chosen: list[Mutant] = []
    for mutant in everything:
        if len(chosen) == number:
            break
        if mutant.source((ROOT / mutant.file).read_text(encoding="utf-8")) is not None:
            chosen.append(mutant)
    return chosen


# ── Trying them ──────────────────────────────────────────────────────────────────────────────────────

_copy = ROOT
"""The copy of the tree that this process breaks."""


def _make_copy(folder: str) -> None:
    global _copy
    _copy = Path(tempfile.mkdtemp(dir=folder))
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, _copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, _copy / name)


def try_out(mutant: Mutant) -> tuple[Mutant, str]:
    """What was changed, if no test noticed; empty if one did."""
    path = _copy / mutant.file
    code = path.read_text(encoding="utf-8")
    mutated = mutant.source(code)
    assert mutated is not None, "the sample holds only what changes something"
    path.write_text(mutated, encoding="utf-8")
    try:
        survived = all(_passes(*tests) for tests in stages_of(mutant.file))
    finally:
        path.write_text(code, encoding="utf-8")
    return mutant, _change(code, mutated) if survived else ""


def stages_of(file: str) -> list[tuple[str, ...]]:
    """The tests that a mutant of this module meets, stage by stage."""
    package, module = file.split("/")[2], Path(file).stem
    own = sorted(str(path.relative_to(_copy)) for path in (_copy / "tests" / package).glob(f"test_{module}*.py"))
    return [*([tuple(own)] if own else []), *STAGES[package]]


def _passes(*tests: str) -> bool:
    """Whether the tests pass on the copy; a mutant that never ends has been noticed."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--hypothesis-seed=0",
        NOT_ABOUT_THE_ENGINE,
        *tests,
    ]
    environment = {**os.environ, "PYTHONPATH": str(_copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=_copy, env=environment, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _change(code: str, mutated: str) -> str:
    lines = list(difflib.unified_diff(code.splitlines(), mutated.splitlines(), n=0, lineterm=""))
    return "\n".join(f"    {line}" for line in lines[2:])


def main() -> int:
    """Try a sample and tell what survived."""
    parser = argparse.ArgumentParser(description="Mutation testing of rules, coup and table.")
    parser.add_argument("mutants", type=int, nargs="?", default=400)
    parser.add_argument("--seed", default="punto")
    asked = parser.parse_args()
    sample = sampled(asked.mutants, asked.seed)
    print(f"punto: trying {len(sample)} mutants, seed {asked.seed}", flush=True)
    survivors = []
    with tempfile.TemporaryDirectory() as folder, Pool(os.cpu_count(), _make_copy, (folder,)) as pool:
        for done, (mutant, change) in enumerate(pool.imap_unordered(try_out, sample), start=1):
            if change:
                survivors.append((mutant, change))
                print(f"punto: survived: {mutant.file} {mutant.operator} {mutant.occurrence}\n{change}", flush=True)
            if done % 20 == 0:
                print(f"punto: {done - len(survivors)} of {done} killed", flush=True)
    killed = len(sample) - len(survivors)
    print(f"punto: {killed} of {len(sample)} mutants killed, {len(survivors)} survived")
    for mutant, change in sorted(survivors, key=lambda survivor: survivor[0].file):
        print(f"{mutant.file} {mutant.operator} {mutant.occurrence}\n{change}")
    return 0 if killed >= AIM * len(sample) else 1


if __name__ == "__main__":
    sys.exit(main())
