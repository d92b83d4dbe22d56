"""Random responses, well-formed and broken, as NetKit and other clients read them."""
from __future__ import annotations

import gzip
import random
import re
import string
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from clients import HTTPX, Call, NetKit, Outcome, Urllib3
from conformance import ASYNC_HTTP_CLIENT, ENGINES, LIBCURL, URL_SESSION, Context, Driver, Known, RawServer, Tally
from conformance import examples, versioned

TRAP = "FoundationNetworking traps (Transfer completed, but there's no response)"
LLHTTP = "NIO's parser rejects it, although RFC 9112 lets a server write it."
KNOWN = [
    Known("crash: trailers", URL_SESSION, "engine", f"{TRAP} after a trailer; LinuxLimits has the way out."),
    Known("crash: head cut off", URL_SESSION, "engine", f"{TRAP} after half a head; LinuxLimits has the way out."),
    Known("no space after a colon", URL_SESSION, "engine", "FoundationNetworking rejects it; LinuxLimits says so."),
    Known("blank values", URL_SESSION, "engine", "FoundationNetworking rejects a value of several blanks."),
    Known(
        "compressed body cut off",
        URL_SESSION,
        "engine",
        "libcurl gives what it could decompress, and no sign that the rest is missing; so do httpx and urllib3.",
    ),
    Known(
        "compressed body cut off",
        LIBCURL,
        "engine",
        "libcurl gives what it could decompress, and no sign that the rest is missing; so do httpx and urllib3.",
    ),
    Known("no HTTP version", URL_SESSION, "engine", "libcurl accepts HTTP/x.y as a version."),
    Known("folded fields", ASYNC_HTTP_CLIENT, "engine", LLHTTP),
    Known("space before a chunk extension", ASYNC_HTTP_CLIENT, "engine", LLHTTP),
    Known("random changes: lone CR", URL_SESSION, "engine", "libcurl takes a lone CR in a head for part of a value."),
    Known("random changes: status line", URL_SESSION, "engine", "libcurl takes HTTP/.1 and its like for HTTP."),
    Known("random changes: chunks", URL_SESSION, "engine", "libcurl takes a chunk without its CRLF."),
    Known("random changes: chunks", LIBCURL, "engine", "libcurl takes a chunk without its CRLF."),
    Known("crash: random changes: others", URL_SESSION, "engine", f"{TRAP} after a line that begins with NUL; see LinuxLimits."),
]

TOKEN = st.text(string.ascii_letters + string.digits + "-_.", min_size=1, max_size=8)
VALUE = st.text([chr(code) for code in range(0x20, 0x7F)] + ["\t"], max_size=20).map(lambda text: text.strip(" \t"))
#: The white space in front of a field's value and behind it.
SPACES = {
    "white space around values": ([" ", "  ", "\t", " \t "], ["", " ", "\t", " \t "]),
    "no space after a colon": ([""], [""]),
    "blank values": (["  ", "\t\t", " \t "], [""]),
}
STATUS = st.sampled_from([200, 201, 202, 203, 206, 299, 400, 403, 404, 410, 418, 422, 500, 503, 599])
REASON = st.one_of(st.sampled_from(["OK", "", "Not Found", "I'm a teapot"]), VALUE)
#: Changes a response after which no client may take it for whole (RFC 9112), or each may decide for itself.
REFUSED = [
    "body shorter than Content-Length",
    "no last chunk",
    "chunk cut off",
    "chunk size that is no number",
    "chunk longer than its size",
    "two different Content-Lengths",
    "Content-Length that is no number",
    "negative Content-Length",
    "head cut off",
    "no response",
    "no HTTP version",
    "status that is no number",
    "compressed body cut off",
    "compressed body that is none",
]
OPTIONAL = [
    "line feeds alone",
    "space before a colon",
    "NUL in a value",
    "line without a colon",
    "Content-Length and chunked",
    "Content-Length twice",
    "lone CR in a value",
    "empty line in front",
    "bytes after the body",
]


@dataclass
class Response:
    """The bytes of a response, and what they say."""

    kind: str
    raw: bytes
    status: int
    fields: list[tuple[str, str]]
    body: bytes
    #: Whether a client must read it, must refuse it, or may do either.
    rule: str


@st.composite
def chunked(draw: Any, body: bytes, kind: str) -> bytes:
    """The body in chunks, without the last."""
    extensions = ["", "", ";a", ";a=b", ';a="b c"']
    if kind == "space before a chunk extension":
        extensions = [" ;a=b", "\t;a"]
    out, rest = bytearray(), body
    while rest:
        size = draw(st.integers(1, max(1, len(rest))))
        digits = draw(st.sampled_from(["{:x}", "{:X}", "0{:x}"])).format(size)
        extension = draw(st.sampled_from(extensions))
        out += digits.encode() + extension.encode() + b"\r\n" + rest[:size] + b"\r\n"
        rest = rest[size:]
    return bytes(out)


@st.composite
def responses(draw: Any, kind: str) -> Response:
    status = draw(STATUS)
    before, after = SPACES.get(kind, ([" "], [""]))
    names = draw(st.lists(TOKEN, min_size=kind in SPACES or "fold" in kind, max_size=4, unique_by=str.lower))
    fields = []
    for name in names:
        for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
            value = "" if kind == "blank values" else draw(VALUE)
            if kind in SPACES and kind != "blank values":
                value = value or "a"
            fields.append((f"X-{name}", value))
    body = draw(st.binary(max_size=200)) * draw(st.sampled_from([1, 1, 1, 50]))
    coding = draw(st.sampled_from(["", "", "gzip", "deflate"]))
    if kind.startswith("compressed"):
        coding = draw(st.sampled_from(["gzip", "deflate"]))
        body = body + b"some text, to be long enough"
    framing = draw(st.sampled_from(["length", "chunked", "close"]))
    if kind == "trailers" or "chunk" in kind and kind != "Content-Length and chunked":
        framing = "chunked"
        body = body or b"content"
    elif "Content-Length" in kind or kind in ("bytes after the body", "head cut off"):
        framing = "length"
        body = body or b"content"
    elif kind == "line feeds alone":
        framing = "length"
    content = body
    if coding == "gzip":
        content = gzip.compress(body, mtime=0)
    elif coding == "deflate":
        content = zlib.compress(body)
    if kind == "compressed body cut off":
        content = content[: len(content) // 2]
    elif kind == "compressed body that is none":
        content = b"\0" + b"certainly not compressed"
    expected = list(fields)

    version = "HTTP/1.0" if framing != "chunked" and draw(st.integers(0, 9)) == 0 else "HTTP/1.1"
    reason = draw(REASON)
    lines = [f"{version} {status} {reason}"]
    for name, value in fields:
        lines.append(f"{name}:{draw(st.sampled_from(before))}{value}{draw(st.sampled_from(after))}")
    extra = []
    if coding:
        extra.append(f"Content-Encoding: {coding}")
    tail = b""
    if framing == "length":
        extra.append(f"Content-Length: {len(content)}")
        payload = content
    elif framing == "chunked":
        extra.append("Transfer-Encoding: chunked")
        payload = draw(chunked(content, kind))
        tail = b"0\r\n" + (b"X-Trailer: 1\r\n" if kind == "trailers" else b"") + b"\r\n"
    else:
        payload = content
    extra.append("Connection: close")
    if fields and kind == "folded fields":
        number = draw(st.integers(0, len(fields) - 1))
        name, value = fields[number]
        expected[number] = (name, f"{value} more".strip())
        lines[1 + number] = f"{name}: {value}\r\n{draw(st.sampled_from([' ', chr(9), '   ']))}more"
    elif kind == "space before a colon":
        lines.append("X-Space : 1")
    elif kind == "NUL in a value":
        lines.append("X-NUL: a\0b")
    elif kind == "lone CR in a value":
        lines.append("X-CR: a\rb")
    elif kind == "line without a colon":
        lines.append("no colon here")
    elif kind == "Content-Length and chunked":
        others = [line for line in extra if "Length" not in line]
        extra = list(dict.fromkeys(["Content-Length: 3", "Transfer-Encoding: chunked", *others]))
        payload = draw(chunked(content, kind))
        tail = b"0\r\n\r\n"
    elif kind == "Content-Length twice":
        extra.append(f"Content-Length: {len(content)}")
    elif kind == "two different Content-Lengths":
        extra.append(f"Content-Length: {len(content) + draw(st.integers(1, 9))}")
    elif kind == "Content-Length that is no number":
        length = draw(st.sampled_from(["abc", "1x", "0x10", "1.5", ""]))
        extra = [re.sub(r"Length: .*", f"Length: {length}", line) for line in extra]
    elif kind == "negative Content-Length":
        extra = [re.sub(r"Length: .*", "Length: -5", line) for line in extra]
    elif kind == "no HTTP version":
        lines[0] = draw(st.sampled_from(["HTTQ/1.1 200 OK", "200 OK", "ICY 200 OK", "<html>", "HTTP/x.y 200 OK"]))
    elif kind == "status that is no number":
        lines[0] = draw(st.sampled_from(["HTTP/1.1 abc OK", "HTTP/1.1 2x0 OK", "HTTP/1.1 -20 OK", "HTTP/1.1 20 OK"]))
    if draw(st.booleans()):
        extra.reverse()
    newline = "\n" if kind == "line feeds alone" else "\r\n"
    head = newline.join([*lines, *extra, "", ""]).encode("latin-1")
    raw = head + payload + tail
    if kind == "body shorter than Content-Length":
        raw = head + payload[: -draw(st.integers(1, len(payload)))]
    elif kind == "no last chunk":
        raw = head + payload
    elif kind == "chunk cut off":
        raw = head + payload[: -draw(st.integers(3, 3 + len(payload) // 2))]
    elif kind == "chunk size that is no number":
        raw = head + payload + draw(st.sampled_from([b"xyz\r\n", b"-1\r\n", b"0x5\r\nabcde\r\n", b"\r\n"])) + tail
    elif kind == "chunk longer than its size":
        raw = head + b"3\r\nabcdef\r\n" + tail
    elif kind == "head cut off":
        raw = head[: draw(st.integers(1, len(head) - 5))]
    elif kind == "no response":
        raw = b""
    elif kind == "empty line in front":
        raw = b"\r\n" + raw
    elif kind == "bytes after the body":
        raw += draw(st.binary(min_size=1, max_size=20))
    elif kind == "interim responses":
        raw = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * draw(st.integers(1, 3)) + raw
    rule = "refuse" if kind in REFUSED else "either" if kind in OPTIONAL else "read"
    return Response(kind, raw, status, expected, body, rule)


def wrong_reading(response: Response, outcome: Outcome) -> str | None:
    """How an outcome differs from what the response says."""
    if outcome.error:
        return f"refused: {outcome}"
    if outcome.status != response.status:
        return f"read status {outcome.status} for {response.status}"
    for name in dict.fromkeys(name for name, _ in response.fields):
        # URLSession joins the values of a name.
        found = blanks_as_one(", ".join(outcome.values(name)))
        expected = blanks_as_one(", ".join(value for key, value in response.fields if key == name))
        if found != expected:
            return f"read {name}: {found!r} for {expected!r}"
    if outcome.body != response.body:
        found, expected = f"{len(outcome.body)} bytes {outcome.body[:40]!r}", f"{response.body[:40]!r}"
        return f"read a body of {found} for {len(response.body)} {expected}"
    return None


def blanks_as_one(value: str) -> str:
    """A value without the differences that a line folded or several lines joined make."""
    return re.sub("[ \t]*,[ \t]*", ", ", re.sub("[ \t]+", " ", value))


def verdict(response: Response, outcome: Outcome) -> str | None:
    """Why a client fails a response."""
    if outcome.error == "crash":
        return f"crashed: {outcome.message}"
    if outcome.error == "timeout":
        return "waited after the end of the connection"
    if response.rule == "refuse":
        return None if outcome.error else f"took it for whole: {outcome} from {response.raw[:200]!r}"
    if response.rule == "either" and outcome.error:
        return None
    problem = wrong_reading(response, outcome)
    return problem and f"{problem} from {response.raw[:300]!r}"


def noise(seed: int, valid: list[Response]) -> list[bytes]:
    """Responses with random bytes changed, removed, added or doubled."""
    source, found = random.Random(seed), []
    for response in valid:
        raw = bytearray(response.raw)
        for _ in range(source.choice([1, 1, 2, 5])):
            # The head has the more interesting bytes.
            at = source.randrange(min(len(raw), 120) if source.random() < 0.8 else len(raw))
            match source.randrange(4):
                case 0: raw[at] = source.choice(b"\0\r\n\t :;,0159aF\xff-")
                case 1: del raw[at]
                case 2: raw.insert(at, source.choice(b"\0\r\n\t :;,0159aF\xff-"))
                case 3: raw[at:at] = raw[at : at + source.randrange(1, 30)]
        found.append(bytes(raw))
    return found


def reading(outcome: Outcome) -> tuple | None:
    """What a client made of a response, to be compared with another's; None if it refused."""
    if outcome.error:
        return None
    names = sorted({name.lower() for name, _ in outcome.headers if name.lower().startswith("x-")})
    # Bytes beyond ASCII are read by different character sets.
    fields = [re.sub("[^!-~]+", "", ", ".join(outcome.values(name))) for name in names]
    return outcome.status, names, fields, outcome.body


def oddity(raw: bytes) -> str:
    """What is wrong with a response that was changed at random."""
    head = raw.partition(b"\r\n\r\n")[0]
    codings = re.findall(rb"(?i)\n(?:Content|Transfer)-Encoding: *([^\r\n]*)", head)
    if re.search(rb"\r(?!\n)", head):
        return "lone CR"
    if not re.match(rb"HTTP/1\.[01] [1-5]\d\d", head):
        return "status line"
    if any(coding not in (b"gzip", b"deflate", b"chunked") for coding in codings):
        return "unknown coding"
    return "chunks" if b"chunked" in codings else "others"


WELL_FORMED = ["plain", *SPACES, "space before a chunk extension", "trailers", "folded fields", "interim responses"]
KINDS = [*WELL_FORMED, *REFUSED, *OPTIONAL]
NOISE = "random changes: refused, or read as a peer reads them"


def run(context: Context) -> dict:
    # A driver for each engine, because a trap ends it.
    drivers = {name: Driver(context.driver_program) for name in ENGINES}
    engines = [NetKit(name, driver) for name, driver in drivers.items()]
    httpx, urllib3 = HTTPX(), Urllib3()
    clients = [*engines, httpx, urllib3]
    tally = Tally([client.name for client in clients])
    count = 4 if context.short else 25
    found = {kind: examples(responses(kind), count * (8 if kind == "plain" else 1)) for kind in KINDS}
    cases = [response for kind in KINDS for response in found[kind]]
    noisy = [] if context.short else noise(9112, found["plain"] * 2)

    def receive(client: Any) -> list[Outcome]:
        """Each response over a connection, and from an origin, of its own."""
        outcomes = []
        for raw in [*(response.raw for response in cases), *noisy]:
            with RawServer(lambda _, raw=raw: raw, closes=True) as server:
                call = Call(server.url, "/", headers=[("Accept-Encoding", "gzip, deflate")])
                call.options = {"timeout": 60, "redirects": 0}
                outcome = client.send(call)
                if outcome.error == "crash" and outcome.message.startswith("status -"):
                    print("the driver ended without a word: the response is sent again", flush=True)
                    outcome = client.send(call)
                outcomes.append(outcome)
        return outcomes

    with ThreadPoolExecutor() as pool:
        outcomes = dict(zip([client.name for client in clients], pool.map(receive, clients)))

    for driver in drivers.values():
        driver.close()

    groups = {"read": "well-formed", "refuse": "broken: to be refused", "either": "broken: refused or read"}
    for number, response in enumerate(cases):
        for client in clients:
            outcome = outcomes[client.name][number]
            label = f"crash: {response.kind}" if outcome.error == "crash" else response.kind
            problem = verdict(response, outcome)
            tally.record(groups[response.rule], f"{response.kind} {number}", client.name, problem, label)
    for number, raw in enumerate(noisy, len(cases)):
        theirs = [reading(outcomes[peer.name][number]) for peer in (httpx, urllib3)]
        for client in engines:
            mine = outcomes[client.name][number]
            problem, label = None, f"random changes: {oddity(raw)}"
            if mine.error in ("timeout", "crash"):
                problem, label = f"{mine} from {raw[:300]!r}", f"{mine.error}: {label}"
            elif reading(mine) not in (None, *theirs):
                problem = f"{mine} from {raw[:300]!r}"
            tally.record(NOISE, str(number), client.name, problem, label)
    return tally.result(
        "responses",
        "Responses on the wire",
        f"random responses by {versioned('hypothesis')}",
        KNOWN,
        [
            "RFC 9112 decides whether a client must read a response, must refuse it or may do either.",
            "Fields are compared with the values of a name joined.",
        ],
    )
