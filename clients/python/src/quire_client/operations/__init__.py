# Generated from the declarations of the operations by `npm run docs`.
"""All operations that the server comes with, as methods."""

from __future__ import annotations

from quire_client.operation_base import F, M
from quire_client.operations.ai import AiOperations
from quire_client.operations.analysis import AnalysisOperations
from quire_client.operations.convert import ConvertOperations
from quire_client.operations.convert_2 import Convert2Operations
from quire_client.operations.docparse import DocparseOperations
from quire_client.operations.docparse_2 import Docparse2Operations
from quire_client.operations.filter import FilterOperations
from quire_client.operations.form import FormOperations
from quire_client.operations.general import GeneralOperations
from quire_client.operations.general_2 import General2Operations
from quire_client.operations.integration import IntegrationOperations
from quire_client.operations.invoice import InvoiceOperations
from quire_client.operations.misc import MiscOperations
from quire_client.operations.misc_2 import Misc2Operations
from quire_client.operations.misc_3 import Misc3Operations
from quire_client.operations.security import SecurityOperations
from quire_client.operations.security_2 import Security2Operations


class Operations(
    AiOperations[F, M],
    AnalysisOperations[F, M],
    ConvertOperations[F, M],
    Convert2Operations[F, M],
    DocparseOperations[F, M],
    Docparse2Operations[F, M],
    FilterOperations[F, M],
    FormOperations[F, M],
    GeneralOperations[F, M],
    General2Operations[F, M],
    IntegrationOperations[F, M],
    InvoiceOperations[F, M],
    MiscOperations[F, M],
    Misc2Operations[F, M],
    Misc3Operations[F, M],
    SecurityOperations[F, M],
    Security2Operations[F, M],
):
    """All operations that the server comes with, as methods."""


__all__ = ["Operations"]
