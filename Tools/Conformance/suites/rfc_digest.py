"""RFC 7616's and RFC 2617's examples of Digest, against a server that computes the proof by itself."""

from __future__ import annotations

import hashlib
import re
import subprocess
import unicodedata
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx
import requests
from conformance import ENGINES, Context, Known, RawServer, RecordedRequest, Tally, once_more
from exchanges import CLIENTS as COMMON, HTTPX, Ask, first, netkit, same
from rfc_http import response

CURL = "curl " + subprocess.run(["curl", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
CLIENTS = [*COMMON, CURL]

HASHES = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
# RFC 7616, section 3.9.1, and RFC 2617, section 3.5: what the client's nonce of the example makes of each challenge.
MUFASA = {
    "realm": "http-auth@example.org",
    "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
    "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
}
TESTREALM = {
    "realm": "testrealm@host.com",
    "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093",
    "opaque": "5ccc069c403ebaf9f0171e9517f40e41",
}
JASON = {
    "realm": "api@example.org",
    "nonce": "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
    "opaque": "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS",
}
CLIENT_NONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
VECTORS = [
    ("MD5", "Mufasa", "Circle of Life", MUFASA, CLIENT_NONCE, "/dir/index.html", "8ca523f5e9506fed4657c9700eebdbec"),
    (
        "SHA-256",
        "Mufasa",
        "Circle of Life",
        MUFASA,
        CLIENT_NONCE,
        "/dir/index.html",
        "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
    ),
    ("MD5", "Mufasa", "Circle Of Life", TESTREALM, "0a4f113b", "/dir/index.html", "6629fae49393a05397450978507c4ef1"),
    # The response that the RFC prints for this one is wrong; this is the one of erratum 4897.
    (
        "SHA-512-256",
        "J\u00e4s\u00f8n Doe",
        "Secret, or not?",
        JASON,
        "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
        "/doe.json",
        "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
    ),
]


def hashed(algorithm: str, text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return hashlib.new(HASHES[algorithm.upper().removesuffix("-SESS")], data).hexdigest()


def proof(
    algorithm: str, user: str, password: str, method: str, body: bytes, given: dict[str, str], session_nonce: str
) -> str:
    """The response of RFC 7616, section 3.4.1, for the parameters of an answer."""
    secret = hashed(algorithm, f"{user}:{given['realm']}:{password}")
    if algorithm.upper().endswith("-SESS"):
        secret = hashed(algorithm, f"{secret}:{session_nonce}:{given['cnonce']}")
    action = f"{method}:{given['uri']}"
    if given.get("qop") == "auth-int":
        action += f":{hashed(algorithm, body)}"
    action = hashed(algorithm, action)
    if "qop" not in given:
        return hashed(algorithm, f"{secret}:{given['nonce']}:{action}")
    return hashed(algorithm, ":".join([secret, given["nonce"], given["nc"], given["cnonce"], given["qop"], action]))


PARAMETER = re.compile(r'\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)\s*(?:,|$)', re.DOTALL)


def parameters(text: str) -> tuple[dict[str, str], set[str]]:
    """The parameters of a credential, and the names of the quoted ones."""
    found, quoted, position = {}, set(), 0
    while position < len(text):
        match = PARAMETER.match(text, position)
        if not match:
            raise ValueError(f"not a parameter: {text[position : position + 30]!r}")
        name, value = match[1].lower(), match[2]
        if name in found:
            raise ValueError(f"{name} twice")
        if value.startswith('"'):
            quoted.add(name)
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        found[name] = value
        position = match.end()
    return found, quoted


@dataclass
class Case:
    group: str
    name: str
    # The challenge: its parameters, as the server means them.
    challenge: dict[str, str]
    user: str = "Mufasa"
    password: str = "Circle of Life"
    # What the client is given, where it differs from what the server knows.
    given_user: str | None = None
    given_password: str | None = None
    # The fields of the challenge, if it isn't one challenge.
    fields: list[str] | None = None
    asks: list[Ask] = field(default_factory=lambda: [Ask("/dir/index.html")])
    # The statuses that the caller sees.
    statuses: list[int] = field(default_factory=lambda: [200])
    # The number of requests at the server.
    requests: int = 2
    # The nonce changes behind every so many proofs, stale ones among them.
    lifetime: int | None = None
    # Whether each response has the next nonce.
    gives_next: bool = False
    # What an answer must have.
    expected: dict[str, str | None] = field(default_factory=dict)
    # Whether exactly the parameters that RFC 7616, section 3.4, names must be in quotes; servers read both.
    is_strict: bool = False

    def text(self, **more: str) -> str:
        """A challenge."""
        plain = {"algorithm", "stale", "userhash"}
        values = {**self.challenge, **more}
        parts = [f"{name}={value}" if name in plain else f'{name}="{quote(value)}"' for name, value in values.items()]
        return "Digest " + ", ".join(parts)


def quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


class Guard:
    """The server of a case."""

    def __init__(self, case: Case):
        self.case = case
        self.nonce = case.challenge.get("nonce", "")
        self.first_nonce = self.nonce
        self.number = 0
        self.counts: set[tuple[str, str]] = set()
        self.problems: list[str] = []
        self.answers: list[dict[str, str]] = []

    def reply(self, request: RecordedRequest) -> bytes:
        answer = self.answer(request)
        return answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if request.method == "HEAD" else answer

    def answer(self, request: RecordedRequest) -> bytes:
        case = self.case
        credential = request.values("Authorization")
        if not credential:
            return self.refuse()
        if not credential[0].startswith("Digest "):
            self.problems.append(f"the credential is {credential[0]}")
            return self.refuse()
        try:
            given, quoted = parameters(credential[0].removeprefix("Digest "))
        except ValueError as error:
            self.problems.append(str(error))
            return self.refuse()
        self.answers.append(given)
        if problem := self.problem(request, given, quoted):
            self.problems.append(problem)
            return self.refuse()
        if given["nonce"] != self.nonce:
            return self.refuse(stale="true")
        if given.get("response") != self.expected(request, given):
            return self.refuse()
        if "nc" in given:
            if (given["nonce"], given["nc"]) in self.counts:
                self.problems.append(f"the count {given['nc']} is used twice")
            self.counts.add((given["nonce"], given["nc"]))
        if case.lifetime and len(self.answers) % case.lifetime == 0:
            self.renew()
        fields = []
        if case.gives_next:
            self.renew()
            fields = [("Authentication-Info", f'nextnonce="{self.nonce}"')]
        return response("200 OK", *fields, body=b"welcome")

    def renew(self) -> None:
        self.number += 1
        self.nonce = f"nonce-{self.number}"

    def expected(self, request: RecordedRequest, given: dict[str, str]) -> str:
        case = self.case
        user, password = case.user, case.password
        if case.challenge.get("charset"):
            user, password = (unicodedata.normalize("NFC", text) for text in (user, password))
        algorithm = given.get("algorithm", "MD5")
        session = self.first_nonce if self.number and case.gives_next else self.nonce
        return proof(algorithm, user, password, request.method, request.body, given, session)

    def problem(self, request: RecordedRequest, given: dict[str, str], quoted: set[str]) -> str | None:
        """What the answer has wrong, but for its proof."""
        case = self.case
        challenge = case.challenge
        user = unicodedata.normalize("NFC", case.given_user or case.user)
        algorithm = given.get("algorithm", "MD5")
        known = {"username", "realm", "nonce", "uri", "response", "cnonce", "opaque", "qop", "nc", "algorithm"}
        if challenge.get("userhash") == "true":
            name = same("the user", given.get("username"), hashed(algorithm, f"{user}:{given.get('realm')}"))
        elif "username*" in given:
            name = same("the user", urllib.parse.unquote(given["username*"].removeprefix("UTF-8''")), user)
        else:
            name = same("the user", (given.get("username") or "").encode("latin-1").decode("utf-8", "replace"), user)
        return first(
            name,
            same("the realm", given.get("realm"), challenge["realm"]),
            same("the target", given.get("uri"), request.target),
            same("opaque", given.get("opaque"), challenge.get("opaque")),
            same("the quoted ones", quoted & known, known - {"qop", "nc", "algorithm"}) if case.is_strict else None,
            *(same(key, given.get(key), value) for key, value in case.expected.items()),
        )

    def refuse(self, **more: str) -> bytes:
        case = self.case
        fields = case.fields or [case.text(**{**({"nonce": self.nonce} if self.nonce else {}), **more})]
        return response("401 Unauthorized", *(("WWW-Authenticate", field) for field in fields), body=b"who?")


def statuses(context: Context, client: str, base: str, case: Case) -> list[int | str | None]:
    user, password = case.given_user or case.user, case.given_password or case.password
    if client in ENGINES:
        credential = {"kind": "digest", "username": user, "password": password}
        found = netkit(context, client, base, case.asks, authentication=credential)
        return [outcome.status or outcome.error for outcome in found]
    if client == CURL:
        ask = case.asks[0]
        extra = ["--data-binary", ask.body.decode()] if ask.body is not None else []
        urls = [part for each in case.asks for part in ("-o", "/dev/null", base + each.path)]
        command = ["curl", "-q", "-s", "--noproxy", "*", "--digest", "-u", f"{user}:{password}", *extra]
        command += ["-I"] if ask.method == "HEAD" else ["-X", ask.method]
        done = subprocess.run([*command, "-w", "%{http_code}\n", *urls], capture_output=True, text=True, timeout=60)
        return [int(line) for line in done.stdout.split()]
    found = []
    try:
        if client == HTTPX:
            with httpx.Client(trust_env=False, auth=httpx.DigestAuth(user, password), timeout=20) as session:
                for ask in case.asks:
                    found.append(
                        session.request(ask.method, base + ask.path, headers=ask.headers, content=ask.body).status_code
                    )
        else:
            with requests.Session() as session:
                session.trust_env = False
                session.auth = requests.auth.HTTPDigestAuth(user, password)
                for ask in case.asks:
                    sent = session.request(
                        ask.method, base + ask.path, headers=dict(ask.headers), data=ask.body, timeout=20
                    )
                    found.append(sent.status_code)
    except Exception as error:
        # A peer that gives up is one that fails.
        found.append(type(error).__name__)
    return found


def problem(context: Context, client: str, case: Case) -> str | None:
    guard = Guard(case)
    with RawServer(guard.reply) as server:
        found = statuses(context, client, server.url, case)
        arrived = len(server.take())
    return first(
        *guard.problems,
        same("the statuses", found, case.statuses),
        # A peer may ask more often.
        same("the number of requests", arrived, case.requests) if client in ENGINES else None,
    )


def cases() -> list[Case]:
    md5 = {**MUFASA, "qop": "auth", "algorithm": "MD5"}
    sha = {**MUFASA, "qop": "auth", "algorithm": "SHA-256"}
    both = {**MUFASA, "qop": "auth, auth-int", "algorithm": "SHA-256"}
    two_fields = [
        Case("", "", {**MUFASA, "qop": "auth, auth-int", "algorithm": name}).text() for name in ("SHA-256", "MD5")
    ]
    jason = {**JASON, "qop": "auth", "algorithm": "SHA-512-256", "charset": "UTF-8", "userhash": "true"}
    found = [
        Case(
            "7616 and 2617 examples", "3.9.1 MD5", md5, expected={"algorithm": "MD5", "qop": "auth", "nc": "00000001"}
        ),
        Case(
            "7616 and 2617 examples",
            "3.9.1 SHA-256",
            sha,
            expected={"algorithm": "SHA-256", "qop": "auth", "nc": "00000001"},
        ),
        Case(
            "7616 and 2617 examples",
            "3.9.1 both, in two fields",
            both,
            fields=two_fields,
            expected={"algorithm": "SHA-256"},
        ),
        Case(
            "7616 and 2617 examples",
            "3.9.1 both, in one field",
            both,
            fields=[", ".join(two_fields)],
            expected={"algorithm": "SHA-256"},
        ),
        Case(
            "7616 and 2617 examples",
            "3.9.2 SHA-512-256, userhash, UTF-8",
            jason,
            "J\u00e4s\u00f8n Doe",
            "Secret, or not?",
            asks=[Ask("/doe.json")],
            expected={
                "username": "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b",
                "userhash": "true",
            },
        ),
        Case(
            "7616 and 2617 examples",
            "2617 3.5",
            {**TESTREALM, "qop": "auth,auth-int"},
            password="Circle Of Life",
            expected={"qop": "auth"},
        ),
    ]
    for algorithm in HASHES:
        for session in ("", "-sess"):
            for quality in ("auth", "auth-int", None):
                if not quality and session:
                    continue
                challenge = {**MUFASA, "algorithm": algorithm + session}
                if quality:
                    challenge["qop"] = quality
                found.append(
                    Case(
                        "7616 algorithms and qualities",
                        f"3.4 {algorithm}{session}, {quality or 'no qop'}",
                        challenge,
                        asks=[Ask("/dir/index.html", "POST", [("Content-Type", "text/plain")], b"content")],
                        expected={"qop": quality},
                    )
                )
    pages = [Ask(f"/{number}") for number in range(4)]
    found += [
        Case("7616 sessions", "3.4 the count grows", sha, asks=pages, statuses=[200] * 4, requests=5, expected={}),
        Case("7616 sessions", "3.3 a stale nonce", sha, asks=pages, statuses=[200] * 4, requests=7, lifetime=2),
        Case("7616 sessions", "3.5 nextnonce", sha, asks=pages, statuses=[200] * 4, requests=5, gives_next=True),
        Case(
            "7616 sessions",
            "3.5 nextnonce of a session",
            {**sha, "algorithm": "SHA-256-sess"},
            asks=pages,
            statuses=[200] * 4,
            requests=5,
            gives_next=True,
        ),
        Case("7616 requests", "3.4 which parameters are quoted", md5, is_strict=True),
        Case("7616 refusals", "3.3 a wrong password", sha, given_password="other", statuses=[401]),
        Case("7616 refusals", "3.3 a wrong user", sha, given_user="Scar", statuses=[401]),
        Case(
            "7616 refusals",
            "3.3 an unknown algorithm",
            {**MUFASA, "qop": "auth", "algorithm": "SHA3"},
            statuses=[401],
            requests=1,
        ),
        Case("7616 refusals", "3.3 an unknown qop", {**MUFASA, "qop": "auth-new"}, statuses=[401], requests=1),
        Case("7616 refusals", "3.3 no nonce", {"realm": "a"}, statuses=[401], requests=1),
        Case(
            "7616 challenges",
            "9110 11.6.1 after another scheme",
            md5,
            fields=['Newauth realm="apps", type=1, title="Login to \\"apps\\"", ' + Case("", "", md5).text()],
        ),
        Case(
            "7616 challenges",
            "9110 11.6.1 before another scheme",
            md5,
            fields=[Case("", "", md5).text() + ', Newauth realm="apps", type=1, title="Login to \\"apps\\""'],
        ),
        Case("7616 challenges", "9110 11.6.1 beside Negotiate", md5, fields=["Negotiate", Case("", "", md5).text()]),
        Case("7616 challenges", "9110 11.6.1 empty elements", md5, fields=[", ," + Case("", "", md5).text() + ", ,"]),
        Case(
            "7616 challenges",
            "9110 11.1 the scheme in capitals",
            md5,
            fields=[Case("", "", md5).text().replace("Digest", "DIGEST")],
        ),
        Case("7616 challenges", "3.3 algorithm in lower case", {**md5, "algorithm": "md5"}),
        Case(
            "7616 challenges",
            "3.3 algorithm in quotes",
            md5,
            fields=[Case("", "", md5).text().replace("=MD5", '="MD5"')],
        ),
        Case("7616 challenges", "3.3 no algorithm is MD5", {**MUFASA, "qop": "auth"}),
        Case("7616 challenges", "3.3 no opaque", {key: value for key, value in md5.items() if key != "opaque"}),
        Case(
            "7616 challenges",
            "3.3 an unknown parameter",
            md5,
            fields=[Case("", "", md5).text() + ', domain="/", a="b, c=d"'],
        ),
        Case("7616 challenges", "3.3 a realm with quotes", {**md5, "realm": 'a "b" \\c'}),
        Case("7616 challenges", "3.3 a realm that is empty", {**md5, "realm": ""}),
        Case("7616 challenges", "3.3 a realm with commas", {**md5, "realm": "a, nonce=b, Basic realm"}),
        Case("7616 users", "3.4 a user with quotes", md5, user='a"b\\c'),
        Case("7616 users", "3.4 a password with colons", md5, password="a:b:c"),
        Case("7616 users", "3.4 an empty password", md5, password=""),
        Case("7616 users", "4 a user that is not ASCII", {**md5, "charset": "UTF-8"}, user="J\u00e4s\u00f8n Doe"),
        Case(
            "7616 users",
            "4 a password that is not ASCII",
            {**md5, "charset": "UTF-8"},
            password="\u5bc6\u7801 \U0001f511",
        ),
        Case(
            "7616 users",
            "4 text in another form of Unicode",
            {**md5, "charset": "UTF-8"},
            user="Ja\u0308son",
            password="e\u0301",
        ),
        Case("7616 requests", "3.4.6 a target with a query", md5, asks=[Ask("/dir/index.html?a=b&c=%20d")]),
        Case("7616 requests", "3.4.6 a target with encoded octets", md5, asks=[Ask("/d%C3%AFr/%2F%25")]),
        *(
            Case(
                "7616 requests",
                f"3.4.3 {method}",
                md5,
                asks=[Ask("/a", method, [("Content-Type", "text/plain")] if body else [], body)],
            )
            for method, body in (("HEAD", None), ("PUT", b"new"), ("DELETE", None), ("PATCH", b"+"), ("OPTIONS", None))
        ),
    ]
    return found


KNOWN: list[Known] = []


def run(context: Context) -> dict:
    for algorithm, user, password, challenge, client_nonce, target, expected in VECTORS:
        given = {**challenge, "uri": target, "qop": "auth", "nc": "00000001", "cnonce": client_nonce}
        found = proof(algorithm, user, password, "GET", b"", given, challenge["nonce"])
        # The server of this suite is right only where it computes what the RFC prints.
        if found != expected:
            raise AssertionError(f"{algorithm} of {user}: {found}, not {expected}")
    tally = Tally(CLIENTS)
    work = [(case, client) for case in cases() for client in CLIENTS]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda pair: once_more(lambda: problem(context, pair[1], pair[0])), work)
        for (case, client), reason in zip(work, found):
            tally.record(case.group, case.name, client, reason)
    notes = [
        "NetKit makes its own client nonce. The server of this suite reproduces the RFC's examples with theirs, and "
        "then checks NetKit's proof of the same challenge.",
        "The example of RFC 7616, section 3.9.2, is that of erratum 4897: the RFC prints a response of another hash.",
    ]
    return tally.result("rfc-digest", "Digest authentication", "RFC 7616 and RFC 2617", KNOWN, notes)
