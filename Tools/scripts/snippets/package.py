"""Writes the Swift code of pages and tutorials as a package, for Tools/scripts/docs --snippets.

Each page is a module. A block that begins with a declaration is compiled at the top level of its module, any other block in
a function. Prelude.swift declares the names that pages use without declaring them.

Each step of a tutorial is a module with the newest version of every file up to that step. Its tests are a second module.
"""
import re
import shutil
import sys

from shared.symbols import PRODUCTS, ROOT

CATALOG = ROOT / "Sources/NetKit/NetKit.docc"
CHOOSING = CATALOG / "ChoosingATransport.md"
BLOCK = re.compile(r"^```swift\n(.*?)^```", re.M | re.S)
DECLARATION = re.compile(r"(import|struct|final|class|enum|protocol|extension|func|nonisolated|@Suite)\b")
MODEL = re.compile(r"^( *)((?:struct|enum) \w+:[^{]*(?:Cod|Decod|Encod)able)", re.M)
# The names that NetKit shares with other packages, as a user's module disambiguates them.
ALIASES = re.compile(r"^typealias (\w+) = NetKit\.\1$", re.M)
# `@Code(name: "Book.swift", file: "typed-client-2-Book.swift")` names a file and its version in Resources.
CODE = re.compile(r'@Code\(name: "([^"]+)", file: "([^"]+)"\)')
# The settings of the modules of a page, by the end of their names. With the main actor as default isolation, models are
# nonisolated, as MainActorCode.md says.
MODES = {
    "--matrix": {
        "": "",
        "OnMainActor": ".defaultIsolation(MainActor.self)",
        "Nonsending": '.enableUpcomingFeature("NonisolatedNonsendingByDefault"), '
        '.enableUpcomingFeature("InferIsolatedConformances")',
        "Swift5": ".swiftLanguageMode(.v5)",
    },
    "--beside": {"Beside": ""},
}
# The other packages of a mode, and their products.
OTHERS = {
    "--beside": {
        'url: "https://github.com/apple/swift-http-types", from: "1.0.0"': ["HTTPTypes"],
        'url: "https://github.com/apple/swift-log", from: "1.0.0"': ["Logging"],
        'url: "https://github.com/apple/swift-nio", from: "2.0.0"': ["NIOHTTP1"],
    },
    "--adapters": {
        f'name: "Adapters", path: "{ROOT}/Packages/Adapters"': [
            "NetKitHTTPTypes", "NetKitLogging", "NetKitMetrics", "NetKitServiceLifecycle", "NetKitTracing",
        ],
        'url: "https://github.com/apple/swift-distributed-tracing", "1.0.0"..<"4.0.0"': ["Tracing"],
        'url: "https://github.com/apple/swift-http-types", "1.0.0"..<"4.0.0"': ["HTTPTypes"],
        'url: "https://github.com/apple/swift-log", "1.0.0"..<"4.0.0"': ["Logging"],
        'url: "https://github.com/apple/swift-metrics", "1.0.0"..<"4.0.0"': ["Metrics"],
        'url: "https://github.com/swift-server/swift-service-lifecycle", "1.0.0"..<"4.0.0"': ["ServiceLifecycle"],
    },
}


def head(mode):
    """The imports of each file."""
    modules = [product for product in PRODUCTS if product != "NetKitMigration"]
    if mode == "--beside":
        modules += ["HTTPTypes", "Logging", "NIOHTTP1"]
    return "".join(f"import {module}\n" for module in ["Foundation", *modules, "Prelude", "Testing"])


def write_pages(sources, mode):
    """Writes the modules of the pages, and returns their names with their settings."""
    targets = {}
    aliases = "\n".join(alias[0] for alias in ALIASES.finditer(CHOOSING.read_text()))
    pages = [ROOT / "README.md", *sorted(CATALOG.glob("*.md"))]
    if mode == "--adapters":
        pages = [ROOT / "Packages/Adapters/README.md"]
    for page in pages:
        text = page.read_text()
        blocks = list(BLOCK.finditer(text))
        for suffix, setting in MODES.get(mode, {"": ""}).items() if blocks else ():
            target = page.stem + suffix + "Snippets"
            targets[target] = setting
            folder = sources / target
            folder.mkdir()
            for number, block in enumerate(blocks, 1):
                # Errors are reported at the page's own lines.
                line = text[: block.start(1)].count("\n") + 1
                code = f'#sourceLocation(file: "{page}", line: {line})\n{block[1]}#sourceLocation()\n'
                if suffix == "OnMainActor":
                    code = MODEL.sub(r"\1nonisolated \2", code)
                if not DECLARATION.match(block[1]):
                    code = f"func snippet{number}() async throws {{\n{code}}}\n"
                (folder / f"Snippet{number}.swift").write_text(head(mode) + code)
            if mode == "--beside" and not ALIASES.search(text):
                (folder / "Names.swift").write_text(f"import NetKit\n\n{aliases}\n")
    if mode == "--beside":
        targets["Names"] = ""
        (sources / "Names").mkdir()
        types = "".join(f"    NetKit.{name}.self,\n" for name in ALIASES.findall(CHOOSING.read_text()))
        (sources / "Names/Names.swift").write_text(f"{head(mode)}\nlet names: [Any.Type] = [\n{types}]\n")
    return targets


def write_step(folder, files, module=None):
    """Writes the files of a tutorial's step; tests import `module` by the name of its target."""
    folder.mkdir()
    for name, path in files.items():
        code = path.read_text()
        if module:
            code = re.sub(r"^@testable import \w+$", f"@testable import {module}", code, flags=re.M)
        (folder / name).write_text(f'#sourceLocation(file: "{path}", line: 1)\n{code}')


def write_tutorials(work):
    """Writes the modules of the steps and their manifests, and returns the modules with the one that each tests."""
    steps, used = {}, set()
    for tutorial in sorted(CATALOG.rglob("*.tutorial")):
        sources, tests, module = {}, {}, None
        for number, (name, resource) in enumerate(CODE.findall(tutorial.read_text()), 1):
            used.add(resource)
            path = CATALOG / "Resources" / resource
            target = f"{tutorial.stem}Step{number}"
            if name == "Package.swift":
                manifest = work / "Manifests" / target
                manifest.mkdir(parents=True)
                shutil.copy(path, manifest / name)
            elif name.endswith("Tests.swift"):
                tests[name] = path
                write_step(work / "Sources" / target, tests, module)
                steps[target] = [module]
            elif name.endswith(".swift"):
                sources[name] = path
                module = target
                write_step(work / "Sources" / target, sources)
                steps[target] = []
    if unused := {path.name for path in CATALOG.glob("Resources/*.swift")} - used:
        sys.exit(f"no tutorial shows {', '.join(sorted(unused))}")
    return steps


def write_package(work, mode):
    """Writes the package of a mode, and returns the manifests that the tutorials show."""
    (work / "Sources/Prelude").mkdir(parents=True)
    shutil.copy(ROOT / "Tools/scripts/snippets/Prelude.swift", work / "Sources/Prelude")
    others = OTHERS.get(mode, {})
    pages = write_pages(work / "Sources", mode)
    # The tutorials use none of the other packages.
    steps = {} if others else write_tutorials(work)
    lines = ['.target(name: "Prelude", dependencies: netKit)']
    lines += [
        f'.target(name: "{name}", dependencies: ["Prelude"] + netKit, swiftSettings: quiet + [{setting}])'
        for name, setting in pages.items()
    ]
    for name, tested in steps.items():
        names = "".join(f'"{module}", ' for module in tested)
        lines.append(f'.target(name: "{name}", dependencies: [{names}] + netKit)')
    products = [f'.product(name: "{product}", package: "NetKit"),' for product in PRODUCTS]
    for package, names in others.items():
        identity = re.search(r'([\w-]+)"', package)[1]
        products += [f'.product(name: "{name}", package: "{identity}"),' for name in names]
    (work / "Package.swift").write_text(
        f"""// swift-tools-version: 6.2
import PackageDescription

let netKit: [Target.Dependency] = [{" ".join(products)}]
// A snippet may declare a value that it doesn't use.
let quiet: [SwiftSetting] = [.unsafeFlags(["-suppress-warnings"])]
let package = Package(
    name: "Snippets",
    platforms: [.macOS(.v14)],
    dependencies: [{"".join(f".package({package}), " for package in others)}.package(name: "NetKit", path: "{ROOT}")],
    targets: [{", ".join(lines)}]
)
"""
    )
    # The versions that the transport is built with, so that SwiftPM builds nothing twice.
    resolved = ROOT / "Packages/AsyncHTTPClient/Package.resolved"
    if mode == "--beside" and resolved.exists():
        shutil.copy(resolved, work)
    return sorted((work / "Manifests").glob("*"))
