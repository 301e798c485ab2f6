"""Pipelines as code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quire_client.core.encode import address_of, parameters
from quire_client.errors import Fault
from quire_client.steps import Steps

if TYPE_CHECKING:
    from typing_extensions import Self


class Pipeline(Steps):
    """A chain of operations that runs in one call. Every method adds a step and returns the pipeline.

    Steps have no second files (a watermark image, a certificate): the server takes none in a pipeline.

    ``Pipeline("draft").rotate_pdf(angle=90).add_watermark(watermark_type="text", watermark_text="DRAFT")``
    """

    def __init__(self, name: str | None = None, *, output_file_name: str | None = None) -> None:
        """Starts without steps.

        Args:
            name: shown in reports and logs
            output_file_name: in a watched folder, pattern for names of results: ``{filename}-{date}``
        """
        self.name = name
        self.output_file_name = output_file_name
        self._steps: list[dict[str, Any]] = []

    def __len__(self) -> int:
        return len(self._steps)

    def __repr__(self) -> str:
        return f"Pipeline({' -> '.join(step['operation'] for step in self._steps)})"

    def step(self, operation: str, /, **options: Any) -> Self:
        """Adds an operation by its path (``"acme/tool"``), with its fields as they are sent."""
        return self._step(operation, options)

    def definition(self) -> dict[str, Any]:
        """Returns the pipeline as the server reads it, from ``json`` or from a watched folder."""
        named = {"name": self.name, "outputFileName": self.output_file_name}
        return {**{key: value for key, value in named.items() if value is not None}, "pipeline": list(self._steps)}

    def _step(self, path: str, options: Mapping[str, Any]) -> Self:
        self._steps.append({"operation": address_of(path), "parameters": parameters(options)})
        return self


@dataclass(frozen=True)
class PipelineReport:
    """The result of checking a pipeline that can run."""

    ignored: tuple[Fault, ...]
    """Fields that a step does not know."""
    replaced: tuple[Fault, ...]
    """Values that another one replaces."""

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> PipelineReport:
        """Reads the server's report."""
        ignored, replaced = (
            tuple(Fault(each["pointer"], each["detail"]) for each in report[name]) for name in ("ignored", "replaced")
        )
        return cls(ignored, replaced)
