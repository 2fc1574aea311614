"""A device that reads the cards of a shoe, as a small program: what an intelligent shoe or a scanner has to do.

    python shoe_reader.py http://127.0.0.1:8317 KEY < cards

KEY is what `punto house devices --issue TABLE` has told. Each line of standard input is one reading: a card such as
9H or 10S, as the scanner gives it. A reading has a key of its own, made before it is sent the first time, so that it
can be sent again after any trouble and is dealt once. While no card comes, the device says every few seconds that it
is there. It uses nothing but the standard library of Python.
"""

import contextlib
import json
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

PATIENCE_S = 0.2  # Between two tries of the same reading.
ALIVE_S = 5.0


class Reader:
    def __init__(self, address, key):
        self.address, self.key = address.rstrip("/"), key

    def send(self, path, body=None):
        """One request: its status and its answer. Trouble on the way raises OSError."""
        data = json.dumps(body).encode() if body is not None else b""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/api/v1/device/{path}", data, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def read(self, card):
        """Tell one card until there is an answer: the version of the table after it, or why it was refused."""
        reading = {"key": uuid.uuid4().hex, "card": card}
        while True:
            try:
                status, answer = self.send("readings", reading)
            except OSError:
                status, answer = 503, None
            if status in (429, 503):  # not now: the same reading, under the same key
                time.sleep(PATIENCE_S)
                continue
            return answer["version"] if status == 200 else answer["refusal"]

    def stay(self):
        """Say that the device is there, for as long as the program runs."""
        while True:
            with contextlib.suppress(OSError):  # the readings will tell
                self.send("alive")
            time.sleep(ALIVE_S)


def main():
    reader = Reader(*sys.argv[1:3])
    threading.Thread(target=reader.stay, daemon=True).start()
    for line in sys.stdin:
        card = line.strip().upper()
        if card:
            told = reader.read(card)
            said = f"dealt, version {told}" if isinstance(told, int) else f"refused: {told['sentence']}"
            print(f"{card} {said}", flush=True)


if __name__ == "__main__":
    main()
