# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.answers import DetectInvoiceAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, Iterable, M, OperationBase, Source, as_method


class InvoiceOperations(OperationBase[F, M]):
    """Operations of the category invoice."""

    def convert_invoice(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Convert an invoice between CII, UBL and profiles.

        Accepts a PDF with an embedded invoice or the XML itself, and returns XML: CII D16B, or UBL 2.1 (a credit note
        for the type codes of credit notes). ZUGFeRD 1.0 becomes the profile of Factur-X and ZUGFeRD 2 that follows it.

        With a profile, its identifier is written (BT-24), and terms that it cannot hold are left out. Each value that
        is lost, and all content that EN 16931 has no term for, is a warning; `strict=true` refuses the conversion
        instead. `output=json` returns the XML and the whole list.

        Values are kept as they are. What a profile demands and the invoice lacks is not added: check the result with
        `invoice/validate`. Only what the schema of the target demands and the standard does not is derived: the VAT
        total of UBL from the breakdown, the gross price of CII from net price and discount, a discount of 0 for UBL.

        Args:
            file: The document (.pdf, .xml, .xsd, .xsl).
            target: Syntax of the result: UN/CEFACT CII D16B or OASIS UBL 2.1. Default: "cii".
            profile: Profile of the result. Default: that of the invoice; en16931 where the syntax does not have it, and
                the profile of Factur-X that follows one of ZUGFeRD 1.
            strict: Refuses a conversion that would lose a value. Default: False.
            output: The XML, or JSON with the XML and the list of what is lost. Default: "xml".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.

        Returns:
            The document (xml, json).
        """
        return self._file(
            "invoice/convert",
            [file],
            {"target": target, "profile": profile, "strict": strict, "output": output, "password": password},
            {},
        )

    def create_invoice(
        self,
        file: Source,
        /,
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
        page: Source | None = None,
    ) -> F:
        """Create an electronic invoice from JSON.

        `fileInput` is JSON on the semantic model of EN 16931: the members of the schema `Invoice`, as `invoice` in the
        answer of `invoice/extract`. All values are texts, amounts too (`"19.00"`), so that no digit is lost.

        What follows from the rest may be left out and is computed: net prices, net amounts of lines, amounts of
        allowances and charges with base and percentage, the VAT breakdown, and all totals, rounded half up to two
        places. So are the rate 0 and the exemption code of categories that imply them. A value that is sent and
        contradicts the computed one is refused with its JSON pointer, what was sent and what was computed. Required
        terms that are missing are named.

        The profile sets the specification identifier (BT-24). The XML is then checked by the rules of its profile, and
        refused with all violations if it breaks a fatal one. What the profile has no place for is left out and reported
        as a warning.

        `pdf` is a hybrid invoice, PDF/A-3 with the XML embedded. Its page is made from the invoice, or is the PDF in
        `page`, which becomes PDF/A-3 if it is not.

        Args:
            file: The document (.json, .jsonl).
            format: XML in CII or UBL, or a PDF with the XML (CII) embedded. Default: "cii".
            profile: Profile. Default: the one that the invoice names in BT-24, or EN 16931.
            language: Language of the page that is made for the format `pdf`. Default: "en".
            page: A file (.pdf). A PDF that shows the invoice, for the format `pdf`; the default is a page made from the
                data.

        Returns:
            The document (xml, pdf).
        """
        return self._file(
            "invoice/create",
            [file],
            {"format": format, "profile": profile, "language": language},
            {"page": page},
        )

    @as_method
    def detect_invoice(self, file: Source, /, *, password: str | None = None) -> Call[DetectInvoiceAnswer]:
        """Detect an electronic invoice.

        Accepts a PDF or an XML file. `found` is true for Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and other
        invoices in CII and UBL. Order-X and FatturaPA are named in `standard`, and `found` is false. What is in the
        invoice is not checked; `invoice/validate` does that.

        The XML of a PDF is found by its name (`factur-x.xml`, `xrechnung.xml`, `zugferd-invoice.xml`,
        `ZUGFeRD-invoice.xml`), or else by its root element. The XML decides standard and profile. `agreement` lists
        what the PDF says about it and whether that fits: name, relationship, XMP metadata, PDF/A-3 claim. With two
        invoices in one PDF both are in `invoices`, and the first one counts.

        Args:
            file: The document (.pdf, .xml, .xsd, .xsl).
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("invoice/detect", [file], {"password": password}, {})

    def embed_invoice(
        self,
        file: Source,
        /,
        *,
        invoice: Source,
        profile: Literal["minimum", "basic-wl", "basic", "en16931", "extended", "xrechnung"] | None = None,
        relationship: Literal["Alternative", "Source", "Data"] | None = None,
        existing: Literal["refuse", "replace"] | None = None,
        password: str | None = None,
        supplements: Iterable[Source] | None = None,
    ) -> F:
        """Embed an invoice XML in its PDF.

        The result is PDF/A-3 with the XML as an associated file, under the name that its profile demands
        (`factur-x.xml`, `xrechnung.xml`), and XMP metadata that describe it with their extension schema. Everything
        else in the PDF stays: bookmarks, links, tags, other attachments. What the page shows is not compared here;
        `invoice/validate` does that.

        The XML decides the profile by its specification identifier (BT-24): Factur-X MINIMUM, BASIC WL, BASIC, EN 16931
        and EXTENDED, and XRechnung, in CII. UBL and ZUGFeRD 1 are refused: convert them with `invoice/convert` first.
        The relationship is `Data` for MINIMUM and BASIC WL, and `Alternative` otherwise unless you choose another.

        A PDF that is not PDF/A-3 is converted the way `convert/pdf/pdfa` does it. An encrypted one loses its
        encryption, which PDF/A forbids. The result is checked with veraPDF where that is installed, and a result that
        breaks a rule is refused (`PDFA_IMPOSSIBLE`). `X-Tool-Report` has `profile`, `attachment`, `relationship`,
        `way`, `checked`, `replaced`, `supplements`, and how many actions and annotations PDF/A forbids and the
        conversion removed.

        Args:
            file: The document (.pdf).
            profile: The profile that the XML must have; the call is refused if it has another one.
            relationship: Relationship of the XML to the PDF (AFRelationship). Default: Data for MINIMUM and BASIC WL,
                which allow no other, and Alternative for the rest.
            existing: What to do with a PDF that already contains an invoice. Default: "refuse".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.
            invoice: A file (.xml, .xsd, .xsl). The invoice as XML (CII).
            supplements: Files. Supporting documents to embed as well, such as time sheets; repeat the field for
                several.

        Returns:
            The document (pdf).
        """
        return self._file(
            "invoice/embed",
            [file],
            {"profile": profile, "relationship": relationship, "existing": existing, "password": password},
            {"invoice": invoice, "supplements": supplements},
        )

    def extract_invoice(
        self,
        file: Source,
        /,
        *,
        output: Literal["json", "xml", "zip"] | None = None,
        password: str | None = None,
    ) -> F:
        """Extract the data of an electronic invoice.

        Accepts a PDF with an embedded invoice or the XML itself: Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and
        other invoices in CII and UBL.

        `json`: the invoice by the business terms of EN 16931, the same for every syntax. Amounts, quantities and rates
        are texts as they were written, never floats; dates are `YYYY-MM-DD` where they exist. `terms` lists every value
        with its number (BT-1), name and path; `unread` lists content of the XML that EN 16931 has no term for, with its
        place. Supporting documents are in `invoice.supportingDocuments` as base64.

        `xml`: the XML as it is in the file, byte for byte. `zip`: the XML, the files that are attached to the invoice
        (BT-125), and the other files that a PDF carries. An attachment that is too large (50 MB, or 200 MB in total) or
        damaged is left out with a warning.

        Args:
            file: The document (.pdf, .xml, .xsd, .xsl).
            output: The terms as JSON, the XML as it is, or the XML and all attachments in a zip. Default: "json".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.

        Returns:
            The document (json, xml, zip).
        """
        return self._file("invoice/extract", [file], {"output": output, "password": password}, {})

    def show_invoice(
        self,
        file: Source,
        /,
        *,
        output: Literal["html", "pdf"] | None = None,
        language: Literal["de", "en", "fr"] | None = None,
        password: str | None = None,
    ) -> F:
        """Show an electronic invoice as a readable page.

        Accepts a PDF with an embedded invoice or the XML itself: Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and
        other invoices in CII and UBL. The page is made from the XML alone, never from what a PDF shows.

        Every business term of the invoice is shown: parties, references, lines with sub lines, allowances, VAT, totals,
        payment, names and sizes of attachments. Nothing is computed, and nothing is added but labels and the meaning of
        codes. Amounts keep their digits. What the model of EN 16931 has no place for is listed at the end with its path
        in the XML.

        `html` is one file without scripts, links or anything from elsewhere. `pdf` is PDF/A-3a: tagged, with all fonts
        embedded; characters that no built-in font has become question marks, which is reported as a warning.

        Args:
            file: The document (.pdf, .xml, .xsd, .xsl).
            output: A page for browsers, or a PDF/A. Default: "html".
            language: Language of labels, dates and amounts; the texts of the invoice stay as they are. Default: "en".
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.

        Returns:
            The document (html, pdf).
        """
        return self._file("invoice/render", [file], {"output": output, "language": language, "password": password}, {})

    def validate_invoice(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Check an electronic invoice against EN 16931 and XRechnung.

        Accepts a PDF with an embedded invoice or the XML itself. It checks the XML, its schema (CII D16B, UBL 2.1),
        code lists, the rules of EN 16931, and those of the profile that the invoice claims (Factur-X 1.0.8, or
        XRechnung 3.0 with its extension and CVD). `valid` is false if a rule of severity `fatal` fails.

        In a PDF it also checks the file around the XML (rules `PDF-…`): PDF/A-3 (with veraPDF, if it is installed), the
        name of the attachment, its relationship, and the XMP metadata; and whether the pages show the values of the XML
        (`PAGE-…`). Number, date, totals and IBAN are searched for in the notations of several countries. A value that
        is missing on the pages is a warning with what they show instead. Scans without text are not compared.

        Each violation has the rule, the business terms, the place in the XML (XPath and line), the value found, and a
        sentence in English and German. Where the published tests of EN 16931 accept more than its text does, the
        verdict follows the tests, and the stricter reading is reported as `information` with `-strict` after the name
        of the rule. A rule that is broken in more than 100 places lists 100.

        Not covered: the rules of the Peppol network and national rules of other countries. Of ZUGFeRD 1.0 only the sums
        are checked. FatturaPA and Order-X are rejected.

        Args:
            file: The document (.pdf, .xml, .xsd, .xsl).
            output: Format of the report. Default: "json".
            language: Language of the report; JSON has both. Default: "en".
            profile: Apply the rules of this profile, whatever the invoice claims to be.
            day: Apply the rules that were in force on this day (YYYY-MM-DD); default: those of today.
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.

        Returns:
            The document (json, html, pdf, xml).
        """
        return self._file(
            "invoice/validate",
            [file],
            {"output": output, "language": language, "profile": profile, "day": day, "password": password},
            {},
        )
