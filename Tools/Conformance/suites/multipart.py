"""Forms with awkward names and binary content, by Tools/scripts/dependents path."""
from __future__ import annotations

import re
import subprocess

from conformance import LIBCURL, URL_SESSION, Context, Tally

#: .ci/run has a step of its own for it.
SHORT = False


def run(context: Context) -> dict:
    script = context.repository / "Tools/scripts/dependents"
    command = [script, "path", "--scratch-path", context.driver_program.parents[2]]
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    tally = Tally([URL_SESSION, LIBCURL])
    parsers = []
    for client, engine in {URL_SESSION: "urlsession", LIBCURL: "curl"}.items():
        _, _, output = process.stdout.partition(f"over {engine}:\n")
        output = output.partition("\nover ")[0]
        parsers = re.findall(r"^(\S+ [\d.]+): all equal", output, re.MULTILINE)
        forms = re.search(r"^(\d+) forms", output, re.MULTILINE)
        if process.returncode or not parsers or not forms:
            # The script stops at the first difference.
            raise RuntimeError(f"Tools/scripts/dependents path failed: {process.stderr[-2000:]}")
        for parser in parsers:
            for form in range(int(forms[1])):
                tally.record(f"as {parser} reads them", str(form), client, None)
    return tally.result(
        "multipart",
        "Multipart forms",
        f"{' and '.join(parsers)} (PyPI)",
        notes=["Names, file names, types, order and every byte are compared."],
    )
