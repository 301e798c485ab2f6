# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class CountAnnotationsAnswer(TypedDict):
    """Answer of ``count_annotations``."""

    totalCount: int
    """Annotations of all pages"""
    typeBreakdown: dict[str, int]
    """Count by `/Subtype`; empty if there are none"""


class GetBasicInfoAnswer(TypedDict):
    """Answer of ``get_basic_info``."""

    pageCount: int
    """Number of pages in the page tree"""
    pdfVersion: float
    """Version of PDF, the higher of header and catalog"""
    fileSize: int
    """Bytes"""


class GetDocumentPropertiesAnswer(TypedDict):
    """Answer of ``get_document_properties``."""

    title: str | None
    """Title"""
    author: str | None
    """Author"""
    subject: str | None
    """Subject"""
    keywords: str | None
    """Keywords"""
    creator: str | None
    """Program that the document was written with"""
    producer: str | None
    """Program that created the PDF"""
    creationDate: str | None
    """Creation date, ISO 8601"""
    modificationDate: str | None
    """Date of the last change, ISO 8601"""


class ListFontsAnswer(TypedDict):
    """Answer of ``list_fonts``."""

    fontCount: int
    """Length of `fonts`"""
    fonts: list[str]
    """Resource names, each once"""


class GetFormInfoAnswer(TypedDict):
    """Answer of ``get_form_info``."""

    fieldCount: int
    """Number of top-level fields"""
    hasXFA: bool
    """The document has an XFA form"""
    isSignaturesExist: bool
    """The form says that it contains signatures"""


class CountPagesAnswer(TypedDict):
    """Answer of ``count_pages``."""

    pageCount: int
    """Pages"""


class GetPageDimension(TypedDict):
    width: float
    """Points"""
    height: float
    """Points"""


GetPageDimensionsAnswer: TypeAlias = "list[GetPageDimension]"
"""Answer of ``get_page_dimensions``."""


class GetSecurityInfoPermissions(TypedDict):
    """Only when encrypted"""

    preventPrinting: bool
    """Printing is forbidden"""
    preventModify: bool
    """Changing the content is forbidden"""
    preventExtractContent: bool
    """Copying text and pictures is forbidden"""
    preventModifyAnnotations: bool
    """Commenting and filling in is forbidden"""


class GetSecurityInfoAnswer(TypedDict):
    """Answer of ``get_security_info``."""

    isEncrypted: bool
    """The file is encrypted"""
    keyLength: NotRequired[int]
    """Bits of the key; only when encrypted"""
    permissions: NotRequired[GetSecurityInfoPermissions]
    """Only when encrypted"""
