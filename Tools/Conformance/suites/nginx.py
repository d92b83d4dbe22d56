"""nginx: ranges, conditions, HTTP/2, early answers, and connections that end."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import httpx
import trustme
from conformance import ASYNC_HTTP_CLIENT, ENGINES, LIBCURL, Context, Known, Tally, free_port, versioned
from exchanges import Outcome, converse, first, same
from trust import DOMAIN, WHY_MISSING, may_mount, trusting

# It takes a minute.
SHORT = False
HTTPX = f"{versioned('httpx')} with {versioned('h2')}"
CLIENTS = [*ENGINES, HTTPX]
LARGE = random.Random(9110).randbytes(3_000_000)
LINES = "".join(f"line {number} of a text that compresses well\n" for number in range(20_000)).encode()
PORTS = ["PLAIN", "OLD", "SECURE", "FEWPLAIN", "FEWSECURE", "BRIEFPLAIN", "BRIEFSECURE"]


def version() -> str:
    found = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=True).stderr
    return "nginx " + re.search(r"nginx/(\S+)", found)[1]


@dataclass
class Site:
    """A running nginx."""

    folder: Path
    ports: dict[str, int]

    def base(self, name: str) -> str:
        scheme, host = ("http", "127.0.0.1") if "PLAIN" in name else ("https", DOMAIN)
        return f"{scheme}://{host}:{self.ports[name]}"

    def served(self, mark: str) -> list[str]:
        """The targets below a mark that nginx has logged, once it has logged all."""
        log, lines = self.folder / "access.log", None
        while lines != (found := log.read_text().splitlines()):
            lines = found
            time.sleep(0.1)
        return [line.split()[1] for line in lines if f" {mark}/" in line]


def launch(context: Context, folder: Path, port: int) -> None:
    """Starts nginx with the servers of `servers.conf` in its folder."""
    shutil.copy(Path(__file__).with_name("nginx.conf"), folder)
    context.start(["nginx", "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"], port)


def start(context: Context, authority: trustme.CA) -> Site:
    folder = context.work / "nginx"
    (folder / "www").mkdir(parents=True)
    ports = {name: free_port() for name in PORTS}
    for source, target in (("nginx_servers.conf", "servers.conf"), ("nginx_site.conf", "site.conf")):
        text = (Path(__file__).parent / source).read_text()
        for name, port in ports.items():
            text = text.replace(f"@{name}@", str(port))
        # A relative alias is one below the program's own folder, not of -p.
        (folder / target).write_text(
            text.replace("alias www/", f"alias {folder}/www/").replace("root www", f"root {folder}/www")
        )
    (folder / "www/large.bin").write_bytes(LARGE)
    (folder / "www/lines.txt").write_bytes(LINES)
    (folder / "www/hello.txt").write_text("hello")
    os.utime(folder / "www/hello.txt", (1_000_000_000, 1_000_000_000))
    certificate = authority.issue_cert(DOMAIN)
    (folder / "server.pem").write_bytes(b"".join(pem.bytes() for pem in certificate.cert_chain_pems))
    (folder / "server.key").write_bytes(certificate.private_key_pem.bytes())
    launch(context, folder, ports["PLAIN"])
    return Site(folder, ports)


@dataclass
class Request:
    path: str
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)
    body: Path | None = None
    download: Path | None = None


class Client:
    """One client, which keeps its connections between the requests of a case."""

    def __init__(self, context: Context, name: str, authority: trustme.CA):
        self.context, self.name, self.authority = context, name, authority

    def send(self, base: str, requests: list[Request], width: int = 1, pause: float = 0) -> list[Outcome]:
        if self.name in ENGINES:
            return self.converse(base, requests, width, pause)
        with self.authority.cert_pem.tempfile() as root:
            trusted = httpx.create_ssl_context(verify=root, trust_env=False)
            with httpx.Client(
                trust_env=False, http2=True, verify=trusted, timeout=60, follow_redirects=True
            ) as session:

                def one(request: Request) -> Outcome:
                    try:
                        found = session.request(
                            request.method,
                            base + request.path,
                            headers=request.headers,
                            content=request.body.read_bytes() if request.body else None,
                        )
                    except Exception as error:
                        # Whatever a client raises is how it refuses.
                        return Outcome(error=type(error).__name__, message=str(error))
                    finally:
                        time.sleep(pause)
                    return Outcome(found.status_code, found.headers.multi_items(), found.content, str(found.url))

                with ThreadPoolExecutor(width) as pool:
                    return list(pool.map(one, requests))

    def converse(self, base: str, requests: list[Request], width: int, pause: float) -> list[Outcome]:
        # A connection may end while a request is on its way; NetKit's default is one retry.
        more = {"retries": {"maximum": 1}} if pause else {}
        steps = []
        for request in requests:
            step = {
                "engine": ENGINES[self.name],
                "method": request.method,
                "path": request.path,
                "headers": [list(pair) for pair in request.headers.items()],
            }
            if request.body:
                step["body"] = {"kind": "file", "path": str(request.body)}
            if request.download:
                step["download"] = str(request.download)
            if pause:
                step["pause"] = pause
            steps.append(step)
        tls = {"roots": self.authority.cert_pem.bytes().decode()}
        return converse(self.context, self.name, base, steps, tls=tls, atATime=width, **more)


Check = Callable[[Site, Client, str], "str | None"]


def asks(request: Request, status: int, body: bytes | None = None, **fields: str | None) -> Check:
    def check(site: Site, client: Client, server: str) -> str | None:
        found = client.send(site.base(server), [request])[0]
        return first(
            f"it fails: {found}" if found.status is None else None,
            same("the status", found.status, status),
            same("the body", found.body, body) if body is not None else None,
            *(same(name, found.value(name.replace("_", "-")), value) for name, value in fields.items()),
        )

    return check


def conditional(name: str, field_name: str, status: int) -> Check:
    """Asks with the validator that a first response has."""

    def check(site: Site, client: Client, server: str) -> str | None:
        validator = client.send(site.base(server), [Request("/large.bin", "HEAD")])[0].value(field_name) or ""
        return asks(Request("/large.bin", headers={name: validator}), status)(site, client, server)

    return check


def if_range(is_same: bool) -> Check:
    def check(site: Site, client: Client, server: str) -> str | None:
        tag = client.send(site.base(server), [Request("/large.bin", "HEAD")])[0].value("ETag") or ""
        headers = {"Range": "bytes=0-9", "If-Range": tag if is_same else '"other"'}
        status, body = (206, LARGE[:10]) if is_same else (200, LARGE)
        return asks(Request("/large.bin", headers=headers), status, body)(site, client, server)

    return check


def downloaded(site: Site, client: Client, server: str) -> str | None:
    """A response goes to a file."""
    file = site.folder / f"{server}-{ENGINES[client.name]}.bin"
    found = client.send(site.base(server), [Request("/large.bin", download=file)])[0]
    return first(
        same("the status", found.status, 200),
        same("the file", file.read_bytes() == LARGE if file.exists() else None, True),
    )


def uploads(path: str, status: int) -> Check:
    """16 MiB that the server does not read before it answers."""

    def check(site: Site, client: Client, server: str) -> str | None:
        body = site.folder / "upload"
        if not body.exists():
            body.write_bytes(bytes(16 << 20))
        found = client.send(site.base(server), [Request(path, "POST", body=body)])[0]
        return f"it fails: {found}" if found.status is None else same("the status", found.status, status)

    return check


def many(count: int, width: int, pause: float = 0) -> Check:
    """Requests over connections that end: each has one answer, and reaches the server once."""

    def check(site: Site, client: Client, server: str) -> str | None:
        mark = f"/echo/{server}/{CLIENTS.index(client.name)}/{count}-{width}"
        found = client.send(site.base(server), [Request(f"{mark}/{number}") for number in range(count)], width, pause)
        wrong = [outcome for number, outcome in enumerate(found) if outcome.body != f"GET {mark}/{number} ".encode()]
        if wrong:
            return f"{len(wrong)} of {count} fail: {wrong[0]}"
        served = Counter(site.served(mark))
        return same("the requests at the server", served, Counter(f"{mark}/{number}" for number in range(count)))

    return check


def transfers(count: int, width: int) -> Check:
    """Large responses at once, over connections that end."""

    def check(site: Site, client: Client, server: str) -> str | None:
        found = client.send(site.base(server), [Request("/large.bin") for _ in range(count)], width)
        wrong = [outcome for outcome in found if outcome.body != LARGE]
        return f"{len(wrong)} of {count} fail: {wrong[0]}" if wrong else None

    return check


def cases() -> list[tuple[str, str, str, Check, list[str]]]:
    """The group, the name, the server, the check and the clients."""
    found = []

    def add(group: str, name: str, servers: str, check: Check, clients: list[str] = CLIENTS) -> None:
        for server, title in (("PLAIN", "HTTP/1.1"), ("OLD", "TLS"), ("SECURE", "HTTP/2")):
            if server in servers.split():
                found.append((group, f"{name}, {title}", server, check, clients))

    every = "PLAIN OLD SECURE"
    netkit = list(ENGINES)

    def ranged(value: str) -> Request:
        return Request("/large.bin", headers={"Range": value, "Accept-Encoding": "identity"})

    add("versions", "the protocol", "PLAIN OLD", asks(Request("/protocol"), 200, b"HTTP/1.1"))
    add("versions", "the protocol", "SECURE", asks(Request("/protocol"), 200, b"HTTP/2.0"))
    add(
        "ranges",
        "the first bytes",
        every,
        asks(ranged("bytes=0-9"), 206, LARGE[:10], Content_Range="bytes 0-9/3000000"),
    )
    add(
        "ranges",
        "the last bytes",
        every,
        asks(ranged("bytes=-5"), 206, LARGE[-5:], Content_Range="bytes 2999995-2999999/3000000"),
    )
    add("ranges", "from a byte on", every, asks(ranged("bytes=2999990-"), 206, LARGE[-10:]))
    add("ranges", "beyond the end", every, asks(ranged("bytes=0-9999999"), 206, LARGE))
    add("ranges", "behind the end", every, asks(ranged("bytes=3000000-"), 416, Content_Range="bytes */3000000"))
    add("ranges", "that are none", every, asks(ranged("bytes=9-0"), 416))
    add(
        "ranges",
        "of a server without them",
        every,
        asks(Request("/no-ranges.bin", headers={"Range": "bytes=0-9"}), 200, LARGE),
    )
    add("ranges", "If-Range that holds", every, if_range(True))
    add("ranges", "If-Range that fails", every, if_range(False))
    add("downloads", "to a file", every, downloaded, netkit)
    add("conditions", "If-None-Match", every, conditional("If-None-Match", "ETag", 304))
    add("conditions", "If-Modified-Since", every, conditional("If-Modified-Since", "Last-Modified", 304))
    add("conditions", "If-Unmodified-Since", every, conditional("If-Unmodified-Since", "Last-Modified", 200))
    add("conditions", "If-Match", every, conditional("If-Match", "ETag", 200))
    add("conditions", "If-Match that fails", every, asks(Request("/large.bin", headers={"If-Match": '"other"'}), 412))
    add("responses", "gzip", every, asks(Request("/lines.txt"), 200, LINES))
    add("responses", "HEAD", every, asks(Request("/large.bin", "HEAD"), 200, b"", Content_Length="3000000"))
    add("responses", "a redirect", every, asks(Request("/moved"), 200, b"hello"))
    add("responses", "a missing file", every, asks(Request("/nowhere"), 404))
    add(
        "responses",
        "a connection without an answer",
        every,
        lambda site, client, server: same(
            "an answer", client.send(site.base(server), [Request("/dropped")])[0].status, None
        ),
    )
    add("early answers", "a body that is too large", "PLAIN OLD", uploads("/small", 413))
    add("early answers", "a refusal", "PLAIN OLD", uploads("/refused", 403))
    # Over URLSession such a call can be lost: see "Limits on Linux". httpx waits for the server to read.
    add("early answers over HTTP/2", "a body that is too large", "SECURE", uploads("/small", 413), [LIBCURL, ASYNC_HTTP_CLIENT])
    add("early answers over HTTP/2", "a refusal", "SECURE", uploads("/refused", 403), [LIBCURL, ASYNC_HTTP_CLIENT])
    add("many requests", "100 at a time", every, many(400, 100))
    add("many requests", "20 large responses", every, transfers(20, 8))
    for server, title in (
        ("FEWPLAIN", "connections of 5 requests, HTTP/1.1"),
        ("FEWSECURE", "GOAWAY after 5 requests"),
    ):
        # How many of httpx's requests fail after GOAWAY differs from run to run.
        clients = CLIENTS if server == "FEWPLAIN" else netkit
        found.append((title, f"60 in turn, {title}", server, many(60, 1), clients))
        found.append((title, f"200, 8 at a time, {title}", server, many(200, 8), clients))
        found.append((title, f"20 large responses, 4 at a time, {title}", server, transfers(20, 4), clients))
    for server, title in (
        ("BRIEFPLAIN", "connections that end after 1 s, HTTP/1.1"),
        ("BRIEFSECURE", "GOAWAY after 1 s"),
    ):
        # httpx does not repeat a request that meets the end of its connection.
        found.append((title, f"4 with 1 s between, {title}", server, many(4, 1, 1.0), netkit))
    return found


KNOWN: list[Known] = []


def run(context: Context) -> dict:
    source = version()
    if not may_mount():
        return {"suite": "nginx", "title": "nginx", "source": source, "missing": WHY_MISSING}
    authority = trustme.CA()
    site = start(context, authority)
    tally = Tally(CLIENTS)
    with trusting(context, authority) as own:
        for group, name, server, check, clients in cases():
            for client in clients:
                tally.record(group, name, client, check(site, Client(own, client, authority), server))
    notes = [
        "A request over a connection that ends has one answer, and nginx has logged it once.",
        "httpx loses requests where HTTP/2's GOAWAY ends a connection, a different number in every run: not counted.",
        "Over URLSession, an upload that is refused early over HTTP/2 is not run: see Limits on Linux.",
    ]
    return tally.result("nginx", "nginx", source, KNOWN, notes)
