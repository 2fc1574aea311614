from __future__ import annotations

import os
from pathlib import Path

import pytest

from punto.cli.files import CannotRead, CannotWrite, data_file, read_kept, write_kept
from tests.cli.called import refusal


def test_the_data_folder_is_the_one_that_xdg_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert data_file("x.json") == tmp_path / "data" / "punto" / "x.json"
    for nothing in ("", "not/absolute"):
        monkeypatch.setenv("XDG_DATA_HOME", nothing)
        assert data_file("x.json") == tmp_path / ".local" / "share" / "punto" / "x.json"


def test_a_file_is_written_whole_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b.json"
    write_kept(file, b"one")
    write_kept(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(file.parent.iterdir()) == [file]


def test_an_old_file_survives_a_new_one_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_kept(file, b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite, match=r"b\.json cannot be written: No space left on device"):
        write_kept(file, b"two")
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(CannotWrite):
        write_kept(file / "below" / "a file", b"")


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    assert read_kept(file) is None
    write_kept(file, b"one")
    assert read_kept(file) == b"one"
    with pytest.raises(CannotRead, match="Is a directory"):
        read_kept(tmp_path)
    with pytest.raises(CannotRead, match="File name too long"):
        read_kept(tmp_path / ("a" * 300))


def test_a_pipe_or_device_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(CannotRead, match="pipe cannot be read: it is not a regular file"):
        read_kept(pipe)
    with pytest.raises(CannotWrite, match="pipe cannot be written: it is not a regular file"):
        write_kept(pipe, b"one")
    assert pipe.is_fifo()


@pytest.mark.parametrize("command", [("play", "ez", "--save"), ("drill", "ez", "--score")])
@pytest.mark.parametrize("name", ["", " ", "/dev/full", "."])
def test_an_option_that_names_no_file(command: tuple[str, ...], name: str) -> None:
    assert f"{command[-1]} takes the path of a file, and {name!r} is not one" in refusal(*command, name)


@pytest.mark.parametrize("command", [("play", "ez", "--save"), ("drill", "ez", "--score")])
def test_an_option_whose_name_is_too_long(command: tuple[str, ...]) -> None:
    assert "cannot be read: File name too long" in refusal(*command, "a" * 300)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "'' cannot be written: it is not the name of a file"),
        ("/", "'/' cannot be written: it is not the name of a file"),
        ("/dev/full", "/dev/full cannot be written: it is not a regular file"),
        ("a" * 300, "cannot be written: File name too long"),
    ],
)
def test_a_checkpoint_that_could_not_be_kept(name: str, words: str) -> None:
    assert words in refusal("simulate", "ez", "--rounds", "10", "--checkpoint", name)
