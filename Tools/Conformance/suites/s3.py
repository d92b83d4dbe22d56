"""A large file that NetKit uploads to moto's S3 in parts, four at a time, killed in the middle and resumed."""
from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import requests
from botocore.config import Config
from conformance import ENGINES, Context, Driver, DriverEnded, RawServer, RecordedRequest, Tally, free_port, versioned

REGION, BUCKET = "eu-central-1", "films"
PART, PARTS, CONCURRENCY = 8 << 20, 25, 4
#: After how many stored parts the client is killed.
KILLS = [3, 7, 11]
#: What the client may ever have resident, in KiB, besides its program.
MEMORY = 40 << 10
WHOLE, KILLED, ANSWERS = "whole", "the client is killed", "errors in a 200"


class Server:
    """moto with one user, whose signature it checks for each request."""

    def __init__(self, context: Context):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        program = str(Path(sys.executable).with_name("moto_server"))
        context.start([program, "-H", "127.0.0.1", "-p", str(port)], port)
        users = self._client("iam", "nobody", "secret")
        users.create_user(UserName="editor")
        rule = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
        policy = json.dumps({"Version": "2012-10-17", "Statement": [rule]})
        users.put_user_policy(UserName="editor", PolicyName="all", PolicyDocument=policy)
        key = users.create_access_key(UserName="editor")["AccessKey"]
        self.access_key, self.secret_key = key["AccessKeyId"], key["SecretAccessKey"]
        self.storage = self._client("s3", self.access_key, self.secret_key)
        self.storage.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        # From here on.
        requests.post(f"{self.url}/moto-api/reset-auth", data="0", timeout=60).raise_for_status()

    def _client(self, service: str, access_key: str, secret_key: str):
        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id=access_key,
            aws_secret_access_key=secret_key,
            config=Config(retries={"total_max_attempts": 1}, proxies={}),
        )

    def stored(self, key: str) -> dict[int, str]:
        """The ETag of each part of an upload that is under way."""
        uploads = self.storage.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
        found = next((upload["UploadId"] for upload in uploads if upload["Key"] == key), None)
        if found is None:
            return {}
        parts = self.storage.list_parts(Bucket=BUCKET, Key=key, UploadId=found).get("Parts", [])
        return {part["PartNumber"]: part["ETag"] for part in parts}

    def hash(self, key: str) -> str:
        found = hashlib.sha256()
        for piece in self.storage.get_object(Bucket=BUCKET, Key=key)["Body"].iter_chunks(1 << 20):
            found.update(piece)
        return found.hexdigest()


class File:
    """A file of as many parts as are sent."""

    def __init__(self, path: Path):
        self.path = path
        source = random.Random("s3")
        whole, tags = hashlib.sha256(), hashlib.md5()
        with open(path, "wb") as file:
            for _ in range(PARTS):
                part = source.randbytes(PART)
                file.write(part)
                whole.update(part)
                tags.update(hashlib.md5(part).digest())
        self.hash = whole.hexdigest()
        self.tag = f'"{tags.hexdigest()}-{PARTS}"'


def command(engine: str, base: str, key: str, file: Path, access_key: str, secret_key: str, part: int = PART) -> dict:
    return {
        "op": "multipart",
        "engine": ENGINES[engine],
        "base": base,
        "bucket": BUCKET,
        "key": key,
        "file": str(file),
        "partSize": part,
        "concurrency": CONCURRENCY,
        "accessKey": access_key,
        "secretKey": secret_key,
        "region": REGION,
    }


def upload(context: Context, server: Server, file: File, engine: str, kill: int | None) -> str | None:
    key = f"{ENGINES[engine]} {kill}.mp4"
    order = command(engine, server.url, key, file.path, server.access_key, server.secret_key)
    missing = list(range(1, PARTS + 1))
    if kill is not None:
        driver = Driver(context.driver_program)
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(driver.ask, order, 300)
            while len(server.stored(key)) < kill:
                if asked.done():
                    return f"ended before it was killed: {asked.result()}"
                time.sleep(0.005)
            driver.kill()
            try:
                return f"answered after it was killed: {asked.result()}"
            except DriverEnded:
                pass
        # What is on its way to the server arrives or not.
        stored: dict[int, str] = {}
        while (now := server.stored(key)) != stored:
            stored = now
            time.sleep(1)
        if len(stored) >= PARTS:
            return "no part was missing"
        missing = [number for number in missing if number not in stored]
    driver = Driver(context.driver_program)
    answer = driver.ask(order, 300)
    driver.close()
    if error := answer.get("error"):
        return error["message"]
    outcome = answer["output"]
    if outcome["sent"] != missing:
        return f"parts {outcome['sent']} were sent, not {missing}"
    # moto computes the tag of a part without a lock: one that is listed at the same moment gets a wrong one, for good.
    if kill is None and outcome["tag"] != file.tag:
        return f"the ETag is {outcome['tag']}, not {file.tag}"
    if server.hash(key) != file.hash:
        return "the object is not the file"
    server.storage.delete_object(Bucket=BUCKET, Key=key)
    if outcome["peak"] > MEMORY:
        return f"{outcome['peak']} KiB were resident"
    return None


class Scripted:
    """An S3 that answers each CompleteMultipartUpload with 200 and the next of some documents."""

    def __init__(self, documents: list[str]):
        self.documents = documents
        self.completed = 0
        self.server = RawServer(self.reply)

    def reply(self, request: RecordedRequest) -> bytes:
        fields = ""
        if request.method == "PUT":
            document, fields = "", 'ETag: "p"\r\n'
        elif request.target.endswith("?uploads"):
            content = "<UploadId>1</UploadId>" if request.method == "POST" else ""
            document = f"<Result>{content}</Result>"
        elif request.method == "GET":
            document = "<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>"
        else:
            document = self.documents[min(self.completed, len(self.documents) - 1)]
            self.completed += 1
        body = document.encode()
        return f"HTTP/1.1 200 OK\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


def problem_document(code: str) -> str:
    """An error as S3 sends it after blanks that keep the connection open."""
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>It failed.</Message></Error>'
    return f" \n \n{text}"


DONE = '<CompleteMultipartUploadResult><ETag>"w-1"</ETag></CompleteMultipartUploadResult>'


def answered(
    context: Context, file: Path, engine: str, documents: list[str], error: str | None, completed: int
) -> str | None:
    scripted = Scripted(documents)
    with scripted.server:
        order = command(engine, scripted.server.url, "small", file, "key", "secret")
        answer = context.driver.ask(order)
    found = (answer.get("error") or {}).get("kind")
    if found != error:
        return f"the answer is {answer}"
    if error and "It failed." not in answer["error"]["message"]:
        return f"the message is {answer['error']['message']}"
    if scripted.completed != completed:
        return f"it was completed {scripted.completed} times"
    return None


def run(context: Context) -> dict:
    tally = Tally(list(ENGINES))
    server = Server(context)
    file = File(context.work / "film.mp4")
    small = context.work / "small.bin"
    small.write_bytes(b"small")
    kills: list[int | None] = [None, *KILLS]
    if context.short:
        kills = [KILLS[0]]
    for kill in kills:
        for engine in ENGINES:
            name = "25 parts of 8 MiB, four at a time" if kill is None else f"when {kill} parts are stored"
            tally.record(WHOLE if kill is None else KILLED, name, engine, upload(context, server, file, engine, kill))
    for name, documents, error, completed in [
        ("InvalidPart is a typed error", [problem_document("InvalidPart")], "s3.InvalidPart", 1),
        ("InternalError is retried", [problem_document("InternalError"), DONE], None, 2),
        ("SlowDown is retried until it is a typed error", [problem_document("SlowDown")], "s3.SlowDown", 4),
    ]:
        for engine in ENGINES:
            tally.record(ANSWERS, name, engine, answered(context, small, engine, documents, error, completed))
    file.path.unlink()
    return tally.result(
        "s3",
        "Uploads to S3 in parts",
        f"{versioned('moto')}, which checks each signature; the errors in a 200 are the suite's own",
        notes=[
            "200 MiB, and at most 40 MiB resident besides the program.",
            "SIGKILL in the middle; the parts that ListParts names aren't sent again.",
        ],
    )
