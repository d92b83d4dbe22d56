public import Foundation
import NetKitSupport

/// A response of a ``MockServer``: an HTTP response, raw bytes or a fault.
///
/// Static functions create a response, and modifiers return changed copies. A later modifier
/// replaces an earlier one of the same kind, but `header(_:_:)` adds a field. Their order has no
/// other effect.
///
/// ```swift
/// server.route("GET", "/slow") { _ in
///     .text("at last").header("X-Cost", "3").delayed(by: .milliseconds(200))
/// }
/// ```
///
/// The server adds Content-Length, Transfer-Encoding and Connection as needed, unless you set them
/// with ``header(_:_:)``. It adds no other field, not even Date. A response to HEAD, a 204 and a
/// 304 have no body.
public struct MockResponse: Sendable {
    enum Content: Sendable {
        case body(Data)
        case chunks([Data])
        case raw(Data, closesConnection: Bool)
        case flood(Data, after: Data, count: Int)
        case fault(MockFault)
    }

    /// The speed of the body: a number of bytes, then a pause.
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
    /// Creates a response without a body.
    ///
    /// - Parameters:
    ///   - code: The three-digit status code.
    ///   - reason: The reason phrase. Defaults to the registered one.
    /// - Returns: The response, with `Content-Length: 0` if the status allows it.
    public static func status(_ code: Int, reason: String? = nil) -> MockResponse {
        var response = MockResponse(.body(Data()))
        response.status = code
        response.reason = reason
        return response
    }

    /// Creates a response from data.
    ///
    /// The content type defaults to application/octet-stream.
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

    /// Creates a `text/plain; charset=utf-8` response.
    public static func text(_ text: String, status: Int = 200) -> MockResponse {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// Creates an `application/json` response from a value, with sorted keys.
    ///
    /// - Parameters:
    ///   - value: The value to encode, with the default settings of `JSONEncoder`.
    ///   - status: The status code. Defaults to 200.
    /// - Returns: The response.
    /// - Throws: `EncodingError` if the value has no JSON form.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> MockResponse {
        let data = try JSONEncoder.sorted.encode(value)
        return .data(data, contentType: "application/json", status: status)
    }

    /// Creates an `application/json` response from text, valid JSON or not.
    public static func json(text: String, status: Int = 200) -> MockResponse {
        .data(Data(text.utf8), contentType: "application/json", status: status)
    }

    /// Creates a redirect without a body.
    ///
    /// - Parameters:
    ///   - location: The Location field, absolute or relative, sent unchanged.
    ///   - status: The status code. Defaults to 302.
    /// - Returns: The response.
    public static func redirect(to location: String, status: Int = 302) -> MockResponse {
        MockResponse.status(status).header("Location", location)
    }
}

// Responses with special framing.
extension MockResponse {
    /// Creates a chunked response, with one chunk for each piece of data that isn't empty.
    ///
    /// - Parameters:
    ///   - chunks: The content of the chunks.
    ///   - interval: The pause between chunks. Defaults to none.
    /// - Returns: The response, without a content type.
    public static func chunked(_ chunks: [Data], every interval: Duration = .zero) -> MockResponse {
        var response = MockResponse(.chunks(chunks))
        response.pieceInterval = interval
        return response
    }

    /// Creates a response from raw bytes, including the head, valid HTTP or not.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to send.
    ///   - closesConnection: Whether to close the connection afterward. Defaults to true. If false,
    ///     the connection stays open for the next request.
    /// - Returns: The response.
    public static func raw(_ bytes: Data, closesConnection: Bool = true) -> MockResponse {
        MockResponse(.raw(bytes, closesConnection: closesConnection))
    }

    /// Creates a response that repeats raw bytes, by default until the client disconnects.
    ///
    /// It needs no memory for them. Use it for heads, informational responses, chunks, trailers and
    /// bodies without an end:
    ///
    /// ```swift
    /// server.route("GET", "/endless") { _ in
    ///     .flood(Data("X-A: b\r\n".utf8), after: Data("HTTP/1.1 200 OK\r\n".utf8))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The bytes to repeat.
    ///   - beginning: The bytes to send first, including the status line, valid HTTP or not.
    ///     Defaults to none.
    ///   - count: The number of repetitions, after which the connection is closed. Defaults to
    ///     `Int.max`.
    /// - Returns: The response.
    public static func flood(
        _ bytes: Data,
        after beginning: Data = Data(),
        count: Int = .max
    ) -> MockResponse {
        guard !bytes.isEmpty, count > 0 else {
            return MockResponse(.flood(Data(), after: beginning, count: 0))
        }
        // Without an end, larger pieces are the same bytes, and faster.
        let repetitions = count == .max ? 1 + (16 << 10) / bytes.count : 1
        let piece =
            repetitions == 1 ? bytes : Data(repeatElement(bytes, count: repetitions).joined())
        return MockResponse(.flood(piece, after: beginning, count: count))
    }

    /// Creates a response with a gzip body, which is not smaller, and `Content-Encoding: gzip`.
    ///
    /// - Parameters:
    ///   - data: The body after decompression.
    ///   - contentType: The content type. Defaults to application/octet-stream.
    ///   - status: The status code. Defaults to 200.
    /// - Returns: The response.
    public static func gzip(
        _ data: Data,
        contentType: String? = "application/octet-stream",
        status: Int = 200
    ) -> MockResponse {
        .data(Gzip.stored(data), contentType: contentType, status: status)
            .header("Content-Encoding", "gzip")
    }

    /// Creates a gzip response that is about 150 times larger after decompression.
    ///
    /// - Parameter count: The number of zero bytes after decompression.
    /// - Returns: The response, with `Content-Encoding: gzip`.
    public static func gzipOfZeros(count: Int) -> MockResponse {
        .data(Gzip.zeros(max(0, count))).header("Content-Encoding", "gzip")
    }

    /// Creates a response that is a fault.
    public static func fault(_ fault: MockFault) -> MockResponse {
        MockResponse(.fault(fault))
    }
}

extension MockResponse: CustomStringConvertible, CustomReflectable {
    /// A mirror of the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// The status and the body's size, or the raw bytes or the fault.
    public var description: String {
        switch content {
        case .body(let data): "\(status) with \(data.count) bytes"
        case .chunks(let chunks): "\(status) with \(chunks.count) chunks"
        case .raw(let bytes, _): "\(bytes.count) raw bytes"
        case .flood(_, _, let count): count == .max ? "an endless flood" : "a flood of \(count)"
        case .fault(let fault): "\(fault)"
        }
    }
}
