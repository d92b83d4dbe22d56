public import Foundation

/// What a ``MockServer`` answers: a response, bytes that are none, or a fault.
///
/// The static functions make one, the modifiers return changed copies; a later modifier wins over
/// an earlier one of the same kind, and their order matters in no other way.
///
/// ```swift
/// server.route("GET", "/slow") { _ in
///     .text("at last").header("X-Cost", "3").delayed(by: .milliseconds(200))
/// }
/// ```
///
/// Content-Length, Transfer-Encoding and Connection are added as the response needs them, unless
/// ``header(_:_:)`` gave one; nothing else is, not even a Date. A response to HEAD, a 204 and a
/// 304 have no body.
public struct MockResponse: Sendable {
    enum Content: Sendable {
        case body(Data)
        case chunks([Data])
        case raw(Data, thenClose: Bool)
        case fault(MockFault)
    }

    /// How fast the body goes: so many bytes, then a pause.
    struct Pace: Sendable, Equatable {
        var bytes: Int
        var interval: Duration
    }

    /// Where and how the response breaks off.
    struct Break: Sendable, Equatable {
        enum Ending: Sendable, Equatable { case close, reset, stall }
        var bodyBytes: Int
        var ending: Ending
    }

    struct Trailers: Sendable {
        var fields: [HeaderField]
        var areAnnounced: Bool
    }

    var content: Content
    var status = 200
    var reason: String?
    var contentType: String?
    var fields: [HeaderField] = []
    var informational: [Int] = []
    var informationalFields: [HeaderField] = []
    var delay = Duration.zero
    var pieceInterval = Duration.zero
    var pace: Pace?
    var breakOff: Break?
    var trailers: Trailers?
    var closesConnection = false
    var isDelimitedByClose = false
    var isBeforeBody = false

    init(_ content: Content) { self.content = content }
}

// Plain responses.
extension MockResponse {
    /// A response without a body.
    ///
    /// - Parameters:
    ///   - code: The status code, three digits.
    ///   - reason: The reason phrase. The default is the registered one.
    /// - Returns: The response, with `Content-Length: 0` where the status allows for it.
    public static func status(_ code: Int, reason: String? = nil) -> MockResponse {
        var response = MockResponse(.body(Data()))
        response.status = code
        response.reason = reason
        return response
    }

    /// A response with bytes as its body; the content type defaults to application/octet-stream.
    public static func data(
        _ data: Data,
        contentType: String? = "application/octet-stream",
        status: Int = 200
    ) -> MockResponse {
        var response = MockResponse(.body(data))
        response.contentType = contentType
        response.status = status
        return response
    }

    /// A `text/plain; charset=utf-8` response.
    public static func text(_ text: String, status: Int = 200) -> MockResponse {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// An `application/json` response encoded from a value, its keys sorted.
    ///
    /// - Parameters:
    ///   - value: What to encode, with the default settings of `JSONEncoder`.
    ///   - status: The status code.
    /// - Returns: The response.
    /// - Throws: `EncodingError` if the value has no JSON form.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> MockResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .data(try encoder.encode(value), contentType: "application/json", status: status)
    }

    /// An `application/json` response whose body is this very text, valid or not.
    public static func json(text: String, status: Int = 200) -> MockResponse {
        .data(Data(text.utf8), contentType: "application/json", status: status)
    }

    /// A redirect without a body.
    ///
    /// - Parameters:
    ///   - location: The Location field, absolute or relative, sent as it is.
    ///   - status: The status code. The default is 302.
    /// - Returns: The response.
    public static func redirect(to location: String, status: Int = 302) -> MockResponse {
        MockResponse.status(status).header("Location", location)
    }
}

// Responses for which the framing matters.
extension MockResponse {
    /// A chunked response, each piece of data one chunk; empty pieces are left out.
    ///
    /// - Parameters:
    ///   - chunks: The chunks' content.
    ///   - interval: The pause between two chunks. The default is none.
    /// - Returns: The response, without a content type.
    public static func chunked(_ chunks: [Data], every interval: Duration = .zero) -> MockResponse {
        var response = MockResponse(.chunks(chunks))
        response.pieceInterval = interval
        return response
    }

    /// Bytes that are sent as they are, head included, whether they make a response or not.
    ///
    /// - Parameters:
    ///   - bytes: All that is sent.
    ///   - thenClose: Whether the connection is closed afterwards, as it is by default. Otherwise
    ///     it stays open, and the next request on it is answered.
    /// - Returns: The response.
    public static func raw(_ bytes: Data, thenClose: Bool = true) -> MockResponse {
        MockResponse(.raw(bytes, thenClose: thenClose))
    }

    /// A response whose body is gzipped, with `Content-Encoding: gzip`; it gets no smaller.
    ///
    /// - Parameters:
    ///   - data: The body as the client is to see it.
    ///   - contentType: Its content type. The default is application/octet-stream.
    ///   - status: The status code. The default is 200.
    /// - Returns: The response.
    public static func gzip(
        _ data: Data,
        contentType: String? = "application/octet-stream",
        status: Int = 200
    ) -> MockResponse {
        .data(Gzip.stored(data), contentType: contentType, status: status)
            .header("Content-Encoding", "gzip")
    }

    /// A response that is about 150 times larger once the client has unpacked it.
    ///
    /// - Parameter count: How many zero bytes the client gets to see.
    /// - Returns: The response, with `Content-Encoding: gzip`.
    public static func gzipOfZeros(count: Int) -> MockResponse {
        .data(Gzip.zeros(max(0, count))).header("Content-Encoding", "gzip")
    }

    /// No response but a fault.
    public static func fault(_ fault: MockFault) -> MockResponse {
        MockResponse(.fault(fault))
    }
}

extension MockResponse: CustomStringConvertible {
    /// The status and the body's length, or what takes their place.
    public var description: String {
        switch content {
        case .body(let data): "\(status) with \(data.count) bytes"
        case .chunks(let chunks): "\(status) with \(chunks.count) chunks"
        case .raw(let bytes, _): "\(bytes.count) raw bytes"
        case .fault(let fault): "\(fault)"
        }
    }
}
