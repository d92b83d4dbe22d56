"""What the suites share: the driver, servers on loopback, tallies and known failures."""
from __future__ import annotations

import base64
import concurrent.futures
import fnmatch
import itertools
import json
import queue
import socket
import subprocess
import threading
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Callable, Iterable

URL_SESSION, ASYNC_HTTP_CLIENT = "NetKit over URLSession", "NetKit over AsyncHTTPClient"
ENGINES = {URL_SESSION: "urlsession", ASYNC_HTTP_CLIENT: "asynchttpclient"}


def versioned(package: str) -> str:
    """The name of a peer with its version, as in "httpx 0.28.1"."""
    return f"{package} {version(package)}"


class Driver:
    """The ConformanceDriver process. Any thread may ask it."""

    def __init__(self, program: Path):
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ids = itertools.count(1)
        self._waiting: dict[int, concurrent.futures.Future] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, command: dict, timeout: float = 120) -> dict:
        """Sends one command and waits for its answer.

        Raises RuntimeError where the command itself is wrong, or the driver has ended.
        """
        future: concurrent.futures.Future = concurrent.futures.Future()
        with self._lock:
            number = next(self._ids)
            self._waiting[number] = future
            try:
                self._process.stdin.write(json.dumps({**command, "id": number}).encode() + b"\n")
                self._process.stdin.flush()
            except OSError:
                raise RuntimeError(f"the driver has ended before {command}") from None
        answer = future.result(timeout)
        error = answer.get("error")
        if error and error["kind"] in ("command", "driver"):
            raise RuntimeError(f"{error['message']} in {command}")
        return answer

    def rule(self, name: str, value: Any) -> Any:
        """The output of one of NetKit's rules."""
        return self.ask({"op": "rule", "rule": name, "input": value})["output"]

    def _read(self) -> None:
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer["id"] is None:
                # The driver could not read a line: whoever wrote it would wait for ever.
                self._fail(answer["error"]["message"])
            else:
                self._waiting.pop(answer["id"]).set_result(answer)
        self._fail("the driver has ended")

    def _fail(self, reason: str) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for number, future in waiting.items():
            future.set_exception(RuntimeError(f"{reason} (command {number})"))

    def close(self) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@dataclass
class RecordedRequest:
    """A request as a raw server read it."""

    method: str
    target: str
    version: str
    fields: list[tuple[str, str]]
    body: bytes
    raw: bytes

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key.lower() == name.lower()]


class RawServer:
    """A server on a free port of 127.0.0.1 that records requests and answers with given bytes.

    `reply` gets each request and returns the response's bytes, or None to close the connection without one.
    A connection stays open unless `closes`, so that responses must frame themselves.
    """

    OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    def __init__(self, reply: Callable[[RecordedRequest], bytes | None] | None = None, closes: bool = False):
        self.reply = reply or (lambda request: self.OK)
        self.closes = closes
        self.requests: queue.Queue[RecordedRequest] = queue.Queue()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self) -> list[RecordedRequest]:
        """The requests since the last time."""
        taken = []
        while not self.requests.empty():
            taken.append(self.requests.get())
        return taken

    def close(self) -> None:
        try:
            # Wakes the accepting thread.
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as reader:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                while request := read_request(reader):
                    self.requests.put(request)
                    response = self.reply(request)
                    if response is not None:
                        connection.sendall(response)
                    if self.closes or response is None:
                        connection.shutdown(socket.SHUT_WR)
                        return
            except (OSError, ValueError):
                pass


def read_request(reader) -> RecordedRequest | None:
    """One request with its body; None at the end of the connection."""
    raw = bytearray()

    def line() -> bytes:
        text = reader.readline(1 << 20)
        raw.extend(text)
        return text.removesuffix(b"\n").removesuffix(b"\r")

    start = line()
    if not start:
        return None
    method, target, http = start.decode("latin-1").split(" ", 2)
    fields = []
    while text := line():
        name, _, value = text.decode("latin-1").partition(":")
        fields.append((name, value.strip(" \t")))
    lower = {name.lower(): value for name, value in fields}
    body = bytearray()
    if lower.get("transfer-encoding", "").lower() == "chunked":
        while size := int(line().partition(b";")[0], 16):
            chunk = reader.read(size)
            raw.extend(chunk)
            body.extend(chunk)
            line()
        while line():
            pass
    elif length := int(lower.get("content-length", 0)):
        body = reader.read(length)
        raw.extend(body)
    return RecordedRequest(method, target, http, fields, bytes(body), bytes(raw))


@dataclass(frozen=True)
class Known:
    """A failure that is known, and why it stays. `case` and `client` may have * in them."""

    case: str
    client: str
    cause: str  # "design" or "engine"
    reason: str

    def covers(self, case: str, client: str) -> bool:
        return fnmatch.fnmatchcase(client, self.client) and fnmatch.fnmatchcase(case, self.case)


@dataclass
class Tally:
    """Counts the cases of a suite by group and client, and keeps its failures."""

    clients: list[str]
    groups: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    cases: dict[str, dict[str, None]] = field(default_factory=dict)
    failed: dict[tuple[str, str], str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def record(self, group: str, case: str, client: str, problem: str | None) -> None:
        """Counts one case of a client, passed unless there is a problem."""
        with self.lock:
            self.cases.setdefault(group, {})[case] = None
            run = self.groups.setdefault(group, {}).setdefault(client, [])
            run.append(case)
            if problem:
                self.failed[(case, client)] = problem

    def result(
        self, suite: str, title: str, source: str, known: Iterable[Known] = (), notes: Iterable[str] = ()
    ) -> dict:
        """The suite's result. Its failures that no entry of `known` covers are NetKit's own."""
        groups = []
        for name, clients in self.groups.items():
            passed: list[int | None] = []
            for client in self.clients:
                run = clients.get(client)
                passed.append(None if run is None else sum((case, client) not in self.failed for case in run))
            groups.append({"name": name, "cases": len(self.cases[name]), "passed": passed})
        covered: dict[Known, int] = {entry: 0 for entry in known}
        failures, peers = [], {}
        for (case, client), problem in self.failed.items():
            entry = next((entry for entry in covered if entry.covers(case, client)), None)
            if entry:
                covered[entry] += 1
            elif client in ENGINES or client.startswith("NetKit"):
                failures.append({"case": case, "client": client, "cause": "ours", "reason": problem})
            else:
                peers.setdefault(client, []).append((case, problem))
        for entry, count in covered.items():
            if count:
                failures.append(
                    {
                        "case": entry.case,
                        "client": entry.client,
                        "cause": entry.cause,
                        "reason": entry.reason,
                        "cases": count,
                    }
                )
        for client, found in peers.items():
            shown = ", ".join(case for case, _ in found[:3]) + (", …" if len(found) > 3 else "")
            failures.append(
                {
                    "case": shown,
                    "client": client,
                    "cause": "peer",
                    "reason": found[0][1],
                    "cases": len(found),
                }
            )
        return {
            "suite": suite,
            "title": title,
            "source": source,
            "clients": self.clients,
            "groups": groups,
            "failures": failures,
            "notes": list(notes),
            # For the script alone; not written.
            "stale": [f"{entry.case} ({entry.client})" for entry, count in covered.items() if not count],
        }


@dataclass
class Context:
    """What a suite may use."""

    repository: Path
    work: Path
    driver_program: Path
    data: dict[str, Path]
    short: bool = False
    _driver: Driver | None = None
    _processes: list[subprocess.Popen] = field(default_factory=list)

    @property
    def driver(self) -> Driver:
        if self._driver is None:
            self._driver = Driver(self.driver_program)
        return self._driver

    def start(self, command: list[str], port: int, **settings: Any) -> subprocess.Popen:
        """Starts a server, and waits until it listens. It ends with the script."""
        with open(self.work / f"{Path(command[0]).name}-{port}.log", "wb") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, **settings
            )
        self._processes.append(process)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return process
            except OSError:
                if process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError(f"{command[0]} does not listen: {Path(log.name).read_text()}")

    def close(self) -> None:
        if self._driver:
            self._driver.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


def encoded(data: bytes) -> str:
    """Base64, as the driver reads bytes."""
    return base64.b64encode(data).decode()
