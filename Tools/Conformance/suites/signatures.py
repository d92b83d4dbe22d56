"""Requests that Examples/Signing/AWSSignature.swift signs. The servers sign what arrived again, with botocore."""

from __future__ import annotations

import datetime
import re
import threading
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from conformance import ENGINES, Context, Known, RawServer, RecordedRequest, Tally, encoded, once_more, versioned
from exchanges import first, same

ACCESS_KEY, SECRET_KEY = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
REGION = "eu-central-1"
# 2026-12-31 23:59:59: the second signature of a case is of another day.
START = 1_798_761_599
S3, GATEWAY = "s3", "execute-api"
# What transports add, or what may change on the way.
UNSIGNED = {
    "accept-encoding",
    "accept-language",
    "authorization",
    "connection",
    "content-length",
    "expect",
    "te",
    "transfer-encoding",
    "user-agent",
}
AUTHORIZATION = re.compile(
    "AWS4-HMAC-SHA256 Credential=([^/]+)/([0-9]{8})/([^/]+)/([^/]+)/aws4_request, "
    "SignedHeaders=([a-z0-9;-]+), Signature=[0-9a-f]{64}"
)

# botocore has no clock that can be set. Other suites see the true time.
time_of_thread = threading.local()
true_time = botocore.auth.get_current_datetime
botocore.auth.get_current_datetime = lambda *options: getattr(time_of_thread, "now", None) or true_time(*options)


@dataclass
class Case:
    """A call, and the requests that its servers must receive."""

    group: str
    name: str
    path: str = "/"
    service: str = S3
    method: str = "GET"
    query: list[tuple[str, str]] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: dict | None = None
    token: str | None = None
    secret: str = SECRET_KEY
    # A presigned URL's lifetime in seconds.
    presigned: int | None = None
    # What the servers answer, in order, after which they answer 200. `{home}` and `{other}` are their URLs.
    replies: list[tuple[str, str | None]] = field(default_factory=list)
    # Whether the other server's requests are signed.
    trusts_other: bool = False
    # Whether the endpoint's server received each request, rather than the other one.
    arrived: list[bool] = field(default_factory=lambda: [True])
    # The target of the first request and the body of each, where they are not for the client to choose.
    target: str | None = None
    sent: bytes | None = None
    # The time of each signature in seconds after START, unless each is a second later than the one before.
    times: list[int] | None = None

    @property
    def credentials(self) -> Credentials:
        return Credentials(ACCESS_KEY, self.secret, self.token)


def signed_again(case: Case, request: RecordedRequest, names: set[str], time: str) -> AWSRequest:
    """What arrived, signed by botocore at the given time."""
    url = f"http://{request.values('Host')[0]}{request.target}"
    classes = {
        (S3, False): botocore.auth.S3SigV4Auth,
        (S3, True): botocore.auth.S3SigV4QueryAuth,
        (GATEWAY, False): botocore.auth.SigV4Auth,
        (GATEWAY, True): botocore.auth.SigV4QueryAuth,
    }
    settings: dict[str, Any] = {}
    if case.presigned:
        settings["expires"] = case.presigned
        parts = urllib.parse.urlsplit(url)
        items = [item for item in parts.query.split("&") if not item.startswith("X-Amz-")]
        url = urllib.parse.urlunsplit(parts._replace(query="&".join(items)))
    signer = classes[case.service, case.presigned is not None](case.credentials, case.service, REGION, **settings)
    again = AWSRequest(request.method, url, data=None if case.presigned else request.body)
    for name, value in request.fields:
        if name.lower() in names:
            again.headers[name] = value.encode("latin-1").decode()
    time_of_thread.now = datetime.datetime.strptime(time, "%Y%m%dT%H%M%SZ")
    try:
        signer.add_auth(again)
    finally:
        time_of_thread.now = None
    return again


def header_problem(case: Case, request: RecordedRequest, time: str) -> str | None:
    """What is wrong with a signed request."""
    authorization = request.values("Authorization")
    match = AUTHORIZATION.fullmatch(authorization[0]) if len(authorization) == 1 else None
    if match is None:
        return f"Authorization is {authorization}"
    names = set(match[5].split(";"))
    arrived = {name.lower() for name, _ in request.fields}
    if missing := arrived - UNSIGNED - names:
        return f"not signed: {sorted(missing)}"
    again = signed_again(case, request, names, time)
    return first(
        same("Credential", match.groups()[:4], (ACCESS_KEY, time[:8], REGION, case.service)),
        same("X-Amz-Date", request.values("X-Amz-Date"), [time]),
        same("the token", request.values("X-Amz-Security-Token"), [case.token] if case.token else []),
        same(
            "X-Amz-Content-SHA256",
            request.values("X-Amz-Content-SHA256"),
            again.headers.get_all("X-Amz-Content-SHA256", []),
        ),
        same("Authorization", authorization[0], again.headers["Authorization"]),
    )


def url_problem(case: Case, request: RecordedRequest, time: str) -> str | None:
    """What is wrong with a presigned request."""
    again = signed_again(case, request, {"host"}, time)
    found, expected = (url.partition("?")[2].split("&") for url in (request.target, again.url))
    unexpected = [name for name, _ in request.fields if name.lower().startswith(("authorization", "x-amz-"))]
    return first(
        same("the query", sorted(found), sorted(expected)),
        same("the fields of a signature", unexpected, []),
    )


def foreign_problem(request: RecordedRequest) -> str | None:
    """What a server learns that must not."""
    secrets = [name for name, _ in request.fields if name.lower() in ("authorization", "x-amz-security-token")]
    return f"another origin receives {secrets}" if secrets else None


class Servers:
    """The endpoint's server and another one, which take the same replies in turn."""

    def __init__(self, case: Case):
        self.replies = list(case.replies)
        # In the order of their arrival, with whether the endpoint's server received it.
        self.arrived: list[tuple[bool, RecordedRequest]] = []
        self.home = RawServer(lambda request: self.reply(request, True))
        self.other = RawServer(lambda request: self.reply(request, False))

    def reply(self, request: RecordedRequest, is_home: bool) -> bytes:
        self.arrived.append((is_home, request))
        status, location = self.replies.pop(0) if self.replies else ("200 OK", None)
        field = f"Location: {location.format(home=self.home.url, other=self.other.url)}\r\n" if location else ""
        return f"HTTP/1.1 {status}\r\n{field}Content-Length: 0\r\n\r\n".encode()


def command(case: Case, client: str, servers: Servers) -> dict:
    aws = {
        "accessKey": ACCESS_KEY,
        "secretKey": case.secret,
        "sessionToken": case.token,
        "region": REGION,
        "service": case.service,
        "time": START,
    }
    if case.trusts_other:
        aws["otherPort"] = servers.other.port
    if case.presigned:
        aws["presigned"] = case.presigned
    found = {
        "op": "send",
        "engine": ENGINES[client],
        "method": case.method,
        "base": servers.home.url,
        "path": case.path,
        "query": case.query,
        "flags": case.flags,
        "headers": case.headers,
        "options": {"aws": aws, "retries": 3},
    }
    if case.body is not None:
        found["body"] = case.body
    return found


def moment(seconds: int) -> datetime.datetime:
    """A time so many seconds after START."""
    return datetime.datetime.fromtimestamp(START + seconds, datetime.timezone.utc)


def problem(context: Context, client: str, case: Case) -> str | None:
    servers = Servers(case)
    with servers.home, servers.other:
        answer = context.driver.ask(command(case, client, servers))
    if answer.get("status") != 200:
        return f"the answer is {answer}"
    arrived = [is_home for is_home, _ in servers.arrived]
    if wrong := same("whether home received the requests", arrived, case.arrived):
        return wrong
    check: Callable[[Case, RecordedRequest, str], str | None] = url_problem if case.presigned else header_problem
    signed = [request for is_home, request in servers.arrived if is_home or case.trusts_other]
    for number, request in enumerate(signed):
        time = moment(case.times[number] if case.times else number).strftime("%Y%m%dT%H%M%SZ")
        if wrong := check(case, request, time):
            return f"request {number + 1}: {wrong}"
    return first(
        None if case.target is None else same("the target", signed[0].target, case.target),
        *([] if case.sent is None else [same("the body", request.body, case.sent) for request in signed]),
        *(foreign_problem(request) for _, request in servers.arrived if request not in signed),
    )


def data(value: bytes) -> dict:
    return {"kind": "data", "value": encoded(value)}


def cases(context: Context) -> list[Case]:
    file = context.work / "signed.bin"
    content = bytes(range(256)) * 1000
    file.write_bytes(content)
    upload = {"kind": "file", "path": str(file), "mime": "application/octet-stream"}
    text = {"kind": "text", "value": "Gr\u00fc\u00dfe"}
    form = {"kind": "form", "value": [["Action", "ListUsers"], ["q", "a b+c&d=\u00e9~*"], ["q", ""]]}
    document = {"kind": "json", "value": {"TableName": "Music", "Key": {"Artist": {"S": "Bj\u00f6rk"}}}}
    multipart = {
        "kind": "multipart",
        "fields": [["key", "photos/a b"]],
        "files": [{"name": "file", "fileName": "a.bin", "mime": "image/png", "data": encoded(content[:70_000])}],
    }
    token = "IQoJb3JpZ2luX2VjEHQaCXVzLWVhc3QtMSJHMEUCIQD+/=="
    methods = [
        Case("methods", f"{method} of {service}", "/bucket/key", service, method, body=body)
        for method, service, body in [
            ("GET", S3, None),
            ("HEAD", S3, None),
            ("DELETE", S3, None),
            ("PUT", S3, None),
            ("POST", GATEWAY, document),
            ("PATCH", GATEWAY, text),
        ]
    ]
    paths = [
        Case("paths", f"{name} for {service}", path, service)
        for service in (S3, GATEWAY)
        for name, path in [
            ("empty segments", "/a//b///c/"),
            ("a space", "/a b/c%20d"),
            ("letters of other scripts", "/\u00e9/\u65e5\u672c/\U0001f600"),
            ("signs that URLs may have", "/+~-_.!$&'()*,;=:@"),
            ("an encoded slash and percent sign", "/a%2Fb/100%25"),
        ]
    ]
    paths += [
        Case("paths", "the root", "", target="/"),
        Case("paths", "dots, plain and encoded", "/a/./b/%2e%2E/c.d/..e", target="/a/c.d/..e"),
        Case("paths", "octets that need no encoding", "/%61%7e", target="/a~"),
    ]
    queries = [
        Case("queries", name, service=GATEWAY if index % 2 else S3, **more)
        for index, (name, more) in enumerate(
            [
                ("unsorted names", {"query": [("b", "1"), ("a", "2"), ("B", "3")]}),
                ("names that begin alike", {"query": [("a-b", "1"), ("a", "2"), ("a.b", "3"), ("ab", "4")]}),
                ("repeated names", {"query": [("a", "2"), ("a", "10"), ("a", ""), ("a", "1")]}),
                ("flags and empty values", {"flags": ["acl"], "query": [("versionId", "")]}),
                ("signs", {"query": [("a+b c", "1+1 = 2&3"), ("~", "*'()!/?:@,;$")]}),
                ("letters of other scripts", {"query": [("\u00e9", "\u65e5\u672c\U0001f600")]}),
                ("written in the path", {"path": "/?prefix=a/b:c@d!&x=a+b&&delimiter=/"}),
            ]
        )
    ]
    fields = [
        Case("header fields", name, service=GATEWAY if index % 2 else S3, method="PUT", body=text, headers=headers)
        for index, (name, headers) in enumerate(
            [
                ("blanks within values", [("X-Amz-Meta-A", 'a   "b  c"'), ("X-Amz-Meta-B", "a \t b")]),
                ("repeated names", [("X-Amz-Meta-A", "2"), ("X-Amz-Meta-a", "1"), ("X-Amz-Meta-A", "1, 3")]),
                ("many fields", [(f"X-Amz-Meta-{number}", str(number)) for number in range(20, 0, -1)]),
                ("an own type and Accept", [("Content-Type", "text/x-a; b=c"), ("Accept", "a/b")]),
            ]
        )
    ]
    bodies = [
        Case("bodies", "bytes", "/k", method="PUT", body=data(content), sent=content),
        Case("bodies", "no bytes", "/k", method="PUT", body=data(b""), sent=b""),
        Case("bodies", "a form", service=GATEWAY, method="POST", body=form),
        Case("bodies", "JSON", service=GATEWAY, method="POST", body=document),
        Case("bodies", "a form with a file", method="POST", body=multipart),
        Case("bodies", "a file", "/k", method="PUT", body=upload, sent=content),
    ]
    credentials = [
        Case("credentials", "a session token", token=token),
        Case("credentials", "a session token, beside a body", "/k", GATEWAY, "POST", body=form, token=token),
        Case("credentials", "a secret longer than a block", secret="s" * 100 + "/+ "),
    ]
    busy = ("503 Slow Down", None)
    again = [
        Case("retries", "503 for bytes", "/k", method="PUT", body=data(b"abc"), replies=[busy], arrived=[True] * 2),
        Case(
            "retries",
            "503 twice for a file",
            "/k",
            method="PUT",
            body=upload,
            sent=content,
            replies=[busy] * 2,
            arrived=[True] * 3,
        ),
        Case(
            "redirects",
            "307 with a body",
            "/k",
            method="PUT",
            body=upload,
            sent=content,
            replies=[("307 Temporary Redirect", "/other key+?b=2&a=1")],
            arrived=[True] * 2,
        ),
        Case(
            "redirects",
            "307 with a body to an allowed origin, and back",
            "/k",
            GATEWAY,
            "POST",
            body=form,
            replies=[("307 Temporary Redirect", "{other}/a//b/"), ("307 Temporary Redirect", "{home}/c/./d")],
            trusts_other=True,
            arrived=[True, False, True],
        ),
        Case(
            "redirects",
            "302 to another origin",
            token=token,
            replies=[("302 Found", "{other}/a")],
            arrived=[True, False],
        ),
        Case(
            "redirects",
            "303 after a form",
            "/k",
            GATEWAY,
            "POST",
            body=form,
            replies=[("303 See Other", "/done")],
            arrived=[True] * 2,
        ),
        Case(
            "redirects",
            "503, then 307",
            "/k",
            method="PUT",
            body=data(b"abc"),
            replies=[busy, ("307 Temporary Redirect", "/l")],
            arrived=[True] * 3,
        ),
    ]
    # The client's clock ticks once more when it is compared with the server's.
    clocks = [
        Case(
            "clocks",
            f"the server's is {name}",
            "/k",
            service,
            "PUT",
            body=upload,
            sent=content,
            replies=[(f"{status}\r\nDate: {moment(seconds):%a, %d %b %Y %H:%M:%S} GMT", None)],
            arrived=[True] * 2,
            times=[0, seconds + 1],
        )
        for name, seconds, service, status in [
            ("two hours ahead", 7_200, S3, "403 Forbidden"),
            ("a day behind", -86_400, GATEWAY, "400 Bad Request"),
        ]
    ]
    presigned = [
        Case("presigned URLs", "of an object", "/b/a%20b+c~/%C3%A9", presigned=900),
        Case(
            "presigned URLs",
            "with a query and a token",
            "/b/k?response-content-type=text/plain&versionId=",
            token=token,
            presigned=604_800,
        ),
        Case("presigned URLs", "for an upload", "/b/k", method="PUT", body=upload, sent=content, presigned=1),
        Case("presigned URLs", "of another service", "/a//b%20c", GATEWAY, presigned=60),
    ]
    return [*methods, *paths, *queries, *fields, *bodies, *credentials, *again, *clocks, *presigned]


KNOWN: list[Known] = []


def check_botocore() -> None:
    """Raises an error unless botocore computes the signature that S3's documentation prints."""
    request = AWSRequest("GET", "https://examplebucket.s3.amazonaws.com/test.txt", headers={"Range": "bytes=0-9"})
    time_of_thread.now = datetime.datetime(2013, 5, 24)
    botocore.auth.S3SigV4Auth(Credentials(ACCESS_KEY, SECRET_KEY), S3, "us-east-1").add_auth(request)
    expected = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    if not request.headers["Authorization"].endswith(f"Signature={expected}"):
        raise AssertionError(request.headers["Authorization"])


def run(context: Context) -> dict:
    check_botocore()
    tally = Tally(list(ENGINES))
    work = [(case, client) for case in cases(context) for client in ENGINES]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda pair: once_more(lambda: problem(context, pair[1], pair[0])), work)
        for (case, client), reason in zip(work, found):
            tally.record(case.group, case.name, client, reason)
    notes = [
        "The signer is the example in `Examples/Signing`, an interceptor of scope `.exchange`. The servers sign each "
        "request that arrived with botocore, and compare the whole `Authorization` field, or the whole query.",
    ]
    source = f"Signature Version 4 as {versioned('botocore')} computes it"
    return tally.result("signatures", "Signatures of AWS", source, KNOWN, notes)
