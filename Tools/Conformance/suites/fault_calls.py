"""The calls of the suite `faults`, and the outcomes that they may have."""

from __future__ import annotations

import enum
from pathlib import Path

from conformance import ENGINES
from exchanges import Outcome
from faulty_origin import BODIES

#: The idle timeout of each call, in seconds.
IDLE = 3.0
#: How late an outcome may be beyond its limit, in seconds, while all cases share the machine's cores.
MARGIN = 4.0

# Outcomes: a whole value, a part of one, and the kinds of errors.
WHOLE, SHORT = "whole", "short"
TIMEOUT, DECODING = "timeout", "decoding"
REFUSED, LOST = "transport.cannotConnect", "transport.connectionLost"
TRUNCATED, INSECURE = "transport.truncatedResponse", "transport.secureConnection"


class Call(enum.Enum):
    """What a client does."""

    #: It decodes JSON.
    VALUE = "value"
    #: The same with one retry.
    RETRIED = "value with a retry"
    #: The body is in memory, and the endpoint would retry if the method allowed it.
    POST = "POST"
    BARE_POST = "POST without a body"
    DOWNLOAD = "download"
    LINES = "lines"

    @property
    def is_post(self) -> bool:
        return self in (Call.POST, Call.BARE_POST)

    def step(self, engine: str, path: str, length: int, file: Path) -> dict:
        """The call in the driver's form: of a path, with a body of a length, or to a file."""
        value: dict = {"engine": ENGINES[engine], "path": path}
        if self.is_post:
            value |= {"method": "POST", "path": "/received"}
        if self is Call.POST:
            value["body"] = {"kind": "letters", "length": length}
        elif self is Call.DOWNLOAD:
            value["download"] = str(file)
        elif self is Call.LINES:
            value["reading"] = "lines"
        elif not self.is_post:
            value["reading"] = "json"
        return value

    def result(self, found: Outcome, path: str) -> str:
        """`whole`, `short`, the kind of the error, or what no call may end with."""
        content = b"[]" if self.is_post else BODIES[path.split("/")[1]]
        if found.error:
            if not found.message:
                return f"{found.error} without a message"
            if found.file is not None:
                return f"{found.error}, and a file of {len(found.file)} bytes"
            if self is Call.LINES and not content.startswith(found.body):
                return f"{found.error} after the line {found.body[-20:]!r}"
            return found.error
        body = (found.file or b"") if self is Call.DOWNLOAD else found.body
        if body == content:
            return WHOLE
        # The last line has no end.
        return SHORT if content.startswith(body.removesuffix(b"\n")) else f"the body {body[:80]!r}"


def late(found: Outcome, earliest: float = 0, latest: float = MARGIN) -> str | None:
    """Whether a call ended before or after its time."""
    return None if earliest <= found.seconds <= latest else f"it ends after {found.seconds:.2f} s"
