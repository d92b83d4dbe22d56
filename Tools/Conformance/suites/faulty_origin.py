"""The server behind the faults: one body in three framings, with ranges, and a record of whole requests."""

from __future__ import annotations

import socket
import ssl
import threading
from typing import Callable

from conformance import Listener, RecordedRequest, read_request


def body(lines: int) -> bytes:
    """A JSON array of numbers with one on each line."""
    return b"[\n" + b",\n".join(b"%d" % (10_000_000 + number) for number in range(lines)) + b"\n]\n"


#: Bodies by the first segment of a path.
BODIES = {"busy": body(60), "large": body(6_000), "small": body(60), "empty": b"", "huge": body(400_000)}
LAST_CHUNK = b"0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
TAG = '"one version"'


class Origin(Listener):
    """Answers `/SIZE/FRAMING` with a body of that size, and a POST with `[]`, over TLS if there is a context.

    The framing is `length`, `chunked` or `close`, for a body that the end of the connection ends. The first request of
    `/busy/FRAMING` is answered with a 503 and a `Retry-After` of one second. `pause` is called before each response.
    """

    def __init__(
        self, tls: ssl.SSLContext | None = None, address: str = "127.0.0.1", pause: Callable[[], None] = lambda: None
    ):
        self.requests: list[RecordedRequest] = []
        self._pause = pause
        self._tls = tls
        self._lock = threading.Lock()
        super().__init__(address)

    def posts(self) -> int:
        """How many whole POST requests have arrived."""
        with self._lock:
            return sum(request.method == "POST" for request in self.requests)

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(60)
        try:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as reader:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while request := read_request(reader):
                    with self._lock:
                        is_first = not any(known.target == request.target for known in self.requests)
                        self.requests.append(request)
                    self._pause()
                    response, closes = (BUSY, False) if is_first and "busy" in request.target else reply(request)
                    connection.sendall(response)
                    if closes:
                        if self._tls:
                            # With a close_notify.
                            connection = connection.unwrap()
                        connection.shutdown(socket.SHUT_WR)
                        # A client may still have something to say, and would get a RST.
                        while connection.recv(1 << 16):
                            pass
                        return
        except (OSError, ValueError):
            # The connection ended within a request or a response.
            connection.close()


def chunked(content: bytes) -> bytes:
    pieces = [content[start : start + 4096] for start in range(0, len(content), 4096)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + LAST_CHUNK


def reply(request: RecordedRequest) -> tuple[bytes, bool]:
    """The response, and whether the end of the connection ends it."""
    if request.method == "POST":
        return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]", False
    size, framing = request.target.strip("/").split("/")
    content, status = BODIES[size], "200 OK"
    fields = f"Content-Type: application/json\r\nETag: {TAG}\r\nCache-Control: max-age=600\r\n"
    ranges = request.values("Range")
    if ranges and request.values("If-Range") in ([], [TAG]):
        start = int(ranges[0].removeprefix("bytes=").removesuffix("-"))
        status = "206 Partial Content"
        fields += f"Content-Range: bytes {start}-{len(content) - 1}/{len(content)}\r\n"
        content = content[start:]
    if framing == "length":
        fields += f"Content-Length: {len(content)}\r\n"
    elif framing == "chunked":
        fields += "Transfer-Encoding: chunked\r\n"
        content = chunked(content)
    else:
        fields += "Connection: close\r\n"
    return f"HTTP/1.1 {status}\r\n{fields}\r\n".encode() + content, framing == "close"
