"""Where two descriptions of one message differ: what the server sends, and what the client reads.

The client repeats the server's structs, because it may not import them. Compared are the types themselves, so
that a difference shows before anybody sends such a message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import inspect


def differences(server: Any, client: Any, place: str = "") -> list[str]:
    """What the client would read otherwise than the server sends it, each with its place.

    A field that only one of them has is a difference too; the caller knows which are meant to be.
    """
    return list(_differ(inspect.type_info(server), inspect.type_info(client), place or client.__name__))


def _differ(server: inspect.Type, client: inspect.Type, place: str) -> Iterator[str]:
    server, client = _bare(server), _bare(client)
    if isinstance(client, inspect.AnyType):
        return
    if isinstance(server, inspect.UnionType) or isinstance(client, inspect.UnionType):
        yield from _differ_union(_parts(server), _parts(client), place)
    elif isinstance(server, inspect.StructType) and isinstance(client, inspect.StructType):
        yield from _differ_struct(server, client, place)
    elif isinstance(server, inspect.StructType) and isinstance(client, inspect.DictType):
        yield from _differ(inspect.AnyType(), client.value_type, f"{place}[]")
    elif isinstance(server, inspect.DictType) and isinstance(client, inspect.DictType):
        yield from _differ(server.key_type, client.key_type, f"{place} keys")
        yield from _differ(server.value_type, client.value_type, f"{place}[]")
    elif isinstance(server, _LISTS) and isinstance(client, _LISTS):
        yield from _differ(server.item_type, client.item_type, f"{place}[]")
    elif isinstance(server, inspect.EnumType):
        is_text = isinstance(client, inspect.StrType) and all(type(one.value) is str for one in server.cls)
        if not is_text and not (isinstance(client, inspect.EnumType) and client.cls is server.cls):
            yield f"{place}: {_name(server)} is read as {_name(client)}"
    elif type(server) is not type(client):
        yield f"{place}: {_name(server)} is read as {_name(client)}"


_LISTS = (inspect.VarTupleType, inspect.ListType)


def _differ_struct(server: inspect.StructType, client: inspect.StructType, place: str) -> Iterator[str]:
    sent = {field.encode_name: field for field in server.fields}
    read = {field.encode_name: field for field in client.fields}
    for name in sent.keys() - read.keys():
        yield f"{place}.{name}: is sent and not read"
    for name in read.keys() - sent.keys():
        yield f"{place}.{name}: is read and not sent"
    for name in sent.keys() & read.keys():
        may_be_absent = server.cls.__struct_config__.omit_defaults and not sent[name].required
        if may_be_absent and read[name].required:
            yield f"{place}.{name}: may be absent, and must be there"
        yield from _differ(sent[name].type, read[name].type, f"{place}.{name}")


def _differ_union(server: list[inspect.Type], client: list[inspect.Type], place: str) -> Iterator[str]:
    for part in server:
        if all(any(_differ(part, other, place)) for other in client):
            yield f"{place}: {_name(part)} is read as {' or '.join(map(_name, client))}"


def _parts(kind: inspect.Type) -> list[inspect.Type]:
    return list(kind.types) if isinstance(kind, inspect.UnionType) else [kind]


def _bare(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _name(kind: inspect.Type) -> str:
    cls = getattr(kind, "cls", None)
    return cls.__name__ if cls is not None else type(kind).__name__.removesuffix("Type").lower()
