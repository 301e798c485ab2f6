# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING

from quire_client.step_base import StepBase

if TYPE_CHECKING:
    from typing_extensions import Self


class AiSteps(StepBase):
    """Operations of the category ai."""

    def classify_document(self) -> Self:
        """Tell what kind of document it is, and store it there."""
        return self._step("ai/tools/classify-and-label", {})

    def audit_arithmetic(self, *, tolerance: float | None = None) -> Self:
        """Find arithmetic contradictions in a PDF.

        Args:
            tolerance: Differences below this are ignored. From 0 to 1000000000. Default: 0.01.
        """
        return self._step("ai/tools/math-auditor-agent", {"tolerance": tolerance})

    def write_comments(self, *, prompt: str) -> Self:
        """Add sticky notes that a language model writes.

        Args:
            prompt: Subject of the comments.
        """
        return self._step("ai/tools/pdf-comment-agent", {"prompt": prompt})
