"""What a type checker finds. The test of the package runs mypy, which reports an ``ignore`` that is not needed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quire_client import AsyncQuire, InvalidRequestError, Quire
from quire_client.answers import CountPagesAnswer, GetPageDimensionsAnswer


def test_knows_the_members_of_json_answers(quire: Quire, letter: Path) -> None:
    counted: CountPagesAnswer = quire.count_pages(letter)
    sizes: GetPageDimensionsAnswer = quire.get_page_dimensions(letter)
    assert (counted["pageCount"], len(sizes)) == (2, 2)
    assert sizes[0]["width"] > 0
    with pytest.raises(KeyError):
        counted["pages"]  # type: ignore[typeddict-item]
    with pytest.raises(KeyError):
        quire.count_pages(letter)["pages"]  # type: ignore[misc]


def test_knows_them_of_jobs_and_coroutines(quire: Quire, letter: Path) -> None:
    async def count() -> None:
        async with AsyncQuire() as client:
            counted = await client.count_pages(letter)
            job = await client.jobs.count_pages(letter)
            assert counted == await job == {"pageCount": 2}
            with pytest.raises(KeyError):
                counted["pages"]  # type: ignore[misc]
            with pytest.raises(KeyError):
                (await job)["pages"]  # type: ignore[misc]

    asyncio.run(count())
    with pytest.raises(KeyError):
        quire.jobs.count_pages(letter).result()["pages"]  # type: ignore[misc]


def test_knows_the_arguments_of_operations(quire: Quire, letter: Path) -> None:
    with pytest.raises(InvalidRequestError):
        quire.rotate_pdf(letter, angle="steep")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="angel"):
        quire.rotate_pdf(letter, angel=90)  # type: ignore[call-arg]


def test_explains_operations() -> None:
    assert (Quire.rotate_pdf.__doc__ or "").startswith("Rotate")
    assert (Quire().count_pages.__doc__ or "").startswith("Count")
    assert Quire().count_pages.__name__ == "count_pages"
