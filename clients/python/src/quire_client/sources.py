"""Documents that go in: paths, bytes, file objects, streams, results of earlier calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Union

from quire_client.core.spool import SpoolWriter

if TYPE_CHECKING:
    from quire_client.document import Document

_CHUNK = 1 << 16


@dataclass(frozen=True)
class FileId:
    """A file that the server has already: a result file of an earlier job, or a stored file."""

    id: str


Content = bytes | bytearray | memoryview | IO[bytes] | Iterable[bytes]
"""Bytes, a file object opened in binary mode, or an iterable of pieces."""

Source = Union[str, "os.PathLike[str]", Content, "Document", FileId, tuple[str, Content]]
"""
A document: a path, :data:`Content`, a :class:`Document` of an earlier call, a :class:`FileId`, or ``(name, content)``.

The name matters where the server tells file types apart by extension (``letter.md``), and for the name of the result.
"""


Opener = Callable[[], AbstractContextManager[IO[bytes]]]


@dataclass(frozen=True)
class Upload:
    """A file part of a form, which can be opened for every attempt."""

    field: str
    name: str
    open: Opener


def upload_of(field: str, source: Source) -> Upload:
    """Returns the upload of a source.

    Paths are opened when the request is sent. File objects that can seek are sent from their first byte; other file
    objects and iterables are read at once, so that a failed request can be repeated.

    Raises:
        FileNotFoundError: there is no file at this path
        TypeError: this is no source
    """
    from quire_client.document import Document

    if isinstance(source, tuple):
        name, content = source
        return Upload(field, name, _opener(content))
    if isinstance(source, Document):
        return Upload(field, source.name, source.open)
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if not path.is_file():
            raise FileNotFoundError(f'"{path}" for {field} is not a file; pass bytes or (name, bytes) for content')
        return Upload(field, path.name, lambda: path.open("rb"))
    if isinstance(source, FileId):
        raise TypeError(f"{field} needs a file; a FileId works only for the document of an operation that takes one")
    opener = _opener(source)
    return Upload(field, _name_of(source, opener), opener)


def _opener(content: object) -> Opener:
    if isinstance(content, (bytes, bytearray, memoryview)):
        data = bytes(content)
        return lambda: BytesIO(data)
    if isinstance(content, (str, Mapping)):
        raise TypeError(f"content has to be bytes, a binary file object or an iterable of bytes, not {_kind(content)}")
    read = getattr(content, "read", None)
    if read is not None:
        if _can_seek(content):
            return lambda: _from_start(content)
        return _spooled(iter(lambda: read(_CHUNK), b""))
    if isinstance(content, Iterable):
        return _spooled(content)
    raise TypeError(f"a document is a path, bytes, a binary file object or a Document, not {_kind(content)}")


def _from_start(file: Any) -> AbstractContextManager[IO[bytes]]:
    """Returns a caller's file object at its first byte; it stays open afterwards."""
    file.seek(0)
    if not isinstance(file.read(0), bytes):
        raise TypeError("the file object returns text; open it in binary mode")
    return nullcontext(file)


def _spooled(pieces: Iterable[object]) -> Opener:
    writer = SpoolWriter()
    for piece in pieces:
        if not isinstance(piece, (bytes, bytearray, memoryview)):
            writer.discard()
            raise TypeError(f"a document is made of bytes, not of {_kind(piece)}; open files in binary mode")
        writer.write(bytes(piece))
    return writer.finish().open


def _can_seek(content: object) -> bool:
    seekable = getattr(content, "seekable", None)
    return bool(seekable()) if callable(seekable) else False


def _name_of(content: object, opener: Opener) -> str:
    name = getattr(content, "name", None)
    if isinstance(name, str) and name != "":
        return Path(name).name
    with opener() as reader:
        start = reader.read(5)
    return "document.pdf" if start == b"%PDF-" else "document"


def _kind(value: object) -> str:
    return type(value).__name__
