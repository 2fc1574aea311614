"""The log-ins of a demonstration: drawn at its first start, and kept in a file that only its owner can read; and the
link that lets whoever starts it in as the player, once.

They are drawn before anything else of the server is loaded, so this module loads little.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from punto.floor.password import draw_password, hash_password
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.access import HASHES_AT_ONCE, is_here
from punto.server.settings import WrongSetting

LOGIN_NAMES: dict[Role, str] = {
    Role.PLAYER: "player",
    Role.DEALER: "dealer",
    Role.PIT_SUPERVISOR: "supervisor",
    Role.PIT_MANAGER: "manager",
    Role.SHIFT_MANAGER: "shift",
    Role.CASHIER: "cashier",
    Role.AUDITOR: "auditor",
    Role.ADMINISTRATOR: "admin",
}
ENTRY_MS = 10 * 60_000  # How long the link of a start holds.
HASHING_NICENESS = 5  # How far hashing stands behind everything else, as the command nice counts.


class DemonstrationLogin(msgspec.Struct, frozen=True):
    """Name and password of somebody to try."""

    role: Role
    name: str
    password: str


class EntryLink:
    """A link that lets in as one of the drawn people, once, within minutes, from this machine.

    Its code is in no log and no database: it stands after the # of the address, which browsers send to nobody, and
    here only its digest is kept, in memory. Whoever reads the screen or the list of processes could have used it
    before its owner; they would have a player with play money, and the owner would see that it is used up.
    """

    def __init__(self, name: str, now: int) -> None:
        self.name, self.code = name, secrets.token_urlsafe(32)
        self._digest, self._ends = _digest_of_code(self.code), now + ENTRY_MS

    def use(self, code: str, address: str, now: int) -> bool:
        """Whether somebody comes in with this code: it is right, in time, of this machine, and for the first time."""
        is_right = secrets.compare_digest(_digest_of_code(code), self._digest)
        if not is_right or now >= self._ends or not is_here(address):
            return False
        self._digest = b""
        return True


def _digest_of_code(code: str) -> bytes:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()


class DrawnLogins:
    """New log-ins, whose passwords are being hashed.

    Hashing eight of them takes longer than everything else at a first start, so it is begun before anything is loaded
    and done in threads meanwhile.
    """

    def __init__(self) -> None:
        self.logins = [DemonstrationLogin(role, name, draw_password()) for role, name in LOGIN_NAMES.items()]
        self._pool = ThreadPoolExecutor(HASHES_AT_ONCE, initializer=_step_back)
        self._hashes = [self._pool.submit(hash_password, login.password) for login in self.logins]

    def hashes(self) -> list[str]:
        """What is kept of each password, when all of them are done."""
        hashes = [hashed.result() for hashed in self._hashes]
        return [hashed for hashed in hashes if not isinstance(hashed, Refusal)]  # none is: they were drawn

    def close(self) -> None:
        """Begin no more of them."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """Loading the server goes before hashing, which fills what is left of the processors."""
    if sys.platform == "linux":  # where each thread has a priority of its own, and what it starts inherits it
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), HASHING_NICENESS)


def logins_file(database: Path) -> Path:
    return database.with_name(f"{database.name}.logins")


def kept_logins(path: Path) -> list[DemonstrationLogin] | None:
    """The log-ins that a file has; None where there is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[DemonstrationLogin])
    except (OSError, msgspec.MsgspecError):
        return None


def keep_logins(path: Path, logins: list[DemonstrationLogin]) -> None:
    """Keep log-ins in a file that only its owner can read."""
    content = json.dumps(msgspec.to_builtins(logins), indent=1)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(content)
    except OSError as error:
        raise WrongSetting(f"{path} cannot be written: {error.strerror}") from None
