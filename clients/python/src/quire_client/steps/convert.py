# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from quire_client.step_base import StepBase

if TYPE_CHECKING:
    from typing_extensions import Self


class ConvertSteps(StepBase):
    """Operations of the category convert."""

    def convert_cbr_to_pdf(self, *, optimize_for_ebook: bool | None = None) -> Self:
        """Convert a CBR comic to PDF.

        Args:
            optimize_for_ebook: Scales large images down for reading on a screen. Default: False.
        """
        return self._step("convert/cbr/pdf", {"optimizeForEbook": optimize_for_ebook})

    def convert_cbz_to_pdf(self, *, optimize_for_ebook: bool | None = None) -> Self:
        """Convert a CBZ comic to PDF.

        Args:
            optimize_for_ebook: Scales large images down for reading on a screen. Default: False.
        """
        return self._step("convert/cbz/pdf", {"optimizeForEbook": optimize_for_ebook})

    def convert_ebook_to_pdf(
        self,
        *,
        include_table_of_contents: bool | None = None,
        include_page_numbers: bool | None = None,
        optimize_for_ebook: bool | None = None,
    ) -> Self:
        """Convert an e-book to PDF.

        Args:
            include_table_of_contents: Prints a table of contents with page numbers at the beginning. Default: False.
            include_page_numbers: Prints page numbers at the bottom of pages. Default: False.
            optimize_for_ebook: Makes the file smaller for small screens. Default: False.
        """
        return self._step(
            "convert/ebook/pdf",
            {
                "includeTableOfContents": include_table_of_contents,
                "includePageNumbers": include_page_numbers,
                "optimizeForEbook": optimize_for_ebook,
            },
        )

    def convert_eml_to_pdf(
        self,
        *,
        include_attachments: bool | None = None,
        max_attachment_size_mb: int | None = None,
        download_html: bool | None = None,
        include_all_recipients: bool | None = None,
    ) -> Self:
        """Convert an email to PDF or HTML.

        Args:
            include_attachments: Embeds the attachments in the PDF, which opens with its attachment list; each entry of
                the printed list gets an annotation. Default: False.
            max_attachment_size_mb: Attachments larger than this (in MiB) are listed but not embedded. From 1 to 100 MB.
                Default: 10.
            download_html: Returns the page as a self-contained HTML file instead of a PDF. Default: False.
            include_all_recipients: Also shows CC and BCC. Default: True.
        """
        return self._step(
            "convert/eml/pdf",
            {
                "includeAttachments": include_attachments,
                "maxAttachmentSizeMB": max_attachment_size_mb,
                "downloadHtml": download_html,
                "includeAllRecipients": include_all_recipients,
            },
        )

    def convert_file_to_pdf(self) -> Self:
        """Convert Word, Excel, PowerPoint and other files to PDF."""
        return self._step("convert/file/pdf", {})

    def convert_html_to_pdf(self, *, zoom: float | None = None) -> Self:
        """Convert HTML to PDF.

        Args:
            zoom: Scale of the printed page. From 0.1 to 2. Default: 1.
        """
        return self._step("convert/html/pdf", {"zoom": zoom})

    def convert_images_to_pdf(
        self,
        *,
        fit_option: Literal["fillPage", "fitDocumentToImage", "maintainAspectRatio"] | None = None,
        page_size: Literal["A4", "LETTER"] | None = None,
        color_type: str | None = None,
        auto_rotate: bool | None = None,
    ) -> Self:
        """Convert images to PDF.

        Args:
            fit_option: fillPage stretches to the paper, which changes the proportions; maintainAspectRatio scales and
                centres on it; fitDocumentToImage makes the page as many points as the image has pixels. Default:
                "fillPage".
            page_size: Paper of the pages; no effect with fitDocumentToImage. Default: "A4".
            color_type: Colour mode: color, greyscale or blackwhite; any other value means color. Default: "color".
            auto_rotate: Uses landscape pages for images that are wider than high. Default: False.
        """
        return self._step(
            "convert/img/pdf",
            {"fitOption": fit_option, "pageSize": page_size, "colorType": color_type, "autoRotate": auto_rotate},
        )

    def convert_markdown_to_pdf(self) -> Self:
        """Convert Markdown to PDF."""
        return self._step("convert/markdown/pdf", {})

    def convert_pdf_to_cbr(self, *, dpi: int | None = None) -> Self:
        """Convert a PDF to a CBR comic.

        Args:
            dpi: Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Default: 150.
        """
        return self._step("convert/pdf/cbr", {"dpi": dpi})

    def convert_pdf_to_cbz(self, *, dpi: int | None = None) -> Self:
        """Convert a PDF to a CBZ comic.

        Args:
            dpi: Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Default: 150.
        """
        return self._step("convert/pdf/cbz", {"dpi": dpi})

    def convert_pdf_to_csv(self, *, page_numbers: str | None = None) -> Self:
        """Extract tables to CSV.

        Args:
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
        """
        return self._step("convert/pdf/csv", {"pageNumbers": page_numbers})

    def convert_pdf_to_epub(
        self,
        *,
        detect_chapters: bool | None = None,
        target_device: Literal["TABLET_PHONE_IMAGES", "KINDLE_EINK_TEXT"] | None = None,
        output_format: Literal["EPUB", "AZW3"] | None = None,
    ) -> Self:
        """Convert a PDF to EPUB or AZW3.

        Args:
            detect_chapters: Starts a new file and a table-of-contents entry at each chapter. Default: True.
            target_device: KINDLE_EINK_TEXT: greyscale images scaled for e-ink screens. Default: "TABLET_PHONE_IMAGES".
            output_format: Format of the e-book. Default: "EPUB".
        """
        return self._step(
            "convert/pdf/epub",
            {"detectChapters": detect_chapters, "targetDevice": target_device, "outputFormat": output_format},
        )

    def convert_pdf_to_html(self) -> Self:
        """Convert a PDF to HTML."""
        return self._step("convert/pdf/html", {})

    def convert_pdf_to_images(
        self,
        *,
        image_format: Literal["png", "jpeg", "jpg", "gif", "webp", "tif", "tiff"] | None = None,
        single_or_multiple: str | None = None,
        color_type: str | None = None,
        dpi: int | None = None,
        page_numbers: str | None = None,
        include_annotations: bool | None = None,
    ) -> Self:
        """Convert pages to images.

        Args:
            image_format: Image format, which is also the file extension. Default: "png".
            single_or_multiple: single stacks the pages in one image; multiple, or any other value, gives one image per
                page. Default: "multiple".
            color_type: Colour mode: color, greyscale or blackwhite; any other value means color. Default: "color".
            dpi: Resolution; at most the setting system.maxDPI. From 1 dpi. Default: 300.
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
            include_annotations: Also draws annotations and form fields. Default: False.
        """
        return self._step(
            "convert/pdf/img",
            {
                "imageFormat": image_format,
                "singleOrMultiple": single_or_multiple,
                "colorType": color_type,
                "dpi": dpi,
                "pageNumbers": page_numbers,
                "includeAnnotations": include_annotations,
            },
        )

    def convert_pdf_to_markdown(self) -> Self:
        """Convert a PDF to Markdown."""
        return self._step("convert/pdf/markdown", {})

    def convert_pdf_to_pdf_a(
        self,
        *,
        output_format: Literal["pdfa-1b", "pdfa-2b", "pdfa-2u", "pdfa-3b", "pdfa-3u", "pdfx"] | None = None,
        strict: bool | None = None,
    ) -> Self:
        """Convert a PDF to PDF/A or PDF/X.

        Args:
            output_format: pdfa and pdfa-2 mean 2b, pdfa-1 means 1b, pdfa-3 means 3b; values that start with pdfx mean
                PDF/X; case does not matter, and anything else means pdfa-2b. Default: "pdfa-2b".
            strict: Refuses a document that cannot be made fully compliant; PDF/A only. Default: False.
        """
        return self._step("convert/pdf/pdfa", {"outputFormat": output_format, "strict": strict})

    def convert_pdf_to_presentation(self, *, output_format: Literal["ppt", "pptx", "odp"] | None = None) -> Self:
        """Convert a PDF to PowerPoint.

        Args:
            output_format: Format of the result. Default: "pptx".
        """
        return self._step("convert/pdf/presentation", {"outputFormat": output_format})

    def convert_pdf_to_text(self, *, output_format: Literal["txt", "rtf"]) -> Self:
        """Extract text, or convert a PDF to RTF.

        Args:
            output_format: Format of the result.
        """
        return self._step("convert/pdf/text", {"outputFormat": output_format})

    def convert_pdf_to_text_editor(self, *, lightweight: bool | None = None) -> Self:
        """Convert a PDF to an editable JSON document.

        Args:
            lightweight: A smaller answer: only where text is and which fonts it uses. Default: False.
        """
        return self._step("convert/pdf/text-editor", {"lightweight": lightweight})

    def convert_pdf_to_vector(self, *, output_format: Literal["ps", "eps", "pcl", "xps"] | None = None) -> Self:
        """Convert a PDF to PostScript, EPS, PCL or XPS.

        Args:
            output_format: Language of the result. Default: "eps".
        """
        return self._step("convert/pdf/vector", {"outputFormat": output_format})

    def convert_pdf_to_word(self, *, output_format: Literal["doc", "docx", "odt"] | None = None) -> Self:
        """Convert a PDF to Word.

        Args:
            output_format: Format of the result. Default: "docx".
        """
        return self._step("convert/pdf/word", {"outputFormat": output_format})

    def convert_pdf_to_xlsx(self, *, page_numbers: str | None = None) -> Self:
        """Extract tables to Excel.

        Args:
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
        """
        return self._step("convert/pdf/xlsx", {"pageNumbers": page_numbers})

    def convert_pdf_to_xml(self) -> Self:
        """Convert a PDF to XML."""
        return self._step("convert/pdf/xml", {})

    def convert_svg_to_pdf(self, *, combine_into_single_pdf: bool | None = None) -> Self:
        """Convert SVG to PDF.

        Args:
            combine_into_single_pdf: Returns one PDF with a page for each drawing instead of one PDF each. Default:
                False.
        """
        return self._step("convert/svg/pdf", {"combineIntoSinglePdf": combine_into_single_pdf})

    def convert_text_editor_to_pdf(self) -> Self:
        """Convert an editable JSON document to PDF."""
        return self._step("convert/text-editor/pdf", {})

    def convert_vector_to_pdf(self, *, prepress: bool | None = None) -> Self:
        """Convert PostScript or EPS to PDF.

        Args:
            prepress: Optimises the PDF for printing: images keep their resolution, colours stay unchanged. Default:
                False.
        """
        return self._step("convert/vector/pdf", {"prepress": prepress})
