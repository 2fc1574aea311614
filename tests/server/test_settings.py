"""Settings: the command line before the environment before the file, and a sentence for what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from punto.cli.app import load_command
from punto.server.settings import SETTINGS, Settings, WrongSetting, read_settings
from tests.cli.called import call

ROOT = Path(__file__).parents[2]


def read(
    flags: dict[str, Any] | None = None, environment: dict[str, str] | None = None, file: Path | None = None
) -> Settings:
    return read_settings(flags or {}, environment or {}, file, "house.db")


def test_who_is_asked_first(tmp_path: Path) -> None:
    file = tmp_path / "punto.toml"
    file.write_text('port = 1\nhost = "127.0.0.2"\nrate = 7\nhosts = ["a", "b"]\n', encoding="utf-8")
    found = read({"port": 3}, {"PUNTO_PORT": "2", "PUNTO_RATE": "8.5", "PUNTO_HTTPS": "yes"}, file)
    assert (found.port, found.rate, found.https) == (3, 8.5, True)
    assert (found.host, found.hosts) == ("127.0.0.2", ("a", "b"))
    assert read({}, {"PUNTO_PORT": "2"}, file).port == 2
    assert read({}, {}, file).port == 1
    assert read().port == 8317 and read().database == "house.db"


@pytest.mark.parametrize(
    ("flags", "environment", "file", "named"),
    [
        ({"port": 65536}, {}, "", "--port"),
        ({"pace": -1.0}, {}, "", "--pace"),
        ({}, {"PUNTO_PORT": "many"}, "", "PUNTO_PORT"),
        ({}, {"PUNTO_HTTPS": "perhaps"}, "", "PUNTO_HTTPS"),
        ({}, {}, "port = 'x'", "port in"),
        ({}, {}, "hosts = 'x'", "hosts in"),
        ({}, {}, "https = 1", "https in"),
        ({}, {}, "prot = 1", "'prot'"),
        ({}, {}, "port =", "not TOML"),
        ({}, {}, "port = 1\nport = 2\n", "not TOML: a key stands twice (at line 2"),
        ({"rate": 0.0}, {}, "", "--rate must be from 0.1 to 1,000,000, not 0"),
        ({"log": "loud"}, {}, "", "--log"),
        ({"origins": ["play.example"]}, {}, "", "--origins"),
        ({"database": "mysql://x"}, {}, "", "database"),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence(
    flags: dict[str, Any], environment: dict[str, str], file: str, named: str, tmp_path: Path
) -> None:
    path = tmp_path / "punto.toml"
    path.write_text(file, encoding="utf-8")
    with pytest.raises(WrongSetting) as wrong:
        read(flags, environment, path if file else None)
    assert named in str(wrong.value) and "\n" not in str(wrong.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongSetting, match="cannot be read"):
        read(file=tmp_path / "nothing.toml")


def test_every_setting_is_an_option_and_in_the_reference() -> None:
    options = {name for param in load_command("serve").params for name in param.opts}
    section = (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    for setting in SETTINGS:
        assert setting.flag in options, setting.name
        assert f"`{setting.flag}" in section, setting.name
        assert f"`{setting.variable}`" in page, setting.name
        assert getattr(Settings(database="x"), setting.name) == ("x" if setting.name == "database" else setting.default)


@pytest.mark.parametrize(
    ("host", "database", "is_one"),
    [
        ("127.0.0.1", "house.db", True),
        ("localhost", "house.db", True),
        ("::1", "house.db", True),
        ("0.0.0.0", "house.db", False),
        ("192.168.1.5", "house.db", False),
        ("floor.example", "house.db", False),
        ("127.0.0.1", "postgresql://localhost/house", False),
    ],
)
def test_a_demonstration_is_for_this_machine_only(host: str, database: str, is_one: bool) -> None:
    assert Settings(host=host, database=database).is_demonstration is is_one
    assert not Settings(host=host, database=database, demonstration=False).is_demonstration
    assert Settings(host=host, database=database, hosts=("localhost",)).is_demonstration is is_one
    proxied: list[dict[str, Any]] = [{"hosts": ("floor.example",)}, {"proxies": ("127.0.0.1",)}, {"https": True}]
    for options in proxied:
        assert not Settings(host=host, database=database, **options).is_demonstration


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        (
            "hosts",
            ("https://floor.example", "floor.example:443", "floor.example/", "", "a b", "*", "::1/64"),
            ("floor.example", "FLOOR", "10.0.0.2", "::1", "my_floor.local"),
        ),
        (
            "origins",
            ("play.example", "https://play.example/path", "https://", "https://a b", "ftp://x", "*"),
            ("https://play.example", "http://localhost:5173", "https://play.example/", "http://[::1]:80"),
        ),
        ("proxies", ("my proxy", "proxy.example", "10.0.0.300", "*", ""), ("10.0.0.2", "10.0.0.0/24", "::1")),
    ],
)
def test_what_could_never_match_is_refused(
    name: str, wrong: tuple[str, ...], right: tuple[str, ...], tmp_path: Path
) -> None:
    """It would only be noticed when nobody gets in."""
    for part in right:
        assert getattr(read_settings({name: [part]}, {}, None, "h.db"), name) == (part,)
    file = tmp_path / "floor.toml"
    for part in wrong:
        with pytest.raises(WrongSetting, match=f"--{name} must be .* such as .*, not {re.escape(repr(part))}"):
            read_settings({name: [right[0], part]}, {}, None, "h.db")
        file.write_text(f"{name} = [{part!r}]")
        with pytest.raises(WrongSetting, match=f"{name} in "):
            read_settings({}, {}, file, "h.db")


def test_a_proxy_that_nobody_named_is_noticed(tmp_path: Path) -> None:
    """Else one person who mistypes a password thirty times would lock out everybody."""
    assert Settings(database="h.db", https=True).is_proxy_unnamed
    assert not Settings(database="h.db", https=True, proxies=("10.0.0.2",)).is_proxy_unnamed
    assert not Settings(database="h.db").is_proxy_unnamed
    done = call("serve", "--no-browser", "--port", "0", "--https", "--database", str(tmp_path / "h.db"))
    warned, refused = done.err.splitlines()
    assert "without --proxies everybody behind a proxy counts as one address" in json.loads(warned)["message"]
    assert refused.startswith("punto: nobody could log in")
