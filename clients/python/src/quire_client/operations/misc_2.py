# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from quire_client.answers import ListAttachmentsAnswer, ListCommentsAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, M, OperationBase, Source, as_method


class Misc2Operations(OperationBase[F, M]):
    """Operations of the category misc."""

    def extract_attachments(self, file: Source, /) -> F:
        """Extract the attachments of a PDF.

        Each file keeps its own name without folders. Names that clash get a number (`name_1.ext`); a file without a
        name becomes `unknown_attachment_<milliseconds>`. Entries of the zip carry the attachment's modification date,
        or else its creation date. Files over 50 MB, files beyond 200 MB in total, and files that cannot be unpacked are
        skipped; `X-Tool-Report` holds `extracted`, `skipped` and `skippedNames`.

        Args:
            file: The document (.pdf).

        Returns:
            The document. Several files come as a zip; see `Document.files`.
        """
        return self._file("misc/extract-attachments", [file], {}, {})

    def extract_image_scans(
        self,
        file: Source,
        /,
        *,
        angle_threshold: int | None = None,
        tolerance: int | None = None,
        min_area: int | None = None,
        min_contour_area: int | None = None,
        border_size: int | None = None,
    ) -> F:
        """Crop photos out of scans.

        A photo is a connected area that differs from the background by more than `tolerance` in a colour channel. If it
        is skewed by at least `angle_threshold` degrees, it is cut out along its smallest enclosing rectangle and
        straightened; otherwise along its upright bounding box. PDF pages are rendered at the setting system.maxDPI, as
        far as the pixel limits allow; photos of a page that shows only images are cut at the resolution of these images
        if it is lower. `min_area` and `min_contour_area` count pixels at system.maxDPI. A TIFF may have several frames.
        Photos are numbered across all pages, in reading order. A single photo is returned as a PNG, several as a zip.

        Args:
            file: The document (.pdf, .png, .jpg, .jpeg, .tiff, .tif, .bmp).
            angle_threshold: Skew in degrees from which a photo is straightened. From 0 to 90 °. Default: 5.
            tolerance: How much a colour channel may differ from the background, from 0 to 255. From 0 to 255. Default:
                20.
            min_area: Minimum area of a photo's upright bounding box, in pixels. From 0. Default: 8000.
            min_contour_area: Minimum area inside a photo's outline, in pixels. From 0. Default: 500.
            border_size: Pixels to trim from each side of a photo. From 0 to 10000 px. Default: 1.

        Returns:
            The document (png). Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "misc/extract-image-scans",
            [file],
            {
                "angleThreshold": angle_threshold,
                "tolerance": tolerance,
                "minArea": min_area,
                "minContourArea": min_contour_area,
                "borderSize": border_size,
            },
            {},
        )

    def extract_images(self, file: Source, /, *, format: Literal["png", "jpeg", "gif"] | None = None) -> F:
        """Extract the images of a PDF.

        Each image is extracted once, at its own size and in sRGB, and named after the first page that uses it:
        `<base>_page_<page>_<number>`. On each page, images of the page's own resources come first, then those inside
        form XObjects, then inline images. PNG keeps transparency; JPEG and GIF show it as white. Image masks become
        black on white. A document without images returns an empty zip. `X-Tool-Report` holds `images` and `unreadable`,
        the number of images that could not be decoded and were skipped.

        Args:
            file: The document (.pdf).
            format: Format of the images, and their file extension. Default: "png".

        Returns:
            The document (png, jpeg, gif). Several files come as a zip; see `Document.files`.
        """
        return self._file("misc/extract-images", [file], {"format": format}, {})

    def flatten_pdf(
        self,
        file: Source,
        /,
        *,
        flatten_only_forms: bool | None = None,
        render_dpi: int | None = None,
    ) -> F:
        """Flatten forms, or convert pages to images.

        With `flatten_only_forms`, the visible content of the fields becomes page content and the form is removed, XFA
        included. Text stays text, and other annotations stay. Fields that are hidden or only for printing leave nothing
        behind. Fields without an appearance are drawn from their values. A document without a form is returned
        rewritten.

        Without it, each page becomes one RGB image of what it shows, in the same place and size. Text, form fields,
        tags, layers and scripts are removed; bookmarks, links, page labels, attachments and metadata stay. Without
        `render_dpi`, pages are rendered at the highest resolution that the server allows, or lower where the document
        would get too large.

        Args:
            file: The document (.pdf).
            flatten_only_forms: Flatten only the form and leave the rest of the pages as it is. Default: False.
            render_dpi: Resolution of the page images in dots per inch; limited to 72 up to the server's maximum
                (system.maxDPI).

        Returns:
            The document (pdf).
        """
        return self._file("misc/flatten", [file], {"flattenOnlyForms": flatten_only_forms, "renderDpi": render_dpi}, {})

    @as_method
    def list_attachments(self, file: Source, /) -> Call[ListAttachmentsAnswer]:
        """List the attachments of a PDF.

        Lists the attachments of the document, however deeply the name tree is nested. Files in file attachment
        annotations are not included. `size` is the size that the document declares, or -1 if it declares none; dates
        are ISO 8601. Unknown values are null.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("misc/list-attachments", [file], {}, {})

    @as_method
    def list_comments(self, file: Source, /) -> Call[ListCommentsAnswer]:
        """List the comments of a PDF.

        Lists sticky notes, highlights, drawings, stamps and other comments of readers (markup annotations) in the order
        of the pages; links, form fields and pop-ups are not included. `pageIndex` counts from 0, and the rectangle is
        in points from the lower left corner, as in `misc/add-comments`. `replyTo` is the index in the list of the
        comment that this one answers. Dates are ISO 8601; unknown values are null. At most 10,000 comments are
        returned; `X-Tool-Report` has `cut` if there are more.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("misc/list-comments", [file], {}, {})

    def ocr_pdf(
        self,
        file: Source,
        /,
        *,
        languages: Sequence[str | int | float],
        sidecar: bool | None = None,
        deskew: bool | None = None,
        clean: bool | None = None,
        clean_final: bool | None = None,
        ocr_type: Literal["skip-text", "force-ocr"] | None = None,
        ocr_render_type: Literal["hocr", "sandwich"] | None = None,
        remove_images_after: bool | None = None,
    ) -> F:
        """Make scanned pages searchable (OCR).

        Recognises the text of scanned pages and places it invisibly over the words, so that it can be searched and
        copied. Uses Tesseract if the server has it, otherwise an engine from npm; several pages are recognised in
        parallel.

        `skip-text` (also the meaning of `Normal` and of no value): pages with text are left alone; the others keep
        everything they show and get a text layer. `force-ocr`: all pages are recognised. If the text of a page is
        invisible, for example from earlier OCR, it is replaced by a new layer; a page with visible text becomes an
        image with a text layer. Links, form fields, annotations, bookmarks, page labels and attachments always stay;
        tags stay where the page content does.

        `hocr` stretches each word over its place along the baseline; `sandwich` uses the text layer that the OCR engine
        writes. Both are invisible.

        `deskew` straightens pages that are skewed by 0.1 to 7 degrees, without changing their images. `clean` whitens
        the paper and removes specks for recognition only; `clean_final` also shows the cleaned pages in the result, as
        images. `remove_images_after` removes all images, so that a scan looks blank and only its text remains.

        Pages that were scanned sideways or upside down are recognised too: where little of a page can be read, it is
        tried in the other directions, and its text is laid over the words as they stand (`readTurned` in
        `X-Tool-Report` counts these pages). The page itself is not turned; rotate-pdf does that. If a page can be read
        in no direction, `X-Warnings` names it, and it has whatever was recognised.

        A text layer adds a few kilobytes per page. If pages become images, the result has at most one and a half times
        the size of the document plus 100 KB per page: black and white pages are encoded as CCITT fax, others as JPEG
        with the best quality that fits.

        Languages that are not installed are skipped and reported (`dropped` in `X-Tool-Report`, next to `languages`,
        `engine`, `read`, `withText` and `words`); if none is left, the call fails with 400. With `sidecar` the result
        is a zip with the document and its text, with a form feed between pages; pages that were left alone contribute
        the text they already had.

        Args:
            file: The document (.pdf).
            languages: Languages of the text, most important first, named as in GET /api/v1/ui-data/ocr-pdf; repeat the
                field, or separate them by commas or +.
            sidecar: Also return the text, in a zip with the document. Default: False.
            deskew: Straighten skewed pages. Default: False.
            clean: Clean the page images for recognition. Default: False.
            clean_final: Show the cleaned page images in the result. Default: False.
            ocr_type: Which pages to recognise: those without text, or all; Normal means skip-text. Default:
                "skip-text".
            ocr_render_type: How the text layer is created. Default: "hocr".
            remove_images_after: Remove all images from the result. Default: False.

        Returns:
            The document (pdf, txt). Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "misc/ocr-pdf",
            [file],
            {
                "languages": languages,
                "sidecar": sidecar,
                "deskew": deskew,
                "clean": clean,
                "cleanFinal": clean_final,
                "ocrType": ocr_type,
                "ocrRenderType": ocr_render_type,
                "removeImagesAfter": remove_images_after,
            },
            {},
        )

    def remove_blanks(self, file: Source, /, *, threshold: int | None = None, white_percent: float | None = None) -> F:
        """Remove blank pages.

        A page with text is not blank; a page that draws nothing is blank. Every other page is rendered at the setting
        system.maxDPI, as far as the pixel limits allow, and its white pixels are counted. The zip holds
        `<base>_nonBlankPages.pdf`, and also `<base>_blankPages.pdf` if there are blank pages; if all pages are blank,
        it holds only `<base>_allBlankPages.pdf`.

        Args:
            file: The document (.pdf).
            threshold: A pixel counts as white if all its channels are at least 255 minus this value. From 0 to 255.
                Default: 10.
            white_percent: Percentage of white pixels from which a page counts as blank. From 0.1 to 100 %. Default:
                99.9.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file("misc/remove-blanks", [file], {"threshold": threshold, "whitePercent": white_percent}, {})

    def rename_attachment(self, file: Source, /, *, attachment_name: str, new_name: str) -> F:
        """Rename an attachment of a PDF.

        The first attachment with that name is renamed everywhere in the document. A new name that another attachment
        already has is refused, because that attachment would be lost.

        Args:
            file: The document (.pdf).
            attachment_name: Exact current name, as list-attachments returns it.
            new_name: New name, with its extension.

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/rename-attachment",
            [file],
            {"attachmentName": attachment_name, "newName": new_name},
            {},
        )

    def repair_pdf(self, file: Source, /) -> F:
        """Repair a damaged PDF.

        Several engines are tried in order until a result opens with all its pages, bookmarks, form fields and
        attachments and passes a structure check: first Quire's own parser, then PDFium, then libpdf, and finally those
        of qpdf, mutool and Ghostscript that are installed on the server (none of them is required). Each engine has a
        time limit (`limits.repairRungSeconds`). A valid PDF is returned rewritten; encryption without a password is
        kept.

        `X-Tool-Report` holds `engine`, the engine that produced the result (`quire`, `pdfium`, `libpdf`, `qpdf`,
        `mutool`, `ghostscript`); `warnings`, what was wrong with the file, if known; and `passedOver`, the engines
        tried before and why their results were rejected. If none succeeds, the detail of `REPAIR_FAILED` gives the
        reason of each engine. `X-Warnings` names content that no engine could bring back.

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("misc/repair", [file], {}, {})

    def replace_colors(
        self,
        file: Source,
        /,
        *,
        replace_and_invert_option: Literal[
            "HIGH_CONTRAST_COLOR", "CUSTOM_COLOR", "FULL_INVERSION", "COLOR_SPACE_CONVERSION"
        ]
        | None = None,
        high_contrast_color_combination: Literal[
            "WHITE_TEXT_ON_BLACK", "BLACK_TEXT_ON_WHITE", "YELLOW_TEXT_ON_BLACK", "GREEN_TEXT_ON_BLACK"
        ]
        | None = None,
        back_ground_color: str | None = None,
        text_color: str | None = None,
    ) -> F:
        """Invert or replace colours, or convert to CMYK.

        `HIGH_CONTRAST_COLOR` and `CUSTOM_COLOR` show all text in one colour on a background of another; text stays
        text. Painted areas on which the text would be unreadable take the background colour, and lines that would
        become invisible take the text colour (contrast below 3:1). Images stay as they are.

        `FULL_INVERSION` gives every page the complement of its colours. Pages are not converted to images, so text can
        still be selected and nothing loses resolution.

        `COLOR_SPACE_CONVERSION` converts pages, form fields and notes to DeviceCMYK with Ghostscript, and returns 503
        if that is not installed. Bookmarks, links, forms, page labels, attachments and metadata stay; tags and layers
        do not.

        Args:
            file: The document (.pdf).
            replace_and_invert_option: How to change the colours. Default: "HIGH_CONTRAST_COLOR".
            high_contrast_color_combination: The colours for HIGH_CONTRAST_COLOR. Default: "WHITE_TEXT_ON_BLACK".
            back_ground_color: Background colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB.
            text_color: Text colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB.

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/replace-invert-pdf",
            [file],
            {
                "replaceAndInvertOption": replace_and_invert_option,
                "highContrastColorCombination": high_contrast_color_combination,
                "backGroundColor": back_ground_color,
                "textColor": text_color,
            },
            {},
        )
