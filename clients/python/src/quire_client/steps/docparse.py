# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from quire_client.step_base import Json, StepBase, json_text

if TYPE_CHECKING:
    from typing_extensions import Self


class DocparseSteps(StepBase):
    """Operations of the category docparse."""

    def chunk_document(
        self,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        chunk_size: int | None = None,
        overlap: int | None = None,
    ) -> Self:
        """Split a document into text chunks.

        Args:
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            chunk_size: Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. From 64 to
                32768. Default: 512.
            overlap: Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096
                as 4096; must be below chunk_size. From 0 to 4096. Default: 64.
        """
        return self._step(
            "docparse/chunk-document",
            {"mode": mode, "withOcr": with_ocr, "languages": languages, "chunkSize": chunk_size, "overlap": overlap},
        )

    def extract_fields(
        self,
        *,
        fields: Json,
        use_model: bool | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> Self:
        """Extract typed fields into the report header.

        Args:
            fields: Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string
                when absent), description, pattern (a regular expression that the value matches), required. Sent as
                JSON.
            use_model: Asks the language model, if one is set up, for fields that code is not sure of. Default: True.
            with_ocr: Recognise the text of pages that have none (scans), the first 100 of them. Default: True.
            languages: Languages of scanned pages, the most important first; by default English, if it is installed.
                Default: [].
        """
        return self._step(
            "docparse/extract-fields",
            {"fields": json_text(fields), "useModel": use_model, "withOcr": with_ocr, "languages": languages},
        )

    def extract_fields_as_json(
        self,
        *,
        fields: Json,
        use_model: bool | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> Self:
        """Extract typed fields of a PDF as JSON.

        Args:
            fields: Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string
                when absent), description, pattern (a regular expression that the value matches), required. Sent as
                JSON.
            use_model: Asks the language model, if one is set up, for fields that code is not sure of. Default: True.
            with_ocr: Recognise the text of pages that have none (scans), the first 100 of them. Default: True.
            languages: Languages of scanned pages, the most important first; by default English, if it is installed.
                Default: [].
        """
        return self._step(
            "docparse/extract-fields/json",
            {"fields": json_text(fields), "useModel": use_model, "withOcr": with_ocr, "languages": languages},
        )

    def extract_tables(
        self,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        output_format: Literal["csv", "json"] | None = None,
        page_numbers: str | None = None,
    ) -> Self:
        """Extract tables as CSV or JSON.

        Args:
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            output_format: One CSV file for each table, or all tables as JSON. Default: "csv".
            page_numbers: Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1
                for odd pages), or all. Default: "all".
        """
        return self._step(
            "docparse/extract-tables",
            {
                "mode": mode,
                "withOcr": with_ocr,
                "languages": languages,
                "outputFormat": output_format,
                "pageNumbers": page_numbers,
            },
        )

    def fill_template(self, *, data: Json, missing: Literal["error", "keep", "empty"] | None = None) -> Self:
        """Fill a document template with data.

        Args:
            data: Values for the names in the template: a JSON object. Sent as JSON.
            missing: Names without a value: refuse the template and list them, keep them as written, or leave them
                empty. Default: "error".
        """
        return self._step("docparse/fill-template", {"data": json_text(data), "missing": missing})

    def ingest_document(
        self,
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
    ) -> Self:
        """Chunk, index and export the text of a PDF.

        Args:
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
        """
        return self._step(
            "docparse/ingest",
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
        )

    def parse_document(
        self,
        *,
        mode: Literal["auto", "basic", "advanced"] | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
        output_format: Literal["json", "markdown"] | None = None,
    ) -> Self:
        """Parse layout blocks, tables and Markdown.

        Args:
            mode: How the layout is read: basic uses positions and tags; advanced needs a layout model, which this
                server does not have (503); auto uses what is available. Default: "auto".
            with_ocr: Recognise the text of pages that have none (scans) first. Default: False.
            languages: Languages for with_ocr, the most important first; by default English, if it is installed.
                Default: [].
            output_format: Blocks, pages and Markdown as JSON, or the Markdown alone. Default: "json".
        """
        return self._step(
            "docparse/parse-document",
            {"mode": mode, "withOcr": with_ocr, "languages": languages, "outputFormat": output_format},
        )

    def ingest_document_for_rag(
        self,
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
    ) -> Self:
        """Index a PDF, by the older address of ingest.

        Args:
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
        """
        return self._step(
            "docparse/rag-ingest",
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
        )

    def smart_split(self, *, rule: str, max_parts: int | None = None) -> Self:
        """Split a PDF by a rule in words.

        Args:
            rule: Rule for the parts, in words.
            max_parts: Most parts; a rule that makes more is refused. From 1 to 500. Default: 500.
        """
        return self._step("docparse/smart-split", {"rule": rule, "maxParts": max_parts})

    def suggest_schema(
        self,
        *,
        max_fields: int | None = None,
        use_model: bool | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> Self:
        """Suggest fields worth extracting from a PDF.

        Args:
            max_fields: Most fields that are named. From 1 to 20. Default: 10.
            use_model: Lets the language model name and describe them, where one is set up. Default: True.
            with_ocr: Recognise the text of pages that have none (scans), the first 100 of them. Default: True.
            languages: Languages of scanned pages, the most important first; by default English, if it is installed.
                Default: [].
        """
        return self._step(
            "docparse/suggest-schema",
            {"maxFields": max_fields, "useModel": use_model, "withOcr": with_ocr, "languages": languages},
        )
