"""Sends a request until there is an answer that counts."""

from __future__ import annotations

import random
from dataclasses import dataclass

from quire_client.core.decode import error_of, retry_after
from quire_client.core.messages import Answer, Failure, Pause, Plan, Reply, Request
from quire_client.errors import ConnectionFailedError

_STATUSES = frozenset({408, 409, 429, 500, 502, 503, 504, 507})
"""Statuses after which another attempt may succeed."""
_FROM_PROXIES = frozenset({502, 504})
"""Statuses that a proxy answers while the server starts."""


@dataclass(frozen=True)
class Retry:
    """When a request is sent again.

    Every POST has an ``Idempotency-Key``, so a repeated one runs nothing twice.
    """

    attempts: int = 4
    """At most so many, the first one included; 1 turns repeating off."""
    first_pause: float = 0.5
    """Seconds before the second attempt where the server names no time; doubled for each further one."""
    longest_pause: float = 30.0
    """Seconds; when the server asks for more, its answer is raised as an error at once."""

    def pause_after(self, reply: Answer | Failure, attempt: int) -> float | None:
        """Returns the seconds to wait before another attempt; ``None`` if the reply counts. Attempts count from 1."""
        if attempt >= self.attempts:
            return None
        usual = min(self.longest_pause, self.first_pause * 2.0 ** (attempt - 1))
        # A random part, so that many clients do not come back at the same moment.
        usual *= 0.75 + random.random() / 2
        if isinstance(reply, Failure):
            return usual
        if reply.status not in _STATUSES:
            return None
        asked = retry_after(reply.headers)
        if asked is not None:
            return None if asked > self.longest_pause else max(asked, usual)
        # Quire names a time where repeating helps; an answer without one is final, unless a proxy gave it.
        is_ours = "problem+json" in reply.headers.get("content-type", "")
        return usual if reply.status in _FROM_PROXIES and not is_ours else None


def exchange(request: Request, retry: Retry) -> Plan[Answer]:
    """Sends a request, again if that helps, and returns the answer, which may be an error.

    Raises:
        ConnectionFailedError: there was no answer
    """
    attempt = 1
    while True:
        reply: Reply = yield request
        if reply is None:
            raise AssertionError("a transport replies to each request")
        pause = retry.pause_after(reply, attempt)
        if pause is None:
            break
        yield Pause(pause)
        attempt += 1
    if isinstance(reply, Failure):
        raise ConnectionFailedError(
            f"{request.method} {request.path}: no answer after {attempt} attempts ({reply.cause})"
        ) from reply.cause
    return reply


def successful(request: Request, retry: Retry) -> Plan[Answer]:
    """Sends a request and returns the answer.

    Raises:
        ApiError: the server refused the request or failed
        ConnectionFailedError: there was no answer
    """
    answer = yield from exchange(request, retry)
    if answer.status >= 300:
        raise error_of(answer)
    return answer
