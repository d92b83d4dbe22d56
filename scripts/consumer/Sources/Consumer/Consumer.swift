import Foundation

/// Runs every check with a server of its own; ends with 1 if one of them failed.
@main
struct Consumer {
    static func main() async {
        var failures = 0
        for (name, run) in Checks.all {
            do {
                let checks = try Checks()
                defer { checks.server.stop() }
                try await run(checks)
                print("as expected: \(name)")
            } catch {
                print("NOT as expected: \(name): \(error)")
                failures += 1
            }
        }
        exit(failures == 0 ? 0 : 1)
    }
}
