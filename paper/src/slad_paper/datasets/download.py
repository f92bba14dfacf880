"""Bytes from a URL into a file, over connections that break."""

from __future__ import annotations

import errno
import hashlib
import re
import socket
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from slad.core.version import __version__

BLOCK = 1 << 16
TIMEOUT = 30.0
WAITS = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each new try; a try that brings the file further starts them over."""
PASSING = (408, 425, 429, 500, 502, 503, 504)
NO_NETWORK = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ECONNREFUSED)

Progress = Callable[[int, int | None], None]
"""Told how many bytes are there, and of how many if that is known."""


class TransferError(Exception):
    """The download cannot be finished; the text says why."""


class _Broken(Exception):
    """This try failed, the next one may not."""


def download(
    url: str,
    part: Path,
    *,
    size: int | None = None,
    checked: bool = False,
    progress: Progress | None = None,
) -> tuple[str, bool]:
    """Bring `url` into the file `part`; gives the sha256, and whether an old part was gone on with.

    An old part is gone on with when the server can say that the file is still the same one, or when
    the caller will check the sum (`checked`). A file longer than `size` is not read to its end.
    """
    old = part.stat().st_size if part.is_file() else 0
    best, tries = old, 0
    while True:
        try:
            found, start = _attempt(url, part, size, checked, progress)
            return found, 0 < old <= start
        except _Broken as error:
            have = part.stat().st_size if part.is_file() else 0
            tries = tries + 1 if have <= best else 1
            best = max(best, have)
            if tries > len(WAITS):
                raise TransferError(
                    f"{error}, {tries} times; what came is kept, and the next fetch goes on from it"
                ) from error
            time.sleep(WAITS[tries - 1])


def _attempt(
    url: str, part: Path, size: int | None, checked: bool, progress: Progress | None
) -> tuple[str, int]:
    """One connection; gives the sha256 and the byte it went on from."""
    start, tag = _resumable(part, size, checked)
    if size is not None and start == size > 0:
        return _hash(part, size).hexdigest(), start
    with _open(url, start, tag) as response:
        start = start if _continues(response, start) else 0
        length = response.length
        total = None if length is None else start + length
        if size is not None and total is not None and total != size:
            raise TransferError(f"it gives a file of {total:,} bytes and not of {size:,}")
        _note_tag(part, response.headers.get("ETag"))
        digest, have = _hash(part, start), start
        with open(part, "r+b" if start else "wb") as out:
            out.truncate(start)
            out.seek(start)
            for block in _blocks(response):
                out.write(block)
                digest.update(block)
                have += len(block)
                if size is not None and have > size:
                    raise TransferError(f"it gives a file longer than {size:,} bytes")
                if progress:
                    progress(have, total if size is None else size)
    whole = total if size is None else size
    if whole is not None and have < whole:
        raise _Broken(f"the connection broke after {have:,} of {whole:,} bytes")
    return digest.hexdigest(), start


def _resumable(part: Path, size: int | None, checked: bool) -> tuple[int, str | None]:
    """Where to go on from, and the tag by which the server knows the file."""
    have = part.stat().st_size if part.is_file() else 0
    note = tag_path(part)
    tag = note.read_text(encoding="latin-1") if note.is_file() else None
    usable = (tag or checked) and (size is None or have <= size)
    return (have, tag) if have and usable else (0, None)


def tag_path(part: Path) -> Path:
    return part.with_name(f"{part.name}.etag")


def _note_tag(part: Path, tag: str | None) -> None:
    """Only a strong tag promises equal bytes."""
    if tag and tag.startswith('"'):
        tag_path(part).write_text(tag, encoding="latin-1")
    else:
        tag_path(part).unlink(missing_ok=True)


def _open(url: str, start: int, tag: str | None) -> HTTPResponse:
    headers = {"User-Agent": f"slad/{__version__}", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if tag:
            headers["If-Range"] = tag
    try:
        response: HTTPResponse = urlopen(Request(url, headers=headers), timeout=TIMEOUT)
        return response
    except HTTPError as error:
        said = f"the server answers {error.code} {error.reason}"
        error.close()
        if error.code == 416 and start:
            return _open(url, 0, None)
        raise (_Broken if error.code in PASSING else TransferError)(said) from error
    except URLError as error:
        reason = error.reason
        if isinstance(reason, socket.gaierror) or getattr(reason, "errno", None) in NO_NETWORK:
            raise TransferError(f"nobody answers there ({reason})") from error
        raise _Broken(f"no connection ({reason})") from error
    except (OSError, HTTPException) as error:
        raise _Broken(f"no connection ({error or type(error).__name__})") from error


def _continues(response: HTTPResponse, start: int) -> bool:
    """Whether the answer starts at the byte asked for, and not at the first one."""
    said = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return response.status == 206 and said is not None and int(said[1]) == start


def _blocks(response: HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            block = response.read(BLOCK)
        except (OSError, HTTPException) as error:
            raise _Broken(f"the connection broke ({type(error).__name__})") from error
        if not block:
            return
        yield block


def _hash(path: Path, count: int) -> hashlib._Hash:
    """The digest of the first bytes of a file, to be gone on with."""
    digest = hashlib.sha256()
    if count:
        with open(path, "rb") as file:
            while count and (block := file.read(min(BLOCK, count))):
                digest.update(block)
                count -= len(block)
    return digest
