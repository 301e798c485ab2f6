# Generated from the declarations of the operations by `npm run docs`.
"""All operations that the server comes with, as methods."""

from __future__ import annotations

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
from quire_client.operations.general_3 import General3Operations
from quire_client.operations.integration import IntegrationOperations
from quire_client.operations.misc import MiscOperations
from quire_client.operations.misc_2 import Misc2Operations
from quire_client.operations.misc_3 import Misc3Operations
from quire_client.operations.security import SecurityOperations
from quire_client.operations.security_2 import Security2Operations


class Operations(
    AiOperations,
    AnalysisOperations,
    ConvertOperations,
    Convert2Operations,
    DocparseOperations,
    Docparse2Operations,
    FilterOperations,
    FormOperations,
    GeneralOperations,
    General2Operations,
    General3Operations,
    IntegrationOperations,
    MiscOperations,
    Misc2Operations,
    Misc3Operations,
    SecurityOperations,
    Security2Operations,
):
    """All operations that the server comes with, as methods."""


__all__ = ["Operations"]
