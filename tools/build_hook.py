"""What is done before a wheel or a source distribution is packed: the pages are built, or nothing is packed.

A wheel without pages would give a floor that shows nothing, so a build that cannot make them ends with one sentence. A
source distribution carries the pages as they were built, with the checksum of what they were made from: a wheel that is
built from it needs no Node.js, and is the same. An editable install, as `make run` makes one, takes the pages from
where `tools/pages` puts them and is not held up here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLED = (
    "src/punto/server/pages/.bundled.json"  # Written by web/vite.config.ts: what the scripts of the pages contain.
)
BILL = "build/punto.cdx.json"
FONTS = (("Inter", "@fontsource-variable/inter"), ("Noto Sans SC", None), ("Noto Sans TC", None))
"""The fonts of the pages, and the npm package that they are cut from, where that is locked."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        command = ["sh", "tools/pages", "build"]
        built = subprocess.run(command, cwd=root, env=for_another_pip(), text=True, capture_output=True)
        if built.returncode != 0:
            reason = "\n".join(built.stderr.strip().splitlines()[-20:])
            raise SystemExit(f"{reason}\npunto: no package without its pages; Node.js 20.19 or newer builds them")
        if self.target_name == "wheel":
            bill = root / BILL
            bill.parent.mkdir(exist_ok=True)
            bill.write_text(json.dumps(bill_of_materials(root), indent=1), encoding="utf-8")
            build_data["sbom_files"].append(BILL)


def for_another_pip() -> dict[str, str]:
    """The environment in which tools/pages may install a Node.js where there is none, by a pip of its own.

    The interpreter that runs this stands last on the path: that of uv or pyenv is on it under no name. And the pip that
    waits for this wheel has marked this folder as being built, for which another one would give up.
    """
    path = os.environ.get("PATH", os.defpath)
    own = {name: value for name, value in os.environ.items() if name != "PIP_BUILD_TRACKER"}
    return {**own, "PATH": f"{path}{os.pathsep}{Path(sys.executable).parent}"}


def bill_of_materials(root: Path) -> dict[str, Any]:
    """What the wheel contains that is not ours, as CycloneDX: code in the scripts of the pages, and the fonts."""
    locked = json.loads((root / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    code = json.loads((root / BUNDLED).read_text(encoding="utf-8"))
    packages = [
        _component(name, name, locked, "library", locked[f"node_modules/{name}"].get("license")) for name in code
    ]
    fonts = [_component(name, package, locked, "data", "OFL-1.1") for name, package in FONTS]
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": [*packages, *fonts]}


def _component(
    name: str, package: str | None, locked: dict[str, Any], kind: str, license: str | None
) -> dict[str, Any]:
    entry = locked[f"node_modules/{package}"] if package else {}
    component: dict[str, Any] = {"type": kind, "name": name}
    if entry:
        purl = package.replace("@", "%40") if package else ""
        component |= {"version": entry["version"], "purl": f"pkg:npm/{purl}@{entry['version']}"}
    if license:
        component["licenses"] = [{"license": {"id": license}}]
    return component
