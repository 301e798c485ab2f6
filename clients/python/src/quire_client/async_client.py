"""The client for asyncio."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx

from quire_client.async_jobs import AsyncJobs
from quire_client.calls import any_call, pipeline_call
from quire_client.core.encode import listed
from quire_client.core.plans import Call, Settings, check_pipeline, run_call, run_pipeline
from quire_client.core.retry import Retry
from quire_client.document import Document
from quire_client.operations import Operations
from quire_client.pipeline import Pipeline, PipelineReport
from quire_client.settings import http_arguments
from quire_client.sources import Source
from quire_client.transport import AsyncTransport

T = TypeVar("T")
Async = Coroutine[Any, Any, T]


class AsyncQuire(Operations["Async[Document]", "Async[Document | None]"]):
    """A server. Every operation is a coroutine; use it as an asynchronous context manager, or call :meth:`close`."""

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float | None = None,
        retry: Retry | None = None,
        **httpx_options: Any,
    ) -> None:
        """Connects when the first call is made.

        Args:
            url: address of the server; by default ``QUIRE_URL``, else ``http://127.0.0.1:8080``
            api_key: by default ``QUIRE_API_KEY``; needed while login is on
            timeout: seconds without a byte from the server, by default 600
            retry: when a request is sent again; four attempts by default
            httpx_options: for ``httpx.AsyncClient``: ``verify``, ``proxy``, ``transport`` and so on

        Raises:
            ConfigurationError: the address or the key cannot be used
        """
        client = httpx.AsyncClient(**{**http_arguments(url, api_key, timeout), **httpx_options})
        self._transport = AsyncTransport(client)
        self._settings = Settings(retry=retry or Retry())

    async def __aenter__(self) -> AsyncQuire:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    def with_options(
        self,
        *,
        timeout: float | None = None,
        retry: Retry | None = None,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncQuire:
        """Returns a client with other options on the same connections; options that are not given stay.

        Args:
            timeout: seconds without a byte from the server
            retry: when a request is sent again
            idempotency_key: for a call that a restarted program must not run twice; the caller makes it unique
            headers: sent in addition
        """
        other = AsyncQuire.__new__(AsyncQuire)
        other._transport = self._transport
        other._settings = self._settings.changed(timeout, retry, idempotency_key, headers)
        return other

    @property
    def jobs(self) -> AsyncJobs:
        """The same operations as jobs, which the server runs in the background."""
        return AsyncJobs(self._transport, self._settings)

    async def call(
        self,
        operation: str,
        files: Source | Iterable[Source] = (),
        /,
        *,
        parts: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Any:
        """Calls any operation by its path: ``await quire.call("acme/tool", "in.pdf", size=3)``.

        Args:
            operation: path, with or without ``/api/v1/``
            files: documents
            parts: further files by field
            fields: as they are sent: ``pageNumbers="1-3"``

        Returns:
            A :class:`Document`, the value of a JSON answer, or ``None`` if the document was dropped.
        """
        return await self._transport.run(
            run_call(any_call(operation, listed(files), fields, parts or {}), self._settings)
        )

    async def check(self, pipeline: Pipeline) -> PipelineReport:
        """Checks a pipeline on the server, without files.

        Raises:
            InvalidRequestError: it cannot run; ``faults`` lists every reason
        """
        return await self._transport.run(check_pipeline(pipeline, self._settings))

    async def run(self, pipeline: Pipeline, files: Source | Iterable[Source], *, check: bool = True) -> Document | None:
        """Runs a pipeline. It is checked before the files are sent, unless ``check`` is false.

        Returns:
            The result, a zip of several (see ``Document.files``), or ``None`` if filters dropped all files.

        Raises:
            InvalidRequestError: it cannot run; ``faults`` lists every reason
        """
        call = pipeline_call(pipeline, files)
        return await self._transport.run(run_pipeline(call, pipeline, self._settings, check=check))

    def _send(self, call: Call[T]) -> Async[T]:
        return self._transport.run(run_call(call, self._settings))
