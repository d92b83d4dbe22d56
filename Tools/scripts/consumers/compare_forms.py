"""Parses multipart bodies with two parsers, and compares the results with the sources.

    compare_forms.py FOLDER

FOLDER contains pairs of files: `NNN.body` is a body, and `NNN.json` has its Content-Type and the names, file names,
types and bytes of its parts, in order. Exits with 1 at the first difference.

The parsers are python-multipart, configured like Starlette, and werkzeug. They receive a body in pieces, like a
server. The script compares three things:

- the header lines of each part, as written in the body. They must match RFC 7578, with names encoded by the HTML
  standard: `"` as %22, CR as %0D, LF as %0A, everything else in UTF-8. Not all parsers decode these escapes, which
  are ambiguous for a name that contains "%22", so the script expects the escaped name;
- the names that each parser reads, see `python_multipart_reads` and `werkzeug_reads`;
- the bytes, which must match the source without exception.
"""
import base64
import json
import re
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import python_multipart.multipart as python_multipart
import werkzeug.http
import werkzeug.sansio.multipart as werkzeug_multipart

# The number of bytes that a server reads from a socket at once.
PIECE = 65_536


@dataclass
class Part:
    """A parsed or an expected part."""

    headers: list  # of (name, value), as bytes
    name: bytes | None
    file_name: bytes | None
    content: bytes


def pieces(body):
    return (body[start : start + PIECE] for start in range(0, len(body), PIECE))


def parse_with_python_multipart(content_type, body):
    kind, options = python_multipart.parse_options_header(content_type)
    assert kind == b"multipart/form-data", kind
    parts, header, content, ends = [], [b"", b""], [], []

    def begin():
        parts.append(Part([], None, None, b""))
        content.clear()

    def header_end():
        parts[-1].headers.append((header[0], header[1]))
        header[:] = [b"", b""]

    def add_to_header(index, data):
        header[index] += data

    def headers_finished():
        disposition = dict(parts[-1].headers).get(b"Content-Disposition")
        _, names = python_multipart.parse_options_header(disposition)
        parts[-1].name, parts[-1].file_name = names.get(b"name"), names.get(b"filename")

    def part_end():
        parts[-1].content = b"".join(content)

    parser = python_multipart.MultipartParser(
        options[b"boundary"],
        {
            "on_part_begin": begin,
            "on_header_field": lambda data, start, end: add_to_header(0, data[start:end]),
            "on_header_value": lambda data, start, end: add_to_header(1, data[start:end]),
            "on_header_end": header_end,
            "on_headers_finished": headers_finished,
            "on_part_data": lambda data, start, end: content.append(data[start:end]),
            "on_part_end": part_end,
            "on_end": lambda: ends.append(True),
        },
    )
    for piece in pieces(body):
        parser.write(piece)
    parser.finalize()
    assert ends == [True], "no closing boundary"
    return parts


def parse_with_werkzeug(content_type, body):
    kind, options = werkzeug.http.parse_options_header(content_type)
    assert kind == "multipart/form-data", kind
    decoder = werkzeug_multipart.MultipartDecoder(options["boundary"].encode())
    parts, content = [], []
    for piece in [*pieces(body), None]:
        decoder.receive_data(piece)
        while True:
            event = decoder.next_event()
            if isinstance(event, werkzeug_multipart.NeedData):
                break
            if isinstance(event, (werkzeug_multipart.Preamble, werkzeug_multipart.Epilogue)):
                assert event.data == b"", f"bytes outside the parts: {event.data[:80]!r}"
                if isinstance(event, werkzeug_multipart.Epilogue):
                    return parts
            elif isinstance(event, (werkzeug_multipart.Field, werkzeug_multipart.File)):
                headers = [(name.encode(), value.encode()) for name, value in event.headers]
                file_name = getattr(event, "filename", None)
                part = Part(headers, event.name and event.name.encode(), None, b"")
                if event.name == "":
                    part.name = b""
                if file_name is not None:
                    part.file_name = file_name.encode()
                parts.append(part)
                content.clear()
            else:
                content.append(event.data)
                if not event.more_data:
                    parts[-1].content = b"".join(content)
    raise AssertionError("no closing boundary")


def escaped(name):
    """A name, escaped by the HTML standard."""
    return name.replace(b'"', b"%22").replace(b"\r", b"%0D").replace(b"\n", b"%0A")


# Replaces a name that the standards allow parsers to read differently.
LEFT_OUT = object()


def python_multipart_reads(name, file_name):
    r"""The names that python-multipart reads from escaped ones.

    It reads two backslashes as one, and keeps a single one. If the file name then begins like a Windows path, with
    `C:\` or `\\`, it keeps only the part after the last backslash.

    Omitted: a field name that ends in a backslash, before a file name. By the HTML standard the name ends there. By
    RFC 9110 (section 5.6.4) the quote is escaped. This parser continues the quoted string, even after two
    backslashes, and finds no file name.
    """
    if file_name is None:
        return name.replace(b"\\\\", b"\\"), None
    if name.endswith(b"\\"):
        return LEFT_OUT, LEFT_OUT
    file_name = file_name.replace(b"\\\\", b"\\")
    if file_name[1:3] == b":\\" or file_name[:2] == b"\\\\":
        file_name = file_name.split(b"\\")[-1]
    return name.replace(b"\\\\", b"\\"), file_name


def werkzeug_reads(name, file_name):
    r"""The names that werkzeug reads from escaped ones.

    It removes a backslash and keeps the next character (RFC 9110, section 5.6.4). It then decodes "%22" to a quote,
    but neither "%0D" nor "%0A".

    Omitted: a name that ends in an odd number of backslashes, and a file name after it. This parser reads the last
    backslash and the quote as an escaped quote, so the name has no end.
    """

    def is_endless(text):
        return (len(text) - len(text.rstrip(b"\\"))) % 2 == 1

    def read(text):
        return re.sub(rb"\\(.)", rb"\1", text).replace(b"%22", b'"')

    if is_endless(name):
        return LEFT_OUT, None if file_name is None else LEFT_OUT
    if file_name is None:
        return read(name), None
    return read(name), LEFT_OUT if is_endless(file_name) else read(file_name)


PARSERS = {
    "python-multipart": (parse_with_python_multipart, python_multipart_reads),
    "werkzeug": (parse_with_werkzeug, werkzeug_reads),
}


class Difference(Exception):
    pass


def expect(what, seen, expected):
    if seen == expected:
        return
    if isinstance(seen, bytes) and isinstance(expected, bytes):
        same = next(
            (i for i, (a, b) in enumerate(zip(seen, expected)) if a != b),
            min(len(seen), len(expected)),
        )
        where = slice(max(0, same - 20), same + 40)
        raise Difference(
            f"{what}: {len(seen)} bytes, expected {len(expected)}, first difference at {same}:\n"
            f"    found     {seen[where]!r}\n    expected  {expected[where]!r}"
        )
    raise Difference(f"{what}:\n    found     {seen!r}\n    expected  {expected!r}")


def compare(form, manifest, body, parser):
    """Compares one body, and returns the number of omitted names."""
    parse, reads = PARSERS[parser]
    try:
        parts = parse(manifest["contentType"], body)
    except Exception as error:
        raise Difference(f"form {form}, {parser}: {type(error).__name__}: {error}") from error
    expected = manifest["parts"]
    expect(f"form {form}, {parser}: number of parts", len(parts), len(expected))
    left_out = 0
    for index, (part, source) in enumerate(zip(parts, expected)):
        what = f"form {form}, part {index}, {parser}"
        name = escaped(base64.b64decode(source["name"]))
        file_name = source.get("fileName")
        disposition = b'form-data; name="' + name + b'"'
        headers = [(b"Content-Disposition", disposition)]
        if file_name is not None:
            file_name = escaped(base64.b64decode(file_name))
            disposition += b'; filename="' + file_name + b'"'
            headers = [
                (b"Content-Disposition", disposition),
                (b"Content-Type", source["type"].encode()),
            ]
        expect(f"{what}: header lines", part.headers, headers)
        expect(f"{what}: content", part.content, base64.b64decode(source["content"]))
        seen = [("name", part.name), ("file name", part.file_name)]
        for (kind, text), reading in zip(seen, reads(name, file_name)):
            if reading is LEFT_OUT:
                left_out += 1
            else:
                expect(f"{what}: {kind}", text, reading)
    return left_out


def main(folder):
    forms = sorted(folder.glob("*.body"))
    parts = size = 0
    left_out = dict.fromkeys(PARSERS, 0)
    for path in forms:
        manifest = json.loads(path.with_suffix(".json").read_text())
        body = path.read_bytes()
        for parser in PARSERS:
            left_out[parser] += compare(path.stem, manifest, body, parser)
        parts += len(manifest["parts"])
        size += len(body)
    for parser, count in left_out.items():
        print(f"{parser} {version(parser)}: all equal ({count} names omitted because of a last backslash)")
    print(f"{len(forms)} forms, {parts} parts, {size} bytes")
    return 0 if len(forms) == 200 else 1


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1])))
    except Difference as difference:
        print(difference, file=sys.stderr)
        sys.exit(1)
