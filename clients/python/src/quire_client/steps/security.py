# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from quire_client.step_base import Json, StepBase, json_text

if TYPE_CHECKING:
    from typing_extensions import Self


class SecuritySteps(StepBase):
    """Operations of the category security."""

    def add_password(
        self,
        *,
        owner_password: str | None = None,
        password: str | None = None,
        key_length: Literal[40, 128, 256] | None = None,
        prevent_assembly: bool | None = None,
        prevent_extract_content: bool | None = None,
        prevent_extract_for_accessibility: bool | None = None,
        prevent_fill_in_form: bool | None = None,
        prevent_modify: bool | None = None,
        prevent_modify_annotations: bool | None = None,
        prevent_printing: bool | None = None,
        prevent_printing_faithful: bool | None = None,
        encrypt_metadata: bool | None = None,
    ) -> Self:
        """Protect a PDF with a password and permissions.

        Args:
            owner_password: Password that gives all permissions; if empty, the user password does.
            password: User password, needed to open the document; if empty, anyone can open it.
            key_length: Key length in bits: 256 (AES), 128 (AES) or 40 (RC4, weak). Default: 256.
            prevent_assembly: Forbid inserting, removing and rotating pages, and creating bookmarks. Default: False.
            prevent_extract_content: Forbid copying text and images. Default: False.
            prevent_extract_for_accessibility: Forbid extracting text for accessibility, such as screen readers.
                Default: False.
            prevent_fill_in_form: Forbid filling in form fields. Default: False.
            prevent_modify: Forbid changing the content. Default: False.
            prevent_modify_annotations: Forbid adding and changing annotations. Default: False.
            prevent_printing: Forbid printing. Default: False.
            prevent_printing_faithful: Forbid printing in high quality. Default: False.
            encrypt_metadata: If false, the XMP metadata can be read without the password, for example by search
                engines; not possible with 40 bits. Default: True.
        """
        return self._step(
            "security/add-password",
            {
                "ownerPassword": owner_password,
                "password": password,
                "keyLength": key_length,
                "preventAssembly": prevent_assembly,
                "preventExtractContent": prevent_extract_content,
                "preventExtractForAccessibility": prevent_extract_for_accessibility,
                "preventFillInForm": prevent_fill_in_form,
                "preventModify": prevent_modify,
                "preventModifyAnnotations": prevent_modify_annotations,
                "preventPrinting": prevent_printing,
                "preventPrintingFaithful": prevent_printing_faithful,
                "encryptMetadata": encrypt_metadata,
            },
        )

    def add_watermark(
        self,
        *,
        watermark_type: Literal["text", "image"],
        watermark_text: str | None = None,
        alphabet: str | None = None,
        font_size: float | None = None,
        rotation: float | None = None,
        opacity: float | None = None,
        width_spacer: int | None = None,
        height_spacer: int | None = None,
        custom_color: str | None = None,
        convert_pdf_to_image: bool | None = None,
    ) -> Self:
        r"""Add a text or image watermark.

        Args:
            watermark_type: Whether the watermark is the text or the image in watermarkImage; case does not matter.
            watermark_text: Text of the watermark, required for text. The two characters \n start a new line.
            alphabet: Alphabet of the text, which selects the font: roman, arabic, japanese, korean, chinese or thai.
                Any other value means roman. Default: "roman".
            font_size: Font size, or height of the image, in points. From 1 to 14400 pt. Default: 30.
            rotation: Rotation of each tile in degrees, counter-clockwise. Default: 0.
            opacity: From 0.0 (invisible) to 1.0 (opaque); values outside are limited to that range. From 0 to 1.
                Default: 0.5.
            width_spacer: Horizontal space between tiles, in points. From 0 pt. Default: 50.
            height_spacer: Vertical space between tiles, in points. From 0 pt. Default: 50.
            custom_color: Text colour in hexadecimal, with or without #; an unreadable value means light grey. Default:
                "#d3d3d3".
            convert_pdf_to_image: Convert every page of the result to one image; bookmarks, links and attachments stay.
                Default: False.
        """
        return self._step(
            "security/add-watermark",
            {
                "watermarkType": watermark_type,
                "watermarkText": watermark_text,
                "alphabet": alphabet,
                "fontSize": font_size,
                "rotation": rotation,
                "opacity": opacity,
                "widthSpacer": width_spacer,
                "heightSpacer": height_spacer,
                "customColor": custom_color,
                "convertPDFToImage": convert_pdf_to_image,
            },
        )

    def auto_redact(
        self,
        *,
        list_of_text: str,
        use_regex: bool | None = None,
        whole_word_search: bool | None = None,
        redact_color: str | None = None,
        custom_padding: float | None = None,
        convert_pdf_to_image: bool | None = None,
        verify: Literal["text", "ocr"] | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> Self:
        """Search for text or patterns and redact them.

        Args:
            list_of_text: Terms or patterns, one per line; surrounding spaces and blank lines are ignored.
            use_regex: Treat each line as a regular expression in Java syntax. Default: False.
            whole_word_search: Match whole words only. Default: False.
            redact_color: Colour of the boxes in hexadecimal, with or without #; any other value means black. Default:
                "#000000".
            custom_padding: Extra height in points above and below each box; what it covers is removed as well. From 0
                to 14400 pt. Default: 0.
            convert_pdf_to_image: Convert every page of the result to one image. Default: False.
            verify: How the result is checked: text reads the text of the file; ocr also draws every page and reads it
                with OCR, which takes seconds per page, and fails if a term can still be read. Default: "text".
            languages: Languages for verify=ocr, named as in GET /api/v1/ui-data/ocr-pdf; English, or what is installed,
                if absent. Default: [].
        """
        return self._step(
            "security/auto-redact",
            {
                "listOfText": list_of_text,
                "useRegex": use_regex,
                "wholeWordSearch": whole_word_search,
                "redactColor": redact_color,
                "customPadding": custom_padding,
                "convertPDFToImage": convert_pdf_to_image,
                "verify": verify,
                "languages": languages,
            },
        )

    def sign_pdf(
        self,
        *,
        cert_type: Literal["PKCS12", "PFX", "PEM", "JKS", "SERVER"],
        password: str | None = None,
        alias: str | None = None,
        show_signature: bool | None = None,
        reason: str | None = None,
        location: str | None = None,
        name: str | None = None,
        page_number: int | None = None,
        x: float | None = None,
        y: float | None = None,
        show_logo: bool | None = None,
        signature_level: Literal["B-B", "B-T", "B-LT", "B-LTA"] | None = None,
        tsa_url: str | None = None,
        certification_level: Literal[0, 1, 2, 3] | None = None,
        rsa_pss: bool | None = None,
    ) -> Self:
        """Sign a PDF with a certificate.

        Args:
            cert_type: Where key and certificate come from: files (PEM, PKCS12 and PFX, JKS) or the server itself
                (SERVER). WINDOWS_STORE and PKCS11 are refused by a server.
            password: Password of the keystore or the key; ignored for SERVER.
            alias: Entry of the keystore; without it, or if there is none with that name, the first usable one.
            show_signature: Makes the signature visible. Default: False.
            reason: Why it is signed. Default: "Signed by Quire".
            location: Where it is signed. Default: "Quire".
            name: Who signs, in the signature dictionary; the visible signature names the certificate's owner. Default:
                "Quire".
            page_number: Page of the visible signature, from 1. From 1. Default: 1.
            x: Distance in points from the left edge of the page to the visible signature. From 0 to 1000000 pt.
                Default: 0.
            y: Distance in points from the bottom of the page to the visible signature's lower edge. From 0 to 1000000
                pt. Default: 0.
            show_logo: Draws a seal behind the text of the visible signature. Default: True.
            signature_level: PAdES baseline level: B-B, or B-T, B-LT and B-LTA with a time stamp. Without it B-T where
                tsa_url is sent, else B-B.
            tsa_url: Time stamp authority, one of those that the settings allow; blank takes
                `security.timestamp.defaultTsaUrl` where the level needs one.
            certification_level: Certifies the document: 1 allows no change afterwards, 2 form filling and signing, 3
                annotations too. 0 only signs it. Default: 0.
            rsa_pss: Signs with RSA-PSS instead of PKCS#1 v1.5; for RSA keys. Default: False.
        """
        return self._step(
            "security/cert-sign",
            {
                "certType": cert_type,
                "password": password,
                "alias": alias,
                "showSignature": show_signature,
                "reason": reason,
                "location": location,
                "name": name,
                "pageNumber": page_number,
                "x": x,
                "y": y,
                "showLogo": show_logo,
                "signatureLevel": signature_level,
                "tsaUrl": tsa_url,
                "certificationLevel": certification_level,
                "rsaPss": rsa_pss,
            },
        )

    def get_pdf_info(self) -> Self:
        """Get detailed information about a PDF."""
        return self._step("security/get-info-on-pdf", {})

    def redact_areas(
        self,
        *,
        redactions: str | None = None,
        page_numbers: str | None = None,
        page_redaction_color: str | None = None,
        convert_pdf_to_image: bool | None = None,
    ) -> Self:
        """Redact areas or whole pages.

        Args:
            redactions: JSON list of {page, x, y, width, height, color}, or one such object; pages count from 1, x and y
                from the top left; may be empty.
            page_numbers: Pages to empty and cover completely: numbers, ranges and formulas with n, separated by commas,
                or all; none if absent.
            page_redaction_color: Colour of whole pages in hexadecimal, with or without #; any other value means black.
                Default: "#000000".
            convert_pdf_to_image: Convert every page of the result to one image. Default: False.
        """
        return self._step(
            "security/redact",
            {
                "redactions": redactions,
                "pageNumbers": page_numbers,
                "pageRedactionColor": page_redaction_color,
                "convertPDFToImage": convert_pdf_to_image,
            },
        )

    def redact_pdf(
        self,
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
    ) -> Self:
        """Redact text, ranges, images and pages in one call.

        Args:
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
        """
        return self._step(
            "security/redact-execute",
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
        )

    def preview_redaction(
        self,
        *,
        terms: Json | None = None,
        presets: Sequence[str | int | float] | None = None,
    ) -> Self:
        """List the matches that redaction would remove.

        Args:
            terms: JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with
                regex; the last three are false if absent. Sent as JSON.
            presets: Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: [].
        """
        return self._step("security/redact-preview", {"terms": json_text(terms), "presets": presets})

    def remove_signatures(self) -> Self:
        """Remove digital signatures."""
        return self._step("security/remove-cert-sign", {})

    def remove_password(self, *, password: str | None = None) -> Self:
        """Remove the password from a PDF.

        Args:
            password: User or owner password; empty if the document opens without one.
        """
        return self._step("security/remove-password", {"password": password})

    def sanitize_pdf(
        self,
        *,
        remove_java_script: bool | None = None,
        remove_embedded_files: bool | None = None,
        remove_xmp_metadata: bool | None = None,
        remove_metadata: bool | None = None,
        remove_links: bool | None = None,
        remove_fonts: bool | None = None,
    ) -> Self:
        """Remove scripts, files, metadata, links or fonts.

        Args:
            remove_java_script: Remove scripts, and actions that start programs. Default: True.
            remove_embedded_files: Remove attachments and media. Default: True.
            remove_xmp_metadata: Remove XMP metadata. Default: False.
            remove_metadata: Remove the document information: title, author, dates, programs. Default: False.
            remove_links: Remove links and actions that lead or send data outside the document. Default: False.
            remove_fonts: Remove embedded fonts. Default: False.
        """
        return self._step(
            "security/sanitize-pdf",
            {
                "removeJavaScript": remove_java_script,
                "removeEmbeddedFiles": remove_embedded_files,
                "removeXMPMetadata": remove_xmp_metadata,
                "removeMetadata": remove_metadata,
                "removeLinks": remove_links,
                "removeFonts": remove_fonts,
            },
        )

    def timestamp_pdf(self, *, tsa_url: str | None = None) -> Self:
        """Add an RFC 3161 document time stamp.

        Args:
            tsa_url: Time stamp authority: one of the presets, the default or a custom server of the settings (`GET
                /api/v1/config/app-config` lists them). Blank takes `security.timestamp.defaultTsaUrl`.
        """
        return self._step("security/timestamp-pdf", {"tsaUrl": tsa_url})

    def validate_signatures(self) -> Self:
        """Check every signature, its chain and later changes."""
        return self._step("security/validate-signature", {})
