# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from quire_client.step_base import Json, StepBase, json_text

if TYPE_CHECKING:
    from typing_extensions import Self


class Misc2Steps(StepBase):
    """Operations of the category misc."""

    def add_scanner_effect(
        self,
        *,
        quality: Literal["low", "medium", "high"] | None = None,
        rotation: Literal["none", "slight", "moderate", "severe"] | None = None,
        colorspace: Literal["grayscale", "color"] | None = None,
        border: int | None = None,
        rotate: int | None = None,
        rotate_variance: int | None = None,
        brightness: float | None = None,
        contrast: float | None = None,
        blur: float | None = None,
        noise: float | None = None,
        yellowish: bool | None = None,
        resolution: int | None = None,
        advanced_enabled: bool | None = None,
    ) -> Self:
        """Make a PDF look scanned.

        Args:
            quality: Quality of the scanner. Default: "high".
            rotation: How skewed the sheets are: 0, 2, 5 or 8 degrees. Default: "slight".
            colorspace: Colours of the scan. Default: "grayscale".
            border: Width in pixels of the border around the sheet (the scanner's lid). From 0 to 10000 px. Default: 20.
            rotate: Degrees clockwise to add to the skew of rotation. From -360 to 360 °. Default: 0.
            rotate_variance: Maximum random variation of the skew between sheets, in degrees to either side. From 0 to
                360 °. Default: 2.
            brightness: Brightness factor; used with advanced_enabled only. From 0 to 10. Default: 1.
            contrast: Contrast factor; used with advanced_enabled only. From 0 to 10. Default: 1.
            blur: Blur in pixels; used with advanced_enabled only. From 0 to 100 px. Default: 1.
            noise: Amount of noise, from 0 to 255; used with advanced_enabled only. From 0 to 255. Default: 8.
            yellowish: Tint the paper yellowish, like old paper. Default: False.
            resolution: Dots per inch, at least 72; used with advanced_enabled only. From 1 dpi. Default: 300.
            advanced_enabled: Use blur, noise, brightness, contrast and resolution as sent. Default: False.
        """
        return self._step(
            "misc/scanner-effect",
            {
                "quality": quality,
                "rotation": rotation,
                "colorspace": colorspace,
                "border": border,
                "rotate": rotate,
                "rotateVariance": rotate_variance,
                "brightness": brightness,
                "contrast": contrast,
                "blur": blur,
                "noise": noise,
                "yellowish": yellowish,
                "resolution": resolution,
                "advancedEnabled": advanced_enabled,
            },
        )

    def show_javascript(self) -> Self:
        """Extract the JavaScript of a PDF."""
        return self._step("misc/show-javascript", {})

    def unlock_forms(self) -> Self:
        """Make read-only form fields editable."""
        return self._step("misc/unlock-pdf-forms", {})

    def update_metadata(
        self,
        *,
        delete_all: bool | None = None,
        title: str | None = None,
        author: str | None = None,
        creation_date: str | None = None,
        creator: str | None = None,
        keywords: str | None = None,
        modification_date: str | None = None,
        producer: str | None = None,
        subject: str | None = None,
        trapped: Literal["True", "False", "Unknown", "undefined"] | None = None,
        all_request_params: Json | None = None,
    ) -> Self:
        """Edit or remove the metadata of a PDF.

        Args:
            delete_all: Remove all metadata; all other fields are then ignored. Default: False.
            title: Title; removed when not sent.
            author: Author; removed when not sent.
            creation_date: Creation date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a
                zone; removed when not sent.
            creator: Program that created the document; removed when not sent.
            keywords: Keywords; removed when not sent.
            modification_date: Modification date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601
                with a zone; removed when not sent.
            producer: Program that converted it to PDF; removed when not sent.
            subject: Subject; removed when not sent.
            trapped: Whether colours were trapped for printing.
            all_request_params: Additional entries by name.
        """
        return self._step(
            "misc/update-metadata",
            {
                "deleteAll": delete_all,
                "title": title,
                "author": author,
                "creationDate": creation_date,
                "creator": creator,
                "keywords": keywords,
                "modificationDate": modification_date,
                "producer": producer,
                "subject": subject,
                "trapped": trapped,
                "allRequestParams": json_text(all_request_params),
            },
        )
