"""One writer: a file is there whole, or as it was, and nothing lies beside it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from punto.cli.files import CannotWrite, check_new, check_writable, write_whole


def test_a_file_is_replaced_and_its_mode_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    write_whole(file, b"one")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~umask
    file.chmod(0o640)
    write_whole(file, b"two")
    assert file.read_bytes() == b"two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_the_target_of_a_link_is_replaced_and_not_the_link(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to(folder / "file")
    for content in (b"one", b"two"):  # first where the link leads nowhere yet
        write_whole(link, content)
        assert link.is_symlink()
        assert (folder / "file").read_bytes() == content


def check(path: Path) -> None:
    check_writable(str(path))


def write(path: Path) -> None:
    write_whole(path, b"x")


@pytest.mark.parametrize("attempt", [check, write])
def test_places_where_no_file_can_be(attempt: Callable[[Path], None], tmp_path: Path) -> None:
    pipe, loop, folder = tmp_path / "pipe", tmp_path / "loop", tmp_path / "folder"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    folder.mkdir()
    before = sorted(tmp_path.iterdir())
    for path, why in (
        (pipe, "it is not a regular file"),
        (folder, "it is a folder"),
        (loop, "links"),
        (tmp_path / "none" / "file", "No such file or directory"),
        (Path("/dev/null"), "it is not a regular file"),
        (tmp_path / ("a" * 300), "File name too long"),
    ):
        with pytest.raises(CannotWrite, match=f"cannot be written: .*{why}"):
            attempt(path)
    assert sorted(tmp_path.iterdir()) == before


def test_checking_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert check_writable(str(file)) == file
    assert list(tmp_path.iterdir()) == []
    file.write_text("before")
    check_writable(str(file))
    assert file.read_text() == "before"


def test_a_file_without_the_right_to_write_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    with pytest.raises(CannotWrite, match="Permission denied"):
        write_whole(file, b"after")
    assert file.read_text() == "before"


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_in_the_middle_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from punto.cli.files import write_whole\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may ignore it\n"
        f"os.fsync = lambda _: os.kill(os.getpid(), {int(number)})\n"
        "write_whole(Path(sys.argv[1]), b'after')"
    )
    file = tmp_path / "file"
    file.write_text("before")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script, str(file)], env=environment, capture_output=True, check=False)
    assert done.returncode == -number
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_names_beside_it_cannot_be_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    opened = os.open

    def watched(path: object, flags: int, mode: int = 0o777) -> int:
        seen.append((str(path), flags))
        return opened(str(path), flags, mode)

    monkeypatch.setattr("os.open", watched)
    for _ in range(2):
        write_whole(tmp_path / "file", b"x")
    made = [(name, flags) for name, flags in seen if flags & os.O_CREAT]
    assert len({name for name, _ in made}) == 2
    assert all(flags & os.O_EXCL and flags & os.O_NOFOLLOW for _, flags in made)
    assert not any(str(os.getpid()) in Path(name).name.split("-")[0] for name, _ in made)


def test_a_new_file_is_never_put_in_the_place_of_another(tmp_path: Path) -> None:
    file = tmp_path / "anchor.json"
    assert check_new(str(file)) == file
    write_whole(file, b"one", is_new=True)
    for attempt in (lambda: check_new(str(file)), lambda: write_whole(file, b"two", is_new=True)):
        with pytest.raises(CannotWrite, match="already there, and is left as it is"):
            attempt()
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]
