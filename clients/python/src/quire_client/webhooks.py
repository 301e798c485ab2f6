"""Verifies call-backs of jobs (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quire_client.core.states import JobState
from quire_client.errors import ConfigurationError, WebhookError

TOLERANCE_SECONDS = 300
"""How old a call-back may be, and how far its clock may be ahead."""
_PREFIX = "whsec_"


@dataclass(frozen=True)
class WebhookEvent:
    """A verified call-back."""

    id: str
    """The same for repeated deliveries: handle each only once."""
    type: str
    """``job.succeeded``, ``job.failed`` or ``job.cancelled``."""
    timestamp: str
    job: JobState
    result_url: str | None
    """Where the result is; ``None`` without one."""
    data: Mapping[str, Any]
    """The job record as it was sent."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a call-back and returns its content.

    Args:
        body: the body exactly as it arrived; parsing and writing it again would change it
        headers: the headers of the request, in any case
        secret: the key ``whsec_…``, or several while keys are being replaced
        tolerance: seconds that the time of the call-back may differ from now
        now: Unix time; the clock's by default

    Raises:
        WebhookError: the signature is missing or wrong, or the time differs too much
        ConfigurationError: this is no key
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    identifier, sent, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not identifier or not signatures:
        raise WebhookError("The webhook-id or webhook-signature header is missing: the call-back is not signed.")
    if not sent.isascii() or not sent.isdigit():
        raise WebhookError(f'The webhook-timestamp header is "{sent}"; it has to be a Unix time in seconds.')
    keys = [_key(each) for each in ([secret] if isinstance(secret, str) else secret)]
    signed = b".".join([identifier.encode(), sent.encode(), raw])
    expected = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    sent_ones = [each[3:].encode() for each in signatures.split(" ") if each.startswith("v1,")]
    # Every pair is compared, so that the time tells nothing about the keys.
    if not any([hmac.compare_digest(one, other) for one in expected for other in sent_ones]):  # noqa: C419
        raise WebhookError("The signature does not match the body: the key differs, or the body was changed.")
    age = (time.time() if now is None else now) - int(sent)
    if abs(age) > tolerance:
        raise WebhookError(f"The call-back is {age:.0f} seconds old; at most {tolerance:.0f} are allowed.")
    return _event(identifier, raw)


def _event(identifier: str, raw: bytes) -> WebhookEvent:
    try:
        content = json.loads(raw)
        data = content["data"]
        return WebhookEvent(
            id=identifier,
            type=str(content["type"]),
            timestamp=str(content["timestamp"]),
            job=JobState.of(data),
            result_url=data.get("resultUrl"),
            data=data,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WebhookError("The body is signed, and is not a call-back of a job.") from error


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.strip().removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.strip().startswith(_PREFIX) or not 24 <= len(key) <= 64:
        raise ConfigurationError(f"A webhook key is {_PREFIX} followed by 24 to 64 bytes in base64.")
    return key
