"""The settings of a server: from the command line, else the environment, else a TOML file, else the default.

Every setting is a field of `Settings`, with its type, its default and what is said of it. The options of
`punto serve`, the names in the environment and the sentence of a wrong value come from there.
"""

from __future__ import annotations

import ipaddress
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from punto.malformed import toml_fault
from punto.named_file import at_once
from punto.store.connection import Address, DatabaseKind, parse_address
from punto.store.errors import BadAddress
from punto.suggestion import did_you_mean

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class WrongSetting(Exception):
    """A setting cannot be used; the message is one sentence that names it."""


@dataclass(frozen=True, slots=True)
class Help:
    """What is said of a setting beside its name, type and default."""

    help: str  # Of a list: what one value is; its option can be repeated.
    metavar: str | None = None  # What stands for its value on the command line.
    panel: str | None = None  # Where its option stands in the help.
    least: float | None = None
    most: float | None = None


_LISTEN, _TABLES, _PEOPLE, _RUNNING = "Where it listens", "Tables", "People", "From outside"
Texts = tuple[str, ...]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that a server runs with; from these fields come the options, the environment and the file."""

    database: Annotated[str, Help("A file, sqlite:///PATH or postgresql://…")]
    port: Annotated[int, Help("The port to listen on; 0 for any that is free.", "N", _LISTEN, 0, 65535)] = 8317
    host: Annotated[str, Help("The address to listen on.", "ADDRESS", _LISTEN)] = "127.0.0.1"
    hosts: Annotated[Texts, Help("A host name that the server answers to", "NAME", _LISTEN)] = ()
    """Beside those of this machine."""
    origins: Annotated[Texts, Help("The origin of another page that may use it", "URL", _LISTEN)] = ()
    https: Annotated[
        bool, Help("The server is reached by https, through a proxy; cookies go over https only.", None, _LISTEN)
    ] = False
    proxies: Annotated[Texts, Help("A proxy whose X-Forwarded-For is believed", "ADDRESS", _LISTEN)] = ()
    pace: Annotated[float, Help("Seconds between two cards of an automatic dealer.", "SECONDS", _TABLES, 0, 60)] = 1.0
    bets: Annotated[
        float | None,
        Help(
            "Seconds in which bets can be placed at an automatic table; default: 20 times the pace.",
            *("SECONDS", _TABLES, 0, 3600),
        ),
    ] = None
    books: Annotated[Texts, Help("A book file of your own", "FILE", _TABLES)] = ()
    """Tables can be opened by it, beside the built-in books."""
    demonstration: Annotated[
        bool | None,
        Help("Demonstration tables and log-ins, in an empty database; only on 127.0.0.1 with SQLite.", None, _TABLES),
    ] = None
    """None: where the database is empty, or a demonstration already."""
    session_hours: Annotated[float, Help("Hours until a session expires.", "HOURS", _PEOPLE, 0.01, 720)] = 12.0
    fresh_minutes: Annotated[
        int, Help("Minutes until sensitive acts ask for the password again.", "N", _PEOPLE, 1, 1440)
    ] = 15
    approval_minutes: Annotated[
        int, Help("Minutes that a command waits for a second person.", "N", _PEOPLE, 1, 1440)
    ] = 10
    rate: Annotated[
        float, Help("Requests a second of one account, four times as many at once.", "N", _PEOPLE, 0.1, 1e6)
    ] = 100.0
    days: Annotated[
        str | None,
        Help("A folder for the reports of gaming days that are closed; default: in your data folder.", "FOLDER"),
    ] = None
    drain_seconds: Annotated[
        float,
        Help("Seconds after SIGTERM in which /ready says no and requests are still answered.", "N", _RUNNING, 0, 3600),
    ] = 0.0
    """Longer than whoever balances the load needs to notice; streams are sent away in the second half."""
    metrics_port: Annotated[
        int | None, Help("A port for /metrics, for Prometheus; 0 for any that is free.", "N", _RUNNING, 0, 65535)
    ] = None
    metrics_token: Annotated[
        str | None, Help("A token for /metrics; without --metrics-port it is on the usual port.", "TEXT", _RUNNING)
    ] = None
    """Better in the environment or in a file than on the command line, which others on the machine can read."""
    log: Annotated[str, Help("What is logged on stderr: error, warning or info (every request).", "LEVEL")] = "warning"

    @property
    def address(self) -> Address:
        return parse_address(self.database)

    @property
    def is_demonstration(self) -> bool:
        """Whether there can be demonstration tables and log-ins: on this machine, with a file of its own."""
        is_own = self.is_of_this_machine and self.address.kind is DatabaseKind.SQLITE
        return is_own and self.demonstration is not False

    @property
    def is_behind_proxy(self) -> bool:
        """Whether others reach the server through something else that listens for it."""
        return self.https or bool(self.proxies) or not set(self.hosts) <= set(LOOPBACK)

    @property
    def is_proxy_unnamed(self) -> bool:
        """Whether there is a proxy that nobody named: then all people seem to come from its address."""
        return self.https and not self.proxies

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def told(self) -> dict[str, Any]:
        """The settings as they may be written down: whoever reads them learns no password."""
        token = "…" if self.metrics_token is not None else None
        return {**msgspec.to_builtins(self), "database": str(self.address), "metrics_token": token}

    @property
    def has_metrics(self) -> bool:
        return self.metrics_port is not None or self.metrics_token is not None or self.is_of_this_machine

    @property
    def is_of_this_machine(self) -> bool:
        """Whether nobody reaches the server but programs of this machine."""
        return self.is_loopback and not self.is_behind_proxy

    @property
    def days_folder(self) -> Path:
        from punto.floor.gaming_day import days_folder

        return days_folder() if self.days is None else Path(self.days)

    @property
    def fresh_ms(self) -> int:
        return self.fresh_minutes * 60_000

    @property
    def approval_ms(self) -> int:
        return self.approval_minutes * 60_000

    @property
    def session_ms(self) -> int:
        return int(self.session_hours * 3_600_000)


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    kind: type  # `list` for a tuple of texts.
    default: Any
    about: Help

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return f"PUNTO_{self.name.upper()}"

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def option_help(self) -> str:
        if self.kind is list:
            return f"{self.about.help}; can be repeated."
        if self.default is None or self.kind is bool:
            return self.about.help
        default = f"{self.default:g}" if self.kind is float else self.default
        return f"{self.about.help.removesuffix('.')}; default: {default}."


def _settings() -> Iterator[Setting]:
    hints = get_type_hints(Settings, include_extras=True)
    for field in msgspec.structs.fields(Settings):
        annotated, about = get_args(hints[field.name])
        kind = next((one for one in get_args(annotated) if one is not NoneType), annotated)
        kind = list if get_origin(annotated) is tuple else kind
        yield Setting(field.name, kind, None if field.required else field.default, about)


SETTINGS = tuple(_settings())
NAMES = tuple(setting.name for setting in SETTINGS)
SHORTEST_TOKEN = 16  # Characters of a token that nobody guesses.
LEVELS = ("error", "warning", "info")
LARGEST = 64 * 1024  # Characters of a file with settings.


def read_settings(
    flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None, database: str
) -> Settings:
    """The settings of a server; `WrongSetting` names the first that is wrong.

    `flags` are those of the command line that were given; `database` is where it is if nobody says.
    """
    named = _of_file(file) if file is not None else {}
    values: dict[str, Any] = {"database": database}
    for setting in SETTINGS:
        name, variable = setting.name, setting.variable
        if flags.get(name) not in (None, [], ()):
            values[name] = _checked(setting, flags[name], setting.flag)
        elif environment.get(variable):
            values[name] = _checked(setting, _of_text(setting, environment[variable]), variable)
        elif name in named:
            values[name] = _checked(setting, named[name], f"{name} in {file}")
    settings = Settings(**values)
    try:
        _ = settings.address
    except BadAddress as error:
        raise WrongSetting(f"database: {error}") from None
    return settings


def _of_file(file: Path) -> dict[str, Any]:
    try:
        with open(file, encoding="utf-8", opener=at_once) as stream:
            text = stream.read(LARGEST + 1)
    except OSError as error:
        raise WrongSetting(f"{file} cannot be read: {error.strerror}") from None
    except ValueError:  # of its name, or of what it holds
        raise WrongSetting(f"{file} is not TOML: it is not UTF-8 text") from None
    if len(text) > LARGEST:
        raise WrongSetting(f"{file} cannot be read: it is larger than {LARGEST // 1024} KiB")
    try:
        named = tomllib.loads(text)
    except RecursionError:
        raise WrongSetting(f"{file} is not TOML: it is nested too deeply") from None
    except ValueError as error:
        raise WrongSetting(f"{file} is not TOML: {toml_fault(error)}") from None
    for name in named:
        if name not in NAMES:
            raise WrongSetting(f"{file} has {name!r}, which is not a setting{did_you_mean(name, NAMES)}")
    return named


def _of_text(setting: Setting, text: str) -> Any:
    """A value of the environment, which is always text."""
    try:
        if setting.kind is list:
            return [part.strip() for part in text.split(",") if part.strip()]
        if setting.kind is bool:
            return _YES_OR_NO[text.lower()]
        return setting.kind(text)
    except (ValueError, KeyError):
        raise WrongSetting(f"{setting.variable} must be {_WORDS[setting.kind]}, not {text!r}") from None


_YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WORDS = {int: "a whole number", float: "a number", bool: "true or false", list: "a list", str: "a text"}


def _checked(setting: Setting, value: Any, where: str) -> Any:
    kind = setting.kind
    if kind is float and type(value) is int:
        value = float(value)
    if kind is list:
        if not isinstance(value, (list, tuple)) or not all(isinstance(part, str) for part in value):
            raise WrongSetting(f"{where} must be a list of texts, not {value!r}")
        value = tuple(value)
    elif type(value) is not kind:
        raise WrongSetting(f"{where} must be {_WORDS[kind]}, not {value!r}")
    least, most = setting.about.least, setting.about.most
    if least is not None and most is not None and not least <= value <= most:
        raise WrongSetting(f"{where} must be from {least:,.10g} to {most:,.10g}, not {value:g}")
    if setting.name == "metrics_token" and len(value) < SHORTEST_TOKEN:
        raise WrongSetting(f"{where} must have at least {SHORTEST_TOKEN} characters")
    if setting.name == "log" and value not in LEVELS:
        raise WrongSetting(f"{where} must be one of {', '.join(LEVELS)}, not {value!r}")
    if setting.name in _PARTS:
        is_right, such_as = _PARTS[setting.name]
        for part in value:
            if not is_right(part):
                raise WrongSetting(f"{where} must be {such_as}, not {part!r}")
    return value


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_host(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9._-]+", text) is not None or (":" in text and _is_network(text) and "/" not in text)


def _is_origin(text: str) -> bool:
    return re.fullmatch(r"https?://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+)(:[0-9]+)?/?", text) is not None


_PARTS: dict[str, tuple[Callable[[str], bool], str]] = {
    "hosts": (_is_host, "host names such as floor.example, without https:// and without a port"),
    "origins": (_is_origin, "origins such as https://play.example, without a path"),
    "proxies": (_is_network, "addresses such as 10.0.0.2 or 10.0.0.0/24"),
}
"""What each part of a list is, and how it is said; a wrong one would only be noticed when nobody gets in."""
