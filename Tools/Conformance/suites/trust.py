"""A driver that trusts an authority of the suite's and knows its hosts, over URLSession too."""

from __future__ import annotations

import contextlib
import shlex
import socket
import subprocess
from pathlib import Path
from typing import Iterator
from unittest import mock

import trustme
from conformance import Context
from exchanges import own_driver

BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
# The hosts of the certificates; all lead to 127.0.0.1.
DOMAIN = "conformance.test"
HOSTS = [DOMAIN, f"a.{DOMAIN}", f"a.b.{DOMAIN}", "other.test"]
WHY_MISSING = "a machine where a file may be mounted over the system's, for the driver alone (`unshare --mount`)"


def may_mount() -> bool:
    return BUNDLE.exists() and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


@contextlib.contextmanager
def trusting(context: Context, authority: trustme.CA) -> Iterator[Context]:
    """The same context with a driver for which the authority is one of the system's, and the hosts are this machine."""
    folder = context.work / "trust"
    folder.mkdir(exist_ok=True)
    bundle, hosts = folder / "bundle.pem", folder / "hosts"
    bundle.write_bytes(BUNDLE.read_bytes() + authority.cert_pem.bytes())
    hosts.write_text("".join(f"127.0.0.1 {name}\n" for name in ["localhost", *HOSTS]))
    mounts = " && ".join(
        f"mount --bind {shlex.quote(str(source))} {target}"
        for source, target in ((bundle, BUNDLE), (hosts, "/etc/hosts"))
    )
    inner = f"{mounts} && exec {shlex.quote(str(context.driver_program))}"
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", inner]
    find = socket.getaddrinfo

    def known(host: str | bytes | None, *rest: object, **more: object) -> list:
        name = host.decode() if isinstance(host, bytes) else host
        return find("127.0.0.1" if name in HOSTS else host, *rest, **more)

    # The clients in this process know the hosts too.
    with own_driver(context, *command) as own, mock.patch.object(socket, "getaddrinfo", known):
        yield own
