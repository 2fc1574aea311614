"""The list of tables: one that is damaged in the database does not take the others away."""

from __future__ import annotations

from pathlib import Path

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
            answer = lee.get(f"/tables/{id}")
            assert answer.status_code == 503 and answer.json()["refusal"]["reason"] == "store-failed"
        named = [error for error in floor.errors if "is not listed" in error]
        assert len(named) == 2 and damaged in named[0] and played in named[1]
        floor.errors.clear()
