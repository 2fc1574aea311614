"""The cache of books: books from their stored documents, asked for by many threads at once."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from punto import books
from punto.floor import loaded_table as module
from punto.floor.floor import Floor
from punto.floor.loaded_table import BookCache, book_document
from punto.rules.book import Book, digest_of
from punto.store.store import Store

THREADS = 8
_RACE = f"""
import sys
from threading import Barrier, Thread
from punto.floor.loaded_table import read_document
document, together = sys.stdin.read(), Barrier({THREADS})
sys.setswitchinterval(1e-6)
def read():
    together.wait()
    read_document(document)
threads = [Thread(target=read) for _ in range({THREADS})]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


@pytest.mark.slow
def test_threads_that_read_the_first_book_together_do_not_crash() -> None:
    """Only the first use of a struct can go wrong, so each try is a process of its own."""
    document = book_document(books.load("commission"))
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", _RACE], input=document, text=True, capture_output=True)
        assert done.returncode == 0, done


def test_threads_that_ask_together_compile_a_book_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    book, compiled = books.load("commission"), list[str]()
    read = module.read_document

    def counted(document: str) -> Book:
        compiled.append(document)
        return read(document)

    monkeypatch.setattr(module, "read_document", counted)
    with store.write() as transaction:
        transaction.add_book(digest_of(book), book.name, book_document(book))
    cache, together = BookCache(), Barrier(THREADS)

    def ask(_: int) -> Book:
        together.wait()
        with store.read() as reader:
            return cache.book(reader, digest_of(book))

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(ask, range(THREADS)))
    assert len(compiled) == 1
    assert all(other is found[0] for other in found) and digest_of(found[0]) == digest_of(book)


def test_a_stored_book_that_was_changed_is_left_out(store: Store) -> None:
    book = books.load("ez")
    with store.write() as transaction:
        transaction.add_book(digest_of(book), book.name, book_document(book))
        transaction.add_table("t1", digest_of(book), 1, "Sue")
    with Floor(store) as floor:
        assert floor.stored_digests() == [digest_of(book)] and floor.stored_book(digest_of(book)) is not None
        assert floor.stored_book("another") is None
    other = book_document(books.load("commission"))
    with store.write() as transaction:
        transaction.connection.run("UPDATE books SET document = ? WHERE digest = ?", (other, digest_of(book)))
    with Floor(store) as floor:
        assert floor.stored_book(digest_of(book)) is None
