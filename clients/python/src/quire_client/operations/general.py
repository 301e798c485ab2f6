# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from quire_client.answers import ExtractBookmarksAnswer, ExtractPageLabelsAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, Iterable, Json, M, OperationBase, Source, as_method, json_text


class GeneralOperations(OperationBase[F, M]):
    """Operations of the category general."""

    def assemble_pages(self, files: Iterable[Source], /, *, pages: Json) -> F:
        """Put a document together from pages of several files.

        `pages` lists the pages of the result in order. `{"file": 2, "page": 5, "rotate": 90}` is the fifth page of the
        second file, turned clockwise by 90 degrees in addition to its own rotation; `file` is 1 and `rotate` is 0 when
        absent. `{"blank": true, "width": 595, "height": 842}` is an empty page with its size in points, A4 when absent.
        A page may be listed several times; every copy is a page of its own with its own annotations, while a form field
        on it remains one field with one value.

        Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments are kept as in
        `general/merge-pdfs` and `general/rearrange-pages`: pages that are not listed are removed with everything that
        only they used, and a file of which no page is listed is ignored. Pages of several files lose their signature
        fields, whose appearance stays.

        Args:
            files: The documents (.pdf).
            pages: JSON array of the pages in order: file, page and rotate, or blank, width and height. Sent as JSON.

        Returns:
            The document (pdf).
        """
        return self._file("general/assemble-pages", files, {"pages": json_text(pages)}, {})

    def make_booklet(
        self,
        file: Source,
        /,
        *,
        add_border: bool | None = None,
        spine_location: str | None = None,
        add_gutter: bool | None = None,
        gutter_size: float | None = None,
        double_sided: bool | None = None,
        duplex_pass: Literal["BOTH", "FIRST", "SECOND"] | None = None,
        flip_on_short_edge: bool | None = None,
    ) -> F:
        """Arrange pages for printing as a booklet.

        Produces sheets for a saddle-stitched booklet: print them, fold them together in the middle, and the pages are
        in order. A sheet has the size of the first page's crop box, in landscape. Blank pages are added at the end
        until the page count is a multiple of four. The gutter is free space at the spine, half of it on each side.
        Links, bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their pages;
        page labels are removed. A result with one pass only contains nothing of the pages in the other pass.

        Args:
            file: The document (.pdf).
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

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/booklet-imposition",
            [file],
            {
                "addBorder": add_border,
                "spineLocation": spine_location,
                "addGutter": add_gutter,
                "gutterSize": gutter_size,
                "doubleSided": double_sided,
                "duplexPass": duplex_pass,
                "flipOnShortEdge": flip_on_short_edge,
            },
            {},
        )

    def crop_pages(
        self,
        file: Source,
        /,
        *,
        auto_crop: bool | None = None,
        x: float | None = None,
        y: float | None = None,
        width: float | None = None,
        height: float | None = None,
        remove_data_outside_crop: bool | None = None,
    ) -> F:
        """Crop all pages to a rectangle or to their content.

        The rectangle is in points in each page's own coordinates, before any rotation; it becomes the page's media box
        and is not moved to 0, 0. `auto_crop` renders each page at 150 dpi and crops it to everything that is not white;
        blank pages keep their size. With `remove_data_outside_crop`, text, drawings, images, annotations and form
        fields that are completely outside are removed from the file, and images that are partly outside lose the pixels
        there (lossy images are recompressed); drawings that reach inside stay whole. Without it, only the boxes change.
        Bookmarks, links, form fields, page labels and tags of the remaining content stay.

        Args:
            file: The document (.pdf).
            auto_crop: Crop each page to its visible content; x, y, width and height are then ignored. Default: False.
            x: Left edge in points; required unless auto_crop is set. From -1000000 to 1000000 pt.
            y: Bottom edge in points, measured upwards from the page's origin; required unless auto_crop is set. From
                -1000000 to 1000000 pt.
            width: Width in points, above 0; required unless auto_crop is set. More than 0 to 1000000 pt.
            height: Height in points, above 0; required unless auto_crop is set. More than 0 to 1000000 pt.
            remove_data_outside_crop: Remove the content outside instead of hiding it. Default: True.

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/crop",
            [file],
            {
                "autoCrop": auto_crop,
                "x": x,
                "y": y,
                "width": width,
                "height": height,
                "removeDataOutsideCrop": remove_data_outside_crop,
            },
            {},
        )

    def edit_page_labels(self, file: Source, /, *, labels: Json) -> F:
        """Set the page labels of a PDF.

        Page labels are the numbers that viewers show for pages and accept to go to one; nothing is printed on the pages
        (`misc/add-page-numbers` does that). `labels` lists ranges in the format that `general/extract-page-labels`
        returns, in any order; a range ends where the next one begins. `style` is `decimal` (1, 2, 3) when absent, or
        `romanLower` (i, ii, iii), `romanUpper` (I, II, III), `lettersLower` (a to z, then aa, bb), `lettersUpper` or
        `none`, which shows the prefix alone. `prefix` is empty and `start` is 1 when absent. Pages before the first
        range are numbered 1, 2, 3. All labels are replaced; `[]` removes them.

        Args:
            file: The document (.pdf).
            labels: JSON array of ranges: pageNumber (from 1), style, prefix and start. Sent as JSON.

        Returns:
            The document (pdf).
        """
        return self._file("general/edit-page-labels", [file], {"labels": json_text(labels)}, {})

    def edit_table_of_contents(self, file: Source, /, *, bookmark_data: str) -> F:
        """Replace the bookmarks of a PDF.

        `bookmark_data` has the format that `general/extract-bookmarks` returns. Page numbers are limited to those of
        the document; `[]` removes all bookmarks.

        Args:
            file: The document (.pdf).
            bookmark_data: JSON list of {title, pageNumber, children}; pages count from 1.

        Returns:
            The document (pdf).
        """
        return self._file("general/edit-table-of-contents", [file], {"bookmarkData": bookmark_data}, {})

    def edit_text(
        self,
        file: Source,
        /,
        *,
        edits: str,
        whole_word_search: bool | None = None,
        page_numbers: str | None = None,
    ) -> F:
        """Find and replace text.

        Text is matched exactly, including case, in the text of each page and its form XObjects: a match may span
        several pieces of text, and a gap or a line end counts as a space. Edits run in order, each on the result of
        those before; finding nothing is not an error. The new text uses the font of the text that it replaces if that
        has the characters, otherwise an embedded font. The rest of the line moves along; other lines stay in place. The
        old text is removed from the file. Text in annotations, form fields and images is not searched. `X-Tool-Report`
        holds `replaced`.

        Args:
            file: The document (.pdf).
            edits: JSON list of {find, replace}, or one such object; an empty or missing replace deletes the match.
            whole_word_search: Match whole words only: no letter A to Z, digit or underscore on either side. Default:
                False.
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/edit-text",
            [file],
            {"edits": edits, "wholeWordSearch": whole_word_search, "pageNumbers": page_numbers},
            {},
        )

    @as_method
    def extract_bookmarks(self, file: Source, /) -> Call[ExtractBookmarksAnswer]:
        """Get the bookmarks of a PDF as JSON.

        Named destinations and GoTo actions are resolved to page numbers, which count from 1; a bookmark without a
        target page gets 1. `general/edit-table-of-contents` accepts the same format.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("general/extract-bookmarks", [file], {}, {})

    @as_method
    def extract_page_labels(self, file: Source, /) -> Call[ExtractPageLabelsAnswer]:
        """Get the page labels of a PDF as JSON.

        Page labels are the numbers that viewers show for pages, such as iv or A-3. A range ends where the next one
        begins: its first page has the number `start`, and each label is `prefix` followed by the number in `style`. A
        document without page labels, whose pages viewers number 1, 2, 3, returns an empty list.
        `general/edit-page-labels` accepts the same format.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("general/extract-page-labels", [file], {}, {})

    def merge_pdfs(
        self,
        files: Iterable[Source],
        /,
        *,
        sort_type: Literal["orderProvided", "byFileName", "byDateModified", "byDateCreated", "byPDFTitle"]
        | None = None,
        remove_cert_sign: bool | None = None,
        generate_toc: bool | None = None,
        file_order: str | None = None,
    ) -> F:
        """Merge several PDFs into one.

        Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments of all inputs are
        kept. If two inputs use the same name, the later one gets a number: `name_2`.

        Args:
            files: The documents (.pdf).
            sort_type: Order of the inputs; both dates put the newest first, and files without a title or date come
                last. Default: "orderProvided".
            remove_cert_sign: Remove signature fields; their appearance stays on the page. Default: True.
            generate_toc: Add one bookmark per input, before those of the inputs. Default: False.
            file_order: File names in the desired order, one per line; takes precedence over sort_type.

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/merge-pdfs",
            files,
            {
                "sortType": sort_type,
                "removeCertSign": remove_cert_sign,
                "generateToc": generate_toc,
                "fileOrder": file_order,
            },
            {},
        )

    def lay_out_pages(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Put several pages on each sheet (N-up).

        Sheets are A4. Each page is scaled evenly to fit its cell and centred, upright as the reader sees it. Links,
        bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their pages; page
        labels are removed, because a sheet shows several of the pages that they number.

        Args:
            file: The document (.pdf).
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

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/multi-page-layout",
            [file],
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
            {},
        )

    def overlay_pdfs(
        self,
        file: Source,
        /,
        *,
        overlay_mode: Literal["SequentialOverlay", "InterleavedOverlay", "FixedRepeatOverlay"],
        overlay_files: Iterable[Source],
        counts: Sequence[str | int | float] | None = None,
        overlay_position: int | None = None,
    ) -> F:
        """Overlay other PDFs on a PDF, or put them under it.

        Overlay pages are centred on the base page as the reader sees it (rotated and cropped), upright and unscaled.
        `SequentialOverlay` gives base page k the k-th page of all overlay files one after another, starting over at the
        end; `InterleavedOverlay` gives it the first page of each file in turn; `FixedRepeatOverlay` puts the first page
        of file i on counts[i] times as many base pages as file i has pages, and leaves the rest as they are. Everything
        in the base document stays: bookmarks, links, form fields, tags. Layers of the overlays are kept; their
        annotations and form fields are not. A PDF/A or PDF/X declaration stays only if all overlays have the same one.

        Args:
            file: The document (.pdf).
            overlay_mode: Which overlay page each base page gets.
            counts: Required for FixedRepeatOverlay, otherwise ignored: how often each overlay file is repeated, one
                number per file.
            overlay_position: 0 puts the overlays over the page content, any other number under it. Default: 0.
            overlay_files: Files (.pdf). One or more PDFs to put over the pages, in order.

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/overlay-pdfs",
            [file],
            {"overlayMode": overlay_mode, "counts": counts, "overlayPosition": overlay_position},
            {"overlayFiles": overlay_files},
        )
