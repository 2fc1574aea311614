"""Write tests/store/kept: logs of the version of events that is written now, to be replayed for ever.

    .venv/bin/python tools/kept_logs.py

The fewest playthroughs are chosen that have every event and every book. Each file begins with a line that
names the playthrough, how many records follow and the hash of the state after them. A file that is there is
never changed: once a version has been released, its logs are what people have in their databases. Remove a
file first to write it again while its version is not released.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from punto.store.record import SCHEMA_VERSION, encode_event, record_line, state_hash  # noqa: E402
from tests.store.sessions import events_of, playthroughs, state_after  # noqa: E402

KEPT = ROOT / "tests/store/kept" / f"v{SCHEMA_VERSION}"


def chosen() -> list[str]:
    """Playthroughs that together have every event of every book, each adding to those before it."""
    names = [f"{path.parent.name}/{path.stem}" for path in playthroughs()]
    shows = {name: {(name.split("/")[0], event.name()) for event in events_of(name)} for name in names}
    missing, picked = set().union(*shows.values()), []
    while missing:
        best = max(names, key=lambda name: (len(shows[name] & missing), -len(events_of(name)), name))
        picked.append(best)
        missing -= shows[best]
    return sorted(picked)


def main() -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in chosen():
        path = KEPT / f"{name.replace('/', '-')}.jsonl"
        if path.exists():
            continue
        events = events_of(name)
        head = {"playthrough": name, "records": len(events), "state": state_hash(state_after(events))}
        lines = [
            record_line("t1", seq, SCHEMA_VERSION, None, encode_event(event)) for seq, event in enumerate(events, 1)
        ]
        path.write_text("\n".join([json.dumps(head), *lines]) + "\n", encoding="utf-8")
        print(path.relative_to(ROOT), len(events))


if __name__ == "__main__":
    main()
