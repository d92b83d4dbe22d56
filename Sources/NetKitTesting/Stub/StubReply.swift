public import Foundation
public import NetKit
import NetKitSupport

/// The reply of a ``StubTransport``: a response or a failure.
///
/// Static functions create a reply, and modifiers return changed copies. A later modifier replaces
/// an earlier one of the same kind. Their order has no other effect.
///
/// ```swift
/// stub.on(.post, "/users") { request in
///     .json(User(id: 1)).status(201).header(.location, "/users/1").delayed(by: .seconds(2))
/// }
/// ```
///
/// The transport's ``StubTransport/encoder`` encodes values. A complete body gets a Content-Length,
/// unless you set one with ``header(_:_:)``. A reply to HEAD, a 204 and a 304 have no body.
public struct StubReply: Sendable {
    enum Content: Sendable {
        case whole(@Sendable (JSONEncoder) throws -> Data)
        case pieces([Data], every: Duration)
        case failure(TransportError)
        case silence
    }

    /// The speed of the body: a number of bytes, then a pause.
    struct Pace: Sendable {
        var bytes: Int
        var interval: Duration
    }

    /// Where and how a body breaks off.
    struct Break: Sendable {
        var bytes: Int
        var error: TransportError
    }

    /// The probability of a failure instead of the reply.
    struct Chance: Sendable {
        var probability: Double
        var error: TransportError
    }

    let content: Content
    var status: HTTPStatus = 200
    var contentType: String?
    var fields = StubFields()
    var delay = Duration.zero
    var pace: Pace?
    var breakOff: Break?
    var chance: Chance?

    init(_ content: Content, contentType: String? = nil) {
        self.content = content
        self.contentType = contentType
    }
}

// Responses.
extension StubReply {
    /// Creates a response without a body.
    ///
    /// - Parameter status: The status.
    /// - Returns: The reply.
    public static func status(_ status: HTTPStatus) -> StubReply {
        StubReply(.whole { _ in Data() }).status(status)
    }

    /// Creates an `application/json` response from a value, with the transport's encoder.
    ///
    /// If the value can't be encoded, the request fails as `.other` with the `EncodingError`.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: The reply.
    public static func json(_ value: some Encodable & Sendable) -> StubReply {
        StubReply(.whole { try $0.encode(value) }, contentType: "application/json")
    }

    /// Creates an `application/json` response from text, valid JSON or not.
    ///
    /// - Parameter text: The body.
    /// - Returns: The reply.
    public static func json(text: String) -> StubReply {
        .data(Data(text.utf8), contentType: "application/json")
    }

    /// Creates a `text/plain; charset=utf-8` response.
    ///
    /// - Parameter text: The body.
    /// - Returns: The reply.
    public static func text(_ text: String) -> StubReply {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    /// Creates a response from data.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - contentType: The media type; nil for none. Defaults to application/octet-stream.
    /// - Returns: The reply.
    public static func data(
        _ data: Data,
        contentType: String? = "application/octet-stream"
    ) -> StubReply {
        StubReply(.whole { _ in data }, contentType: contentType)
    }

    /// Creates a response whose body arrives in pieces, without a known length.
    ///
    /// - Parameters:
    ///   - pieces: The pieces, each of which arrives separately.
    ///   - interval: The pause between pieces. Defaults to none.
    ///   - contentType: The media type. Defaults to nil, which means none.
    /// - Returns: The reply.
    public static func pieces(
        _ pieces: [Data],
        every interval: Duration = .zero,
        contentType: String? = nil
    ) -> StubReply {
        StubReply(.pieces(pieces, every: interval), contentType: contentType)
    }

    /// Creates a `text/event-stream` that ends after its last event.
    ///
    /// - Parameters:
    ///   - events: The events, each of which arrives separately.
    ///   - interval: The pause between events. Defaults to none.
    /// - Returns: The reply.
    public static func events(
        _ events: [ServerSentEvent],
        every interval: Duration = .zero
    ) -> StubReply {
        let pieces = events.map { Data($0.written.utf8) }
        return .pieces(pieces, every: interval, contentType: "text/event-stream")
    }

    /// Creates the response of a server that supports ranges (RFC 9110, section 14).
    ///
    /// A GET with a `Range` of one interval gets a 206, or a 416 if it can't be satisfied. Other
    /// methods get the whole content. So does an `If-Range` that doesn't match this version, or
    /// whose entity tag is weak.
    ///
    /// - Parameters:
    ///   - content: The whole content.
    ///   - request: The request.
    ///   - eTag: The version's entity tag, including its quotes. Defaults to none.
    ///   - contentType: The media type. Defaults to `application/octet-stream`.
    /// - Returns: The reply.
    public static func resource(
        _ content: Data,
        for request: StubRequest,
        eTag: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> StubReply {
        let range = RequestedRange(by: request, isOneOf: [eTag], of: content.count)
        var reply: StubReply
        switch range {
        case .whole: reply = .data(content, contentType: contentType)
        case .part(let range):
            let bytes = Data(content.dropFirst(range.lowerBound).prefix(range.count))
            let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
            reply = .data(bytes, contentType: contentType).status(206)
                .header("Content-Range", place)
        case .unsatisfiable:
            reply = .status(416).header("Content-Range", "bytes */\(content.count)")
        }
        reply = reply.header("Accept-Ranges", "bytes")
        return eTag.map { reply.header(.eTag, $0) } ?? reply
    }

    /// Creates a redirect without a body.
    ///
    /// - Parameters:
    ///   - location: The Location field, absolute or relative, sent unchanged.
    ///   - status: The status. Defaults to 302.
    /// - Returns: The reply.
    public static func redirect(to location: String, status: HTTPStatus = 302) -> StubReply {
        .status(status).header(.location, location)
    }
}

// Failures.
extension StubReply {
    /// Creates a failure of the transport.
    ///
    /// - Parameter error: The error.
    /// - Returns: The reply.
    public static func failure(_ error: TransportError) -> StubReply {
        StubReply(.failure(error))
    }

    /// Creates a failure of the transport.
    ///
    /// - Parameter kind: The kind of the error.
    /// - Returns: The reply.
    public static func failure(_ kind: TransportError.Kind) -> StubReply {
        .failure(TransportError(kind))
    }

    /// A reply that never arrives, until the call is canceled or times out.
    public static var silence: StubReply { StubReply(.silence) }
}

extension StubReply: CustomStringConvertible {
    /// The status, the error or `silence`, without the body.
    public var description: String {
        switch content {
        case .whole, .pieces: "\(status)"
        case .failure(let error): "\(error)"
        case .silence: "silence"
        }
    }
}

extension ServerSentEvent {
    /// The event in the format of a server.
    fileprivate var written: String {
        var text = ""
        if let id { text += "id: \(id)\n" }
        if event != "message" { text += "event: \(event)\n" }
        if let retry { text += "retry: \(retry.clampedNanoseconds / 1_000_000)\n" }
        // Every kind of line break ends a data line.
        let lines = data.replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: "\r", with: "\n")
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            text += "data: \(line)\n"
        }
        return text + "\n"
    }
}

/// The header fields of a reply, which a chain of modifiers sets at a constant cost each.
///
/// Copies share the list of fields for as long as each is made from the latest one.
struct StubFields: Sendable {
    private var list = Locked<[(HTTPHeaderName, String)]>([])
    /// The number of fields in the list that belong to this copy.
    private var count = 0

    /// Sets a field, which replaces one of the same name.
    mutating func set(_ name: HTTPHeaderName, to value: String) {
        let isLatest = list.withLock { list in
            guard list.count == count else { return false }
            list.append((name, value))
            return true
        }
        if !isLatest { list = Locked(fields + [(name, value)]) }
        count += 1
    }

    /// The fields in the order of their first values.
    var headers: HTTPHeaders { HTTPHeaders(fields) }

    private var fields: [(HTTPHeaderName, String)] {
        list.withLock { Array($0.prefix(count)) }
    }
}
