"""A link of the suite's own that loses, delays, duplicates and reorders packets.

Unlike netem's, the same packets in every run, and without a module of the kernel.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import itertools
import os
import select
import struct
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

TUN = Path("/dev/net/tun")
WHY_MISSING = "Lost, reordered and duplicated packets are not run: they need a network namespace and /dev/net/tun."
#: The server's address, and the one under which clients reach it through the link.
SERVER, CLIENTS_SERVER = "10.91.10.1", "10.91.10.2"
LATENESS = 0.02
CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def may_link() -> bool:
    return TUN.exists() and subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0


@dataclass(frozen=True)
class Impairment:
    """Which packets are lost, sent twice and reordered: every so many-th in each direction; 0 for none."""

    lost: int = 0
    duplicated: int = 0
    #: They arrive LATENESS later, behind others.
    reordered: int = 0
    #: Of each packet, in seconds.
    delay: float = 0
    #: After how many packets the link is cut.
    cut: int = 0


class FaultyLink:
    """A TUN device in a network namespace: a packet from a client to `CLIENTS_SERVER` arrives at `SERVER`.

    The namespace belongs to a thread, and is gone with it and its sockets.
    """

    def __init__(self) -> None:
        self._impairment, self._port = Impairment(), 0
        self._numbers = [itertools.count(1), itertools.count(1)]
        self._ready = threading.Event()
        self._wake, self._waking = os.pipe()
        self._jobs: list[Callable[[], None]] = []
        self._queue: list[tuple[float, int, bytes]] = []
        self._order = itertools.count()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._problem:
            raise self._problem

    def __enter__(self) -> FaultyLink:
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._waking, b"x")
        self._thread.join()

    def change(self, impairment: Impairment, port: int) -> None:
        """Another impairment from the next packet on. The server's port tells the directions apart."""
        self._numbers = [itertools.count(1), itertools.count(1)]
        self._impairment, self._port = impairment, port

    def command(self, program: Path) -> list[str | Path]:
        """The command that runs a program in the namespace."""
        return ["nsenter", f"--net=/proc/{os.getpid()}/fd/{self._namespace}", program]

    def within(self, make: Callable[[], object]) -> object:
        """What a function returns that is called in the namespace, such as a server."""
        result: list[object] = []
        done = threading.Event()

        def job() -> None:
            result.append(make())
            done.set()

        self._jobs.append(job)
        os.write(self._waking, b"j")
        done.wait()
        return result[0]

    def _run(self) -> None:
        try:
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "unshare")
            device = os.open(TUN, os.O_RDWR)
            fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"faults", IFF_TUN | IFF_NO_PI))
            for command in ("link set lo up", f"addr add {SERVER}/24 dev faults", "link set faults up"):
                subprocess.run(["ip", *command.split()], check=True)
            self._namespace = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        except (OSError, subprocess.CalledProcessError) as error:
            self._problem = error
            return
        finally:
            self._ready.set()
        self._carry(device)
        for descriptor in (device, self._namespace, self._wake, self._waking):
            os.close(descriptor)

    def _carry(self, device: int) -> None:
        while True:
            wait = max(0, self._queue[0][0] - time.monotonic()) if self._queue else None
            ready, _, _ = select.select([device, self._wake], [], [], wait)
            if self._wake in ready:
                if os.read(self._wake, 1) == b"x":
                    return
                self._jobs.pop(0)()
            if device in ready:
                self._take(os.read(device, 1 << 16))
            while self._queue and self._queue[0][0] <= time.monotonic():
                os.write(device, heapq.heappop(self._queue)[2])

    def _take(self, packet: bytes) -> None:
        if packet[0] >> 4 != 4:
            # IPv6's own housekeeping.
            return
        impairment, source, target = self._impairment, packet[12:16], packet[16:20]
        (port,) = struct.unpack_from("!H", packet, (packet[0] & 15) * 4)
        number = next(self._numbers[port == self._port])
        if impairment.cut and number > impairment.cut or impairment.lost and number % impairment.lost == 0:
            return
        # Both addresses exchanged, with the same checksum: the server hears a client at `CLIENTS_SERVER`.
        packet = packet[:12] + target + source + packet[20:]
        due = time.monotonic() + impairment.delay
        if impairment.reordered and number % impairment.reordered == 0:
            due += LATENESS
        for _ in range(2 if impairment.duplicated and number % impairment.duplicated == 0 else 1):
            heapq.heappush(self._queue, (due, next(self._order), packet))
