import Foundation

/// Runs every check with a new server, and exits with 1 when one fails.
@main
struct Consumer {
    static func main() async {
        var failures = 0
        for (name, run) in Checks.all {
            do {
                let checks = try Checks()
                defer { checks.server.stop() }
                try await run(checks)
                print("passed: \(name)")
            } catch {
                print("FAILED: \(name): \(error)")
                failures += 1
            }
        }
        exit(failures == 0 ? 0 : 1)
    }
}
