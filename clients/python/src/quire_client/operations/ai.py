# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from quire_client.answers import AuditArithmeticAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, Json, M, OperationBase, Source, as_method, json_text


class AiOperations(OperationBase[F, M]):
    """Operations of the category ai."""

    def classify_document(self, file: Source, /) -> F:
        """Tell what kind of document it is, and store it there.

        A language model is given the text of the first two and the last two pages, and chooses one of a fixed list of
        kinds. The entry `Classification` of the information dictionary then holds it as JSON: `id` (`invoice`), `name`
        (`Invoice`) and `confidence` (0 to 1); `X-Tool-Report` holds the same. A document whose pages have no text comes
        back as it was, with `labelled` false in the report.

        Args:
            file: The document (.pdf).

        Returns:
            The document (pdf).
        """
        return self._file("ai/tools/classify-and-label", [file], {}, {})

    def create_pdf_from_document(self, *, document: Json, filename: str) -> F:
        """Lay a structured document out as a PDF.

        There is no file part: `document` is JSON with `title`, `subtitle`, `referenceNumber`, `style` (`primaryColor`,
        `backgroundColor`, `bodyTextColor` as `#RRGGBB`) and `sections`. A section can have `heading`, `body`
        (paragraphs separated by empty lines), `pairs` (`[[key, value]]`), a table of `columns`, `rows` and `totalRow`,
        `items`, `signatories` (names, or objects with `name`, `title`, `organisation`, `date`). Its `type` is free
        text; these have a special layout: `numbered_list`, `checklist`, `note`, `quote`, `two_columns` (of text),
        `page_break`, `divider`. No model is used; available while `aiEngine.enabled` is on. Tables repeat their header
        on every page; documents with several pages get page numbers.

        Args:
            document: The document. Sent as JSON.
            filename: Name of the PDF; one that does not end in .pdf becomes generated-document.pdf.

        Returns:
            The document (pdf).
        """
        return self._file(
            "ai/tools/create-pdf-from-html-agent",
            [],
            {"document": json_text(document), "filename": filename},
            {},
        )

    @as_method
    def audit_arithmetic(self, file: Source, /, *, tolerance: float | None = None) -> Call[AuditArithmeticAnswer]:
        """Find arithmetic contradictions in a PDF.

        Everything is calculated here, with exact decimals: totals of tables and of lists of amounts (`tally`), quantity
        times price and arithmetic that is written out (`arithmetic`), shares, sums, differences and changes in percent
        in sentences (`statement`), and amounts such as an invoice total that are named twice differently
        (`consistency`).

        The language model reads the sentences that hold several numbers, and proposes claims in them; a proposal counts
        when its quotation is on the page and its numbers are in the quotation, and it is calculated like all others.
        Nothing but such sentences leaves the server.

        Numbers are read as `1,234.56`, `1.234,56`, `1 234,56` and `1'234.56`. A number that can be read in two ways is
        reported only when it is wrong in both. `warning`: rounding may explain it, or a person should look whether the
        numbers belong together.

        `unauditablePages` have no text: recognise it first with `misc/ocr-pdf`. As a step of a pipeline the JSON takes
        the place of the file.

        Args:
            file: The document (.pdf).
            tolerance: Differences below this are ignored. From 0 to 1000000000. Default: 0.01.

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("ai/tools/math-auditor-agent", [file], {"tolerance": tolerance}, {})

    def write_comments(self, file: Source, /, *, prompt: str) -> F:
        """Add sticky notes that a language model writes.

        The model is given the text of the document and `prompt`, and answers notes with the words that they are about.
        A note stands before the line in which these words begin, or in the margin of its page when they are nowhere.
        `X-Tool-Report` holds `annotationsApplied`, `instructionsReceived` (notes that the model wrote) and `rationale`.
        Text beyond what one question may hold is asked about in portions, twenty at most.

        Args:
            file: The document (.pdf).
            prompt: Subject of the comments.

        Returns:
            The document (pdf).
        """
        return self._file("ai/tools/pdf-comment-agent", [file], {"prompt": prompt}, {})
