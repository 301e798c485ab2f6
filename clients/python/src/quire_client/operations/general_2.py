# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, M, OperationBase, Source


class General2Operations(OperationBase[F, M]):
    """Operations of the category general."""

    def combine_to_single_page(self, file: Source, /) -> F:
        """Combine all pages into one long page.

        Pages keep their size and are stacked upright along the left edge, the first at the top. Each page becomes a
        layer (`Layer0`, `Layer1` and so on) in addition to the layers of the document. A page may not be longer than
        14400 units; if the pages together are longer, a larger unit is used (`UserUnit`) and the size in points is
        still exact. Links, bookmarks, form fields, comments, tags and attachments stay, moved with their pages; page
        labels are removed.

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("general/pdf-to-single-page", [file], {}, {})

    def rearrange_pages(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Reorder, remove or duplicate pages.

        CUSTOM puts the listed pages in the listed order, each of them once; pages that are not listed are removed
        together with everything that only they used. `general/assemble-pages` can use a page more than once.
        DUPLEX_SORT gives 1, n, 2, n-1 and so on; with an odd page count the middle page is last, while BOOKLET_SORT
        leaves it out. SIDE_STITCH_BOOKLET_SORT orders each four pages as 4, 1, 2, 3 and fills up with the last page.
        DUPLICATE repeats every page `page_numbers` times (2 if that is not a number). A copy of a page has the same
        content and its own annotations; a form field on it remains one field with one value.

        Args:
            file: The document (.pdf).
            custom_mode: How to order the pages, in upper or lower case; CUSTOM uses page_numbers. Default: "CUSTOM".
            page_numbers: New order for CUSTOM: numbers, ranges and formulas with n, separated by commas (3,1,5-9 or
                2n-1), or all; for DUPLICATE the number of copies of each page. Default: "all".

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/rearrange-pages",
            [file],
            {"customMode": custom_mode, "pageNumbers": page_numbers},
            {},
        )

    def remove_images(self, file: Source, /) -> F:
        """Remove all images from the pages.

        Images and image masks are removed together with the operators that draw them, also inside form XObjects and
        inline in the content, and so are page thumbnails; nothing of them remains in the file. Images in annotations
        and patterns stay. A PDF without images is returned rewritten. `X-Tool-Report` holds `removed`.

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("general/remove-image-pdf", [file], {}, {})

    def remove_pages(self, file: Source, /, *, page_numbers: str) -> F:
        """Delete pages.

        Everything that only the removed pages used is removed with them: content, links and bookmarks to them, and form
        fields without another widget.

        Args:
            file: The document (.pdf).
            page_numbers: Pages to remove: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1).

        Returns:
            The document (pdf).
        """
        return self._file("general/remove-pages", [file], {"pageNumbers": page_numbers}, {})

    def rotate_pdf(self, file: Source, /, *, angle: int | None = None) -> F:
        """Rotate all pages.

        The angle is added to the current rotation of each page. Any multiple of 90 is accepted, including negative
        values and values above 360.

        Args:
            file: The document (.pdf).
            angle: Clockwise angle in degrees, a multiple of 90 (0, 90, 180, 270). Default: 90.

        Returns:
            The document (pdf).
        """
        return self._file("general/rotate-pdf", [file], {"angle": angle}, {})

    def scale_pages(
        self,
        file: Source,
        /,
        *,
        page_size: Literal["A0", "A1", "A2", "A3", "A4", "A5", "A6", "LETTER", "LEGAL", "KEEP"],
        orientation: str | None = None,
        scale_factor: float | None = None,
    ) -> F:
        """Scale pages to a paper size.

        Each page is used as the reader sees it: cropped, rotated upright, and in points whatever its unit. It is scaled
        to fit the paper, times `scale_factor`, and centred; the results have neither a rotation nor a crop box. With a
        factor above 1, everything outside the paper is cut off. Content that a crop box hid stays hidden. `KEEP` is the
        size of the first page as the reader sees it. Links, form fields, comments, bookmarks, page labels and tags
        stay, moved with the pages.

        Args:
            file: The document (.pdf).
            page_size: Paper size of all pages; KEEP uses the size of the first page.
            orientation: LANDSCAPE, in upper or lower case, uses the paper in landscape; any other value means PORTRAIT.
                Ignored with KEEP. Default: "PORTRAIT".
            scale_factor: Factor in addition to fitting the page to the paper: 1 fits exactly, less leaves a margin,
                more is cut off at the edges, 0 shows nothing. From 0 to 10000. Default: 1.

        Returns:
            The document (pdf).
        """
        return self._file(
            "general/scale-pages",
            [file],
            {"pageSize": page_size, "orientation": orientation, "scaleFactor": scale_factor},
            {},
        )

    def send_email(self, file: Source, /, *, to: str, subject: str | None = None, body: str | None = None) -> F:
        """Send a file by email.

        Returns once the mail server has accepted the message for every recipient. If it refuses the message, its own
        words are returned (502 `MAIL_REFUSED`); if mail is not set up (`mail.*`), the call fails with 503. The file is
        attached unchanged, under its own name, up to 25 MB (the setting `operations` can raise that).

        Args:
            file: The document.
            to: Email address of the recipient; separate several by commas.
            subject: Subject, one line. Default: "A file from Quire".
            body: Body of the message, as HTML. Default: "<p>The file that you were sent is attached.</p>".

        Returns:
            The document (txt).
        """
        return self._file("general/send-email", [file], {"to": to, "subject": subject, "body": body}, {})

    def split_by_size_or_count(
        self,
        file: Source,
        /,
        *,
        split_type: int | None = None,
        split_value: str | None = None,
    ) -> F:
        """Split a PDF by file size, page count or part count.

        By size, parts are as large as possible without exceeding it, measured on the written files; a single page that
        is larger becomes its own part. By number of parts, their page counts differ by at most one, and there are never
        more parts than pages.

        Args:
            file: The document (.pdf).
            split_type: 0 by file size, 1 by pages per part, 2 by number of parts. From 0 to 2. Default: 0.
            split_value: For type 0 a size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes), MB without a unit;
                for types 1 and 2 a whole number above 0. Default: "10MB".

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "general/split-by-size-or-count",
            [file],
            {"splitType": split_type, "splitValue": split_value},
            {},
        )

    def split_for_poster_print(
        self,
        file: Source,
        /,
        *,
        page_size: Literal["A4", "Letter", "A3", "A5", "Legal", "Tabloid"] | None = None,
        x_factor: int | None = None,
        y_factor: int | None = None,
        right_to_left: bool | None = None,
    ) -> F:
        """Split pages onto several sheets for a poster.

        Each page, as the reader sees it, is divided into `x_factor` by `y_factor` cells; each sheet shows one cell as
        large as it fits, centred, plus whatever next to it fits on the paper. Sheets are always upright. The content is
        stored once, however many sheets show it. Comments, links and form fields go to the sheet that shows their
        centre, bookmarks and link targets to the one that shows their point; tags, layers and attachments stay, page
        labels are removed.

        Args:
            file: The document (.pdf).
            page_size: Paper size of the sheets. Default: "A4".
            x_factor: Sheets side by side. From 1 to 10. Default: 2.
            y_factor: Sheets above each other. From 1 to 10. Default: 2.
            right_to_left: Order the sheets of a row from right to left. Default: False.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "general/split-for-poster-print",
            [file],
            {"pageSize": page_size, "xFactor": x_factor, "yFactor": y_factor, "rightToLeft": right_to_left},
            {},
        )

    def split_pages(self, file: Source, /, *, page_numbers: str | None = None) -> F:
        """Split a PDF after given pages.

        Each selected page is the last page of a part; the last page of the document always ends one. A part contains
        nothing of any other page: no text, image, bookmark, link or form field. Attachments of the document are not
        included in the parts.

        Args:
            file: The document (.pdf).
            page_numbers: Last pages of the parts: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or
                2n-1), or all. Default: "all".

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file("general/split-pages", [file], {"pageNumbers": page_numbers}, {})

    def split_pdf_by_chapters(
        self,
        file: Source,
        /,
        *,
        include_metadata: bool | None = None,
        allow_duplicates: bool | None = None,
        bookmark_level: int | None = None,
    ) -> F:
        """Split a PDF at its bookmarks.

        A part runs from its bookmark to the page before the next one; pages before the first bookmark are in no part.
        Parts are named after their number from 0, padded with zeros, and their title. Bookmarks that start on the same
        page as the next one are merged with it, titles included, unless `allow_duplicates` keeps them as separate parts
        of that one page. A part contains nothing of any other page.

        Args:
            file: The document (.pdf).
            include_metadata: Copy title, author and other metadata of the document into each part. Default: False.
            allow_duplicates: Keep every bookmark that starts on the same page as the next one as a separate part.
                Default: False.
            bookmark_level: Depth of the bookmarks that count as chapters; 0 is the top level only. From 0. Default: 0.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "general/split-pdf-by-chapters",
            [file],
            {"includeMetadata": include_metadata, "allowDuplicates": allow_duplicates, "bookmarkLevel": bookmark_level},
            {},
        )

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
    ) -> F:
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
                formulas with n, separated by commas (1,3,5-9 or 2n-1), or all.
            horizontal_divisions: Number of vertical cuts: one less than the number of columns. From 0 to 50. Default:
                0.
            vertical_divisions: Number of horizontal cuts: one less than the number of rows. From 0 to 50. Default: 1.
            merge: Return one PDF with all sections in order instead of a zip with one PDF per section. Default: False.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file(
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
