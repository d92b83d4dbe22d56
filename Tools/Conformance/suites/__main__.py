"""Runs the suites beside this file. Tools/scripts/conformance builds the driver and installs the packages first."""
import argparse
import importlib
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from datetime import date
from pathlib import Path

from rendering import totals, write_report

SUITES = Path(__file__).resolve().parent
REPOSITORY = SUITES.parents[2]
RESULTS = SUITES.parent / "Results"


def discovered() -> dict:
    """The modules with a suite, by name."""
    modules = {path.stem: importlib.import_module(path.stem) for path in sorted(SUITES.glob("[a-z]*.py"))}
    return {name.replace("_", "-"): module for name, module in modules.items() if hasattr(module, "run")}


def problems(result: dict, is_whole: bool) -> list[str]:
    """Why the script fails: a failure that is NetKit's own, or an entry for a failure that is gone."""
    ours = [
        f"{failure['case']}: {failure['client']}: {failure['reason']}"
        for failure in result.get("failures", [])
        if failure["cause"] == "ours"
    ]
    stale = [f"{entry}: known as a failure, but passes" for entry in result.get("stale", [])]
    return ours + (stale if is_whole else [])


def run(options: argparse.Namespace) -> int:
    from conformance import Context

    suites = discovered()
    if unknown := set(options.suites) - set(suites):
        sys.exit(f"no suite {', '.join(sorted(unknown))}; there are {', '.join(suites)}")
    chosen = options.suites or [
        name for name, module in suites.items() if not options.short or getattr(module, "SHORT", True)
    ]
    data = dict(entry.split("=", 1) for entry in options.data)
    work = Path(tempfile.mkdtemp())
    context = Context(
        REPOSITORY,
        work,
        Path(options.driver).resolve(),
        {name: Path(path).resolve() for name, path in data.items()},
        options.short,
    )
    failed = not_run = 0
    try:
        for name in chosen:
            start = time.monotonic()
            try:
                result = suites[name].run(context)
            except Exception:
                # The other suites can still run.
                traceback.print_exc()
                failed += 1
                continue
            is_missing = "missing" in result
            found = problems(result, is_whole=not options.short and not is_missing)
            print(f"{name}: {totals(result)} ({time.monotonic() - start:.0f} s)", flush=True)
            for problem in found[:40]:
                print(f"    {problem[:600]}")
            if len(found) > 40:
                print(f"    … and {len(found) - 40} more")
            failed += bool(found)
            not_run += is_missing
            if options.short:
                continue
            stored = RESULTS / f"{name}.json"
            if is_missing and stored.exists():
                print("    RESULTS.md keeps the last result.")
            else:
                result.pop("stale", None)
                result["run"] = provenance(name)
                RESULTS.mkdir(exist_ok=True)
                stored.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    finally:
        context.close()
        shutil.rmtree(work)
    if not options.short:
        write_report(RESULTS)
    print(f"{len(chosen) - failed - not_run} passed, {failed} failed, {not_run} not run")
    return 1 if failed else 0


def provenance(suite: str) -> str:
    """When, at which commit and where a suite ran, and how to run it."""
    def said(*command: str, pattern: str = r"(\S+)") -> str:
        text = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True).stdout
        found = re.search(pattern, text)
        return found[1] if found else "unknown"

    commit = said("git", "rev-parse", "--short=8", "HEAD")
    changes = subprocess.run(
        ["git", "status", "--porcelain", "--", "Sources", "Packages"], cwd=REPOSITORY, capture_output=True, text=True
    ).stdout
    system = said("cat", "/etc/os-release", pattern=r'PRETTY_NAME="([^"]*)"')
    swift = said("swift", "--version", pattern=r"Swift version (\S+)")
    return (
        f"`Tools/scripts/conformance {suite}` at {commit}{' with changes' if changes else ''} on {date.today()}: "
        f"{platform.machine()}, {system}, Swift {swift}."
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tools/scripts/conformance")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    parser.add_argument("--driver")
    parser.add_argument("--data", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--render", action="store_true")
    options = parser.parse_args()
    if options.render:
        write_report(RESULTS)
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
