import Dispatch
import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ResponseDecoding where Value == [String] {
    /// A format of one's own: a value a line.
    fileprivate static var lines: Self {
        Self { response, _ in
            String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}

@Suite("Decoder", .timeLimit(.minutes(15)))
struct DecoderScenarios {
    private struct Stamp: Decodable, Hashable, Sendable {
        let at: Date
    }

    private struct StampError: ServerError, Decodable {
        let at: Date
        var message: String { "\(at.timeIntervalSince1970)" }
    }

    private struct Nested: Decodable, Hashable, Sendable {
        struct Inner: Decodable, Hashable, Sendable { let item: Item }
        let inner: Inner
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { _ in .json(text: #"{"at":0}"#) }
        server.route(nil, "/no") { _ in .json(text: #"{"at":0}"#, status: 400) }
        server.route(nil, "/nested") { _ in .json(text: #"{"inner":{"item":{"id":5}}}"#) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// A decoder that is known again by the date it makes.
    private static func decoder(_ mark: Double?) -> JSONDecoder? {
        guard let mark else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: mark) }
        return decoder
    }

    @Test("is the one that the endpoint had when the call started")
    func replaced() async throws {
        endpoint.decoder = Self.decoder(1)
        endpoint.interceptors = [
            ClosureInterceptor { [endpoint] request, next in
                defer { endpoint.decoder = Self.decoder(2) }
                return try await next(request)
            }
        ]
        let request = DefaultRequest<Stamp, StampError>(path: "x")
        let first = try await endpoint.value(for: request)
        let second = try await endpoint.value(for: request)
        #expect([first, second].map(\.at.timeIntervalSince1970) == [1, 2])
    }

    /// The most specific decoder decodes, errors as well.
    @Test(
        "prefers the operation's, then the request's, the endpoint's and the default",
        arguments: [
            ([1, 2, 3], 1), ([nil, 2, 3], 2), ([nil, nil, 3], 3), ([1, nil, nil], 1),
            ([nil, nil, nil] as [Double?], 978_307_200),
        ]
    )
    func precedence(marks: [Double?], expected: Double) async throws {
        endpoint.decoder = Self.decoder(marks[2])
        let ok = DefaultRequest<Stamp, StampError>(path: "x", decoder: Self.decoder(marks[1]))
        let no = DefaultRequest<Stamp, StampError>(path: "no", decoder: Self.decoder(marks[1]))
        let operation = endpoint.execute(ok)
        let failing = endpoint.execute(no)
        if let decoder = Self.decoder(marks[0]) {
            operation.decode(with: decoder)
            failing.decode(with: decoder)
        }
        let date = Date(timeIntervalSince1970: expected)
        #expect(await outcome(of: operation).value == Stamp(at: date))
        #expect(await outcome(of: failing).error?.serverError?.at == date)
        if marks[0] == nil { #expect(try await endpoint.value(for: ok) == Stamp(at: date)) }
    }

    /// Requests with files keep theirs.
    @Test("decodes the response of a request with files")
    func multipart() async throws {
        let request = DefaultMultipartFormDataRequest<Stamp, StampError>(
            path: "x",
            method: .post,
            decoder: Self.decoder(7)
        )
        #expect(try await endpoint.value(for: request).at == Date(timeIntervalSince1970: 7))
    }

    /// One decoder on a hundred threads.
    @Test("is safe to use from a hundred threads")
    func threads() async throws {
        let data = DefaultRequest<Data, ServerMessage>(path: "nested")
        let http = try await endpoint.response(for: data).http
        let decoder = JSONDecoder()
        let (results, sink) = AsyncStream.makeStream(of: Item?.self)
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            sink.yield(try? http.decoded(to: Item.self, using: decoder, keyPath: "inner.item"))
        }
        sink.finish()
        var right = 0
        for await result in results where result == Item(id: 5) { right += 1 }
        #expect(right == 100)
    }

    /// A response can be asked for its parts after the fact.
    @Test("decodes parts of a received response")
    func parts() async throws {
        let request = DefaultRequest<Nested, ServerMessage>(path: "nested")
        let response = try await endpoint.response(for: request)
        #expect(response.value == Nested(inner: .init(item: Item(id: 5))))
        #expect(response.http.statusCode == 200)
        #expect(response.http.headers.contentType == .application(.json))
        #expect(response.http.request.url == response.http.url)
        #expect(response.http.request.httpMethod == "GET")
        let id: Int = try response.http.decoded(keyPath: "inner/item/id")
        #expect(id == 5)
        #expect(throws: (any Error).self) {
            try response.http.decoded(to: Int.self, keyPath: "inner.none")
        }
    }

    /// A format of one's own is one more value.
    @Test("supports a custom format", arguments: CallStyle.allCases)
    func ownFormat(style: CallStyle) async throws {
        server.route(nil, "/lines") { _ in .text("a\nb\n") }
        let request = DefaultRequest<[String], ServerMessage>(
            path: "lines",
            responseDecoding: .lines
        )
        #expect(try await style.outcome(of: request, on: endpoint).get() == ["a", "b"])
    }
}
