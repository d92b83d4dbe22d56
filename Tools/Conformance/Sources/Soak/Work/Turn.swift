import Foundation
import NetKit

/// One operation: its numbers, its fault, and the moment at which it is cancelled.
struct Turn: Sendable {
    let client: Client
    let ledger: Ledger
    let calls: CallCount
    let plant: Plant?
    let ticket: Int
    let worker: Int
    /// Unique among the operations of the engine.
    let number: Int
    let fault: Fault?
    let cancelDelay: Duration?
    /// The source of the operation's own choices.
    let random: SeededGenerator

    /// A request that carries the fault.
    func request<Answer: Decodable & Sendable>(
        _ path: String,
        as type: Answer.Type = Answer.self,
        query: [(String, String)] = []
    ) -> DefaultRequest<Answer, ServerMessage> {
        var request = DefaultRequest<Answer, ServerMessage>(path: path, queryParams: query)
        (request.headers, request.timeout) = (headers, timeout)
        return request
    }

    /// The fields that name the operation and order its fault.
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers[Fault.operationField] = "\(client.engine.rawValue) \(number)"
        headers[Fault.field] = fault?.value
        return headers
    }

    /// A short time limit for a silent server.
    var timeout: TimeInterval? { fault?.isSilent == true ? 0.3 : nil }

    /// Runs `cancel` when the operation is to be cancelled.
    ///
    /// Returns at once otherwise.
    func cancelLater(_ cancel: () -> Void) async {
        guard let cancelDelay else { return }
        // This task isn't cancelled.
        try? await Task.sleep(for: cancelDelay)
        cancel()
    }

    /// Runs `body` in a task, which is cancelled as planned.
    func cancellable(_ body: @escaping @Sendable () async -> Verdict) async -> Verdict {
        let task = Task { await body() }
        await cancelLater { task.cancel() }
        return await task.value
    }
}

// Verdicts.
extension Turn {
    /// Judges a failure.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - isStream: Whether a body that breaks off isn't retried.
    /// - Returns: The verdict.
    func verdict(of error: any Error, isStream: Bool = false) -> Verdict {
        let kind = FailureKind(error)
        if kind == .cancelled, cancelDelay != nil { return .cancelled }
        if let fault, fault.mayFail || isStream && fault.kind == .cut, fault.failures.contains(kind)
        {
            return .failure
        }
        return .wrong("\(kind) with the fault \(fault?.value ?? "none"): \(error)")
    }

    /// Judges a value.
    func verdict(isRight: Bool, _ value: @autoclosure () -> String) -> Verdict {
        guard isRight else { return .wrong("a wrong value: \(value().prefix(200))") }
        if let fault, !fault.maySucceed {
            return .wrong("a value in spite of the fault \(fault.value)")
        }
        return .value
    }

    /// Judges an outcome.
    func verdict<Value>(
        _ outcome: Result<Value, ErrorResponse<ServerMessage>>,
        isRight: (Value) -> Bool
    ) -> Verdict {
        switch outcome {
        case .success(let value): verdict(isRight: isRight(value), "\(value)")
        case .failure(let error): verdict(of: error)
        }
    }
}
