from __future__ import annotations

from pathlib import Path

import pytest

from quire_client import (
    ConflictError,
    Document,
    FileId,
    InvalidRequestError,
    JobCancelledError,
    JobTimeoutError,
    NotFoundError,
    Quire,
    ServerError,
)


def test_waits_for_the_result_of_a_job(quire: Quire, letter: Path) -> None:
    job = quire.jobs.rotate_pdf(letter, angle=90)
    document = job.result()
    assert (document.name, job.result().read()) == ("two-pages_rotated.pdf", document.read())
    assert quire.jobs.count_pages(letter).result()["pageCount"] == 2
    assert quire.jobs.filter_page_count(letter, comparator="Greater", page_count=5).result() is None


def test_yields_the_states_of_a_job_until_it_is_complete(quire: Quire, letter: Path) -> None:
    states = list(quire.jobs.compress_pdf(letter))
    assert [state.complete for state in states[:-1]] == [False] * (len(states) - 1)
    assert (states[-1].status, states[-1].progress, states[-1].error) == ("succeeded", 100, None)
    assert [file.name for file in states[-1].files] == ["two-pages_Optimized.pdf"]


def test_finds_a_job_again(quire: Quire, letter: Path) -> None:
    started = quire.jobs.split_pages(letter)
    with Quire() as other:
        document = other.jobs.get(started.id).result()
    assert isinstance(document, Document)
    assert len(document.files()) == 2


def test_uses_a_result_file_for_the_next_call(quire: Quire, letter: Path) -> None:
    job = quire.jobs.rotate_pdf(letter, angle=90)
    job.result()
    rotated = quire.rotate_pdf(FileId(job.state().files[0].id), angle=90)
    assert quire.count_pages(rotated)["pageCount"] == 2


def test_raises_the_error_of_a_failed_job(quire: Quire) -> None:
    job = quire.jobs.rotate_pdf(("broken.pdf", b"%PDF-1.7 and nothing else"))
    with pytest.raises(InvalidRequestError, match="PDF") as caught:
        job.result()
    with pytest.raises(InvalidRequestError) as refused:
        quire.rotate_pdf(("broken.pdf", b"%PDF-1.7 and nothing else"))
    error, call = caught.value, refused.value
    assert (error.code, error.status, error.detail) == (call.code, 400, call.detail)
    assert (error.pointers, error.hint) == (call.pointers, call.hint)
    state = job.state()
    assert (state.status, state.failure_code, state.failure_status) == ("failed", call.code, 400)


def test_raises_the_class_of_the_failure_of_a_job(quire: Quire, letter: Path) -> None:
    with pytest.raises(ServerError) as caught:
        quire.jobs.call("misc/unruly-crash", letter).result()
    assert caught.value.status == 500


def test_gives_up_waiting_and_cancels(quire: Quire, letter: Path) -> None:
    job = quire.jobs.call("misc/unruly-slow", letter, ms=60_000)
    with pytest.raises(JobTimeoutError, match="was not complete in time"):
        job.result(timeout=1)
    job.cancel()
    with pytest.raises(JobCancelledError):
        job.result()
    job.cancel()
    with pytest.raises(NotFoundError):
        job.state()


def test_starts_nothing_twice_under_one_key(quire: Quire, letter: Path) -> None:
    keyed = quire.with_options(idempotency_key="python-client-job-1")
    assert keyed.jobs.rotate_pdf(letter, angle=90).id == keyed.jobs.rotate_pdf(letter, angle=90).id
    with pytest.raises(InvalidRequestError) as caught:
        keyed.jobs.rotate_pdf(letter, angle=180)
    assert caught.value.code == "IDEMPOTENCY_KEY_REUSED"
    assert not isinstance(caught.value, ConflictError)
