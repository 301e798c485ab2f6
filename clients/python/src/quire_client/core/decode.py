"""Reads answers: documents, values, and errors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, cast
from urllib.parse import unquote

from quire_client.core.messages import Answer
from quire_client.document import Document, Notices
from quire_client.errors import ApiError, QuireError, api_error

_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


def document_of(answer: Answer) -> Document:
    """Returns the file of an answer."""
    name = _file_name(answer.headers.get("content-disposition", ""))
    media_type = answer.headers.get("content-type", "application/octet-stream").split(";")[0].strip()
    return Document(name, media_type, answer.body, notices_of(answer.headers))


def maybe_document_of(answer: Answer) -> Document | None:
    """Returns the file of an answer; ``None`` when a filter dropped it."""
    return None if answer.status == 204 else document_of(answer)


def value_of(answer: Answer) -> Any:
    """Returns the JSON of an answer."""
    try:
        return json.loads(answer.body.read())
    except ValueError as error:
        raise QuireError(f"The server answered {answer.status} without JSON: is a proxy in front of it?") from error


def anything_of(answer: Answer) -> Any:
    """Returns a document, the value of a JSON answer that is not a file, or ``None``."""
    if answer.status == 204:
        return None
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    return value_of(answer) if is_json and "content-disposition" not in answer.headers else document_of(answer)


def error_of(answer: Answer) -> ApiError:
    """Returns the error of an answer; one that is not from Quire has the code ``HTTP_<status>``."""
    problem: object = None
    if "json" in answer.headers.get("content-type", ""):
        try:
            problem = json.loads(answer.body.read())
        except ValueError:
            problem = None
    if not isinstance(problem, dict):
        text = "The answer is not from Quire; a proxy in front of it, or the address, may be wrong."
        problem = {"detail": text}
    return api_error(answer.status, problem, retry_after(answer.headers))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds of ``Retry-After``; dates are not read, since Quire sends none."""
    text = headers.get("retry-after", "").strip()
    return float(text) if text.isascii() and text.isdigit() else None


def notices_of(headers: Mapping[str, str]) -> Notices:
    """Returns what the headers report beside a result."""
    return Notices(
        warnings=_text(headers.get("x-warnings", "")),
        effects=_list(headers.get("x-effects", "")),
        ignored_fields=_list(headers.get("x-ignored-fields", "")),
        replaced_values=_list(headers.get("x-replaced-values", "")),
        report=_json(headers.get("x-tool-report", "")),
        pipeline=_json(headers.get("x-pipeline-report", "")),
    )


def _text(value: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), value).encode("utf-16", "surrogatepass").decode("utf-16")


def _list(value: str) -> tuple[str, ...]:
    return tuple(each for each in _text(value).split(", ") if each)


def _json(value: str) -> Mapping[str, Any]:
    try:
        report = json.loads(value) if value else {}
    except ValueError:
        # The server cuts reports that are too long for a header.
        return {}
    return cast("Mapping[str, Any]", report) if isinstance(report, dict) else {}


def _file_name(disposition: str) -> str:
    """Returns the name of an attachment (RFC 6266) without folders."""
    extended = re.search(r"filename\*=UTF-8''([^;\s]+)", disposition, re.IGNORECASE)
    plain = re.search(r'filename="([^"]*)"', disposition)
    name = unquote(extended[1]) if extended else plain[1] if plain else ""
    return PurePosixPath(name.replace("\\", "/")).name or "result"
