"""Runs plans: with httpx, blocking or with asyncio. Nothing else in the package does input or output."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from typing import Any, TypeVar

import httpx

from quire_client.core.messages import Answer, Failure, Pause, Plan, Reply, Request
from quire_client.core.spool import SpoolWriter
from quire_client.errors import ConfigurationError

T = TypeVar("T")


class SyncTransport:
    """Blocks until a plan is done."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def run(self, plan: Plan[T]) -> T:
        """Runs a plan and returns its result."""
        reply: Reply = None
        try:
            step = next(plan)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    reply = None
                else:
                    reply = self._send(step)
                step = plan.send(reply)
        except StopIteration as end:
            result: T = end.value
            return result

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _send(self, request: Request) -> Answer | Failure:
        writer = SpoolWriter()
        try:
            with ExitStack() as opened, self._client.stream(**_arguments(request, opened)) as response:
                for piece in response.iter_bytes():
                    writer.write(piece)
        except (httpx.TransportError, httpx.DecodingError) as error:
            writer.discard()
            return _failure(error)
        except BaseException:
            writer.discard()
            raise
        return _answer(response, writer)


class AsyncTransport:
    """Awaits a plan. Uploads and results are read and written in pieces by the event loop's thread."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def run(self, plan: Plan[T]) -> T:
        """Runs a plan and returns its result."""
        reply: Reply = None
        try:
            step = next(plan)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    reply = None
                else:
                    reply = await self._send(step)
                step = plan.send(reply)
        except StopIteration as end:
            result: T = end.value
            return result

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def _send(self, request: Request) -> Answer | Failure:
        writer = SpoolWriter()
        try:
            with ExitStack() as opened:
                async with self._client.stream(**_arguments(request, opened)) as response:
                    async for piece in response.aiter_bytes():
                        writer.write(piece)
        except (httpx.TransportError, httpx.DecodingError) as error:
            writer.discard()
            return _failure(error)
        except BaseException:
            writer.discard()
            raise
        return _answer(response, writer)


def _arguments(request: Request, opened: ExitStack) -> dict[str, Any]:
    """Returns the arguments for httpx. Fields come before files, so that the server knows them when it reads a file."""
    fields = [(name, (None, value)) for name, value in request.fields]
    files = [(each.field, (each.name, opened.enter_context(each.open()))) for each in request.uploads]
    arguments: dict[str, Any] = {"method": request.method, "url": request.path, "headers": dict(request.headers)}
    if fields or files:
        arguments["files"] = [*fields, *files]
    if request.timeout is not None:
        arguments["timeout"] = request.timeout
    return arguments


def _answer(response: httpx.Response, writer: SpoolWriter) -> Answer:
    return Answer(
        response.status_code, {name.lower(): value for name, value in response.headers.items()}, writer.finish()
    )


def _failure(error: Exception) -> Failure:
    if isinstance(error, httpx.UnsupportedProtocol):
        raise ConfigurationError(f"The address of the server is wrong: {error}") from error
    return Failure(error)
