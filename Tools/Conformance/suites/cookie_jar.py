"""Random cookies: NetKit's jar, Python's http.cookiejar, and RFC 6265bis where the two differ."""

from __future__ import annotations

import email.message
import itertools
import platform
import time
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Callable
from unittest import mock

from conformance import ENGINES, Context, Known, Tally, examples
from cookie_rules import SUFFIXES, Rules
from hypothesis import strategies as st

PYTHON = f"http.cookiejar of Python {platform.python_version()}"
START = 1802520000  # Sat, 13 Feb 2027 12:00:00 GMT

HOSTS = ["example.com", "a.example.com", "c.a.example.com", "b.example.com", "anexample.com", "10.0.0.1", "shop.co.uk"]
PATHS = ["", "/", "/x", "/x/", "/x/y", "/x/y/z", "/xy", "/x%20/y"]
PAIRS = [
    *("a=1", "a=2", "b=1", "b=", "c=a b", "c=a=b", 'd="1"', 'd="1', "A=1", " a = 3 ", "__Host-a=1", "__Secure-a=1"),
    *("__host-b=1", "e=1,2", "f=%20", "g=a:b/c?d", "a.b=1", "a[]=1", "$a=1"),
]
DOMAINS = [
    *(
        "example.com",
        ".example.com",
        "Example.COM",
        "a.example.com",
        ".a.example.com",
        "c.a.example.com",
        "",
        ".",
        "com",
    ),
    *(".com", "co.uk", "shop.co.uk", "10.0.0.1", "0.0.1", "ample.com", "anexample.com"),
]
DATES = [
    "Sun, 14 Feb 2027 12:00:00 GMT",
    "Sat, 13 Feb 2027 12:00:05 GMT",
    "Sunday, 14-Feb-27 12:00:00 GMT",
    "Sun Feb 14 12:00:00 2027",
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "0",
    "",
    "soon",
    "Mon, 30 Feb 2027 12:00:00 GMT",
    "14 feb 2027 12:00:00",
    "Sun, 14 Feb 2038 12:00:00 GMT",
]
ATTRIBUTES = [
    *(f"Domain={domain}" for domain in DOMAINS),
    *(f"Path={path}" for path in [*PATHS, "x", '"/x"', "//", "/X"]),
    *(f"Max-Age={age}" for age in ["5", "50", "500", "0", "-1", "+5", "abc", "", '"50"', "99999999999", "5.5"]),
    *(f"Expires={date}" for date in DATES),
    *("Secure", "secure", "SECURE=", "Secure=false", "HttpOnly", "SameSite=Lax", "SameSite=Strict", "SameSite=None"),
    *(
        "samesite=none",
        "SameSite=other",
        "Version=1",
        "Comment=x",
        "Port=80",
        "",
        "=",
        "a=b",
        "Partitioned",
        "domain",
        "path",
    ),
]

# A Set-Cookie line: its pair and its attributes.
Line = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Step:
    """A response that sets cookies, or a request."""

    at: int
    url: str
    lines: tuple[Line, ...] | None


Case = tuple[Step, ...]


def text(line: Line) -> str:
    return "; ".join([line[0], *line[1]])


def netkit(context: Context, case: Case) -> list[list[str]]:
    steps = [
        {"at": step.at, "to": step.url}
        if step.lines is None
        else {"at": step.at, "from": step.url, "set": [text(line) for line in step.lines]}
        for step in case
    ]
    return [sent for sent in context.driver.rule("cookies", {"steps": steps}) if sent is not None]


def by_rules(case: Case) -> list[list[str]]:
    rules, found = Rules(), []
    for step in case:
        if step.lines is None:
            found.append(rules.sent(step.url, step.at))
        else:
            for line in step.lines:
                rules.store(text(line), step.url, step.at)
    return found


class Response:
    def __init__(self, lines: tuple[Line, ...]):
        self.message = email.message.Message()
        for line in lines:
            self.message["Set-Cookie"] = text(line)

    def info(self) -> email.message.Message:
        return self.message


def python(case: Case) -> list[list[str]]:
    # Otherwise it sends a cookie without Domain to subdomains too, and minds RFC 2965.
    strict = DefaultCookiePolicy.DomainStrictNonDomain
    jar = CookieJar(DefaultCookiePolicy(rfc2965=False, netscape=True, strict_ns_domain=strict))
    found = []
    for step in case:
        request = urllib.request.Request(step.url)
        with mock.patch.object(time, "time", lambda now=step.at: now):
            if step.lines is not None:
                jar.extract_cookies(Response(step.lines), request)
            else:
                jar._policy._now = jar._now = step.at
                cookies = jar._cookies_for_request(request)
                cookies.sort(key=lambda cookie: -len(cookie.path))
                found.append([f"{cookie.name}={cookie.value or ''}" for cookie in cookies])
    return found


def unordered(found: list[list[str]]) -> list[list[str]]:
    """Without the order, which http.cookiejar does not keep."""
    return [sorted(sent) for sent in found]


# Takes a rule out of a case: what is left of a line's attributes, or of its pair.
def attribute(name: str, *values: str) -> Callable[[Line], Line | None]:
    def without(line: Line) -> Line | None:
        def is_it(text: str) -> bool:
            key, _, value = text.partition("=")
            return key.strip().lower() == name and (not values or value.strip().lower() in values)

        return line[0], tuple(part for part in line[1] if not is_it(part))

    return without


def dropped(*starts: str) -> Callable[[Line], Line | None]:
    return lambda line: None if line[0].strip().lower().startswith(starts) else line


def once(line: Line) -> Line:
    """Of several attributes with one name, the last."""
    last = {part.partition("=")[0].strip().lower(): part for part in line[1]}
    return line[0], tuple(last.values())


RULES: dict[str, Callable[[Line], Line | None]] = {
    "5.7: a secure cookie is set over https alone, and not overlaid from http": attribute("secure"),
    "4.1.3: a name with __Host- or __Secure- is kept only with what it promises": dropped("__host-", "__secure-"),
    "5.7: SameSite=None needs Secure": attribute("samesite", "none"),
    "5.7: a public suffix sets no cookie for other hosts": attribute(
        "domain", *SUFFIXES, *(f".{name}" for name in SUFFIXES)
    ),
    "5.6.3 and 5.1.3: which Domain a host may name": attribute("domain"),
    "5.6.2: which Max-Age counts, and for how long": attribute("max-age"),
    "5.1.1: which Expires is a date, and 5.5: no lifetime above 400 days": attribute("expires"),
    "5.6.4: a Path without a slash at its start is the default path": attribute("path"),
    "5.6: of several attributes with one name, the last counts": once,
    "RFC 2109: Version is no attribute any more": attribute("version"),
    "RFC 2965: Port is no attribute any more": attribute("port"),
    "5.6: quotes belong to the value": dropped("d="),
    "5.6: a name may begin with $": dropped("$"),
}


def without(case: Case, names: tuple[str, ...]) -> Case:
    """A case that does not touch these rules."""
    steps = []
    for step in case:
        lines = step.lines
        for name in names:
            if lines is not None:
                lines = tuple(left for line in lines if (left := RULES[name](line)) is not None)
        steps.append(Step(step.at, step.url, lines))
    return tuple(steps)


def explanation(case: Case) -> str:
    """The rules without which http.cookiejar agrees: as few as do."""
    for count in (1, 2, 3):
        for names in itertools.combinations(RULES, count):
            left = without(case, names)
            if unordered(python(left)) == unordered(by_rules(left)):
                return names[0] if count == 1 else "several of these"
    return "none of these"


def cases(count: int) -> list[Case]:
    urls = st.builds(
        lambda scheme, host, path: f"{scheme}://{host}{path}",
        st.sampled_from(["http", "https"]),
        st.sampled_from(HOSTS),
        st.sampled_from(PATHS),
    )
    lines = st.tuples(st.sampled_from(PAIRS), st.lists(st.sampled_from(ATTRIBUTES), max_size=4).map(tuple))
    steps = st.tuples(
        st.sampled_from([0, 0, 1, 10, 60, 600]), urls, st.none() | st.lists(lines, min_size=1, max_size=3).map(tuple)
    )

    def timed(found: list) -> Case:
        now, timed = START, []
        for pause, url, lines in found:
            now += pause
            timed.append(Step(now, url, lines))
        # The last is a request to where a cookie was set.
        setting = [step.url for step in timed if step.lines] or ["http://example.com/"]
        return (*timed, *(Step(now, url, None) for url in dict.fromkeys(setting)))

    return examples(st.lists(steps, min_size=1, max_size=6).map(timed), count)


HERE = "https://example.com/"


def example(*lines: Line, url: str = HERE, to: str = HERE) -> Case:
    return (*(Step(START, url, (line,)) for line in lines), Step(START, to, None))


SID = ("SID=31d4d96e407aad42", ("Path=/",))
# RFC 6265, section 3.1, and the sections that rule it: the cookies that are sent.
EXAMPLES: list[tuple[str, Case, list[str]]] = [
    ("3.1 a pair", example(("SID=31d4d96e407aad42", ())), ["SID=31d4d96e407aad42"]),
    (
        "3.1 Path and Domain",
        example(("SID=31d4d96e407aad42", ("Path=/", "Domain=example.com")), to="https://www.example.com/a"),
        ["SID=31d4d96e407aad42"],
    ),
    (
        "3.1 two cookies",
        example(
            ("SID=31d4d96e407aad42", ("Path=/", "Secure", "HttpOnly")), ("lang=en-US", ("Path=/", "Domain=example.com"))
        ),
        ["SID=31d4d96e407aad42", "lang=en-US"],
    ),
    (
        "3.1 two cookies, over http",
        example(
            ("SID=31d4d96e407aad42", ("Path=/", "Secure", "HttpOnly")),
            ("lang=en-US", ("Path=/", "Domain=example.com")),
            to="http://example.com/",
        ),
        ["lang=en-US"],
    ),
    (
        "3.1 two cookies, of a subdomain",
        example(
            ("SID=31d4d96e407aad42", ("Path=/", "Secure", "HttpOnly")),
            ("lang=en-US", ("Path=/", "Domain=example.com")),
            to="https://a.example.com/",
        ),
        ["lang=en-US"],
    ),
    (
        "3.1 Expires",
        example(SID, ("lang=en-US", ("Expires=Wed, 09 Jun 2027 10:18:14 GMT",))),
        ["SID=31d4d96e407aad42", "lang=en-US"],
    ),
    (
        "3.1 a deletion",
        example(SID, ("lang=en-US", ("Path=/",)), ("lang=", ("Path=/", "Expires=Sun, 06 Nov 1994 08:49:37 GMT"))),
        ["SID=31d4d96e407aad42"],
    ),
    (
        "4.1.2.3 www.corp.example.com",
        example(("a=1", ("Domain=example.com",)), to="https://www.corp.example.com/"),
        ["a=1"],
    ),
    (
        "4.1.2.3 foo.example.com for itself",
        example(("a=1", ("Domain=foo.example.com",)), url="https://foo.example.com/", to="https://foo.example.com/"),
        ["a=1"],
    ),
    (
        "4.1.2.3 foo.example.com for bar",
        example(("a=1", ("Domain=bar.example.com",)), url="https://foo.example.com/", to="https://bar.example.com/"),
        [],
    ),
    (
        "4.1.2.3 foo.example.com for baz.foo",
        example(
            ("a=1", ("Domain=baz.foo.example.com",)), url="https://foo.example.com/", to="https://baz.foo.example.com/"
        ),
        [],
    ),
    (
        "5.1.4 the default path",
        example(("a=1", ()), url="https://example.com/x/y", to="https://example.com/x/z"),
        ["a=1"],
    ),
    (
        "5.1.4 not above the default path",
        example(("a=1", ()), url="https://example.com/x/y", to="https://example.com/z"),
        [],
    ),
    ("5.1.4 a path that only begins alike", example(("a=1", ("Path=/x",)), to="https://example.com/xy"), []),
    (
        "5.4 longer paths first",
        example(("a=1", ("Path=/",)), ("b=2", ("Path=/x",)), to="https://example.com/x"),
        ["b=2", "a=1"],
    ),
    (
        "5.4 earlier ones first",
        example(("b=1", ("Path=/",)), ("a=2", ("Path=/",)), ("b=3", ("Path=/",))),
        ["b=3", "a=2"],
    ),
    ("4.1.2.2 Max-Age wins over Expires", example(("a=1", ("Max-Age=0", "Expires=Wed, 09 Jun 2027 10:18:14 GMT"))), []),
    ("bis 4.1.3.1 __Secure- without Secure", example(("__Secure-SID=12345", ("Domain=example.com",))), []),
    (
        "bis 4.1.3.1 __Secure- over http",
        example(("__Secure-SID=12345", ("Domain=example.com", "Secure")), url="http://example.com/"),
        [],
    ),
    (
        "bis 4.1.3.1 __Secure-",
        example(("__Secure-SID=12345", ("Domain=example.com", "Secure"))),
        ["__Secure-SID=12345"],
    ),
    ("bis 4.1.3.2 __Host- alone", example(("__Host-SID=12345", ())), []),
    ("bis 4.1.3.2 __Host- with Secure", example(("__Host-SID=12345", ("Secure",))), []),
    ("bis 4.1.3.2 __Host- with Domain", example(("__Host-SID=12345", ("Domain=example.com",))), []),
    ("bis 4.1.3.2 __Host- with Domain and Path", example(("__Host-SID=12345", ("Domain=example.com", "Path=/"))), []),
    (
        "bis 4.1.3.2 __Host- with Secure, Domain and Path",
        example(("__Host-SID=12345", ("Secure", "Domain=example.com", "Path=/"))),
        [],
    ),
    ("bis 4.1.3.2 __Host-", example(("__Host-SID=12345", ("Secure", "Path=/"))), ["__Host-SID=12345"]),
    ("bis 5.6 a cookie without a name", example(("just-a-value", ())), ["just-a-value"]),
]

KNOWN = [
    Known(
        "bis 5.6 a cookie without a name",
        "*",
        "design",
        "A server would read it back under another name; RFC 6265, curl, OkHttp and Go ignore it too.",
    ),
]


def run(context: Context) -> dict:
    tally = Tally([*ENGINES, PYTHON])
    for name, case, expected in EXAMPLES:
        results = {**dict.fromkeys(ENGINES, netkit(context, case)), PYTHON: python(case)}
        for client, found in results.items():
            tally.record(
                "RFC 6265's examples", name, client, None if found[-1] == expected else f"it sends {found[-1]}"
            )
    chosen = cases(300 if context.short else 3000)
    for number, case in enumerate(chosen):
        ours, theirs, meant = netkit(context, case), python(case), by_rules(case)
        lines = [(step.url, [text(line) for line in step.lines or ()]) for step in case]
        problem = None if ours == meant else f"it sends {ours}, not {meant}: {lines}"
        for client in ENGINES:
            tally.record("random cookies", f"random {number}", client, problem)
        agrees = unordered(theirs) == unordered(meant)
        problem = None if agrees else f"it sends {theirs}, not {meant}: {lines}"
        rule = None if agrees else "random: " + ("" if context.short else explanation(case))
        tally.record("random cookies", f"random {number}", PYTHON, problem, rule)
    notes = [
        "The jar is asked by itself: it is the same over every engine.",
        "Where NetKit and http.cookiejar differ, RFC 6265bis decides, written down step by step in `cookie_rules.py`. "
        "http.cookiejar keeps no order of cookies, so that its order is not compared.",
        "A failure of http.cookiejar has the rule without which it agrees.",
    ]
    return tally.result("cookie-jar", "Cookies", "RFC 6265, RFC 6265bis and Python's http.cookiejar", KNOWN, notes)
