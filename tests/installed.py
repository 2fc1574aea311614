"""The main paths of an installed Punto, outside any checkout: exact odds, a settled deal, a floor with pages, and a
program that sits down there."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

SITTING_DOWN = """
import sys
import punto
from punto.client import Client, Done

url, name, password = sys.argv[1:]
deal = punto.deal("ez", "2S KH 3D 2C KD 5S")
assert punto.settle("ez", deal, {"banker": "100", "dragon-7": "5"}).net == 200_00
with Client(url) as client:
    client.log_in(name, password)
    seat = next(each.command for each in client.table("ez").legal if each.command["type"] == "take-seat")
    assert isinstance(client.give("ez", seat), Done), seat
    print(*(table.table for table in client.tables()))
"""


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
            told = json.loads(server.stdout.readline())
            url = told["url"].rstrip("/")
            page = urlopen(f"{url}/").read().decode()
            assert '<script type="module"' in page
            assert json.loads(urlopen(f"{url}/api/v1/house").read())
            player = next(each for each in told["logins"] if each["role"] == "player")
            sat = run(str(place / "bin/python"), "-c", SITTING_DOWN, url, player["name"], player["password"])
            assert "knockout" in sat
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) == 0
