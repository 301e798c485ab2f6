"""What the generated methods of operations are built on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from quire_client.calls import file_call, maybe_call
from quire_client.core.encode import Json, json_text
from quire_client.core.plans import Call
from quire_client.sources import Source

if TYPE_CHECKING:
    from quire_client.async_client import AsyncQuire
    from quire_client.async_jobs import AsyncJob, AsyncJobs
    from quire_client.client import Quire
    from quire_client.jobs import Job, Jobs

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F")
"""What a call returns whose result is a document: ``Document``, ``Awaitable[Document]``, ``Job[Document]``."""
M = TypeVar("M")
"""The same where a filter may drop the document: ``Document | None`` and so on."""

__all__ = ["F", "Iterable", "Json", "M", "OperationBase", "Source", "as_method", "json_text"]


class Operation(Protocol[P, T]):
    """The method of an operation that answers JSON, with a type ``T`` of its own.

    The class that has the method decides in which form the answer comes.
    """

    @overload
    def __get__(self, owner: None, kind: object = None, /) -> Operation[P, T]: ...
    @overload
    def __get__(self, owner: Quire, kind: object = None, /) -> Callable[P, T]: ...
    @overload
    def __get__(self, owner: AsyncQuire, kind: object = None, /) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, owner: Jobs, kind: object = None, /) -> Callable[P, Job[T]]: ...
    @overload
    def __get__(self, owner: AsyncJobs, kind: object = None, /) -> Callable[P, Coroutine[Any, Any, AsyncJob[T]]]: ...


class OperationBase(Generic[F, M]):
    """Operations as methods. ``documents`` is one source, several, or nothing."""

    def _send(self, call: Call[Any]) -> Any:
        raise NotImplementedError

    def _file(self, path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> F:
        result: F = self._send(file_call(path, documents, options, parts))
        return result

    def _maybe(self, path: str, documents: Iterable[Source], options: Mapping[str, Any], parts: Mapping[str, Any]) -> M:
        result: M = self._send(maybe_call(path, documents, options, parts))
        return result


def as_method(describe: Callable[Concatenate[Any, P], Call[T]]) -> Operation[P, T]:
    """Returns a method that sends the call which ``describe`` returns for the same arguments."""

    @wraps(describe)
    def method(self: OperationBase[Any, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
        return self._send(describe(self, *args, **kwargs))

    return cast("Operation[P, T]", method)
