"""A disk that can lose its power: what was written, what was synced, and what is left when the power goes.

Only what a sync has reached is certain. Of everything else any part may be there: every sector of 512 bytes
of every write for itself. A file that was made or removed is certain only once its folder was synced.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512


@dataclass
class DiskFile:
    """A file as programs see it, and as it is sure to be."""

    content: bytearray = field(default_factory=bytearray)
    certain: bytes = b""
    waiting: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Writes with their places, and cuts to a length, since the last sync."""
    is_there: bool = True
    is_entry_certain: bool = False
    """Whether the folder is sure to know whether the file is there."""
    was_there: bool = False

    def write(self, place: int, data: bytes) -> None:
        put(self.content, place, data)
        self.waiting.append((place, data))

    def cut(self, length: int) -> None:
        cut(self.content, length)
        self.waiting.append(length)

    def sync(self) -> None:
        self.certain = bytes(self.content)
        self.waiting = []

    def after_a_power_cut(self, random: Random | None) -> bytes:
        """What is left: nothing that was not synced, or any part of it."""
        left = bytearray(self.certain)
        for change in self.waiting if random is not None else ():
            assert random is not None
            if isinstance(change, int):
                if random.random() < 0.5:
                    cut(left, change)
                continue
            place, data = change
            for start in range(0, len(data), SECTOR):
                if random.random() < 0.5:
                    put(left, place + start, data[start : start + SECTOR])
        return bytes(left)


class Disk:
    """The files of one folder."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        """With what lies in the folder now, all of it certain; other files are not looked at."""
        self.folder = folder
        self._names = names
        self.files: dict[str, DiskFile] = {}
        for name in names:
            if (folder / name).exists():
                content = (folder / name).read_bytes()
                self.files[name] = DiskFile(bytearray(content), content, [], True, True, True)

    def has(self, path: str) -> bool:
        """Whether a file is one of those that are looked at."""
        return Path(path).parent == self.folder and Path(path).name in self._names

    def file(self, path: str) -> DiskFile:
        """A file, made where there is none."""
        made = self.files.setdefault(Path(path).name, DiskFile())
        if not made.is_there:
            made.is_there, made.is_entry_certain = True, False
            made.content = bytearray()
            made.waiting.append(0)
        return made

    def remove(self, path: str) -> None:
        """Remove a file."""
        gone = self.files[Path(path).name]
        gone.is_there, gone.is_entry_certain = False, False

    def sync_folder(self) -> None:
        """From here on it is certain which files there are."""
        for file in self.files.values():
            file.was_there, file.is_entry_certain = file.is_there, True

    def cut_power(self, folder: Path, random: Random | None) -> None:
        """Write what is left of the files to another folder."""
        for name, file in self.files.items():
            is_left = file.was_there
            if not file.is_entry_certain and random is not None:
                is_left = random.random() < 0.5
            if is_left:
                (folder / name).write_bytes(file.after_a_power_cut(random))


def put(content: bytearray, place: int, data: bytes) -> None:
    """Write data at a place, after zeros where the content ends before it."""
    if len(content) < place:
        content.extend(bytes(place - len(content)))
    content[place : place + len(data)] = data


def cut(content: bytearray, length: int) -> None:
    """Make the content so long."""
    if length < len(content):
        del content[length:]
    else:
        content.extend(bytes(length - len(content)))
