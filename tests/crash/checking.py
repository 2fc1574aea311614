"""After a crash: every answer that anybody got still holds, nothing was done twice, and the ledger fits."""

from __future__ import annotations

from punto.store.store import open_store
from tests.crash.journal import Known
from tests.floor.ledger_check import check_store


def check(address: str, known: Known) -> int:
    """Check a database against what clients know; the number of commands in it."""
    with open_store(address, create=False) as store:
        with store.read() as reader:
            kept = reader.answers(known.sent)
            for pair, answer in known.answered.items():
                command = kept.get(pair)
                assert command is not None, f"an answered command was lost: {pair}"
                if answer.refusal is not None:
                    assert command.refusal is not None and command.version is not None, pair
                    continue
                assert command.refusal is None and command.version == answer.version, pair
                seqs = (answer.seqs[0], answer.seqs[-1]) if answer.seqs else (None, None)
                assert (command.first_seq, command.last_seq) == seqs, f"{pair}: {command}"
            for table in reader.tables():
                covered: list[int] = []
                for command in reader.commands(table.id):
                    if command.first_seq is not None and command.last_seq is not None:
                        covered += range(command.first_seq, command.last_seq + 1)
                assert covered == list(range(1, table.version + 1)), "every event comes of one command"
            strangers = [pair for pair in kept if pair not in known.sent]
            assert strangers == []
        check_store(store)
        return len(kept)
