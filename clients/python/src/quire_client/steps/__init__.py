# Generated from the declarations of the operations by `npm run docs`.
"""All operations that may be steps of a pipeline, as methods."""

from __future__ import annotations

from quire_client.steps.ai import AiSteps
from quire_client.steps.convert import ConvertSteps
from quire_client.steps.docparse import DocparseSteps
from quire_client.steps.filter import FilterSteps
from quire_client.steps.general import GeneralSteps
from quire_client.steps.integration import IntegrationSteps
from quire_client.steps.invoice import InvoiceSteps
from quire_client.steps.misc import MiscSteps
from quire_client.steps.misc_2 import Misc2Steps
from quire_client.steps.security import SecuritySteps
from quire_client.steps.security_2 import Security2Steps


class Steps(
    AiSteps,
    ConvertSteps,
    DocparseSteps,
    FilterSteps,
    GeneralSteps,
    IntegrationSteps,
    InvoiceSteps,
    MiscSteps,
    Misc2Steps,
    SecuritySteps,
    Security2Steps,
):
    """All operations that may be steps of a pipeline, as methods."""


__all__ = ["Steps"]
