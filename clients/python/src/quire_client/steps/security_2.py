# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING

from quire_client.step_base import StepBase

if TYPE_CHECKING:
    from typing_extensions import Self


class Security2Steps(StepBase):
    """Operations of the category security."""

    def verify_pdf(self) -> Self:
        """Check a PDF against PDF/A, PDF/UA and WTPDF."""
        return self._step("security/verify-pdf", {})
