# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category general."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict


class ExtractBookmark(TypedDict):
    title: str
    pageNumber: int
    children: list[Any]
    """Child bookmarks"""


ExtractBookmarksAnswer: TypeAlias = "list[ExtractBookmark]"
"""Answer of ``extract_bookmarks``."""


class ExtractPageLabel(TypedDict):
    pageNumber: int
    """First page of the range, counted from 1"""
    style: Literal["decimal", "romanLower", "romanUpper", "lettersLower", "lettersUpper", "none"]
    """How its pages are numbered; `none` shows the prefix alone"""
    prefix: str
    """Text before each number"""
    start: int
    """Number of its first page"""


ExtractPageLabelsAnswer: TypeAlias = "list[ExtractPageLabel]"
"""Answer of ``extract_page_labels``."""
