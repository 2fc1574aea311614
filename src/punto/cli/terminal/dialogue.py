"""A conversation by lines: a prompt, an answer, and the end of either.

With a terminal the answer can be edited and earlier ones come back with the arrow keys. From a pipe the
answer is printed behind its prompt, so that what a script did reads like what a person did.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from contextlib import suppress

from punto.cli.files.reader import CannotRead, read_line
from punto.cli.terminal.say import one_line, refuse

LONGEST_LINE = 200
"""Characters that are read of a line: nobody types more."""
LONGEST_PIPED = 10_000
"""Characters of a line from a pipe: one that is longer may never end."""


class Left(Exception):
    """The other side has gone: end of input, or Ctrl-D."""


def is_interactive() -> bool:
    """Whether a person sits at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


class Dialogue:
    """Asks for lines on stdin."""

    def __init__(self) -> None:
        self.is_live = is_interactive()
        self._words: tuple[str, ...] = ()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # what is not text is not an answer, and is asked again
        if self.is_live:
            # Importing it is what gives `input` its line editing; some systems have none.
            with suppress(ImportError):
                import readline

                readline.set_completer(self._completion)
                readline.set_completer_delims(" ")
                is_libedit = "libedit" in (readline.__doc__ or "")
                readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def complete(self, words: Iterable[str]) -> None:
        """What Tab completes from now on."""
        self._words = tuple(dict.fromkeys(words))

    def _completion(self, begun: str, number: int) -> str | None:
        """The words that begin so, one by one, as readline asks for them; a blank ends each."""
        found = [word for word in self._words if word.startswith(begun.lower())]
        return f"{found[number]} " if number < len(found) else None

    def ask(self, prompt: str) -> str:
        """One line, without blanks around it."""
        sys.stdout.flush()
        try:
            line = input(prompt) if self.is_live else _next_line(prompt)
        except EOFError:
            if self.is_live:
                print()  # the cursor still stands behind the prompt
            raise Left from None
        return one_line(line[:LONGEST_LINE]).strip()


def _next_line(prompt: str) -> str:
    try:
        line = read_line(LONGEST_PIPED)
    except CannotRead as error:
        refuse(str(error))
    if not line:
        raise EOFError
    print(f"{prompt}{one_line(line[:LONGEST_LINE].rstrip())}")
    return line
