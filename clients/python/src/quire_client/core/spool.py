"""Bytes of an answer: in memory while they are few, else in a temporary file."""

from __future__ import annotations

import os
import tempfile
import weakref
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

MEMORY_BYTES = 8 * 1024 * 1024
"""Longer answers go to a temporary file."""


class Spool:
    """Bytes that can be read again and again. The temporary file goes away with the object."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._path: Path | None = None
        self.size = len(data)

    @classmethod
    def of_file(cls, path: Path) -> Spool:
        """Takes over a temporary file."""
        spool = cls()
        spool._path = path
        spool.size = path.stat().st_size
        weakref.finalize(spool, _remove, str(path))
        return spool

    def open(self) -> BinaryIO:
        """Returns a new reader at the first byte."""
        return BytesIO(self._data) if self._path is None else self._path.open("rb")

    def read(self) -> bytes:
        """Returns all bytes."""
        return self._data if self._path is None else self._path.read_bytes()


class SpoolWriter:
    """Collects the bytes of an answer."""

    def __init__(self, memory_bytes: int = MEMORY_BYTES) -> None:
        self._memory_bytes = memory_bytes
        self._buffer = BytesIO()
        self._file: BinaryIO | None = None
        self._path: Path | None = None

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        if self._file is None and self._buffer.tell() + len(data) > self._memory_bytes:
            descriptor, name = tempfile.mkstemp(prefix="quire-")
            self._path = Path(name)
            self._file = os.fdopen(descriptor, "wb")
            self._file.write(self._buffer.getvalue())
            self._buffer = BytesIO()
        (self._buffer if self._file is None else self._file).write(data)

    def finish(self) -> Spool:
        """Returns what was written."""
        if self._file is None or self._path is None:
            return Spool(self._buffer.getvalue())
        self._file.close()
        return Spool.of_file(self._path)

    def discard(self) -> None:
        """Forgets what was written, after a broken connection."""
        if self._file is not None and self._path is not None:
            self._file.close()
            _remove(str(self._path))


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)
