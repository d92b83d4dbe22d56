"""The bytes of random requests, as NetKit and other clients send them."""
from __future__ import annotations

import json
import re
import string
import urllib.parse
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import strategies as st

from clients import HTTPX, Call, NetKit, Urllib3
from conformance import ENGINES, Context, RawServer, RecordedRequest, Tally, examples, versioned

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
#: More of what is awkward in a URL than a random character brings.
AWKWARD = st.one_of(TEXT, st.text(" +%&=#?/;:@!$'()*,~[]{}|\\^`\"<>aü", max_size=12))
TOKEN = st.text(string.ascii_letters + string.digits + "!#$%&'*+-.^_`|~", min_size=1, max_size=8)
VISIBLE = st.text([chr(code) for code in range(0x20, 0x7F)] + ["\t"], max_size=20)
SEGMENT = AWKWARD.filter(lambda text: text not in ("", ".", ".."))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)
BODY = st.one_of(
    st.builds(lambda value: {"kind": "json", "value": value}, JSON),
    st.builds(lambda value: {"kind": "text", "value": value}, AWKWARD),
    st.builds(
        lambda value: {"kind": "form", "value": value},
        st.lists(st.tuples(AWKWARD, AWKWARD), min_size=1, max_size=4, unique_by=lambda field: field[0]),
    ),
)


@st.composite
def requests(draw: Any) -> dict:
    method = draw(st.sampled_from(["GET", "HEAD", "OPTIONS", "DELETE", "POST", "PUT", "PATCH", "REPORT"]))
    names = draw(st.lists(TOKEN, max_size=4, unique_by=str.lower))
    body = draw(BODY) if method in ("POST", "PUT", "PATCH") else None
    return {
        "method": method,
        "path": "/base/{segments}",
        "segments": draw(st.lists(SEGMENT, min_size=1, max_size=4)),
        "query": draw(st.lists(st.tuples(AWKWARD, AWKWARD), max_size=4)),
        "headers": [(f"X-{name}", draw(VISIBLE).strip(" \t")) for name in names],
        "body": body,
    }


def normalized(target: str) -> str:
    """A target without the differences that RFC 3986, section 6.2.2, calls equivalent."""

    def triplet(found: re.Match) -> str:
        character = chr(int(found[1], 16))
        unreserved = character.isascii() and (character.isalnum() or character in "-._~")
        return character if unreserved else found[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", triplet, target)


def meaning(target: str) -> tuple:
    """The segments and the query of a target, as a server reads them."""
    path, _, query = target.partition("?")
    segments = [urllib.parse.unquote_to_bytes(segment) for segment in path.split("/")]
    return segments, urllib.parse.parse_qsl(query, keep_blank_values=True, errors="strict")


def wrong_target(request: dict, sent: RecordedRequest) -> str | None:
    segments = [b"", b"base", *(segment.encode() for segment in request["segments"])]
    expected = (segments, request["query"])
    try:
        found = meaning(sent.target)
    except ValueError as error:
        return f"{sent.target}: {error}"
    if sent.method != request["method"]:
        return f"sent {sent.method} for {request['method']}"
    if not re.fullmatch(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*", sent.target):
        return f"the target has characters that no URL has: {sent.target}"
    return None if found == expected else f"{sent.target} for {request['segments']} and {request['query']}"


def wrong_fields(request: dict, sent: RecordedRequest) -> str | None:
    for name, value in request["headers"]:
        if sent.values(name) != [value]:
            return f"{name}: {value!r} was sent as {sent.values(name)}"
    if len(sent.values("Host")) != 1:
        return f"Host: {sent.values('Host')}"
    return None


TYPES = {"json": "application/json", "text": "text/plain", "form": "application/x-www-form-urlencoded"}


def wrong_body(request: dict, sent: RecordedRequest, sets_text_type: bool) -> str | None:
    body = request["body"]
    if body is None:
        return None if sent.body == b"" and not sent.values("Transfer-Encoding") else f"a body: {sent.raw!r}"
    value, kind = body["value"], body["kind"]
    try:
        if kind == "json":
            matches = json.loads(sent.body) == value
        elif kind == "text":
            matches = sent.body.decode() == value
        else:
            fields = urllib.parse.parse_qsl(sent.body.decode("ascii"), keep_blank_values=True, errors="strict")
            # A browser's form has CRLF.
            matches = fields in (value, [(crlf(name), crlf(text)) for name, text in value])
    except ValueError as error:
        return f"{sent.body!r}: {error}"
    if not matches:
        return f"{sent.body!r} for {value!r}"
    if sent.values("Content-Length") != [str(len(sent.body))] or sent.values("Transfer-Encoding"):
        return f"Content-Length: {sent.values('Content-Length')} for {len(sent.body)} bytes"
    if kind == "text" and not sets_text_type:
        return None
    types = [text.partition(";")[0] for text in sent.values("Content-Type")]
    return None if types == [TYPES[kind]] else f"Content-Type: {sent.values('Content-Type')} for {kind}"


def crlf(text: str) -> str:
    return re.sub("\r\n|\r|\n", "\r\n", text)


def difference(one: str, other: str) -> str | None:
    """How the spelling of two targets differs; None if RFC 3986, section 6.2.2, calls them equivalent."""
    one, other = normalized(one), normalized(other)
    if one == other:
        return None
    path, _, query = one.partition("?")
    their_path, _, their_query = other.partition("?")
    if path == their_path and query.replace("+", "%20") == their_query.replace("+", "%20"):
        return "%20 for a space in the query, where the other writes +"
    return "the percent-encoding of characters that RFC 3986 allows there"


GROUPS = ["method, path and query as given", "fields as given", "body as given"]


def run(context: Context) -> dict:
    engines = [NetKit(name, context.driver) for name in ENGINES]
    httpx, urllib3 = HTTPX(), Urllib3()
    clients = [*engines, httpx, urllib3]
    cases = examples(requests(), 60 if context.short else 500)
    servers = {client.name: RawServer() for client in clients}

    def sent(client: Any) -> list[RecordedRequest | str]:
        """What the client sends for each case, or its error."""
        server, found = servers[client.name], []
        for case in cases:
            outcome = client.send(Call(server.url, **case))
            taken = server.take()
            one = len(taken) == 1 and outcome.error is None
            found.append(taken[0] if one else f"{len(taken)} requests were sent: {outcome}")
        return found

    with ThreadPoolExecutor() as pool:
        recorded = dict(zip([client.name for client in clients], pool.map(sent, clients)))
    for server in servers.values():
        server.close()

    tally = Tally([client.name for client in clients])
    spelled: Counter[tuple[str, str]] = Counter()
    added: dict[str, set[str]] = {client.name: set() for client in clients}
    for number, case in enumerate(cases):
        name = str(number)
        for client in clients:
            request = recorded[client.name][number]
            if isinstance(request, str):
                problems: list[str | None] = [request] * 3
            else:
                given = {field.lower() for field, _ in case["headers"]}
                added[client.name] |= {field.title() for field, _ in request.fields if field.lower() not in given}
                problems = [
                    wrong_target(case, request),
                    wrong_fields(case, request),
                    wrong_body(case, request, client in engines),
                ]
            for group, problem in zip(GROUPS, problems):
                tally.record(group, name, client.name, problem, f"{group}: {name}")
            for peer in (httpx, urllib3):
                theirs = recorded[peer.name][number]
                if client is peer or isinstance(theirs, str) or isinstance(request, str):
                    continue
                if wrong_target(case, theirs):
                    # httpx moves the values of a name together.
                    continue
                # A server reads the same, however the client spells it.
                same = meaning(request.target) == meaning(theirs.target)
                problem = None if same else f"{request.target} for {theirs.target}"
                tally.record(f"target means what {peer.name.split()[0]}'s means", name, client.name, problem)
                if client is engines[0] and (kind := difference(request.target, theirs.target)):
                    spelled[peer.name, kind] += 1
    notes = [
        f"{client} adds {', '.join(sorted(names - set(TYPES)))}." for client, names in added.items()
    ]
    notes += [
        f"{count} of {len(cases)} targets of NetKit differ in spelling from those of {peer}: {kind}."
        for (peer, kind), count in sorted(spelled.items())
    ]
    return tally.result(
        "wire",
        "Requests on the wire",
        f"random requests by {versioned('hypothesis')}",
        [],
        ["Targets are compared after RFC 3986's normalization of percent-encoding.", *notes],
    )
