# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category docparse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class ChunkDocumentChunk(TypedDict):
    index: int
    """From 0"""
    text: str
    """Markdown"""
    pageStart: NotRequired[int]
    """Page of its first character, from 1"""
    pageEnd: NotRequired[int]
    """Page of its last character"""
    headingPath: list[str]
    """Headings above the chunk, outermost first"""


class ChunkDocumentAnswer(TypedDict):
    """Answer of ``chunk_document``."""

    documentName: str
    mode: str
    chunkSize: int
    overlap: int
    pages: int
    chunks: list[ChunkDocumentChunk]


class ExtractFieldsAsJsonField(TypedDict):
    name: str
    type: str
    found: bool
    value: Any
    """Value of the requested type; null if nothing was found"""
    confidence: float
    source: NotRequired[Literal["form", "label", "table", "pattern", "type", "model"]]
    page: NotRequired[int]
    quotation: NotRequired[str]
    box: NotRequired[list[float]]


class ExtractFieldsAsJsonAnswer(TypedDict):
    """Answer of ``extract_fields_as_json``."""

    pages: int
    """Pages of the document"""
    fields: list[ExtractFieldsAsJsonField]
    missing: list[str]
    """Required fields that were not found"""
    model: bool
    """A language model was used"""
    modelFault: NotRequired[str]
    """Error code if the model failed"""
    ocrPages: NotRequired[int]
    """Scanned pages whose text was recognised"""
    ocrEngine: NotRequired[str]
    ocrLanguages: NotRequired[str]
    ocrFault: NotRequired[str]
    """Code of the error with which recognition failed; the pages that have text were read even so"""
    truncated: NotRequired[bool]
    """The document has more pages than were read"""


class SuggestSchemaField(TypedDict):
    name: str
    type: Literal["string", "number", "date", "boolean", "currency", "list"]
    label: str
    description: NotRequired[str]
    example: NotRequired[str]
    source: Literal["form", "label", "table", "model"]
    page: NotRequired[int]
    box: NotRequired[list[float]]


class SuggestSchemaAnswer(TypedDict):
    """Answer of ``suggest_schema``."""

    fields: list[SuggestSchemaField]
    model: bool
    """A language model was asked"""
    modelFault: NotRequired[str]
    """Code of the error with which it failed"""
    ocrPages: NotRequired[int]
    """Scanned pages whose text was recognised"""
    ocrEngine: NotRequired[str]
    ocrLanguages: NotRequired[str]
    ocrFault: NotRequired[str]
    """Code of the error with which recognition failed; the pages that have text were read even so"""
