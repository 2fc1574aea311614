"""Files that a user names and files that punto keeps: read with a limit, written whole or not at all. Results are
checked before the work begins, and what is kept lies in the data folder of the platform.

What is written goes to a temporary file in the same folder, under a random name that nobody can have laid a link at,
reaches the disk, and is put in place by a rename; a failure or a signal leaves nothing behind. The mode of a file that
is replaced is kept, and a link is followed. What nobody could compute again, such as an anchor, is only written where
there is no file yet. `CannotRead` and `CannotWrite` end a command with their sentence, unless it catches them.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import msgspec

from punto.cli.output import refuse
from punto.named_file import at_once


class CannotRead(Exception):
    """A file cannot be read; the sentence says which and why."""


def opened_file(path: Path) -> BufferedReader:
    """A file to be read, opened at once; `OSError` and `ValueError` where it cannot be."""
    return open(path, "rb", opener=at_once)


@contextmanager
def read_failures_told(path: Path | str) -> Iterator[None]:
    """What the system says, in one sentence."""
    try:
        yield
    except OSError as error:
        raise CannotRead(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise CannotRead(f"{path} cannot be read: that is not a name for a file") from None


@contextmanager
def reading_file(path: Path) -> Iterator[BufferedReader]:
    """A file to be read, opened at once; `CannotRead` where it cannot be."""
    with read_failures_told(path), opened_file(path) as file:
        yield file


def read_bytes(path: Path, most: int) -> bytes:
    """What a file holds, if it holds at most this many bytes."""
    with reading_file(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise CannotRead(f"{path} cannot be read: it is larger than {size_words(most)}")
    return content


def read_text(path: Path, most: int) -> str:
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CannotRead(f"{path} cannot be read: it is not UTF-8 text") from None


def once_each(pairs: list[tuple[str, Any]], twice: str = "stands there twice") -> dict[str, Any]:
    """For `json.loads`: an object in which no name occurs twice; `ValueError` names one that does."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"{name[:40]} {twice}")
        fields[name] = value
    return fields


def read_line(most: int) -> str:
    """The next line of stdin, empty at its end; `CannotRead` for one that does not end."""
    line = sys.stdin.readline(most + 1)
    if len(line) > most:
        raise CannotRead(f"a line of more than {most:,} characters came in, and was not read")
    return line


def size_words(number: int) -> str:
    return f"{number // 1024 // 1024} MiB" if number >= 1024 * 1024 else f"{number // 1024} KiB"


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_ENDING = (signal.SIGTERM, signal.SIGHUP)


class CannotWrite(Exception):
    """A file cannot be written; the sentence says which and why."""


def is_special(path: Path) -> bool:
    """Whether something is there that is neither a file nor a folder: a device may never end, a pipe never
    begin, and neither may be replaced by a file. `OSError` where nothing can have that name.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def check_writable(name: str) -> Path:
    """The path of a file that can be written; `CannotWrite` if it cannot."""
    path = Path(name)
    if not path.name:
        raise CannotWrite(f"{name!r} cannot be written: it is not the name of a file")
    with _write_failures_told(path):
        temporary, descriptor, _ = _open_beside(path)
        os.close(descriptor)
        temporary.unlink()
    return path


def check_new(name: str) -> Path:
    """The path of a file that can be written and is not there yet; `CannotWrite` if it cannot, or is."""
    path = Path(name)
    with _write_failures_told(path):
        if path.is_symlink() or (path.exists() and not path.is_dir() and not is_special(path)):
            raise _already_there(path)
    return check_writable(name)


def write_whole(path: Path, content: bytes, *, is_new: bool = False, is_secret: bool = False) -> None:
    """Write a file whole, or leave what was there; `CannotWrite` says why not. A file that is to be new is
    never put in the place of one that came to be there meanwhile. A new file that is secret is its owner's alone.
    """
    with _write_failures_told(path), _ending_tidily():
        temporary, descriptor, target = _open_beside(path, 0o600 if is_secret else 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                os.link(temporary, target)
                temporary.unlink()
            else:
                temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        with suppress(OSError):  # let the rename itself reach the disk, where a folder can be synced
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _open_beside(path: Path, mode: int = 0o666) -> tuple[Path, int, Path]:
    """A new file in the folder of the target, open, with the mode that the target has or will have."""
    target = path.resolve()
    if target.is_dir():
        raise CannotWrite(f"{path} cannot be written: it is a folder")
    if is_special(target):
        raise CannotWrite(f"{path} cannot be written: it is not a regular file")
    # Replacing needs no right to the file itself, but whoever took that right away meant it.
    is_there = target.exists()
    if is_there and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13))
    temporary = target.with_name(f".punto-{os.urandom(8).hex()}")
    descriptor = os.open(temporary, _NEW, mode)
    if is_there:
        os.fchmod(descriptor, target.stat().st_mode & 0o777)
    return temporary, descriptor, target


@contextmanager
def _write_failures_told(path: Path) -> Iterator[None]:
    """What the system says, in one sentence."""
    try:
        yield
    except RuntimeError:  # Python 3.11 and 3.12 on links that lead back to themselves
        raise CannotWrite(f"{path} cannot be written: its links lead in a circle") from None
    except FileExistsError:
        raise _already_there(path) from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from None


def _already_there(path: Path) -> CannotWrite:
    return CannotWrite(f"{path} is already there, and is left as it is; choose another name")


@contextmanager
def _ending_tidily() -> Iterator[None]:
    """Let a signal that ends the command end it after the temporary file is gone."""
    if current_thread() is not main_thread():
        yield
        return
    caught: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _ENDING}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:  # a signal that is ignored or handled stays so
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, handler)
        if caught:
            os.kill(os.getpid(), caught[0])


def check_result_format(name: str, endings: Sequence[str]) -> Path:
    """The path of a file that can be written, and whose name tells its format; the command ends if it does not."""
    if Path(name).suffix.lower() not in endings:
        *others, last = endings
        known = f"{', '.join(others)} or {last}" if others else last
        refuse(f"{name} has no known format; its name must end in {known}")
    return check_writable(name)


def write_to_stdout(parts: Iterable[bytes]) -> None:
    """Bytes as they are, in UTF-8 whatever the terminal reads."""
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()


LARGEST_KEPT = 64 * 1024 * 1024  # Bytes of a file of ours: a game of some hundred thousand commands.


class _KeptHead(msgspec.Struct):
    type: str
    version: int


def kept_form(content: bytes, kind: str) -> int | None:
    """The version of the form in which a file of this kind is written; None where it is not such a file."""
    try:
        head = msgspec.json.decode(content, type=_KeptHead)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return head.version if head.type == kind else None


def data_file(name: str) -> Path:
    from platformdirs import user_data_path

    return user_data_path("punto", appauthor=False) / name


def named_file(option: str, name: str) -> Path:
    """The file that an option names; the command ends if a file cannot be kept there."""
    path = Path(name)
    try:
        if not name.strip() or path.is_dir() or is_special(path):
            refuse(f"{option} takes the path of a file, and {name!r} is not one")
    except OSError as error:
        raise CannotRead(f"{name} cannot be read: {error.strerror}") from None
    return path


def read_kept(path: Path) -> bytes | None:
    """What was kept in a file; None where there is none, `CannotRead` where there is something else."""
    return read_bytes(path, LARGEST_KEPT) if _is_kept(path) else None


def read_start(path: Path, size: int) -> bytes:
    """The first bytes of a file that was kept; none where there is no file."""
    if not _is_kept(path):
        return b""
    with reading_file(path) as file:
        return file.read(size)


def _is_kept(path: Path) -> bool:
    with read_failures_told(path):
        if is_special(path):
            raise CannotRead(f"{path} cannot be read: it is not a regular file")
        return path.exists()


def write_kept(path: Path, content: bytes) -> None:
    """Write a file whole, or leave the old one as it is; its folder is made where there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from None
    write_whole(path, content)
