# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from quire_client.step_base import StepBase

if TYPE_CHECKING:
    from typing_extensions import Self


class FilterSteps(StepBase):
    """Operations of the category filter."""

    def filter_contains_image(self, *, page_numbers: str | None = None) -> Self:
        """Keep a PDF that contains an image.

        Args:
            page_numbers: Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default:
                "all".
        """
        return self._step("filter/filter-contains-image", {"pageNumbers": page_numbers})

    def filter_contains_text(self, *, text: str | None = None, page_numbers: str | None = None) -> Self:
        """Keep a PDF that contains a text.

        Args:
            text: Text to look for; any text when absent.
            page_numbers: Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default:
                "all".
        """
        return self._step("filter/filter-contains-text", {"text": text, "pageNumbers": page_numbers})

    def filter_file_size(
        self,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        file_size: int | None = None,
    ) -> Self:
        """Keep a file by its size in bytes.

        Args:
            comparator: How the document's value must compare with the given one.
            file_size: Size in bytes to compare with. Default: 0.
        """
        return self._step("filter/filter-file-size", {"comparator": comparator, "fileSize": file_size})

    def filter_invoice(
        self,
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
    ) -> Self:
        """Keep electronic invoices by what is in them.

        Args:
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
        """
        return self._step(
            "filter/filter-invoice",
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
        )

    def filter_page_count(
        self,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        page_count: int | None = None,
    ) -> Self:
        """Keep a PDF by its page count.

        Args:
            comparator: How the document's value must compare with the given one.
            page_count: Page count to compare with. Default: 0.
        """
        return self._step("filter/filter-page-count", {"comparator": comparator, "pageCount": page_count})

    def filter_page_rotation(
        self,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        rotation: int | None = None,
    ) -> Self:
        """Keep a PDF by the rotation of its first page.

        Args:
            comparator: How the document's value must compare with the given one.
            rotation: Rotation in degrees to compare with. Default: 0.
        """
        return self._step("filter/filter-page-rotation", {"comparator": comparator, "rotation": rotation})

    def filter_page_size(
        self,
        *,
        comparator: Literal["Greater", "Equal", "Less"],
        standard_page_size: Literal["A0", "A1", "A2", "A3", "A4", "A5", "A6", "LETTER", "LEGAL"] | None = None,
    ) -> Self:
        """Keep a PDF by the size of its first page.

        Args:
            comparator: How the document's value must compare with the given one.
            standard_page_size: Standard size to compare with, in any case. Default: "A4".
        """
        return self._step("filter/filter-page-size", {"comparator": comparator, "standardPageSize": standard_page_size})
