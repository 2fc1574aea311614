"""How far somebody may see who watches with a delay."""

from __future__ import annotations

from punto.store.reader import Reader
from punto.store.record import StoredTable

LOOKED_AT = 200  # Events that are looked at together, from the last one back.


def version_before(reader: Reader, stored: StoredTable, moment: int) -> int:
    """The last version of a table whose events are all older than a moment; 0 where there is none."""
    version = last = stored.version
    while last > 0:
        first = max(0, last - LOOKED_AT)
        late = [record.seq for record in reader.records(stored.id, first, last - first) if record.event.time >= moment]
        if not late:
            break
        version, last = late[0] - 1, first
    return version
