import Foundation
import NetKit
import NetKitTesting
import Testing

/// Calls that are cancelled at random moments end each in exactly one outcome.
///
/// The suite runs 2,000 of them; `Tools/scripts/endure stress` sets `NETKIT_STRESS_CALLS` to 50,000.
@Suite("Cancellation stress", .serialized, .timeLimit(.minutes(30)))
struct CancellationStressTests {
    private struct Item: Codable, Sendable { let id: Int }
    private struct ItemRequest: Request {
        typealias ResponseObjectType = Item
        let path = "item"
    }
    private struct PostItem: Request {
        typealias ResponseObjectType = Item
        let path = "item"
        let method: HTTPMethod = .post
        let body: RequestBody? = .params(["id": 1, "text": String(repeating: "x", count: 2_000)])
    }

    private static let calls =
        ProcessInfo.processInfo.environment["NETKIT_STRESS_CALLS"].flatMap(Int.init) ?? 2_000

    private struct Tally: Sendable, Equatable {
        var succeeded = 0
        var cancelled = 0
        var other: [String] = []
    }

    enum Style: String, Codable, Sendable, CaseIterable { case callbacks, async }

    // In a process of its own: what is left behind is counted in the whole process.
    @Test(
        "ends each call in exactly one outcome and leaks nothing",
        arguments: Style.allCases,
        [1, 8]
    )
    func everyCallEndsOnce(style: Style, atATime: Int) async {
        await #expect(processExitsWith: .success) { [style, atATime] in
            closeInheritedSockets()
            let server = try MockServer()
            server.recordsRequests = false
            server.route(nil, "/item") { _ in try .json(Item(id: 1)) }
            let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
            _ = try await endpoint.value(for: ItemRequest())
            let descriptors = openDescriptors()

            let perWorker = Self.calls / (4 * atATime)
            let tally = await Self.run(perWorker, style: style, atATime: atATime, on: endpoint)
            #expect(tally.other.isEmpty, "\(tally.other.prefix(5))")
            #expect(tally.succeeded + tally.cancelled == perWorker * atATime)
            #expect(tally.cancelled > 0)

            // The endpoint is as good as new, and nothing is open but the connections that it keeps:
            // at most six, with both ends in this process, and what curl keeps with each.
            #expect(try await endpoint.value(for: ItemRequest()).id == 1)
            await eventually { openDescriptors() <= descriptors + 18 }
            #expect(openDescriptors() <= descriptors + 18)
            server.stop()
        }
    }

    private static func run(
        _ perWorker: Int,
        style: Style,
        atATime: Int,
        on endpoint: Endpoint
    ) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for _ in 0..<atATime {
                group.addTask { await run(perWorker, style: style, on: endpoint) }
            }
            var tally = Tally()
            for await part in group {
                tally.succeeded += part.succeeded
                tally.cancelled += part.cancelled
                tally.other += part.other
            }
            return tally
        }
    }

    private static func run(_ count: Int, style: Style, on endpoint: Endpoint) async -> Tally {
        var tally = Tally()
        for number in 0..<count {
            let delay = Duration.microseconds(Int64.random(in: 0...3_000))
            let outcome =
                number.isMultiple(of: 2)
                ? await call(ItemRequest(), style, cancelledAfter: delay, on: endpoint)
                : await call(PostItem(), style, cancelledAfter: delay, on: endpoint)
            switch outcome {
            case .success: tally.succeeded += 1
            case .failure(.cancelled): tally.cancelled += 1
            case .failure(let error): tally.other.append("\(error)")
            }
        }
        return tally
    }

    private static func call<R: Request>(
        _ request: R,
        _ style: Style,
        cancelledAfter delay: Duration,
        on endpoint: Endpoint
    ) async -> Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>> {
        switch style {
        case .async:
            let task = Task { () -> Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>> in
                do throws(ErrorResponse<R.ErrorType>) {
                    return .success(try await endpoint.value(for: request))
                } catch {
                    return .failure(error)
                }
            }
            try? await Task.sleep(for: delay)
            task.cancel()
            return await task.value
        case .callbacks:
            let (outcomes, sink) = AsyncStream.makeStream(
                of: Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>.self
            )
            let operation = endpoint.execute(request)
                .onSuccess { sink.yield(.success($0)) }
                .onFail { sink.yield(.failure($0)) }
            try? await Task.sleep(for: delay)
            operation.cancel()
            // Everything is delivered in order: a second outcome would come before this one.
            operation.onSuccess { _ in sink.finish() }.onFail { _ in sink.finish() }
            var all: [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] = []
            for await outcome in outcomes { all.append(outcome) }
            guard all.count == 1, let only = all.first else {
                return .failure(.interceptor(OutcomeCount(count: all.count)))
            }
            return only
        }
    }

    private struct OutcomeCount: Error { let count: Int }
}
