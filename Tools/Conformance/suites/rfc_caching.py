"""The rules of RFC 9111, as requests through a cache."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.utils import formatdate

import cachecontrol
import requests
from conformance import (
    ENGINES,
    Context,
    Known,
    RawServer,
    RecordedRequest,
    Tally,
    once_more,
    versioned,
)
from exchanges import Ask, Outcome, first, netkit, same
from rfc_http import response

CACHE_CONTROL = versioned("CacheControl")
CLIENTS = [*ENGINES, CACHE_CONTROL]


def date(seconds: float = 0) -> str:
    """A date so many seconds from now."""
    return formatdate(time.time() + seconds, usegmt=True)


@dataclass
class Step:
    """A request, and whether it may reach the server."""

    # The server's answer; None where the cache must answer.
    reply: bytes | None
    # The status and body that the caller sees; the reply's where None.
    status: int = 200
    body: bytes = b"one"
    method: str = "GET"
    path: str = "/"
    headers: list[tuple[str, str]] = field(default_factory=list)
    # Fields that the request must have at the server.
    sent: dict[str, str | None] = field(default_factory=dict)
    # Fields that the caller must see.
    seen: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None
    policy: str | None = None


def fresh(
    *fields: tuple[str, str], body: bytes = b"one", status: str = "200 OK", control: str | None = "max-age=3600"
) -> bytes:
    """A response of now."""
    extra = [("Cache-Control", control)] if control else []
    return response(status, ("Date", date()), *extra, *fields, body=body)


def problem(context: Context, client: str, steps: list[Step]) -> str | None:
    arrived: list[tuple[int, RecordedRequest]] = []

    def reply(request: RecordedRequest) -> bytes:
        number = int(request.values("X-Step")[0])
        arrived.append((number, request))
        return steps[number].reply or response("599 Not From The Cache")

    asks = [
        Ask(step.path, step.method, [*step.headers, ("X-Step", str(number))], step.content, step.policy)
        for number, step in enumerate(steps)
    ]
    with RawServer(reply) as server:
        if client in ENGINES:
            outcomes = netkit(context, client, server.url, asks, cache=True)
        else:
            outcomes = with_cache_control(server.url, asks)
    expected = [number for number, step in enumerate(steps) if step.reply]
    problems = [same("the requests at the server", [number for number, _ in arrived], expected)]
    for number, request in arrived:
        for name, value in steps[number].sent.items():
            problems.append(same(f"{name} of request {number}", ", ".join(request.values(name)) or None, value))
    for number, (step, found) in enumerate(zip(steps, outcomes)):
        problems.append(same(f"status {number}", found.status, step.status))
        if step.status < 400:
            problems.append(same(f"body {number}", found.body, step.body))
        for name, value in step.seen.items():
            problems.append(same(f"{name} of response {number}", found.value(name), value))
    return first(*problems)


def with_cache_control(base: str, asks: list[Ask]) -> list[Outcome]:
    outcomes = []
    session = cachecontrol.CacheControl(requests.Session())
    session.trust_env = False
    for ask in asks:
        found = session.request(ask.method, base + ask.path, headers=dict(ask.headers), data=ask.body, timeout=20)
        outcomes.append(Outcome(found.status_code, list(found.headers.items()), found.content))
    return outcomes


def cases() -> list[tuple[str, str, list[Step], bool]]:
    """The group, the name, the steps, and whether CacheControl can do the same."""
    found: list[tuple[str, str, list[Step], bool]] = []

    def add(name: str, *steps: Step, peer: bool = True) -> None:
        groups = {
            "3": "storing",
            "4.1": "variants",
            "4.2": "freshness",
            "4.3": "validation",
            "4.4": "invalidation",
            "5": "directives",
        }
        group = next(title for start, title in groups.items() if name.startswith(start))
        found.append((f"9111 {group}" if peer else f"9111 {group}, NetKit alone", name, list(steps), peer))

    hit = Step(None)
    tag, modified = ("ETag", '"v1"'), ("Last-Modified", "Tue, 15 Nov 1994 12:45:26 GMT")
    again = fresh(body=b"two")
    two = Step(again, body=b"two")
    not_modified = response("304 Not Modified", ("Date", date()), ("Cache-Control", "max-age=3600"), tag, body=None)

    add("3 a fresh response is stored", Step(fresh()), hit, hit)
    add("3 no-store is not", Step(fresh(control="no-store")), two)
    add("3 no-store beside max-age is not", Step(fresh(control="max-age=3600, no-store")), two)
    add("3 a private cache stores private", Step(fresh(control="private, max-age=3600")), hit)
    add("3 of POST is not for GET", Step(fresh(), method="POST", content=b"a"), two)
    add("3 without a lifetime or a validator is not fresh", Step(fresh(control=None)), two)
    add(
        "3 a 404 with a lifetime is stored",
        Step(fresh(status="404 Not Found"), status=404),
        Step(None, status=404),
        peer=False,
    )
    add(
        "3 a 500 without a lifetime is not",
        Step(response("500 Internal Server Error", ("Date", date())), status=500),
        Step(fresh(body=b"two"), body=b"two"),
    )
    add(
        "3.5 Authorization does not keep a private cache from storing",
        Step(fresh(), headers=[("Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")]),
        Step(None, headers=[("Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")]),
    )
    add(
        "3 each URL has its own",
        Step(fresh()),
        Step(fresh(body=b"two"), path="/?a", body=b"two"),
        hit,
        Step(None, path="/?a", body=b"two"),
    )
    add("3 HEAD is answered from GET", Step(fresh()), Step(None, method="HEAD", body=b""), peer=False)

    english, danish = [("Accept-Language", "en")], [("Accept-Language", "da")]
    vary = ("Vary", "Accept-Language")
    add("4.1 the same Accept-Language", Step(fresh(vary), headers=english), Step(None, headers=english))
    add("4.1 another Accept-Language", Step(fresh(vary), headers=english), Step(again, body=b"two", headers=danish))
    add("4.1 a field that is absent in both", Step(fresh(vary)), hit)
    add("4.1 a field that is absent in one", Step(fresh(vary)), Step(again, body=b"two", headers=english))
    add("4.1 Vary: * matches nothing", Step(fresh(("Vary", "*"))), two)
    add("4.1 names in any case", Step(fresh(("Vary", "ACCEPT-language")), headers=english), Step(None, headers=english))
    add(
        "4.1 several fields",
        Step(fresh(("Vary", "Accept-Language, X-A")), headers=[*english, ("X-A", "1")]),
        Step(None, headers=[*english, ("X-A", "1")]),
        Step(again, body=b"two", headers=[*english, ("X-A", "2")]),
    )
    add(
        "4.1 two variants side by side",
        Step(fresh(vary), headers=english),
        Step(fresh(vary, body=b"two"), body=b"two", headers=danish),
        Step(None, headers=english),
        Step(None, body=b"two", headers=danish),
        peer=False,
    )

    add("4.2.1 max-age=0 is stale", Step(fresh(control="max-age=0")), two)
    add("4.2.1 Expires in the future", Step(fresh(("Expires", date(3600)), control=None)), hit)
    add("4.2.1 Expires in the past", Step(fresh(("Expires", "Thu, 01 Dec 1994 16:00:00 GMT"), control=None)), two)
    add("4.2.1 max-age wins over Expires", Step(fresh(("Expires", "Thu, 01 Dec 1994 16:00:00 GMT"))), hit)
    add("4.2.1 max-age=0 wins over Expires", Step(fresh(("Expires", date(3600)), control="max-age=0")), two)
    add("4.2.1 s-maxage is for shared caches", Step(fresh(control="s-maxage=0, max-age=3600")), hit)
    add("5.3 Expires: 0 is in the past", Step(fresh(("Expires", "0"), control=None)), two)
    add("5.3 Expires that is no date is in the past", Step(fresh(("Expires", "tomorrow"), control=None)), two)
    add(
        "5.3 Expires in RFC 850 is read",
        Step(
            fresh(
                ("Expires", time.strftime("%A, %d-%b-%y %H:%M:%S GMT", time.gmtime(time.time() + 3600))), control=None
            )
        ),
        hit,
    )
    add(
        "5.3 Expires in asctime is read",
        Step(fresh(("Expires", time.strftime("%a %b %e %H:%M:%S %Y", time.gmtime(time.time() + 3600))), control=None)),
        hit,
    )
    add("4.2.3 Age counts", Step(fresh(("Age", "3700"))), two)
    add(
        "4.2.3 an old Date counts",
        Step(response("200 OK", ("Date", date(-7200)), ("Cache-Control", "max-age=3600"), body=b"one")),
        two,
    )
    add("4.2.3 a small Age leaves it fresh", Step(fresh(("Age", "10"))), hit)
    add(
        "4.2.2 a heuristic lifetime is a tenth of the age",
        Step(fresh(("Last-Modified", date(-864000)), control=None)),
        hit,
        peer=False,
    )
    add("5.2.2.1 a large number is long", Step(fresh(control="max-age=99999999999999999999")), hit)
    add("5.2.2.1 a number that is none is stale", Step(fresh(control="max-age=abc")), two)
    add("5.2 directives in any case", Step(fresh(control="MAX-AGE=3600")), hit)
    add("5.2 a quoted number is read", Step(fresh(control='max-age="3600"')), hit, peer=False)
    add("5.2.3 an unknown directive is ignored", Step(fresh(control='private, community="UCI", max-age=3600')), hit)
    add("5.2 a directive inside quotes is none", Step(fresh(control='a="no-store, b", max-age=3600')), hit)
    add("5.2 several fields", Step(fresh(("Cache-Control", "max-age=3600"), control="private")), hit)

    validated = {"If-None-Match": '"v1"'}
    add("4.3.1 ETag validates", Step(fresh(tag, control="max-age=0")), Step(not_modified, sent=validated), hit)
    add(
        "4.3.1 Last-Modified validates",
        Step(fresh(modified, control="max-age=0")),
        Step(not_modified, sent={"If-Modified-Since": modified[1]}),
    )
    add(
        "4.3.1 both validate",
        Step(fresh(tag, modified, control="max-age=0")),
        Step(not_modified, sent={**validated, "If-Modified-Since": modified[1]}),
    )
    add(
        "4.3.1 a weak ETag validates",
        Step(fresh(("ETag", 'W/"v1"'), control="max-age=0")),
        Step(response("304 Not Modified", ("ETag", 'W/"v1"'), body=None), sent={"If-None-Match": 'W/"v1"'}),
    )
    add(
        "4.3.3 another response replaces",
        Step(fresh(tag, control="max-age=0")),
        Step(again, body=b"two", sent=validated),
        Step(None, body=b"two"),
    )
    add(
        "4.3.4 a 304 updates the fields",
        Step(fresh(tag, ("X-A", "old"), control="max-age=0")),
        Step(
            response(
                "304 Not Modified", tag, ("X-A", "new"), ("Cache-Control", "max-age=3600"), ("Date", date()), body=None
            ),
            sent=validated,
            seen={"X-A": "new"},
        ),
        Step(None, seen={"X-A": "new"}),
    )
    add(
        "4.3.4 a 304 keeps the length",
        Step(fresh(tag, control="max-age=0")),
        Step(
            response(
                "304 Not Modified",
                tag,
                ("Content-Length", "99"),
                ("Cache-Control", "max-age=3600"),
                ("Date", date()),
                body=None,
            ),
            sent=validated,
        ),
        Step(None, seen={"Content-Length": "3"}),
    )
    add(
        "4.3.2 a caller's own condition is the caller's",
        Step(fresh(tag)),
        Step(
            response("304 Not Modified", ("ETag", '"v2"'), body=None),
            status=304,
            body=b"",
            headers=[("If-None-Match", '"v2"')],
            sent={"If-None-Match": '"v2"'},
        ),
        peer=False,
    )

    add("4.4 POST invalidates", Step(fresh()), Step(response(body=b""), method="POST", content=b"a", body=b""), two)
    add(
        "4.4 PUT invalidates",
        Step(fresh()),
        Step(response("204 No Content", body=None), 204, b"", "PUT", content=b"a"),
        two,
    )
    add("4.4 DELETE invalidates", Step(fresh()), Step(response("204 No Content", body=None), 204, b"", "DELETE"), two)
    add("4.4 an unknown method invalidates", Step(fresh()), Step(response(body=b""), 200, b"", "FROB"), two, peer=False)
    add("4.4 an error does not", Step(fresh()), Step(response("403 Forbidden"), 403, b"", "POST", content=b"a"), hit)
    add("4.4 a safe method does not", Step(fresh()), Step(response(body=b""), 200, b"", "OPTIONS"), hit)
    add("4.4 another URL stays", Step(fresh()), Step(response(body=b""), 200, b"", "POST", "/b", content=b"a"), hit)
    add(
        "4.4 Location of the same origin may go too",
        Step(fresh(), path="/b"),
        Step(response("201 Created", ("Location", "/b")), 201, b"", "POST", content=b"a"),
        Step(again, path="/b", body=b"two"),
        peer=False,
    )

    def asking(directive: str, reply: bytes | None, body: bytes = b"one", status: int = 200) -> Step:
        return Step(reply, status, body, headers=[("Cache-Control", directive)])

    add("5.2.1.1 max-age=0 asks the server", Step(fresh()), asking("max-age=0", again, b"two"))
    add("5.2.1.1 a large max-age does not", Step(fresh()), asking("max-age=3000", None))
    add("5.2.1.1 max-age below the age asks", Step(fresh(("Age", "60"))), asking("max-age=30", again, b"two"))
    add("5.2.1.2 max-stale has a limit", Step(fresh(("Age", "4000"))), asking("max-stale=100", again, b"two"))
    add("5.2.1.3 min-fresh", Step(fresh(("Age", "3000"))), asking("min-fresh=1000", again, b"two"))
    add("5.2.1.4 no-cache asks the server", Step(fresh()), asking("no-cache", again, b"two"))
    add("5.2.1.5 no-store of a request is not stored", asking("no-store", fresh()), two)
    add("5.2.1.7 only-if-cached without a stored response", asking("only-if-cached", None, status=504), peer=False)
    add("5.2.1.7 only-if-cached with one", Step(fresh()), asking("only-if-cached", None), peer=False)
    add(
        "5.2.2.4 no-cache is validated each time",
        Step(fresh(tag, control="no-cache, max-age=3600")),
        Step(not_modified, sent=validated),
    )
    add(
        "5.2.2.2 must-revalidate does not go stale",
        Step(fresh(tag, control="max-age=0, must-revalidate")),
        Step(not_modified, sent=validated),
    )
    add(
        "5.2.2.2 must-revalidate wins over max-stale",
        Step(fresh(control="max-age=0, must-revalidate")),
        asking("max-stale", again, b"two"),
    )
    add("5.1 a stored response has its Age", Step(fresh(("Age", "100"))), Step(None), peer=False)
    return found


KNOWN: list[Known] = []


def run(context: Context) -> dict:
    tally = Tally(CLIENTS)
    work = [
        (group, name, steps, client)
        for group, name, steps, has_peer in cases()
        for client in CLIENTS
        if client in ENGINES or has_peer
    ]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda item: once_more(lambda: problem(context, item[3], item[2])), work)
        for (group, name, _, client), reason in zip(work, found):
            tally.record(group, name, client, reason)
    return tally.result("rfc-caching", "HTTP's caching rules", "RFC 9111", KNOWN)
