import Foundation
import NetKit

/// One run of one test, under an identifier of its own.
struct TestRun: Sendable {
    let test: CacheTest
    let client: TestClient
    /// Whether what is sent and received is printed.
    let prints: Bool

    /// Runs the test.
    ///
    /// - Returns: Whether it passed, else the first reason why not.
    func outcome() async -> TestOutcome {
        let steps: [Step]
        do {
            steps = try test.requests.map(Step.init)
        } catch {
            return .failed(.error("UnknownForm", "\(error)"))
        }
        do {
            try await run(steps)
            return .passed
        } catch {
            return .failed(error)
        }
    }

    private func run(_ steps: [Step]) async throws(TestFailure) {
        let uuid = UUID().uuidString.lowercased()
        do {
            try await client.configure(configuration, uuid: uuid)
        } catch {
            // As in the original, the first response then shows that the server knows no such test.
            FileHandle.standardError.write(Data("\(test.id): \(error.message)\n".utf8))
        }
        var responses: [StepResponse] = []
        for (index, step) in steps.enumerated() {
            let response = try await send(step, number: index + 1, uuid, after: responses.last)
            responses.append(response)
            let check = ResponseCheck(
                step: step,
                number: index + 1,
                uuid: uuid,
                response: response
            )
            try check.run()
            if step.pausesAfter { await pause() }
        }
        let state = try await client.serverState(uuid: uuid)
        if prints { show(state) }
        try ServerCheck(steps: steps, responses: responses, state: state).run()
    }

    private func send(
        _ step: Step,
        number: Int,
        _ uuid: String,
        after previous: StepResponse?
    ) async throws(TestFailure) -> StepResponse {
        let request = StepRequest(step, number: number, of: test, uuid: uuid, after: previous)
        if prints {
            print("=== Request \(number)\n    \(request.method.rawValue) \(request.path)")
            for field in request.headers { print("    \(field.name): \(field.value)") }
        }
        let response = try await client.send(request, followsRedirects: step.followsRedirects)
        if prints {
            print("=== Response \(number)\n    \(response.status)")
            for line in response.lines { print("    \(line)") }
        }
        return response
    }

    private func show(_ state: [ServerRequest]) {
        for request in state {
            print("=== Seen by the server: \(request.method), request \(request.number ?? 0)")
            for (name, value) in request.fields.sorted(by: { $0.key < $1.key }) {
                print("    \(name): \(value)")
            }
        }
    }

    /// The requests as the server wants them.
    private var configuration: [JSONValue] {
        test.requests.map { request in
            guard case .object(var members) = request else { return request }
            members["name"] = .string(test.name)
            members["id"] = .string(test.id)
            return .object(members)
        }
    }

    /// Lets three seconds pass, in which responses become stale.
    private func pause() async {
        // A run is never cancelled.
        try? await Task.sleep(for: .seconds(3))
    }
}

extension TestRun {
    /// Runs tests, so many at a time.
    ///
    /// - Parameters:
    ///   - tests: The tests.
    ///   - client: The client that all of them share.
    ///   - size: How many run at a time; the next ones start when all of these have ended.
    /// - Returns: What became of each test, by its identifier.
    static func run(
        _ tests: [CacheTest],
        through client: TestClient,
        chunksOf size: Int = 25
    ) async -> [String: TestOutcome] {
        var outcomes: [String: TestOutcome] = [:]
        for start in stride(from: 0, to: tests.count, by: size) {
            let chunk = tests[start..<min(start + size, tests.count)]
            await withTaskGroup(of: (String, TestOutcome).self) { group in
                for test in chunk {
                    group.addTask {
                        let run = TestRun(test: test, client: client, prints: false)
                        return (test.id, await run.outcome())
                    }
                }
                for await (id, outcome) in group { outcomes[id] = outcome }
            }
        }
        return outcomes
    }
}
