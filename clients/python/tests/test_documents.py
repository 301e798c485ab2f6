from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from quire_client import Document, Quire


def pages(quire: Quire, document: Document | None) -> int:
    assert document is not None
    return int(quire.count_pages(document)["pageCount"])


def test_takes_a_path_bytes_a_file_object_a_stream_and_a_named_one(quire: Quire, letter: Path) -> None:
    data = letter.read_bytes()
    with letter.open("rb") as file:
        file.read(10)
        for source in (letter, str(letter), data, bytearray(data), file, BytesIO(data), ("letter.pdf", data)):
            assert pages(quire, quire.rotate_pdf(source, angle=90)) == 2
        assert not file.closed
    assert pages(quire, quire.rotate_pdf(iter([data[:100], data[100:]]), angle=90)) == 2


def test_takes_a_file_object_that_cannot_seek(quire: Quire, letter: Path) -> None:
    class Pipe:
        def __init__(self) -> None:
            self._file = BytesIO(letter.read_bytes())

        def read(self, size: int = -1) -> bytes:
            return self._file.read(size)

    assert pages(quire, quire.rotate_pdf(Pipe())) == 2  # type: ignore[arg-type]


def test_names_the_result_after_the_document(quire: Quire, letter: Path, tmp_path: Path) -> None:
    document = quire.rotate_pdf(("Prüfbericht 漢.pdf", letter.read_bytes()), angle=90)
    assert (document.name, document.media_type) == ("Prüfbericht 漢_rotated.pdf", "application/pdf")
    assert document.save(tmp_path) == tmp_path / "Prüfbericht 漢_rotated.pdf"
    assert document.save(tmp_path / "other.pdf").read_bytes() == document.read()


def test_streams_a_result(quire: Quire, letter: Path) -> None:
    document = quire.rotate_pdf(letter)
    pieces = list(document.stream(1000))
    assert b"".join(pieces) == document.read() == bytes(document)
    assert len(pieces) > 1
    assert len(document) == document.size == len(document.read())


def test_keeps_a_long_result_in_a_temporary_file(
    quire: Quire, letter: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("quire_client.core.spool.SpoolWriter.__init__.__defaults__", (100,))
    document = quire.rotate_pdf(letter)
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [document.size]
    assert document.read().startswith(b"%PDF-")
    assert pages(quire, document) == 2
    del document
    assert list(tmp_path.iterdir()) == []


def test_chains_results(quire: Quire, letter: Path) -> None:
    merged = quire.merge_pdfs([letter, quire.rotate_pdf(letter), letter.read_bytes()])
    assert pages(quire, merged) == 6


def test_takes_one_document_where_several_are_possible(quire: Quire, letter: Path) -> None:
    assert pages(quire, quire.merge_pdfs(str(letter))) == 2
    assert pages(quire, quire.merge_pdfs((str(letter), str(letter)))) == 4
    with letter.open("rb") as one:
        assert pages(quire, quire.merge_pdfs([one, ("b.pdf", letter.read_bytes())])) == 4


def test_lists_the_files_of_a_zip(quire: Quire, letter: Path) -> None:
    document = quire.split_pages(letter, page_numbers="all")
    assert document.is_zip
    assert [pages(quire, file) for file in document.files()] == [1, 1]
    assert quire.rotate_pdf(letter).files()[0].media_type == "application/pdf"


def test_returns_nothing_when_a_filter_drops_the_document(quire: Quire, letter: Path) -> None:
    assert quire.filter_page_count(letter, comparator="Greater", page_count=2) is None
    assert pages(quire, quire.filter_page_count(letter, comparator="Equal", page_count=2)) == 2


def test_returns_values(quire: Quire, letter: Path) -> None:
    assert quire.get_page_dimensions(letter)[0].keys() >= {"width", "height"}


def test_sends_lists_numbers_flags_and_json(quire: Quire, letter: Path) -> None:
    pages_of_result = [{"page": 2}, {"blank": True}, {"page": 1, "rotate": 90}]
    assert pages(quire, quire.assemble_pages([letter], pages=pages_of_result)) == 3
    with_notes = quire.add_comments(
        letter, comments=[{"pageIndex": 0, "x": 72, "y": 700, "width": 20, "height": 20, "text": "Prüfen"}]
    )
    # A note and its pop-up window.
    assert quire.count_annotations(with_notes)["totalCount"] == 2
    redacted = quire.redact_pdf(letter, text_values=["Dear", "customer"], wipe_pages=[2])
    assert pages(quire, redacted) == 2
    described = quire.update_metadata(
        letter, title="Offer", all_request_params={"customKey1": "Dept", "customValue1": "A"}
    )
    assert quire.get_document_properties(described)["title"] == "Offer"


def test_sends_further_files(quire: Quire, letter: Path) -> None:
    picture = letter.parents[2] / "convert" / "fixtures" / "shapes.png"
    stamped = quire.add_watermark(letter, watermark_type="image", watermark_image=picture)
    assert len(quire.extract_images(stamped, format="png").files()) > 0


def test_reports_what_the_server_noticed(quire: Quire, letter: Path) -> None:
    document = quire.call("general/rotate-pdf", letter, angle=90, colour="red")
    assert document.notices.ignored_fields == ("colour",)
    assert quire.compress_pdf(letter).notices.report["level"] > 0


def test_calls_operations_that_it_does_not_know(quire: Quire, letter: Path) -> None:
    rotated = quire.call("/api/v1/general/rotate-pdf", letter, angle=90)
    assert isinstance(rotated, Document)
    assert quire.call("misc/unruly-echo", letter, list=["ä", "b"], count=3)["list"] == ["ä", "b"]
    assert quire.call("analysis/page-count", letter)["pageCount"] == 2
    assert quire.call("filter/filter-page-count", letter, pageCount=9, comparator="Greater") is None


def test_refuses_what_is_no_document(quire: Quire, letter: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing\.pdf"):
        quire.rotate_pdf("missing.pdf")
    with letter.open("r", encoding="latin-1") as text:
        for wrong in (7, None, {"a": 1}, text):
            with pytest.raises(TypeError, match="binary"):
                quire.rotate_pdf(wrong)  # type: ignore[arg-type]

    def texts() -> Iterator[str]:
        yield "text"

    with pytest.raises(TypeError, match="made of bytes"):
        quire.rotate_pdf(texts())  # type: ignore[arg-type]
