"""A document that comes out of a call."""

from __future__ import annotations

import os
import shutil
import uuid
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from quire_client.core.spool import Spool


@dataclass(frozen=True)
class Notices:
    """What the server reports beside a result."""

    warnings: str = ""
    """Sentences."""
    effects: tuple[str, ...] = ()
    """What the operation did to the document beside its purpose: ``signatures-invalidated``."""
    ignored_fields: tuple[str, ...] = ()
    """Options that the operation does not know."""
    replaced_values: tuple[str, ...] = ()
    """Values that could not be used, each with the one used instead: ``field=used``."""
    report: Mapping[str, Any] = field(default_factory=dict)
    """Facts about the run; members depend on the operation."""
    pipeline: Mapping[str, Any] = field(default_factory=dict)
    """Of a pipeline: the files that its filters dropped."""


class Document:
    """The result of a call: a file with its name, and what the server reports about it.

    Results up to 8 MiB are in memory, longer ones in a temporary file that goes away with the object.
    """

    def __init__(self, name: str, media_type: str, body: Spool, notices: Notices | None = None) -> None:
        self.name = name
        """File name without folders."""
        self.media_type = media_type
        self.notices = notices or Notices()
        self._body = body

    def __repr__(self) -> str:
        return f"Document(name={self.name!r}, media_type={self.media_type!r}, size={self.size})"

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True

    def __bytes__(self) -> bytes:
        return self.read()

    @property
    def size(self) -> int:
        """Bytes."""
        return self._body.size

    def save(self, target: str | os.PathLike[str] = ".") -> Path:
        """Writes the file and returns its path. In an existing folder it gets its own name.

        It is written beside its place and renamed, so that nobody finds half a file.
        """
        path = Path(target)
        if path.is_dir():
            path = path / self.name
        unfinished = path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex}")
        try:
            with self.open() as reader, unfinished.open("xb") as writer:
                shutil.copyfileobj(reader, writer)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return path

    def read(self) -> bytes:
        """Returns all bytes."""
        return self._body.read()

    def open(self) -> BinaryIO:
        """Returns a new file object at the first byte; the caller closes it."""
        return self._body.open()

    def stream(self, chunk_size: int = 65536) -> Iterator[bytes]:
        """Yields the bytes in pieces, for the body of an answer or an upload."""
        with self.open() as reader:
            while chunk := reader.read(chunk_size):
                yield chunk

    @property
    def is_zip(self) -> bool:
        """True for a zip of several files."""
        return self.media_type in ("application/zip", "application/x-zip-compressed") or self.name.endswith(".zip")

    def files(self) -> list[Document]:
        """Returns the files of a zip, or the document itself. Each file is in memory."""
        if not self.is_zip:
            return [self]
        with self.open() as reader, zipfile.ZipFile(reader) as archive:
            return [
                Document(Path(entry.filename).name, _media_type(entry.filename), Spool(archive.read(entry)))
                for entry in archive.infolist()
                if not entry.is_dir()
            ]


def _media_type(name: str) -> str:
    # Not from the system's list, which differs between machines.
    known = {
        ".pdf": "application/pdf",
        ".png": "image/png",
        ".jpg": "image/jpeg",
        ".json": "application/json",
        ".csv": "text/csv",
        ".txt": "text/plain",
    }
    return known.get(Path(name).suffix.lower(), "application/octet-stream")
