from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from quire_client import ConfigurationError, WebhookError, verify_webhook
from quire_client.webhooks import _key

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()
NOW = 1_614_265_330
RECORD = {
    "jobId": "a",
    "status": "succeeded",
    "complete": True,
    "progress": 100,
    "allResultFiles": [],
    "resultUrl": "/api/v1/general/job/a/result",
}
BODY = json.dumps({"type": "job.succeeded", "timestamp": "2026-01-31T12:00:00.000Z", "data": RECORD}).encode()


def headers(body: bytes, secret: str = SECRET, at: int = NOW) -> dict[str, str]:
    digest = hmac.new(_key(secret), b"msg_1.%d." % at + body, hashlib.sha256).digest()
    signature = "v1a,xx v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": signature}


def test_matches_the_published_example_of_standard_webhooks() -> None:
    signed = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": str(NOW),
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    # The signature is right; the body is no call-back of a job.
    with pytest.raises(WebhookError, match="is signed, and is not a call-back"):
        verify_webhook('{"test": 2432232314}', signed, SECRET, now=NOW)


def test_returns_the_job() -> None:
    event = verify_webhook(BODY, headers(BODY), SECRET, now=NOW + 299)
    assert (event.id, event.type, event.job.status) == ("msg_1", "job.succeeded", "succeeded")
    assert event.result_url == "/api/v1/general/job/a/result"


def test_accepts_any_of_several_keys() -> None:
    assert verify_webhook(BODY, headers(BODY, OTHER), [SECRET, OTHER], now=NOW).id == "msg_1"


def test_refuses_changed_old_and_unsigned_bodies() -> None:
    signed = headers(BODY)
    with pytest.raises(WebhookError, match="does not match"):
        verify_webhook(BODY + b" ", signed, SECRET, now=NOW)
    with pytest.raises(WebhookError, match="does not match"):
        verify_webhook(BODY, signed, OTHER, now=NOW)
    for distance in (301, -301):
        with pytest.raises(WebhookError, match="seconds old"):
            verify_webhook(BODY, signed, SECRET, now=NOW + distance)
    with pytest.raises(WebhookError, match="missing"):
        verify_webhook(BODY, {}, SECRET, now=NOW)
    with pytest.raises(WebhookError, match="Unix time"):
        verify_webhook(BODY, {**signed, "Webhook-Timestamp": "soon"}, SECRET, now=NOW)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_####", OTHER.removeprefix("whsec_"), "whsec_AAAA"])
def test_refuses_keys_of_another_form(secret: str) -> None:
    with pytest.raises(ConfigurationError, match="whsec_"):
        verify_webhook(BODY, headers(BODY), secret, now=NOW)
