"""What each call does, request by request."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from quire_client.core.decode import value_of
from quire_client.core.messages import Answer, Plan, Request
from quire_client.core.retry import Retry, successful
from quire_client.core.states import JobState
from quire_client.errors import JobCancelledError, JobTimeoutError
from quire_client.pipeline import Pipeline, PipelineReport

T = TypeVar("T")
_JOBS = "/api/v1/general/job/"
_LONG_POLL_SECONDS = 20
"""Shorter than the minute after which proxies cut silent connections."""


@dataclass(frozen=True)
class Settings:
    """What applies to every call of a client."""

    retry: Retry = field(default_factory=Retry)
    timeout: float | None = None
    """Seconds; ``None`` for the transport's."""
    idempotency_key: str | None = None
    """For the next calls; a random one for each call by default."""
    headers: Mapping[str, str] = field(default_factory=dict)

    def changed(
        self,
        timeout: float | None,
        retry: Retry | None,
        idempotency_key: str | None,
        headers: Mapping[str, str] | None,
    ) -> Settings:
        """Returns settings with the given ones replaced; headers are added."""
        return Settings(
            timeout=self.timeout if timeout is None else timeout,
            retry=self.retry if retry is None else retry,
            idempotency_key=self.idempotency_key if idempotency_key is None else idempotency_key,
            headers={**self.headers, **{name.lower(): value for name, value in (headers or {}).items()}},
        )


@dataclass(frozen=True)
class Callback:
    """Where the server reports the end of a job."""

    url: str
    secret: str | None = None
    """``whsec_…``; the server's own key by default."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """A call of an operation, and how its answer is read."""

    request: Request
    read: Callable[[Answer], T]


def run_call(call: Call[T], settings: Settings) -> Plan[T]:
    """Sends a call and returns its result."""
    answer = yield from successful(_prepared(call.request, settings), settings.retry)
    return call.read(answer)


def start_job(call: Call[T], settings: Settings, callback: Callback | None) -> Plan[str]:
    """Sends a call that starts a job and returns the job's id."""
    fields = call.request.fields
    if callback is not None:
        fields += (("callbackUrl", callback.url),)
        fields += () if callback.secret is None else (("callbackSecret", callback.secret),)
    request = replace(call.request, fields=fields, headers={**call.request.headers, "prefer": "respond-async"})
    answer = yield from successful(_prepared(request, settings), settings.retry)
    return str(value_of(answer)["jobId"])


def check_pipeline(pipeline: Pipeline, settings: Settings) -> Plan[PipelineReport]:
    """Checks a pipeline on the server.

    Raises:
        InvalidRequestError: it cannot run; ``faults`` lists the reasons
    """
    request = Request("POST", "/api/v1/pipeline/validate", fields=(("json", json.dumps(pipeline.definition())),))
    answer = yield from successful(_prepared(request, settings, key=False), settings.retry)
    return PipelineReport.of(value_of(answer))


def run_pipeline(call: Call[T], pipeline: Pipeline, settings: Settings, *, check: bool) -> Plan[T]:
    """Checks a pipeline before its files are sent, and runs it."""
    if check:
        yield from check_pipeline(pipeline, settings)
    return (yield from run_call(call, settings))


def start_pipeline(
    call: Call[T], pipeline: Pipeline, settings: Settings, callback: Callback | None, *, check: bool
) -> Plan[str]:
    """Checks a pipeline before its files are sent, and starts it as a job."""
    if check:
        yield from check_pipeline(pipeline, settings)
    return (yield from start_job(call, settings, callback))


def get_json(path: str, settings: Settings) -> Plan[Any]:
    """Returns the JSON at an address."""
    answer = yield from successful(_prepared(Request("GET", path), settings), settings.retry)
    return value_of(answer)


def job_state(job_id: str, settings: Settings, wait: int = 0) -> Plan[JobState]:
    """Returns the state of a job; with ``wait`` at its next change, or after so many seconds."""
    headers = {"prefer": f"wait={wait}"} if wait > 0 else {}
    request = Request("GET", _job_path(job_id), headers=headers)
    answer = yield from successful(_prepared(request, settings), settings.retry)
    return JobState.of(value_of(answer))


def next_state(job_id: str, last: JobState | None, settings: Settings, deadline: float | None) -> Plan[JobState]:
    """Returns the state of a job once it differs from the last one.

    Raises:
        JobTimeoutError: the deadline (of ``monotonic``) has passed
    """
    if last is None:
        return (yield from job_state(job_id, settings))
    while True:
        left = _LONG_POLL_SECONDS if deadline is None else deadline - monotonic()
        if left <= 0:
            raise JobTimeoutError(f"Job {job_id} is {last.status} at {last.progress} %; it was not complete in time.")
        state = yield from job_state(job_id, settings, min(_LONG_POLL_SECONDS, max(1, round(left))))
        if state != last:
            return state


def job_result(job_id: str, read: Callable[[Answer], T], settings: Settings, deadline: float | None) -> Plan[T]:
    """Waits for a job and returns its result.

    Raises:
        ApiError: the job failed; the same error as of the call without a job
        JobCancelledError: the job was cancelled
        JobTimeoutError: the deadline (of ``monotonic``) has passed
    """
    state = yield from next_state(job_id, None, settings, deadline)
    while not state.complete:
        state = yield from next_state(job_id, state, settings, deadline)
    if state.status == "cancelled":
        raise JobCancelledError(f"Job {job_id} was cancelled at {state.progress} %.")
    request = Request("GET", f"{_job_path(job_id)}/result", headers={"accept": "*/*"})
    answer = yield from successful(_prepared(request, settings), settings.retry)
    return read(answer)


def cancel_job(job_id: str, settings: Settings) -> Plan[None]:
    """Stops a job; deletes it if it is complete."""
    yield from successful(_prepared(Request("DELETE", _job_path(job_id)), settings), settings.retry)


def _job_path(job_id: str) -> str:
    return _JOBS + quote(job_id, safe="")


def _prepared(request: Request, settings: Settings, *, key: bool = True) -> Request:
    """Adds what applies to every call. The key is the same for all attempts of a call."""
    headers = {**settings.headers, **request.headers}
    if key and request.method == "POST":
        headers["idempotency-key"] = settings.idempotency_key or str(uuid.uuid4())
    return replace(request, headers=headers, timeout=settings.timeout)
