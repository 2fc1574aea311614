from __future__ import annotations

from pathlib import Path

import pytest

from punto.cli.kept_file import CannotKeep, data_file, keep


def test_the_data_folder_is_the_one_that_xdg_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert data_file("x.json") == tmp_path / "data" / "punto" / "x.json"
    for nothing in ("", "not/absolute"):
        monkeypatch.setenv("XDG_DATA_HOME", nothing)
        assert data_file("x.json") == tmp_path / ".local" / "share" / "punto" / "x.json"


def test_a_file_is_written_whole_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b.json"
    keep(file, b"one")
    keep(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(file.parent.iterdir()) == [file]


def test_an_old_file_survives_a_new_one_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "b.json"
    keep(file, b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotKeep, match=r"b\.json cannot be written: No space left on device"):
        keep(file, b"two")
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(CannotKeep):
        keep(file / "below" / "a file", b"")
