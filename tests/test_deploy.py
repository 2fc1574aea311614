"""What is in deploy/ fits the software: every name, option and file in it is there, and nothing runs as root."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from punto.cli.app import load_command
from punto.cli.doctor_command import OTHER_VARIABLES
from punto.server.access import STREAM_PATH, WATCH_STREAM_PATH
from punto.server.settings import NAMES, SETTINGS, read_settings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
VARIABLES = {setting.variable for setting in SETTINGS} | set(OTHER_VARIABLES)
OWN_VARIABLES = {
    "PUNTO_SITE",
    "PUNTO_SERVERS",
    "PUNTO_HOST_NAME",
}  # Of the Caddyfile, and where compose.yaml sets them.


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_names_in_the_environment_mean_something(path: Path) -> None:
    named = set(re.findall(r"\bPUNTO_[A-Z_]+", path.read_text(encoding="utf-8")))
    allowed = VARIABLES | (OWN_VARIABLES if path.name in ("Caddyfile", "compose.yaml") else set())
    assert sorted(named - allowed) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_commands_and_their_options_are_there(path: Path) -> None:
    lines = re.findall(
        r"(?:bin/punto|tools|\bpunto) ((?:serve|backup|doctor|people new)\b[^\n'\";|)]*)", path.read_text("utf-8")
    )
    for line in lines:
        name = "people new" if line.startswith("people new") else line.split()[0]
        known = {option for param in load_command(name).params for option in (*param.opts, *param.secondary_opts)}
        assert {word for word in line.split() if word.startswith("--")} <= known, line


def test_settings_of_a_server_can_be_read() -> None:
    settings = read_settings({}, {}, DEPLOY / "punto.toml", "postgresql://punto@db/house")
    assert settings.https and settings.proxies and settings.drain_seconds > 0
    assert set(tomllib.loads(text_of("punto.toml"))) <= set(NAMES)


def test_compose_has_a_house_with_two_servers() -> None:
    found: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))
    services = found["services"]
    assert set(services) == {"database", "one", "two", "tools", "front"}
    settings = {s.variable: s for s in SETTINGS}
    for name in ("one", "two"):
        server = services[name]
        assert (
            server["read_only"] and server["cap_drop"] == ["ALL"] and "no-new-privileges:true" in server["security_opt"]
        )
        assert server["depends_on"]["database"]["condition"] == "service_healthy"
        environment = {key: str(value) for key, value in server["environment"].items() if key in settings}
        plain = {
            key: re.sub(r"\$\{\w+(?::[-?]([^}]*))?\}", "floor.example", value) for key, value in environment.items()
        }
        read = read_settings({}, plain, None, "house.db")
        assert read.https and read.hosts == ("floor.example",) and read.metrics_port == 9317
        grace = int(server["stop_grace_period"].removesuffix("s"))
        assert grace > read.drain_seconds + 10, "it has the time to drain"
    subnet = found["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert services["one"]["environment"]["PUNTO_PROXIES"] == subnet, "only who is inside is believed as a proxy"
    volumes = {name.split(":")[0] for service in services.values() for name in service.get("volumes", ())}
    assert {name for name in volumes if not name.startswith(".")} == set(found["volumes"])
    assert {key for service in services.values() for key in service.get("secrets", ())} == set(found["secrets"])
    assert "ports" not in services["one"] and "ports" not in services["database"], (
        "only the front is reached from outside"
    )


def test_the_image_takes_files_that_are_there_and_runs_as_nobody_special() -> None:
    text = text_of("Dockerfile")
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for line in re.findall(r"^COPY ((?!--from).*)$", text, re.MULTILINE):
        for source in shlex.split(line)[:-1]:
            assert (ROOT / source).exists(), source
            assert any(
                source == kept or source.startswith(f"{kept}/") for kept in (i[1:] for i in ignored if i[0] == "!")
            )
    last = text[text.rindex("\nFROM ") :]
    assert re.search(r"^USER punto$", last, re.MULTILINE) and "HEALTHCHECK" in last and "/ready" in last
    assert "STOPSIGNAL SIGTERM" in last and "--require-hashes" in text


def test_units_are_hardened_and_give_a_server_time_to_drain() -> None:
    text = text_of("systemd/punto@.service")
    wanted = ("NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "User=punto")
    assert [line for line in wanted if line not in text] == []
    stop = int(re.findall(r"TimeoutStopSec=(\d+)", text)[0])
    assert stop > tomllib.loads(text_of("punto.toml"))["drain_seconds"] + 10


def test_proxies_ask_ready_and_hide_metrics() -> None:
    caddy, nginx = text_of("Caddyfile"), text_of("nginx.conf")
    assert "health_uri /ready" in caddy and "handle /metrics" in caddy
    assert "location = /metrics { return 404; }" in nginx and "proxy_set_header Upgrade" in nginx
    assert "X-Forwarded-For $remote_addr" in nginx, "what a client says of itself is not handed on"
    assert nginx.count("{") == nginx.count("}") and caddy.count("{") == caddy.count("}")


@pytest.mark.parametrize("path", [STREAM_PATH, WATCH_STREAM_PATH])
def test_nginx_lets_every_stream_through(path: str) -> None:
    """Anywhere else it takes the upgrade away."""
    [where] = re.findall(r"location ~ (\S+) \{[^}]*proxy_set_header Upgrade", text_of("nginx.conf"))
    assert re.search(where, path.format(id="t1")) and not re.search(where, "/api/v1/tables/t1/commands")


def test_alerts_say_what_to_do() -> None:
    rules = yaml.safe_load(text_of("prometheus-alerts.yml"))["groups"][0]["rules"]
    assert len(rules) >= 10 and len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["expr"] and rule["annotations"]["summary"] and rule["annotations"]["do"]
        assert rule["labels"]["severity"] in ("warning", "critical")


def test_the_dashboard_is_one_that_grafana_reads() -> None:
    board = json.loads(text_of("grafana-dashboard.json"))
    assert board["title"] == "Punto" and len(board["panels"]) >= 15
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert all(
        target["expr"].count("(") == target["expr"].count(")") for p in board["panels"] for target in p["targets"]
    )
