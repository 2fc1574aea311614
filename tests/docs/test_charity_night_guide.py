"""The guide to a charity night works as it stands, from an empty machine to a closed day."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.called import call
from tests.playthroughs import charity_night
from tests.playthroughs.charity_night import DATABASE, PASSWORD, Clock

TEXT = (Path(__file__).parents[2] / "docs/guides/charity-night.md").read_text(encoding="utf-8")
LINES = re.findall(r"^    (punto .*)$", TEXT, flags=re.MULTILINE)
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
SERVE, CLOSING = "punto serve --no-demonstration", "punto house close-day -o days"


def run_line(line: str) -> str:
    done = call(*shlex.split(line)[1:])
    assert done.status == 0, (line, done)
    return done.out


@pytest.mark.slow
@pytest.mark.usefixtures("durable")  # the doctor looks whether commits wait for the disk
def test_every_line_of_the_guide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, last = LINES.index(SERVE), LINES.index(CLOSING)
    with charity_night.empty_machine(tmp_path) as patch:
        clock = Clock(patch)
        assert f'export PUNTO_DATABASE="$PWD/{DATABASE}"' in TEXT
        for line in LINES[:place]:
            run_line(line)
        patch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
        assert call("people", "password", "Sue", "--password-stdin").status == 0
        code = charity_night.told("house", "invite", "1", "--buy-in", "500")["invitations"][0]["code"]
        with charity_night.open_doors(clock) as night:
            names = {"password": PASSWORD, "name": "Lee", "code": code}
            for program in PROGRAMS:
                exec(program.replace("http://127.0.0.1:8317", night.url), dict(names))
        assert capsys.readouterr().out == "east automatic\nwest automatic\nLee 50000\n"
        shown = {line: run_line(line) for line in LINES[place + 1 : last]}
        assert all("difference 0" in out for line, out in shown.items() if "rack close" in line), shown
        clock.put_on(24 * 3_600_000)
        for line in LINES[last:]:
            run_line(line)
        assert (tmp_path / "guests.html").exists() and (tmp_path / "night.csv").exists()
        assert [folder for folder in (tmp_path / "days").iterdir() if (folder / "anchor.json").exists()]
