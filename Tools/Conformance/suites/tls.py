"""Good and bad certificates, as badssl.com has them, on a server of Python's ssl."""

from __future__ import annotations

import datetime
import re
import socket
import ssl
import subprocess
from dataclasses import dataclass, field
from typing import Callable

import httpx
import trustme
from conformance import ASYNC_HTTP_CLIENT, ENGINES, LIBCURL, URL_SESSION, Context, Known, Listener, Tally, versioned
from exchanges import Ask, netkit
from trust import DOMAIN, WHY_MISSING, may_mount, trusting

HTTPX = versioned("httpx")
CURL = "curl " + subprocess.run(["curl", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
CLIENTS = [*ENGINES, HTTPX, CURL]

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret"


class Server(Listener):
    """A TLS server that counts the requests it reads."""

    def __init__(self, context: ssl.SSLContext | None):
        self.context = context
        self.requests = 0
        super().__init__()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        try:
            with connection:
                if self.context is None:
                    connection.recv(4096)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    return
                with self.context.wrap_socket(connection, server_side=True) as secure:
                    data = b""
                    while b"\r\n\r\n" not in data and (piece := secure.recv(4096)):
                        data += piece
                    if b"\r\n\r\n" in data:
                        self.requests += 1
                        secure.sendall(RESPONSE)
                        secure.unwrap()
        except (OSError, ValueError):
            pass


@dataclass
class Row:
    group: str
    name: str
    # Makes the server's TLS context; None for a server without TLS.
    server: Callable[[], ssl.SSLContext] | None
    host: str = DOMAIN
    # What the error must say, or None where the client must connect.
    words: str | None = None
    # Whether the client shows its certificate.
    shows: bool = False
    clients: list[str] = field(default_factory=lambda: CLIENTS)


class Authorities:
    """The authorities of the rows. Only the root is trusted."""

    def __init__(self) -> None:
        self.root = trustme.CA()
        self.stranger = trustme.CA()
        self.middle = self.root.create_child_ca()
        self.clients = trustme.CA()
        self.client = self.clients.issue_cert("client@conformance.test")

    def context(self, certificate: trustme.LeafCert, chain: bool = True) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        pems = certificate.cert_chain_pems if chain else certificate.cert_chain_pems[:1]
        with (
            certificate.private_key_pem.tempfile() as key,
            trustme.Blob(b"".join(pem.bytes() for pem in pems)).tempfile() as file,
        ):
            context.load_cert_chain(file, key)
        return context


def rows(known: Authorities) -> list[Row]:
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)

    def issue(*names: str, by: trustme.CA = known.root, **more) -> Callable[[], ssl.SSLContext]:
        return lambda: known.context(by.issue_cert(*names, **more))

    def versions(oldest: ssl.TLSVersion, newest: ssl.TLSVersion) -> Callable[[], ssl.SSLContext]:
        def make() -> ssl.SSLContext:
            context = known.context(known.root.issue_cert(DOMAIN))
            # OpenSSL refuses old versions above this level.
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version, context.maximum_version = oldest, newest
            return context

        return make

    def asking() -> ssl.SSLContext:
        context = known.context(known.root.issue_cert(DOMAIN))
        context.verify_mode = ssl.CERT_REQUIRED
        # A newer version refuses only behind the handshake, when the client may have sent its request.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        known.clients.configure_trust(context)
        return context

    def self_signed() -> ssl.SSLContext:
        # An authority's own certificate, which signs itself.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        alone = trustme.CA()
        with alone.private_key_pem.tempfile() as key, alone.cert_pem.tempfile() as file:
            context.load_cert_chain(file, key)
        return context

    def incomplete() -> ssl.SSLContext:
        return known.context(known.middle.issue_cert(DOMAIN), chain=False)

    v = ssl.TLSVersion
    untrusted = "self.signed|unknown|issuer|untrusted"
    name = (
        "hostname|host name|mismatch|does not match|doesn't match|not valid for|no alternative certificate subject name"
        "|not one of this host"
    )
    # OpenSSL may refuse the hash of the old versions before it refuses the version.
    protocol = "protocol|version|legacy"
    return [
        Row("certificates", "valid", issue(DOMAIN)),
        Row("certificates", "valid for several hosts", issue("other.test", DOMAIN)),
        Row("certificates", "RSA", issue(DOMAIN, key_type=trustme.KeyType.RSA)),
        Row("certificates", "expired", issue(DOMAIN, not_before=now - 9 * day, not_after=now - day), words="expired"),
        Row(
            "certificates",
            "not yet valid",
            issue(DOMAIN, not_before=now + day, not_after=now + 9 * day),
            words="not yet valid",
        ),
        Row("names", "wrong host", issue("other.test"), words=name),
        Row("names", "wildcard", issue(f"*.{DOMAIN}"), f"a.{DOMAIN}"),
        Row("names", "wildcard too deep", issue(f"*.{DOMAIN}"), f"a.b.{DOMAIN}", name),
        Row("names", "wildcard for the domain itself", issue(f"*.{DOMAIN}"), DOMAIN, name),
        Row("names", "IP address", issue("127.0.0.1"), "127.0.0.1"),
        Row("names", "wrong IP address", issue("127.0.0.2"), "127.0.0.1", name),
        Row("names", "IP address for a host", issue("127.0.0.1"), DOMAIN, name),
        Row("names", "host for an IP address", issue(DOMAIN), "127.0.0.1", name),
        Row("names", "common name alone", issue(common_name=DOMAIN), words=name),
        Row("names", "common name beside another host", issue("other.test", common_name=DOMAIN), words=name),
        Row("chains", "untrusted root", issue(DOMAIN, by=known.stranger), words=untrusted),
        Row("chains", "self-signed", self_signed, words=untrusted),
        Row("chains", "with its intermediate", issue(DOMAIN, by=known.middle)),
        Row("chains", "without its intermediate", incomplete, words=untrusted),
        Row("versions", "TLS 1.3", versions(v.TLSv1_3, v.TLSv1_3)),
        Row("versions", "TLS 1.2", versions(v.TLSv1_2, v.TLSv1_2)),
        Row("versions", "TLS 1.1", versions(v.TLSv1_1, v.TLSv1_1), words=protocol),
        Row("versions", "TLS 1.0", versions(v.TLSv1, v.TLSv1), words=protocol),
        Row("versions", "no TLS", None, words="wrong.version|unknown protocol|ssl|record|tls"),
        Row(
            "client certificates not shown",
            "required",
            asking,
            words="certificate.required|handshake|alert|certificate",
        ),
        Row("client certificates shown", "required", asking, shows=True, clients=[LIBCURL, ASYNC_HTTP_CLIENT, HTTPX, CURL]),
    ]


def attempt(context: Context, client: str, row: Row, port: int, known: Authorities) -> tuple[bytes | None, str, str]:
    """The body, or None with the error's kind and text."""
    base = f"https://{row.host}:{port}"
    identity = known.client
    if client in ENGINES:
        tls = {"roots": known.root.cert_pem.bytes().decode()}
        if row.shows:
            tls["chain"] = "".join(pem.bytes().decode() for pem in identity.cert_chain_pems)
            tls["key"] = identity.private_key_pem.bytes().decode()
        found = netkit(context, client, base, [Ask()], tls=tls)[0]
        return (found.body, "", "") if found.status else (None, found.error or "", found.message)
    with known.root.cert_pem.tempfile() as root, identity.private_key_and_cert_chain_pem.tempfile() as shown:
        if client == CURL:
            command = [
                "curl",
                "-q",
                "-sS",
                "--noproxy",
                "*",
                "--cacert",
                root,
                "--resolve",
                f"{row.host}:{port}:127.0.0.1",
            ]
            done = subprocess.run(
                [*command, *(["--cert", shown] if row.shows else []), base], capture_output=True, timeout=60
            )
            return (done.stdout, "", "") if done.returncode == 0 else (None, "curl", done.stderr.decode())
        trusted = ssl.create_default_context(cafile=root)
        if row.shows:
            trusted.load_cert_chain(shown)
        try:
            with httpx.Client(trust_env=False, verify=trusted, timeout=20) as session:
                return session.get(base).content, "", ""
        except Exception as error:
            # Whatever a client raises is how it refuses.
            return None, type(error).__name__, str(error)


def problem(context: Context, client: str, row: Row, known: Authorities) -> str | None:
    server = Server(row.server() if row.server else None)
    try:
        body, kind, text = attempt(context, client, row, server.port, known)
    finally:
        server.close()
    if row.words is None:
        return None if body == b"secret" else f"it fails: {kind}: {text}"
    if body is not None or server.requests:
        return "it connects"
    if client in ENGINES and kind != "transport.secureConnection":
        return f"the error is {kind}: {text}"
    return None if re.search(row.words, text, re.IGNORECASE) else f"the error does not name the cause: {text}"


UNSAID = "BoringSSL's error says only that the verification failed, not why; nothing is sent."
KNOWN = [
    *(
        Known(name, ASYNC_HTTP_CLIENT, "engine", UNSAID)
        for name in ("expired", "not yet valid", "untrusted root", "self-signed", "without its intermediate")
    ),
    Known(
        "common name alone",
        URL_SESSION,
        "engine",
        "libcurl reads the common name of a certificate without other names.",
    ),
    Known(
        "common name alone",
        LIBCURL,
        "engine",
        "libcurl reads the common name of a certificate without other names.",
    ),
]


def run(context: Context) -> dict:
    source = f"badssl.com's kinds of certificates, made by {versioned('trustme')}"
    if not may_mount():
        return {"suite": "tls", "title": "Certificates", "source": source, "missing": WHY_MISSING}
    known, tally = Authorities(), Tally(CLIENTS)
    with trusting(context, known.root) as own:
        for row in rows(known):
            for client in row.clients:
                tally.record(row.group, row.name, client, problem(own, client, row, known))
    notes = [
        "A client passes where it connects to what it may trust, and refuses the rest before it has sent a request, "
        "with an error that names the cause: NetKit's is of the kind `secureConnection`.",
        "Over URLSession on Linux, a program can't present a client certificate: see Limits on Linux.",
    ]
    return tally.result("tls", "Certificates", source, KNOWN, notes)
