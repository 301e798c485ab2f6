from __future__ import annotations

from pathlib import Path

import pytest

from quire_client import InvalidRequestError, Pipeline, Quire


def test_runs_a_pipeline(quire: Quire, letter: Path) -> None:
    pipeline = (
        Pipeline("draft")
        .filter_page_count(comparator="Greater", page_count=1)
        .rotate_pdf(angle=90)
        .add_watermark(watermark_type="text", watermark_text="DRAFT")
    )
    assert len(pipeline) == 3
    document = quire.run(pipeline, letter)
    assert document is not None
    assert "DRAFT" in quire.convert_pdf_to_text(document, output_format="txt").read().decode()


def test_passes_several_documents_and_returns_a_zip(quire: Quire, letter: Path, one_page: bytes) -> None:
    pipeline = Pipeline().filter_page_count(comparator="Less", page_count=9).rotate_pdf(angle=90)
    document = quire.run(pipeline, [letter, ("one.pdf", one_page)])
    assert document is not None
    assert [quire.count_pages(file)["pageCount"] for file in document.files()] == [2, 1]


def test_returns_nothing_when_filters_drop_everything(quire: Quire, letter: Path) -> None:
    assert quire.run(Pipeline().filter_page_count(comparator="Greater", page_count=5), letter) is None


def test_checks_a_pipeline_before_it_sends_the_files(quire: Quire) -> None:
    pipeline = Pipeline().rotate_pdf(angle=91).step("general/rotate-pfd")

    with pytest.raises(InvalidRequestError) as caught:
        quire.run(pipeline, ("letter.pdf", b"%PDF-"))
    assert caught.value.code == "PIPELINE_INVALID"
    assert caught.value.pointers == ("/pipeline/0/parameters/angle", "/pipeline/1/operation")
    assert "/pipeline/1/operation" in str(caught.value)
    with pytest.raises(InvalidRequestError):
        quire.check(pipeline)


def test_reports_ignored_fields_of_a_pipeline_that_can_run(quire: Quire) -> None:
    report = quire.check(Pipeline().step("general/rotate-pdf", angle=90, colour="red"))
    assert [fault.pointer for fault in report.ignored] == ["/pipeline/0/parameters/colour"]


def test_runs_a_pipeline_as_a_job(quire: Quire, letter: Path) -> None:
    job = quire.jobs.run(Pipeline().rotate_pdf(angle=90).compress_pdf(optimize_level=2), letter)
    document = job.result()
    assert document is not None
    assert quire.count_pages(document)["pageCount"] == 2


def test_writes_the_definition_for_a_watched_folder() -> None:
    pipeline = Pipeline("turn", output_file_name="{filename}-{date}").rotate_pdf(angle=90)
    assert pipeline.definition() == {
        "name": "turn",
        "outputFileName": "{filename}-{date}",
        "pipeline": [{"operation": "/api/v1/general/rotate-pdf", "parameters": {"angle": 90}}],
    }


def test_sends_structured_values_of_steps(quire: Quire, letter: Path) -> None:
    pipeline = Pipeline().add_comments(
        comments=[{"pageIndex": 0, "x": 72, "y": 700, "width": 20, "height": 20, "text": "Check"}]
    )
    pipeline.update_metadata(title="Offer", all_request_params={"customKey1": "Dept", "customValue1": "A"})
    document = quire.run(pipeline, letter)
    assert document is not None
    # A note and its pop-up window.
    assert quire.count_annotations(document)["totalCount"] == 2
    assert quire.get_document_properties(document)["title"] == "Offer"
