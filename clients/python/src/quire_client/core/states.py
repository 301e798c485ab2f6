"""The state of a job, as the server reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["queued", "running", "succeeded", "failed", "cancelled"]


@dataclass(frozen=True)
class ResultFile:
    """A result file of a job."""

    id: str
    """Works as a :class:`FileId` for the next call."""
    name: str
    media_type: str
    size: int
    """Bytes."""


@dataclass(frozen=True)
class JobState:
    """A job at one moment."""

    id: str
    status: Status
    complete: bool
    """True once it has succeeded, failed or been cancelled."""
    progress: int
    """0 to 100."""
    step: str | None
    """Path of the pipeline step that runs."""
    queue_position: int | None
    """0 for the next; ``None`` when it does not wait."""
    error: str | None
    """Why it failed."""
    failure_code: str | None
    """Code of the error that ``result()`` raises: ``PDF_DAMAGED``. ``None`` unless it failed."""
    failure_status: int | None
    """HTTP status that the call without a job would have had; ``None`` unless it failed."""
    expires_at: str | None
    """Until when the result is kept; ``None`` until it is complete."""
    files: tuple[ResultFile, ...]
    """Empty until it has succeeded."""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> JobState:
        """Reads the record of a job."""
        step = record.get("step")
        return cls(
            id=record["jobId"],
            status=record["status"],
            complete=record["complete"],
            progress=record["progress"],
            step=None if step is None else step["path"],
            queue_position=record.get("queuePosition"),
            error=record.get("error"),
            failure_code=record.get("failureCode"),
            failure_status=record.get("failureStatus"),
            expires_at=record.get("expiresAt"),
            files=tuple(
                ResultFile(each["fileId"], each["fileName"], each["contentType"], each["fileSize"])
                for each in record.get("allResultFiles", [])
            ),
        )
