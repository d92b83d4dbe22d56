"""One interface over NetKit's engines and the clients beside it."""
from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import requests
import requests.auth
import urllib3

from conformance import ENGINES, Driver, DriverEnded, versioned

TIMEOUT = 60


@dataclass
class Call:
    """A request as a user of any client describes it."""

    base: str
    #: May contain {segments}, in place of which `segments` stand.
    path: str = "/"
    method: str = "GET"
    query: list[tuple[str, str]] = field(default_factory=list)
    headers: list[tuple[str, str]] = field(default_factory=list)
    #: As in the driver's commands: kind json, text, form, data or multipart.
    body: dict | None = None
    segments: list[str] | None = None
    #: As in the driver's commands.
    options: dict = field(default_factory=dict)
    receive: str = "data"

    @property
    def url(self) -> str:
        """The URL without the query, with its segments encoded as Python's users do."""
        segments = "/".join(urllib.parse.quote(segment, safe="") for segment in self.segments or [])
        return self.base + self.path.replace("{segments}", segments)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The header fields, with a token that only NetKit has a setting for."""
        credential = self.options.get("authentication") or {}
        if credential.get("kind") != "bearer":
            return self.headers
        return [*self.headers, ("Authorization", f"Bearer {credential['token']}")]

    @property
    def credential(self) -> dict | None:
        """A user and a password."""
        credential = self.options.get("authentication")
        return None if not credential or credential["kind"] == "bearer" else credential

    @property
    def timeout(self) -> float:
        return self.options.get("timeout", TIMEOUT)


@dataclass
class Outcome:
    """A response, or the error in place of one."""

    status: int | None = None
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    url: str = ""
    #: The kind of the error, in the client's words.
    error: str | None = None
    message: str = ""

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def __str__(self) -> str:
        return f"{self.error}: {self.message}" if self.error else f"{self.status} {self.body[:200]!r}"


class NetKit:
    """NetKit over one of its engines."""

    def __init__(self, name: str, driver: Driver):
        self.name, self._driver = name, driver

    def send(self, call: Call) -> Outcome:
        command = {
            "op": "send",
            "engine": ENGINES[self.name],
            "method": call.method,
            "base": call.base,
            "path": call.path,
            "query": call.query,
            "headers": call.headers,
            "receive": call.receive,
            "options": {"timeout": TIMEOUT, **call.options},
        }
        if call.body is not None:
            command["body"] = call.body
        if call.segments is not None:
            command["segments"] = call.segments
        try:
            answer = self._driver.ask(command)
        except DriverEnded as error:
            return Outcome(error="crash", message=str(error))
        error = answer.get("error") or {}
        return Outcome(
            answer.get("status"),
            [(name, value) for name, value in answer.get("headers", [])],
            base64.b64decode(answer.get("body", "")),
            answer.get("url") or "",
            error.get("kind"),
            error.get("message", ""),
        )


def named(error: Exception) -> Outcome:
    return Outcome(error=type(error).__name__, message=str(error))


def grouped(fields: list) -> dict[str, list[str]]:
    """The values by name, for clients that take no list."""
    values: dict[str, list[str]] = {}
    for name, value in fields:
        values.setdefault(name, []).append(value)
    return values


def parts(body: dict) -> list[tuple[str, tuple]]:
    """The files of a form, as httpx and requests take them."""
    return [
        (file["name"], (file["fileName"], base64.b64decode(file["data"]), file["mime"])) for file in body["files"]
    ]


class HTTPX:
    def __init__(self) -> None:
        self.name = versioned("httpx")
        self._client = httpx.Client(trust_env=False)
        self._jars: dict[str, httpx.Client] = {}

    def send(self, call: Call) -> Outcome:
        options = call.options
        client = self._client
        if name := options.get("cookies"):
            client = self._jars.setdefault(name, httpx.Client(trust_env=False))
        settings: dict[str, Any] = {}
        if body := call.body:
            if body["kind"] == "json":
                settings["json"] = body["value"]
            elif body["kind"] == "form":
                settings["data"] = grouped(body["value"])
            elif body["kind"] == "multipart":
                settings["data"], settings["files"] = grouped(body.get("fields", [])), parts(body)
            elif body["kind"] == "text":
                settings["content"] = body["value"]
            else:
                settings["content"] = base64.b64decode(body["value"])
        if credential := call.credential:
            kind = httpx.DigestAuth if credential["kind"] == "digest" else httpx.BasicAuth
            settings["auth"] = kind(credential["username"], credential["password"])
        redirects = options.get("redirects", 20)
        client.max_redirects = redirects
        try:
            response = client.request(
                call.method,
                call.url,
                params=call.query or None,
                headers=[(name.encode(), value.encode()) for name, value in call.fields],
                follow_redirects=redirects > 0,
                timeout=call.timeout,
                **settings,
            )
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, TypeError, NotImplementedError) as error:
            return named(error)
        finally:
            if not name:
                client.cookies.clear()
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw]
        return Outcome(response.status_code, headers, response.content, str(response.url))


class Requests:
    def __init__(self) -> None:
        self.name = versioned("requests")
        self._session = requests.Session()
        self._session.trust_env = False
        self._jars: dict[str, requests.Session] = {}

    def send(self, call: Call) -> Outcome:
        options = call.options
        session = self._session
        if name := options.get("cookies"):
            session = self._jars.setdefault(name, requests.Session())
            session.trust_env = False
        settings: dict[str, Any] = {}
        if body := call.body:
            if body["kind"] == "json":
                settings["json"] = body["value"]
            elif body["kind"] == "form":
                settings["data"] = [tuple(pair) for pair in body["value"]]
            elif body["kind"] == "multipart":
                settings["data"], settings["files"] = [tuple(pair) for pair in body.get("fields", [])], parts(body)
            elif body["kind"] == "text":
                settings["data"] = body["value"].encode()
            else:
                settings["data"] = base64.b64decode(body["value"])
        if credential := call.credential:
            kind = requests.auth.HTTPDigestAuth if credential["kind"] == "digest" else requests.auth.HTTPBasicAuth
            settings["auth"] = kind(credential["username"], credential["password"])
        redirects = options.get("redirects", 20)
        # Without redirects, requests still looks at the first.
        session.max_redirects = max(redirects, 1)
        try:
            response = session.request(
                call.method,
                call.url,
                params=[tuple(pair) for pair in call.query] or None,
                headers={name: value.encode() for name, value in call.fields},
                allow_redirects=redirects > 0,
                timeout=call.timeout,
                **settings,
            )
        except (requests.RequestException, ValueError) as error:
            return named(error)
        finally:
            if not name:
                session.cookies.clear()
        return Outcome(response.status_code, list(response.raw.headers.items()), response.content, response.url)


class Urllib3:
    def __init__(self) -> None:
        self.name = versioned("urllib3")
        self._pool = urllib3.PoolManager()

    def send(self, call: Call) -> Outcome:
        settings: dict[str, Any] = {}
        headers = urllib3.HTTPHeaderDict()
        headers["Accept-Encoding"] = "gzip,deflate"
        for name, value in call.fields:
            headers.add(name, value)
        if body := call.body:
            if body["kind"] == "json":
                settings["json"] = body["value"]
            elif body["kind"] == "form":
                settings["fields"] = [tuple(pair) for pair in body["value"]]
                settings["encode_multipart"] = False
            elif body["kind"] == "text":
                settings["body"] = body["value"].encode()
            else:
                settings["body"] = base64.b64decode(body["value"])
        url = call.url
        if call.query:
            url += "?" + urllib.parse.urlencode(call.query)
        redirects = call.options.get("redirects", 20)
        send = self._pool.request
        if "fields" in settings and call.method not in ("POST", "PUT", "PATCH"):
            send = self._pool.request_encode_body
        try:
            response = send(
                call.method,
                url,
                headers=headers,
                timeout=call.timeout,
                retries=urllib3.Retry(0, redirect=redirects, raise_on_redirect=False) if redirects else False,
                redirect=redirects > 0,
                **settings,
            )
        except (urllib3.exceptions.HTTPError, ValueError, OSError) as error:
            return named(error)
        return Outcome(response.status, list(response.headers.items()), response.data, response.url or "")


class Curl:
    def __init__(self) -> None:
        text = subprocess.run(["curl", "--version"], check=True, capture_output=True, text=True).stdout
        self.name = "curl " + text.split()[1]
        self._jars = tempfile.TemporaryDirectory()

    def send(self, call: Call) -> Outcome:
        options = call.options
        command = ["curl", "--silent", "--show-error", "--globoff", "--compressed", "--noproxy", "*"]
        command += ["--max-time", str(call.timeout), "--path-as-is"]
        # A method that is named would outlive a redirect.
        implied = "GET" if call.body is None else "POST"
        command += ["--head"] if call.method == "HEAD" else []
        command += ["--request", call.method] if call.method not in ("HEAD", implied) else []
        for name, value in call.query:
            command += ["--url-query", f"{urllib.parse.quote(name, safe='')}={value}"]
        for name, value in call.fields:
            command += ["--header", f"{name}: {value}" if value else f"{name};"]
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            if body := call.body:
                has_type = any(name == "Content-Type" for name, _ in call.fields)
                command += self._body(body, work, has_type)
            if name := options.get("cookies"):
                jar = str(Path(self._jars.name) / name)
                command += ["--cookie", jar, "--cookie-jar", jar]
            if credential := call.credential:
                command += ["--digest"] if credential["kind"] == "digest" else ["--basic"]
                command += ["--user", f"{credential['username']}:{credential['password']}"]
                command += [] if name else ["--cookie", "none"]
            if redirects := options.get("redirects", 20):
                command += ["--location", "--max-redirs", str(redirects)]
            command += ["--dump-header", str(work / "head"), "--output", str(work / "body")]
            command += ["--write-out", "%{http_code} %{url_effective}", call.url]
            run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
            if run.returncode:
                return Outcome(error=f"curl {run.returncode}", message=run.stderr.decode(errors="replace").strip())
            status, url = run.stdout.decode().split(" ", 1)
            # Each response of a chain has a head; the last is the one that counts.
            head = (work / "head").read_bytes().decode("latin-1").strip().split("\r\n\r\n")[-1]
            fields = [line.partition(":") for line in head.split("\r\n")[1:]]
            headers = [(name, value.strip()) for name, _, value in fields]
            found = work / "body"
            # For HEAD, curl writes the head in its place.
            has_body = found.exists() and call.method != "HEAD"
            return Outcome(int(status), headers, found.read_bytes() if has_body else b"", url)

    @staticmethod
    def _body(body: dict, work: Path, has_type: bool) -> list[str]:
        options = []
        if body["kind"] == "form":
            for name, value in body["value"]:
                options += ["--data-urlencode", f"{urllib.parse.quote_plus(name)}={value}"]
            return options
        if body["kind"] == "multipart":
            for name, value in body.get("fields", []):
                options += ["--form-string", f"{name}={value}"]
            for number, file in enumerate(body["files"]):
                path = work / f"part{number}"
                path.write_bytes(base64.b64decode(file["data"]))
                options += ["--form", f"{file['name']}=@{path};type={file['mime']};filename=\"{file['fileName']}\""]
            return options
        if body["kind"] == "json":
            content, kind = json.dumps(body["value"]).encode(), "application/json"
        elif body["kind"] == "text":
            content, kind = body["value"].encode(), "text/plain; charset=utf-8"
        else:
            content, kind = base64.b64decode(body["value"]), "application/octet-stream"
        (work / "content").write_bytes(content)
        return ["--data-binary", f"@{work / 'content'}", *([] if has_type else ["--header", f"Content-Type: {kind}"])]
