"""Random event streams, as NetKit and Python's clients parse them."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import httpx_sse
import requests
import sseclient
from hypothesis import strategies as st

from conformance import ENGINES, Context, Driver, Known, RawServer, Tally, examples, versioned

KNOWN: list[Known] = []

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=8)
#: What other parsers take for the end of a line.
SEPARATORS = st.text("\u2028\u2029\u0085\v\f\x1c :a", max_size=4)
NAME = st.sampled_from(["data", "data", "data", "event", "id", "retry", "", "Data", "data ", "dat", "comment"])
VALUE = st.one_of(TEXT, SEPARATORS, st.sampled_from(["", "0", "42", "1000", "-1", "1.5", "4a", "\0", "a\0b", "\ufeff"]))


@st.composite
def lines(draw: Any) -> str:
    name = draw(NAME)
    match draw(st.integers(0, 9)):
        case 0: return name
        case 1: return name + ":" + draw(VALUE)
        case 2: return name + ":  " + draw(VALUE)
        case _: return name + ": " + draw(VALUE)


@st.composite
def streams(draw: Any) -> tuple[bytes, list[int]]:
    """An event stream, and where it is cut into chunks."""
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]]))
    out = "\ufeff" if draw(st.integers(0, 7)) == 0 else ""
    for block in draw(st.lists(st.lists(lines(), max_size=5), min_size=1, max_size=5)):
        for line in [*block, ""]:
            out += line + draw(st.sampled_from(ends))
    data = out.encode()
    if draw(st.integers(0, 7)) == 0:
        # Bytes that are no UTF-8 become U+FFFD.
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from([b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f"])) + data[at:]
    if draw(st.integers(0, 7)) == 0:
        data = data[: draw(st.integers(0, len(data)))]
    cuts = draw(st.lists(st.integers(1, max(1, len(data) - 1)), max_size=6, unique=True))
    return data, sorted(cuts)


@dataclass(frozen=True)
class Event:
    id: str
    event: str
    data: str


def parsed(data: bytes) -> list[Event]:
    """The events of a stream, by the letter of WHATWG's HTML, section 9.2.6."""
    stream = data.decode("utf-8", "replace")
    if stream.startswith("\ufeff"):
        stream = stream[1:]
    events, content, event, last_id = [], "", "", ""
    whole = stream.replace("\r\n", "\n").replace("\r", "\n")
    # What follows the last end of a line is no line.
    for line in whole.split("\n")[:-1]:
        if not line:
            if content:
                events.append(Event(last_id, event or "message", content.removesuffix("\n")))
            content = event = ""
            continue
        if line.startswith(":"):
            continue
        name, colon, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            content += value + "\n"
        elif name == "event":
            event = value
        elif name == "id" and "\0" not in value:
            last_id = value
    return events


def netkit(engine: str, driver: Driver, url: str) -> list[Event]:
    answer = driver.ask({"op": "events", "engine": engine, "base": url, "path": "/", "options": {"timeout": 20}})
    if answer.get("end"):
        raise ValueError(answer["end"]["message"])
    return [Event(one.get("id") or "", one["event"], one["data"]) for one in answer["events"]]


def with_httpx_sse(url: str) -> list[Event]:
    with httpx.Client(trust_env=False) as client, httpx_sse.connect_sse(client, "GET", url) as source:
        return [Event(one.id, one.event, one.data) for one in source.iter_sse()]


def with_sseclient(url: str) -> list[Event]:
    with requests.Session() as session:
        session.trust_env = False
        source = sseclient.SSEClient(session.get(url, stream=True))
        return [Event(one.id or "", one.event, one.data) for one in source.events()]


def response(data: bytes, cuts: list[int]) -> bytes:
    """The stream in chunks, over a connection that stays open."""
    ends = [0, *[cut for cut in cuts if cut < len(data)], len(data)]
    pieces = [data[start:end] for start, end in zip(ends, ends[1:])]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces if piece) + b"0\r\n\r\n"


def kind(data: bytes) -> str:
    """What is uncommon about a stream, which tells the peers' failures apart."""
    text = data.decode("utf-8", "replace")
    if "\ufeff" in text[:1]:
        return "a byte order mark"
    if any(separator in text for separator in "\u2028\u2029\u0085\v\f\x1c\x1d\x1e"):
        return "separators that end no line"
    if "\ufffd" in text:
        return "bytes that are no UTF-8"
    if "\r" in text.replace("\r\n", ""):
        return "a lone CR"
    return "plain"


def run(context: Context) -> dict:
    cases = examples(streams(), 100 if context.short else 1000)
    engine = lambda name: lambda url: netkit(ENGINES[name], context.driver, url)
    clients = {name: engine(name) for name in ENGINES}
    if not context.short:
        clients |= {versioned("httpx-sse"): with_httpx_sse, versioned("sseclient-py"): with_sseclient}
    tally = Tally(list(clients))

    def play(name: str) -> None:
        current = b""
        with RawServer(lambda _: current) as server:
            for number, (data, cuts) in enumerate(cases):
                current = response(data, cuts)
                try:
                    found: Any = clients[name](server.url)
                except (ValueError, httpx.HTTPError, requests.RequestException) as error:
                    found = f"{type(error).__name__}: {error}"
                problem = None if found == parsed(data) else f"{found} from {data!r}"
                label = f"{kind(data)} {number}" if name in ENGINES else kind(data)
                tally.record(kind(data), str(number), name, problem, label)

    with ThreadPoolExecutor() as pool:
        list(pool.map(play, clients))
    return tally.result(
        "server-sent-events",
        "Server-sent events",
        f"random event streams by {versioned('hypothesis')}",
        KNOWN,
        ["The expected events are those of WHATWG's algorithm (HTML, section 9.2.6), written down in the suite."],
    )
