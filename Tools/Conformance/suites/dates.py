"""Random dates: NetKit's two readers, and Python's email.utils and http.cookiejar."""

from __future__ import annotations

import calendar
import datetime
import platform
from collections import Counter
from email.utils import formatdate, parsedate_to_datetime
from http.cookiejar import http2time

from conformance import ENGINES, Context, Known, RawServer, RecordedRequest, Tally, examples
from cookie_rules import cookie_date
from exchanges import Ask, Outcome, netkit
from hypothesis import strategies as st
from rfc_http import response

PYTHON = f"of Python {platform.python_version()}"
EMAIL, COOKIEJAR = f"email.utils {PYTHON}", f"http.cookiejar {PYTHON}"
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = [*("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")]
FORMATS = ["IMF-fixdate", "RFC 850", "asctime"]


def written(moment: datetime.datetime, form: str) -> str:
    """A date in one of the formats of RFC 9110, section 5.6.7."""
    day, month = DAYS[moment.weekday()], MONTHS[moment.month - 1]
    clock = f"{moment.hour:02}:{moment.minute:02}:{moment.second:02}"
    if form == "IMF-fixdate":
        return f"{day[:3]}, {moment.day:02} {month} {moment.year:04} {clock} GMT"
    if form == "RFC 850":
        return f"{day}, {moment.day:02}-{month}-{moment.year % 100:02} {clock} GMT"
    return f"{day[:3]} {month} {moment.day:2} {clock} {moment.year:04}"


def seconds(moment: datetime.datetime) -> int:
    return calendar.timegm(moment.timetuple())


def valid(count: int) -> list[tuple[str, int, str]]:
    """Dates with their moments and formats."""
    anything = st.datetimes(datetime.datetime(1971, 1, 1), datetime.datetime(9998, 1, 1))
    # Two digits of a year mean the same to all readers from 1980 to 2068.
    recent = st.datetimes(datetime.datetime(1980, 1, 1), datetime.datetime(2068, 12, 31))
    chosen = st.one_of(
        st.tuples(anything, st.sampled_from(["IMF-fixdate", "asctime"])),
        st.tuples(recent, st.sampled_from(FORMATS)),
        st.tuples(recent, st.just("RFC 850")),
    )
    found = [(written(moment, form), seconds(moment), form) for moment, form in examples(chosen, count)]
    return list(dict.fromkeys(found))


ZONES = ["UTC", "UT", "Z", "+0000", "-0500", "PST", "gmt", "Gmt", "", "GMT+1", "GMT0"]
WORDS = [
    "32",
    "00",
    "30 Feb",
    "31-Apr-99",
    "25:00:00",
    "08:60:00",
    "08:49:60",
    "8:49:37",
    "08:49",
    "08:49:37.5",
    "08.49.37",
]


def broken(count: int) -> list[str]:
    """Dates with one to three faults, which may leave them valid."""
    characters = st.sampled_from(list("0123456789 ,:-/+.GMTJanx\t%\"'"))
    fault = st.one_of(
        st.tuples(st.just("delete"), st.integers(0, 40), st.just("")),
        st.tuples(st.just("insert"), st.integers(0, 40), characters),
        st.tuples(st.just("replace"), st.integers(0, 40), characters),
        st.tuples(st.just("zone"), st.just(0), st.sampled_from(ZONES)),
        st.tuples(st.just("word"), st.integers(0, 6), st.sampled_from(WORDS)),
        st.tuples(st.just("swap"), st.integers(0, 4), st.just("")),
        st.tuples(st.just("case"), st.integers(0, 1), st.just("")),
        st.tuples(st.just("no day"), st.just(0), st.just("")),
        st.tuples(st.just("dashes"), st.just(0), st.just("")),
    )

    def apply(text: str, kind: str, place: int, extra: str) -> str:
        place = min(place, max(0, len(text) - 1))
        words = text.split(" ")
        if kind in ("delete", "insert", "replace"):
            return text[:place] + extra + text[place + (kind != "insert") :]
        if kind == "zone":
            return f"{text.removesuffix(' GMT')} {extra}".rstrip()
        if kind == "word":
            words[place % len(words)] = extra
        elif kind == "swap" and len(words) > 1:
            place %= len(words) - 1
            words[place], words[place + 1] = words[place + 1], words[place]
        elif kind == "case":
            return text.upper() if place else text.lower()
        elif kind == "no day":
            return " ".join(words[1:])
        elif kind == "dashes":
            return text.replace(" ", "-", 3).replace(",-", ", ")
        return " ".join(words)

    def spoil(moment: datetime.datetime, form: str, faults: list[tuple[str, int, str]]) -> str:
        text = written(moment, form)
        for fault in faults:
            text = apply(text, *fault)
        return text.strip(" \t")

    recent = st.datetimes(datetime.datetime(1980, 1, 1), datetime.datetime(2068, 12, 31))
    chosen = st.builds(spoil, recent, st.sampled_from(FORMATS), st.lists(fault, min_size=1, max_size=3))
    # A number is no date in Retry-After.
    return [text for text in dict.fromkeys(examples(chosen, count)) if text and not text.isdigit()]


def retry_after(context: Context, client: str, texts: list[str]) -> list[int | str | None]:
    """The moments that NetKit reads in `Retry-After`, from the delay since a `Date` of 1970."""

    def reply(request: RecordedRequest) -> bytes:
        text = texts[int(request.target[1:])]
        return response("503 Service Unavailable", ("Date", formatdate(0, usegmt=True)), ("Retry-After", text))

    def moment(found: Outcome) -> int | str | None:
        if not found.history or isinstance(found.history[0], str):
            return str(found)
        kind, delay = found.history[0]
        return delay if kind == "too long" else None

    with RawServer(reply) as server:
        retries = {"maximum": 1, "maximumRetryAfter": 0}
        asks = [Ask(f"/{number}") for number in range(len(texts))]
        return [moment(found) for found in netkit(context, client, server.url, asks, retries=retries)]


def with_email(text: str) -> int | None:
    try:
        moment = parsedate_to_datetime(text)
        return int(moment.timestamp()) if moment.tzinfo else seconds(moment)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def with_cookiejar(text: str) -> int | None:
    try:
        found = http2time(text)
    except (ValueError, OverflowError):
        return None
    return None if found is None else int(found)


KNOWN: list[Known] = []


def run(context: Context) -> dict:
    tally = Tally([*ENGINES, EMAIL, COOKIEJAR])

    def record(group: str, text: str, client: str, found: int | str | None, meant: int | None) -> None:
        problem = None if found == meant else f"it reads {text!r} as {found}, not {meant}"
        tally.record(group, f"{group}: {text}", client, problem, None if client in ENGINES else group)

    good = valid(100 if context.short else 1000)
    texts = [text for text, _, _ in good]
    cookies = context.driver.rule("cookie-dates", {"texts": texts})
    for (text, moment, form), cookie in zip(good, cookies):
        for client in ENGINES:
            record(f"Expires of a cookie in {form}", text, client, cookie, moment)
        record(f"Expires of a cookie in {form}", text, COOKIEJAR, with_cookiejar(text), moment)
        record(f"Retry-After in {form}", text, EMAIL, with_email(text), moment)
        record(f"Retry-After in {form}", text, COOKIEJAR, with_cookiejar(text), moment)
    for client in ENGINES:
        for (text, moment, form), field in zip(good, retry_after(context, client, texts)):
            record(f"Retry-After in {form}", text, client, field, moment)

    bad = broken(100 if context.short else 2000)
    cookies = context.driver.rule("cookie-dates", {"texts": bad})
    for text, cookie in zip(bad, cookies):
        meant = cookie_date(text)
        moment = None if meant is None else int(meant)
        for client in ENGINES:
            record("Expires of a cookie, broken", text, client, cookie, moment)
        record("Expires of a cookie, broken", text, COOKIEJAR, with_cookiejar(text), moment)
    counts: Counter[str] = Counter()
    for client in ENGINES:
        counts.clear()
        for text, field in zip(bad, retry_after(context, client, bad)):
            readings = {with_email(text), with_cookiejar(text)}
            # A reader need not know what is none of the formats; but it must not read another moment.
            record("Retry-After, broken", text, client, field, field if field in readings else None)
            if field is None and readings != {None}:
                counts["one of Python's readers reads, and NetKit ignores"] += 1
            elif field is not None and None in readings:
                counts["NetKit reads, and one of Python's readers does not"] += 1
    notes = [
        "A valid date has the moment it was written from. A broken one in `Retry-After` passes if NetKit ignores it, "
        "or reads what email.utils or http.cookiejar reads. One in a cookie must be read as section 5.1.1 of RFC "
        "6265bis says.",
        *(
            f"Of {len(bad)} broken dates in `Retry-After`: {count} that {what}"
            for what, count in sorted(counts.items())
        ),
    ]
    return tally.result("dates", "Dates", "RFC 9110, RFC 6265bis and Python's readers", KNOWN, notes)
