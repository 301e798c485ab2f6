# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, Iterable, M, OperationBase, Source


class Convert2Operations(OperationBase[F, M]):
    """Operations of the category convert."""

    def convert_pdf_to_markdown(self, file: Source, /) -> F:
        """Convert a PDF to Markdown.

        One UTF-8 file: CommonMark with pipe tables and footnotes. Headings come from the tags, the bookmarks, or the
        size and weight of the text. Nested lists, tables with and without lines (also across page breaks; a merged cell
        has its text in its first position), code, emphasis and web links are kept. Columns are read one after another
        and hyphenated words are joined. Running headers and page numbers are left out. An image is replaced by a line
        with its size, resolution, format and colour. Internal links become text; underlining, colours and sizes are
        dropped. There is no OCR: a document without text comes with a warning.

        Args:
            file: The document (.pdf).

        Returns:
            The document (md).
        """
        return self._file("convert/pdf/markdown", [file], {}, {})

    def convert_pdf_to_pdf_a(
        self,
        file: Source,
        /,
        *,
        output_format: Literal["pdfa-1b", "pdfa-2b", "pdfa-2u", "pdfa-3b", "pdfa-3u", "pdfx"] | None = None,
        strict: bool | None = None,
    ) -> F:
        """Convert a PDF to PDF/A or PDF/X.

        A result claims PDF/A only if veraPDF confirms it. The server tries, in this order: the document unchanged;
        repaired in place (tags, bookmarks, links, fields, layers and files stay as far as the standard allows); with
        its pages redrawn by Ghostscript (tags and layers are lost); redrawn completely (form fields are lost too).
        Where Ghostscript fails on the document, its pages become images, and `X-Warnings` says so. `X-Tool-Report` says
        which `way` was used, whether the result was `checked` and is `compliant`, what it `claims`, and what was lost.

        If no way gives a compliant result, the one with the fewest violations is returned **without the claim**, and
        the report lists rules; with `strict` it is refused instead. If only the rules of level U are violated, level B
        is claimed. Without veraPDF, Ghostscript's own check counts and `checked` is false; `strict` needs veraPDF.

        Part 1 allows no transparency, layers or embedded files; part 2 results have no embedded files; part 3 keeps
        them. Scripts and other actions are removed, and signatures become invalid and are removed (their appearance
        stays).

        PDF/X is PDF/X-4: RGB with an output intent, fonts embedded, images at most 300 dpi (1200 for 1-bit images),
        annotations flattened. There is no free validator for it: the claim rests on rules that the server checks itself
        (`docs/guides/pdf-a.md`).

        Args:
            file: The document (.pdf).
            output_format: pdfa and pdfa-2 mean 2b, pdfa-1 means 1b, pdfa-3 means 3b; values that start with pdfx mean
                PDF/X; case does not matter, and anything else means pdfa-2b. Default: "pdfa-2b".
            strict: Refuses a document that cannot be made fully compliant; PDF/A only. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file("convert/pdf/pdfa", [file], {"outputFormat": output_format, "strict": strict}, {})

    def convert_pdf_to_presentation(
        self,
        file: Source,
        /,
        *,
        output_format: Literal["ppt", "pptx", "odp"] | None = None,
    ) -> F:
        """Convert a PDF to PowerPoint.

        One slide for each page. Text stays at its position in text boxes with its font, size, colour, rotation and
        links; consecutive lines form one box. Everything else on the page becomes images at 150 dpi behind the text,
        one for each separate part (at most 40, otherwise one). Slides have the size of the first page, because a
        presentation has one size; other pages are scaled and centred. A heading that is also a bookmark becomes the
        slide title. OCR text behind a scan is kept invisible. Not kept: lists, tables and drawings as such, form fields
        other than as images, tags. `pptx` needs no program; `ppt` and `odp` are converted from it by LibreOffice.

        Args:
            file: The document (.pdf).
            output_format: Format of the result. Default: "pptx".

        Returns:
            The document (ppt, pptx, odp).
        """
        return self._file("convert/pdf/presentation", [file], {"outputFormat": output_format}, {})

    def convert_pdf_to_text(self, file: Source, /, *, output_format: Literal["txt", "rtf"]) -> F:
        """Extract text, or convert a PDF to RTF.

        `txt`: UTF-8, the lines of each page in reading order, an empty line after each page; right-to-left text in
        logical order; no OCR (a document without text comes with a warning) and no form field values. `rtf`: reflowable
        text like `convert/pdf/word`, written by LibreOffice.

        Args:
            file: The document (.pdf).
            output_format: Format of the result.

        Returns:
            The document (txt, rtf).
        """
        return self._file("convert/pdf/text", [file], {"outputFormat": output_format}, {})

    def convert_pdf_to_text_editor(self, file: Source, /, *, lightweight: bool | None = None) -> F:
        """Convert a PDF to an editable JSON document.

        Coordinates are points from the lower left corner of the page as it is shown before rotation (its crop box,
        times `UserUnit`). A text element is what one operator shows; `textMatrix` leads from text space, in which the
        font has the size `fontSize`, to the page. `fontId` names a font of `fonts[]` by what it is made of, so it stays
        the same when the document is rewritten; `zOrder` is the place in the order of painting. Null members and empty
        lists are left out.

        Images are inside (JPEG as it is, all else PNG), because this call reports no session; with `lightweight` they
        are not, `lazyImages` is true, and font programs, form fields, resources, streams and trees are left out as
        well. To fetch page by page, begin with `convert/pdf/text-editor/metadata`. `conversionCandidates`, `pdfProgram`
        and `pdfProgramFormat` are never there: no font is converted for PDF. `webProgram` is the embedded program as
        browsers load it, with a map of characters made of what the document says of its codes.

        Beside the members of the interface there are `ref` of trees and pages (objects of one name are one object),
        `sharedObjects` (what is large or used often, by that name), `documentCatalog` (bookmarks, destinations, page
        labels, layers, tags, attachments), `acroForm`, and `mediaBox`, `cropBox`, `userUnit`, `group` and
        `structParents` of pages: whoever sends them back to `convert/text-editor/pdf` gets the whole document again. A
        string in a tree is base64 of its bytes.

        Args:
            file: The document (.pdf).
            lightweight: A smaller answer: only where text is and which fonts it uses. Default: False.

        Returns:
            The document (json).
        """
        return self._file("convert/pdf/text-editor", [file], {"lightweight": lightweight}, {})

    def convert_pdf_to_vector(
        self,
        file: Source,
        /,
        *,
        output_format: Literal["ps", "eps", "pcl", "xps"] | None = None,
    ) -> F:
        """Convert a PDF to PostScript, EPS, PCL or XPS.

        The whole document becomes one file, drawn by Ghostscript: `ps` is PostScript, `pcl` is PCL XL in colour, `xps`
        is XML Paper Specification. EPS allows only one page, so the pages of a longer document are stacked into one,
        the first on top. Annotations are drawn; bookmarks, links and fields cannot be kept in these formats. If
        Ghostscript crashes on the document, its pages are converted as images, and `X-Warnings` says so.

        Args:
            file: The document (.pdf).
            output_format: Language of the result. Default: "eps".

        Returns:
            The document (eps, pcl, xps).
        """
        return self._file("convert/pdf/vector", [file], {"outputFormat": output_format}, {})

    def convert_pdf_to_word(self, file: Source, /, *, output_format: Literal["doc", "docx", "odt"] | None = None) -> F:
        """Convert a PDF to Word.

        Reflowable text: headings, paragraphs with indents and spacing, numbered lists, tables with merged cells,
        images, internal and external links, footnotes, running headers and page numbers, columns, page sizes. Not kept:
        form fields, comments, layers, drawings other than as images, exact positions. `docx` needs no program; `doc`
        and `odt` are converted from it by LibreOffice.

        Args:
            file: The document (.pdf).
            output_format: Format of the result. Default: "docx".

        Returns:
            The document (doc, docx, odt).
        """
        return self._file("convert/pdf/word", [file], {"outputFormat": output_format}, {})

    def convert_pdf_to_xlsx(self, file: Source, /, *, page_numbers: str | None = None) -> M:
        """Extract tables to Excel.

        Finds the same tables as convert/pdf/csv on the selected pages (default: all). Each table becomes a sheet named
        `Page 3`, or `Page 3 Table 2` if the page has several. All cells are text, so nothing is treated as a formula or
        a date; merged cells stay merged, bold cells bold. No table gives 204. A cell holds at most 32767 characters.

        Args:
            file: The document (.pdf).
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".

        Returns:
            The document (xlsx). `None` if the document does not match.
        """
        return self._maybe("convert/pdf/xlsx", [file], {"pageNumbers": page_numbers}, {})

    def convert_pdf_to_xml(self, file: Source, /) -> F:
        """Convert a PDF to XML.

        The XML is a flat OpenDocument text (OpenDocument 1.3, part 3) as LibreOffice writes it when it opens the PDF as
        a text document: pages one after another, lines of text in positioned frames with their fonts, images as base64.
        Headings, lists, tables and links are not marked. Pages with more than 2,500 lines and shapes keep their text
        and images only; a warning names them.

        Args:
            file: The document (.pdf).

        Returns:
            The document (xml).
        """
        return self._file("convert/pdf/xml", [file], {}, {})

    def convert_svg_to_pdf(self, files: Iterable[Source], /, *, combine_into_single_pdf: bool | None = None) -> F:
        """Convert SVG to PDF.

        A page has as many points as the drawing has pixels, or its true size if that is given in units of length; a
        drawing without a size fills 595 x 842 points. Text stays text. Scripts, events and foreign content are removed;
        drawings that refer to other files are refused; embedded images are kept. If there are several drawings, those
        that cannot be drawn are left out and counted as `skipped` in X-Tool-Report.

        Args:
            files: The documents (.svg).
            combine_into_single_pdf: Returns one PDF with a page for each drawing instead of one PDF each. Default:
                False.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file("convert/svg/pdf", files, {"combineIntoSinglePdf": combine_into_single_pdf}, {})

    def convert_text_editor_to_pdf(self, file: Source, /) -> F:
        """Convert an editable JSON document to PDF.

        Takes the result of `convert/pdf/text-editor`, edited or not. Existing content streams stay, except for elements
        that differ: a changed text is rewritten at its position with its own font (following text does not move), or
        with fonts of the server if that font lacks characters; texts and images missing from the lists are removed; new
        ones are drawn on top. A missing list leaves its elements unchanged; an empty one removes them. A page without
        content streams is drawn from its elements. Images whose `id` ends in the digest of their `imageData` belong to
        the document and stay.

        Missing members have defaults (612 x 792 points, a sans-serif font, 12 points, black); unknown members are
        ignored; a member of the wrong type is refused with its JSON pointer. Nothing is loaded from elsewhere.
        Bookmarks, destinations, labels, layers, tags and attachments are in `documentCatalog`; without it the result
        has none. Signatures and conformance claims (PDF/A) are removed; signature fields stay, unsigned. Changes of
        `zOrder` alone are ignored. The JSON may have up to 512 MiB.

        Args:
            file: The document (.json, .jsonl).

        Returns:
            The document (pdf).
        """
        return self._file("convert/text-editor/pdf", [file], {}, {})

    def convert_url_to_pdf(self, *, url_input: str) -> F:
        """Convert a web page to PDF.

        Off until `system.enableUrlToPDF` is set. The server loads the page and its style sheets, images and fonts from
        the public internet only; up to five redirects are followed, and each address is checked. The printing browser
        has no network and runs no scripts, so pages built by scripts stay empty. Parts of the page that cannot be
        loaded are left out; at most 300 files and 96 MiB are loaded. Pages that refer to `file:` addresses are refused.
        Otherwise as in `convert/html/pdf`.

        Args:
            url_input: Address of the page, with http:// or https://.

        Returns:
            The document (pdf).
        """
        return self._file("convert/url/pdf", [], {"urlInput": url_input}, {})

    def convert_vector_to_pdf(self, file: Source, /, *, prepress: bool | None = None) -> F:
        """Convert PostScript or EPS to PDF.

        Ghostscript runs the PostScript, which cannot read or write files or start programs; the result is PDF 1.4. EPS
        is cropped to its bounding box, also in its DOS form. A PDF is returned unchanged. PCL and XPS are refused.
        PostScript that fails or exceeds its limits is refused with its error; `prepress` keeps more detail of images
        and colours.

        Args:
            file: The document (.eps, .ps, .epsf, .ai, .pdf, .pcl, .pxl, .xps, .oxps).
            prepress: Optimises the PDF for printing: images keep their resolution, colours stay unchanged. Default:
                False.

        Returns:
            The document (pdf).
        """
        return self._file("convert/vector/pdf", [file], {"prepress": prepress}, {})
