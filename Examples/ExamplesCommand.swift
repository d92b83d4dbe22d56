import Foundation
import NetKitTesting

/// Runs the demonstrations.
///
/// To learn NetKit, start with Demonstrations/QuickStart: each file defines a request and calls it with closures and
/// with `async`. The other demonstrations use the requests in Requests. The code in Running only prints and checks.
@main
struct ExamplesCommand {
    static func main() async {
        do {
            switch try Invocation(arguments: Array(CommandLine.arguments.dropFirst())) {
            case .help: print(Invocation.usage)
            case .list: list()
            case .run(let chosen, let baseURL, let engine):
                exit(await run(chosen, against: baseURL, over: engine) ? 0 : 1)
            }
        } catch {
            let hint = "See \"swift run Examples list\" and \"swift run Examples --help\"."
            FileHandle.standardError.write(Data("\(error.message)\n\(hint)\n".utf8))
            exit(2)
        }
    }

    private static func list() {
        let width = allDemonstrations.map(\.name.count).max() ?? 0
        for group in demonstrationGroups {
            print("\(group.topic):")
            for demonstration in group.demonstrations {
                let name = Layout.padded(demonstration.name, to: width + 2)
                print("  \(name)\(demonstration.summary)")
            }
            print()
        }
        let others = allDemonstrations.filter { !$0.needsOwnServer }.map(\.name)
        print("These work with --base-url: \(others.joined(separator: ", ")).")
    }

    /// Runs the demonstrations in order, and returns whether all of them passed.
    private static func run(
        _ chosen: [any Demonstration],
        against baseURL: URL?,
        over engine: Engine
    ) async -> Bool {
        var misbehaved: [String] = []
        var skipped: [String] = []
        let place = baseURL.map { "\($0), without the bytes on the wire" }
        print("Server: \(place ?? "a new MockServer on 127.0.0.1 for each demonstration").\n")
        for demonstration in chosen {
            print("\(demonstration.name): \(demonstration.summary)")
            Layout.show("source", demonstration.source)
            do {
                if baseURL != nil, demonstration.needsOwnServer {
                    Layout.show("skipped", "needs its own server")
                    skipped.append(demonstration.name)
                } else {
                    try await run(demonstration, against: baseURL, over: engine)
                }
            } catch {
                Layout.show("FAILED", "\(error)")
                misbehaved.append(demonstration.name)
            }
            print()
        }
        let behaved = chosen.count - misbehaved.count - skipped.count
        let parts = [
            "\(behaved) of \(chosen.count) demonstrations passed",
            skipped.isEmpty ? nil : "\(skipped.count) skipped",
            misbehaved.isEmpty ? nil : "failed: \(misbehaved.joined(separator: ", "))",
        ]
        print(parts.compactMap(\.self).joined(separator: "; ") + ".")
        if chosen.count == allDemonstrations.count {
            print(
                "To start, read Examples/Demonstrations/QuickStart, and run: swift run Examples get login"
            )
        }
        return misbehaved.isEmpty
    }

    /// Runs a demonstration with a new endpoint, and with a new server unless there is a base URL.
    private static func run(
        _ demonstration: any Demonstration,
        against baseURL: URL?,
        over engine: Engine
    ) async throws {
        if let baseURL {
            return try await demonstration.run(Context(baseURL: baseURL, engine: engine))
        }
        let server = try MockServer()
        defer { server.stop() }
        server.addHTTPBinRoutes()
        demonstration.prepare(server)
        let context = Context(server: server, engine: engine)
        // Requests that are not printed yet may explain a failure.
        defer { context.showWire() }
        try await demonstration.run(context)
    }
}
