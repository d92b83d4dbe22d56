"""NetKit's products and their public symbols, for Tools/scripts/api and Tools/scripts/docs."""
import functools
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PRODUCTS = [
    "NetKit", "NetKitCache", "NetKitCompression", "NetKitCookies", "NetKitCurl", "NetKitDigest", "NetKitHAR",
    "NetKitMigration", "NetKitOAuth", "NetKitPaging", "NetKitTesting", "NetKitTus",
]
# .ci/steps.sh sets it to the options of its builds, so that nothing is built twice.
OPTIONS = os.environ.get("NETKIT_SWIFT_OPTIONS", "").split()


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def shared(package, scratch):
    """The options of `swift build` for a package that is built in a folder with others.

    SwiftPM would take the plan of the one that was built there last.
    """
    return [*OPTIONS, "--package-path", package, "--scratch-path", scratch, "--disable-build-manifest-caching"]


def build(targets=(), package=(*OPTIONS, "--package-path", ROOT)):
    """Builds targets of a package, or all, and returns the folder of the products."""
    for target in [("--target", target) for target in targets] or [()]:
        subprocess.run(["swift", "build", *package, *target], check=True, stdout=sys.stderr)
    return Path(output("swift", "build", *package, "--show-bin-path").strip())


@functools.cache
def platform():
    return json.loads(output("swift", "-print-target-info"))["target"]["unversionedTriple"]


def graphs(module, products, folder, package=ROOT):
    """The symbol graphs of a module, as files in a folder: its own, and those of its extensions of others' types."""
    # A module's internal imports name C modules; these maps locate them.
    maps = [
        *products.glob("*/module.modulemap"),
        *package.glob("Sources/*/module.modulemap"),
        *products.parents[1].glob("checkouts/*/Sources/*/include/module.modulemap"),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-target", platform(), "-I", products / "Modules",
         *(word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")),
         "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder],
        check=True, stdout=subprocess.DEVNULL,
    )
    return [*sorted(folder.glob(f"{module}.symbols.json")), *sorted(folder.glob(f"{module}@*.symbols.json"))]
