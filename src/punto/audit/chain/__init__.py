"""The chain of hashes, looked at: anchors that can be kept elsewhere, and a verification against them."""

from __future__ import annotations

from punto.audit.chain.anchor import Anchor, WrongAnchor, make_anchor, read_anchor
from punto.audit.chain.problem import AuditProblem
from punto.audit.chain.verification import Verification, verify
from punto.store.chain import first_hash, next_hash

__all__ = [
    "Anchor",
    "AuditProblem",
    "Verification",
    "WrongAnchor",
    "first_hash",
    "make_anchor",
    "next_hash",
    "read_anchor",
    "verify",
]
