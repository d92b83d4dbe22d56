"""Writes RESULTS.md from the results of the suites."""
import json
from pathlib import Path

NETKIT = ["NetKit over URLSession", "NetKit over libcurl", "NetKit over AsyncHTTPClient"]
CAUSES = {"design": "by design", "engine": "the engine's", "ours": "**NetKit's**", "peer": "the peer's"}
HEAD = """# Results

`Tools/scripts/conformance` runs NetKit against public suites, servers and clients, and writes this file.
[README.md](README.md) explains how to run it. A case passes only if the client passes it. The tables below give the reason for every
failure.
"""


def total(result: dict, client: str) -> tuple[int, int] | None:
    """The passed and run cases of a client; None if it ran none."""
    index = result["clients"].index(client)
    run = [(group["passed"][index], group["cases"]) for group in result["groups"]]
    run = [(passed, cases) for passed, cases in run if passed is not None]
    return (sum(passed for passed, _ in run), sum(cases for _, cases in run)) if run else None


def totals(result: dict) -> str:
    """A line for people."""
    if "missing" in result:
        return f"not run: {result['missing']}"
    if "table" in result:
        return f"{len(result['table']['rows'])} rows"
    parts = []
    for client in result["clients"]:
        if found := total(result, client):
            parts.append(f"{client} {found[0]} of {found[1]}")
    return ", ".join(parts)


def cell(value: object) -> str:
    return str("" if value is None else value).replace("|", "\\|").replace("\n", " ")


def table(header: list, rows: list[list]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell(value) for value in line) + " |" for line in lines) + "\n"


def score(found: tuple[int, int] | None) -> str:
    return "" if found is None else f"{found[0]:,} of {found[1]:,}"


def summary(results: list[dict]) -> str:
    rows = []
    for result in results:
        if "missing" in result:
            rows.append([result["title"], result["source"], *["not run"] * len(NETKIT), ""])
            continue
        clients = result["clients"]
        own = [score(total(result, client)) if client in clients else "" for client in NETKIT]
        others = [client for client in clients if client not in NETKIT]
        scores = [(client, total(result, client)) for client in others]
        rows.append(
            [
                f"[{result['title']}](#{anchor(result['title'])})",
                result["source"],
                *own,
                "; ".join(f"{client}: {score(found)}" for client, found in scores if found),
            ]
        )
    return table(["suite", "source", *(client.removeprefix("NetKit ") for client in NETKIT), "others"], rows)


def anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -")
    return kept.replace(" ", "-")


def section(result: dict) -> str:
    parts = [f"## {result['title']}\n"]
    if "missing" in result:
        parts.append(f"Not run: {result['missing']}\n")
    elif "table" in result:
        parts.append(table(result["table"]["header"], result["table"]["rows"]))
    else:
        rows = [[group["name"], group["cases"], *group["passed"]] for group in result["groups"]]
        parts.append(table(["group", "cases", *result["clients"]], rows))
        if result["failures"]:
            rows = [
                [
                    f"`{failure['case']}`" if failure["case"] else "",
                    failure.get("cases", 1),
                    failure["client"],
                    CAUSES[failure["cause"]],
                    failure["reason"],
                ]
                for failure in result["failures"]
            ]
            parts.append(table(["not passed", "cases", "client", "cause", "reason"], rows))
    notes = [*result.get("notes", []), *([result["run"]] if "run" in result else [])]
    if notes:
        parts.append("\n".join(f"- {note}" for note in notes) + "\n")
    return "\n".join(parts)


def write_report(folder: Path) -> None:
    """Writes RESULTS.md beside the folder of the results."""
    results = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    suites = [result for result in results if "table" not in result]
    checks = [result for result in results if "table" in result]
    parts = [HEAD, summary(suites), *map(section, suites), *map(section, checks)]
    (folder.parent / "RESULTS.md").write_text("\n".join(parts))
