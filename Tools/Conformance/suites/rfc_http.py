"""The examples and rules of RFC 9110 and RFC 9112, as exchanges."""

from __future__ import annotations

from conformance import ASYNC_HTTP_CLIENT, LIBCURL, URL_SESSION, Context, Known, RecordedRequest, Tally
from exchanges import CLIENTS, Ask, Check, Exchange, Outcome, first, run_exchanges, same

# The response of RFC 9110, section 3.9.
HELLO = b"Hello World! My content includes a trailing CRLF.\r\n"
HELLO_FIELDS = [
    ("Date", "Mon, 27 Jul 2009 12:28:53 GMT"),
    ("Server", "Apache"),
    ("Last-Modified", "Wed, 22 Jul 2009 19:15:56 GMT"),
    ("ETag", '"34aa387-d-1568eb00"'),
    ("Accept-Ranges", "bytes"),
    ("Content-Length", "51"),
    ("Vary", "Accept-Encoding"),
    ("Content-Type", "text/plain"),
]

# The request fields of the examples of RFC 9110, which a client sends as they are.
REQUEST_FIELDS = [
    ("7.6.3 Via", "Via", "1.0 fred, 1.1 p.example.net"),
    ("10.1.2 From", "From", "spider-admin@example.org"),
    ("10.1.3 Referer", "Referer", "http://www.example.org/hypertext/Overview.html"),
    ("10.1.5 User-Agent", "User-Agent", "CERN-LineMode/2.15 libwww/2.17b3"),
    ("12.5.1 Accept, audio", "Accept", "audio/*; q=0.2, audio/basic"),
    ("12.5.1 Accept, text", "Accept", "text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c"),
    ("12.5.1 Accept, most specific", "Accept", "text/*, text/plain, text/plain;format=flowed, */*"),
    (
        "12.5.1 Accept, weights",
        "Accept",
        "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5",
    ),
    ("12.5.2 Accept-Charset", "Accept-Charset", "iso-8859-5, unicode-1-1;q=0.8"),
    ("12.5.3 Accept-Encoding, two", "Accept-Encoding", "compress, gzip"),
    ("12.5.3 Accept-Encoding, any", "Accept-Encoding", "*"),
    ("12.5.3 Accept-Encoding, weights", "Accept-Encoding", "compress;q=0.5, gzip;q=1.0"),
    ("12.5.3 Accept-Encoding, no identity", "Accept-Encoding", "gzip;q=1.0, identity; q=0.5, *;q=0"),
    ("12.5.4 Accept-Language", "Accept-Language", "da, en-gb;q=0.8, en;q=0.7"),
    ("13.1.1 If-Match, one", "If-Match", '"xyzzy"'),
    ("13.1.1 If-Match, several", "If-Match", '"xyzzy", "r2d2xxxx", "c3piozzzz"'),
    ("13.1.1 If-Match, any", "If-Match", "*"),
    ("13.1.2 If-None-Match, weak", "If-None-Match", 'W/"xyzzy"'),
    ("13.1.2 If-None-Match, several", "If-None-Match", 'W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"'),
    ("13.1.3 If-Modified-Since", "If-Modified-Since", "Sat, 29 Oct 1994 19:43:31 GMT"),
    ("13.1.4 If-Unmodified-Since", "If-Unmodified-Since", "Sat, 29 Oct 1994 19:43:31 GMT"),
    ("14.2 Range, first 500", "Range", "bytes=0-499"),
    ("14.2 Range, second 500", "Range", "bytes=500-999"),
    ("14.2 Range, last 500", "Range", "bytes=-500"),
    ("14.2 Range, from 9500", "Range", "bytes=9500-"),
    ("14.2 Range, first and last", "Range", "bytes=0-0,-1"),
    ("14.2 Range, three", "Range", "bytes= 0-999, 4500-5499, -1000"),
    ("14.2 Range, overlapping", "Range", "bytes=500-700,601-999"),
    ("10.1.4 TE", "TE", "trailers, deflate;q=0.5"),
    ("7.6.2 Max-Forwards", "Max-Forwards", "10"),
]

# Statuses of RFC 9110, section 15, that are final and lead nowhere.
STATUSES = [
    *(200, 201, 202, 203, 204, 205, 206, 300, 304, 305, 306, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410),
    *(411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 426, 428, 429, 431, 451, 499),
    *(500, 501, 502, 503, 504, 505, 511, 599),
]


def response(status: str = "200 OK", *fields: tuple[str, str], body: bytes | None = b"", version: str = "1.1") -> bytes:
    """A response; with the length of its body unless that is None or a field says it."""
    lines = [f"HTTP/{version} {status}", *(f"{name}: {value}" for name, value in fields)]
    names = {name.lower() for name, _ in fields}
    if body is not None and not names & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


def fixed(data: bytes):
    return lambda request: data


def reads(status: int, body: bytes | None = None, **fields: str) -> Check:
    """The client reads this response; the names of fields with _ for -."""

    def check(outcomes: list[Outcome], _: list[RecordedRequest]) -> str | None:
        found = outcomes[-1]
        if found.status is None:
            return f"it fails: {found}"
        return first(
            same("the status", found.status, status),
            same("the body", found.body, body) if body is not None else None,
            *(
                same(name.replace("_", "-"), found.value(name.replace("_", "-")), value)
                for name, value in fields.items()
            ),
        )

    return check


def refuses(*kinds: str) -> Check:
    """The client fails, NetKit with one of these kinds."""

    def check(outcomes: list[Outcome], _: list[RecordedRequest]) -> str | None:
        found = outcomes[-1]
        if found.error is None or found.status is not None:
            return f"it is no error: {found}"
        if "." in found.error and found.error not in kinds:
            return f"the error is {found}"
        return None

    return check


def either(one: Check, other: Check) -> Check:
    """Where the RFC allows both."""
    return lambda outcomes, requests: one(outcomes, requests) and other(outcomes, requests)


def sends(name: str, value: str) -> Check:
    def check(outcomes: list[Outcome], requests: list[RecordedRequest]) -> str | None:
        if not requests:
            return f"no request arrives: {outcomes[0]}"
        return same(name, ", ".join(requests[0].values(name)), value)

    return check


def messages() -> list[Exchange]:
    """RFC 9112: how a message begins and ends."""
    chunked = ("Transfer-Encoding", "chunked")
    hello = reads(200, HELLO, **{name.replace("-", "_"): value for name, value in HELLO_FIELDS})

    def case(name: str, data: bytes, check: Check, **more) -> Exchange:
        return Exchange("9112 messages", name, fixed(data), check, is_alone=True, **more)

    def chunks(name: str, data: bytes, body: bytes | None = None, *fields: tuple[str, str]) -> Exchange:
        check = refuses("transport.malformedResponse", "transport.truncatedResponse", "transport.connectionLost")
        return case(
            f"7.1 {name}",
            response("200 OK", chunked, *fields) + data,
            check if body is None else reads(200, body),
            closes=body is None,
        )

    not_modified = response("304 Not Modified", ("Content-Length", "51"), ("ETag", '"x"'))
    after_304 = {"/": not_modified, "/next": response(body=b"next")}
    return [
        case("9110 3.9 the example", response("200 OK", *HELLO_FIELDS, body=HELLO), hello),
        case("4 an empty reason", response("200 ", body=b"ok"), reads(200, b"ok")),
        case(
            "4 no reason and no space",
            response("200", body=b"ok"),
            either(reads(200, b"ok"), refuses("transport.malformedResponse")),
        ),
        case("4 a reason of several words", response("404 Not Here At All", body=b"no"), reads(404, b"no")),
        case("4 a status without a meaning", response("299 Whatever", body=b"ok"), reads(200 + 99, b"ok")),
        case("5 white space around a value", response("200 OK", ("X-A", "  \t b c \t ")), reads(200, X_A="b c")),
        case("5 no white space", b"HTTP/1.1 200 OK\r\nX-A:b\r\nContent-Length:2\r\n\r\nok", reads(200, b"ok", X_A="b")),
        case("5.1 names in any case", response("200 OK", ("cOnTeNt-LeNgTh", "2"), body=b"ok"), reads(200, b"ok")),
        case("5.2 a folded value", response("200 OK", ("X-A", "one\r\n two")), reads(200, X_A="one two")),
        case("5.2 a value folded twice", response("200 OK", ("X-A", "one\r\n\ttwo\r\n three")), reads(200)),
        case("9110 5.5 an empty value", response("200 OK", ("X-A", "")), reads(200, X_A="")),
        case(
            "9110 5.3 a list in two lines",
            response("200 OK", ("Example-Field", "Foo, Bar"), ("Example-Field", "Baz")),
            reads(200, Example_Field="Foo, Bar, Baz"),
        ),
        case("6.3 a length of 0", response("200 OK", ("Content-Length", "0")), reads(200, b"")),
        case(
            "6.3 until the end of the connection",
            response("200 OK", body=None) + b"to the end",
            reads(200, b"to the end"),
            closes=True,
        ),
        case(
            "6.3 HTTP/1.0 until the end",
            response("200 OK", body=None, version="1.0") + b"old",
            reads(200, b"old"),
            closes=True,
        ),
        case(
            "6.3 HTTP/1.0 with a length",
            response("200 OK", body=b"old", version="1.0"),
            reads(200, b"old"),
            closes=True,
        ),
        case(
            "6.3 the same length twice",
            response("200 OK", ("Content-Length", "2"), ("Content-Length", "2"), body=b"ok"),
            either(reads(200, b"ok"), refuses("transport.malformedResponse")),
        ),
        case(
            "6.3 two lengths",
            response("200 OK", ("Content-Length", "2"), ("Content-Length", "3"), body=b"ok!"),
            refuses("transport.malformedResponse"),
            closes=True,
        ),
        case(
            "6.3 a length that is no number",
            response("200 OK", ("Content-Length", "2x"), body=b"ok"),
            refuses("transport.malformedResponse"),
            closes=True,
        ),
        case(
            "6.3 a negative length",
            response("200 OK", ("Content-Length", "-2"), body=b"ok"),
            refuses("transport.malformedResponse"),
            closes=True,
        ),
        case(
            "6.3 chunked wins over a length",
            response("200 OK", ("Content-Length", "3"), chunked) + b"2\r\nok\r\n0\r\n\r\n",
            either(reads(200, b"ok"), refuses("transport.malformedResponse")),
        ),
        case(
            "8 a body cut short",
            response("200 OK", ("Content-Length", "9"), body=b"short"),
            refuses("transport.truncatedResponse"),
            closes=True,
        ),
        case(
            "8 a head cut short",
            b"HTTP/1.1 200 OK\r\nContent-Le",
            refuses("transport.connectionLost", "transport.malformedResponse"),
            closes=True,
        ),
        case("8 no response", b"", refuses("transport.connectionLost"), closes=True),
        case("2.2 not HTTP", b"SSH-2.0-OpenSSH_9.6\r\n\r\n", refuses("transport.malformedResponse"), closes=True),
        chunks("one chunk", b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
        chunks("several chunks", b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", b"hello"),
        chunks("hexadecimal in both cases", b"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", b"0123456789" * 2),
        chunks("leading zeros", b"005\r\nhello\r\n000\r\n\r\n", b"hello"),
        chunks("no data", b"0\r\n\r\n", b""),
        chunks("CRLF in a chunk", b"4\r\n\r\n\r\n\r\n0\r\n\r\n", b"\r\n\r\n"),
        chunks("an extension", b"5;a=b\r\nhello\r\n0\r\n\r\n", b"hello"),
        chunks("a quoted extension", b'5;a="b;c"\r\nhello\r\n0;last\r\n\r\n', b"hello"),
        chunks(
            "trailers",
            b"5\r\nhello\r\n0\r\nExpires: Wed, 21 Oct 2015 07:28:00 GMT\r\n\r\n",
            b"hello",
            ("Trailer", "Expires"),
        ),
        chunks("cut in a chunk", b"5\r\nhe"),
        chunks("without a last chunk", b"5\r\nhello\r\n"),
        chunks("a size that is no number", b"five\r\nhello\r\n0\r\n\r\n"),
        chunks("a chunk longer than its size", b"2\r\nhello\r\n0\r\n\r\n"),
        case(
            "6.3 a 204 ends at its head", response("204 No Content", ("X-A", "b"), body=None), reads(204, b"", X_A="b")
        ),
        Exchange(
            "9112 messages",
            "6.3 a 304 with a length has no body",
            lambda request: after_304[request.target],
            lambda outcomes, requests: first(
                reads(304, b"")(outcomes[:1], requests), reads(200, b"next")(outcomes, requests)
            ),
            asks=[Ask(headers=[("If-None-Match", '"x"')]), Ask("/next")],
        ),
        Exchange(
            "9112 messages",
            "6.3 HEAD with a length has no body",
            lambda request: (
                response(body=b"next")
                if request.target == "/next"
                else response("200 OK", ("Content-Length", "51"), body=None)
            ),
            lambda outcomes, requests: first(
                reads(200, b"", Content_Length="51")(outcomes[:1], requests), reads(200, b"next")(outcomes, requests)
            ),
            asks=[Ask(method="HEAD"), Ask("/next")],
        ),
        Exchange(
            "9112 messages",
            "6.3 HEAD of a chunked resource has no body",
            lambda request: response(body=b"next") if request.target == "/next" else response("200 OK", chunked),
            lambda outcomes, requests: first(
                reads(200, b"")(outcomes[:1], requests), reads(200, b"next")(outcomes, requests)
            ),
            asks=[Ask(method="HEAD"), Ask("/next")],
        ),
        case(
            "9.6 close",
            response("200 OK", ("Connection", "close"), body=b"ok"),
            lambda outcomes, requests: first(reads(200, b"ok")(outcomes, requests), same("requests", len(requests), 2)),
            asks=[Ask(), Ask()],
            closes=True,
        ),
        case(
            "9.3 two requests",
            response(body=b"ok"),
            lambda outcomes, requests: first(reads(200, b"ok")(outcomes, requests), same("requests", len(requests), 2)),
            asks=[Ask(), Ask()],
        ),
    ]


def interims() -> list[Exchange]:
    """RFC 9110, section 15.2: a client reads any number of 1xx responses, unknown ones too."""
    final = response("200 OK", ("X-A", "final"), body=b"ok")
    table = {
        "15.2.1 100 Continue": "HTTP/1.1 100 Continue\r\n\r\n",
        "15.2 102 Processing": "HTTP/1.1 102 Processing\r\n\r\n",
        "8297 2 103 Early Hints": (
            "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\nX-A: early\r\n\r\n"
        ),
        "15.2 an unknown 1xx": "HTTP/1.1 199 Later\r\n\r\n",
        "15.2 several": (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\nHTTP/1.1 102 \r\n\r\n"
        ),
    }
    return [
        Exchange("9110 interim responses", name, fixed(text.encode() + final), reads(200, b"ok", X_A="final"))
        for name, text in table.items()
    ]


def requests_as_written() -> list[Exchange]:
    """What a client sends."""

    def check(method: str, target: str, body: bytes, length: set[str | None]) -> Check:
        def check(outcomes: list[Outcome], requests: list[RecordedRequest]) -> str | None:
            if len(requests) != 1:
                return f"{len(requests)} requests arrive: {outcomes[0]}"
            found = requests[0]
            return first(
                same("the method", found.method, method),
                same("the target", found.target, target),
                same("the version", found.version, "HTTP/1.1"),
                same("the body", found.body, body),
                same("the number of Host fields", len(found.values("Host")), 1),
                same("Content-Length", length & {", ".join(found.values("Content-Length")) or None} != set(), True),
                same("Transfer-Encoding", found.values("Transfer-Encoding"), []),
            )

        return check

    def case(name: str, ask: Ask, length: str | None = None) -> Exchange:
        # Without content, only GET and HEAD must not, and only POST and PUT should announce a length (section 8.6).
        lengths = {length} if length or ask.method in ("GET", "HEAD") else {None, "0"}
        checked = check(ask.method, ask.path, ask.body or b"", lengths)
        return Exchange("9110 requests", name, fixed(response()), checked, [ask])

    octets = bytes(range(256))
    return [
        case("9112 3.2.1 a target with a query", Ask("/where?q=now")),
        case("9112 3.2.1 the root", Ask("/")),
        case("9112 3.2.1 a target with encoded octets", Ask("/a%2Fb/smith/c%20d?e=%26")),
        case("9.3.1 GET", Ask("/pub/WWW/")),
        case("9.3.2 HEAD", Ask("/pub/WWW/", "HEAD")),
        case("9.3.3 POST", Ask("/form", "POST", [("Content-Type", "text/plain")], b"a=b"), "3"),
        case("9.3.3 POST of every octet", Ask("/form", "POST", [("Content-Type", "application/x")], octets), "256"),
        case("8.6 POST without content", Ask("/form", "POST"), "0"),
        case("9.3.4 PUT", Ask("/a", "PUT", [("Content-Type", "text/plain")], b"new"), "3"),
        case("9.3.5 DELETE", Ask("/a", "DELETE")),
        case("9.3.7 OPTIONS", Ask("/a", "OPTIONS")),
        case("9.3.8 TRACE", Ask("/a", "TRACE")),
        case("5789 PATCH", Ask("/a", "PATCH", [("Content-Type", "application/x")], b"+"), "1"),
        case("4918 PROPFIND", Ask("/a", "PROPFIND")),
        case("9.1 a method of its own", Ask("/a", "M-SEARCH")),
        *(
            Exchange(
                "9110 request fields", name, fixed(response()), sends(field, value), [Ask(headers=[(field, value)])]
            )
            for name, field, value in REQUEST_FIELDS
        ),
    ]


def statuses() -> list[Exchange]:
    """Every status reaches the caller as it is, and a 3xx without a Location leads nowhere."""
    return [
        Exchange(
            "9110 statuses",
            f"15 {status}",
            fixed(
                response(
                    f"{status} Example", ("X-A", "b"), body=None if status in (204, 304) else b"body" * (status != 205)
                )
            ),
            reads(status, X_A="b"),
        )
        for status in STATUSES
    ]


def redirects() -> list[Exchange]:
    """RFC 9110, section 15.4: which method follows which status."""

    def case(status: int, method: str) -> Exchange:
        body = b"content" if method in ("POST", "PUT", "PATCH") else None
        is_kept = status in (307, 308) or (status in (301, 302) and method != "POST") or method in ("GET", "HEAD")
        expected = method if is_kept else "GET"

        def reply(request: RecordedRequest) -> bytes:
            if request.target == "/":
                return response(f"{status} Redirect", ("Location", "/there"))
            return response("200 OK", body=None if request.method == "HEAD" else b"there")

        def check(outcomes: list[Outcome], requests: list[RecordedRequest]) -> str | None:
            if len(requests) != 2:
                return f"{len(requests)} requests arrive: {outcomes[0]}"
            second = requests[1]
            return first(
                same("the method", second.method, expected),
                same("the target", second.target, "/there"),
                same("the body", second.body, body if body and is_kept else b""),
                same("Content-Type", second.values("Content-Type"), ["text/plain"] if body and is_kept else []),
                reads(200)(outcomes, requests),
            )

        headers = [("Content-Type", "text/plain")] if body else []
        return Exchange("9110 redirects", f"15.4 {status} of {method}", reply, check, [Ask("/", method, headers, body)])

    def leads(name: str, location: str, target: str, path: str = "/~tim") -> Exchange:
        def reply(request: RecordedRequest) -> bytes:
            return response("302 Found", ("Location", location)) if request.target == path else response()

        def check(outcomes: list[Outcome], requests: list[RecordedRequest]) -> str | None:
            return same("the targets", [request.target for request in requests], [path, target])

        return Exchange("9110 redirects", name, reply, check, [Ask(path)])

    def stays(name: str, *fields: tuple[str, str], status: str = "302 Found") -> Exchange:
        def check(outcomes: list[Outcome], requests: list[RecordedRequest]) -> str | None:
            return first(same("requests", len(requests), 1), reads(int(status[:3]))(outcomes, requests))

        return Exchange("9110 redirects", name, fixed(response(status, *fields)), check)

    return [
        *(
            case(status, method)
            for status in (301, 302, 303, 307, 308)
            for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
        ),
        leads("10.2.2 Location relative, with a fragment", "/People.html#tim", "/People.html"),
        leads("10.2.2 Location relative to the path", "index.html", "/a/index.html", "/a/b"),
        leads("10.2.2 Location with a query alone", "?page=2", "/a/b?page=2", "/a/b"),
        leads("10.2.2 Location with dot segments", "../c/./d", "/c/d", "/a/b"),
        leads("10.2.2 Location with spaces around", "  /there ", "/there"),
        stays("15.4 a 302 without Location"),
        stays("15.4.1 a 300 with Location", ("Location", "/there"), status="300 Multiple Choices"),
        stays("15.4.5 a 304 with Location", ("Location", "/there"), status="304 Not Modified"),
        stays("10.2.2 a 201 with Location", ("Location", "/there"), status="201 Created"),
        Exchange(
            "9110 redirects",
            "15.4 a loop ends",
            fixed(response("302 Found", ("Location", "/"))),
            refuses("transport.tooManyRedirects"),
        ),
        Exchange(
            "9110 redirects",
            "15.4 not followed where the caller says so",
            fixed(response("307 Temporary Redirect", ("Location", "/there"))),
            lambda outcomes, requests: first(same("requests", len(requests), 1), reads(307)(outcomes, requests)),
            follows=False,
        ),
    ]


def contents() -> list[Exchange]:
    """Ranges, conditions and codings of content."""
    import gzip
    import zlib

    parts = (
        b"--THIS_STRING_SEPARATES\r\nContent-Type: application/pdf\r\nContent-Range: bytes 500-999/8000\r\n\r\n"
        + b"x" * 500
        + b"\r\n--THIS_STRING_SEPARATES\r\nContent-Type: application/pdf\r\nContent-Range: bytes 7000-7999/8000\r\n\r\n"
        + b"y" * 1000
        + b"\r\n--THIS_STRING_SEPARATES--\r\n"
    )

    def ranged(value: str, count: int) -> Exchange:
        data = response("206 Partial Content", ("Content-Range", value), body=b"x" * count)
        return Exchange(
            "9110 contents",
            f"14.4 Content-Range: {value}",
            fixed(data),
            reads(206, b"x" * count, Content_Range=value),
            [Ask(headers=[("Range", "bytes=" + value.removeprefix("bytes ").partition("/")[0])])],
        )

    def coded(name: str, coding: str, data: bytes, body: bytes = HELLO) -> Exchange:
        return Exchange(
            "9110 contents",
            f"8.4.1 {name}",
            fixed(response("200 OK", ("Content-Encoding", coding), body=data)),
            reads(200, body),
        )

    def condition(name: str, field: tuple[str, str], status: str) -> Exchange:
        def reply(request: RecordedRequest) -> bytes:
            is_asked = request.values(field[0]) == [field[1]]
            return (
                response(status, ("ETag", '"xyzzy"'), body=None if status[:3] == "304" else b"")
                if is_asked
                else response()
            )

        return Exchange(
            "9110 contents", name, reply, reads(int(status[:3]), b"", ETag='"xyzzy"'), [Ask(headers=[field])]
        )

    return [
        ranged("bytes 0-499/1234", 500),
        ranged("bytes 500-999/1234", 500),
        ranged("bytes 500-1233/1234", 734),
        ranged("bytes 734-1233/1234", 500),
        ranged("bytes 42-1233/1234", 1192),
        ranged("bytes 42-1233/*", 1192),
        Exchange(
            "9110 contents",
            "15.5.17 416 with Content-Range",
            fixed(response("416 Range Not Satisfiable", ("Content-Range", "bytes */1234"))),
            reads(416, Content_Range="bytes */1234"),
            [Ask(headers=[("Range", "bytes=2000-")])],
        ),
        Exchange(
            "9110 contents",
            "15.3.7.2 parts",
            fixed(
                response(
                    "206 Partial Content",
                    ("Content-Type", "multipart/byteranges; boundary=THIS_STRING_SEPARATES"),
                    body=parts,
                )
            ),
            reads(206, parts, Content_Type="multipart/byteranges; boundary=THIS_STRING_SEPARATES"),
            [Ask(headers=[("Range", "bytes=500-999,7000-7999")])],
        ),
        condition("13.1.1 If-Match fails", ("If-Match", '"other"'), "412 Precondition Failed"),
        condition("13.1.2 If-None-Match holds", ("If-None-Match", '"xyzzy"'), "304 Not Modified"),
        condition(
            "13.1.3 If-Modified-Since holds", ("If-Modified-Since", "Sat, 29 Oct 1994 19:43:31 GMT"), "304 Not Modified"
        ),
        condition(
            "13.1.4 If-Unmodified-Since fails",
            ("If-Unmodified-Since", "Sat, 29 Oct 1994 19:43:31 GMT"),
            "412 Precondition Failed",
        ),
        coded("gzip", "gzip", gzip.compress(HELLO, mtime=0)),
        coded("GZIP in capitals", "GZIP", gzip.compress(HELLO, mtime=0)),
        coded("x-gzip", "x-gzip", gzip.compress(HELLO, mtime=0)),
        coded("gzip of nothing", "gzip", gzip.compress(b"", mtime=0), b""),
        coded("gzip in two members", "gzip", gzip.compress(HELLO, mtime=0) + gzip.compress(HELLO, mtime=0), HELLO * 2),
        coded("deflate", "deflate", zlib.compress(HELLO)),
        coded("identity", "identity", HELLO),
        Exchange(
            "9110 contents",
            "8.4.1 gzip cut short",
            fixed(response("200 OK", ("Content-Encoding", "gzip"), body=gzip.compress(HELLO, mtime=0)[:-12])),
            refuses("transport.truncatedResponse", "transport.malformedResponse"),
            closes=True,
            is_alone=True,
        ),
    ]


def waits() -> list[Exchange]:
    """RFC 9110, sections 5.6.7 and 10.2.3: `Retry-After` in seconds and in the three formats of dates."""

    def case(name: str, value: str, expected: list, date: str = "Fri, 31 Dec 1999 23:57:59 GMT") -> Exchange:
        data = response("503 Service Unavailable", ("Date", date), ("Retry-After", value))

        def check(outcomes: list[Outcome], _: list[RecordedRequest]) -> str | None:
            return same("what follows", outcomes[0].history[0], expected)

        settings = {"retries": {"maximum": 1, "maximumRetryAfter": 0}}
        return Exchange("9110 Retry-After", name, fixed(data), check, settings=settings, peers=False)

    # Of the example of section 5.6.7, in its three formats.
    before = "Sun, 06 Nov 1994 08:48:37 GMT"
    return [
        case("10.2.3 a number of seconds", "120", ["too long", 120]),
        case("10.2.3 a date", "Fri, 31 Dec 1999 23:59:59 GMT", ["too long", 120]),
        case("5.6.7 IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT", ["too long", 60], before),
        case("5.6.7 RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", ["too long", 60], before),
        case("5.6.7 asctime", "Sun Nov  6 08:49:37 1994", ["too long", 60], before),
        case(
            "5.6.7 Date in RFC 850",
            "Fri, 31 Dec 1999 23:59:59 GMT",
            ["too long", 120],
            "Friday, 31-Dec-99 23:57:59 GMT",
        ),
        case("5.6.7 Date in asctime", "Fri, 31 Dec 1999 23:59:59 GMT", ["too long", 120], "Fri Dec 31 23:57:59 1999"),
        case("10.2.3 a date that has passed", "Fri, 31 Dec 1999 23:57:58 GMT", ["retry", 0]),
        case("10.2.3 no seconds", "0", ["retry", 0]),
        case("10.2.3 neither", "soon", ["retry", 0]),
        case("10.2.3 a negative number", "-1", ["retry", 0]),
    ]


KNOWN = [
    Known(
        "5 no white space",
        URL_SESSION,
        "engine",
        "FoundationNetworking refuses a field without white space behind its colon.",
    ),
    Known("5.2 *folded*", ASYNC_HTTP_CLIENT, "engine", "SwiftNIO's parser refuses folded values, as servers must."),
    Known("8 a head cut short", URL_SESSION, "engine", "FoundationNetworking traps: see Limits on Linux."),
    Known(
        "7.1 trailers",
        URL_SESSION,
        "engine",
        "FoundationNetworking traps where trailers come with the head: see Limits on Linux.",
    ),
    Known("10.1.4 TE", "NetKit *", "design", "NetKit refuses the fields of a connection, which its engine sets."),
    Known(
        "8.4.1 gzip in two members",
        "NetKit *",
        "engine",
        "The engine reads the first member alone; NetKit fails with a typed error.",
    ),
    Known(
        "8.4.1 gzip cut short",
        URL_SESSION,
        "engine",
        "libcurl does not notice that compressed data end early if the length is as announced.",
    ),
    Known(
        "8.4.1 gzip cut short",
        LIBCURL,
        "engine",
        "libcurl does not notice that compressed data end early if the length is as announced.",
    ),
]


def run(context: Context) -> dict:
    tally = Tally(CLIENTS)
    exchanges = [
        *messages(),
        *interims(),
        *requests_as_written(),
        *statuses(),
        *redirects(),
        *contents(),
        *waits(),
    ]
    run_exchanges(context, tally, exchanges)
    return tally.result("rfc-http", "HTTP's own examples", "RFC 9110 and RFC 9112", KNOWN)
