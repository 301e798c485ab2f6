# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING

from quire_client.operation_base import Source, StepBase

if TYPE_CHECKING:
    from typing_extensions import Self


class Security2Steps(StepBase):
    """Operations of the category security."""

    def timestamp_pdf(self, *, tsa_url: str | None = None) -> Self:
        """Add an RFC 3161 document time stamp.

        Args:
            tsa_url: Time stamp authority: one of the presets, the default or a custom server of the settings (`GET
                /api/v1/config/app-config` lists them). Blank takes `security.timestamp.defaultTsaUrl`.
        """
        return self._step("security/timestamp-pdf", {"tsaUrl": tsa_url}, {})

    def validate_signatures(self, *, cert_file: Source | None = None) -> Self:
        """Check every signature, its chain and later changes.

        Args:
            cert_file: A file. X.509 certificate (PEM, DER) or PKCS#7 bundle; the only trust anchors of this call. An
                empty file counts as none.
        """
        return self._step("security/validate-signature", {}, {"certFile": cert_file})

    def verify_pdf(self) -> Self:
        """Check a PDF against PDF/A, PDF/UA and WTPDF."""
        return self._step("security/verify-pdf", {}, {})
