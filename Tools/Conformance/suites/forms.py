"""Random forms: what python-multipart and werkzeug read of what NetKit sends."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

import httpx
import requests
import werkzeug.formparser
from conformance import ENGINES, Context, Known, RawServer, RecordedRequest, Tally, encoded, examples, versioned
from exchanges import CLIENTS, HTTPX, converse, first, same
from hypothesis import strategies as st
from python_multipart.multipart import QuerystringParser


@dataclass
class File:
    name: str
    file_name: str
    type: str
    content: bytes


@dataclass
class Form:
    fields: list[tuple[str, str]]
    files: list[File] = field(default_factory=list)


def parsers(context: Context) -> Any:
    """The parsers of Tools/scripts/consumers/compare_forms.py, with what each reads of an escaped name."""
    path = str(context.repository / "Tools/scripts/consumers/compare_forms.py")
    loader = importlib.machinery.SourceFileLoader("compare_forms", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_forms", loader))
    loader.exec_module(module)
    return module


def send_all(context: Context, client: str, forms: list[Form], is_multipart: bool) -> list[RecordedRequest | str]:
    """What arrives of each form, or why nothing does."""
    with RawServer() as server:
        if client in ENGINES:
            steps = [
                {"engine": ENGINES[client], "method": "POST", "path": f"/{number}", "body": body(form, is_multipart)}
                for number, form in enumerate(forms)
            ]
            problems = [
                found.error and f"{found.error}: {found.message}"
                for found in converse(context, client, server.url, steps)
            ]
        else:
            problems = [send(client, f"{server.url}/{number}", form, is_multipart) for number, form in enumerate(forms)]
        arrived = {int(request.target[1:]): request for request in server.take()}
    return [arrived.get(number) or problem or "nothing arrives" for number, problem in enumerate(problems)]


def body(form: Form, is_multipart: bool) -> dict:
    pairs = [list(pair) for pair in form.fields]
    if not is_multipart:
        return {"kind": "form", "value": pairs}
    files = [
        {"name": file.name, "fileName": file.file_name, "mime": file.type, "data": encoded(file.content)}
        for file in form.files
    ]
    return {"kind": "multipart", "fields": pairs, "files": files}


def send(client: str, url: str, form: Form, is_multipart: bool) -> str | None:
    """Sends a form with a peer. Returns why it does not."""
    parts: list[tuple] = [(name, (None, value.encode())) for name, value in form.fields]
    parts += [(file.name, (file.file_name, file.content, file.type)) for file in form.files]
    try:
        if client == HTTPX:
            values: dict[str, list[str]] = {}
            for name, value in form.fields:
                values.setdefault(name, []).append(value)
            with httpx.Client(trust_env=False, timeout=20) as session:
                if is_multipart:
                    session.post(url, files=parts)
                else:
                    session.post(url, data=values)
        else:
            with requests.Session() as session:
                session.trust_env = False
                if is_multipart:
                    session.post(url, files=parts, timeout=20)
                else:
                    session.post(url, data=form.fields, timeout=20)
    except Exception as error:
        # Whatever a peer raises is how it refuses.
        return f"{type(error).__name__}: {error}"
    return None


def multipart_problem(compare: Any, request: RecordedRequest, form: Form) -> str | None:
    expected = [(name, None, None, value.encode()) for name, value in form.fields]
    expected += [(file.name, file.file_name, file.type, file.content) for file in form.files]
    kind = ", ".join(request.values("Content-Type"))
    for title, (parse, reads) in compare.PARSERS.items():
        try:
            parts = parse(kind, request.body)
        except Exception as error:
            return f"{title} refuses it: {type(error).__name__}: {error}"
        if problem := same(f"{title}: the number of parts", len(parts), len(expected)):
            return problem
        for part, (name, file_name, mime, content) in zip(parts, expected):
            escaped_file = None if file_name is None else compare.escaped(file_name.encode())
            name_read, file_read = reads(compare.escaped(name.encode()), escaped_file)
            headers = {key.lower(): value.decode() for key, value in part.headers}
            problem = first(
                same(f"{title}: the content", part.content, content),
                None if name_read is compare.LEFT_OUT else same(f"{title}: the name", part.name, name_read),
                None if file_read is compare.LEFT_OUT else same(f"{title}: the file name", part.file_name, file_read),
                same(f"{title}: the type", headers.get(b"content-type"), mime) if mime else None,
            )
            if problem:
                return problem
    return None


def form_problem(request: RecordedRequest, form: Form, keeps_order: bool) -> str | None:
    """What python-multipart and werkzeug read of `application/x-www-form-urlencoded`."""
    kind = ", ".join(request.values("Content-Type"))
    if not kind.startswith("application/x-www-form-urlencoded") and form.fields:
        return f"the type is {kind}"
    expected = form.fields
    environment = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(request.body)),
        "wsgi.input": io.BytesIO(request.body),
    }
    _, values, _ = werkzeug.formparser.parse_form_data(environment)
    grouped = {name: [value for key, value in expected if key == name] for name, _ in expected}
    pairs = pieces(request.body)
    found = {name: [value for key, value in pairs if key == name] for name, _ in pairs}
    return first(
        same("werkzeug", values.to_dict(flat=False), grouped),
        same("python-multipart", pairs if keeps_order else found, expected if keeps_order else grouped),
    )


def pieces(data: bytes) -> list[tuple[str, str]]:
    """The pairs that python-multipart finds, decoded as it leaves to its callers."""
    found: list[list[bytearray]] = []

    def add(index: int, data: bytes, start: int, end: int) -> None:
        found[-1][index].extend(data[start:end])

    parser = QuerystringParser(
        {
            "on_field_start": lambda: found.append([bytearray(), bytearray()]),
            "on_field_name": lambda data, start, end: add(0, data, start, end),
            "on_field_data": lambda data, start, end: add(1, data, start, end),
        }
    )
    parser.write(data)
    parser.finalize()
    return [tuple(urllib.parse.unquote_plus(bytes(part).decode()) for part in pair) for pair in found]


# RFC 7578, section 4, and what forms have been broken by.
TYPE = "application/octet-stream"
EXAMPLES: list[tuple[str, Form]] = [
    ("4.2 a field", Form([("user", "Joe Blow")])),
    (
        "4.3 several files in one field",
        Form([], [File("pics", "file1.txt", "text/plain", b"one"), File("pics", "file2.gif", "image/gif", b"GIF89a")]),
    ),
    ("4.4 a type with a parameter", Form([], [File("a", "a.txt", "text/plain; charset=utf-8", "\u20ac".encode())])),
    ("4.6 _charset_", Form([("_charset_", "UTF-8"), ("field", "\u20ac")])),
    ("5.1 a name that is not ASCII", Form([("\u540d\u524d \u00e9", "1")])),
    ("5.1 a file name that is not ASCII", Form([], [File("a", "\u65e5\u672c\u8a9e \u00e9.txt", TYPE, b"1")])),
    ("5.2 the order of fields", Form([(str(number), str(number)) for number in range(20)])),
    ("5.2 fields with one name", Form([("a", "1"), ("b", "2"), ("a", "3")], [File("a", "x", TYPE, b"4")])),
    (
        "4.1 a boundary of other parts in the content",
        Form([("a", "--boundary\r\n--boundary--\r\n")], [File("b", "b", TYPE, b"\r\n--\r\n----\r\n")]),
    ),
    ("4.1 a part in the content", Form([("a", '\r\n--x\r\nContent-Disposition: form-data; name="b"\r\n\r\nc')])),
    ("an empty field", Form([("a", "")])),
    ("an empty name", Form([("", "a")])),
    ("an empty file", Form([], [File("a", "empty", TYPE, b"")])),
    ("an empty file name", Form([], [File("a", "", TYPE, b"1")])),
    (
        "quotes and line breaks in names",
        Form([('a"b', "1"), ("c\r\nd", "2"), ("e\nf", "3")], [File('g"', 'h"\r\n.txt', TYPE, b"4")]),
    ),
    ("a line break at either end", Form([("a", "\r\nb\r\n"), ("c", "\n"), ("d", "\r")])),
    ("every octet", Form([], [File("a", "a", TYPE, bytes(range(256)))])),
    ("a large file", Form([], [File("a", "a", TYPE, bytes(range(256)) * 2000)])),
]
URL_ENCODED: list[tuple[str, Form]] = [
    ("a space and a plus sign", Form([("a b", "c+d e")])),
    ("delimiters", Form([("a=b", "c&d;e"), ("#f?", "g%20h")])),
    ("text that is not ASCII", Form([("\u00e9", "\u65e5\u672c \U0001f600")])),
    ("line breaks", Form([("a", "b\r\nc\nd")])),
    ("empty ones", Form([("a", ""), ("", "b")])),
    ("one name twice", Form([("a", "1"), ("b", "2"), ("a", "3")])),
    ("the characters that stay", Form([("*-._", "AZaz09*-._~!'()")])),
]


def random_forms(count: int) -> list[Form]:
    pieces = st.sampled_from(
        [
            *(
                "a",
                "Z",
                "0",
                " ",
                '"',
                "'",
                "%",
                "%22",
                "%0D",
                ";",
                "; ",
                "=",
                ",",
                ":",
                "*",
                "\\",
                "\u00e9",
                "e\u0301",
                "\u4e2d",
            ),
            *("\U0001f642", "name=", "filename=", "--", "\r\n", "\n", "[]", ".txt", "/", "..", "\t", "\x7f", "\u2028"),
        ]
    )
    names = st.lists(pieces, min_size=1, max_size=6).map("".join)
    parts = st.sampled_from(
        [
            *(
                "\r\n",
                "--",
                "\r\n--",
                "--\r\n",
                "\r\n--netkit-",
                "\r\n--netkit-0123456789abcdef--\r\n",
                "\r",
                "\n",
                "\0",
            ),
            *('Content-Disposition: form-data; name="x"\r\n\r\n', "a", "&", "=", "+", "%41", "\u00e9", "\U0001f600"),
        ]
    )
    texts = st.lists(parts | st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8).map("".join)
    contents = st.lists(parts.map(str.encode) | st.binary(max_size=40), max_size=12).map(b"".join)
    types = st.sampled_from([TYPE, "text/plain", "image/png", "text/plain; charset=utf-8", 'a/b; c="d, e"'])
    files = st.builds(File, names, names, types, contents)
    forms = st.builds(Form, st.lists(st.tuples(names, texts), max_size=4), st.lists(files, max_size=3))
    return [form for form in examples(forms, count) if form.fields or form.files]


KNOWN: list[Known] = []


def run(context: Context) -> dict:
    compare = parsers(context)
    tally = Tally(CLIENTS)
    random = random_forms(40 if context.short else 500)
    multipart = [*EXAMPLES, *((f"multipart {number}", form) for number, form in enumerate(random))]
    plain = [
        *URL_ENCODED,
        *((f"fields {number}", Form(form.fields)) for number, form in enumerate(random) if form.fields),
    ]
    refused = ("a name with NUL", Form([("a\0b", "c")]))
    for client in CLIENTS:
        arrived = send_all(context, client, [form for _, form in multipart], True)
        for (name, form), found in zip(multipart, arrived):
            problem = found if isinstance(found, str) else multipart_problem(compare, found, form)
            group = "RFC 7578" if name in dict(EXAMPLES) else "random multipart forms"
            tally.record(group, name, client, problem, None if client in ENGINES else group)
        arrived = send_all(context, client, [form for _, form in plain], False)
        for (name, form), found in zip(plain, arrived):
            problem = found if isinstance(found, str) else form_problem(found, form, client != HTTPX)
            group = "URL-encoded" if name in dict(URL_ENCODED) else "random URL-encoded forms"
            tally.record(group, name, client, problem, None if client in ENGINES else group)
        if client in ENGINES:
            found = send_all(context, client, [refused[1]], True)[0]
            is_typed = isinstance(found, str) and found.startswith("invalidRequest.")
            tally.record("refused", refused[0], client, None if is_typed else f"it is no refusal: {found}")
    source = f"RFC 7578, {versioned('python-multipart')} and {versioned('werkzeug')}"
    notes = [
        "Names are compared as each parser reads them after the escapes of the HTML standard, which neither undoes "
        "whole: see `Tools/scripts/consumers/compare_forms.py`. httpx takes URL-encoded fields by name, so that their order "
        "across names is not compared."
    ]
    return tally.result("forms", "Forms", source, KNOWN, notes)
