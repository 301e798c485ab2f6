from __future__ import annotations

import os
import pickle
from pathlib import Path

import httpx
import pytest

from quire_client import (
    AccessDeniedError,
    ApiError,
    AuthenticationError,
    ConfigurationError,
    ConnectionFailedError,
    InvalidRequestError,
    NotFoundError,
    Quire,
    QuireError,
    Retry,
    ServerError,
)


def test_gives_code_pointers_and_hint(quire: Quire, letter: Path) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        quire.call("general/rotate-pdf", letter, angle="steep")
    error = caught.value
    assert (error.status, error.code, error.pointers) == (400, "INPUT_INVALID", ("/angle",))
    assert error.request_id
    assert error.problem["instance"] == "/api/v1/general/rotate-pdf"
    with pytest.raises(NotFoundError) as missing:
        quire.call("general/rotate-pfd", letter)
    assert "rotate-pdf" in missing.value.hint
    assert missing.value.hint in str(missing.value)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, str(again)) == (InvalidRequestError, error.code, str(error))


def test_has_a_class_for_each_kind_of_refusal(quire: Quire, letter: Path) -> None:
    secured = os.environ["QUIRE_TEST_SECURED_URL"]
    with Quire(secured) as anonymous, pytest.raises(AuthenticationError) as caught:
        anonymous.rotate_pdf(letter)
    assert caught.value.code == "KEY_INVALID"
    with pytest.raises(ServerError):
        quire.call("misc/unruly-crash", letter)
    for kind in (AccessDeniedError, ServerError, NotFoundError):
        assert issubclass(kind, ApiError)
        assert issubclass(kind, QuireError)


def test_sends_the_key_of_the_environment(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_URL", os.environ["QUIRE_TEST_SECURED_URL"])
    monkeypatch.setenv("QUIRE_API_KEY", os.environ["QUIRE_TEST_SECURED_KEY"])
    with Quire() as client:
        assert client.rotate_pdf(letter).size > 0
    with Quire(api_key="wrong") as client, pytest.raises(AuthenticationError):
        client.rotate_pdf(letter)


def test_refuses_addresses_and_keys_that_cannot_be_sent() -> None:
    with pytest.raises(ConfigurationError, match="http://"):
        Quire("localhost:8080")
    with pytest.raises(ConfigurationError, match="line break"):
        Quire("http://localhost", api_key="key\n")


def test_says_that_a_server_cannot_be_reached() -> None:
    with Quire("http://127.0.0.1:9", retry=Retry(attempts=2, first_pause=0)) as client:
        with pytest.raises(ConnectionFailedError, match="no answer after 2 attempts") as caught:
            client.get_pdf_info(b"%PDF-")
        assert isinstance(caught.value.__cause__, httpx.ConnectError)
