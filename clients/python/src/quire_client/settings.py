"""Where the server is, and what applies to every call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import httpx

from quire_client.errors import ConfigurationError
from quire_client.version import __version__

DEFAULT_URL = "http://127.0.0.1:8080"
READ_SECONDS = 600.0
"""Conversions of large documents take minutes."""
CONNECT_SECONDS = 10.0


def http_arguments(url: str | None, api_key: str | None, timeout: float | None) -> dict[str, Any]:
    """Returns the arguments of an httpx client.

    Raises:
        ConfigurationError: the address or the key cannot be sent
    """
    address = url or os.environ.get("QUIRE_URL") or DEFAULT_URL
    if not address.startswith(("http://", "https://")):
        raise ConfigurationError(f'The address of the server is "{address}"; it has to start with http:// or https://.')
    return {
        "base_url": address,
        "headers": client_headers(api_key),
        "timeout": httpx.Timeout(READ_SECONDS if timeout is None else timeout, connect=CONNECT_SECONDS),
    }


def client_headers(api_key: str | None) -> Mapping[str, str]:
    """Returns the headers of every request."""
    key = api_key or os.environ.get("QUIRE_API_KEY") or ""
    if not key.isascii() or not key.isprintable():
        raise ConfigurationError("The API key has characters that no header may have; was it copied with a line break?")
    return {"user-agent": f"quire-client-python/{__version__}", "accept": "*/*", **({"x-api-key": key} if key else {})}
