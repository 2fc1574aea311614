"""Files that a user names are read up to a bound, and everything else is one sentence."""

import io
from pathlib import Path

import pytest

from punto.cli.files import CannotRead, read_bytes, read_line, read_text, size_words


def test_a_file_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"x" * 2048)
    assert read_bytes(file, 2048) == b"x" * 2048
    with pytest.raises(CannotRead, match=r"f cannot be read: it is larger than 1 KiB"):
        read_bytes(file, 2047)


@pytest.mark.parametrize("name", ["/dev/zero", "/nowhere/x", "/", "a" * 300, "nul\0byte", "\udcff"])
def test_what_is_no_file_of_ours(name: str) -> None:
    with pytest.raises(CannotRead, match="cannot be read: "):
        read_bytes(Path(name), 1024)


def test_text_is_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"\xef\xbb\xbf\xe9\x96\x92")
    assert read_text(file, 100) == "閒"
    file.write_bytes(b"\xff")
    with pytest.raises(CannotRead, match="it is not UTF-8 text"):
        read_text(file, 100)


def test_a_line_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        def readline(self, size: int = -1) -> str:
            assert size > 0, "as much as comes"
            return "x" * size

    monkeypatch.setattr("sys.stdin", io.StringIO("abc\nd"))
    assert [read_line(4), read_line(4), read_line(4)] == ["abc\n", "d", ""]
    monkeypatch.setattr("sys.stdin", Endless())
    with pytest.raises(CannotRead, match="a line of more than 100 characters came in"):
        read_line(100)


def test_sizes_in_words() -> None:
    assert [size_words(512 * 1024), size_words(16 * 1024 * 1024)] == ["512 KiB", "16 MiB"]
