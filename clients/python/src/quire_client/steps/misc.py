# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from quire_client.step_base import Json, StepBase, json_text

if TYPE_CHECKING:
    from typing_extensions import Self


class MiscSteps(StepBase):
    """Operations of the category misc."""

    def add_comments(self, *, comments: Json) -> Self:
        """Add sticky notes to pages.

        Args:
            comments: JSON array of notes. Sent as JSON.
        """
        return self._step("misc/add-comments", {"comments": json_text(comments)})

    def add_page_numbers(
        self,
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
    ) -> Self:
        """Add page numbers.

        Args:
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
        """
        return self._step(
            "misc/add-page-numbers",
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
        )

    def add_stamp(
        self,
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
    ) -> Self:
        r"""Stamp text or an image on pages.

        Args:
            stamp_type: Whether to stamp the text or the image in stampImage; case does not matter.
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
        """
        return self._step(
            "misc/add-stamp",
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
        )

    def auto_rename(self, *, use_first_text_as_fallback: bool | None = None) -> Self:
        """Rename a PDF after its title text.

        Args:
            use_first_text_as_fallback: Use the first line of text if the largest text is not usable as a name. Default:
                False.
        """
        return self._step("misc/auto-rename", {"useFirstTextAsFallback": use_first_text_as_fallback})

    def split_at_dividers(self, *, duplex_mode: bool | None = None) -> Self:
        """Split a PDF at QR code divider pages.

        Args:
            duplex_mode: Also remove the page after each divider: the back of the divider sheet. Default: False.
        """
        return self._step("misc/auto-split-pdf", {"duplexMode": duplex_mode})

    def compress_pdf(
        self,
        *,
        optimize_level: int | None = None,
        expected_output_size: str | None = None,
        linearize: bool | None = None,
        normalize: bool | None = None,
        grayscale: bool | None = None,
        line_art: bool | None = None,
        line_art_threshold: float | None = None,
        line_art_edge_level: int | None = None,
    ) -> Self:
        """Compress a PDF by level or target size.

        Args:
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
        """
        return self._step(
            "misc/compress-pdf",
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
        )

    def decompress_pdf(self) -> Self:
        """Decompress all streams of a PDF."""
        return self._step("misc/decompress-pdf", {})

    def delete_attachment(self, *, attachment_name: str) -> Self:
        """Delete an attachment from a PDF.

        Args:
            attachment_name: Exact name, as list-attachments returns it.
        """
        return self._step("misc/delete-attachment", {"attachmentName": attachment_name})

    def extract_attachments(self) -> Self:
        """Extract the attachments of a PDF."""
        return self._step("misc/extract-attachments", {})

    def extract_image_scans(
        self,
        *,
        angle_threshold: int | None = None,
        tolerance: int | None = None,
        min_area: int | None = None,
        min_contour_area: int | None = None,
        border_size: int | None = None,
    ) -> Self:
        """Crop photos out of scans.

        Args:
            angle_threshold: Skew in degrees from which a photo is straightened. From 0 to 90 °. Default: 5.
            tolerance: How much a colour channel may differ from the background, from 0 to 255. From 0 to 255. Default:
                20.
            min_area: Minimum area of a photo's upright bounding box, in pixels. From 0. Default: 8000.
            min_contour_area: Minimum area inside a photo's outline, in pixels. From 0. Default: 500.
            border_size: Pixels to trim from each side of a photo. From 0 to 10000 px. Default: 1.
        """
        return self._step(
            "misc/extract-image-scans",
            {
                "angleThreshold": angle_threshold,
                "tolerance": tolerance,
                "minArea": min_area,
                "minContourArea": min_contour_area,
                "borderSize": border_size,
            },
        )

    def extract_images(self, *, format: Literal["png", "jpeg", "gif"] | None = None) -> Self:
        """Extract the images of a PDF.

        Args:
            format: Format of the images, and their file extension. Default: "png".
        """
        return self._step("misc/extract-images", {"format": format})

    def flatten_pdf(self, *, flatten_only_forms: bool | None = None, render_dpi: int | None = None) -> Self:
        """Flatten forms, or convert pages to images.

        Args:
            flatten_only_forms: Flatten only the form and leave the rest of the pages as it is. Default: False.
            render_dpi: Resolution of the page images in dots per inch; limited to 72 up to the server's maximum
                (system.maxDPI).
        """
        return self._step("misc/flatten", {"flattenOnlyForms": flatten_only_forms, "renderDpi": render_dpi})

    def list_attachments(self) -> Self:
        """List the attachments of a PDF."""
        return self._step("misc/list-attachments", {})

    def list_comments(self) -> Self:
        """List the comments of a PDF."""
        return self._step("misc/list-comments", {})

    def ocr_pdf(
        self,
        *,
        languages: Sequence[str | int | float],
        sidecar: bool | None = None,
        deskew: bool | None = None,
        clean: bool | None = None,
        clean_final: bool | None = None,
        ocr_type: Literal["skip-text", "force-ocr"] | None = None,
        ocr_render_type: Literal["hocr", "sandwich"] | None = None,
        remove_images_after: bool | None = None,
    ) -> Self:
        """Make scanned pages searchable (OCR).

        Args:
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
        """
        return self._step(
            "misc/ocr-pdf",
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
        )

    def remove_blanks(self, *, threshold: int | None = None, white_percent: float | None = None) -> Self:
        """Remove blank pages.

        Args:
            threshold: A pixel counts as white if all its channels are at least 255 minus this value. From 0 to 255.
                Default: 10.
            white_percent: Percentage of white pixels from which a page counts as blank. From 0.1 to 100 %. Default:
                99.9.
        """
        return self._step("misc/remove-blanks", {"threshold": threshold, "whitePercent": white_percent})

    def rename_attachment(self, *, attachment_name: str, new_name: str) -> Self:
        """Rename an attachment of a PDF.

        Args:
            attachment_name: Exact current name, as list-attachments returns it.
            new_name: New name, with its extension.
        """
        return self._step("misc/rename-attachment", {"attachmentName": attachment_name, "newName": new_name})

    def repair_pdf(self) -> Self:
        """Repair a damaged PDF."""
        return self._step("misc/repair", {})

    def replace_colors(
        self,
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
    ) -> Self:
        """Invert or replace colours, or convert to CMYK.

        Args:
            replace_and_invert_option: How to change the colours. Default: "HIGH_CONTRAST_COLOR".
            high_contrast_color_combination: The colours for HIGH_CONTRAST_COLOR. Default: "WHITE_TEXT_ON_BLACK".
            back_ground_color: Background colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB.
            text_color: Text colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB.
        """
        return self._step(
            "misc/replace-invert-pdf",
            {
                "replaceAndInvertOption": replace_and_invert_option,
                "highContrastColorCombination": high_contrast_color_combination,
                "backGroundColor": back_ground_color,
                "textColor": text_color,
            },
        )
