"""The clients of nine real servers, by Tools/scripts/conformance --servers."""
from __future__ import annotations

import re
import subprocess

from conformance import ASYNC_HTTP_CLIENT, LIBCURL, URL_SESSION, Context, Tally

#: .ci/run has a step of its own for it.
SHORT = False
CLIENTS = {"url-session": URL_SESSION, "curl": LIBCURL, "async-http-client": ASYNC_HTTP_CLIENT}
CASE = re.compile(r'◇ Test case passing .*?\bengine → ([a-z-]+)(.*) to ("(?:.|\n)*?") started\.')
ISSUE = re.compile(r'✘ Test (".*?") recorded an issue with .*?\bengine → ([a-z-]+)(.*)')


def run(context: Context) -> dict:
    script = context.repository / "Tools/scripts/conformance"
    command = [script, "--servers", "--scratch-path", context.driver_program.parents[2]]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    issues = [(found[2], found[1], found[3]) for found in ISSUE.finditer(process.stdout)]
    # The tests of the engines run in any order.
    order = list(CLIENTS)
    cases = sorted(CASE.finditer(process.stdout), key=lambda case: order.index(case[1]))
    if not cases or process.returncode and not issues:
        raise RuntimeError(f"Tools/scripts/conformance --servers failed: {process.stdout[-2000:]}")
    tally = Tally(list(CLIENTS.values()))
    for number, case in enumerate(cases):
        engine, others, name = case.groups()
        found = [text for one, test, text in issues if (one, test) == (engine, name) and text.startswith(others)]
        tally.record(f"over {engine}", f"{name}{others} {number}", CLIENTS[engine], found[0] if found else None)
    return tally.result(
        "servers",
        "Real servers",
        "nginx, docker-registry and etcd (Debian), httpbin, jupyter_server, wsgidav, strawberry-graphql, Authlib and mcp (PyPI)",
        notes=["The tests are NetKit's own; the servers know nothing of NetKit."],
    )
