"""Every complaint of the reader of JSON in a plain sentence, and names that stand twice in an object."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from punto.malformed import Wrong, choices_at, fault_of
from punto.server.messages import CommandRequest, client_frame_decoder
from punto.server.people_routes import NewPerson
from punto.server.validation import WHOLE_TABLE_ID, Rejected, read_json, read_query


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Cat(msgspec.Struct, tag="cat", forbid_unknown_fields=True):
    lives: int = 9


class Dog(msgspec.Struct, tag="dog", forbid_unknown_fields=True):
    name: str = ""


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    amount: Annotated[int, Meta(ge=1, le=2000)]


class Everything(msgspec.Struct, forbid_unknown_fields=True):
    """A field for each way in which a value can be wrong."""

    whole: int = 0
    maybe: int | None = None
    flag: bool = False
    text: Annotated[str, Meta(min_length=2, max_length=5)] = "ab"
    table: Annotated[str, Meta(pattern=WHOLE_TABLE_ID)] = "t"
    form: Annotated[str, Meta(pattern="^x+$")] = "x"
    few: Annotated[tuple[int, ...], Meta(min_length=1, max_length=2)] = (1,)
    pair: tuple[int, int] = (1, 2)
    limits: dict[str, Inner] = {}
    inner: Inner | None = None
    colour: Colour = Colour.RED
    side: Literal["left", "right"] = "left"
    pet: Cat | Dog | None = None
    part: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    dozen: Annotated[int, Meta(multiple_of=12)] = 12
    open: Annotated[dict[str, int], Meta(min_length=1, max_length=1)] = msgspec.field(default_factory=dict)


class Needed(msgspec.Struct, forbid_unknown_fields=True):
    first: int
    then: Inner


SENTENCES: tuple[tuple[str, str], ...] = (
    ('{"whole":"7"}', "whole must be a whole number, not a text"),
    ('{"whole":1.5}', "whole must be a whole number, not one with decimals"),
    ('{"whole":true}', "whole must be a whole number, not true or false"),
    ('{"maybe":[]}', "maybe must be a whole number or null, not a list"),
    ('{"flag":0}', "flag must be true or false, not a whole number"),
    ('{"flag":null}', "flag must be true or false, not null"),
    ('{"text":{}}', "text must be a text, not an object"),
    ('{"text":"a"}', "text must have at least 2 characters"),
    ('{"text":"abcdef"}', "text must have at most 5 characters"),
    ('{"table":"T 1"}', "table must be 1 to 40 small letters, digits and hyphens"),
    ('{"form":"y"}', "form must be of the form ^x+$"),
    ('{"few":[]}', "few must have at least 1 entry"),
    ('{"few":[1,2,3]}', "few must have at most 2 entries"),
    ('{"few":["a"]}', "an entry of few must be a whole number, not a text"),
    ('{"pair":[1]}', "pair has the wrong number of entries"),
    ('{"limits":{"tie":{"amount":0}}}', "amount in limits must be at least 1"),
    ('{"limits":{"tie":7}}', "an entry of limits must be an object, not a whole number"),
    ('{"inner":{"amount":2001}}', "amount in inner must be at most 2,000"),
    ('{"inner":{}}', "in inner, amount is missing"),
    ('{"inner":{"amount":1,"colour":"red"}}', "in inner, colour is not asked for"),
    ('{"colour":"green"}', "colour must be red or blue, not green"),
    ('{"side":"up"}', "side must be left or right, not up"),
    ('{"pet":{"type":"cow"}}', "type in pet must be cat or dog, not cow"),
    ('{"pet":{}}', "in pet, type is missing"),
    ('{"part":2}', "part must be less than 1.0"),
    ('{"part":0}', "part must be more than 0.0"),
    ('{"dozen":13}', "dozen must be a multiple of 12"),
    ('{"open":{}}', "open must have at least 1 entry"),
    ('{"nobody":1}', "nobody is not asked for"),
    ('{"whole":1e999}', "a number in it is too large"),
    ('{"whole":99999999999999999999}', "the number of whole is too large"),
    ("[]", "it must be an object, not a list"),
    ("", "it is not JSON: it ends too early"),
    ('{"whole":', "it is not JSON: it ends too early"),
    ('{"whole":1', "it is not JSON: it ends too early"),
    ('{"whole":1}x', "it is not JSON: something after its end, near byte"),
    ('{"whole":1,}', "it is not JSON: a comma after the last value of an object, near byte"),
    ('{"few":[1,]}', "it is not JSON: a comma after the last value of a list, near byte"),
    ("{whole:1}", "it is not JSON: a name without quotation marks, near byte"),
    ('{"whole" 1}', "it is not JSON: a name without a colon after it, near byte"),
    ('{"whole":1 "few"}', "it is not JSON: an object without a comma or its end, near byte"),
    ('{"few":[1 2]}', "it is not JSON: a list without a comma or its end, near byte"),
    ('{"text":"\\x"}', "it is not JSON: a backslash that stands for nothing, near byte"),
    ('{"whole":01}', "it is not JSON: a number that is not written as JSON has it, near byte"),
    ('{"whole":NaN}', "it is not JSON: a character that JSON does not have there, near byte"),
)


def problem_of(content: bytes, decoder: Any) -> str | None:
    """What is wrong with it, if anything is."""
    try:
        read_json(content, decoder)
    except Rejected as refused:
        return str(refused.text.params["problem"])
    return None


def told(content: str, kind: Any = Everything) -> str:
    with pytest.raises(Rejected) as refused:
        read_json(content.encode(), msgspec.json.Decoder(kind))
    assert refused.value.status == 400
    sentence = refused.value.text.sentence
    assert sentence == f"the request cannot be read: {refused.value.text.params['problem']}"
    return str(refused.value.text.params["problem"])


@pytest.mark.parametrize(("content", "sentence"), SENTENCES)
def test_what_is_wrong_is_said_plainly(content: str, sentence: str) -> None:
    assert re.sub("(near byte) [0-9]+", r"\1", told(content)) == sentence


def test_the_library_still_says_what_we_read() -> None:
    """Its errors have no fields: where a new version says something else, it is noticed here."""
    met = set()
    for content, _ in SENTENCES:
        for kind in (Everything, Needed):
            try:
                msgspec.json.decode(content.encode(), type=kind)
            except msgspec.MsgspecError as error:
                met.add(fault_of(error).wrong)
    assert met >= set(Wrong) - {Wrong.KIND, Wrong.OTHER}


def test_a_place_has_names_numbers_and_free_names() -> None:
    document = {"limits": {"tie": {"amount": 0}}}
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(document, Everything)
    assert fault_of(raised.value).place == ("limits", None, "amount")
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert({"few": [1, "a"]}, Everything)
    assert fault_of(raised.value).place == ("few", 1)
    assert choices_at(Everything, ("colour",)) == ("red", "blue")


def test_what_is_missing_is_named() -> None:
    assert told("{}", Needed) == "first is missing"
    assert told('{"first":1,"then":{"amount":"1"}}', Needed) == ("amount in then must be a whole number, not a text")


def test_what_people_send_most_often_is_said_plainly() -> None:
    person = {"name": "Ann"}
    assert told(json.dumps(person), NewPerson) == "password is missing"
    roles = {**person, "password": "long enough", "roles": ["boss"]}
    assert told(json.dumps(roles), NewPerson).startswith("an entry of roles must be player, dealer,")
    bet = {"key": "k", "role": "player", "command": {"type": "win-everything"}}
    assert told(json.dumps(bet), CommandRequest) == "type in command is not known: win-everything"


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        ({"lies": "banker"}, "in an entry of cards in command, a card is named either by itself"),
        ({"card": "5H", "nth": 1}, "in an entry of cards in command, a card is named either by itself"),
        ({"nth": 0}, "nth in cards in command must be at least 1"),
        ({"nth": 1, "after": -1}, "after in cards in command must be at least 0"),
    ],
)
def test_what_a_type_itself_refuses_is_said_in_its_words(card: dict[str, Any], problem: str) -> None:
    report = {"key": "k", "role": "dealer", "command": {"type": "report", "cards": [card]}}
    assert told(json.dumps(report), CommandRequest).startswith(problem)


def test_a_query_is_answered_in_the_same_words() -> None:
    class Asked(msgspec.Struct, forbid_unknown_fields=True):
        colour: Colour = Colour.RED
        limit: Annotated[int, Meta(ge=1, le=5)] = 1

    for values, sentence in (
        ({"colour": ["green"]}, "colour must be red or blue, not green"),
        ({"limit": ["6"]}, "limit must be at most 5"),
        ({"other": ["6"]}, "other is not asked for"),
    ):
        with pytest.raises(Rejected) as refused:
            read_query(values, Asked)
        assert refused.value.text.params["problem"] == sentence


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_no_complaint_has_the_marks_of_a_program(content: bytes) -> None:
    decoders: tuple[Any, ...] = (msgspec.json.Decoder(Everything), client_frame_decoder)
    for decoder in decoders:
        problem = problem_of(content, decoder) or ""
        assert not re.search(r"[`$]|Expected|malformed|truncated|cannot be read", problem), problem


# ── A name once ──────────────────────────────────────────────────────────────────────────────────

TWICE = (
    '{"key":"a","role":"player","command":{"type":"walk-away"},"key":"b"}',
    '{"key":"a","role":"player","command":{"type":"take-seat","box":1,"box":2}}',
    '{"key" :"a","role":"player","command":{"type":"walk-away"},"key"\n: "b"}',
    '{"key":"a","role":"player","command":{"type":"walk-away"},"k\\u0065y":"b"}',
    '{"key":"ä","role":"player","command":{"type":"walk-away"},"key":"b"}',
    '{"key":"a","role":"player","command":{"type":"take-seat","box":1.0,"box":2}}',
)


@pytest.mark.parametrize("content", TWICE)
def test_a_name_that_stands_twice_is_refused(content: str) -> None:
    assert told(content, CommandRequest) in ("key stands twice in an object", "box stands twice in an object")
    with pytest.raises(Rejected):
        read_json(content.replace("{", '{"type":"command","id":"1",', 1), client_frame_decoder)


def test_the_same_name_in_another_object_and_as_a_value_is_no_matter() -> None:
    bet = {"type": "place-bet", "round": 1, "box": 1, "area": "player", "amount": 5}
    found = read_json(
        json.dumps({"key": "key", "role": "player", "command": bet}).encode(), msgspec.json.Decoder(CommandRequest)
    )
    assert found.key == "key" and found.command.area == "player"
    framed = {"type": "command", "id": "id", "key": "type", "role": "player", "command": bet}
    frame = read_json(json.dumps(framed), client_frame_decoder)
    assert frame.command == found.command  # type: ignore[union-attr]


@given(
    st.recursive(
        st.integers(0, 9) | st.sampled_from(["a", ":", ",", '"', "\\"]),
        lambda inner: st.lists(st.tuples(st.sampled_from(["a", "b", ":a", ",", '"']), inner), max_size=4).map(
            lambda pairs: ("object", tuple(pairs))
        ),
        max_leaves=8,
    )
)
def test_names_are_compared_as_a_second_reader_does(value: Any) -> None:
    """Against a count of the names of each object while it is written."""
    seen: list[bool] = []

    def write(value: Any) -> str:
        if isinstance(value, tuple):
            names = [name for name, _ in value[1]]
            seen.append(len(set(names)) < len(names))
            return "{" + ",".join(f"{json.dumps(name)}:{write(inner)}" for name, inner in value[1]) + "}"
        return json.dumps(value)

    content = write(value)
    problem = problem_of(content.encode(), msgspec.json.Decoder(Any))
    assert "stands twice" in (problem or "") if any(seen) else problem is None
