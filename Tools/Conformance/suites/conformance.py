"""What the suites share: the driver, servers on loopback, tallies and known failures."""
from __future__ import annotations

import base64
import concurrent.futures
import fnmatch
import itertools
import json
import os
import queue
import re
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable

import hypothesis
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

if TYPE_CHECKING:
    from typing import Self

URL_SESSION, LIBCURL, ASYNC_HTTP_CLIENT = "NetKit over URLSession", "NetKit over libcurl", "NetKit over AsyncHTTPClient"
ENGINES = {URL_SESSION: "urlsession", LIBCURL: "curl", ASYNC_HTTP_CLIENT: "asynchttpclient"}


def versioned(package: str) -> str:
    """The name of a peer with its version, as in "httpx 0.28.1"."""
    return f"{package} {version(package)}"


# hypothesis also draws literals of the modules that it takes for the user's own, so that the examples would depend on
# the source of every suite, and on the repository's path.
providers._get_local_constants = Constants


class DriverEnded(Exception):
    """The driver's process ended before it answered."""

    @property
    def is_wordless(self) -> bool:
        """Whether a signal ended it without a message, as in LinuxLimits, "Crashes in libdispatch"."""
        return str(self).startswith("status -")


def once_more(case: Callable[[], Any]) -> Any:
    """The result of a case, which runs again after a crash without a message. Swift's own traps have one."""
    try:
        return case()
    except DriverEnded as error:
        if not error.is_wordless:
            raise
    print("the driver ended without a word: the case runs again", flush=True)
    return case()


class Driver:
    """The ConformanceDriver process. Any thread may ask it. After a crash, the next question starts it again."""

    def __init__(self, *command: str | Path):
        self._command = command
        self._ids = itertools.count(1)
        self._waiting: dict[int, concurrent.futures.Future] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None

    def ask(self, command: dict, timeout: float = 120) -> dict:
        """Sends one command and waits for its answer.

        Raises RuntimeError where the command itself is wrong, and DriverEnded.
        """
        future: concurrent.futures.Future = concurrent.futures.Future()
        with self._lock:
            if self._process is None:
                self._start()
            number = next(self._ids)
            self._waiting[number] = future
            try:
                self._process.stdin.write(json.dumps({**command, "id": number}).encode() + b"\n")
                self._process.stdin.flush()
            except OSError:
                # The reading thread says so to all who wait.
                pass
        answer = future.result(timeout)
        error = answer.get("error")
        if error and error["kind"] in ("command", "driver"):
            raise RuntimeError(f"{error['message']} in {command}")
        return answer

    def rule(self, name: str, value: Any) -> Any:
        """The output of one of NetKit's rules."""
        return self.ask({"op": "rule", "rule": name, "input": value})["output"]

    def _start(self) -> None:
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        words = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, env=environment
        )
        threading.Thread(target=self._read, args=(self._process, words), daemon=True).start()

    def _read(self, process: subprocess.Popen, words: Any) -> None:
        for line in process.stdout:
            if not line.endswith(b"\n"):
                # The process ended within an answer.
                break
            answer = json.loads(line)
            if answer.get("id") is None:
                # The driver could not read a line, and its caller waits.
                self._fail(RuntimeError(answer["error"]["message"]))
            else:
                with self._lock:
                    future = self._waiting.pop(answer["id"])
                future.set_result(answer)
        with self._lock:
            self._process = None
            # Whoever asks from now on waits for another process.
            waiting, self._waiting = self._waiting, {}
        process.wait()
        with words:
            words.seek(0)
            lines = words.read().decode(errors="replace").strip().splitlines()
        for future in waiting.values():
            future.set_exception(DriverEnded(lines[0] if lines else f"status {process.returncode}"))

    def _fail(self, error: Exception) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            future.set_exception(error)

    def kill(self) -> None:
        """Ends the process in the hardest way. Whoever waits for an answer gets DriverEnded."""
        with self._lock:
            process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        with self._lock:
            process = self._process
        if process is None:
            return
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


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


class Listener:
    """A server on a free port of 127.0.0.1, or of another address, with a thread for each connection."""

    def __init__(self, address: str = "127.0.0.1"):
        self._listener = socket.create_server((address, 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        raise NotImplementedError


class RawServer(Listener):
    """A server on a free port of 127.0.0.1 that records requests and answers with given bytes.

    `reply` gets each request and returns the response's bytes, or None to close the connection without one.
    A connection stays open unless `closes`, so that responses must frame themselves.
    """

    OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    def __init__(self, reply: Callable[[RecordedRequest], bytes | None] | None = None, closes: bool = False):
        self.reply = reply or (lambda request: self.OK)
        self.closes = closes
        self.requests: queue.Queue[RecordedRequest] = queue.Queue()
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}"

    def take(self) -> list[RecordedRequest]:
        """The requests since the last time."""
        taken = []
        while not self.requests.empty():
            taken.append(self.requests.get())
        return taken

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
    """One request with its body; None at the end of the connection, and ValueError if that is within a request."""
    raw = bytearray()

    def read(size: int) -> bytes:
        data = reader.read(size)
        if len(data) < size:
            raise ValueError("the connection ended within a body")
        raw.extend(data)
        return data

    def line() -> bytes:
        text = reader.readline(1 << 20)
        if raw and not text:
            raise ValueError("the connection ended within a head")
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
            body.extend(read(size))
            line()
        while line():
            pass
    elif length := int(lower.get("content-length", 0)):
        body = read(length)
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
class Failure:
    """One case that a client did not pass."""

    group: str
    #: The kind of difference, or the case where each is its own.
    label: str
    client: str
    problem: str


@dataclass
class Tally:
    """Counts the cases of a suite by group and client, and keeps its failures."""

    clients: list[str]
    cases: dict[str, dict[str, None]] = field(default_factory=dict)
    #: How many cases of a group a client ran and passed.
    run: dict[tuple[str, str], int] = field(default_factory=dict)
    passed: dict[tuple[str, str], int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def record(self, group: str, case: str, client: str, problem: str | None, label: str | None = None) -> None:
        """Counts one case of a client, passed unless there is a problem."""
        with self.lock:
            self.cases.setdefault(group, {})[case] = None
            key = (group, client)
            self.run[key] = self.run.get(key, 0) + 1
            self.passed[key] = self.passed.get(key, 0) + (problem is None)
            if problem is not None:
                self.failures.append(Failure(group, label or case, client, problem))

    def result(
        self, suite: str, title: str, source: str, known: Iterable[Known] = (), notes: Iterable[str] = ()
    ) -> dict:
        """The suite's result. NetKit's failures that no entry of `known` covers are its own."""
        for (group, client), count in self.run.items():
            if count != len(self.cases[group]):
                raise RuntimeError(f"{client} ran {count} of {len(self.cases[group])} cases of {group}")
        groups = [
            {
                "name": name,
                "cases": len(cases),
                "passed": [self.passed.get((name, client)) for client in self.clients],
            }
            for name, cases in self.cases.items()
        ]
        covered: dict[Known, int] = {entry: 0 for entry in known}
        ours, peers = [], {}
        for failure in sorted(self.failures, key=lambda one: (self.clients.index(one.client), one.label)):
            entry = next((entry for entry in covered if entry.covers(failure.label, failure.client)), None)
            if failure.client not in ENGINES:
                peers.setdefault((failure.client, failure.group), []).append(failure)
            elif entry:
                covered[entry] += 1
            else:
                ours.append(self._row(failure.label, failure.client, "ours", failure.problem, 1))
        listed = [
            self._row(entry.case, entry.client, entry.cause, entry.reason, count)
            for entry, count in covered.items()
            if count
        ]
        others = []
        for (client, _), found in peers.items():
            labels = list(dict.fromkeys(failure.label for failure in found))
            shown = ", ".join(labels[:4]) + (", …" if len(labels) > 4 else "")
            others.append(self._row(shown, client, "peer", found[0].problem, len(found)))
        return {
            "suite": suite,
            "title": title,
            "source": source,
            "clients": self.clients,
            "groups": groups,
            "failures": ours + listed + others,
            "notes": list(notes),
            # For the script alone; not written.
            "stale": [f"{entry.case} ({entry.client})" for entry, count in covered.items() if not count],
        }

    @staticmethod
    def _row(case: str, client: str, cause: str, reason: str, count: int) -> dict:
        # Ports, addresses in memory, boundaries and dates differ from run to run.
        reason = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", reason)
        reason = re.sub(r"0x[0-9a-f]{6,}|[0-9a-f]{24,}|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT", "…", reason)
        return {"case": case, "client": client, "cause": cause, "reason": reason[:300], "cases": count}


def examples(strategy: Any, count: int) -> list:
    """Different values of a hypothesis strategy, the same in every run."""
    found: dict[str, Any] = {}

    @hypothesis.seed(9110)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def collect(value: Any) -> None:
        found[repr(value)] = value

    collect()
    return list(found.values())


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
