# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from quire_client.answers import PreviewRedactionAnswer, ValidateSignaturesAnswer, VerifyPdfAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, Json, M, OperationBase, Source, as_method, json_text


class Security2Operations(OperationBase[F, M]):
    """Operations of the category security."""

    def redact_areas(
        self,
        file: Source,
        /,
        *,
        redactions: str | None = None,
        page_numbers: str | None = None,
        page_redaction_color: str | None = None,
        convert_pdf_to_image: bool | None = None,
    ) -> F:
        """Redact areas or whole pages.

        Text, annotations, and parts of images and drawings under an area are removed from the file; a box is drawn in
        their place. A letter is removed if the area touches it. Two engines then read these pages again; if text is
        left in an area, the call fails with 422 and returns no file. Areas are in points from the top left corner of
        the crop box, in the page's stored orientation: page rotation and UserUnit are ignored. Areas are limited to the
        page; areas without a size and areas on pages that do not exist are ignored.

        Args:
            file: The document (.pdf).
            redactions: JSON list of {page, x, y, width, height, color}, or one such object; pages count from 1, x and y
                from the top left; may be empty.
            page_numbers: Pages to empty and cover completely: numbers, ranges and formulas with n, separated by commas,
                or all; none if absent.
            page_redaction_color: Colour of whole pages in hexadecimal, with or without #; any other value means black.
                Default: "#000000".
            convert_pdf_to_image: Convert every page of the result to one image. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/redact",
            [file],
            {
                "redactions": redactions,
                "pageNumbers": page_numbers,
                "pageRedactionColor": page_redaction_color,
                "convertPDFToImage": convert_pdf_to_image,
            },
            {},
        )

    def redact_pdf(
        self,
        file: Source,
        /,
        *,
        text_values: Sequence[str | int | float] | None = None,
        regex_patterns: Sequence[str | int | float] | None = None,
        terms: Json | None = None,
        presets: Sequence[str | int | float] | None = None,
        keep: Sequence[str | int | float] | None = None,
        wipe_pages: Sequence[str | int | float] | None = None,
        ranges: str | None = None,
        image_boxes: str | None = None,
        redact_image_pages: Sequence[str | int | float] | None = None,
        style: str | None = None,
        verify: Literal["text", "ocr"] | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> F:
        """Redact text, ranges, images and pages in one call.

        At least one target is required. Text is redacted as in auto-redact, areas as in redact, and the result is
        checked before it is returned (422). A list field that is sent once may contain commas: the whole value and each
        of its parts are searched for, in `regex_patterns` only if every part is a valid pattern. A range goes from its
        start phrase to the next end phrase in reading order, column by column; ranges whose phrases are not found are
        skipped and counted in `X-Tool-Report` (`rangesSkipped`). The strategy OVERLAY_ONLY removes text just as AUTO
        does: text never remains under a box. Matches named in `keep` stay (`keptMatches` in the report): of their
        terms, every other match on pages is removed where it stands, and outside of the content of pages (bookmarks,
        properties, annotations, form fields, attachments) every one; the result is checked for them only at these
        places.

        Args:
            file: The document (.pdf).
            text_values: Phrases to redact, matched exactly except for case; repeat the field for several. Default: [].
            regex_patterns: Regular expressions in Java syntax; repeat the field for several. Default: [].
            terms: JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with
                regex; the last three are false if absent. Sent as JSON.
            presets: Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: [].
            keep: Ids of matches that stay, from redact-preview of the same file and terms; repeat the field, or join
                them by commas. Default: [].
            wipe_pages: Pages to empty, from 1; values that are not page numbers are ignored. Default: [].
            ranges: JSON list of {startString, endString}; without endString the range goes to the end of the document.
            image_boxes: JSON list of {pageIndex, x1, y1, x2, y2}; pages count from 0, coordinates are points from the
                bottom left.
            redact_image_pages: Pages to remove images from, from 1; empty means all pages, absent means none.
            style: JSON {color, caption, padding, convertToImage, strategy}; caption is written into the boxes; strategy
                is AUTO, OVERLAY_ONLY or IMAGE_FINALIZE, which converts every page to one image.
            verify: How the result is checked: text reads the text of the file; ocr also draws every page and reads it
                with OCR, which takes seconds per page, and fails if a term can still be read. Default: "text".
            languages: Languages for verify=ocr, named as in GET /api/v1/ui-data/ocr-pdf; English, or what is installed,
                if absent. Default: [].

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/redact-execute",
            [file],
            {
                "textValues": text_values,
                "regexPatterns": regex_patterns,
                "terms": json_text(terms),
                "presets": presets,
                "keep": keep,
                "wipePages": wipe_pages,
                "ranges": ranges,
                "imageBoxes": image_boxes,
                "redactImagePages": redact_image_pages,
                "style": style,
                "verify": verify,
                "languages": languages,
            },
            {},
        )

    @as_method
    def preview_redaction(
        self,
        file: Source,
        /,
        *,
        terms: Json | None = None,
        presets: Sequence[str | int | float] | None = None,
    ) -> Call[PreviewRedactionAnswer]:
        """List the matches that redaction would remove.

        Searches exactly as redact-execute does, with both of its readers on every page, and changes nothing. Send the
        `id` of matches that must stay to redact-execute as `keep`, with the same file, `terms` and `presets`.

        Matches that overlap are one match with several `terms`. `letters` and `boxes` are corners of quadrilaterals
        (x0, y0, … x3, y3), one for each line of the match, in points of the own coordinates of the page. `elsewhere`
        counts what redaction of these terms would remove or change outside of the content of pages, where no match can
        be kept: annotations, form fields, strings such as titles and bookmarks, attachments. If anything is redacted on
        a page, author, subject, keywords and XMP are removed in any case.

        Args:
            file: The document (.pdf).
            terms: JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with
                regex; the last three are false if absent. Sent as JSON.
            presets: Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: [].

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("security/redact-preview", [file], {"terms": json_text(terms), "presets": presets}, {})

    def remove_signatures(self, file: Source, /) -> F:
        """Remove digital signatures.

        Signature fields go and what a visible one shows stays on the page. A PDF without signatures is answered too.

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("security/remove-cert-sign", [file], {}, {})

    def remove_password(self, file: Source, /, *, password: str | None = None) -> F:
        """Remove the password from a PDF.

        Accepts the user password or the owner password, exactly as it is, spaces included; an empty password opens
        documents that need none. All restrictions are removed together with the encryption. A document that is not
        encrypted is rewritten. Encryption for certificates, which has no password, cannot be removed.

        Args:
            file: The document (.pdf).
            password: User or owner password; empty if the document opens without one.

        Returns:
            The document (pdf).
        """
        return self._file("security/remove-password", [file], {"password": password}, {})

    def sanitize_pdf(
        self,
        file: Source,
        /,
        *,
        remove_java_script: bool | None = None,
        remove_embedded_files: bool | None = None,
        remove_xmp_metadata: bool | None = None,
        remove_metadata: bool | None = None,
        remove_links: bool | None = None,
        remove_fonts: bool | None = None,
    ) -> F:
        """Remove scripts, files, metadata, links or fonts.

        Each type of content is removed wherever it occurs: name trees, the document, pages, bookmarks, annotations,
        form fields at any depth, and chained actions.

        - `remove_java_script`: scripts, including those of renditions, 3D artwork and XFA forms, and launch actions,
        which start programs, and texts where only numbers belong, such as a font matrix, from which viewers have run
        scripts. An XFA form whose scripts cannot be separated is removed as a whole. - `remove_embedded_files`:
        attached and associated files, portfolios, sounds, movies, 3D artwork and rich media with their annotations, and
        actions that open or play them. - `remove_xmp_metadata`: XMP metadata of the document, its parts and its JPEG
        images, and with it the standards that it declares. - `remove_metadata`: the document information, private data
        of programs, and metadata in JPEG images (Exif, IPTC); the file gets a new identifier. - `remove_links`:
        everything that leads or sends data outside the document: web addresses, other files, programs, forms that are
        submitted or filled from elsewhere, and any script on a link. The link areas stay, and so do links within the
        document. - `remove_fonts`: embedded font programs. Text stays and can be searched, and is shown in the viewer's
        own fonts; declarations of PDF/A and the like are removed. Type 3 fonts are drawings and stay. Some viewers
        cannot show text whose codes are glyph numbers (Identity-H without a character collection) with other fonts,
        especially Chinese, Japanese and Korean: a warning says so.

        Passwords, permissions and the producer stay as they were. If all flags are false, the file is rewritten without
        earlier revisions. `X-Tool-Report` says how many items of each type were removed.

        Args:
            file: The document (.pdf).
            remove_java_script: Remove scripts, and actions that start programs. Default: True.
            remove_embedded_files: Remove attachments and media. Default: True.
            remove_xmp_metadata: Remove XMP metadata. Default: False.
            remove_metadata: Remove the document information: title, author, dates, programs. Default: False.
            remove_links: Remove links and actions that lead or send data outside the document. Default: False.
            remove_fonts: Remove embedded fonts. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/sanitize-pdf",
            [file],
            {
                "removeJavaScript": remove_java_script,
                "removeEmbeddedFiles": remove_embedded_files,
                "removeXMPMetadata": remove_xmp_metadata,
                "removeMetadata": remove_metadata,
                "removeLinks": remove_links,
                "removeFonts": remove_fonts,
            },
            {},
        )

    def timestamp_pdf(self, file: Source, /, *, tsa_url: str | None = None) -> F:
        """Add an RFC 3161 document time stamp.

        Only the SHA-256 digest of the document and a random number are sent to the time stamp authority. Its answer is
        verified: status, digest, number, signature, and a certificate for time stamps only.

        The stamp is appended, so signatures that the document has stay valid; certified documents may always be
        stamped.

        Args:
            file: The document (.pdf).
            tsa_url: Time stamp authority: one of the presets, the default or a custom server of the settings (`GET
                /api/v1/config/app-config` lists them). Blank takes `security.timestamp.defaultTsaUrl`.

        Returns:
            The document (pdf).
        """
        return self._file("security/timestamp-pdf", [file], {"tsaUrl": tsa_url}, {})

    @as_method
    def validate_signatures(
        self,
        file: Source,
        /,
        *,
        cert_file: Source | None = None,
    ) -> Call[ValidateSignaturesAnswer]:
        """Check every signature, its chain and later changes.

        Returns one item for each signature dictionary, including document time stamps, in the order of the form fields;
        `[]` for an unsigned document. All members are always present; unknown values are `null`, `false` or `0`. A
        signature that cannot be read is `valid: false` with an `errorMessage`, and the status is still 200.

        `valid` is true if the signature matches the signed bytes (`integrity`), these bytes are the whole document
        except the signature value, and later changes are allowed for such a signature (`changesSinceSigning`): filling
        in forms, further signatures, evidence for them, and what a certification allows. It does not say whether the
        signer is trusted; `chainValid` and `trustValid` do.

        `cert_file` (PEM, DER, PKCS#7) replaces all trust sources for this call: every certificate in it is an anchor.
        Revocation is checked as set in `security.validation.revocation`. Nothing is fetched unless
        `security.validation.allowAIA` is on, but revocation data in the document is used.

        Dates are in the time zone of the server. The certificate chain is checked at the time of the time stamp, or
        else at that of the attribute signing-time, which PAdES signatures do not have, or else now
        (`validationTimeSource`).

        Args:
            file: The document (.pdf).
            cert_file: A file. X.509 certificate (PEM, DER) or PKCS#7 bundle; the only trust anchors of this call. An
                empty file counts as none.

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("security/validate-signature", [file], {}, {"certFile": cert_file})

    @as_method
    def verify_pdf(self, file: Source, /) -> Call[VerifyPdfAnswer]:
        """Check a PDF against PDF/A, PDF/UA and WTPDF.

        Returns one item for each standard that the XMP metadata declares, PDF/A first, as checked by veraPDF. If PDF/A
        is not declared, the first item is `not-pdfa`, so the list is never empty; if no standard is declared, it is the
        only item.

        A failure is a broken rule. Each rule is listed once, with its first occurrence and, in the message, the number
        of occurrences. Names and messages come from veraPDF and may change with its version: rely on `standard`,
        `compliant`, `specification`, `clause` and `testNumber`.

        A standard whose check fails to complete is reported as not compliant, with a single failure that gives the
        reason. A document that veraPDF cannot read at all is refused as damaged, although other operations may be able
        to fix it.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("security/verify-pdf", [file], {}, {})
