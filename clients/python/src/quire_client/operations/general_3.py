# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.calls import file_call
from quire_client.core.plans import Call
from quire_client.document import Document
from quire_client.operation_base import OperationBase, Source, as_method


class General3Operations(OperationBase):
    """Operations of the category general."""

    @as_method
    def split_pdf_by_sections(
        self,
        file: Source,
        /,
        *,
        split_mode: Literal[
            "CUSTOM", "SPLIT_ALL_EXCEPT_FIRST_AND_LAST", "SPLIT_ALL_EXCEPT_FIRST", "SPLIT_ALL_EXCEPT_LAST", "SPLIT_ALL"
        ]
        | None = None,
        page_numbers: str | None = None,
        horizontal_divisions: int | None = None,
        vertical_divisions: int | None = None,
        merge: bool | None = None,
    ) -> Call[Document]:
        """Split each page into a grid of sections.

        There are `horizontal_divisions` + 1 columns and `vertical_divisions` + 1 rows; sections are numbered column by
        column from the left, each from top to bottom. Pages are divided as the reader sees them: cropped, rotated
        upright, in points. A section starts at 0, 0 and clips the rest of its page, which remains in its file. Links,
        comments and form fields go to the section that contains their centre, bookmarks lead to the section that shows
        their target, and each section has the label of its page.

        Args:
            file: The document (.pdf).
            split_mode: Which pages to split; the others stay whole. Default: "SPLIT_ALL".
            page_numbers: Pages to split, required with split_mode CUSTOM and otherwise ignored: numbers, ranges and
                formulas with n, separated by commas (1,3,5-9 or 2n+1), or all.
            horizontal_divisions: Number of vertical cuts: one less than the number of columns. From 0 to 50. Default:
                0.
            vertical_divisions: Number of horizontal cuts: one less than the number of rows. From 0 to 50. Default: 1.
            merge: Return one PDF with all sections in order instead of a zip with one PDF per section. Default: False.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return file_call(
            "general/split-pdf-by-sections",
            [file],
            {
                "splitMode": split_mode,
                "pageNumbers": page_numbers,
                "horizontalDivisions": horizontal_divisions,
                "verticalDivisions": vertical_divisions,
                "merge": merge,
            },
            {},
        )
