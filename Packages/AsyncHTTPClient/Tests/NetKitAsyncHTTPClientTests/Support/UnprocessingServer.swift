import Foundation
import NIOConcurrencyHelpers
import NetKit
import Testing

/// A server of HTTP/2 that processes no request, says so, and counts them.
struct UnprocessingServer {
    /// The ways to say that a request wasn't processed (RFC 9113, sections 6.8 and 8.7).
    enum Refusal: CaseIterable {
        case goAway, goAwayOfOverload, goAwayInTwoSteps, goAwayAndClose
        /// Before any request.
        case goAwayFirst
        /// Of the request alone, on a connection that goes on.
        case refusedStream
    }

    private let server: HTTP2Server
    private let heads = NIOLockedValueBox(0)

    init(_ refusal: Refusal) async throws {
        let heads = heads
        let preface = refusal == .goAwayFirst ? [HTTP2Bytes.goAway(last: 0)] : []
        server = try await HTTP2Server(
            preface: [HTTP2Bytes.settings] + preface,
            repeatsPreface: true,
            closes: refusal == .goAwayAndClose
        ) { _, frame in
            guard frame.isHeaders else { return [] }
            heads.withLockedValue { $0 += 1 }
            return switch refusal {
            case .goAwayFirst: []
            case .goAway, .goAwayAndClose: [HTTP2Bytes.goAway(last: 0)]
            case .goAwayOfOverload: [HTTP2Bytes.goAway(last: 0, code: 11)]
            case .goAwayInTwoSteps:
                [HTTP2Bytes.goAway(last: 0x7FFF_FFFF), HTTP2Bytes.goAway(last: 0)]
            case .refusedStream: [HTTP2Bytes.reset(stream: frame.stream, code: 7)]
            }
        }
    }

    var url: String { server.url }
    /// How many requests arrived.
    var requests: Int { heads.withLockedValue { $0 } }
    var connections: Int { server.accepted }

    /// Calls a server, and expects each attempt to be sent three times in all.
    ///
    /// - Parameters:
    ///   - refusal: The way in which the server refuses.
    ///   - call: The method, and the maximum number of retries.
    ///   - transport: The transport.
    ///   - spare: The number of connections that it may open and not use.
    ///   - words: The part of the error that says what happened.
    /// - Throws: An error if the server can't start.
    static func expectThreeRequests(
        _ refusal: Refusal,
        _ call: (method: HTTPMethod, retries: Int),
        over transport: any Transport,
        spare: Int = 0,
        words: (TransportError) -> String?
    ) async throws {
        let server = try await UnprocessingServer(refusal)
        let error = try await server.failure(call.method, retries: call.retries, over: transport)
        #expect(error?.kind == .connectionLost)
        let attempts = call.method == .get ? 1 + call.retries : 1
        #expect(server.requests <= 3 * attempts)
        #expect(server.connections <= 3 * attempts + spare)
        guard refusal != .goAwayFirst else { return }
        #expect(server.requests == 3 * attempts)
        let text = "the server refused the request 3 times without processing it"
        #expect(error.flatMap(words) == text)
    }

    /// Calls the server once, and gives the error.
    func failure(
        _ method: HTTPMethod,
        retries: Int,
        over transport: any Transport
    ) async throws
        -> TransportError?
    {
        struct Call: Request {
            typealias ResponseObjectType = Void
            let path = ""
            let method: HTTPMethod
            var body: RequestBody? { method == .post ? .string("abc") : nil }
        }
        let endpoint = Endpoint(baseURL: try #require(URL(string: url)), transport: transport)
        endpoint.retryPolicy = RetryPolicy(maximumRetries: retries, backoff: .none)
        do throws(ErrorResponse<ServerMessage>) {
            try await endpoint.value(for: Call(method: method))
            return nil
        } catch {
            guard case .transport(let error) = error else { return nil }
            return error
        }
    }
}
