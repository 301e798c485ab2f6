# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from quire_client.operation_base import F, M, OperationBase, Source


class SecurityOperations(OperationBase[F, M]):
    """Operations of the category security."""

    def add_password(
        self,
        file: Source,
        /,
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
    ) -> F:
        """Protect a PDF with a password and permissions.

        With `key_length` 256 the document is encrypted with AES-256 (revision 6 of the standard security handler), with
        128 with AES-128, and with 40 with RC4, which is easy to break and only meant for viewers older than 2001.
        Without `owner_password`, the user password is also the owner password. Without either password the document is
        still encrypted and anyone can open it, with the restrictions. Viewers enforce restrictions voluntarily: whoever
        can open a document can also get its content.

        Each `prevent` field denies one permission (ISO 32000-1, table 22). With 40 bits, unless a permission is denied
        that such a key cannot express, viewers treat assembling as modifying, and filling in form fields as annotating.
        PDF 2.0 viewers always allow extraction for accessibility. Passwords are used exactly as sent, spaces included:
        up to 127 bytes of UTF-8 with 256 bits, otherwise up to 32 Latin-1 characters. Characters that viewers encode
        differently (ligatures, joiners) are refused.

        A document that opens with the empty password is encrypted again; a locked one must go through remove-password
        first. PDF/A and PDF/X forbid encryption: a document that declares them loses that declaration (`withdrawn` in
        `X-Tool-Report`).

        Args:
            file: The document (.pdf).
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

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/add-password",
            [file],
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
            {},
        )

    def add_watermark(
        self,
        file: Source,
        /,
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
        watermark_image: Source | None = None,
    ) -> F:
        r"""Add a text or image watermark.

        The watermark is repeated in tiles over every page. Tiles start at the lower left corner of the media box, in
        the page's own units; page rotation and crop box are ignored. Text stays text and can be searched in all
        alphabets. A page that is smaller than the image gets no watermark (`unmarked` in `X-Tool-Report` counts such
        pages); if that applies to all pages, the call is refused.

        With `convert_pdf_to_image`, pages are rendered at `system.maxDPI`, or at the highest resolution within the
        pixel limits. The images show what viewers show of the page; page boxes, bookmarks, links, page labels and
        attachments stay. A document that declares PDF/A-1 loses that declaration if the watermark is not opaque,
        because PDF/A-1 forbids transparency.

        Args:
            file: The document (.pdf).
            watermark_type: Whether the watermark is the text or the image in watermark_image; case does not matter.
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
            watermark_image: A file (.png, .jpg, .jpeg, .gif, .bmp). Image for an image watermark; of an animation the
                first frame. Images other than JPEG are limited to 50 megapixels.

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/add-watermark",
            [file],
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
            {"watermarkImage": watermark_image},
        )

    def auto_redact(
        self,
        file: Source,
        /,
        *,
        list_of_text: str,
        use_regex: bool | None = None,
        whole_word_search: bool | None = None,
        redact_color: str | None = None,
        custom_padding: float | None = None,
        convert_pdf_to_image: bool | None = None,
        verify: Literal["text", "ocr"] | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> F:
        """Search for text or patterns and redact them.

        Matches are removed from the file: from page content and the forms it draws, annotations, field values,
        bookmarks, names, attachments, metadata and earlier revisions. A box is drawn in their place. Where a font says
        one text and shows another, both are searched, and so is text that the glyphs of a Type 3 font draw. Terms in
        names that no page shows (resources, fonts, tags, roles) are replaced, in identifiers, languages and inline
        images removed. Two engines then read the changed pages of the result again, and the second engine all others,
        except, in documents of 16 pages and more, those so plain that every engine reads the same text. If a match is
        left, the call fails with 422 and returns no file. With `verify=ocr`, the pages of the result are also drawn and
        read with OCR. Case is always ignored. Plain terms are also found across line ends, hyphenation, spaced-out
        letters, ligatures and any number of spaces. Patterns use Java regular expression syntax; they see a page as
        words separated by one space and lines separated by one line feed, and they have a time limit (422). Text in
        images is not found; `verify=ocr` fails with 422 if it can be read. `X-Tool-Report` holds `matches`;
        `unreadable` and `unreadableFonts`, the number of characters whose font does not say which characters they are,
        and the names of these fonts; and `kept`, names with a term that cannot be changed. The last three are also in
        `X-Warnings`.

        Args:
            file: The document (.pdf).
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

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/auto-redact",
            [file],
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
            {},
        )

    def sign_pdf(
        self,
        file: Source,
        /,
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
        private_key_file: Source | None = None,
        cert_file: Source | None = None,
        p12_file: Source | None = None,
        jks_file: Source | None = None,
    ) -> F:
        """Sign a PDF with a certificate.

        Creates a PAdES baseline signature (ETSI EN 319 142-1; SubFilter `ETSI.CAdES.detached`) with SHA-2 and the whole
        certificate chain, and verifies it in the written file. It is appended, so existing signatures stay valid; a
        signature that a certified document does not allow is refused with 409.

        `signature_level` B-T adds a time stamp to the signature. B-LT also adds certificates and revocation data, which
        are fetched from the addresses in the certificates (`security.validation.allowAIA` must be on). B-LTA adds a
        time stamp over all of it.

        The certificate must be valid now. RSA keys below 2048 bits are rejected. Certificates whose issuer signed with
        SHA-1 are accepted, and `concerns` in `X-Tool-Report` says what verifiers may object to.

        The visible signature is 200 x 50 points and shows signer, time and reason, in any script. `x` and `y` are its
        position on the page as it is shown. If it would not fit, it is moved into the page, and made smaller on small
        pages.

        Keystores, keys and passwords are not kept. Those of a job are in the store until the job has finished, the
        password encrypted.

        Args:
            file: The document (.pdf).
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
            private_key_file: A file. Private key for PEM: PEM or DER of PKCS#1, SEC 1 or PKCS#8, encrypted or not.
            cert_file: A file. Certificate for PEM: PEM, DER or PKCS#7; of several, the one that matches the key signs,
                and its issuers are included.
            p12_file: A file. Keystore for PKCS12 and PFX.
            jks_file: A file. Keystore for JKS; a PKCS#12 file named .jks can be read too.

        Returns:
            The document (pdf).
        """
        return self._file(
            "security/cert-sign",
            [file],
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
            {"privateKeyFile": private_key_file, "certFile": cert_file, "p12File": p12_file, "jksFile": jks_file},
        )

    def get_pdf_info(self, file: Source, /) -> F:
        """Get detailed information about a PDF.

        The file is not changed. The result has the members `Metadata`, `BasicInfo`, `DocumentInfo`, `Compliancy`,
        `Encryption`, `Permissions`, `FormFields`, `Other`, `PerPageInfo` (by `Page 1`, `Page 2` …) and `SummaryData`.

        Fonts, images and XObjects of a page are those of its resources and of the forms and patterns in them, each
        listed once, whether they are drawn or not; inline images are not included. Words, lines (`ParagraphCount`) and
        characters are those of the page content, without annotations. `Content` in the structure tree is the text of an
        element's own marked content. Sizes take `UserUnit` into account; boxes do not.

        A document that declares PDF/A, PDF/UA or WTPDF in its XMP metadata is checked by veraPDF; without veraPDF those
        keys of `Compliancy` are absent. A section that cannot be read is empty; the other sections are complete.
        `X-Tool-Report` lists such sections: `unread`, and `cut` for a structure tree that is returned only in part;
        `unchecked` gives the reason why standards were not checked.

        Args:
            file: The document (.pdf).

        Returns:
            The document (json).
        """
        return self._file("security/get-info-on-pdf", [file], {}, {})
