# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, Iterable, M, OperationBase, Source


class ConvertOperations(OperationBase[F, M]):
    """Operations of the category convert."""

    def convert_cbr_to_pdf(self, file: Source, /, *, optimize_for_ebook: bool | None = None) -> F:
        """Convert a CBR comic to PDF.

        One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the image has
        pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are left out and
        counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: the first bytes
        decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR archives are refused.

        Args:
            file: The document (.cbr, .rar, .cbz, .zip).
            optimize_for_ebook: Scales large images down for reading on a screen. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file("convert/cbr/pdf", [file], {"optimizeForEbook": optimize_for_ebook}, {})

    def convert_cbz_to_pdf(self, file: Source, /, *, optimize_for_ebook: bool | None = None) -> F:
        """Convert a CBZ comic to PDF.

        One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the image has
        pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are left out and
        counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: the first bytes
        decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR archives are refused.

        Args:
            file: The document (.cbz, .zip, .cbr, .rar).
            optimize_for_ebook: Scales large images down for reading on a screen. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file("convert/cbz/pdf", [file], {"optimizeForEbook": optimize_for_ebook}, {})

    def convert_ebook_to_pdf(
        self,
        file: Source,
        /,
        *,
        include_table_of_contents: bool | None = None,
        include_page_numbers: bool | None = None,
        optimize_for_ebook: bool | None = None,
    ) -> F:
        """Convert an e-book to PDF.

        EPUB, MOBI, AZW3, FB2 and plain text are printed on A4, or on the page size of a fixed-layout book; DOCX is
        converted by LibreOffice. Links between chapters work, the table of contents becomes bookmarks, the cover comes
        first. All used fonts are always embedded, so `embedAllFonts` has no effect. `optimize_for_ebook` scales images
        down to 150 dpi and compresses the file; it needs no other program. DRM-protected books are refused. For DOCX,
        `include_table_of_contents` and `include_page_numbers` have no effect.

        Args:
            file: The document (.epub, .mobi, .azw3, .azw, .fb2, .txt, .text, .docx).
            include_table_of_contents: Prints a table of contents with page numbers at the beginning. Default: False.
            include_page_numbers: Prints page numbers at the bottom of pages. Default: False.
            optimize_for_ebook: Makes the file smaller for small screens. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file(
            "convert/ebook/pdf",
            [file],
            {
                "includeTableOfContents": include_table_of_contents,
                "includePageNumbers": include_page_numbers,
                "optimizeForEbook": optimize_for_ebook,
            },
            {},
        )

    def convert_eml_to_pdf(
        self,
        file: Source,
        /,
        *,
        include_attachments: bool | None = None,
        max_attachment_size_mb: int | None = None,
        download_html: bool | None = None,
        include_all_recipients: bool | None = None,
    ) -> F:
        """Convert an email to PDF or HTML.

        Internet mail (`.eml`) and Outlook messages (`.msg`) are recognised by their content. The page shows subject,
        sender, recipients, the date in UTC, the body (HTML preferred) and a list of attachments; attached emails are
        attachments. Images inside the email are shown; external images are never loaded, their description is shown
        instead. Content signed with S/MIME or wrapped in `winmail.dat` is shown; encrypted content is reported as
        encrypted. Without `include_all_recipients`, CC and BCC are left out. For a PDF, `X-Tool-Report` contains
        `attachments`, `embedded` and `simplified` (the formatted body could not be printed, so its text was).

        Args:
            file: The document (.eml, .msg).
            include_attachments: Embeds the attachments in the PDF, which opens with its attachment list; each entry of
                the printed list gets an annotation. Default: False.
            max_attachment_size_mb: Attachments larger than this (in MiB) are listed but not embedded. From 1 to 100 MB.
                Default: 10.
            download_html: Returns the page as a self-contained HTML file instead of a PDF. Default: False.
            include_all_recipients: Also shows CC and BCC. Default: True.

        Returns:
            The document (pdf, html).
        """
        return self._file(
            "convert/eml/pdf",
            [file],
            {
                "includeAttachments": include_attachments,
                "maxAttachmentSizeMB": max_attachment_size_mb,
                "downloadHtml": download_html,
                "includeAllRecipients": include_all_recipients,
            },
            {},
        )

    def convert_file_to_pdf(self, file: Source, /) -> F:
        """Convert Word, Excel, PowerPoint and other files to PDF.

        Any file with an extension of 2 to 4 letters or digits is tried; LibreOffice decides. The result is tagged and
        has bookmarks for headings, links and form fields. Macros never run and nothing is loaded from elsewhere:
        references of OOXML, ODF (zipped or flat), RTF and SVG files to other servers and files, fields that include
        files and formulas that read them are removed first, and their saved content is shown; references to hosts in
        `system.html.urlSecurity.allowedDomains` stay, but LibreOffice has no network and shows an empty frame. HTML
        keeps formatting, tables, links and embedded images. Clickable links stay. Text and CSV may be UTF-8, UTF-16 or
        windows-1252; CSV may be separated by comma, semicolon, tab or bar. Their cells are printed as written: nothing
        becomes a number, a date or a formula. A PDF is returned unchanged. Tracked changes are printed, with deleted
        text struck through, and a warning says so. Characters for which the server has no font are printed as empty
        boxes, with a warning that names their script.

        Args:
            file: The document.

        Returns:
            The document (pdf).
        """
        return self._file("convert/file/pdf", [file], {}, {})

    def convert_html_to_pdf(self, file: Source, /, *, zoom: float | None = None) -> F:
        """Convert HTML to PDF.

        A browser prints the page: `@page`, page breaks and print styles apply; otherwise the paper is A4 with margins
        of 75 CSS pixels. The PDF is tagged and has bookmarks for headings; links work. From a zip, the page named
        `index` closest to the root is printed, otherwise the first page closest to the root; images, style sheets and
        fonts in the zip are found by relative addresses. No script runs and nothing is loaded from elsewhere. The page
        is cleaned first: scripts, forms, frames, objects and references to other servers are removed, styles stay.
        `system.disableSanitize` skips the cleaning, so forms are shown (but are not fillable). A warning names
        resources that could not be loaded.

        Args:
            file: The document (.html, .htm, .xhtml, .zip).
            zoom: Scale of the printed page. From 0.1 to 2. Default: 1.

        Returns:
            The document (pdf).
        """
        return self._file("convert/html/pdf", [file], {"zoom": zoom}, {})

    def convert_images_to_pdf(
        self,
        files: Iterable[Source],
        /,
        *,
        fit_option: Literal["fillPage", "fitDocumentToImage", "maintainAspectRatio"] | None = None,
        page_size: Literal["A4", "LETTER"] | None = None,
        color_type: str | None = None,
        auto_rotate: bool | None = None,
    ) -> F:
        """Convert images to PDF.

        All files become one PDF in upload order. Each frame of a TIFF is a page; of animations the first frame is used.
        JPEG data is kept unchanged, other images are stored losslessly, including transparency. The EXIF orientation is
        applied, except for TIFF.

        Args:
            files: The documents (.png, .jpg, .jpeg, .gif, .bmp, .tiff, .tif, .webp, .psd).
            fit_option: fillPage stretches to the paper, which changes the proportions; maintainAspectRatio scales and
                centres on it; fitDocumentToImage makes the page as many points as the image has pixels. Default:
                "fillPage".
            page_size: Paper of the pages; no effect with fitDocumentToImage. Default: "A4".
            color_type: Colour mode: color, greyscale or blackwhite; any other value means color. Default: "color".
            auto_rotate: Uses landscape pages for images that are wider than high. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file(
            "convert/img/pdf",
            files,
            {"fitOption": fit_option, "pageSize": page_size, "colorType": color_type, "autoRotate": auto_rotate},
            {},
        )

    def convert_markdown_to_pdf(self, file: Source, /) -> F:
        """Convert Markdown to PDF.

        CommonMark with pipe tables, footnotes, task lists, strikethrough and automatic links; code is highlighted if
        its language is named. Headings can be linked (`#like-this`) and become bookmarks. HTML in the text is cleaned
        as in `convert/html/pdf`, whose other rules apply too. YAML metadata at the beginning is not printed; its
        `title` becomes the document title. From a zip, `index.md` at the root is printed, otherwise the first `.md` or
        `.markdown` file closest to the root; images in the zip are found by relative addresses, and a warning names
        resources that could not be loaded.

        Args:
            file: The document (.md, .markdown, .zip).

        Returns:
            The document (pdf).
        """
        return self._file("convert/markdown/pdf", [file], {}, {})

    def convert_pdf_to_cbr(self, file: Source, /, *, dpi: int | None = None) -> F:
        """Convert a PDF to a CBR comic.

        Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The archive
        uses RAR 2.9, which every reader knows, without further compression, because PNG is already compressed.

        Args:
            file: The document (.pdf).
            dpi: Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Default: 150.

        Returns:
            The document (cbr).
        """
        return self._file("convert/pdf/cbr", [file], {"dpi": dpi}, {})

    def convert_pdf_to_cbz(self, file: Source, /, *, dpi: int | None = None) -> F:
        """Convert a PDF to a CBZ comic.

        Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The zip is not
        compressed further, because PNG is already compressed.

        Args:
            file: The document (.pdf).
            dpi: Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Default: 150.

        Returns:
            The document (cbz).
        """
        return self._file("convert/pdf/cbz", [file], {"dpi": dpi}, {})

    def convert_pdf_to_csv(self, file: Source, /, *, page_numbers: str | None = None) -> M:
        """Extract tables to CSV.

        Finds tables drawn with lines or filled cells on the selected pages (default: all). The CSV has commas, CR LF,
        every field quoted, in UTF-8. A merged cell has its text in its first position; lines within a cell are
        separated by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is written as
        printed, even if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text. Form field values
        count as text. Scanned pages need OCR first.

        Args:
            file: The document (.pdf).
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".

        Returns:
            The document (csv). Several files come as a zip; see `Document.files`. `None` if the document does not
                match.
        """
        return self._maybe("convert/pdf/csv", [file], {"pageNumbers": page_numbers}, {})

    def convert_pdf_to_epub(
        self,
        file: Source,
        /,
        *,
        detect_chapters: bool | None = None,
        target_device: Literal["TABLET_PHONE_IMAGES", "KINDLE_EINK_TEXT"] | None = None,
        output_format: Literal["EPUB", "AZW3"] | None = None,
    ) -> F:
        """Convert a PDF to EPUB or AZW3.

        Reflowable text: chapters, headings, lists, tables, images, links, footnotes, the first page as cover, a table
        of contents and the PDF pages as page list (EPUB 3, with EPUB 2 navigation). Chapters start at the top-level
        bookmarks, otherwise at the largest headings and at headings that look like chapter titles. Running headers,
        page numbers, colours and fonts are left out. `AZW3` is converted from the EPUB by Calibre.

        Args:
            file: The document (.pdf).
            detect_chapters: Starts a new file and a table-of-contents entry at each chapter. Default: True.
            target_device: KINDLE_EINK_TEXT: greyscale images scaled for e-ink screens. Default: "TABLET_PHONE_IMAGES".
            output_format: Format of the e-book. Default: "EPUB".

        Returns:
            The document (epub, mobi).
        """
        return self._file(
            "convert/pdf/epub",
            [file],
            {"detectChapters": detect_chapters, "targetDevice": target_device, "outputFormat": output_format},
            {},
        )

    def convert_pdf_to_html(self, file: Source, /) -> F:
        """Convert a PDF to HTML.

        The zip contains `<base>.html` and its images. The page has the content of the PDF in reading order: headings,
        paragraphs, lists, tables with merged cells, images, internal and external links, footnotes, and the bookmarks
        at the top; each PDF page is a section `page-<n>`. Running headers, footers, page numbers, form fields, comments
        and exact positions are left out. The page runs no script and loads nothing from elsewhere.

        Args:
            file: The document (.pdf).

        Returns:
            The document (zip).
        """
        return self._file("convert/pdf/html", [file], {}, {})

    def convert_pdf_to_images(
        self,
        file: Source,
        /,
        *,
        image_format: Literal["png", "jpeg", "jpg", "gif", "webp", "tif", "tiff"] | None = None,
        single_or_multiple: str | None = None,
        color_type: str | None = None,
        dpi: int | None = None,
        page_numbers: str | None = None,
        include_annotations: bool | None = None,
    ) -> F:
        """Convert pages to images.

        The image has the size of the crop box in points times dpi / 72, rounded down. `multiple` gives a zip with one
        image per page, numbered in the requested order; `single` stacks the pages from top to bottom (TIFF: one frame
        per page). WebP images are scaled down to 16383 pixels per side.

        Args:
            file: The document (.pdf).
            image_format: Image format, which is also the file extension. Default: "png".
            single_or_multiple: single stacks the pages in one image; multiple, or any other value, gives one image per
                page. Default: "multiple".
            color_type: Colour mode: color, greyscale or blackwhite; any other value means color. Default: "color".
            dpi: Resolution; at most the setting system.maxDPI. From 1 dpi. Default: 300.
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
            include_annotations: Also draws annotations and form fields. Default: False.

        Returns:
            The document (png, jpeg, gif, webp, tiff). Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "convert/pdf/img",
            [file],
            {
                "imageFormat": image_format,
                "singleOrMultiple": single_or_multiple,
                "colorType": color_type,
                "dpi": dpi,
                "pageNumbers": page_numbers,
                "includeAnnotations": include_annotations,
            },
            {},
        )
