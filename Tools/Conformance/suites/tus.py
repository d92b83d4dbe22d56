"""Resumable uploads to tuspyserver, which is killed, as is the client, at random bytes of the file."""
from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conformance import ENGINES, Context, Driver, DriverEnded, Tally, free_port, versioned

SERVER = Path(__file__).with_name("tus_server.py")
CHUNK = 256 << 10
SIZE = 2_500_000
WHOLE, SERVER_KILLED, CLIENT_KILLED = "whole", "the server is killed", "the client is killed"
RELEASED = "the server is killed, and the client given up"
#: How many kills an upload has. With those that have checksums, 60 and 27 over the three engines.
SERVER_KILLS, CLIENT_KILLS = [5, 4, 4, 4], [3, 2, 2]
#: 50 kills over each engine.
RELEASES, RELEASE_KILLS = 10, 5


class Server:
    """tuspyserver in a folder of its own, which is started again whenever it dies."""

    def __init__(self, folder: Path, plan: list[tuple[int, str]] = (), damage: list[int] = ()):
        self.folder = folder
        (folder / "plan.json").write_text(json.dumps(sorted(plan)))
        (folder / "damage.json").write_text(json.dumps(list(damage)))
        # The same after a kill.
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.kills = 0
        #: How often it began to listen.
        self.starts = 0
        self._ends = False
        self._start()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        self._process.kill()
        self._thread.join()

    def _start(self) -> None:
        self._log = open(self.folder / "log", "ab")
        self._process = subprocess.Popen(
            [sys.executable, SERVER, self.folder, str(self.port)], stdout=self._log, stderr=self._log
        )
        while self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    self.starts += 1
                    return
            time.sleep(0.02)

    def _keep(self) -> None:
        while True:
            status = self._process.wait()
            self._log.close()
            if self._ends or status != -9:
                return
            self.kills += 1
            self._start()

    def wait_for_start(self, number: int) -> bool:
        """Whether it is there again after so many kills."""
        end = time.monotonic() + 60
        while self.starts <= number and time.monotonic() < end:
            time.sleep(0.01)
        return self.starts > number

    @property
    def received(self) -> int:
        """How many bytes of chunks arrived."""
        file = self.folder / "received"
        return sum(int(size) for size in file.read_text().split()) if file.exists() else 0

    def problem(self, url: str, content: bytes, kills: int) -> str | None:
        """What is wrong with the upload after so many kills."""
        stored = (self.folder / "files" / url.rsplit("/", 1)[-1]).read_bytes()
        if stored != content:
            same = next((at for at, pair in enumerate(zip(stored, content)) if pair[0] != pair[1]), None)
            return f"{len(stored)} bytes arrived, of {len(content)}, the first other one at {same}"
        again = self.received - len(content)
        if again > kills * CHUNK:
            return f"{again} bytes were sent again after {kills} kills"
        uploads = len(list((self.folder / "files").glob("*.info")))
        return None if uploads == 1 else f"{uploads} uploads were created"


class Upload:
    """One case, in a folder that is gone after it."""

    def __init__(self, context: Context, engine: str, seed: str):
        self.program = context.driver_program
        self.engine = engine
        self.random = random.Random(seed)
        self._folder = tempfile.TemporaryDirectory(dir=context.work)
        self.folder = Path(self._folder.name)
        self.file = self.folder / "film.mp4"

    def __enter__(self) -> Upload:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def content(self, size: int) -> bytes:
        content = self.random.randbytes(size)
        self.file.write_bytes(content)
        return content

    def command(
        self, server: Server, checksum: str | None = None, chunk: int = CHUNK, retries: int | None = None
    ) -> dict:
        return {
            "op": "tus",
            "engine": ENGINES[self.engine],
            "base": server.url,
            "path": "files",
            "file": str(self.file),
            "chunk": chunk,
            "checksum": checksum,
            "retries": retries,
            "metadata": {"filename": "film.mp4", "filetype": "video/mp4"},
        }

    def offsets(self, count: int) -> list[int]:
        """Random bytes of the file, a chunk or more apart."""
        step = SIZE // count
        return [at * step + self.random.randrange(1, step - CHUNK) for at in range(count)]

    def remains(self) -> str | None:
        names = sorted(path.name for path in self.folder.iterdir() if path.name.startswith("film"))
        return None if names == ["film.mp4"] else f"left behind: {names}"


def whole(upload: Upload, driver: Driver, size: int, chunk: int, checksum: str | None, damage: list[int]) -> str | None:
    content = upload.content(size)
    with Server(upload.folder, damage=damage) as server:
        answer = driver.ask(upload.command(server, checksum, chunk))
        if error := answer.get("error"):
            return error["message"]
        return server.problem(answer["output"], content, len(damage)) or upload.remains()


def killed_server(upload: Upload, driver: Driver, kills: int, checksum: str | None) -> str | None:
    content = upload.content(SIZE)
    with Server(upload.folder, [(offset, "die") for offset in upload.offsets(kills)]) as server:
        answer = driver.ask(upload.command(server, checksum), timeout=300)
        if error := answer.get("error"):
            return error["message"]
        if server.kills != kills:
            return f"the server was killed {server.kills} times"
        return server.problem(answer["output"], content, kills) or upload.remains()


def given_up(upload: Upload, driver: Driver, kills: int) -> str | None:
    """The client fails with each kill and is released. The next one knows the address beside the file alone."""
    content = upload.content(SIZE)
    record = upload.folder / "film.mp4.tus"
    with Server(upload.folder, [(offset, "die") for offset in upload.offsets(kills)]) as server:
        command = upload.command(server, retries=0)
        for number in range(1, kills + 1):
            answer = driver.ask(command, timeout=300)
            if "error" not in answer:
                return f"ended before kill {number}: {answer}"
            if not record.exists():
                return f"kill {number} left no record: {answer['error']['message']}"
            if not server.wait_for_start(number):
                return f"the server did not start again after kill {number}: {answer['error']['message']}"
        answer = driver.ask(command, timeout=300)
        if error := answer.get("error"):
            return error["message"]
        if server.kills != kills:
            return f"the server was killed {server.kills} times"
        return server.problem(answer["output"], content, kills) or upload.remains()


def killed_client(upload: Upload, kills: int, checksum: str | None) -> str | None:
    content = upload.content(SIZE)
    with Server(upload.folder, [(offset, "hold") for offset in upload.offsets(kills)]) as server:
        command = upload.command(server, checksum)
        for number in range(1, kills + 1):
            driver = Driver(upload.program)
            with ThreadPoolExecutor(1) as thread:
                asked = thread.submit(driver.ask, command, 300)
                while not (upload.folder / f"held-{number}").exists():
                    if asked.done():
                        return f"ended before kill {number}: {asked.result()}"
                    time.sleep(0.005)
                driver.kill()
                try:
                    return f"answered after it was killed: {asked.result()}"
                except DriverEnded:
                    (upload.folder / f"released-{number}").touch()
        driver = Driver(upload.program)
        answer = driver.ask(command, timeout=300)
        driver.close()
        if error := answer.get("error"):
            return error["message"]
        return server.problem(answer["output"], content, kills) or upload.remains()


def run(context: Context) -> dict:
    tally = Tally(list(ENGINES))
    driver = context.driver
    sizes = [(0, CHUNK), (1, CHUNK), (CHUNK, CHUNK), (SIZE, CHUNK), (SIZE, 1 << 30), (1000, 7)]
    cases = [
        *(
            (WHOLE, f"{size} bytes in chunks of {chunk}, {checksum}", (size, chunk, checksum, []))
            for size, chunk in sizes
            for checksum in (None, "sha1", "sha256")
        ),
        *(
            (WHOLE, f"chunks damaged on the way, {checksum}", (SIZE, CHUNK, checksum, [1, 4]))
            for checksum in ("sha1", "sha256")
        ),
        *((SERVER_KILLED, f"{kills} times, {number}", (kills, None)) for number, kills in enumerate(SERVER_KILLS)),
        (SERVER_KILLED, "3 times, sha1", (3, "sha1")),
        *((RELEASED, f"{RELEASE_KILLS} times, {number}", (RELEASE_KILLS,)) for number in range(RELEASES)),
        *((CLIENT_KILLED, f"{kills} times, {number}", (kills, None)) for number, kills in enumerate(CLIENT_KILLS)),
        (CLIENT_KILLED, "2 times, sha256", (2, "sha256")),
    ]
    if context.short:
        cases = [next(case for case in cases if case[0] == group) for group in (WHOLE, SERVER_KILLED, RELEASED, CLIENT_KILLED)]
    for group, name, parameters in cases:
        for engine in ENGINES:
            with Upload(context, engine, f"{group} {name}") as upload:
                if group == WHOLE:
                    problem = whole(upload, driver, *parameters)
                elif group == SERVER_KILLED:
                    problem = killed_server(upload, driver, *parameters)
                elif group == RELEASED:
                    problem = given_up(upload, driver, *parameters)
                else:
                    problem = killed_client(upload, *parameters)
            tally.record(group, name, engine, problem)
    return tally.result(
        "tus",
        "Resumable uploads (tus 1.0)",
        f"{versioned('tuspyserver')}, checksums by Python's hashlib",
        notes=[
            "SIGKILL at random bytes of the file: byte-identical afterward, and at most one chunk sent again for each kill.",
            "tuspyserver appends behind what it wrote before it was killed; the suite cuts that off when it starts it again.",
        ],
    )
