"""What the generated methods are built on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from quire_client.core.encode import Json, json_text
from quire_client.sources import Source

if TYPE_CHECKING:
    from typing_extensions import Self

F = TypeVar("F")
"""What a call returns whose result is a document: ``Document``, ``Awaitable[Document]``, ``Job[Document]``."""
M = TypeVar("M")
"""The same where a filter may drop the document: ``Document | None`` and so on."""
J = TypeVar("J")
"""The same where the result is a value: ``Any`` and so on."""

__all__ = ["F", "Iterable", "J", "Json", "M", "OperationBase", "Source", "StepBase", "json_text"]


class OperationBase(Generic[F, M, J]):
    """Operations as methods. ``documents`` is one source, several, or nothing."""

    def _file(self, path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> F:
        raise NotImplementedError

    def _maybe(self, path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> M:
        raise NotImplementedError

    def _value(self, path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> J:
        raise NotImplementedError


class StepBase:
    """Operations as steps of a pipeline."""

    def _step(self, path: str, options: Mapping[str, Any]) -> Self:
        raise NotImplementedError
