"""What the desk says after money has moved, to people and to programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cli.options.database import refuse_for
from punto.cli.stored_tables.account.names import account_record, found_account
from punto.cli.terminal.say import answer_json, one_line

if TYPE_CHECKING:
    from punto.ledger.movement import Movement
    from punto.refusal import Refusal
    from punto.store.store import Store


def tell_moved(store: Store, name: str, moved: Movement | Refusal, *, json: bool) -> None:
    """Tell what an account has now; the command ends if nothing was moved."""
    from punto.ledger.account import player_account
    from punto.money import format_amount, format_money, parse_amount
    from punto.refusal import Reason, Refusal

    with store.read() as reader:
        if isinstance(moved, Refusal):
            if moved.reason is Reason.NO_ACCOUNT:
                found_account(reader, name)  # says which account may have been meant
            refuse_for(moved)
        record = account_record(reader, found_account(reader, name))
    amount = next(posting.amount for posting in moved.postings if posting.account == player_account(name))
    if json:
        kept = ("account", "currency", "free", "held")
        told = {key: record[key] for key in kept}
        answer_json({**told, "kind": moved.kind.value, "amount": format_amount(amount)})
        return
    free = format_money(parse_amount(record["free"], allow_zero=True))
    what = f"{moved.kind.value} {format_money(amount, is_signed=True)}"
    print(f"{one_line(name)}: {what}; free now: {record['currency']} {free}")
