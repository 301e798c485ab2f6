# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category security."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict


class PreviewRedactionMatch(TypedDict):
    id: str
    """For `keep` of redact-execute"""
    page: int
    """From 1"""
    terms: list[int]
    """Numbers of the terms that match here, from 1; those of `presets` follow those of `terms`"""
    before: str
    """Text before the match"""
    text: str
    """The match as it was read"""
    after: str
    """Text after the match"""
    letters: list[list[float]]
    """The letters, line by line"""
    boxes: list[list[float]]
    """The boxes that are drawn over them"""


class PreviewRedactionAnswer(TypedDict):
    """Answer of ``preview_redaction``."""

    pages: int
    """Pages of the document"""
    matches: list[PreviewRedactionMatch]
    """In the order of pages and lines"""
    elsewhere: dict[str, int]
    """What is removed or changed outside of pages: `annotations`, `widgets` (form fields), `strings`, `streams`,
    `names`, `actions`, `files`, `hiddenPages`; those without any are absent"""
    unreadable: int
    """Characters that cannot be searched, because their fonts do not say which they are"""
    unreadableFonts: list[str]
    """Names of these fonts"""


ValidateSignaturesKeyUsage: TypeAlias = Literal[
    "Digital Signature",
    "Non-Repudiation",
    "Key Encipherment",
    "Data Encipherment",
    "Key Agreement",
    "Certificate Signing",
    "CRL Signing",
    "Encipher Only",
    "Decipher Only",
]


class ValidateSignature(TypedDict):
    valid: bool
    chainValid: bool
    trustValid: bool
    chainValidationError: str | None
    certPathLength: int
    notExpired: bool
    coversEntireDocument: bool
    revocationChecked: bool
    revocationStatus: Literal["not-checked", "good", "revoked", "soft-fail", "unknown"] | None
    validationTimeSource: Literal["current", "signing-time", "timestamp", "document-timestamp"] | None
    signerName: str | None
    signatureDate: str | None
    reason: str | None
    location: str | None
    errorMessage: str | None
    issuerDN: str | None
    subjectDN: str | None
    serialNumber: str | None
    validFrom: str | None
    validUntil: str | None
    signatureAlgorithm: str | None
    keySize: int
    version: str | None
    keyUsages: list[ValidateSignaturesKeyUsage] | None
    selfSigned: bool
    fieldName: str | None
    subFilter: str | None
    integrity: Literal["intact", "broken", "unverifiable"]
    digestAlgorithm: str | None
    coversWholeFile: bool
    changesSinceSigning: Literal["none", "allowed", "refused", "unknown"]
    changes: list[str]
    certificationLevel: Literal[1, 2, 3] | None
    timestampTime: str | None
    warnings: list[str]


ValidateSignaturesAnswer: TypeAlias = "list[ValidateSignature]"
"""Answer of ``validate_signatures``."""


class VerifyPdfFailure(TypedDict):
    ruleId: str | None
    message: str
    location: str | None
    specification: str | None
    clause: str | None
    testNumber: str | None


class VerifyPdfWarning(TypedDict):
    ruleId: str | None
    message: str
    location: str | None
    specification: str | None
    clause: str | None
    testNumber: str | None


class VerifyPdfItem(TypedDict):
    standard: str
    standardName: str
    validationProfile: str | None
    validationProfileName: str | None
    complianceSummary: str
    declaredPdfa: bool
    compliant: bool
    totalFailures: int
    totalWarnings: int
    failures: list[VerifyPdfFailure]
    warnings: list[VerifyPdfWarning]


VerifyPdfAnswer: TypeAlias = "list[VerifyPdfItem]"
"""Answer of ``verify_pdf``."""
