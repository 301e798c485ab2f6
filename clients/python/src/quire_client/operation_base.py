"""What the generated methods are built on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from quire_client.core.encode import Json, json_text
from quire_client.sources import Source

if TYPE_CHECKING:
    from typing_extensions import Self

    from quire_client.async_client import AsyncQuire
    from quire_client.async_jobs import AsyncJob, AsyncJobs
    from quire_client.client import Quire
    from quire_client.core.plans import Call
    from quire_client.jobs import Job, Jobs

P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["Iterable", "Json", "OperationBase", "Source", "StepBase", "as_method", "json_text"]


class Operation(Protocol[P, T]):
    """The method of an operation. The class that has it decides in which form its result ``T`` comes."""

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


class OperationBase:
    """Operations as methods."""

    def _send(self, call: Call[Any]) -> Any:
        raise NotImplementedError


def as_method(describe: Callable[Concatenate[Any, P], Call[T]]) -> Operation[P, T]:
    """Returns a method that sends the call which ``describe`` returns for the same arguments."""

    @wraps(describe)
    def method(self: OperationBase, *args: P.args, **kwargs: P.kwargs) -> Any:
        return self._send(describe(self, *args, **kwargs))

    return cast("Operation[P, T]", method)


class StepBase:
    """Operations as steps of a pipeline."""

    def _step(self, path: str, options: Mapping[str, Any]) -> Self:
        raise NotImplementedError
