# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, Iterable, Json, M, OperationBase, Source, json_text


class MiscOperations(OperationBase[F, M]):
    """Operations of the category misc."""

    def add_attachments(
        self,
        file: Source,
        /,
        *,
        attachments: Iterable[Source],
        convert_to_pdf_a3b: bool | None = None,
    ) -> F:
        """Attach files to a PDF.

        Each file is embedded under its own name, with its size, media type, checksum and description; its dates are set
        to the current time. An existing attachment with the same name is replaced. If two uploaded files share a name,
        the second gets a number (`name_1.ext`). Viewers show the list of attachments when they open the document.

        With `convert_to_pdf_a3b` the document is first converted to PDF/A-3, level B, the way `convert/pdf/pdfa` does
        it: in place if possible, otherwise with pages that Ghostscript renders again. The result declares PDF/A-3 only
        if veraPDF confirms it; `X-Tool-Report` has `way`, `checked` and `compliant`. Without veraPDF, Ghostscript's own
        verdict counts. A document that is already PDF/A-3 is not converted.

        A document that declares a part of PDF/A which forbids such attachments loses that declaration (`withdrawn`).

        Args:
            file: The document (.pdf).
            convert_to_pdf_a3b: Convert the document to PDF/A-3b first. Default: False.
            attachments: Files. Files to attach, at most 50 MB each and 200 MB together; repeat the field for several.

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/add-attachments",
            [file],
            {"convertToPdfA3b": convert_to_pdf_a3b},
            {"attachments": attachments},
        )

    def add_comments(self, file: Source, /, *, comments: Json) -> F:
        """Add sticky notes to pages.

        `comments` is a JSON array of objects with `pageIndex` (from 0), `x`, `y`, `width`, `height` (the note's
        rectangle in points, origin at the bottom left), `text`, and optionally `author`, `subject` and `anchorText`. A
        note with `anchorText` is placed at the first line of the page that contains the letters and digits of that
        text, ignoring case; if no line does, the coordinates are used.

        A note is skipped if its text is blank or longer than 100000 characters, if it has no width or height (unless it
        is anchored), or if the page does not exist. `X-Tool-Report` holds `added` and `skipped`.

        Args:
            file: The document (.pdf).
            comments: JSON array of notes. Sent as JSON.

        Returns:
            The document (pdf).
        """
        return self._file("misc/add-comments", [file], {"comments": json_text(comments)}, {})

    def add_image(
        self,
        file: Source,
        /,
        *,
        image_file: Source,
        x: float | None = None,
        y: float | None = None,
        width: float | None = None,
        page_number: int | None = None,
        every_page: bool | None = None,
    ) -> F:
        """Add an image or a signature to a page or every page.

        Without `width` the image keeps its natural size: one pixel is one point. Of a TIFF, only the first page is
        used. An SVG is drawn as vectors: a pixel is a point, and units of length are kept. Scripts in an SVG are
        dropped; an SVG that refers to other files is refused. On rotated pages the image is upright as the reader sees
        it.

        Args:
            file: The document (.pdf).
            x: Distance in points from the left edge of the page to the image. From -1000000 to 1000000 pt. Default: 0.
            y: Distance in points from the bottom of the page to the image's lower edge. From -1000000 to 1000000 pt.
                Default: 0.
            width: Width of the image in points; its height follows. By default a pixel is a point. More than 0 to 14400
                pt.
            page_number: Page of the image, from 1; ignored with every_page. From 1. Default: 1.
            every_page: Add the image to every page instead of only one. Default: False.
            image_file: A file (.png, .jpg, .jpeg, .gif, .bmp, .tiff, .tif, .webp, .svg). The image to add.

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/add-image",
            [file],
            {"x": x, "y": y, "width": width, "pageNumber": page_number, "everyPage": every_page},
            {"imageFile": image_file},
        )

    def add_page_numbers(
        self,
        file: Source,
        /,
        *,
        custom_margin: str | None = None,
        font_size: float | None = None,
        font_type: str | None = None,
        font_color: str | None = None,
        zero_pad: int | None = None,
        position: int | None = None,
        starting_number: int | None = None,
        pages_to_number: str | None = None,
        custom_text: str | None = None,
    ) -> F:
        """Add page numbers.

        The number rises by one for each numbered page, in the order of `pages_to_number`. The text uses a standard
        font, and an embedded font for characters that the standard font lacks; if the document declares PDF/A, all of
        the text uses an embedded font. Positions and margins are measured from the media box, or from the crop box if
        the text would not be fully visible otherwise. On rotated pages the text is upright as the reader sees it.

        Args:
            file: The document (.pdf).
            custom_margin: Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the page's
                width and height. Any other value means medium. Default: "medium".
            font_size: Font size in points. From 1 to 14400 pt. Default: 12.
            font_type: Font: helvetica, courier or times. Any other value means helvetica. Default: "helvetica".
            font_color: Colour as #RRGGBB, 0xRRGGBB or a decimal number; an unreadable value means black. Default:
                "#000000".
            zero_pad: Minimum number of digits; shorter numbers get leading zeros. From 0 to 100. Default: 0.
            position: Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom; values
                outside 1 to 9 are limited to that range. From 1 to 9. Default: 8.
            starting_number: Number for the first numbered page. From 1. Default: 1.
            pages_to_number: Pages to number, in this order: numbers, ranges and formulas with n, separated by commas
                (1,3,5-9 or 2n-1), or all. Default: "all".
            custom_text: Text to write: {n} is the number, {total} the document's page count, {filename} its name
                without extension. Default: "{n}".

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/add-page-numbers",
            [file],
            {
                "customMargin": custom_margin,
                "fontSize": font_size,
                "fontType": font_type,
                "fontColor": font_color,
                "zeroPad": zero_pad,
                "position": position,
                "startingNumber": starting_number,
                "pagesToNumber": pages_to_number,
                "customText": custom_text,
            },
            {},
        )

    def add_stamp(
        self,
        file: Source,
        /,
        *,
        stamp_type: Literal["text", "image"],
        stamp_text: str | None = None,
        alphabet: Literal["roman", "arabic", "japanese", "korean", "chinese", "thai"] | None = None,
        font_size: float | None = None,
        rotation: float | None = None,
        opacity: float | None = None,
        position: int | None = None,
        override_x: float | None = None,
        override_y: float | None = None,
        custom_margin: str | None = None,
        custom_color: str | None = None,
        page_numbers: str | None = None,
        stamp_image: Source | None = None,
    ) -> F:
        r"""Stamp text or an image on pages.

        Placeholders in the text: `@date{pattern}` with Java date letters, `@datetime`, `@date`, `@time`, `@year`,
        `@month`, `@day`, `@page_number`, `@page_count`, `@total_pages`, `@page`, `@filename_full`, `@filename`,
        `@author`, `@title`, `@subject`, `@uuid` (different on each page); `@@` is a literal @. Dates are in the
        server's local time.

        Positions and margins are measured from the media box, or from the crop box if the stamp would not be fully
        visible otherwise. On rotated pages the stamp is upright as the reader sees it. Lengths are points, whatever
        unit the page uses. A rotated text is aligned to its position as a whole; an image is rotated around its lower
        left corner and kept within the page.

        Args:
            file: The document (.pdf).
            stamp_type: Whether to stamp the text or the image in stamp_image; case does not matter.
            stamp_text: Text of the stamp, with placeholders. A line break, or the two characters \n, starts a new line.
                Default: "Quire".
            alphabet: Alphabet of the text; its font is preferred for every character. Default: "roman".
            font_size: Font size, or height of the image, in points. More than 0 to 14400 pt. Default: 40.
            rotation: Angle in degrees, counter-clockwise. Default: 0.
            opacity: From 0.0 (invisible) to 1.0 (opaque). From 0 to 1. Default: 0.5.
            position: Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom. From 1 to
                9. Default: 8.
            override_x: Distance in points from the left edge; replaces the position if both overrides are 0 or more.
                From -1000000 to 1000000 pt. Default: -1.
            override_y: Distance in points from the bottom edge; see override_x. From -1000000 to 1000000 pt. Default:
                -1.
            custom_margin: Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the average of
                page width and height. Any other value means medium. Default: "medium".
            custom_color: Text colour in hexadecimal, with or without #; an unreadable value means light grey. Default:
                "#d3d3d3".
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
            stamp_image: A file (.png, .jpg, .jpeg, .gif, .bmp). Image for an image stamp.

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/add-stamp",
            [file],
            {
                "stampType": stamp_type,
                "stampText": stamp_text,
                "alphabet": alphabet,
                "fontSize": font_size,
                "rotation": rotation,
                "opacity": opacity,
                "position": position,
                "overrideX": override_x,
                "overrideY": override_y,
                "customMargin": custom_margin,
                "customColor": custom_color,
                "pageNumbers": page_numbers,
            },
            {"stampImage": stamp_image},
        )

    def auto_rename(self, file: Source, /, *, use_first_text_as_fallback: bool | None = None) -> F:
        r"""Rename a PDF after its title text.

        The new name is the text with the largest font size in the first 200 lines of the document; consecutive lines of
        that size are joined. The characters `/ \ ? % * : | " < >` are removed. If there is no such text, or it has 255
        characters or more, the file keeps its name, or with `use_first_text_as_fallback` takes the first usable line as
        its name. The document itself is returned byte for byte.

        Args:
            file: The document (.pdf).
            use_first_text_as_fallback: Use the first line of text if the largest text is not usable as a name. Default:
                False.

        Returns:
            The document.
        """
        return self._file("misc/auto-rename", [file], {"useFirstTextAsFallback": use_first_text_as_fallback}, {})

    def split_at_dividers(self, file: Source, /, *, duplex_mode: bool | None = None) -> F:
        """Split a PDF at QR code divider pages.

        A divider is a page with a QR code that contains exactly one of the texts on the printed divider sheets. The
        code may be rotated, light on dark, small or noisy. Dividers are removed, even on the first page, and so are
        parts without pages. If there is no divider, the result is a single part with all pages. Bookmarks, links and
        form fields stay with their pages.

        Args:
            file: The document (.pdf).
            duplex_mode: Also remove the page after each divider: the back of the divider sheet. Default: False.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file("misc/auto-split-pdf", [file], {"duplexMode": duplex_mode}, {})

    def compress_pdf(
        self,
        file: Source,
        /,
        *,
        optimize_level: int | None = None,
        expected_output_size: str | None = None,
        linearize: bool | None = None,
        normalize: bool | None = None,
        grayscale: bool | None = None,
        line_art: bool | None = None,
        line_art_threshold: float | None = None,
        line_art_edge_level: int | None = None,
    ) -> F:
        """Compress a PDF by level or target size.

        Levels 1 to 3 are lossless: they compress streams and objects better, encode 1-bit images as JBIG2, and remove
        unused objects. Levels 4 to 9 also downscale and recompress images, more strongly with each level, and reduce
        composite TrueType fonts to the glyphs in use. From level 6 on, scans of text are separated into layers where
        that is smaller: what is written stays sharp at the full resolution, one bit per pixel, over a background of low
        resolution. With `expected_output_size` a level is chosen for you and raised until the size is reached or level
        9 is; missing the target is not an error. If nothing smaller can be produced, the file is returned unchanged,
        even where it is damaged; `X-Warnings` says so. `X-Tool-Report` holds `level`, `achieved`, `unchanged`, `scans`
        (how many were separated), `inputBytes` and `outputBytes`.

        Args:
            file: The document (.pdf).
            optimize_level: Compression level from 1 to 9; ignored with expected_output_size. From 1 to 9. Default: 5.
            expected_output_size: Target size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes); MB without a
                unit.
            linearize: Linearize the file, so that viewers can show it while it loads. Default: False.
            normalize: Rewrite page content in a regular form first. Default: False.
            grayscale: Convert images to greyscale; text and drawings keep their colours. Default: False.
            line_art: Convert images to black and white line art first. Default: False.
            line_art_threshold: Brightness in percent from which line art turns white; limited to 0 to 100. From 0 to
                100 %. Default: 55.
            line_art_edge_level: How strongly line art emphasises edges; limited to 1 to 3. From 1 to 3. Default: 1.

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/compress-pdf",
            [file],
            {
                "optimizeLevel": optimize_level,
                "expectedOutputSize": expected_output_size,
                "linearize": linearize,
                "normalize": normalize,
                "grayscale": grayscale,
                "lineArt": line_art,
                "lineArtThreshold": line_art_threshold,
                "lineArtEdgeLevel": line_art_edge_level,
            },
            {},
        )

    def decompress_pdf(self, file: Source, /) -> F:
        """Decompress all streams of a PDF.

        Every stream is stored without a filter and object streams are not used, so that the file can be read as text.
        JPEG, CCITT fax and JBIG2 images become raw samples in their own colour space, up to 384 MiB in total. JPEG 2000
        images, broken streams and streams that cannot be decoded exactly stay as they are. A document that would grow
        beyond 1 GiB is refused. `X-Tool-Report` holds `decoded` (streams stored without a filter) and `kept` (streams
        left as they were).

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("misc/decompress-pdf", [file], {}, {})

    def delete_attachment(self, file: Source, /, *, attachment_name: str) -> F:
        """Delete an attachment from a PDF.

        Deletes the first attachment with that name: its bytes, its entry among the associated files, and the
        annotations that show it.

        Args:
            file: The document (.pdf).
            attachment_name: Exact name, as list-attachments returns it.

        Returns:
            The document (pdf).
        """
        return self._file("misc/delete-attachment", [file], {"attachmentName": attachment_name}, {})
