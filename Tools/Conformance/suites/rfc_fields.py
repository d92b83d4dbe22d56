"""The examples of RFC 3986, RFC 8288 and RFC 9457, each read from a response."""

from __future__ import annotations

import json
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import httpx
import requests
from conformance import ENGINES, Context, Known, RawServer, Tally, once_more
from exchanges import CLIENTS, HTTPX, first, same
from rfc_http import response

# RFC 3986, section 5.4: references relative to http://a/b/c/d;p?q, and what they mean.
NORMAL = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
}
ABNORMAL = {
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
    # What strict parsers read; others may read http://a/b/c/g.
    "http:g": "http:g",
}

# RFC 8288, section 3.5, as printed; then with `next` where the example has another relation. What follows is the target
# of the relation `next` for the page /TheBook/chapter3, or None.
PRINTED = {
    "3.5 previous": (['<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"'], None),
    "3.5 an extension relation": (['</>; rel="http://example.net/foo"'], None),
    "3.5 an anchor": (['</terms>; rel="copyright"; anchor="#foo"'], None),
    "3.5 titles in another language": (
        [
            "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
            "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"
        ],
        "/TheBook/chapter4",
    ),
    "3.5 several relations": (['<http://example.org/>; rel="start http://example.net/relation/other"'], None),
    "3.5 several links": (['<https://example.org/>; rel="start", <https://example.org/index>; rel="index"'], None),
}
WITH_NEXT = {
    "3.5 next for previous": (
        ['<http://example.com/TheBook/chapter2>; rel="next"; title="previous chapter"'],
        "http://example.com/TheBook/chapter2",
    ),
    "3.5 next for copyright, of an anchor": (['</terms>; rel="next"; anchor="#foo"'], None),
    "3.5 next for start": (
        ['<http://example.org/>; rel="next http://example.net/relation/other"'],
        "http://example.org/",
    ),
    "3.5 next for index": (
        ['<https://example.org/>; rel="start", <https://example.org/index>; rel="next"'],
        "https://example.org/index",
    ),
}
# The rules of section 3 and appendix B.
PARSING = {
    "3.3 a relation in capitals": (['</b>; rel="NEXT"'], "/b"),
    "B.3 a name in capitals": (['</b>; REL="next"'], "/b"),
    "3 a token": (["</b>; rel=next"], "/b"),
    "3.3 the second of two relations": (['</b>; rel="prev next"'], "/b"),
    "3.3 only the first rel counts": (['</b>; rel="prev"; rel="next"'], None),
    "3 white space around": (['  </b>  ;  rel = "next"  '], "/b"),
    "3 no white space": (['</a>;rel="prev",</b>;rel="next"'], "/b"),
    "3 several fields": (['</a>; rel="prev"', '</b>; rel="next"'], "/b"),
    "3 the first of two": (['</b>; rel="next", </c>; rel="next"'], "/b"),
    "3.1 commas and semicolons in a target": (['</b,c;d?e=f,g;h>; rel="next"'], "/b,c;d?e=f,g;h"),
    "3.1 relative to the page": (['<chapter4>; rel="next"'], "/TheBook/chapter4"),
    "3.1 a query alone": (['<?page=2>; rel="next"'], "/TheBook/chapter3?page=2"),
    "3.1 dot segments": (['<../index>; rel="next"'], "/index"),
    "3.2 an anchor that is the page": (['</b>; anchor="/TheBook/chapter3"; rel="next"'], "/b"),
    "3.2 an anchor that is another": (['</b>; anchor="/TheBook/chapter2"; rel="next"'], None),
    "B.2 a quoted comma": (['</a>; title="x, </y>; rel=next"; rel="prev", </b>; rel="next"'], "/b"),
    "B.2 a quoted quote": (['</a>; title="x\\", "; rel="prev", </b>; rel="next"'], "/b"),
    "B.2 empty elements": ([', ,</b>; rel="next",,'], "/b"),
    "B.2 a parameter without a value": (['</b>; crossorigin; rel="next"'], "/b"),
    "B.2 an empty parameter": (['</b>;; rel="next"'], "/b"),
    "B.2 no target": (['rel="next"'], None),
    "B.2 a target without brackets": (['/b; rel="next"'], None),
    "B.2 a target without an end": (['</b; rel="next"'], None),
    "B.2 a broken link before": (['broken, </b>; rel="next"'], "/b"),
    "3 no rel": (["</b>"], None),
    "3.3 an empty rel": (['</b>; rel=""'], None),
    "3.4 an unknown parameter": (['</b>; a="b"; rel="next"; c=d'], "/b"),
}

# RFC 9457, section 3: its examples.
CREDIT = {
    "type": "https://example.com/probs/out-of-credit",
    "title": "You do not have enough credit.",
    "detail": "Your current balance is 30, but that costs 50.",
    "instance": "/account/12345/msgs/abc",
    "balance": 30,
    "accounts": ["/account/12345", "/account/67890"],
}
VALIDATION = {
    "type": "https://example.net/validation-error",
    "title": "Your request is not valid.",
    "errors": [
        {"detail": "must be a positive integer", "pointer": "#/age"},
        {"detail": "must be 'green', 'red' or 'blue'", "pointer": "#/profile/color"},
    ],
}
MEMBERS = ("type", "title", "status", "detail", "instance")

Problem = Callable[[Context, str], "str | None"]


def references() -> list[tuple[str, str, Problem]]:
    def case(reference: str, expected: str) -> Problem:
        def problem(context: Context, client: str) -> str | None:
            reply = response("302 Found", ("Location", reference))
            with RawServer(lambda request: reply) as server:
                path = "/b/c/d;p?q"
                if client in ENGINES:
                    value = {"engine": ENGINES[client], "base": server.url, "redirects": 0}
                    step = {"engine": ENGINES[client], "path": path}
                    answer = context.driver.rule("conversation", {**value, "requests": [step]})[0]
                    found = answer.get("location")
                else:
                    found = next_address(client, server.url + path)
                meant = expected.replace("http://a/", server.url + "/", 1)
                # An empty path is the same as / (RFC 3986, section 6.2.3).
                allowed = {meant, meant.removesuffix("/") if meant.count("/") == 3 else meant}
                if reference == "http:g":
                    allowed.add(f"{server.url}/b/c/g")
                return None if found in allowed else same("the URL", found, meant)

        return problem

    return [
        (f"3986 {title}", f"{section} {reference or 'an empty reference'}", case(reference, expected))
        for title, section, table in (("normal", "5.4.1", NORMAL), ("abnormal", "5.4.2", ABNORMAL))
        for reference, expected in table.items()
    ]


def next_address(client: str, url: str) -> str | None:
    """Where a redirect would lead a peer."""
    try:
        if client == HTTPX:
            with httpx.Client(trust_env=False, timeout=20) as session:
                found = session.get(url, follow_redirects=False).next_request
        else:
            with requests.Session() as session:
                session.trust_env = False
                found = session.get(url, allow_redirects=False, timeout=20).next
    except Exception as error:
        # Whatever a peer raises is how it refuses.
        return type(error).__name__
    return str(found.url) if found else None


def links() -> list[tuple[str, str, Problem]]:
    def case(fields: list[str], expected: str | None) -> Problem:
        def problem(context: Context, client: str) -> str | None:
            page = "/TheBook/chapter3"
            first_page = response("200 OK", *(("Link", field) for field in fields), body=b"page")
            with RawServer(lambda request: first_page if request.target == page else response()) as server:
                if client in ENGINES:
                    value = {"engine": ENGINES[client], "base": server.url, "path": page}
                    found = context.driver.rule("pages", value)
                    targets = [request.target for request in server.take()][1:]
                    if expected and not expected.startswith("/"):
                        # It isn't followed to another server, and the error says which.
                        is_named = urllib.parse.urlsplit(expected).netloc in (found["error"] or "")
                        return None if is_named and not targets else f"the error is {found['error']}"
                    return first(
                        same("the error", found["error"], None),
                        same("the next page", targets, [expected] if expected else []),
                    )
                meant = urllib.parse.urljoin(server.url, expected) if expected else None
                return same("the next page", linked(client, server.url + page), meant)

        return problem

    return [
        (f"8288 {title}", name, case(*values))
        for title, table in (("examples", PRINTED), ("examples", WITH_NEXT), ("parsing", PARSING))
        for name, values in table.items()
    ]


def linked(client: str, url: str) -> str | None:
    """The address of the link `next`, as a peer reads it."""
    if client == HTTPX:
        with httpx.Client(trust_env=False, timeout=20) as session:
            found = session.get(url).links
    else:
        with requests.Session() as session:
            session.trust_env = False
            found = session.get(url, timeout=20).links
    link = found.get("next")
    return urllib.parse.urljoin(url, link["url"]) if link else None


def problems() -> list[tuple[str, str, Problem]]:
    def case(value: Any, expected: dict[str, Any], kind: str = "application/problem+json") -> Problem:
        body = json.dumps(value).encode()
        reply = response("403 Forbidden", ("Content-Type", kind), ("Content-Language", "en"), body=body)

        def problem(context: Context, client: str) -> str | None:
            with RawServer(lambda request: reply) as server:
                found = context.driver.rule("problem", {"engine": ENGINES[client], "base": server.url, "path": "/"})
            if "error" in found:
                return f"it is no problem: {found['error']}"
            return first(*(same(name, found.get(name), meant) for name, meant in expected.items()))

        return problem

    def members(value: dict[str, Any], **more: Any) -> dict[str, Any]:
        known = {name: value.get(name) for name in MEMBERS}
        extensions = {name: member for name, member in value.items() if name not in MEMBERS}
        return {**known, "extensions": extensions, **more}

    wrong = {"type": 1, "title": [], "status": "403", "detail": {}, "instance": False}
    examples = [
        ("3 the first example", case(CREDIT, members(CREDIT, message=CREDIT["detail"]))),
        ("3 the second example", case(VALIDATION, members(VALIDATION, message=VALIDATION["title"]))),
        ("3.1 a status", case({**CREDIT, "status": 403}, members({**CREDIT, "status": 403}))),
        ("3.1 no members", case({}, members({}))),
        (
            "3.1.1 about:blank",
            case(
                {"type": "about:blank", "title": "Forbidden", "status": 403},
                members({"type": "about:blank", "title": "Forbidden", "status": 403}, message="Forbidden"),
            ),
        ),
        (
            "3.1 the media type with a parameter",
            case(CREDIT, members(CREDIT), "application/problem+json; charset=utf-8"),
        ),
        ("3.1 the media type in capitals", case(CREDIT, members(CREDIT), "Application/Problem+JSON")),
        (
            "3.2 extensions of every type",
            case(
                {"a": None, "b": [1, {"c": "d"}], "e": True, "f": 1.5},
                members({"a": None, "b": [1, {"c": "d"}], "e": True, "f": 1.5}),
            ),
        ),
        (
            "3.2 text that is not ASCII",
            case({"title": "\u00dcber \U0001f600"}, members({"title": "\u00dcber \U0001f600"})),
        ),
        *(
            (
                f"3.1 a {name} of the wrong type is ignored",
                case({**CREDIT, name: value}, members({**CREDIT, name: None})),
            )
            for name, value in wrong.items()
        ),
    ]
    return [("9457 problems", name, problem) for name, problem in examples]


KNOWN = [
    Known("5.4.1 an empty reference", "NetKit *", "design", "NetKit reads an empty Location as none."),
    Known("5.4.2 http:g", "NetKit *", "design", "NetKit returns no http URL without a host."),
]


def run(context: Context) -> dict:
    tally = Tally(CLIENTS)
    work = [
        (group, name, problem, client)
        for group, name, problem in [*references(), *links(), *problems()]
        for client in CLIENTS
        if client in ENGINES or not group.startswith("9457")
    ]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda item: once_more(lambda: item[2](context, item[3])), work)
        for (group, name, _, client), reason in zip(work, found):
            tally.record(group, name, client, reason)
    notes = [
        "Of the relations of RFC 8288, NetKit's paging follows `next`. A group has the examples as printed, and with "
        "`next` in place of their relations."
    ]
    return tally.result("rfc-fields", "References, links and problems", "RFC 3986, RFC 8288 and RFC 9457", KNOWN, notes)
