"""The public tests of HTTP caches, by Tools/scripts/conformance --cache."""
from __future__ import annotations

import re
import subprocess

from conformance import ENGINES, Context, Known, Tally

#: A release build and some minutes.
SHORT = False
TITLE, SOURCE = "HTTP caches", "http-tests/cache-tests"

KNOWN = [
    Known(
        "*can't pass: the server names an unknown * coding*",
        "*",
        "engine",
        "The transport refuses a coding that it does not know.",
    ),
    Known("*can't pass: NetKit never replays Set-Cookie", "*", "design", "NetKit never replays Set-Cookie."),
    Known(
        "*can't pass: wants a response where the connection was closed*",
        "*",
        "design",
        "The test wants a response where the connection was closed; NetKit throws an error.",
    ),
    Known(
        "required: *depends on partial-store-complete-reuse-partial*",
        "*",
        "design",
        "NetKit stores no part of a response; the test needs a cache that answers a range from a whole one.",
    ),
    Known("optimal: *", "*", "design", "RFC 9111 allows it; the test finds another behavior more efficient."),
]


def run(context: Context) -> dict:
    checkout = context.data.get("cache-tests")
    if not checkout:
        missing = "--data cache-tests=FOLDER, a checkout of https://github.com/http-tests/cache-tests"
        return {"suite": "cache", "title": TITLE, "source": SOURCE, "missing": missing}
    script = context.repository / "Tools/scripts/conformance"
    output = subprocess.run([script, "--cache", checkout], stdout=subprocess.PIPE, text=True).stdout
    clients = {engine: client for client, engine in ENGINES.items()}
    tally = Tally(list(ENGINES))
    for report in output.split("=== ")[1:]:
        store, engine = report.split(maxsplit=2)[:2]
        client = clients[engine]
        totals = re.search(r"required (\d+)/(\d+), optimal (\d+)/(\d+)", report)
        if not totals:
            raise RuntimeError(f"Tools/scripts/conformance --cache printed no totals: {report[-500:]}")
        for kind, (passed, count) in {"required": totals.group(1, 2), "optimal": totals.group(3, 4)}.items():
            listed = re.search(rf"^{kind}, not passed: \d+\n((?:  .+\n?)*)", report, re.MULTILINE)
            failures = [line.strip() for line in listed[1].splitlines()] if listed else []
            if len(failures) != int(count) - int(passed):
                raise RuntimeError(f"Tools/scripts/conformance --cache lists {len(failures)} failures of {kind}")
            # The report names only what isn't passed, so that the cases have numbers.
            problems = [None] * int(passed) + failures
            for number, problem in enumerate(problems):
                tally.record(f"{kind}, {store}", str(number), client, problem, f"{kind}: {problem}")
    if not tally.cases:
        raise RuntimeError("Tools/scripts/conformance --cache failed without a report")
    found = subprocess.run(
        ["git", "-C", checkout, "log", "-1", "--format=%h of %cs"], capture_output=True, text=True
    ).stdout.strip()
    return tally.result(
        "cache",
        TITLE,
        f"{SOURCE} {found}".strip(),
        KNOWN,
        [
            "The tests that only describe a cache's behavior are not counted.",
            "A run without `--data cache-tests=FOLDER` keeps this result.",
        ],
    )
