import NetKit
import NetKitTesting
import Testing

/// What became of a string that was sent.
struct AwkwardDelivery: Sendable {
    let string: AwkwardString
    /// What arrived at the server; nil if nothing did.
    let record: RecordedRequest?
    /// How the call failed; nil if it did not.
    let failure: FailureKind?

    /// Whether the string was refused by a typed error, and nothing of it was sent.
    func isRefused(as reason: InvalidRequest.Reason) -> Bool {
        record == nil && failure == .invalidRequest(reason)
    }

    /// Whether there was an answer, and something that it answers.
    var isAnswered: Bool { record != nil && failure == nil }

    /// Sends a request for each string to a server of their own, four at a time.
    ///
    /// - Parameters:
    ///   - strings: The strings.
    ///   - makeRequest: Makes a request of a string, with the header fields that it must have.
    /// - Returns: What became of them, in order.
    /// - Throws: What kept the server from starting, or a request without its number.
    static func of<R: Request>(
        _ strings: [AwkwardString] = AwkwardString.all,
        in makeRequest: @escaping @Sendable (String, HTTPHeaders) -> R
    ) async throws -> [AwkwardDelivery] where R.ResponseObjectType == Void {
        let server = try MockServer()
        server.route(nil, "/*") { _ in .status(204) }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        var failures = [FailureKind?](repeating: nil, count: strings.count)
        await withTaskGroup(of: [(Int, FailureKind)].self) { group in
            for lane in 0..<4 {
                group.addTask {
                    var failures: [(Int, FailureKind)] = []
                    for index in stride(from: lane, to: strings.count, by: 4) {
                        let request = makeRequest(strings[index].text, ["X-Index": "\(index)"])
                        do throws(ErrorResponse<R.ErrorType>) {
                            try await endpoint.value(for: request)
                        } catch {
                            failures.append((index, error.kind))
                        }
                    }
                    return failures
                }
            }
            for await found in group {
                for (index, failure) in found { failures[index] = failure }
            }
        }
        #expect(server.acceptedConnectionCount <= 4 + TransportUnderTest.spareConnections)
        var records: [String: RecordedRequest] = [:]
        for record in server.requests {
            let index = try #require(record.header("X-Index"))
            #expect(records.updateValue(record, forKey: index) == nil, "sent twice")
        }
        return strings.indices.map { index in
            AwkwardDelivery(
                string: strings[index],
                record: records["\(index)"],
                failure: failures[index]
            )
        }
    }
}
