"""A driver without descriptors, with a full disk, or with a system clock that jumps."""

from __future__ import annotations

import contextlib
import shlex
import struct
import subprocess
import threading
import time
from pathlib import Path

from conformance import ENGINES, Context
from exchanges import Outcome, converse, first, own_driver, same
from fault_calls import IDLE, MARGIN, TIMEOUT, WHOLE, late
from faulty_origin import BODIES, Origin

DESCRIPTORS, CALLS = 64, 200
#: In MiB, and less than the body `huge`.
DISK = 1
HOUR = 3600


def started(context: Context, commands: str) -> contextlib.AbstractContextManager[Context]:
    """A context whose driver a shell starts, after some commands."""
    return own_driver(context, "sh", "-c", f"{commands} {shlex.quote(str(context.driver_program))}")


def url(origin: Origin) -> str:
    return f"http://127.0.0.1:{origin.port}"


def get(engine: str, path: str, **more: object) -> dict:
    return {"engine": ENGINES[engine], "path": path, **more}


def ended(outcome: Outcome) -> str:
    return WHOLE if outcome.status == 200 and not outcome.error else f"{outcome.error}: {outcome.message}"


def descriptors(context: Context, engine: str) -> str | None:
    """More calls at once than descriptors: each has a value or a typed error, and later calls work."""
    path = "/small/length"
    with (
        Origin(pause=lambda: time.sleep(0.5)) as origin,
        started(context, f"ulimit -n {DESCRIPTORS}; exec") as own,
    ):
        calls = [get(engine, path)] * CALLS
        found = converse(own, engine, url(origin), calls, atATime=CALLS, connections=CALLS, idle=10)
        failed = [one for one in found if one.body != BODIES["small"]]
        wrong, whole = [one for one in failed if not (one.error or "").startswith("transport.")], CALLS - len(failed)
        later = converse(own, engine, url(origin), [get(engine, path)] * 3)
    return first(
        f"{len(wrong)} of {CALLS} end with {wrong[0]}" if wrong else None,
        # Half of the descriptors at least are connections, and others find none.
        f"{whole} of {CALLS} are whole" if not DESCRIPTORS / 2 < whole < CALLS else None,
        *(late(one, latest=0.5 + MARGIN) for one in found),
        *(same("a later call", ended(one), WHOLE) for one in later),
    )


def disk(context: Context, engine: str, commands: str, folder: Path) -> str | None:
    """A download that finds no room fails with the reason, leaves no file, and disturbs no other call."""
    with Origin() as origin, started(context, commands) as own:
        huge = get(engine, "/huge/length", download=str(folder / f"huge-{ENGINES[engine]}"))
        large = get(engine, "/large/length", download=str(context.work / f"{folder.name}-large-{ENGINES[engine]}"))
        # The second download of the file resumes the first.
        calls = [huge, get(engine, "/large/length"), huge, large]
        full, value, again, other = converse(own, engine, url(origin), calls)
    for one in (full, again):
        if one.error != "transport.other" or not one.message.endswith("the disk is full") or one.file is not None:
            return f"a download ends with {one}, and a file: {one.file is not None}"
    return first(
        same("the next call", ended(value), WHOLE),
        same("a download to another disk", ended(other), WHOLE),
        None if other.file == BODIES["large"] else "the file on another disk is another",
    )


def full_disk(context: Context, engine: str) -> str | None:
    folder = context.work / "full-disk"
    folder.mkdir(exist_ok=True)
    mount = f"mount -t tmpfs -o size={DISK}m none {shlex.quote(str(folder))}"
    return disk(context, engine, f"exec unshare --mount --propagation private sh -c '{mount} && exec \"$0\"'", folder)


def file_limit(context: Context, engine: str) -> str | None:
    folder = context.work / "file-limit"
    folder.mkdir(exist_ok=True)
    # In blocks of 512 bytes. The signal would end the process.
    return disk(context, engine, f"trap '' XFSZ; ulimit -f {DISK << 11}; exec", folder)


def clock_library(context: Context) -> Path:
    """The library that makes the driver's system clock jump."""
    library = context.work / "clock_jump.so"
    source = Path(__file__).with_name("clock_jump.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return library


JUMPS = {"an hour ahead": HOUR, "an hour back": -HOUR}


def clock(context: Context, library: Path, engine: str, jump: int, name: str) -> str | None:
    """The clock jumps while the client waits for the first response, or behind it."""
    offset = context.work / f"clock-{ENGINES[engine]}-{jump}-{name.split()[0]}"
    offset.write_bytes(struct.pack("q", 0))

    def leap() -> None:
        # In place, because the driver has mapped it.
        with open(offset, "r+b") as file:
            file.write(struct.pack("q", jump))

    def pause() -> None:
        threading.Timer(0.3, leap).start()
        time.sleep({"silence": 3 * IDLE, "delay": 0.7}.get(name, 0))

    path = "/busy/length" if name == "Retry-After" else "/small/length"
    settings: dict = {"idle": IDLE}
    calls = [get(engine, path)]
    if name == "Retry-After":
        settings["retries"] = {"maximum": 1}
    elif name == "cache":
        settings["cache"] = True
        calls = [get(engine, path, pause=0.6), get(engine, path)]
    preload = f"CLOCK_JUMP={offset} LD_PRELOAD={library} exec"
    with Origin(pause=pause) as origin, started(context, preload) as own:
        found = converse(own, engine, url(origin), calls, **settings)
    expected, earliest = {
        "silence": (TIMEOUT, IDLE),
        "delay": (WHOLE, 0.7),
        "Retry-After": (WHOLE, 1),
        "cache": (WHOLE, 0),
    }[name]
    kinds = [one.error if one.error == TIMEOUT else ended(one) for one in found]
    return first(
        *(same("the end", kind, expected) for kind in kinds),
        late(found[0], earliest, earliest + MARGIN),
        # What was fresh for ten minutes is stale. RFC 9111 doesn't say how old a response from the future is.
        same("the requests", len(origin.requests), 2) if name == "cache" and jump > 0 else None,
    )
