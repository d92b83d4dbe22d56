"""Connections that are slow, silent, cut and reset in each phase of an exchange, and what each call ends with."""

from __future__ import annotations

import contextlib
import itertools
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Callable, Iterator

import trustme
from conformance import (
    ASYNC_HTTP_CLIENT,
    ENGINES,
    LIBCURL,
    URL_SESSION,
    Context,
    DriverEnded,
    Known,
    Tally,
    free_port,
    once_more,
)
from exchanges import converse, first, own_driver, same
from fault_calls import IDLE, MARGIN, REFUSED, TIMEOUT, WHOLE, Call, late
from fault_cases import Case, proxied
from faulty_link import CLIENTS_SERVER, SERVER, FaultyLink, Impairment, may_link
from faulty_link import WHY_MISSING as WHY_NO_LINK
from faulty_origin import Origin
from faulty_proxy import FaultyProxy
from system_faults import JUMPS, clock, clock_library, descriptors, file_limit, full_disk
from trust import DOMAIN, WHY_MISSING, may_mount, trusting

#: How many cases run at a time. Most of them wait.
WIDTH = 20
FILES = itertools.count()
CALLS = [Call.VALUE, Call.POST, Call.DOWNLOAD, Call.LINES]

#: URLSession ends the process there, so that each case has one of its own.
ENDS_PROCESS = "in the response's header fields"
UNCLOSED = "libcurl with OpenSSL 3.0 takes the end of a connection without a close_notify for the end of a body."
KNOWN = [
    Known(
        f"{ENDS_PROCESS}: FIN*",
        URL_SESSION,
        "engine",
        "FoundationNetworking ends the process: see Responses that end the process in Limits on Linux.",
    ),
    *(
        Known("in the response's body over TLS: FIN*, close", engine, "engine", UNCLOSED)
        for engine in (URL_SESSION, LIBCURL)
    ),
    Known(
        "in the *Hello: silence: *",
        ASYNC_HTTP_CLIENT,
        "engine",
        "AsyncHTTPClient lets the next call wait for the connection that is being opened, for as long as `connectTimeout`.",
    ),
]
NOTES = [
    "A group names a phase, a fault and the outcome that a call must have. Beside it, a GET with a retry is whole, and "
    "a body that the end of its connection ends is short, or no JSON.",
    f"A call ends at most {MARGIN:g} s after its limit, and never before it. The idle timeout is {IDLE:g} s.",
    "A POST arrives whole at most once, although the endpoint would retry. A failed download leaves no file, and "
    "resumes. The next call over the same endpoint is whole.",
    "The link drops, duplicates and reorders real packets, the same in every run. HTTP/2 and HTTP/3 are not run.",
]
IMPAIRMENTS = {
    "every 5th packet lost": Impairment(lost=5),
    "every 3rd packet reordered": Impairment(reordered=3),
    "every 2nd packet duplicated": Impairment(duplicated=2),
    "100 ms each way": Impairment(delay=0.1),
    "all of these": Impairment(lost=7, duplicated=5, reordered=3, delay=0.02),
    "cut after 12 packets": Impairment(cut=12),
}


@dataclass
class Work:
    """A case of one engine. The check returns what is wrong, or None."""

    group: str
    name: str
    engine: str
    check: Callable[[], "str | None"]

    def problem(self) -> str | None:
        try:
            return once_more(self.check)
        except DriverEnded:
            return "the process ends"
        except TimeoutError:
            return "it doesn't end"


def new_file(context: Context) -> Path:
    return context.work / f"fault-{next(FILES)}"


def disturbed(context: Context, engine: str, case: Case, authority: trustme.CA, tls: ssl.SSLContext) -> str | None:
    """What is wrong with a call over a connection with a fault, and with another call behind it."""
    file = new_file(context)
    # It resumes a download, and a stream has connections of its own.
    again = case.call if case.call in (Call.DOWNLOAD, Call.LINES) else Call.VALUE
    steps = [case.call.step(engine, case.path, case.length, file), again.step(engine, case.path, 0, file)]
    if case.is_kept:
        # Its response has no body, and the pause is longer than the proxy's.
        before = {"reading": "lines"} if case.call is Call.LINES else {}
        steps.insert(0, {"engine": ENGINES[engine], "path": "/empty/length", "pause": 0.6, **before})
    settings: dict = {"idle": IDLE}
    if case.call is Call.RETRIED or case.call.is_post:
        settings["retries"] = {"maximum": 1}
    if case.is_secure:
        settings["tls"] = {"roots": authority.cert_pem.bytes().decode()}
    with Origin(tls if case.is_secure else None) as origin, FaultyProxy(origin.port, case.fault) as proxy:
        base = f"https://{DOMAIN}:{proxy.port}" if case.is_secure else f"http://127.0.0.1:{proxy.port}"
        *_, found, behind = converse(context, engine, base, steps, **settings)
        posts = origin.posts()
    ended, next_ended = case.call.result(found, case.path), again.result(behind, case.path)
    return first(
        # URLSession sends a POST without a body over a new connection.
        None if proxy.has_happened or case.call is Call.BARE_POST else "the connection isn't used again",
        None if ended in case.expected else f"it ends with {ended}: {found.message} {found.cause}".rstrip(),
        late(found, case.earliest, case.latest),
        f"{posts} requests arrive whole" if posts > 1 else None,
        None if next_ended == WHOLE else f"the next call ends with {next_ended}: {behind.message}",
    )


def alone(context: Context, check: Callable[[Context], "str | None"]) -> str | None:
    """A check with a driver of its own."""
    with own_driver(context) as own:
        return check(own)


def unconnected(context: Context, engine: str, call: Call, port: int, expected: str, earliest: float) -> str | None:
    file, path = new_file(context), "/large/length"
    (found,) = converse(context, engine, f"http://127.0.0.1:{port}", [call.step(engine, path, 100, file)], idle=IDLE)
    return first(same("the end", call.result(found, path), expected), late(found, earliest, earliest + MARGIN))


def refused(context: Context, engine: str, call: Call) -> str | None:
    """Nobody listens."""
    return unconnected(context, engine, call, free_port(), REFUSED, 0)


def unaccepted(context: Context, engine: str, call: Call) -> str | None:
    """The queue of connections to accept is full, so that nothing answers."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        return unconnected(context, engine, call, listener.getsockname()[1], TIMEOUT, IDLE)


def proxy_work(
    context: Context, secure: Context | None, authority: trustme.CA, tls: ssl.SSLContext
) -> Iterator[Work]:
    """The cases of the proxy, those over TLS only with a driver that trusts the authority."""
    for own in filter(None, (context, secure)):
        for case in proxied(own is secure, context.short):
            for engine in ENGINES:
                check = partial(disturbed, engine=engine, case=case, authority=authority, tls=tls)
                if engine == URL_SESSION and case.phase == ENDS_PROCESS:
                    check = partial(alone, check=check)
                yield Work(case.group, case.name, engine, partial(check, own))
    for call in CALLS[:1] if context.short else CALLS:
        for engine in ENGINES:
            for name, check, outcome in (("refused", refused, "cannotConnect"), ("not accepted", unaccepted, TIMEOUT)):
                yield Work(f"{name}: {outcome}", f"{name}: {call.value}", engine, partial(check, context, engine, call))


def system_work(context: Context) -> Iterator[Work]:
    """Shortages of the driver's process, and clocks that jump."""
    library = clock_library(context)
    shortages = {"a full disk": full_disk, "a file's largest size": file_limit, "64 descriptors": descriptors}
    if not may_mount():
        shortages.pop("a full disk")
    for engine in ENGINES:
        for name, check in shortages.items():
            # Without descriptors, libdispatch may end the process: see Crashes in libdispatch in Limits on Linux.
            yield Work("shortages", name, engine, partial(once_more, partial(check, context, engine)))
        for jump, seconds in JUMPS.items():
            for name in ["delay"] if context.short else ["silence", "delay", "Retry-After", "cache"]:
                check = partial(clock, context, library, engine, seconds, name)
                yield Work("a clock that jumps", f"{jump}: {name}", engine, check)


def linked(
    context: Context, link: FaultyLink, origin: Origin, engine: str, call: Call, impairment: Impairment
) -> str | None:
    """Two calls over an impaired link, or one over a link that is cut."""
    path, file, before = "/large/length", new_file(context), origin.posts()
    link.change(impairment, origin.port)
    calls = [call.step(engine, path, 100_000, file)] * (1 if impairment.cut else 2)
    found = converse(context, engine, f"http://{CLIENTS_SERVER}:{origin.port}", calls, idle=IDLE)
    expected, earliest = (TIMEOUT, IDLE) if impairment.cut else (WHOLE, 0)
    return first(
        *(same("the end", call.result(one, path), expected) for one in found),
        *(late(one, earliest, IDLE + MARGIN) for one in found),
        f"{origin.posts() - before} requests arrive whole" if origin.posts() - before > len(calls) else None,
    )


def run_links(context: Context) -> list[tuple[Work, str | None]]:
    """What is wrong with each case of the link. They share it, and so run one after the other."""
    found = []
    with (
        FaultyLink() as link,
        own_driver(context, *link.command(context.driver_program)) as own,
        link.within(lambda: Origin(address=SERVER)) as origin,
    ):
        for name, impairment in list(IMPAIRMENTS.items())[: 2 if context.short else None]:
            for call in CALLS[:1] if context.short else CALLS:
                for engine in ENGINES:
                    check = partial(linked, own, link, origin, engine, call, impairment)
                    outcome = TIMEOUT if impairment.cut else WHOLE
                    work = Work(f"a link: {name}: {outcome}", f"{name}: {call.value}", engine, check)
                    found.append((work, work.problem()))
    return found


def run(context: Context) -> dict:
    tally, authority, notes = Tally(list(ENGINES)), trustme.CA(), [*NOTES]
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(DOMAIN).configure_cert(tls)
    with contextlib.ExitStack() as stack:
        aside = stack.enter_context(ThreadPoolExecutor(1))
        links = aside.submit(run_links, context) if may_link() else None
        if links is None:
            notes.append(WHY_NO_LINK)
        secure = None
        if may_mount():
            secure = stack.enter_context(trusting(context, authority))
        else:
            notes.append(f"TLS and the full disk are not run: they need {WHY_MISSING}.")
        work = [*proxy_work(context, secure, authority, tls), *system_work(context)]
        with ThreadPoolExecutor(WIDTH) as pool:
            found = list(zip(work, pool.map(Work.problem, work)))
        if links:
            found += links.result()
        for one, wrong in found:
            tally.record(one.group, one.name, one.engine, wrong)
    source = "a proxy and a link of the suite's own, and a clock that it moves"
    return tally.result("faults", "Faults of connections", source, KNOWN, notes)
