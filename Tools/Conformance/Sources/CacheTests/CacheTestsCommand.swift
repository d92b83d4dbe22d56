import NetKitCache
import Foundation

/// Runs the public tests of HTTP caches against NetKit's, as a browser's private cache.
@main
enum CacheTestsCommand {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            let suites = try TestSuite.load(options.tests)
            let client = try TestClient(
                server: options.server,
                cache: options.cache,
                engine: options.engine
            )
            if let id = options.id {
                try await runOne(id, of: suites, through: client)
            } else {
                try await runAll(suites, through: client, options)
            }
        } catch {
            print("\(error)\n\(Options.usage)")
            exit(2)
        }
    }

    private static func runAll(
        _ suites: [TestSuite],
        through client: TestClient,
        _ options: Options
    ) async throws {
        let tests = suites.flatMap(\.tests).filter(\.isForPrivateCaches)
        let start = ContinuousClock.now
        let results = Results(suites, await TestRun.run(tests, through: client))
        let seconds = (ContinuousClock.now - start).components.seconds
        let report = Report(results: results)
        print("\(report.text)\n\n\(tests.count) tests in \(seconds) s: \(report.totals)")
        if results.passes(.required) < options.minimumRequired
            || results.passes(.optimal) < options.minimumOptimal
        {
            print(
                """
                FAILED: at least \(options.minimumRequired) required and \
                \(options.minimumOptimal) optimal tests have to pass
                """
            )
            exit(1)
        }
    }

    private static func runOne(
        _ id: String,
        of suites: [TestSuite],
        through client: TestClient
    ) async throws {
        let test = try suites.flatMap(\.tests).first { $0.id == id }
            .orMissing("a test called \(id)")
        let run = TestRun(test: test, client: client, prints: true)
        let outcome = await run.outcome()
        print("=== \(test.kind.rawValue) \(id): \(outcome.message ?? "passed")")
        if outcome != .passed { exit(1) }
    }
}
