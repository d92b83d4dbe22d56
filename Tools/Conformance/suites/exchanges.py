"""Sends requests with each client, and describes what came of them in one form."""

from __future__ import annotations

import base64
import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator

import clients
import httpx
import requests
from conformance import (
    ENGINES,
    Context,
    Driver,
    DriverEnded,
    RawServer,
    RecordedRequest,
    encoded,
    once_more,
    versioned,
)

HTTPX, REQUESTS = versioned("httpx"), versioned("requests")
CLIENTS = [*ENGINES, HTTPX, REQUESTS]


@dataclass
class Ask:
    """A request of a case."""

    path: str = "/"
    method: str = "GET"
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes | None = None
    cache_policy: str | None = None


@dataclass
class Outcome(clients.Outcome):
    """A response, or an error without one, with what NetKit tells beside it."""

    # What NetKit's engine said.
    cause: str = ""
    cache: str = ""
    history: list[Any] = field(default_factory=list)
    # How long NetKit took.
    seconds: float = 0
    # The file of a download.
    file: bytes | None = None

    def value(self, name: str) -> str | None:
        """The values of a field, joined as RFC 9110 allows."""
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(found) if found else None

    def __str__(self) -> str:
        return (
            f"{self.error}: {self.message} {self.cause}".rstrip()
            if self.status is None
            else f"{self.status} {self.headers} {self.body[:80]!r}"
        )


def netkit(context: Context, client: str, base: str, asks: list[Ask], **settings: Any) -> list[Outcome]:
    """Sends requests one after the other over one endpoint."""
    steps = []
    for ask in asks:
        step: dict[str, Any] = {
            "engine": ENGINES[client],
            "method": ask.method,
            "path": ask.path,
            "headers": [list(pair) for pair in ask.headers],
        }
        if ask.body is not None:
            step["body"] = {"kind": "data", "value": encoded(ask.body)}
        if ask.cache_policy:
            step["cachePolicy"] = ask.cache_policy
        steps.append(step)
    return converse(context, client, base, steps, **settings)


def converse(context: Context, client: str, base: str, steps: list[dict], **settings: Any) -> list[Outcome]:
    """Sends requests in the driver's own form."""
    value = {"engine": ENGINES[client], "base": base, "requests": steps, **settings}
    return [outcome(answer) for answer in context.driver.rule("conversation", value)]


@contextlib.contextmanager
def own_driver(context: Context, *command: str | Path) -> Iterator[Context]:
    """The same context with a driver that ends with it, of a command or of the suites' program."""
    driver = Driver(*(command or [context.driver_program]))
    try:
        yield Context(
            context.repository, context.work, context.driver_program, context.data, context.short, driver
        )
    finally:
        driver.close()


def outcome(answer: dict) -> Outcome:
    error = answer.get("error") or {}
    return Outcome(
        answer.get("status"),
        [tuple(pair) for pair in answer.get("headers", [])],
        base64.b64decode(answer.get("body", "")),
        answer.get("url", ""),
        error.get("kind"),
        error.get("message", ""),
        error.get("cause") or "",
        answer.get("cache", ""),
        answer.get("history", []),
        answer.get("seconds", 0),
        None if answer.get("file") is None else base64.b64decode(answer["file"]),
    )


def peer(client: str, base: str, asks: list[Ask], follows: bool = True) -> list[Outcome]:
    """Sends requests with httpx or requests."""
    outcomes = []
    with httpx.Client(trust_env=False, timeout=20) if client == HTTPX else requests.Session() as session:
        if client == REQUESTS:
            session.trust_env = False
        for ask in asks:
            headers = {}
            for name, value in ask.headers:
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
            try:
                if client == HTTPX:
                    response = session.request(
                        ask.method, base + ask.path, headers=headers, content=ask.body, follow_redirects=follows
                    )
                    fields = response.headers.multi_items()
                else:
                    response = session.request(
                        ask.method, base + ask.path, headers=headers, data=ask.body, allow_redirects=follows, timeout=20
                    )
                    fields = list(response.raw.headers.items())
            except Exception as error:
                # Whatever a client raises is how it refuses.
                outcomes.append(Outcome(error=type(error).__name__, message=str(error)))
                continue
            outcomes.append(Outcome(response.status_code, fields, response.content, str(response.url)))
    return outcomes


# Returns what is wrong, or None.
Check = Callable[[list[Outcome], list[RecordedRequest]], "str | None"]


@dataclass
class Exchange:
    """Requests to a server that answers by a function, and what must come of them."""

    group: str
    name: str
    reply: Callable[[RecordedRequest], bytes | None]
    check: Check
    asks: list[Ask] = field(default_factory=lambda: [Ask()])
    # Whether the server closes each connection behind its response.
    closes: bool = False
    follows: bool = True
    settings: dict[str, Any] = field(default_factory=dict)
    # Whether httpx and requests can do the same.
    peers: bool = True
    # Whether an engine may trap, so that the case needs a driver of its own.
    is_alone: bool = False

    def problem(self, context: Context, client: str) -> str | None:
        """What is wrong with a client, or None."""
        if not self.is_alone or client not in ENGINES:
            return self.problem_here(context, client)
        try:
            with own_driver(context) as own:
                return self.problem_here(own, client)
        except DriverEnded:
            return "the process ends"

    def problem_here(self, context: Context, client: str) -> str | None:
        with RawServer(self.reply, closes=self.closes) as server:
            if client in ENGINES:
                settings = self.settings if self.follows else {**self.settings, "redirects": 0}
                outcomes = netkit(context, client, server.url, self.asks, **settings)
            else:
                outcomes = peer(client, server.url, self.asks, self.follows)
            return self.check(outcomes, server.take())


def run_exchanges(context: Context, tally, exchanges: list[Exchange]) -> None:
    """Runs every exchange with every client, and counts."""
    work = [
        (exchange, client) for exchange in exchanges for client in tally.clients if client in ENGINES or exchange.peers
    ]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda pair: once_more(lambda: pair[0].problem(context, pair[1])), work)
        for (exchange, client), problem in zip(work, found):
            tally.record(exchange.group, exchange.name, client, problem)


def same(what: str, seen: object, expected: object) -> str | None:
    return None if seen == expected else f"{what} is {str(seen)[:300]!r}, not {str(expected)[:300]!r}"


def first(*problems: str | None) -> str | None:
    """The first problem, or None."""
    return next((problem for problem in problems if problem), None)
