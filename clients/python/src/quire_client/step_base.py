"""What the generated methods of pipeline steps are built on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from quire_client.core.encode import Json, json_text

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Json", "StepBase", "json_text"]


class StepBase:
    """Operations as steps of a pipeline."""

    def _step(self, path: str, options: Mapping[str, Any]) -> Self:
        raise NotImplementedError
