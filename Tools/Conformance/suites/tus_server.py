"""tuspyserver on a port of 127.0.0.1, which can be told to die or to hold a request at an exact byte.

    tus_server.py FOLDER PORT

FOLDER has `plan.json`, a list of [byte, "die" | "hold"]. The bytes are those of all chunks, counted over all lives of the
server in `received`. Dying is SIGKILL. A request that is held goes on when the file `released` has a line for each hold.
Chunks whose number is in `damage.json`, counted from 0, lose a bit on the way. A checksum is compared with hashlib's,
because tuspyserver has no such extension.
"""
import asyncio
import base64
import hashlib
import json
import os
import signal
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
FILES = FOLDER / "files"


class Mishaps:
    """The plan, and how much of it is done."""

    def __init__(self):
        self.log = os.open(FOLDER / "received", os.O_CREAT | os.O_RDWR | os.O_APPEND)
        sizes = [int(line) for line in (FOLDER / "received").read_text().split()]
        self.total = sum(sizes)
        self.plan = [(byte, deed) for byte, deed in self._json("plan.json") if byte > self.total]
        self.holds = sum(deed == "hold" for byte, deed in self._json("plan.json") if byte <= self.total)
        self.damaged = set(self._json("damage.json"))
        self.chunks = 0

    @staticmethod
    def _json(name: str) -> list:
        file = FOLDER / name
        return json.loads(file.read_text()) if file.exists() else []

    async def count(self, size: int) -> None:
        """Counts bytes of a chunk, and does what is planned for then."""
        self.total += size
        os.write(self.log, b"%d\n" % size)
        while self.plan and self.plan[0][0] <= self.total:
            deed = self.plan.pop(0)[1]
            if deed == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            self.holds += 1
            (FOLDER / f"held-{self.holds}").touch()
            while not (FOLDER / f"released-{self.holds}").exists():
                await asyncio.sleep(0.01)


class Checked:
    """Counts the bytes of chunks before tuspyserver has them, and compares checksums."""

    def __init__(self, application, mishaps: Mishaps):
        self.application = application
        self.mishaps = mishaps

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["method"] != "PATCH":
            return await self.application(scope, receive, send)
        number = self.mishaps.chunks
        self.mishaps.chunks += 1

        async def counted():
            message = await receive()
            if message["type"] == "http.request" and message.get("body"):
                await self.mishaps.count(len(message["body"]))
            return message

        checksum = dict(scope["headers"]).get(b"upload-checksum")
        if checksum is None:
            return await self.application(scope, counted, send)
        body = bytearray()
        while True:
            message = await counted()
            if message["type"] == "http.disconnect":
                # Half a chunk can't be compared.
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        if number in self.mishaps.damaged and body:
            body[len(body) // 2] ^= 1
        algorithm, _, digest = checksum.decode().partition(" ")
        if base64.b64encode(hashlib.new(algorithm, body).digest()).decode() != digest:
            await send({"type": "http.response.start", "status": 460, "headers": [(b"tus-resumable", b"1.0.0")]})
            return await send({"type": "http.response.body", "body": b""})
        whole = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replayed():
            return whole.pop() if whole else await receive()

        await self.application(scope, replayed, send)


def repair() -> None:
    """Cuts off what tuspyserver wrote, but doesn't count, when it was killed: it would append the rest behind it."""
    for info in FILES.glob("*.info"):
        offset = json.loads(info.read_text())["offset"]
        os.truncate(info.with_suffix(""), offset)


def main() -> None:
    import uvicorn
    from fastapi import FastAPI
    from tuspyserver import create_tus_router

    FILES.mkdir(exist_ok=True)
    repair()
    application = FastAPI()
    application.include_router(create_tus_router(prefix="files", files_dir=str(FILES)))
    uvicorn.run(Checked(application, Mishaps()), host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")


if __name__ == "__main__":
    main()
