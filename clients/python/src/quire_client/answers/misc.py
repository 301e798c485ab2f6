# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category misc."""

from __future__ import annotations

from typing import TypeAlias, TypedDict


class ListAttachment(TypedDict):
    filename: str
    size: int
    contentType: str | None
    description: str | None
    creationDate: str | None
    modificationDate: str | None


ListAttachmentsAnswer: TypeAlias = "list[ListAttachment]"
"""Answer of ``list_attachments``."""


class ListComment(TypedDict):
    pageIndex: int
    """Page, counted from 0"""
    type: str
    """`/Subtype` of the annotation"""
    text: str
    author: str | None
    subject: str | None
    creationDate: str | None
    """ISO 8601"""
    modificationDate: str | None
    """ISO 8601"""
    x: float
    """Points"""
    y: float
    """Points"""
    width: float
    """Points"""
    height: float
    """Points"""
    replyTo: int | None
    """Index in this list of the comment that it answers"""


ListCommentsAnswer: TypeAlias = "list[ListComment]"
"""Answer of ``list_comments``."""
