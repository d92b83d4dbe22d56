"""Checks HAR files with the HAR 1.2 schema, by sums beyond the schema, and with a reader.

    check_logs.py SCHEMA FOLDER

FOLDER contains `empty.har`, `redacted.har` and `whole.har`. The script first breaks one of them in several ways, which
the schema has to reject. Exits with 1 at the first failure.
"""
import base64
import copy
import json
import sys
from importlib.metadata import version
from pathlib import Path

import jsonschema
from haralyzer import HarParser

BREAKS = [
    lambda log: log.pop("version"),
    lambda log: log.update(extra=1),
    lambda log: log["entries"][0].pop("cache"),
    lambda log: log["entries"][0].update(startedDateTime="2024-01-01"),
    lambda log: log["entries"][0]["request"].update(url="/relative"),
    lambda log: log["entries"][0]["request"].update(bodySize="1"),
    lambda log: log["entries"][0]["response"]["content"].pop("mimeType"),
    lambda log: log["entries"][0]["timings"].update(wait=-1),
    lambda log: log["entries"][0]["request"].update(
        postData={"mimeType": "a/b", "params": [], "text": ""}
    ),
]


def fail(text):
    sys.exit(f"{text}")


def check_entry(entry, place):
    timings = entry["timings"]
    parts = ["blocked", "dns", "connect", "send", "wait", "receive"]
    total = sum(max(0, timings.get(part, -1)) for part in parts)
    if abs(total - entry["time"]) > 0.001:
        fail(f"{place}: time is {entry['time']}, but its parts add up to {total}")
    content = entry["response"]["content"]
    text = content.get("text", "")
    size = len(base64.b64decode(text, validate=True) if "encoding" in content else text.encode())
    # Redacted text has another length.
    if "‹redacted›" not in text and "_truncated" not in content and size != content["size"]:
        fail(f"{place}: size is {content['size']}, but the content has {size} bytes")


def main():
    schema_path, folder = map(Path, sys.argv[1:])
    schema = json.loads(schema_path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    logs = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.har"))}
    if sorted(logs) != ["empty", "redacted", "whole"]:
        fail(f"{folder}: expected empty.har, redacted.har and whole.har, found {sorted(logs)}")

    for number, spoil in enumerate(BREAKS):
        broken = copy.deepcopy(logs["whole"])
        spoil(broken["log"])
        if validator.is_valid(broken):
            fail(f"the schema accepts the log broken in way {number}")

    for name, har in logs.items():
        for error in validator.iter_errors(har):
            fail(f"{name}.har: {error.json_path}: {error.message}")
        for index, entry in enumerate(har["log"]["entries"]):
            check_entry(entry, f"{name}.har, entry {index}")

    if len(logs["redacted"]["log"]["entries"]) != len(logs["whole"]["log"]["entries"]):
        fail("redacted.har and whole.har have different numbers of entries")
    if "s3cret" in (folder / "redacted.har").read_text():
        fail("redacted.har contains the secret")
    if (folder / "whole.har").read_text().count("s3cret") < 5:
        fail("whole.har lacks the secret")

    parser = HarParser(logs["redacted"])
    entries = [entry for page in parser.pages for entry in page.entries] or parser.har_data["entries"]
    statuses = {entry["response"]["status"] for entry in entries}
    expected = {0, 200, 302, 404, 503}
    if not expected <= statuses:
        fail(f"haralyzer reads the status codes {sorted(statuses)}, expected {sorted(expected)}")
    posts = [entry for entry in entries if entry["request"]["method"] == "POST"]
    if len(posts) != 3:
        fail(f"haralyzer reads {len(posts)} POSTs, expected 3")
    print(
        f"{len(entries)} entries are valid HAR 1.2 for jsonschema {version('jsonschema')} and readable by "
        f"haralyzer {version('haralyzer')}"
    )


main()
