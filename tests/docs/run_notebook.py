"""Run a notebook from top to bottom with the Python that runs this, and print it with its results.

It is a program of its own because a notebook's kernel leaves sockets and loops behind that belong in no test.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, cast

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient


class ThisPython(KernelSpecManager):
    """Only one kernel, whatever else is installed on the machine."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name=kernel_name, language="python", resource_dir="")


def main(path: Path) -> None:
    notebooks = cast(Any, nbformat)
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=ThisPython())
    notebook = notebooks.read(path, as_version=4)
    NotebookClient(notebook, km=manager, timeout=300).execute(cwd=str(path.parent))
    print(notebooks.writes(notebook))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
