"""httpbin's tour: each endpoint that makes sense for a client, as a table of cases."""
from __future__ import annotations

import base64
import random
import sys
import threading
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Callable

from clients import HTTPX, Call, Curl, NetKit, Outcome, Requests
from conformance import ENGINES, Context, Known, Tally, free_port, versioned

Check = Callable[[Outcome], bool]
AWKWARD = "x y+z&=#%2F?;/:@\"'<>[]{}|\\^`~!$()*,"
UNICODE = "Grüße 🦊 ∮"
NOISE = bytes(range(256)) * 40
DATA_URL = "data:application/octet-stream;base64,"

KNOWN = [
    Known(
        "Digest auth*SHA-512",
        "NetKit *",
        "design",
        "SHA-512 is no algorithm of RFC 7616, which has SHA-512-256.",
    ),
    Known(
        "brotli",
        "NetKit over AsyncHTTPClient",
        "engine",
        "AsyncHTTPClient decodes gzip and deflate; httpbin sends br to a client that does not accept it.",
    ),
]


@dataclass
class Step:
    """A call, and the check of its outcome."""

    check: Check
    path: str
    settings: dict

    def call(self, base: str) -> Call:
        return Call(base, self.path, **self.settings)


@dataclass
class Case:
    group: str
    name: str
    steps: list[Step]


def step(path: str, check: Check, **settings: Any) -> Step:
    return Step(check, path, settings)


def status(code: int) -> Check:
    return lambda outcome: outcome.status == code and outcome.error is None


def echoes(**expected: Any) -> Check:
    """httpbin's echo has these members."""
    return lambda outcome: outcome.status == 200 and all(
        outcome.json.get(key) == value for key, value in expected.items()
    )


def has_json(expected: Any) -> Check:
    return lambda outcome: outcome.status == 200 and outcome.json == expected


def has_text(text: str) -> Check:
    return lambda outcome: outcome.status == 200 and text in outcome.body.decode()


def file(name: str, file_name: str, data: bytes, mime: str = "application/octet-stream") -> dict:
    return {"name": name, "fileName": file_name, "mime": mime, "data": base64.b64encode(data).decode()}


def data_body(data: bytes) -> dict:
    return {"kind": "data", "value": base64.b64encode(data).decode()}


def form(*fields: tuple[str, str]) -> dict:
    return {"kind": "form", "value": fields}


def seeded(count: int, seed: int) -> bytes:
    """The bytes that httpbin makes of a seed."""
    source = random.Random(seed)
    return bytes(source.randint(0, 255) for _ in range(count))


def user(kind: str, name: str = "reader", password: str = "open sesame") -> dict:
    return {"authentication": {"kind": kind, "username": name, "password": password}}


def methods() -> list[Case]:
    group = "methods"
    cases = [
        Case(group, method, [step("/anything", echoes(method=method), method=method)])
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"]
    ]
    cases += [
        Case(group, f"/{method.lower()}", [step(f"/{method.lower()}", status(200), method=method)])
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"]
    ]
    cases += [
        Case(group, "HEAD", [step("/get", lambda o: o.status == 200 and not o.body, method="HEAD")]),
        Case(group, "OPTIONS", [step("/get", lambda o: "GET" in o.values("Allow")[0], method="OPTIONS")]),
        Case(group, "TRACE", [step("/anything", echoes(method="TRACE"), method="TRACE")]),
        Case(group, "a method that the server does not allow", [step("/get", status(405), method="DELETE")]),
        Case(group, "an unknown method", [step("/anything", status(405), method="PURGE")]),
    ]
    return cases


def queries() -> list[Case]:
    tables: dict[str, list[tuple[str, str]]] = {
        "one item": [("a", "1")],
        "a repeated name": [("a", "1"), ("b", "2"), ("a", "3")],
        "awkward characters": [("value", AWKWARD)],
        "an awkward name": [(AWKWARD, "1")],
        "unicode": [("ü", UNICODE)],
        "an empty value": [("a", "")],
        "spaces": [("a b", " c  d ")],
        "a percent sign": [("a", "100% %41 %zz")],
        "a long value": [("a", "x" * 3000)],
        "line breaks": [("a", "1\r\n2\n3")],
    }
    cases = []
    for name, query in tables.items():
        expected: dict[str, Any] = {}
        for key, value in query:
            found = expected.get(key)
            expected[key] = value if found is None else [*([found] if isinstance(found, str) else found), value]
        cases.append(Case("query", name, [step("/get", echoes(args=expected), query=query)]))
    return cases


def paths() -> list[Case]:
    cases = []
    for name, segment in {
        # httpbin's URL is of no use for percent-encoded delimiters; the naughty strings have them.
        "a space": "a b",
        "unicode": UNICODE,
        "punctuation": "a.b-c_d~e!f'g(h)i*j",
    }.items():
        check = lambda outcome, segment=segment: (
            urllib.parse.unquote(urllib.parse.urlsplit(outcome.json["url"]).path) == f"/anything/{segment}"
        )
        cases.append(Case("path", name, [step("/anything/{segments}", check, segments=[segment])]))
    return cases


def fields() -> list[Case]:
    group = "header fields"

    def reads(name: str, value: str) -> Check:
        return lambda outcome: outcome.json["headers"].get(name) == value

    return [
        Case(group, "a field", [step("/headers", reads("X-A", "1"), headers=[("X-A", "1")])]),
        Case(
            group,
            "quotes and separators",
            [step("/headers", reads("X-A", 'a, "b"; c=d'), headers=[("X-A", 'a, "b"; c=d')])],
        ),
        Case(group, "an empty value", [step("/headers", reads("X-A", ""), headers=[("X-A", "")])]),
        Case(group, "a long value", [step("/headers", reads("X-A", "x" * 7000), headers=[("X-A", "x" * 7000)])]),
        Case(
            group,
            "many fields",
            [
                step(
                    "/headers",
                    lambda o: all(o.json["headers"][f"X-{n}"] == str(n) for n in range(60)),
                    headers=[(f"X-{n}", str(n)) for n in range(60)],
                )
            ],
        ),
        Case(
            group,
            "the user agent",
            [step("/user-agent", has_json({"user-agent": "tour/1.0"}), headers=[("User-Agent", "tour/1.0")])],
        ),
        Case(group, "accepted types", [step("/image", png, headers=[("Accept", "image/png")])]),
        Case(group, "accepted types, none of them there", [step("/image", status(406), headers=[("Accept", "a/b")])]),
    ]


def png(outcome: Outcome) -> bool:
    is_png = outcome.values("Content-Type") == ["image/png"] and outcome.body.startswith(b"\x89PNG")
    return outcome.status == 200 and is_png


def bodies() -> list[Case]:
    group = "bodies"
    values = {
        "an object": {"a": [1, 2.5, None, True, UNICODE], "b": {"c": []}},
        "an array": [1, 2, 3],
        "a string": "text",
        "a number": 12345678901234567,
        "null in an object": {"a": None},
        "escapes": {"a": "\"\\/\b\f\n\r\t\u0001\u2028"},
    }
    cases = [
        Case(group, f"JSON: {name}", [
            step("/post", echoes(json=value), method="POST", body={"kind": "json", "value": value})
        ])
        for name, value in values.items()
    ]
    cases += [
        Case(group, "form", [
            step(
                "/post",
                echoes(form={"name": AWKWARD, "tag": UNICODE, "empty": ""}),
                method="POST",
                body=form(("name", AWKWARD), ("tag", UNICODE), ("empty", "")),
            )
        ]),
        Case(group, "form with a repeated name", [
            step("/put", echoes(form={"a": ["1", "2"]}), method="PUT", body=form(("a", "1"), ("a", "2")))
        ]),
        Case(group, "text", [
            step("/patch", echoes(data=UNICODE), method="PATCH", body={"kind": "text", "value": UNICODE})
        ]),
        Case(group, "bytes", [
            step(
                "/post",
                echoes(data=DATA_URL + base64.b64encode(NOISE).decode()),
                method="POST",
                body=data_body(NOISE),
                headers=[("Content-Type", "application/octet-stream")],
            )
        ]),
        Case(group, "no bytes", [step("/post", echoes(data=""), method="POST", body=data_body(b""))]),
        Case(group, "a body of 3 MB", [
            step(
                "/post",
                lambda o: len(o.json["data"]) == 3_000_000,
                method="POST",
                body={"kind": "text", "value": "x" * 3_000_000},
            )
        ]),
        Case(group, "a body with DELETE", [
            step("/delete", echoes(json={"a": 1}), method="DELETE", body={"kind": "json", "value": {"a": 1}})
        ]),
        Case(group, "files", [
            step(
                "/post",
                echoes(
                    files={"text": "from a file", "bytes": DATA_URL + "AP8NCg=="},
                    form={"title": UNICODE},
                ),
                method="POST",
                body={
                    "kind": "multipart",
                    "fields": [["title", UNICODE]],
                    "files": [
                        file("text", "a.txt", b"from a file", "text/plain"),
                        file("bytes", "b.bin", b"\0\xff\r\n"),
                    ],
                },
            )
        ]),
        Case(group, "an empty file", [
            step(
                "/post",
                echoes(files={"empty": ""}),
                method="POST",
                body={"kind": "multipart", "fields": [], "files": [file("empty", "e", b"", "text/plain")]},
            )
        ]),
    ]
    return cases


def statuses() -> list[Case]:
    codes = [200, 201, 202, 203, 204, 205, 206, 207, 226, 300, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409]
    codes += [410, 412, 413, 415, 418, 421, 422, 425, 428, 429, 431, 451, 500, 501, 502, 503, 504, 511, 599]
    return [Case("status codes", str(code), [step(f"/status/{code}", status(code))]) for code in codes]


def redirects() -> list[Case]:
    group = "redirects"

    def ends_at_get(outcome: Outcome) -> bool:
        return outcome.status == 200 and urllib.parse.urlsplit(outcome.json["url"]).path == "/get"

    cases = [
        Case(group, path[1:], [step(path, ends_at_get)])
        for path in ["/redirect/1", "/redirect/5", "/relative-redirect/3", "/absolute-redirect/3"]
    ]
    for code, method in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")]:
        sent = {"a": 1} if method == "POST" else None
        cases.append(Case(group, f"{code} of a POST", [
            step(
                "/redirect-to",
                echoes(method=method, json=sent),
                method="POST",
                query=[("url", "/anything"), ("status_code", str(code))],
                body={"kind": "json", "value": {"a": 1}},
            )
        ]))
    for code in [301, 302, 303, 307, 308]:
        cases.append(Case(group, f"{code} that is not followed", [
            step(
                "/redirect-to",
                lambda o, code=code: o.status == code and o.values("Location") == ["/get"],
                query=[("url", "/get"), ("status_code", str(code))],
                options={"redirects": 0},
            )
        ]))
    cases += [
        Case(group, "too many", [
            step("/redirect/6", lambda o: o.error is not None, options={"redirects": 5})
        ]),
        Case(group, "HEAD stays HEAD", [
            step("/redirect/2", lambda o: o.status == 200 and not o.body, method="HEAD")
        ]),
        Case(group, "a fragment", [
            step("/redirect-to", ends_at_get, query=[("url", "/get#part")])
        ]),
        Case(group, "a query", [
            step("/redirect-to", echoes(args={"a": "b c"}), query=[("url", "/anything?a=b%20c")])
        ]),
    ]
    return cases


def cookies() -> list[Case]:
    group = "cookies"

    def jar(name: str) -> dict:
        return {"cookies": name}

    def are(**expected: str) -> Check:
        return has_json({"cookies": expected})

    return [
        Case(group, "none", [step("/cookies", are(), options=jar("none"))]),
        Case(group, "set and sent back", [
            step("/cookies/set", are(a="1", b="2"), query=[("a", "1"), ("b", "2")], options=jar("set")),
            step("/cookies", are(a="1", b="2"), options=jar("set")),
        ]),
        Case(group, "set by path", [step("/cookies/set/a/1", are(a="1"), options=jar("path"))]),
        Case(group, "replaced", [
            step("/cookies/set/a/1", are(a="1"), options=jar("replaced")),
            step("/cookies/set/a/2", are(a="2"), options=jar("replaced")),
        ]),
        Case(group, "deleted", [
            step("/cookies/set", are(a="1", b="2"), query=[("a", "1"), ("b", "2")], options=jar("deleted")),
            step("/cookies/delete", are(b="2"), query=[("a", "")], options=jar("deleted")),
            step("/cookies", are(b="2"), options=jar("deleted")),
        ]),
        Case(group, "jars don't mix", [
            step("/cookies/set/a/1", are(a="1"), options=jar("first")),
            step("/cookies", are(), options=jar("second")),
        ]),
        Case(group, "set by a redirect that is not followed", [
            step("/cookies/set/a/1", status(302), options={**jar("manual"), "redirects": 0}),
            step("/cookies", are(a="1"), options=jar("manual")),
        ]),
    ]


def credentials() -> list[Case]:
    group = "credentials"
    yes = lambda outcome: outcome.status == 200 and outcome.json["authenticated"] is True
    sesame = "open%20sesame"
    cases = [
        Case(group, "Basic", [step(f"/basic-auth/reader/{sesame}", yes, options=user("basic"))]),
        Case(group, "Basic, wrong password", [
            step(f"/basic-auth/reader/{sesame}", status(401), options=user("basic", password="wrong"))
        ]),
        Case(group, "Basic, no password", [step(f"/basic-auth/reader/{sesame}", status(401))]),
        Case(group, "Basic, hidden", [step(f"/hidden-basic-auth/reader/{sesame}", yes, options=user("basic"))]),
        Case(group, "Basic, a colon in the password", [
            step("/basic-auth/reader/a:b", yes, options=user("basic", password="a:b"))
        ]),
        Case(group, "Basic, unicode", [
            step("/basic-auth/z%C3%B6e/gr%C3%BC%C3%9Fe", yes, options=user("basic", "zöe", "grüße"))
        ]),
        Case(group, "Bearer", [
            step(
                "/bearer",
                has_json({"authenticated": True, "token": "t0ken"}),
                options={"authentication": {"kind": "bearer", "token": "t0ken"}},
            )
        ]),
        Case(group, "Bearer, no token", [step("/bearer", status(401))]),
    ]
    for qop in ["auth", "auth-int"]:
        for algorithm in ["MD5", "SHA-256", "SHA-512"]:
            path = f"/digest-auth/{qop}/reader/sesame/{algorithm}"
            name = f"Digest {qop} {algorithm}"
            # httpbin asks for its cookie beside the credentials.
            cases.append(Case(group, name, [
                step(path, yes, options={**user("digest", password="sesame"), "cookies": name})
            ]))
            cases.append(Case(group, f"{name}, wrong password", [
                step(path, status(401), options={**user("digest", password="no"), "cookies": f"{name} wrong"})
            ]))
    cases.append(Case(group, "Digest, stale nonces", [
        step(
            "/digest-auth/auth/reader/sesame/MD5/1",
            yes,
            options={**user("digest", password="sesame"), "cookies": "stale"},
        )
        for _ in range(3)
    ]))
    return cases


def contents() -> list[Case]:
    group = "responses"
    cases = [
        Case(group, "gzip", [step("/gzip", lambda o: o.json["gzipped"] is True)]),
        Case(group, "deflate", [step("/deflate", lambda o: o.json["deflated"] is True)]),
        Case(group, "brotli", [step("/brotli", lambda o: o.json["brotli"] is True)]),
        Case(group, "UTF-8", [step("/encoding/utf8", has_text("∮ E⋅da = Q,  n → ∞, ∑ f(i) = ∏ g(i)"))]),
        Case(group, "HTML", [step("/html", has_text("<h1>Herman Melville - Moby-Dick</h1>"))]),
        Case(group, "JSON", [step("/json", lambda o: o.json["slideshow"]["author"] == "Yours Truly")]),
        Case(group, "XML", [step("/xml", has_text("<slideshow"))]),
        Case(group, "text", [step("/robots.txt", has_text("Disallow: /deny"))]),
        Case(group, "deny", [step("/deny", has_text("YOU SHOULDN'T BE HERE"))]),
        Case(group, "a form", [step("/forms/post", has_text("<form"))]),
        Case(group, "links", [step("/links/5/0", has_text("/links/5/4"))]),
        Case(group, "links, redirected", [step("/links/5", has_text("/links/5/4"))]),
        Case(group, "UUID", [step("/uuid", lambda o: len(o.json["uuid"]) == 36)]),
        Case(group, "address", [step("/ip", has_json({"origin": "127.0.0.1"}))]),
        Case(group, "base64", [step("/base64/SFRUUEJJTiBpcyBhd2Vzb21l", has_text("HTTPBIN is awesome"))]),
        Case(group, "bytes", [step("/bytes/10240", lambda o: o.body == seeded(10_240, 7), query=[("seed", "7")])]),
        Case(group, "no bytes", [step("/bytes/0", lambda o: o.status == 200 and o.body == b"")]),
        Case(group, "streamed bytes", [
            step(
                "/stream-bytes/10240",
                lambda o: o.body == seeded(10_240, 7),
                query=[("seed", "7"), ("chunk_size", "1000")],
            )
        ]),
        Case(group, "streamed lines", [step("/stream/20", lambda o: o.body.count(b"\n") == 20)]),
        Case(group, "drip", [
            step("/drip", lambda o: o.body == b"*" * 10, query=[("numbytes", "10"), ("duration", "1"), ("delay", "0")])
        ]),
        Case(group, "drip of an error", [
            step(
                "/drip",
                lambda o: o.status == 500 and o.body == b"***",
                query=[("numbytes", "3"), ("duration", "0"), ("delay", "0"), ("code", "500")],
            )
        ]),
        Case(group, "delay", [step("/delay/1", lambda o: o.json["url"].endswith("/delay/1"))]),
        Case(group, "delay beyond the timeout", [
            step("/delay/10", lambda o: o.error is not None, options={"timeout": 0.5})
        ]),
        Case(group, "a chosen field", [
            step("/response-headers", lambda o: o.values("X-A") == ["a b"], query=[("X-A", "a b")])
        ]),
        Case(group, "a field twice", [
            step(
                "/response-headers",
                lambda o: [part for value in o.values("X-A") for part in value.split(", ")] == ["1", "2"],
                query=[("X-A", "1"), ("X-A", "2")],
            )
        ]),
        Case(group, "not found", [step("/nothing/here", status(404))]),
    ]
    for kind, start in {"png": b"\x89PNG", "jpeg": b"\xff\xd8", "webp": b"RIFF", "svg": b"<svg"}.items():
        cases.append(Case(group, f"image/{kind}", [
            step(f"/image/{kind}", lambda o, start=start: o.status == 200 and o.body.startswith(start))
        ]))
    return cases


def conditions() -> list[Case]:
    group = "conditions and ranges"
    alphabet = bytes(97 + index % 26 for index in range(1000))

    def part(first: int, last: int) -> Check:
        return lambda outcome: (
            outcome.status == 206
            and outcome.body == alphabet[first : last + 1]
            and outcome.values("Content-Range") == [f"bytes {first}-{last}/1000"]
        )

    return [
        Case(group, "a range", [step("/range/1000", part(10, 99), headers=[("Range", "bytes=10-99")])]),
        Case(group, "the rest", [step("/range/1000", part(900, 999), headers=[("Range", "bytes=900-")])]),
        Case(group, "the end", [step("/range/1000", part(950, 999), headers=[("Range", "bytes=-50")])]),
        Case(group, "no range", [step("/range/1000", lambda o: o.body == alphabet)]),
        Case(group, "beyond the end", [step("/range/1000", status(416), headers=[("Range", "bytes=2000-")])]),
        Case(group, "an entity tag that matches", [
            step("/etag/abc", status(304), headers=[("If-None-Match", '"abc"')])
        ]),
        Case(group, "an entity tag that differs", [
            step("/etag/abc", status(200), headers=[("If-None-Match", '"other"')])
        ]),
        Case(group, "an entity tag that must match", [
            step("/etag/abc", status(412), headers=[("If-Match", '"other"')])
        ]),
        Case(group, "not modified", [
            step("/cache", status(304), headers=[("If-Modified-Since", "Sat, 13 Feb 2027 12:00:00 GMT")])
        ]),
        Case(group, "a lifetime", [
            step("/cache/600", lambda o: o.values("Cache-Control") == ["public, max-age=600"])
        ]),
    ]


def sinks() -> list[Case]:
    """NetKit's other ways to receive a body, and its limits."""
    group = "streams, downloads and limits (NetKit)"
    cases = []
    for receive in ["stream", "file"]:
        for name, path, check in [
            ("gzip", "/gzip", lambda o: o.json["gzipped"] is True),
            ("bytes", "/bytes/10240", lambda o: o.body == seeded(10_240, 7)),
            ("chunks", "/stream-bytes/10240", lambda o: o.body == seeded(10_240, 7)),
            ("a redirect", "/redirect/2", lambda o: o.status == 200 and b"/get" in o.body),
            ("an error", "/status/418", status(418)),
        ]:
            query = [("seed", "7")] if "bytes" in path else []
            cases.append(Case(group, f"{receive}: {name}", [step(path, check, query=query, receive=receive)]))
    cases += [
        Case(group, "a response beyond the maximum size", [
            step(
                "/bytes/10240",
                lambda o: o.error == "transport.responseTooLarge",
                options={"maximumResponseSize": 1000},
            )
        ]),
        Case(group, "retries of a 503", [
            step("/status/503", status(503), options={"retries": 2})
        ]),
    ]
    return cases


def tour() -> list[Case]:
    groups = [methods, queries, paths, fields, bodies, statuses, redirects, cookies, credentials, contents, conditions]
    return [case for group in groups for case in group()]


def problem(client: Any, case: Case, base: str) -> str | None:
    """Why a client fails a case."""
    for number, part in enumerate(case.steps):
        outcome = client.send(part.call(base))
        try:
            if not part.check(outcome):
                return f"step {number + 1}: {outcome}"
        except (ValueError, LookupError, AttributeError) as error:
            return f"step {number + 1}: {outcome} ({type(error).__name__})"
    return None


def run(context: Context) -> dict:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    gunicorn = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--worker-class", "gthread"]
    # No client's idle connection is closed, and no slow worker is ended, while the tour lasts.
    gunicorn += ["--threads", "16", "--timeout", "0", "--keep-alive", "3600", "--graceful-timeout", "1"]
    gunicorn += ["--worker-tmp-dir", str(context.work), "--no-control-socket", "httpbin:app"]
    context.start(gunicorn, port)
    engines = [NetKit(name, context.driver) for name in ENGINES]
    peers = [] if context.short else [HTTPX(), Requests(), Curl()]
    tally = Tally([client.name for client in engines + peers])
    # httpbin seeds the generator of its process, so that two requests at once would share the random bytes.
    seeded_generator = threading.Lock()

    def play(client: Any) -> None:
        for case in tour() + (sinks() if isinstance(client, NetKit) else []):
            with seeded_generator if any("bytes/" in part.path for part in case.steps) else nullcontext():
                tally.record(case.group, case.name, client.name, problem(client, case, base))

    # A client's cases share its jars, so they run in order; the clients run at once.
    with ThreadPoolExecutor() as pool:
        list(pool.map(play, engines + peers))
    return tally.result("httpbin", "httpbin's tour", f"{versioned('httpbin')} (PyPI)", KNOWN)
