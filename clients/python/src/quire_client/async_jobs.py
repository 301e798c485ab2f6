"""Jobs of the client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable, Mapping
from time import monotonic
from typing import Any, Generic, TypeVar

from quire_client.calls import any_call, pipeline_call
from quire_client.core.decode import anything_of
from quire_client.core.encode import listed
from quire_client.core.messages import Answer
from quire_client.core.plans import (
    Call,
    Callback,
    Settings,
    cancel_job,
    job_result,
    job_state,
    next_state,
    start_job,
    start_pipeline,
)
from quire_client.core.states import JobState
from quire_client.document import Document
from quire_client.operations import Operations
from quire_client.pipeline import Pipeline
from quire_client.sources import Source
from quire_client.transport import AsyncTransport

T = TypeVar("T")
Starting = Coroutine[Any, Any, "AsyncJob[T]"]


class AsyncJob(Generic[T]):
    """A job on the server. ``async for`` yields its states until it is complete; ``await`` waits for its result."""

    def __init__(self, job_id: str, read: Callable[[Answer], T], transport: AsyncTransport, settings: Settings) -> None:
        self.id = job_id
        """Find the job again with ``quire.jobs.get(id)``, from any program."""
        self._read = read
        self._transport = transport
        self._settings = settings

    def __repr__(self) -> str:
        return f"AsyncJob({self.id!r})"

    def __await__(self) -> Generator[Any, None, T]:
        return self.result().__await__()

    async def __aiter__(self) -> AsyncIterator[JobState]:
        state: JobState | None = None
        while state is None or not state.complete:
            state = await self._transport.run(next_state(self.id, state, self._settings, None))
            yield state

    async def state(self) -> JobState:
        """Returns its state now."""
        return await self._transport.run(job_state(self.id, self._settings))

    async def result(self, timeout: float | None = None) -> T:
        """Waits until it is complete and returns what the call itself would have returned. Can be called again.

        Args:
            timeout: seconds; forever by default

        Raises:
            ApiError: the job failed; the same error as of the call without a job
            JobCancelledError: it was cancelled
            JobTimeoutError: it was not complete in time, and is still running
        """
        deadline = None if timeout is None else monotonic() + timeout
        return await self._transport.run(job_result(self.id, self._read, self._settings, deadline))

    async def cancel(self) -> None:
        """Stops the work; deletes a complete job with its result."""
        await self._transport.run(cancel_job(self.id, self._settings))


class AsyncJobs(Operations["Starting[Document]", "Starting[Document | None]"]):
    """Every operation as a method that starts a job and returns at once."""

    def __init__(self, transport: AsyncTransport, settings: Settings, callback: Callback | None = None) -> None:
        self._transport = transport
        self._settings = settings
        self._callback = callback

    def with_callback(self, url: str, secret: str | None = None) -> AsyncJobs:
        """Returns the same with an address that the server calls at the end of each job.

        Args:
            url: address that the server may reach
            secret: key ``whsec_…`` that signs the call; by default the server's
        """
        return AsyncJobs(self._transport, self._settings, Callback(url, secret))

    def get(self, job_id: str) -> AsyncJob[Any]:
        """Returns a job that was started earlier. Does not ask the server."""
        return AsyncJob(job_id, anything_of, self._transport, self._settings)

    async def call(
        self,
        operation: str,
        files: Source | Iterable[Source] = (),
        /,
        *,
        parts: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> AsyncJob[Any]:
        """Starts any operation by its path; see ``AsyncQuire.call``."""
        return await self._send(any_call(operation, listed(files), fields, parts or {}))

    async def run(
        self, pipeline: Pipeline, files: Source | Iterable[Source], *, check: bool = True
    ) -> AsyncJob[Document | None]:
        """Starts a pipeline; see ``AsyncQuire.run``."""
        call = pipeline_call(pipeline, files)
        plan = start_pipeline(call, pipeline, self._settings, self._callback, check=check)
        return AsyncJob(await self._transport.run(plan), call.read, self._transport, self._settings)

    async def _send(self, call: Call[T]) -> AsyncJob[T]:
        job_id = await self._transport.run(start_job(call, self._settings, self._callback))
        return AsyncJob(job_id, call.read, self._transport, self._settings)
