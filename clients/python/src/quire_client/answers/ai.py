# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category ai."""

from __future__ import annotations

from typing import Literal, TypedDict


class AuditArithmeticDiscrepancy(TypedDict):
    page: int
    kind: Literal["tally", "arithmetic", "consistency", "statement"]
    severity: Literal["error", "warning"]
    description: str
    stated: str
    expected: str
    context: str


class AuditArithmeticAnswer(TypedDict):
    """Answer of ``audit_arithmetic``."""

    type: Literal["math-audit"]
    """Always math-audit"""
    sessionId: str
    """Names this audit"""
    discrepancies: list[AuditArithmeticDiscrepancy]
    pagesExamined: list[int]
    roundsTaken: int
    """Questions to the language model"""
    summary: str
    clean: bool
    """Nothing was found"""
    unauditablePages: list[int]
