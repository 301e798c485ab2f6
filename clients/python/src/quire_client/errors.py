"""Everything that this package raises on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class QuireError(Exception):
    """The base of all errors of this package."""


class ConfigurationError(QuireError, ValueError):
    """The client, a pipeline or a key is set up wrongly; nothing was sent."""


class ConnectionFailedError(QuireError):
    """The server could not be reached, or the connection broke. The cause is in ``__cause__``."""


class JobCancelledError(QuireError):
    """A job was cancelled before it had a result."""


class JobTimeoutError(QuireError, TimeoutError):
    """A job was not complete in time. It is still running; wait again, or cancel it."""


class WebhookError(QuireError):
    """A call-back is not signed with the key, or is too old."""


@dataclass(frozen=True)
class Fault:
    """One fault of a request."""

    pointer: str
    """JSON Pointer (RFC 6901) of the field: ``/angle``, ``/pipeline/0/parameters/angle``."""
    detail: str
    """What was found and what is allowed."""


class ApiError(QuireError):
    """The server refused the request or failed (a problem document, RFC 9457).

    Codes are listed in docs/reference/errors.md and do not change; texts may.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        """HTTP status."""
        self.problem = problem
        """The whole problem document."""
        self.code = str(problem.get("code", f"HTTP_{status}"))
        """Code from the server's error table: ``PDF_ENCRYPTED``."""
        self.title = str(problem.get("title", ""))
        self.detail = str(problem.get("detail", ""))
        """What happened, and what is allowed."""
        self.faults = tuple(
            Fault(str(each.get("pointer", "")), str(each.get("detail", "")))
            for each in _list(problem.get("errors"))
            if isinstance(each, Mapping)
        )
        """One entry for each faulty field."""
        self.pointers = tuple(fault.pointer for fault in self.faults)
        self.hint = " ".join(str(each) for each in _list(problem.get("hints")))
        """What helps; empty if the server has no advice."""
        self.request_id = str(problem.get("requestId", ""))
        """Also in the server's log."""
        self.retry_after = retry_after
        """Seconds after which another attempt makes sense; ``None`` if it makes none."""
        super().__init__(self._text())

    def __reduce__(self) -> tuple[type[ApiError], tuple[int, Mapping[str, Any], float | None]]:
        return type(self), (self.status, self.problem, self.retry_after)

    def _text(self) -> str:
        head = f"{self.code} ({self.status}): {self.detail or self.title or 'no reason given'}"
        more = [f"  {fault.pointer} {fault.detail}" for fault in self.faults if fault.detail != self.detail]
        return "\n".join([head, *more, *([f"  {self.hint}"] if self.hint else [])])


class InvalidRequestError(ApiError):
    """A file or an option is wrong (400, 413, 415, 422 and others)."""


class AuthenticationError(ApiError):
    """The key is missing or wrong (401)."""


class AllowanceError(ApiError):
    """The allowance is used up (402)."""


class AccessDeniedError(ApiError):
    """The caller may not do this (403)."""


class NotFoundError(ApiError):
    """There is no such operation, job or file (404, 410)."""


class ConflictError(ApiError):
    """Another request is in the way (409)."""


class RateLimitError(ApiError):
    """Too many requests (429)."""


class ServerError(ApiError):
    """The server failed (5xx)."""


class UnavailableError(ServerError):
    """The server, or something that it needs, is not available (502, 503, 504, 507)."""


_CLASSES: Mapping[int, type[ApiError]] = {
    401: AuthenticationError,
    402: AllowanceError,
    403: AccessDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    429: RateLimitError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
    507: UnavailableError,
}


def api_error(status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> ApiError:
    """Returns the error of an answer; of a failed job, the error that the call itself would have had."""
    cause = problem.get("cause")
    if isinstance(cause, Mapping):
        return api_error(int(cause["status"]), cause, retry_after)
    usual = ServerError if status >= 500 else InvalidRequestError
    return _CLASSES.get(status, usual)(status, problem, retry_after)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
