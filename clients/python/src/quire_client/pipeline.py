"""Pipelines as code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quire_client.core.encode import address_of, listed, parameters
from quire_client.errors import ConfigurationError, Fault
from quire_client.sources import Source
from quire_client.steps import Steps

if TYPE_CHECKING:
    from typing_extensions import Self


class Pipeline(Steps):
    """A chain of operations that runs in one call. Every method adds a step and returns the pipeline.

    ``Pipeline("draft").rotate_pdf(angle=90).add_watermark(watermark_type="text", watermark_text="DRAFT")``
    """

    def __init__(self, name: str | None = None, *, output_file_name: str | None = None) -> None:
        """Starts without steps.

        Args:
            name: shown in reports and logs
            output_file_name: pattern for names of results: ``{filename}``, ``{pipelineName}``, ``{date}``, ``{time}``
        """
        self.name = name
        self.output_file_name = output_file_name
        self._steps: list[dict[str, Any]] = []
        self._parts: dict[str, list[Source]] = {}

    def __len__(self) -> int:
        return len(self._steps)

    def __repr__(self) -> str:
        return f"Pipeline({' -> '.join(step['operation'] for step in self._steps)})"

    def step(self, operation: str, /, *, parts: Mapping[str, Any] | None = None, **options: Any) -> Self:
        """Adds an operation by its path (``"acme/tool"``), with its fields as they are sent."""
        return self._step(operation, options, parts or {})

    def definition(self) -> dict[str, Any]:
        """Returns the pipeline as the server reads it, from ``json`` or from a watched folder."""
        named = {"name": self.name, "outputFileName": self.output_file_name}
        return {**{key: value for key, value in named.items() if value is not None}, "pipeline": list(self._steps)}

    @property
    def parts(self) -> Mapping[str, list[Source]]:
        """Further files that steps need, by field."""
        return self._parts

    def _step(self, path: str, options: Mapping[str, Any], parts: Mapping[str, Any]) -> Self:
        for field, value in parts.items():
            if value is None:
                continue
            sources = listed(value)
            # The server gives one file to all steps that have the field.
            if self._parts.get(field, sources) != sources:
                raise ConfigurationError(
                    f'Two steps have different files for "{field}"; a pipeline sends each field once.'
                )
            self._parts[field] = sources
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
