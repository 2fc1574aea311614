"""The main paths of an installed Punto, outside any checkout: exact odds, a settled deal, a floor with pages."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen


def take_main_paths(place: Path, folder: Path, environment: Mapping[str, str]) -> None:
    """Go through them with the environment at `place`, in a folder that knows nothing of the checkout."""
    punto = str(place / "bin/punto")

    def run(*command: str) -> str:
        return subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=True).stdout

    where = run(str(place / "bin/python"), "-c", "import punto; print(punto.__file__)")
    assert where.startswith(str(place)), where
    assert "Banker" in run(punto, "odds", "commission")
    assert "100" in run(punto, "settle", "ez", "--cards", "2S KH 3D 2C KD 5S", "--bet", "player=100")
    assert "B" in run(punto, "roads", "BBPT")
    serve = [punto, "serve", "--json", "--port", "0", "--no-browser", "--database", f"sqlite:///{folder}/house.db"]
    with subprocess.Popen(serve, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            url = json.loads(server.stdout.readline())["url"].rstrip("/")
            page = urlopen(f"{url}/").read().decode()
            assert '<script type="module"' in page
            assert json.loads(urlopen(f"{url}/api/v1/house").read())
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) == 0
