# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category invoice."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class DetectInvoiceAttachment(TypedDict):
    """The embedded file; null for an XML file"""

    name: str
    """File name"""
    relationship: NotRequired[str | None]
    """AFRelationship"""
    mediaType: NotRequired[str | None]
    """Declared media type"""
    size: NotRequired[int | None]
    """Declared size in bytes"""
    modified: NotRequired[str | None]
    """Modification date, ISO 8601"""
    inNameTree: bool
    """It is in the list of embedded files"""
    associated: bool
    """It is in the AF array of the catalog"""


class DetectInvoiceInvoice(TypedDict):
    standard: NotRequired[str | None]
    """Standard: Factur-X, ZUGFeRD 2, ZUGFeRD 1, XRechnung, Peppol BIS Billing, EN 16931, CII, UBL, Order-X,
    FatturaPA"""
    version: NotRequired[str | None]
    """Version of the standard"""
    profile: NotRequired[str | None]
    """Profile, as parameters of other tools have it"""
    profileTitle: NotRequired[str | None]
    """Profile for people"""
    specification: NotRequired[str | None]
    """Specification identifier (BT-24)"""
    syntax: NotRequired[str | None]
    """Kind of XML: cii, ubl-invoice, ubl-creditnote, zugferd1, or another document"""
    problem: NotRequired[str | None]
    """Why the XML cannot be read; null if it can"""
    attachment: NotRequired[DetectInvoiceAttachment | None]
    """The embedded file; null for an XML file"""


class DetectInvoiceOtherAttachment(TypedDict):
    name: str
    """File name"""
    relationship: NotRequired[str | None]
    """AFRelationship"""
    mediaType: NotRequired[str | None]
    """Declared media type"""
    size: NotRequired[int | None]
    """Declared size in bytes"""
    modified: NotRequired[str | None]
    """Modification date, ISO 8601"""
    inNameTree: bool
    """It is in the list of embedded files"""
    associated: bool
    """It is in the AF array of the catalog"""


class DetectInvoiceXmp(TypedDict):
    namespace: str
    """Namespace of the properties"""
    documentType: NotRequired[str]
    """DocumentType"""
    fileName: NotRequired[str]
    """DocumentFileName"""
    version: NotRequired[str]
    """Version"""
    level: NotRequired[str]
    """ConformanceLevel"""
    schemaDeclared: bool
    """PDF/A extension schema present"""


class DetectInvoiceAgreement(TypedDict):
    check: str
    """What is compared"""
    ok: bool
    """It is as it has to be"""
    found: NotRequired[str | None]
    """Value in the PDF"""
    expected: str
    """What the XML demands"""
    message: NotRequired[str | None]
    """What is wrong, in English"""


class DetectInvoiceAnswer(TypedDict):
    """Answer of ``detect_invoice``."""

    found: bool
    """There is an invoice"""
    standard: NotRequired[str | None]
    """Standard: Factur-X, ZUGFeRD 2, ZUGFeRD 1, XRechnung, Peppol BIS Billing, EN 16931, CII, UBL, Order-X,
    FatturaPA"""
    version: NotRequired[str | None]
    """Version of the standard"""
    profile: NotRequired[str | None]
    """Profile, as parameters of other tools have it"""
    profileTitle: NotRequired[str | None]
    """Profile for people"""
    specification: NotRequired[str | None]
    """Specification identifier (BT-24)"""
    syntax: NotRequired[str | None]
    """Kind of XML: cii, ubl-invoice, ubl-creditnote, zugferd1, or another document"""
    problem: NotRequired[str | None]
    """Why the XML cannot be read; null if it can"""
    attachment: NotRequired[DetectInvoiceAttachment | None]
    """The embedded file; null for an XML file"""
    invoices: list[DetectInvoiceInvoice]
    """All invoices; the first one counts"""
    otherAttachments: list[DetectInvoiceOtherAttachment]
    """Other embedded files"""
    xmp: list[DetectInvoiceXmp]
    """What the XMP metadata of a PDF say about its invoice"""
    pdfa: NotRequired[str | None]
    """PDF/A that the file claims"""
    agreement: list[DetectInvoiceAgreement]
    """Comparisons of the XML with the PDF around it; empty for XML files"""
    agrees: bool
    """All comparisons are ok"""
