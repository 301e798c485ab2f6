"""The servers and files of the tests. clients/python/test/python-client.test.ts starts the servers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quire_client import Quire

REPOSITORY = Path(__file__).resolve().parents[3]


def pytest_configure() -> None:
    if "QUIRE_URL" not in os.environ:
        pytest.exit("Set QUIRE_URL to a server for tests, or run the tests with mocha (clients/python/README.md).", 2)


@pytest.fixture
def quire() -> Iterator[Quire]:
    with Quire() as client:
        yield client


@pytest.fixture
def letter() -> Path:
    """A PDF with two pages."""
    return REPOSITORY / "plugins" / "general" / "fixtures" / "two-pages.pdf"


@pytest.fixture
def one_page(quire: Quire, letter: Path) -> bytes:
    """A PDF with one page."""
    document = quire.rearrange_pages(letter, page_numbers="1")
    return document.read()
