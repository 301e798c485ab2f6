# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from quire_client.answers import ChunkDocumentAnswer, ExtractFieldsAsJsonAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, Json, M, OperationBase, Source, as_method, json_text


class DocparseOperations(OperationBase[F, M]):
    """Operations of the category docparse."""

    @as_method
    def chunk_document(
        self,
        file: Source,
        /,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        chunk_size: int | None = None,
        overlap: int | None = None,
    ) -> Call[ChunkDocumentAnswer]:
        """Split a document into text chunks.

        Chunks are Markdown with at most `chunk_size` characters (UTF-16 code units), in reading order, without running
        headers and page numbers; images contribute their text and alternative text. Each chunk is within one section,
        starts with its headings, and has its pages and the headings above it.

        A chunk ends where a block ends, otherwise at the end of a sentence, item or row, otherwise between words; a
        word is split only if it is longer than a chunk. It repeats up to `overlap` characters of the previous chunk in
        its section, from the start of a sentence or word; at most three quarters of a chunk.

        Together the chunks contain all the text, and the same document always gives the same chunks. Scanned pages need
        `with_ocr`; a document without text gives no chunk. No language model is used.

        Args:
            file: The document (.pdf).
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            chunk_size: Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. From 64 to
                32768. Default: 512.
            overlap: Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096
                as 4096; must be below chunk_size. From 0 to 4096. Default: 64.

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call(
            "docparse/chunk-document",
            [file],
            {"mode": mode, "withOcr": with_ocr, "languages": languages, "chunkSize": chunk_size, "overlap": overlap},
            {},
        )

    def extract_fields(
        self,
        file: Source,
        /,
        *,
        fields: Json,
        use_model: bool | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> F:
        """Extract typed fields into the report header.

        The PDF is returned unchanged. `X-Tool-Report` holds `values` by name, `evidence` by name (page, source,
        confidence), `missing` required fields and `model`; `evidence`, then long values, are left out if the header is
        too small for them (`cut`). `docparse/extract-fields/json` returns everything.

        Fields are found in form fields, labels with the text after, beside or below them, tables, by `pattern`, and by
        typical values (IBAN with valid check digits, email addresses, invoice numbers and so on); common names are
        known in English, German, French and Spanish. Every value has its page, quotation and, if it is at one position,
        its box (left, top, right, bottom in points of the page as shown, from the upper left corner). Dates are ISO
        8601, amounts `{"amount", "currency"}` with ISO 4217.

        If a language model is set up, it is asked for fields that code is not sure of; its answer is accepted only if
        its quotation is on that page. Without a model, or if it fails, everything else works (`modelFault`). Scanned
        pages are read with OCR first unless `with_ocr` is false; `ocrPages` says how many there were, `ocrFault` why it
        failed.

        Args:
            file: The document (.pdf).
            fields: Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string
                when absent), description, pattern (a regular expression that the value matches), required. Sent as
                JSON.
            use_model: Asks the language model, if one is set up, for fields that code is not sure of. Default: True.
            with_ocr: Recognise the text of pages that have none (scans), the first 100 of them. Default: True.
            languages: Languages of scanned pages, the most important first; by default English, if it is installed.
                Default: [].

        Returns:
            The document.
        """
        return self._file(
            "docparse/extract-fields",
            [file],
            {"fields": json_text(fields), "useModel": use_model, "withOcr": with_ocr, "languages": languages},
            {},
        )

    @as_method
    def extract_fields_as_json(
        self,
        file: Source,
        /,
        *,
        fields: Json,
        use_model: bool | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> Call[ExtractFieldsAsJsonAnswer]:
        """Extract typed fields of a PDF as JSON.

        Fields are found in form fields, labels with the text after, beside or below them, tables, by `pattern`, and by
        typical values (IBAN with valid check digits, email addresses, invoice numbers and so on); common names are
        known in English, German, French and Spanish. Every value has its page, quotation and, if it is at one position,
        its box (left, top, right, bottom in points of the page as shown, from the upper left corner). Dates are ISO
        8601, amounts `{"amount", "currency"}` with ISO 4217.

        If a language model is set up, it is asked for fields that code is not sure of; its answer is accepted only if
        its quotation is on that page. Without a model, or if it fails, everything else works (`modelFault`). Scanned
        pages are read with OCR first unless `with_ocr` is false; `ocrPages` says how many there were, `ocrFault` why it
        failed.

        Args:
            file: The document (.pdf).
            fields: Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string
                when absent), description, pattern (a regular expression that the value matches), required. Sent as
                JSON.
            use_model: Asks the language model, if one is set up, for fields that code is not sure of. Default: True.
            with_ocr: Recognise the text of pages that have none (scans), the first 100 of them. Default: True.
            languages: Languages of scanned pages, the most important first; by default English, if it is installed.
                Default: [].

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call(
            "docparse/extract-fields/json",
            [file],
            {"fields": json_text(fields), "useModel": use_model, "withOcr": with_ocr, "languages": languages},
            {},
        )

    def extract_tables(
        self,
        file: Source,
        /,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        output_format: Literal["csv", "json"] | None = None,
        page_numbers: str | None = None,
    ) -> M:
        """Extract tables as CSV or JSON.

        Tables with and without lines on the selected pages (default: all). A table across page breaks is one table, on
        the page where it starts; repeated header rows are left out.

        `csv`: commas, CR LF, every field quoted, UTF-8; a merged cell has its text in its first position, lines of a
        cell are separated by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is
        written as printed, even if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text.

        `json`: `tables`, each with `page`, `pageEnd`, `number` on its page, `bbox` (left, top, right, bottom in points
        of the page as shown, from the upper left corner), `ruled`, `columns`, `headerRows`, `rows` of texts, and
        `cells` with row, column, rowSpan, colSpan, header and text. No table gives an empty list.

        On scanned pages, read with `with_ocr`, tables are found by the positions of words.

        Args:
            file: The document (.pdf).
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            output_format: One CSV file for each table, or all tables as JSON. Default: "csv".
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".

        Returns:
            The document (csv, json). Several files come as a zip; see `Document.files`. `None` if the document does not
                match.
        """
        return self._maybe(
            "docparse/extract-tables",
            [file],
            {
                "mode": mode,
                "withOcr": with_ocr,
                "languages": languages,
                "outputFormat": output_format,
                "pageNumbers": page_numbers,
            },
            {},
        )

    def fill_template(
        self,
        file: Source,
        /,
        *,
        data: Json,
        missing: Literal["error", "keep", "empty"] | None = None,
    ) -> F:
        """Fill a document template with data.

        The template is a DOCX, PPTX, ODT or ODP, sent as `templateFile` or (in pipelines) as `fileInput`.

        - `{{customer.name}}` is replaced by that member of `data`, in the style of the text around it; line feeds and
        tabs are kept. - `{{#items}} … {{/items}}` is repeated for each item of a list. If both marks are in cells of
        one table row, that row is repeated; if they are in different rows, these rows; otherwise everything between
        them. Rows and paragraphs with nothing but such a mark are removed. If the value is not a list, the content
        appears once, and not at all for `false`, `null`, 0, an empty text or an empty list. - `{{^items}} … {{/items}}`
        appears in exactly these cases. - Names are looked up in the item, then in the values around it. `{{.}}` is the
        item, `{{@number}}` its number from 1, `{{@index}}` from 0; there are also `{{@first}}`, `{{@last}}` and
        `{{@count}}`. - `{{%logo}}` is a picture (PNG, JPEG, GIF) as base64 or data URI; `{{logo}}` is one if the value
        is `{"image": "…", "width": 120, "height": 40, "alt": "…"}`, with lengths in points. Slides cannot have
        pictures.

        Headers, footers, footnotes, endnotes, text boxes and the notes of slides are filled too. No expressions are
        evaluated. Templates with macros or with linked parts are rejected; hyperlinks stay.

        Args:
            file: The document (.docx, .pptx, .odt, .odp).
            data: Values for the names in the template: a JSON object. Sent as JSON.
            missing: Names without a value: refuse the template and list them, keep them as written, or leave them
                empty. Default: "error".

        Returns:
            The document.
        """
        return self._file("docparse/fill-template", [file], {"data": json_text(data), "missing": missing}, {})

    def ingest_document(
        self,
        file: Source,
        /,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        chunk_size: int | None = None,
        overlap: int | None = None,
        document_id: str | None = None,
        include_original: bool | None = None,
        index: bool | None = None,
        export_markdown: bool | None = None,
        export_chunks_jsonl: bool | None = None,
    ) -> F:
        """Chunk, index and export the text of a PDF.

        The answer is a zip with the document under its own name (`include_original`), `<base>.md` (`export_markdown`)
        and `<base>.chunks.jsonl` (`export_chunks_jsonl`: one chunk a line, `{document_id, index, text, pageStart,
        pageEnd, headingPath}`). `X-Tool-Report` contains `document_id`, `chunksIndexed`, `pages`, `sourcePages`,
        `truncated` and `indexed`. In pipelines and jobs these are single files.

        Chunks are made as by docparse/chunk-document. `index` keeps them in the index of the caller on this server, in
        place of what was there under the same `document_id`; POST docparse/search finds them again. It needs no
        language model; where an embedding model is set up, it is sent the chunks, so that they are found by what they
        mean as well. While login is off there is one index for everybody.

        The settings `aiEngine.limits.maxPages` and `maxCharacters` cut long documents at a page; then `truncated` is
        true. A document without text is refused with 422: send `with_ocr`, or recognise it first.

        Args:
            file: The document (.pdf).
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            chunk_size: Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. From 64 to
                32768. Default: 512.
            overlap: Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096
                as 4096; must be below chunk_size. From 0 to 4096. Default: 64.
            document_id: Names the document in the index: what was indexed under it is replaced; by default the SHA-256
                of the bytes.
            include_original: Returns the document too. Default: True.
            index: Stores the chunks for search. Default: True.
            export_markdown: Returns the text as Markdown. Default: False.
            export_chunks_jsonl: Returns the chunks as JSON Lines. Default: False.

        Returns:
            The document. Several files come as a zip; see `Document.files`.
        """
        return self._file(
            "docparse/ingest",
            [file],
            {
                "mode": mode,
                "withOcr": with_ocr,
                "languages": languages,
                "chunkSize": chunk_size,
                "overlap": overlap,
                "documentId": document_id,
                "includeOriginal": include_original,
                "index": index,
                "exportMarkdown": export_markdown,
                "exportChunksJsonl": export_chunks_jsonl,
            },
            {},
        )

    def parse_document(
        self,
        file: Source,
        /,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        output_format: Literal["json", "markdown"] | None = None,
    ) -> F:
        """Parse layout blocks, tables and Markdown.

        `json`: `blocks` in reading order, each with `id`, `type` (heading, paragraph, list, table, figure, caption,
        header, footer, footnote, code, other), `page`, `pageEnd` where it goes on over page breaks, `bbox` and `text`;
        headings have `level`, lists `ordered` and `items` with `level` and `marker`, tables `columns`, `headerRows`,
        `rows` of texts and `cells` with their spans, figures `alt` and `image`, footnotes `mark`, text from the right
        `direction`. Then `pages` with their sizes and columns, and the whole as `markdown`.

        `bbox` is left, top, right and bottom in points (1/72 inch) of the page as it is shown, from its upper left
        corner, on the page where the block begins.

        Columns are read one after another; headings come from tags, bookmarks, size and weight; running headers,
        footers and page numbers are header and footer blocks; tables are found with and without lines. `markdown`
        returns the Markdown alone.

        Scanned pages have no text unless `with_ocr` is sent; `X-Tool-Report` says what was recognised. No language
        model is used.

        Args:
            file: The document (.pdf).
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            output_format: Blocks, pages and Markdown as JSON, or the Markdown alone. Default: "json".

        Returns:
            The document (json, md).
        """
        return self._file(
            "docparse/parse-document",
            [file],
            {"mode": mode, "withOcr": with_ocr, "languages": languages, "outputFormat": output_format},
            {},
        )
