"""Request bodies that NetKit compresses: what Python's gzip reads of them, directly and behind nginx."""

from __future__ import annotations

import gzip
import random
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from conformance import ENGINES, Context, RawServer, RecordedRequest, Tally, encoded, examples, free_port, once_more
from exchanges import converse, first, same
from hypothesis import strategies as st
from nginx import launch, version

KINDS, LEFT_ALONE, AGAIN, RANDOM = "kinds of bodies", "left alone", "sent again", "random bodies"
#: GzipCompression's default.
MINIMUM = 1_024
SERVERS = """\
access_log off;
server {
    listen 127.0.0.1:@PORT@;
    # Reads a request whole before it passes it on, with a length of its own.
    location / {
        proxy_pass http://127.0.0.1:@UPSTREAM@;
        proxy_set_header Host $http_host;
    }
}
"""


@dataclass
class Case:
    group: str
    name: str
    body: dict
    #: What the server's application must read; None for a form, whose boundary is NetKit's.
    content: bytes | None
    #: Whether the body must arrive compressed; None where the shorter form decides.
    compressed: bool | None = True
    headers: list[tuple[str, str]] = field(default_factory=list)
    #: The answers before the last, 200.
    replies: list[str] = field(default_factory=list)


def reading(request: RecordedRequest) -> bytes:
    """The content, as a server reads it that knows gzip. Raises an error for bytes before or after the file."""
    codings = ", ".join(request.values("Content-Encoding"))
    if codings not in ("", "gzip"):
        raise ValueError(f"Content-Encoding is {codings}")
    if not codings:
        return request.body
    # gzip alone takes zeros after the file.
    file = zlib.decompressobj(wbits=31)
    file.decompress(request.body)
    if not file.eof or file.unused_data:
        raise ValueError(f"{len(file.unused_data)} bytes follow the file")
    return gzip.decompress(request.body)


def problem(case: Case, outcome: Any, arrived: list[RecordedRequest]) -> str | None:
    if outcome.status != 200:
        return f"the outcome is {outcome}"
    if wrong := same("the number of requests", len(arrived), len(case.replies) + 1):
        return wrong
    for request in arrived:
        is_compressed = bool(request.values("Content-Encoding"))
        try:
            content = reading(request)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            return f"the body can't be read: {error}"
        wrong = first(
            None if case.content is None else same("the content", content, case.content),
            None if case.compressed is None else same("whether it is compressed", is_compressed, case.compressed),
            same("the bodies of all requests", request.body, arrived[0].body),
            "it is longer than before" if is_compressed and len(request.body) >= len(content) else None,
        )
        if wrong:
            return wrong
    return None


def data(content: bytes) -> dict:
    return {"kind": "data", "value": encoded(content)}


def cases(context: Context) -> list[Case]:
    source = random.Random(1952)
    text = "".join(f"{number}: {source.choice(['on', 'off'])}\n" for number in range(2_000)).encode()
    # So large that NetKit compresses it while it is sent, once for its length and once more each time.
    large = source.randbytes(3_000_000).hex().encode()
    noise = source.randbytes(20_000)
    packed = gzip.compress(text)
    files = {}
    for name, content in (("text.txt", text), ("large.txt", large), ("noise.jpeg", text)):
        (context.work / name).write_bytes(content)
        files[name] = {"kind": "file", "path": str(context.work / name)}
    document = {"kind": "json", "value": {"lines": text.decode().splitlines()}}
    fields = [["line", line] for line in text.decode().splitlines()[:300]]
    attached = [{"name": "a", "fileName": "a.txt", "mime": "text/plain", "data": encoded(text)}]
    found = [
        Case(KINDS, "bytes", data(text), text),
        Case(KINDS, "bytes that become large", data(large), large),
        Case(KINDS, "text", {"kind": "text", "value": text.decode()}, text),
        Case(KINDS, "a file", files["text.txt"], text),
        Case(KINDS, "a large file", files["large.txt"], large),
        Case(KINDS, "a sequence", {"kind": "stream", "pieces": [encoded(text)] * 2}, text * 2),
        Case(KINDS, "JSON", document, None),
        Case(KINDS, "a URL-encoded form", {"kind": "form", "value": fields}, None),
        Case(KINDS, "a form with a file", {"kind": "multipart", "fields": fields, "files": attached}, None),
        Case(KINDS, "the shortest body", data(b"a" * MINIMUM), b"a" * MINIMUM),
        Case(LEFT_ALONE, "a shorter body", data(b"a" * (MINIMUM - 1)), b"a" * (MINIMUM - 1), False),
        Case(LEFT_ALONE, "no bytes", data(b""), b"", False),
        Case(LEFT_ALONE, "noise", data(noise), noise, False),
        Case(LEFT_ALONE, "a picture", files["noise.jpeg"], text, False),
        Case(LEFT_ALONE, "a body with a digest", data(text), text, False, [("Content-Digest", "sha-256=:AA==:")]),
        # The server's application reads what the user compressed, once.
        Case(LEFT_ALONE, "a body that is compressed", data(packed), text, True, [("Content-Encoding", "gzip")]),
    ]
    busy, moved = "503 Service Unavailable", "307 Temporary Redirect\r\nLocation: /moved"
    for name, body, content in (("bytes", data(text), text), ("a large file", files["large.txt"], large)):
        found.append(Case(AGAIN, f"{name} after 503", body, content, replies=[busy] * 2))
        found.append(Case(AGAIN, f"{name} after 307", body, content, replies=[moved]))
        found.append(Case(AGAIN, f"{name} after both", body, content, replies=[busy, moved, busy]))
    pieces = st.one_of(
        st.binary(max_size=400),
        st.builds(bytes.__mul__, st.binary(min_size=1, max_size=40), st.integers(1, 200)),
    )
    for number, content in enumerate(
        examples(st.lists(pieces, max_size=12).map(b"".join), 30 if context.short else 400)
    ):
        compressed = False if len(content) < MINIMUM else None
        found.append(Case(RANDOM, f"random {number}", data(content), content, compressed))
    return found


class Server:
    """A server that answers in turn, with nginx before it."""

    def __init__(self, context: Context):
        self.replies: list[str] = []
        self.recorder = RawServer(lambda _: self.answer())
        port = free_port()
        folder = context.work / f"nginx-{port}"
        folder.mkdir()
        text = SERVERS.replace("@PORT@", str(port)).replace("@UPSTREAM@", str(self.recorder.port))
        (folder / "servers.conf").write_text(text)
        launch(context, folder, port)
        self.bases = {"directly": self.recorder.url, "behind nginx": f"http://127.0.0.1:{port}"}

    def answer(self) -> bytes:
        status = self.replies.pop(0) if self.replies else "200 OK"
        return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()

    def outcome(self, context: Context, client: str, base: str, case: Case) -> str | None:
        self.replies, _ = list(case.replies), self.recorder.take()
        step = {"engine": ENGINES[client], "method": "PUT", "path": "/", "headers": case.headers, "body": case.body}
        [outcome] = converse(context, client, base, [step], compresses=True, retries={"maximum": 3})
        return problem(case, outcome, self.recorder.take())


def run(context: Context) -> dict:
    tally = Tally(list(ENGINES))
    found = cases(context)

    def client_run(client: str) -> list[tuple[Case, str, str | None]]:
        server = Server(context)
        with server.recorder:
            return [
                (case, way, once_more(lambda: server.outcome(context, client, base, case)))
                for case in found
                for way, base in server.bases.items()
            ]

    with ThreadPoolExecutor(len(ENGINES)) as pool:
        for client, outcomes in zip(ENGINES, pool.map(client_run, ENGINES)):
            for case, way, reason in outcomes:
                tally.record(case.group, f"{case.name}, {way}", client, reason)
    notes = [
        "The server reads `Content-Encoding: gzip` with Python's `gzip`, and finds no byte before or after the file. nginx "
        "reads each request whole, by its length or its chunks, and passes it on."
    ]
    return tally.result("compression", "Compressed requests", f"RFC 1952 as Python reads it, and {version()}", notes=notes)
