# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, Json, M, OperationBase, Source, json_text


class Misc3Operations(OperationBase[F, M]):
    """Operations of the category misc."""

    def add_scanner_effect(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Make a PDF look scanned.

        Each page becomes one image of the same page size. Bookmarks, links, page labels, attachments and metadata stay;
        text is removed. Every run gives a slightly different result.

        Blur, noise, brightness, contrast and resolution come from `quality` unless `advanced_enabled` is set; the other
        fields always apply. Pages are rendered with at most 8192 pixels per side and 16777216 in total: large pages get
        a lower resolution, but never below 72 dpi.

        Args:
            file: The document (.pdf).
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

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/scanner-effect",
            [file],
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
            {},
        )

    def show_javascript(self, file: Source, /) -> F:
        """Extract the JavaScript of a PDF.

        Returns the scripts of the document's name tree first, in the order in which they run, then the scripts of
        actions, each named after its trigger: opening, closing, saving and printing the document, its pages, form
        fields, annotations and bookmarks. A comment line with the names of the file and the script precedes each
        script. If there are no scripts, the result says so in one sentence.

        Args:
            file: The document (.pdf).

        Returns:
            The document (txt).
        """
        return self._file("misc/show-javascript", [file], {}, {})

    def unlock_forms(self, file: Source, /) -> F:
        """Make read-only form fields editable.

        Removes the read-only flag from every field and the field locks that take effect on signing, and asks viewers to
        draw the fields again (`NeedAppearances`). In XFA, `access="readOnly"` becomes `access="open"`. The content of a
        document without a form is not changed. `X-Tool-Report` holds `fields` and `xfaParts`, how many of each were
        unlocked.

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("misc/unlock-pdf-forms", [file], {}, {})

    def update_metadata(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Edit or remove the metadata of a PDF.

        All nine standard entries are written on every call: an entry is removed if its field is missing, empty, or the
        text `undefined`. To keep a value, send it again. An unreadable date removes its entry and is reported in
        `X-Tool-Report` (`unreadable`).

        `all_request_params` sets entries of other names, either as pairs `customKey<i>` and `customValue<i>` (a pair
        without its value removes the entry) or by name. Send it as one field with a JSON object, or as fields
        `all_request_params[name]`.

        `delete_all` removes every entry, the XMP metadata and the private data that programs store in the document and
        its pages; all other fields are then ignored. Without it, XMP metadata is kept, but its values for these entries
        are updated to match.

        Args:
            file: The document (.pdf).
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

        Returns:
            The document (pdf).
        """
        return self._file(
            "misc/update-metadata",
            [file],
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
            {},
        )
