"""The one writer of files: a file is there whole, or as it was before.

The content goes to a temporary file in the same folder, under a random name that nobody can have laid a link
at, reaches the disk, and is put in place by a rename; the mode of a file that is replaced is kept, and a link
is followed, so that what it points to is replaced and not the link. A failure or a signal that ends the
command leaves nothing behind. A long run asks first whether its result can be written at all. What nobody
could compute again, such as an anchor, is only written where there is no file yet.
"""

from __future__ import annotations

import os
import secrets
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

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
    with _told(path):
        temporary, descriptor, _ = _open_beside(path)
        os.close(descriptor)
        temporary.unlink()
    return path


def check_new(name: str) -> Path:
    """The path of a file that can be written and is not there yet; `CannotWrite` if it cannot, or is."""
    path = Path(name)
    with _told(path):
        if path.is_symlink() or (path.exists() and not path.is_dir() and not is_special(path)):
            raise _already_there(path)
    return check_writable(name)


def write_whole(path: Path, content: bytes, *, is_new: bool = False) -> None:
    """Write a file whole, or leave what was there; `CannotWrite` says why not. A file that is to be new is
    never put in the place of one that came to be there meanwhile.
    """
    with _told(path), _ending_tidily():
        temporary, descriptor, target = _open_beside(path)
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
        _sync_folder(target.parent)


def _open_beside(path: Path) -> tuple[Path, int, Path]:
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
    temporary = target.with_name(f".punto-{secrets.token_hex(8)}")
    descriptor = os.open(temporary, _NEW, 0o666)
    if is_there:
        os.fchmod(descriptor, target.stat().st_mode & 0o777)
    return temporary, descriptor, target


@contextmanager
def _told(path: Path) -> Iterator[None]:
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


def _sync_folder(folder: Path) -> None:
    """Let the rename itself reach the disk, where a folder can be synced."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
