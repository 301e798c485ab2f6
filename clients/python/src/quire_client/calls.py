"""Operations and pipelines as calls, which every kind of client sends in its own way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from quire_client.core.decode import anything_of, document_of, maybe_document_of, value_of
from quire_client.core.encode import address_of, document_fields, form_fields, listed, part_uploads
from quire_client.core.messages import Request
from quire_client.core.plans import Call
from quire_client.document import Document
from quire_client.pipeline import Pipeline
from quire_client.sources import Source


def file_call(
    path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]
) -> Call[Document]:
    """Returns a call whose result is a document."""
    return Call(_request(path, documents, options, parts), document_of)


def maybe_call(
    path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]
) -> Call[Document | None]:
    """Returns a call whose result is a document, unless a filter drops it."""
    return Call(_request(path, documents, options, parts), maybe_document_of)


def value_call(
    path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]
) -> Call[Any]:
    """Returns a call whose result is a value."""
    return Call(_request(path, documents, options, parts), value_of)


def any_call(path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> Call[Any]:
    """Returns a call of an operation that was not known when this package was generated."""
    return Call(_request(path, documents, options, parts), anything_of)


def pipeline_call(pipeline: Pipeline, documents: Source | Iterable[Source]) -> Call[Document | None]:
    """Returns the call that runs a pipeline."""
    definition = {"json": json.dumps(pipeline.definition())}
    return maybe_call("pipeline/handleData", listed(documents), definition, {})


def _request(path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> Request:
    ids, uploads = document_fields(listed(documents))
    return Request(
        "POST",
        address_of(path),
        fields=(*form_fields(options), *ids),
        uploads=(*uploads, *part_uploads(parts)),
    )
