from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from quire_client import ApiError, ConnectionFailedError, Quire, RateLimitError, Retry, UnavailableError


class Scripted(NamedTuple):
    url: str
    answers: list[tuple[int, dict[str, str]] | None]
    """What it answers in turn; ``None`` breaks the connection; 200 with the body ``done`` at the end."""
    keys: list[str]
    bodies: list[bytes]


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """A server that fails as often as a test says."""
    answers: list[tuple[int, dict[str, str]] | None] = []
    keys: list[str] = []
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            keys.append(self.headers["idempotency-key"])
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            answer = answers.pop(0) if answers else (200, {"content-disposition": 'attachment; filename="done.pdf"'})
            if answer is None:
                self.close_connection = True
                return
            self.send_response(answer[0])
            for name, value in answer[1].items():
                self.send_header(name, value)
            self.send_header("content-length", "4")
            self.end_headers()
            self.wfile.write(b"done")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Scripted(f"http://127.0.0.1:{server.server_port}", answers, keys, bodies)
    server.shutdown()
    thread.join()
    server.server_close()


QUICK = Retry(first_pause=0.001)
PROBLEM = {"content-type": "application/problem+json"}
SOON = {**PROBLEM, "retry-after": "0"}


def test_repeats_a_call_with_the_same_key_and_the_same_file(scripted: Scripted, letter: Path) -> None:
    scripted.answers.extend([(429, SOON), (503, SOON), None])
    with Quire(scripted.url, retry=QUICK) as client, letter.open("rb") as file:
        assert client.rotate_pdf(file, angle=90).name == "done.pdf"
    assert len(scripted.keys) == 4
    assert len(set(scripted.keys)) == 1
    assert {letter.read_bytes() in body for body in scripted.bodies} == {True}


def test_uses_another_key_for_another_call(scripted: Scripted, letter: Path) -> None:
    with Quire(scripted.url) as client:
        client.rotate_pdf(letter)
        client.rotate_pdf(letter)
        client.with_options(idempotency_key="mine").rotate_pdf(letter)
    assert len(set(scripted.keys)) == 3
    assert scripted.keys[2] == "mine"


def test_repeats_what_a_proxy_answers_while_the_server_starts(scripted: Scripted, letter: Path) -> None:
    scripted.answers.append((502, {"content-type": "text/html"}))
    with Quire(scripted.url, retry=QUICK) as client:
        assert client.rotate_pdf(letter).read() == b"done"


def test_repeats_nothing_where_repeating_does_not_help(scripted: Scripted, letter: Path) -> None:
    refusals = [(400, SOON), (503, PROBLEM), (502, PROBLEM), (500, PROBLEM), (429, {**PROBLEM, "retry-after": "3600"})]
    with Quire(scripted.url, retry=QUICK) as client:
        for refusal in refusals:
            scripted.answers.append(refusal)
            with pytest.raises(ApiError) as caught:
                client.rotate_pdf(letter)
            assert caught.value.status == refusal[0]
    assert len(scripted.keys) == len(refusals)
    assert isinstance(caught.value, RateLimitError)
    assert caught.value.retry_after == 3600


def test_gives_up_after_the_allowed_attempts(scripted: Scripted, letter: Path) -> None:
    scripted.answers.extend([(503, SOON)] * 3)
    with Quire(scripted.url, retry=Retry(attempts=3, first_pause=0.001)) as client:
        with pytest.raises(UnavailableError):
            client.rotate_pdf(letter)
        scripted.answers.extend([None])
        with pytest.raises(ConnectionFailedError):
            client.with_options(retry=Retry(attempts=1)).rotate_pdf(letter)
    assert len(scripted.keys) == 4
