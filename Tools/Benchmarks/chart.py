"""Draws the rates of the suite `small` as bars, light and dark, from the JSON of one run.

    Tools/Benchmarks/bench small --json > Tools/Benchmarks/small.json
    Tools/Benchmarks/bench chart < Tools/Benchmarks/small.json

Writes rates.svg and rates~dark.svg for the articles. A narrow page scales them down: the text is large enough for 360
pixels.
"""
import json
import sys
from html import escape
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "Sources/NetKit/NetKit.docc/Resources"
#: The clients of the chart, from the top, with their names and whether they are NetKit.
CLIENTS = {
    "netkit-over-curl": ("NetKit over libcurl", True),
    "async-http-client-decompressing": ("AsyncHTTPClient", False),
    "netkit-over-async-http-client": ("NetKit over AsyncHTTPClient", True),
    "netkit-async": ("NetKit over URLSession", True),
    "raw-tuned": ("URLSession", False),
}
IN_FLIGHT = [1, 16, 256]
WIDTH, LEFT, RIGHT, BAR, GAP, HEAD = 640, 236, 76, 26, 8, 40
THEMES = {
    "": {"text": "#1d1d1f", "quiet": "#6e6e73", "own": "#f05138", "other": "#aeaeb2"},
    "~dark": {"text": "#f5f5f7", "quiet": "#98989d", "own": "#ff6a4d", "other": "#636366"},
}


def rates(lines):
    """The rates of a run: (client, in flight) → calls a second."""
    found = {}
    for line in lines:
        row = json.loads(line) if line.startswith("{") else {}
        if row.get("suite") == "small" and "rate" in row and "in_flight" in row:
            found[row["client"], row["in_flight"]] = row["rate"]
    missing = [f"{client} at {count}" for client in CLIENTS for count in IN_FLIGHT if (client, count) not in found]
    if missing:
        sys.exit(f"no rate of {', '.join(missing)}")
    return found


def drawing(found, theme):
    """The chart as SVG: a group of bars for each number in flight, all on one scale."""
    top = max(found[client, count] for client in CLIENTS for count in IN_FLIGHT)
    parts, y = [], 0

    def text(x, y, content, size, color, weight=400, anchor="start"):
        parts.append(
            f'  <text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
            f'fill="{theme[color]}">{escape(content)}</text>'
        )

    for count in IN_FLIGHT:
        calls = "one call at a time" if count == 1 else f"{count} calls at a time"
        text(0, y + 24, f"{calls}, calls per second", 17, "text", 600)
        y += HEAD
        for client, (name, is_own) in CLIENTS.items():
            rate = found[client, count]
            length = max(2, round((WIDTH - LEFT - RIGHT) * rate / top))
            text(LEFT - 10, y + 18, name, 15, "text" if is_own else "quiet", 600 if is_own else 400, "end")
            parts.append(
                f'  <rect x="{LEFT}" y="{y}" width="{length}" height="{BAR}" rx="4" '
                f'fill="{theme["own" if is_own else "other"]}"/>'
            )
            text(LEFT + length + 8, y + 18, f"{rate:,.0f}", 15, "text")
            y += BAR + GAP
        y += 10
    label = "Calls per second of NetKit over three transports, of AsyncHTTPClient and of URLSession"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" role="img" '
        f'aria-label="{label}" font-family="-apple-system, BlinkMacSystemFont, Helvetica, Arial, sans-serif">',
        *parts,
        "</svg>",
        "",
    ])


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    found = rates(sys.stdin)
    for suffix, theme in THEMES.items():
        (RESOURCES / f"rates{suffix}.svg").write_text(drawing(found, theme))


main()
