"""`punto account erase`: forgets who stands behind an account."""

from __future__ import annotations

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, opened, operator, refuse_for
from punto.cli.stored_tables.account.names import NameArgument, found_account
from punto.cli.terminal.say import answer_json, one_line


def erase(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Erase display name and contact; the account stays.

    Its name, its money and its events stay too: they are the record of the house.
    """
    from punto.floor.desk import Desk
    from punto.refusal import Refusal

    with opened(database) as store:
        with store.read() as reader:
            found_account(reader, name)
        erased = Desk(store).erase(name, operator(), now_ms())
    if isinstance(erased, Refusal):
        refuse_for(erased)
    if json:
        answer_json({"account": name, "erased": erased})
    else:
        what = "display name and contact are erased" if erased else "there was nothing to erase"
        print(f"{one_line(name)}: {what}")
