"""A TCP proxy on 127.0.0.1 that disturbs a connection at one byte of it."""

from __future__ import annotations

import enum
import itertools
import selectors
import socket
import struct
import threading
import time
from dataclasses import dataclass

from conformance import Listener

HEAD_END = b"\r\n\r\n"


class Effect(enum.Enum):
    """What happens to a connection."""

    DELAY = "delay"
    THROTTLE = "throttled"
    # Nothing arrives any more in either direction, and the connection stays open.
    SILENCE = "silence"
    FIN = "FIN"
    # What the client sends still arrives at the server.
    HALF_FIN = "FIN to the client alone"
    RESET = "RST"
    BYTEWISE = "byte by byte"
    COALESCED = "coalesced"


#: How long DELAY holds the bytes, in seconds.
DELAY = 0.7
#: How often THROTTLE forwards a piece, in seconds.
PACE = 0.1
#: After how many seconds without a byte a connection is idle, and coalesced bytes are forwarded.
QUIET = 0.15


@dataclass(frozen=True)
class Point:
    """A byte of a connection: one in a head or a body of what the client or the server sends."""

    # `accept`, `request`, `response`, `idle` for the pause after a whole exchange, or `all` for every byte.
    side: str
    offset: int = 0
    # Whether the offset counts from the end of the head.
    in_body: bool = False
    # The number of exchanges before, which have no bodies.
    exchange: int = 0

    def position(self, seen: bytes) -> int | None:
        """Where the byte is in what a side has sent; None if its head isn't complete."""
        start = 0
        for _ in range(self.exchange + self.in_body):
            end = seen.find(HEAD_END, start)
            if end < 0:
                return None
            start = end + len(HEAD_END)
        return start + self.offset


@dataclass(frozen=True)
class Fault:
    effect: Effect
    point: Point
    # Into how many pieces THROTTLE divides the rest.
    pieces: int = 1


class FaultyProxy(Listener):
    """Forwards each connection to a server, and disturbs the first one."""

    def __init__(self, port: int, fault: Fault | None):
        self.target, self.fault = port, fault
        self.over = threading.Event()
        self.has_happened = False
        self._numbers = itertools.count()
        super().__init__()
        # So that a client is still sending a large body when a fault happens.
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)

    def close(self) -> None:
        self.over.set()
        super().close()

    def _serve(self, connection: socket.socket) -> None:
        fault = self.fault if next(self._numbers) == 0 else None
        try:
            with connection, socket.create_connection(("127.0.0.1", self.target)) as server:
                for end in (connection, server):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                Forwarding(connection, server, fault, self).run()
        except OSError:
            # One of the two has reset its connection; the other's is closed.
            pass


class Forwarding:
    """One connection through the proxy."""

    def __init__(self, client: socket.socket, server: socket.socket, fault: Fault | None, proxy: FaultyProxy):
        self.client, self.server, self.fault, self.proxy = client, server, fault, proxy
        self.seen = {client: bytearray(), server: bytearray()}
        # The sides that haven't sent a FIN.
        self.open = {client, server}

    def run(self) -> None:
        if self.fault and self.fault.point.side == "all":
            self.proxy.has_happened = True
        if self.fault and self.fault.point.side == "accept" and not self.happen():
            return
        with selectors.DefaultSelector() as selector:
            for end in (self.client, self.server):
                selector.register(end, selectors.EVENT_READ)
            while self.open and not self.proxy.over.is_set():
                ready = selector.select(QUIET)
                if not ready and self.is_idle() and not self.happen():
                    return
                for key, _ in ready:
                    if not self.forward(key.fileobj):
                        return
                    if key.fileobj not in self.open:
                        selector.unregister(key.fileobj)

    def is_idle(self) -> bool:
        return bool(self.fault and self.fault.point.side == "idle" and self.seen[self.server])

    def forward(self, source: socket.socket) -> bool:
        """Forwards what a side has sent. Returns False when the connection is over."""
        target = self.server if source is self.client else self.client
        data = source.recv(1 << 16)
        if not data:
            self.open.discard(source)
            target.shutdown(socket.SHUT_WR)
            return True
        effect = self.fault.effect if self.fault else None
        if effect is Effect.BYTEWISE:
            self.send(target, data, len(data), 0.0002)
            return True
        if effect is Effect.COALESCED:
            target.sendall(data + self.rest(source))
            return True
        seen = self.seen[source]
        passed = len(seen)
        seen += data
        if self.fault and self.fault.point.side == ("request" if source is self.client else "response"):
            position = self.fault.point.position(seen)
            if position is not None and position < len(seen):
                target.sendall(seen[passed:position])
                data = bytes(seen[max(position, passed) :])
                pieces, is_throttled = self.fault.pieces, effect is Effect.THROTTLE
                if not self.happen(data if source is self.client else b""):
                    return False
                if is_throttled:
                    self.send(target, data + self.rest(source), pieces, PACE)
                    return True
        target.sendall(data)
        return True

    def happen(self, unsent: bytes = b"") -> bool:
        """Carries out the fault. Returns False when the connection is over.

        `unsent` has arrived from the client, and isn't forwarded yet.
        """
        effect, self.fault = self.fault.effect, None
        self.proxy.has_happened = True
        if effect is Effect.DELAY:
            time.sleep(DELAY)
        elif effect is Effect.SILENCE:
            self.proxy.over.wait(60)
            return False
        elif effect is Effect.RESET:
            self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.client.close()
            return False
        elif effect is Effect.FIN:
            self.client.shutdown(socket.SHUT_WR)
            self.server.close()
            # Without unread bytes, because the system would send a RST.
            while self.client.recv(1 << 16):
                pass
            return False
        elif effect is Effect.HALF_FIN:
            self.client.shutdown(socket.SHUT_WR)
            self.server.sendall(unsent)
            while data := self.client.recv(1 << 16):
                self.server.sendall(data)
            return False
        return True

    @staticmethod
    def rest(source: socket.socket) -> bytes:
        """What a side sends until it is quiet."""
        data = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_READ)
            while selector.select(QUIET) and (more := source.recv(1 << 16)):
                data += more
        return bytes(data)

    @staticmethod
    def send(target: socket.socket, data: bytes, pieces: int, pause: float) -> None:
        size = max(1, len(data) // pieces)
        for start in range(0, len(data), size):
            target.sendall(data[start : start + size])
            time.sleep(pause)
