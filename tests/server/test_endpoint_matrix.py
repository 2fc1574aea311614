"""Who may make which call: every role at every call, against a list of our own.

A call is made in a way that is always refused: with a question in its address that no call takes. Whoever may make it
is told so (400); whoever may not is told that before anything else is looked at (403). Nothing happens either way.
"""

from __future__ import annotations

import pytest

from punto.rules.authority import ROLES_OF_PEOPLE, Role
from punto.server.app import INSIDE
from punto.server.endpoint import Endpoint
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import OF_ROLE, OWN, PERSON, address_of

MATRIX = """
player
    POST /rounds/{id}/{round}/dispute
dealer, pit-supervisor, pit-manager, shift-manager
    POST /tables/{id}/pit-calls
    POST /pit-calls/{call}
    PUT /tables/{id}/board
    POST /tables/{id}/board/key
    DELETE /tables/{id}/board/key
dealer, pit-supervisor, pit-manager, shift-manager, auditor
    GET /tables/{id}/dealing
dealer, pit-supervisor, pit-manager, shift-manager, cashier
    POST /tables/{id}/rack
dealer, pit-supervisor, pit-manager, shift-manager, cashier, auditor
    GET /tables/{id}/rack
pit-supervisor, pit-manager, shift-manager
    POST /tables
    PUT /tables/{id}/running
    GET /pit-calls
    GET /pit/tables
    POST /pit/alerts
    POST /pit/tables/{id}/effect
    GET /pit/tables/{id}/terms
    GET /pit/books/{digest}/terms
pit-supervisor, pit-manager, shift-manager, auditor
    GET /cashier/shifts/{handle}
    GET /disputes
pit-supervisor, pit-manager, shift-manager, auditor, administrator
    GET /devices
pit-supervisor, pit-manager, shift-manager, cashier, auditor, administrator
    GET /house/rules
    GET /house/stops
pit-manager, shift-manager
    POST /disputes/{dispute}
pit-manager, shift-manager, auditor
    GET /reports/floor
    GET /reports/floor/file
    GET /reports/table
    GET /reports/table/file
    GET /reports/player
    GET /reports/player/file
pit-manager, shift-manager, cashier, auditor
    GET /reports/cashier
    GET /reports/cashier/file
pit-manager, shift-manager, auditor, administrator
    GET /reports/staff
    GET /reports/staff/file
    GET /reports/alterations
    GET /reports/alterations/file
    GET /house/days
    GET /house/days/{day}/{file}
pit-manager, shift-manager, cashier, auditor, administrator
    GET /people/{handle}/limits
    GET /people/{handle}/play
    GET /reports
pit-manager, shift-manager, administrator
    PUT /people/{handle}/limits
    POST /people/{handle}/exclusion
    POST /people/{handle}/readmission
shift-manager, auditor
    GET /audit/rounds
    GET /audit/rounds/{id}/{round}
    GET /audit/rounds/{id}/{round}/steps
    GET /audit/rounds/{id}/{round}/file
    GET /audit/tables/{id}/log
    POST /audit/verify
shift-manager, auditor, administrator
    GET /audit/events
    GET /audit/events/export
    GET /audit/integrity
    POST /audit/integrity
shift-manager, cashier, auditor
    GET /cashier/accounts
    GET /cashier/accounts/{handle}
    GET /cashier/accounts/{handle}/statement
    GET /cashier/receipts
    GET /accounts
shift-manager, administrator
    POST /house/stop
    POST /house/start
    POST /house/close-day
    POST /devices
    DELETE /devices/{device}
cashier
    POST /cashier/buy-in
    POST /cashier/cash-out
    POST /cashier/correct
    GET /cashier/cash
    GET /cashier/shift
    POST /cashier/shift/open
    POST /cashier/shift/close
administrator
    GET /people
    POST /people
    PUT /people/{handle}/roles
    PUT /people/{handle}/password
    POST /people/{handle}/shut
    POST /people/{handle}/open
    GET /people/{handle}/sessions
    DELETE /people/{handle}/sessions
    GET /people/{handle}/second-factor
    POST /people/{handle}/second-factor/remove
    POST /accounts
    POST /accounts/{handle}/erase
    PUT /house/rules
    GET /house/rules/forms
    POST /house/rules/effect
    GET /house/doctor
    GET /house/invitations
    POST /house/invitations
    DELETE /house/invitations/{invitation}
    POST /books
    POST /books/examine
    POST /books/compare
everybody
    GET /tables
    GET /tables/{id}
    POST /tickets
    GET /tables/{id}/events
    GET /tables/{id}/running
    GET /tables/{id}/roads
    GET /tables/{id}/history
    GET /tables/{id}/rounds/{round}
    GET /tables/{id}/statistics
    GET /tables/{id}/cases
    GET /tables/{id}/odds
    POST /tables/{id}/advice
    GET /tables/{id}/board
    GET /approvals
    GET /approvals/{approval}
    POST /approvals/{approval}
    GET /books
    GET /books/{digest}
    GET /books/{digest}/document
    GET /books/{digest}/odds
    GET /books/{digest}/removals
    GET /books/{digest}/par-sheet
    GET /catalogue
    GET /catalogue/{section}
    GET /audit/shoes/{id}/{shoe}
    GET /receipts/{number}
    GET /accounts/me
    GET /accounts/me/costs
    GET /accounts/me/statement
    GET /accounts/me/limits
    PUT /accounts/me/limits
    POST /accounts/me/exclusion
    GET /accounts/me/play
    PUT /accounts/me/reality-check
    POST /accounts/me/reality-check
    GET /accounts/me/disputes
    GET /accounts/me/rounds
"""
"""Who may make which call at all. Some calls then show each role its own part, or only what is the caller's own."""


def read() -> dict[str, frozenset[Role]]:
    found: dict[str, frozenset[Role]] = {}
    roles = frozenset(ROLES_OF_PEOPLE)
    for line in MATRIX.strip().splitlines():
        if line.startswith(" "):
            assert line.strip() not in found, line
            found[line.strip()] = roles
        else:
            roles = frozenset(ROLES_OF_PEOPLE if line == "everybody" else map(Role, line.split(", ")))
    return found


MAY = read()


def is_for_roles(endpoint: Endpoint) -> bool:
    """Not what is open, for devices or the command line, or about the caller's own session; and commands of a table
    name their role themselves."""
    is_own = endpoint.path in OWN or endpoint.path.endswith("/commands")
    return not (endpoint.is_open or endpoint.is_for_devices or endpoint.is_for_command_line or is_own)


def test_every_call_that_is_for_roles_stands_in_the_matrix() -> None:
    assert {f"{each.method} {each.path}" for each in INSIDE if is_for_roles(each)} == set(MAY)


@pytest.mark.gli("B.2.3")
@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_every_role_at_every_call(role: Role, floor: RunningFloor) -> None:
    client, id = floor.fresh_client(PERSON[role]), floor.new_table()
    for endpoint in filter(is_for_roles, INSIDE):
        call = f"{endpoint.method} {endpoint.path}"
        answer = client.http.request(endpoint.method, f"{address_of(endpoint, id)}?no-such-question=1", json={})
        reason = answer.json()["refusal"]["reason"]
        if role in MAY[call]:
            assert (answer.status_code, reason in OF_ROLE) == (400, False), (role, call, answer.text)
        else:
            assert answer.status_code == 403 and reason in OF_ROLE, (role, call, answer.text)
