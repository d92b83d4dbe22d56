import Foundation
import NetKit
import NetKitTesting
import Synchronization

/// The server of the soak, which fails as each request orders.
///
/// It has two ports, so that redirects lead to another origin.
final class FaultyServer: Sendable {
    let main: MockServer
    let other: MockServer
    private let visits = Visits()
    private let tokens = TokenOffice()

    init() throws {
        main = try MockServer()
        other = try MockServer()
        for server in [main, other] { server.recordsRequests = false }
        addValues()
        addBodies()
        addStreams()
        addRedirects()
        addCredentials()
        addStates()
    }

    /// The number of open connections.
    var openConnections: Int { main.openConnectionCount + other.openConnectionCount }

    /// Adds a route whose answers fail as ordered.
    func route(
        on server: MockServer? = nil,
        _ path: String,
        _ answer: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) {
        (server ?? main)
            .route(nil, path) { [visits] request in
                let response = try answer(request)
                guard let fault = request.header(Fault.field.description).flatMap(Fault.init),
                    fault.times == .always || visits.count(request, for: "fault") == 1
                else { return response }
                return response.failing(with: fault)
            }
    }

    /// Counts the requests of an operation for a purpose, this one included.
    func visit(_ request: RecordedRequest, for purpose: String) -> Int {
        visits.count(request, for: purpose)
    }

    private func addCredentials() {
        route("/secret/*") { [tokens] request in
            guard tokens.accepts(request.header("Authorization")) else { return .status(401) }
            return try .json(Numbered(request.number))
        }
        main.route("GET", "/token") { [tokens] _ in
            tokens.issue().map { .text($0) } ?? .status(503)
        }
        // The text is the credential that arrived.
        route(on: other, "/credentials/*") { request in
            var answer = Numbered(request.number)
            answer.text = request.header("Authorization") ?? "none"
            return try .json(answer)
        }
    }
}

/// Counts the requests of each operation.
private final class Visits: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(_ request: RecordedRequest, for purpose: String) -> Int {
        let key = "\(purpose) \(request.header(Fault.operationField.description) ?? "")"
        return counts.withLock { counts in
            counts[key, default: 0] += 1
            return counts[key, default: 1]
        }
    }
}

extension RecordedRequest {
    /// The number at the end of the path.
    var number: Int { pathSegments.last.flatMap { Int($0) } ?? -1 }

    /// A number in the query.
    func query(_ name: String) -> Int { queryValue(name).flatMap { Int($0) } ?? 0 }
}

extension MockResponse {
    fileprivate func failing(with fault: Fault) -> MockResponse {
        switch fault.kind {
        case .close: .fault(.closeBeforeHead)
        case .reset: .fault(.resetBeforeHead)
        // A response that is whole in spite of the cut must not leave its connection to another operation.
        case .cut: cutting(afterBodyBytes: fault.bytes).closingConnection()
        case .stall: .fault(.stall)
        case .stallInBody: stalling(afterBodyBytes: fault.bytes)
        case .malformed: .raw(Data("no HTTP at all\r\n\r\n".utf8))
        case .unavailable: .status(503)
        case .drip: dripping(bytes: max(16, fault.bytes), every: .milliseconds(2))
        case .closeAfter: closingConnection()
        }
    }
}
