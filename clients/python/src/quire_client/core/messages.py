"""What plans and transports exchange."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from quire_client.core.spool import Spool
from quire_client.sources import Upload

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """A request, as often as it has to be sent."""

    method: str
    path: str
    """Absolute path with query: ``/api/v1/general/rotate-pdf``."""
    headers: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[tuple[str, str], ...] = ()
    uploads: tuple[Upload, ...] = ()
    timeout: float | None = None
    """Seconds without a byte from the server; the transport's own by default."""


@dataclass(frozen=True)
class Answer:
    """A complete answer; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: Spool


@dataclass(frozen=True)
class Failure:
    """There is no answer: no connection, or it broke."""

    cause: Exception


@dataclass(frozen=True)
class Pause:
    """Wait before the next request."""

    seconds: float


Step = Request | Pause
Reply = Answer | Failure | None
Plan = Generator[Step, Reply, T]
