# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, M, OperationBase, Source


class FilterOperations(OperationBase[F, M]):
    """Operations of the category filter."""

    def filter_contains_image(self, file: Source, /, *, page_numbers: str | None = None) -> M:
        """Keep a PDF that contains an image.

        Image objects among a page's resources count, also inside forms, drawn or not. Inline images and images of
        annotations do not.

        Args:
            file: The document (.pdf).
            page_numbers: Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default:
                "all".

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe("filter/filter-contains-image", [file], {"pageNumbers": page_numbers}, {})

    def filter_contains_text(self, file: Source, /, *, text: str | None = None, page_numbers: str | None = None) -> M:
        """Keep a PDF that contains a text.

        Searches page by page, case-sensitive; a phrase across a line break does not match. Without `text`, any text
        keeps the file. Pages that do not exist match nothing.

        Args:
            file: The document (.pdf).
            text: Text to look for; any text when absent.
            page_numbers: Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default:
                "all".

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe("filter/filter-contains-text", [file], {"text": text, "pageNumbers": page_numbers}, {})

    def filter_file_size(
        self,
        file: Source,
        /,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        file_size: int | None = None,
    ) -> M:
        """Keep a file by its size in bytes.

        The file is not opened, so any file type is accepted, even damaged or locked files.

        Args:
            file: The document.
            comparator: How the document's value must compare with the given one.
            file_size: Size in bytes to compare with. Default: 0.

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe("filter/filter-file-size", [file], {"comparator": comparator, "fileSize": file_size}, {})

    def filter_invoice(
        self,
        file: Source,
        /,
        *,
        verdict: Literal["any", "valid", "invalid"] | None = None,
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
            "zugferd1-basic",
            "zugferd1-comfort",
            "zugferd1-extended",
        ]
        | None = None,
        seller: str | None = None,
        number: str | None = None,
        currency: str | None = None,
        min_amount: str | None = None,
        max_amount: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        password: str | None = None,
    ) -> M:
        """Keep electronic invoices by what is in them.

        Keeps a PDF that carries an electronic invoice, and an XML file that is one, if all conditions hold; conditions
        that are left out always do. Every other file leaves the pipeline (204 for a direct call).

        `verdict` applies the rules of `invoice/validate`, without veraPDF. An invoice whose XML cannot be read is
        `invalid`, and no condition about its content holds. Amounts are compared exactly, with the total with VAT
        (BT-112) in the currency of the invoice: name the `currency` where there may be several.

        Args:
            file: The document (.pdf, .xml, .xsd, .xsl).
            verdict: Whether the invoice must pass the checks. Default: "any".
            profile: Profile that the invoice must name.
            seller: Part of the seller's name, or the whole VAT identifier; case does not matter.
            number: The whole invoice number; case does not matter.
            currency: Currency of the invoice, three letters (ISO 4217).
            min_amount: Least total with VAT, a decimal number.
            max_amount: Largest total with VAT, a decimal number.
            from_: First issue date, YYYY-MM-DD.
            to: Last issue date, YYYY-MM-DD.
            password: User or owner password of an encrypted PDF; empty for one that opens without, and for XML.

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe(
            "filter/filter-invoice",
            [file],
            {
                "verdict": verdict,
                "profile": profile,
                "seller": seller,
                "number": number,
                "currency": currency,
                "minAmount": min_amount,
                "maxAmount": max_amount,
                "from": from_,
                "to": to,
                "password": password,
            },
            {},
        )

    def filter_page_count(
        self,
        file: Source,
        /,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        page_count: int | None = None,
    ) -> M:
        """Keep a PDF by its page count.

        The document's own count is compared with the given one: 5 pages, `page_count=3`, `Greater` keeps the file. A
        file that is not kept answers 204 and leaves a pipeline.

        Args:
            file: The document (.pdf).
            comparator: How the document's value must compare with the given one.
            page_count: Page count to compare with. Default: 0.

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe("filter/filter-page-count", [file], {"comparator": comparator, "pageCount": page_count}, {})

    def filter_page_rotation(
        self,
        file: Source,
        /,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        rotation: int | None = None,
    ) -> M:
        """Keep a PDF by the rotation of its first page.

        The page's rotation is 0, 90, 180 or 270 degrees clockwise; the given value is compared as it is, so 450 equals
        none.

        Args:
            file: The document (.pdf).
            comparator: How the document's value must compare with the given one.
            rotation: Rotation in degrees to compare with. Default: 0.

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe("filter/filter-page-rotation", [file], {"comparator": comparator, "rotation": rotation}, {})

    def filter_page_size(
        self,
        file: Source,
        /,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        standard_page_size: Literal["A0", "A1", "A2", "A3", "A4", "A5", "A6", "LETTER", "LEGAL"] | None = None,
    ) -> M:
        """Keep a PDF by the size of its first page.

        Areas are compared (width times height of the media box), so portrait and landscape are alike. Areas within 0.4
        percent of the standard are equal to it.

        Args:
            file: The document (.pdf).
            comparator: How the document's value must compare with the given one.
            standard_page_size: Standard size to compare with, in any case. Default: "A4".

        Returns:
            The document. `None` if the document does not match.
        """
        return self._maybe(
            "filter/filter-page-size",
            [file],
            {"comparator": comparator, "standardPageSize": standard_page_size},
            {},
        )
