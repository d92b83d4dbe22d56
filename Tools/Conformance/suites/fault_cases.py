"""Calls over a connection with a fault in each phase, and the outcomes that NetKit's rules allow for each."""

from __future__ import annotations

from dataclasses import dataclass, field

from fault_calls import (
    DECODING,
    IDLE,
    INSECURE,
    LOST,
    MARGIN,
    REFUSED,
    SHORT,
    TIMEOUT,
    TRUNCATED,
    WHOLE,
    Call,
)
from faulty_origin import BODIES, LAST_CHUNK, chunked
from faulty_proxy import DELAY, Effect, Fault, Point

GETS = [Call.VALUE, Call.RETRIED, Call.DOWNLOAD, Call.LINES]
CALLS = [*GETS, Call.POST]
ENDS = [Effect.FIN, Effect.HALF_FIN, Effect.RESET]


@dataclass(frozen=True)
class Case:
    """A call over a connection with a fault."""

    phase: str
    fault: Fault
    #: What a value without a retry ends with, in words.
    outcome: str
    call: Call
    #: The outcomes that the rules allow.
    expected: frozenset[str]
    path: str = "/large/length"
    #: The length of a POST's body.
    length: int = 100_000
    #: The earliest and the latest outcome, in seconds.
    earliest: float = 0
    latest: float = MARGIN
    #: Whether the connection has carried a whole exchange before.
    is_kept: bool = False
    is_secure: bool = False

    @property
    def group(self) -> str:
        return f"{self.phase}: {self.fault.effect.value}: {self.outcome}"

    @property
    def name(self) -> str:
        framing = "" if self.call.is_post else f", {self.path.rpartition('/')[2]}"
        return f"{self.phase}: {self.fault.effect.value}: {self.call.value}{framing}"


@dataclass
class Phase:
    """A place in an exchange, and what a call ends with when the connection ends there."""

    name: str
    point: Point
    ended: set[str]
    calls: list[Call] = field(default_factory=lambda: CALLS)
    effects: list[Effect] = field(default_factory=lambda: [Effect.DELAY, Effect.SILENCE, *ENDS])
    paths: list[str] = field(default_factory=lambda: ["/large/length"])
    length: int = 100_000
    is_kept: bool = False
    is_secure: bool = False

    def cases(self) -> list[Case]:
        return [
            self.case(effect, call, path)
            for effect in self.effects
            for call in self.calls
            for path in self.paths
        ]

    def case(self, effect: Effect, call: Call, path: str) -> Case:
        expected, earliest, latest = set(self.ended), 0.0, MARGIN
        if effect is Effect.DELAY:
            expected, earliest, latest = {WHOLE}, DELAY, DELAY + MARGIN
        elif effect is Effect.THROTTLE:
            expected, earliest, latest = {WHOLE}, 1, 2 * IDLE + MARGIN
        elif effect is Effect.SILENCE:
            expected, earliest, latest = {TIMEOUT}, IDLE, IDLE + MARGIN
        outcome = " or ".join(sorted(kind.removeprefix("transport.") for kind in expected))
        if effect in ENDS and path.endswith("/close") and effect is not Effect.RESET and not self.is_secure:
            # The end of the connection ends the body, wherever it is: only JSON shows that something is missing.
            expected = {DECODING} if call in (Call.VALUE, Call.RETRIED) else {SHORT}
        # URLSession sends it over a new connection, because it would send it again by itself over a kept one.
        if call is Call.BARE_POST and self.is_kept:
            expected, earliest = expected | {WHOLE}, 0
        # NetKit retries idempotent requests after each failure of the connection, but no response that it can't decode.
        # It doesn't retry a failure of TLS.
        if call is Call.RETRIED and not expected & {DECODING}:
            expected = {WHOLE} | (expected & {INSECURE})
        return Case(
            self.name,
            # A response takes longer than the idle timeout in all.
            Fault(effect, self.point, 10 if self.point.side == "request" else 40),
            outcome,
            call,
            frozenset(expected),
            path,
            self.length,
            earliest,
            latest,
            self.is_kept,
            self.is_secure,
        )


FRAMINGS = ["/large/length", "/large/chunked", "/large/close"]
BODY = {LOST, TRUNCATED}
#: The length of all chunks but the last.
DATA_CHUNKS = len(chunked(BODIES["large"])) - len(LAST_CHUNK)
THROTTLED = [Effect.DELAY, Effect.THROTTLE, Effect.SILENCE, *ENDS]
# A transport may connect again while nothing of the request has been sent.
UNSENT = {LOST, REFUSED, WHOLE}
# It may send a request again on its own that a kept connection lost, but never a POST: the origin counts them.
AGAIN = {LOST, WHOLE}

PHASES = [
    Phase("accepted", Point("accept"), UNSENT),
    Phase("in the request's head", Point("request", 20), {LOST}),
    Phase(
        "in the request's body",
        Point("request", 100_000, in_body=True),
        {LOST},
        [Call.POST],
        THROTTLED,
        length=8 << 20,
    ),
    Phase("before the response", Point("response"), {LOST}),
    Phase("in the status line", Point("response", 9), {LOST}),
    Phase("in the response's header fields", Point("response", 40), {LOST}),
    Phase("in the response's body", Point("response", 20_000, in_body=True), BODY, GETS, THROTTLED, FRAMINGS),
    # The data is whole, and the last chunk is missing.
    Phase("before the last chunk", Point("response", DATA_CHUNKS, in_body=True), BODY, GETS, ENDS, ["/large/chunked"]),
    # The next call takes another connection.
    Phase("on an idle connection", Point("idle"), {WHOLE}, list(Call), [Effect.SILENCE, *ENDS], is_kept=True),
    Phase("in a second request", Point("request", 20, exchange=1), AGAIN, list(Call), is_kept=True),
    Phase("before a second response", Point("response", exchange=1), AGAIN, list(Call), is_kept=True),
]
HANDSHAKE = {LOST, INSECURE, REFUSED}
SECURE_PHASES = [
    Phase("in the ClientHello", Point("request", 50), HANDSHAKE, [Call.RETRIED, Call.POST], is_secure=True),
    Phase("in the ServerHello", Point("response", 40), HANDSHAKE, [Call.VALUE, Call.POST], is_secure=True),
    # A body that the end of the connection ends needs a close_notify.
    Phase(
        "in the response's body over TLS",
        Point("response", 30_000),
        BODY,
        [Call.VALUE, Call.DOWNLOAD, Call.LINES],
        paths=FRAMINGS,
        is_secure=True,
    ),
]


def pieces() -> list[Case]:
    """Whole responses that arrive byte by byte, or at once."""
    phase, whole = "the whole exchange", frozenset({WHOLE})
    return [
        Case(phase, Fault(effect, Point("all")), WHOLE, call, whole, f"/small/{framing}", length=400)
        for effect in (Effect.BYTEWISE, Effect.COALESCED)
        for framing in ("length", "chunked", "close")
        for call in (CALLS if framing == "length" else GETS)
    ]


def proxied(is_secure: bool, is_short: bool) -> list[Case]:
    """The cases of the proxy. The short form has one call for each phase and effect, and no silence."""
    phases = SECURE_PHASES if is_secure else PHASES
    found = [case for phase in phases for case in phase.cases()] + ([] if is_secure else pieces())
    if not is_short:
        return found
    brief = {case.group: case for case in found if case.fault.effect not in (Effect.SILENCE, Effect.THROTTLE)}
    return list(brief.values())
