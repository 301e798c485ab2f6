# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from quire_client.step_base import Json, StepBase, json_text

if TYPE_CHECKING:
    from typing_extensions import Self


class GeneralSteps(StepBase):
    """Operations of the category general."""

    def assemble_pages(self, *, pages: Json) -> Self:
        """Put a document together from pages of several files.

        Args:
            pages: JSON array of the pages in order: file, page and rotate, or blank, width and height. Sent as JSON.
        """
        return self._step("general/assemble-pages", {"pages": json_text(pages)})

    def make_booklet(
        self,
        *,
        add_border: bool | None = None,
        spine_location: str | None = None,
        add_gutter: bool | None = None,
        gutter_size: float | None = None,
        double_sided: bool | None = None,
        duplex_pass: Literal["BOTH", "FIRST", "SECOND"] | None = None,
        flip_on_short_edge: bool | None = None,
    ) -> Self:
        """Arrange pages for printing as a booklet.

        Args:
            add_border: Draw a black line around each half, including blank ones. Default: False.
            spine_location: RIGHT, in upper or lower case, binds at the right edge; any other value means LEFT. Default:
                "LEFT".
            add_gutter: Leave free space at the spine. Default: False.
            gutter_size: Width of the gutter in points; a negative value means 0, and half a sheet or more means one
                point less than half. From 0 pt. Default: 12.
            double_sided: Print on both sides; without it flip_on_short_edge is ignored. Default: True.
            duplex_pass: FIRST returns only the front sides, SECOND only the back sides. Default: "BOTH".
            flip_on_short_edge: The printer turns sheets over the short edge: the halves of back sides swap places.
                Default: False.
        """
        return self._step(
            "general/booklet-imposition",
            {
                "addBorder": add_border,
                "spineLocation": spine_location,
                "addGutter": add_gutter,
                "gutterSize": gutter_size,
                "doubleSided": double_sided,
                "duplexPass": duplex_pass,
                "flipOnShortEdge": flip_on_short_edge,
            },
        )

    def crop_pages(
        self,
        *,
        auto_crop: bool | None = None,
        x: float | None = None,
        y: float | None = None,
        width: float | None = None,
        height: float | None = None,
        remove_data_outside_crop: bool | None = None,
    ) -> Self:
        """Crop all pages to a rectangle or to their content.

        Args:
            auto_crop: Crop each page to its visible content; x, y, width and height are then ignored. Default: False.
            x: Left edge in points; required unless auto_crop is set. From -1000000 to 1000000 pt.
            y: Bottom edge in points, measured upwards from the page's origin; required unless auto_crop is set. From
                -1000000 to 1000000 pt.
            width: Width in points, above 0; required unless auto_crop is set. More than 0 to 1000000 pt.
            height: Height in points, above 0; required unless auto_crop is set. More than 0 to 1000000 pt.
            remove_data_outside_crop: Remove the content outside instead of hiding it. Default: True.
        """
        return self._step(
            "general/crop",
            {
                "autoCrop": auto_crop,
                "x": x,
                "y": y,
                "width": width,
                "height": height,
                "removeDataOutsideCrop": remove_data_outside_crop,
            },
        )

    def edit_page_labels(self, *, labels: Json) -> Self:
        """Set the page labels of a PDF.

        Args:
            labels: JSON array of ranges: pageNumber (from 1), style, prefix and start. Sent as JSON.
        """
        return self._step("general/edit-page-labels", {"labels": json_text(labels)})

    def edit_table_of_contents(self, *, bookmark_data: str) -> Self:
        """Replace the bookmarks of a PDF.

        Args:
            bookmark_data: JSON list of {title, pageNumber, children}; pages count from 1.
        """
        return self._step("general/edit-table-of-contents", {"bookmarkData": bookmark_data})

    def edit_text(self, *, edits: str, whole_word_search: bool | None = None, page_numbers: str | None = None) -> Self:
        """Find and replace text.

        Args:
            edits: JSON list of {find, replace}, or one such object; an empty or missing replace deletes the match.
            whole_word_search: Match whole words only: no letter A to Z, digit or underscore on either side. Default:
                False.
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
        """
        return self._step(
            "general/edit-text",
            {"edits": edits, "wholeWordSearch": whole_word_search, "pageNumbers": page_numbers},
        )

    def merge_pdfs(
        self,
        *,
        sort_type: Literal["orderProvided", "byFileName", "byDateModified", "byDateCreated", "byPDFTitle"]
        | None = None,
        remove_cert_sign: bool | None = None,
        generate_toc: bool | None = None,
        file_order: str | None = None,
    ) -> Self:
        """Merge several PDFs into one.

        Args:
            sort_type: Order of the inputs; both dates put the newest first, and files without a title or date come
                last. Default: "orderProvided".
            remove_cert_sign: Remove signature fields; their appearance stays on the page. Default: True.
            generate_toc: Add one bookmark per input, before those of the inputs. Default: False.
            file_order: File names in the desired order, one per line; takes precedence over sort_type.
        """
        return self._step(
            "general/merge-pdfs",
            {
                "sortType": sort_type,
                "removeCertSign": remove_cert_sign,
                "generateToc": generate_toc,
                "fileOrder": file_order,
            },
        )

    def lay_out_pages(
        self,
        *,
        mode: Literal["DEFAULT", "CUSTOM"] | None = None,
        pages_per_sheet: int | None = None,
        rows: int | None = None,
        cols: int | None = None,
        arrangement: Literal["BY_ROWS", "BY_COLUMNS"] | None = None,
        reading_direction: Literal["LTR", "RTL"] | None = None,
        orientation: Literal["PORTRAIT", "LANDSCAPE"] | None = None,
        inner_margin: int | None = None,
        top_margin: int | None = None,
        bottom_margin: int | None = None,
        left_margin: int | None = None,
        right_margin: int | None = None,
        add_border: bool | None = None,
        border_width: int | None = None,
    ) -> Self:
        """Put several pages on each sheet (N-up).

        Args:
            mode: DEFAULT uses pages_per_sheet, CUSTOM uses rows and cols. Default: "DEFAULT".
            pages_per_sheet: Pages per sheet: 2 (side by side) or a square number (4, 9, 16 and so on); ignored with
                CUSTOM. From 1 to 100000. Default: 2.
            rows: Rows per sheet, for CUSTOM. From 1 to 300. Default: 1.
            cols: Columns per sheet, for CUSTOM. From 1 to 300. Default: 2.
            arrangement: Whether pages fill a row or a column first. Default: "BY_ROWS".
            reading_direction: RTL starts at the right. Default: "LTR".
            orientation: Orientation of the sheets. Default: "PORTRAIT".
            inner_margin: Free space on each side within a cell, in points. From 0 pt. Default: 0.
            top_margin: Free space at the top of a sheet, in points. From 0 pt. Default: 0.
            bottom_margin: Free space at the bottom of a sheet, in points. From 0 pt. Default: 0.
            left_margin: Free space at the left of a sheet, in points. From 0 pt. Default: 0.
            right_margin: Free space at the right of a sheet, in points. From 0 pt. Default: 0.
            add_border: Draw a black line around each page. Default: False.
            border_width: Width of the border in points; 0 means 1. To 1000 pt. Default: 1.
        """
        return self._step(
            "general/multi-page-layout",
            {
                "mode": mode,
                "pagesPerSheet": pages_per_sheet,
                "rows": rows,
                "cols": cols,
                "arrangement": arrangement,
                "readingDirection": reading_direction,
                "orientation": orientation,
                "innerMargin": inner_margin,
                "topMargin": top_margin,
                "bottomMargin": bottom_margin,
                "leftMargin": left_margin,
                "rightMargin": right_margin,
                "addBorder": add_border,
                "borderWidth": border_width,
            },
        )

    def combine_to_single_page(self) -> Self:
        """Combine all pages into one long page."""
        return self._step("general/pdf-to-single-page", {})

    def rearrange_pages(
        self,
        *,
        custom_mode: Literal[
            "CUSTOM",
            "REVERSE_ORDER",
            "DUPLEX_SORT",
            "BOOKLET_SORT",
            "SIDE_STITCH_BOOKLET_SORT",
            "ODD_EVEN_SPLIT",
            "REMOVE_FIRST",
            "REMOVE_LAST",
            "REMOVE_FIRST_AND_LAST",
            "DUPLICATE",
        ]
        | None = None,
        page_numbers: str | None = None,
    ) -> Self:
        """Reorder, remove or duplicate pages.

        Args:
            custom_mode: How to order the pages, in upper or lower case; CUSTOM uses page_numbers. Default: "CUSTOM".
            page_numbers: New order for CUSTOM: numbers, ranges and formulas with n, separated by commas (3,1,5-9 or
                2n-1), or all; for DUPLICATE the number of copies of each page. Default: "all".
        """
        return self._step("general/rearrange-pages", {"customMode": custom_mode, "pageNumbers": page_numbers})

    def remove_images(self) -> Self:
        """Remove all images from the pages."""
        return self._step("general/remove-image-pdf", {})

    def remove_pages(self, *, page_numbers: str) -> Self:
        """Delete pages.

        Args:
            page_numbers: Pages to remove: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1).
        """
        return self._step("general/remove-pages", {"pageNumbers": page_numbers})

    def rotate_pdf(self, *, angle: int | None = None) -> Self:
        """Rotate all pages.

        Args:
            angle: Clockwise angle in degrees, a multiple of 90 (0, 90, 180, 270). Default: 90.
        """
        return self._step("general/rotate-pdf", {"angle": angle})

    def scale_pages(
        self,
        *,
        page_size: Literal["A0", "A1", "A2", "A3", "A4", "A5", "A6", "LETTER", "LEGAL", "KEEP"],
        orientation: str | None = None,
        scale_factor: float | None = None,
    ) -> Self:
        """Scale pages to a paper size.

        Args:
            page_size: Paper size of all pages; KEEP uses the size of the first page.
            orientation: LANDSCAPE, in upper or lower case, uses the paper in landscape; any other value means PORTRAIT.
                Ignored with KEEP. Default: "PORTRAIT".
            scale_factor: Factor in addition to fitting the page to the paper: 1 fits exactly, less leaves a margin,
                more is cut off at the edges, 0 shows nothing. From 0 to 10000. Default: 1.
        """
        return self._step(
            "general/scale-pages",
            {"pageSize": page_size, "orientation": orientation, "scaleFactor": scale_factor},
        )

    def split_by_size_or_count(self, *, split_type: int | None = None, split_value: str | None = None) -> Self:
        """Split a PDF by file size, page count or part count.

        Args:
            split_type: 0 by file size, 1 by pages per part, 2 by number of parts. From 0 to 2. Default: 0.
            split_value: For type 0 a size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes), MB without a unit;
                for types 1 and 2 a whole number above 0. Default: "10MB".
        """
        return self._step("general/split-by-size-or-count", {"splitType": split_type, "splitValue": split_value})

    def split_for_poster_print(
        self,
        *,
        page_size: Literal["A4", "Letter", "A3", "A5", "Legal", "Tabloid"] | None = None,
        x_factor: int | None = None,
        y_factor: int | None = None,
        right_to_left: bool | None = None,
    ) -> Self:
        """Split pages onto several sheets for a poster.

        Args:
            page_size: Paper size of the sheets. Default: "A4".
            x_factor: Sheets side by side. From 1 to 10. Default: 2.
            y_factor: Sheets above each other. From 1 to 10. Default: 2.
            right_to_left: Order the sheets of a row from right to left. Default: False.
        """
        return self._step(
            "general/split-for-poster-print",
            {"pageSize": page_size, "xFactor": x_factor, "yFactor": y_factor, "rightToLeft": right_to_left},
        )

    def split_pages(self, *, page_numbers: str | None = None) -> Self:
        """Split a PDF after given pages.

        Args:
            page_numbers: Last pages of the parts: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or
                2n-1), or all. Default: "all".
        """
        return self._step("general/split-pages", {"pageNumbers": page_numbers})

    def split_pdf_by_chapters(
        self,
        *,
        include_metadata: bool | None = None,
        allow_duplicates: bool | None = None,
        bookmark_level: int | None = None,
    ) -> Self:
        """Split a PDF at its bookmarks.

        Args:
            include_metadata: Copy title, author and other metadata of the document into each part. Default: False.
            allow_duplicates: Keep every bookmark that starts on the same page as the next one as a separate part.
                Default: False.
            bookmark_level: Depth of the bookmarks that count as chapters; 0 is the top level only. From 0. Default: 0.
        """
        return self._step(
            "general/split-pdf-by-chapters",
            {"includeMetadata": include_metadata, "allowDuplicates": allow_duplicates, "bookmarkLevel": bookmark_level},
        )

    def split_pdf_by_sections(
        self,
        *,
        split_mode: Literal[
            "CUSTOM", "SPLIT_ALL_EXCEPT_FIRST_AND_LAST", "SPLIT_ALL_EXCEPT_FIRST", "SPLIT_ALL_EXCEPT_LAST", "SPLIT_ALL"
        ]
        | None = None,
        page_numbers: str | None = None,
        horizontal_divisions: int | None = None,
        vertical_divisions: int | None = None,
        merge: bool | None = None,
    ) -> Self:
        """Split each page into a grid of sections.

        Args:
            split_mode: Which pages to split; the others stay whole. Default: "SPLIT_ALL".
            page_numbers: Pages to split, required with split_mode CUSTOM and otherwise ignored: numbers, ranges and
                formulas with n, separated by commas (1,3,5-9 or 2n-1), or all.
            horizontal_divisions: Number of vertical cuts: one less than the number of columns. From 0 to 50. Default:
                0.
            vertical_divisions: Number of horizontal cuts: one less than the number of rows. From 0 to 50. Default: 1.
            merge: Return one PDF with all sections in order instead of a zip with one PDF per section. Default: False.
        """
        return self._step(
            "general/split-pdf-by-sections",
            {
                "splitMode": split_mode,
                "pageNumbers": page_numbers,
                "horizontalDivisions": horizontal_divisions,
                "verticalDivisions": vertical_divisions,
                "merge": merge,
            },
        )
