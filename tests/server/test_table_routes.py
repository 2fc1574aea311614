"""The list of tables: a table in a line is the same everywhere; a damaged one does not take the others away."""

from __future__ import annotations

from pathlib import Path

import msgspec

from punto.client import Done, Refused
from punto.floor.answers import TableSummary
from punto.rules.authority import Role
from tests.cli.called import answer
from tests.server.running_floor import running_floor


def test_a_damaged_table_is_not_listed_and_the_others_are(tmp_path: Path) -> None:
    database = str(tmp_path / "house.db")
    with running_floor(database) as floor:
        whole, damaged, played = (floor.new_table("commission"), floor.new_table("ez"), floor.new_table("knockout"))
        with floor.store.write() as transaction:
            transaction.connection.run("UPDATE books SET document = '{}' WHERE name = 'ez'")
            transaction.connection.run("UPDATE events SET body = '{}' WHERE table_id = ?", (played,))
    with running_floor(database) as floor:
        lee = floor.client("Lee").http
        listed = lee.get("/tables")
        assert listed.status_code == 200
        assert [table["table"] for table in listed.json()["tables"]] == [whole]
        assert lee.get(f"/tables/{whole}").status_code == 200 == lee.get("/books").status_code
        for id in (damaged, played):
            shown = lee.get(f"/tables/{id}")
            assert shown.status_code == 503 and shown.json()["refusal"]["reason"] == "store-failed"
        named = [error for error in floor.errors if "is not listed" in error]
        assert len(named) == 2 and damaged in named[0] and played in named[1]
        floor.errors.clear()


def test_a_table_is_summed_up_alike_by_the_command_line_the_api_and_the_client(tmp_path: Path) -> None:
    database = str(tmp_path / "house.db")
    with running_floor(database) as floor:
        id, lee = "main", floor.client("Lee")
        assert not isinstance(floor.client("Sue").open_table(id, "ez", None, Role.PIT_SUPERVISOR), Refused)
        assert isinstance(lee.give(id, {"type": "take-seat", "box": 1}), Done)
        [listed] = answer("table", "list", "--database", database, "--json").json
        [in_list], alone = lee.http.get("/tables").json()["tables"], lee.http.get(f"/tables/{id}").json()
        assert listed == {name: in_list[name] for name in listed} == {name: alone[name] for name in listed}
        assert (listed["table"], listed["book"], listed["phase"], listed["round"]) == (id, "ez", "idle", 0)
        shown = lee.table(id)
        assert not isinstance(shown, Refused)
        summary = msgspec.convert(listed, TableSummary)
        assert listed["created_ms"] > 0
        assert all(getattr(shown, name) == getattr(summary, name) for name in summary.__struct_fields__)
