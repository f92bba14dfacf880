"""A server on this machine that serves one file, as badly as it is told."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Behaviour:
    """What the server does; each request takes the first element of `cuts` and `codes`."""

    content: bytes
    etag: str | None = '"one"'
    ranges: bool = True
    length: bool = True
    cuts: list[int] = field(default_factory=list)
    """After so many bytes of a body the connection breaks; 0 for never."""
    codes: list[int] = field(default_factory=list)
    """Answered instead of the file; 200 for the file."""
    asked: list[dict[str, str]] = field(default_factory=list)
    """The headers of every request."""
    url: str = ""


class _Handler(BaseHTTPRequestHandler):
    behaviour: Behaviour

    def do_GET(self) -> None:
        told = self.behaviour
        told.asked.append(dict(self.headers))
        code = told.codes.pop(0) if told.codes else 200
        if code != 200:
            self.send_error(code)
            return
        start = self._start()
        if start is not None and start >= len(told.content):
            self.send_response(416)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = told.content[start or 0 :]
        self.send_response(200 if start is None else 206)
        if told.etag:
            self.send_header("ETag", told.etag)
        if told.length:
            self.send_header("Content-Length", str(len(body)))
        if start is not None:
            end = len(told.content)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{end}")
        self.end_headers()
        cut = told.cuts.pop(0) if told.cuts else 0
        self.wfile.write(body[: cut or len(body)])
        self.close_connection = True

    def _start(self) -> int | None:
        """The byte that is asked for, if this server heeds that and the file is still the same."""
        asked = re.match(r"bytes=(\d+)-$", self.headers.get("Range", ""))
        same = self.headers.get("If-Range") in (None, self.behaviour.etag)
        return int(asked[1]) if asked and same and self.behaviour.ranges else None

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[Behaviour]:
    """The server, in a thread, at `behaviour.url`."""
    handler = type("Handler", (_Handler,), {"behaviour": behaviour})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    behaviour.url = f"http://127.0.0.1:{server.server_port}/file.npz"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield behaviour
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
