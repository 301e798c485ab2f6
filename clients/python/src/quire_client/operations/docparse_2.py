# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from quire_client.answers import SuggestSchemaAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, M, OperationBase, Source, as_method


class Docparse2Operations(OperationBase[F, M]):
    """Operations of the category docparse."""

    def ingest_document_for_rag(
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
        """Index a PDF, by the older address of ingest.

        The same as docparse/ingest, but a single file is answered as it is and not in a zip: without exports, the
        document itself, unchanged.

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
            "docparse/rag-ingest",
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

    def smart_split(self, file: Source, /, *, rule: str, max_parts: int | None = None) -> F:
        r"""Split a PDF by a rule in words.

        Understood without a language model, in English, German, French and Spanish:

        - page ranges: `1-3, 4-6, 7-` - `every 5 pages`, `each page`, `into 3 parts` - `at each chapter`, `by
        bookmarks`, `at each heading` - `at blank pages`, which are left out - `where the text matches /Invoice\s+\d+/`,
        `at "Invoice"`: such a page begins a part; `after "End of letter"`: it ends one - `per invoice number`, and
        order, customer and VAT numbers, names, dates: a part goes on as long as the value stays the same

        Pages before the first part are a part of their own. Any other rule is asked of the language model, whose page
        ranges are checked; 503 where none is set up. Parts keep bookmarks, links, fields, tags and page labels of their
        pages. 422 where the rule finds nothing, or more than `max_parts`.

        Args:
            file: The document (.pdf).
            rule: Rule for the parts, in words.
            max_parts: Most parts; a rule that makes more is refused. From 1 to 500. Default: 500.

        Returns:
            The document (pdf). Several files come as a zip; see `Document.files`.
        """
        return self._file("docparse/smart-split", [file], {"rule": rule, "maxParts": max_parts}, {})

    @as_method
    def suggest_schema(
        self,
        file: Source,
        /,
        *,
        max_fields: int | None = None,
        use_model: bool | None = None,
        with_ocr: bool | None = None,
        languages: Sequence[str | int | float] | None = None,
    ) -> Call[SuggestSchemaAnswer]:
        """Suggest fields worth extracting from a PDF.

        Form fields, labels with values and table headers become fields with name, type and an example, ready for
        `docparse/extract-fields`. A language model, if one is set up, names and describes them and may add others whose
        labels are in the document. Scanned pages are read with OCR first unless `with_ocr` is false.

        Args:
            file: The document (.pdf).
            max_fields: Most fields that are named. From 1 to 20. Default: 10.
            use_model: Lets the language model name and describe them, where one is set up. Default: True.
            with_ocr: Recognise the text of pages that have none (scans), the first 100 of them. Default: True.
            languages: Languages of scanned pages, the most important first; by default English, if it is installed.
                Default: [].

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call(
            "docparse/suggest-schema",
            [file],
            {"maxFields": max_fields, "useModel": use_model, "withOcr": with_ocr, "languages": languages},
            {},
        )
