from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quire_client import AsyncQuire, InvalidRequestError, JobCancelledError, JobTimeoutError, Pipeline, Retry


def test_awaits_calls_at_the_same_time(letter: Path) -> None:
    async def main() -> None:
        async with AsyncQuire() as quire:
            angles = [0, 90, 180, 270]
            documents = await asyncio.gather(*(quire.rotate_pdf(letter, angle=angle) for angle in angles))
            merged = await quire.merge_pdfs(documents)
            assert (await quire.count_pages(merged))["pageCount"] == 8
            assert await quire.filter_page_count(letter, comparator="Greater", page_count=5) is None
            rotated = await quire.call("general/rotate-pdf", letter.read_bytes(), angle=90)
            assert rotated.name == "document_rotated.pdf"

    asyncio.run(main())


def test_awaits_jobs_and_iterates_over_their_states(letter: Path) -> None:
    async def main() -> None:
        async with AsyncQuire() as quire:
            document = await (await quire.jobs.compress_pdf(letter))
            assert document.read().startswith(b"%PDF-")
            job = await quire.jobs.split_pages(letter)
            states = [state async for state in job]
            assert states[-1].status == "succeeded"
            found = await quire.jobs.get(job.id)
            assert len(found.files()) == 2
            slow = await quire.jobs.call("misc/unruly-slow", letter, ms=60_000)
            with pytest.raises(JobTimeoutError):
                await slow.result(timeout=0.5)
            await slow.cancel()
            with pytest.raises(JobCancelledError):
                await slow

    asyncio.run(main())


def test_checks_and_runs_pipelines(letter: Path) -> None:
    async def main() -> None:
        async with AsyncQuire(retry=Retry(attempts=2)) as quire:
            pipeline = Pipeline("turned").rotate_pdf(angle=90)
            assert (await quire.check(pipeline)).ignored == ()
            document = await quire.run(pipeline, letter)
            assert document is not None
            started = await quire.jobs.run(pipeline, [letter, ("b.pdf", letter.read_bytes())])
            result = await started
            assert result is not None
            assert len(result.files()) == 2
            with pytest.raises(InvalidRequestError):
                await quire.run(Pipeline().rotate_pdf(angle=91), letter)

    asyncio.run(main())
