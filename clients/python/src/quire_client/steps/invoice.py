# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from quire_client.step_base import StepBase

if TYPE_CHECKING:
    from typing_extensions import Self


class InvoiceSteps(StepBase):
    """Operations of the category invoice."""

    def convert_invoice(
        self,
        *,
        target: Literal["cii", "ubl"] | None = None,
        profile: Literal[
            "minimum",
            "basic-wl",
            "basic",
            "en16931",
            "extended",
            "xrechnung",
            "xrechnung-extension",
            "xrechnung-cvd",
            "peppol",
        ]
        | None = None,
        strict: bool | None = None,
        output: Literal["xml", "json"] | None = None,
        password: str | None = None,
    ) -> Self:
        """Convert an invoice between CII, UBL and profiles.

        Args:
            target: Syntax of the result: UN/CEFACT CII D16B or OASIS UBL 2.1. Default: "cii".
            profile: Profile of the result. Default: that of the invoice; en16931 where the syntax does not have it, and
                the profile of Factur-X that follows one of ZUGFeRD 1.
            strict: Refuses a conversion that would lose a value. Default: False.
            output: The XML, or JSON with the XML and the list of what is lost. Default: "xml".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.
        """
        return self._step(
            "invoice/convert",
            {"target": target, "profile": profile, "strict": strict, "output": output, "password": password},
        )

    def create_invoice(
        self,
        *,
        format: Literal["cii", "ubl", "pdf"] | None = None,
        profile: Literal[
            "minimum",
            "basic-wl",
            "basic",
            "en16931",
            "extended",
            "xrechnung",
            "xrechnung-extension",
            "xrechnung-cvd",
            "peppol",
        ]
        | None = None,
        language: Literal["de", "en", "fr"] | None = None,
    ) -> Self:
        """Create an electronic invoice from JSON.

        Args:
            format: XML in CII or UBL, or a PDF with the XML (CII) embedded. Default: "cii".
            profile: Profile. Default: the one that the invoice names in BT-24, or EN 16931.
            language: Language of the page that is made for the format `pdf`. Default: "en".
        """
        return self._step("invoice/create", {"format": format, "profile": profile, "language": language})

    def extract_invoice(
        self,
        *,
        output: Literal["json", "xml", "zip"] | None = None,
        password: str | None = None,
    ) -> Self:
        """Extract the data of an electronic invoice.

        Args:
            output: The terms as JSON, the XML as it is, or the XML and all attachments in a zip. Default: "json".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.
        """
        return self._step("invoice/extract", {"output": output, "password": password})

    def show_invoice(
        self,
        *,
        output: Literal["html", "pdf"] | None = None,
        language: Literal["de", "en", "fr"] | None = None,
        password: str | None = None,
    ) -> Self:
        """Show an electronic invoice as a readable page.

        Args:
            output: A page for browsers, or a PDF/A. Default: "html".
            language: Language of labels, dates and amounts; the texts of the invoice stay as they are. Default: "en".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.
        """
        return self._step("invoice/render", {"output": output, "language": language, "password": password})

    def validate_invoice(
        self,
        *,
        output: Literal["json", "html", "pdf", "svrl"] | None = None,
        language: Literal["en", "de"] | None = None,
        profile: Literal[
            "minimum",
            "basic-wl",
            "basic",
            "en16931",
            "extended",
            "xrechnung",
            "xrechnung-extension",
            "xrechnung-cvd",
            "peppol",
        ]
        | None = None,
        day: str | None = None,
        password: str | None = None,
    ) -> Self:
        """Check an electronic invoice against EN 16931 and XRechnung.

        Args:
            output: Format of the report. Default: "json".
            language: Language of the report; JSON has both. Default: "en".
            profile: Apply the rules of this profile, whatever the invoice claims to be.
            day: Apply the rules that were in force on this day (YYYY-MM-DD); default: those of today.
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.
        """
        return self._step(
            "invoice/validate",
            {"output": output, "language": language, "profile": profile, "day": day, "password": password},
        )
