"""Writes options and files as the form of a call."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, Union

from quire_client.document import Document
from quire_client.sources import FileId, Source, Upload, upload_of

T = TypeVar("T")
Json = Union[str, Mapping[str, Any], "list[Any]", "tuple[Any, ...]"]
"""A value that is sent as JSON: the text, or what ``json.dumps`` takes."""
API = "/api/v1/"


def address_of(operation: str) -> str:
    """Returns the address of an operation: ``general/rotate-pdf``, or the whole path."""
    path = operation.strip().lstrip("/")
    return f"/{path}" if path.startswith("api/") else API + path


def json_text(value: Json | None) -> str | None:
    """Returns the JSON of a value; text is sent as it is."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


def listed(value: T | Iterable[T]) -> list[T]:
    """Returns several sources, or one, as a list."""
    is_single = (
        isinstance(value, (str, bytes, bytearray, memoryview))
        or hasattr(value, "read")
        or not isinstance(value, Iterable)
        or (isinstance(value, tuple) and _is_named_content(value))
    )
    return [value] if is_single else list(value)  # type: ignore[list-item, arg-type]


def _is_named_content(value: tuple[Any, ...]) -> bool:
    """Returns whether a pair is ``(name, content)``, not two sources."""
    return (
        len(value) == 2
        and isinstance(value[0], str)
        and not isinstance(value[1], (str, os.PathLike, FileId, Document, tuple))
    )


def form_fields(options: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Returns the form fields of options: one for each member of a list; ``None`` is not sent."""
    return tuple((name, _text(each)) for name, value in options.items() for each in _members(value))


def parameters(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters of a pipeline step: plain values and lists of them."""
    return {name: _parameter(value) for name, value in options.items() if value is not None}


def document_fields(sources: list[Source]) -> tuple[tuple[tuple[str, str], ...], tuple[Upload, ...]]:
    """Returns the fields and uploads of the documents of a call."""
    fields = tuple(("fileId", each.id) for each in sources if isinstance(each, FileId))
    return fields, tuple(upload_of("fileInput", each) for each in sources if not isinstance(each, FileId))


def part_uploads(parts: Mapping[str, Any]) -> tuple[Upload, ...]:
    """Returns the uploads of further file fields; ``None`` is not sent."""
    return tuple(
        upload_of(field, each) for field, value in parts.items() if value is not None for each in listed(value)
    )


def _members(value: Any) -> Iterable[Any]:
    if value is None:
        return []
    return value if _is_list(value) else [value]


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset, range))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def _parameter(value: Any) -> Any:
    if _is_list(value):
        return [each if isinstance(each, (str, int, float, bool)) else json.dumps(each) for each in value]
    return json.dumps(value) if isinstance(value, Mapping) else value
