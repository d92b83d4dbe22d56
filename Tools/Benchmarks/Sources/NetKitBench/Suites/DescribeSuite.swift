import ArgumentParser
import Foundation
import NetKit

/// What parameters as property wrappers cost: the same address and header, written down and collected; and what an
/// endpoint costs that is derived from another one.
struct DescribeSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Encoding a request with and without property wrappers, and deriving an endpoint."
    )

    @OptionGroup var options: SuiteOptions

    @Option(help: "How many requests are encoded in a round.")
    var requests = 5000

    func run() throws {
        guard let base = URL(string: "http://127.0.0.1:1/api") else { return }
        let endpoint = Endpoint(baseURL: base)
        let written = WrittenTodo()
        let collected = CollectedTodo()
        let (one, other) = (
            try endpoint.urlRequest(for: written), try endpoint.urlRequest(for: collected)
        )
        guard one == other else { throw ValidationError("the requests differ: \(one), \(other)") }
        var microseconds: [String: [Double]] = [:]
        for _ in 0..<options.rounds {
            var runs: [(String, () throws -> Void)] = [
                ("written", { _ = try endpoint.urlRequest(for: written) }),
                ("collected", { _ = try endpoint.urlRequest(for: collected) }),
                ("derived", { _ = endpoint.derived { $0.headers["X-User"] = "1" } }),
            ]
            runs.shuffle()
            var round: [String: Double] = [:]
            for (name, encode) in runs {
                let clock = ContinuousClock()
                let time = try clock.measure { for _ in 0..<requests { try encode() } }
                round[name] = time / .microseconds(1) / Double(requests)
            }
            for (name, time) in round { microseconds[name, default: []].append(time) }
            let difference = (round["collected"] ?? 0) - (round["written"] ?? 0)
            microseconds["four parameters", default: []].append(difference)
        }
        for name in ["written", "collected", "four parameters", "derived"] {
            let median = Spread(microseconds[name] ?? []).median
            if options.json {
                print(
                    #"{"suite":"describe","what":"\#(name)","microseconds":\#(rounded(median))}"#
                )
            } else {
                print("\(name): \(rounded(median)) µs")
            }
        }
    }

    private func rounded(_ number: Double) -> Double {
        (number * 100).rounded() / 100
    }
}

private struct WrittenTodo: Request {
    typealias ResponseObjectType = Void
    let path = "users/123/todos/1234"
    let queryParams = [("action", "update")]
    let headers: HTTPHeaders = ["X-Trace": "abc"]
}

private struct CollectedTodo: Request {
    typealias ResponseObjectType = Void
    let path = "users/{user}/todos/{todo}"
    @Path("user") var user = 123
    @Path("todo") var todo = 1234
    @Query("action") var action = "update"
    @Header("X-Trace") var trace = "abc"
}
