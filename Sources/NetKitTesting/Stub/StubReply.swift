public import Foundation
public import NetKit

/// What a ``StubTransport`` answers: a response, or a failure.
///
/// The static functions make one, the modifiers return changed copies; a later modifier wins over an earlier
/// one of the same kind, and their order matters in no other way.
///
/// ```swift
/// stub.on(.post, "/users") { request in
///     .json(User(id: 1)).status(201).header(.location, "/users/1").delayed(by: .seconds(2))
/// }
/// ```
///
/// Values are encoded by the transport's ``StubTransport/encoder``. A body that is known as a whole has
/// its Content-Length, unless ``header(_:_:)`` gave one. A reply to HEAD, a 204 and a 304 have no body.
public struct StubReply: Sendable {
    enum Content: Sendable {
        case whole(@Sendable (JSONEncoder) throws -> Data)
        case pieces([Data], every: Duration)
        case failure(TransportError)
        case silence
    }

    /// How fast the body goes: so many bytes, then a pause.
    struct Pace: Sendable {
        var bytes: Int
        var interval: Duration
    }

    /// Where a body breaks off, and with which error.
    struct Break: Sendable {
        var bytes: Int
        var error: TransportError
    }

    /// How often there is a failure instead.
    struct Chance: Sendable {
        var probability: Double
        var error: TransportError
    }

    let content: Content
    var status: HTTPStatus = 200
    var contentType: String?
    var headers: HTTPHeaders = [:]
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
    /// A response without a body.
    ///
    /// - Parameter status: The status.
    /// - Returns: The reply.
    public static func status(_ status: HTTPStatus) -> StubReply {
        StubReply(.whole { _ in Data() }).status(status)
    }

    /// An `application/json` response encoded from a value by the transport's encoder.
    ///
    /// A value that cannot be encoded is the failure of the request, `.other` with the `EncodingError`.
    ///
    /// - Parameter value: What to encode.
    /// - Returns: The reply.
    public static func json(_ value: some Encodable & Sendable) -> StubReply {
        StubReply(.whole { try $0.encode(value) }, contentType: "application/json")
    }

    /// An `application/json` response whose body is this very text, valid or not.
    ///
    /// - Parameter text: The body.
    /// - Returns: The reply.
    public static func json(text: String) -> StubReply {
        .data(Data(text.utf8), contentType: "application/json")
    }

    /// A `text/plain; charset=utf-8` response.
    ///
    /// - Parameter text: The body.
    /// - Returns: The reply.
    public static func text(_ text: String) -> StubReply {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    /// A response with bytes as its body.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - contentType: Its media type, nil for none. The default is application/octet-stream.
    /// - Returns: The reply.
    public static func data(
        _ data: Data,
        contentType: String? = "application/octet-stream"
    ) -> StubReply {
        StubReply(.whole { _ in data }, contentType: contentType)
    }

    /// A response whose body comes in these pieces, of a length that is not known beforehand.
    ///
    /// - Parameters:
    ///   - pieces: The pieces; each arrives by itself.
    ///   - interval: The pause before each but the first. The default is none.
    ///   - contentType: The media type, nil, the default, for none.
    /// - Returns: The reply.
    public static func pieces(
        _ pieces: [Data],
        every interval: Duration = .zero,
        contentType: String? = nil
    ) -> StubReply {
        StubReply(.pieces(pieces, every: interval), contentType: contentType)
    }

    /// A `text/event-stream` of server-sent events that ends after the last one.
    ///
    /// - Parameters:
    ///   - events: The events; each arrives by itself.
    ///   - interval: The pause before each but the first. The default is none.
    /// - Returns: The reply.
    public static func events(
        _ events: [ServerSentEvent],
        every interval: Duration = .zero
    ) -> StubReply {
        let pieces = events.map { Data($0.written.utf8) }
        return .pieces(pieces, every: interval, contentType: "text/event-stream")
    }

    /// The response of a server that serves ranges (RFC 9110, section 14) to a request for bytes that it
    /// has.
    ///
    /// A `Range` of one interval is answered by a 206, or by a 416 if nothing of it is there; an `If-Range`
    /// that does not name this version by the whole.
    ///
    /// - Parameters:
    ///   - content: The whole of the bytes.
    ///   - request: The request.
    ///   - eTag: The version's entity tag, quotes included. Defaults to none.
    ///   - contentType: The media type. Defaults to `application/octet-stream`.
    /// - Returns: The reply.
    public static func resource(
        _ content: Data,
        for request: StubRequest,
        eTag: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> StubReply {
        let range = RequestedRange(
            request.headers[.range],
            if: request.headers["If-Range"],
            isOneOf: [eTag],
            of: content.count
        )
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

    /// A redirect without a body.
    ///
    /// - Parameters:
    ///   - location: The Location field, absolute or relative, as it is.
    ///   - status: The status. The default is 302.
    /// - Returns: The reply.
    public static func redirect(to location: String, status: HTTPStatus = 302) -> StubReply {
        .status(status).header(.location, location)
    }
}

// No responses.
extension StubReply {
    /// No response: the transport fails.
    ///
    /// - Parameter error: What with.
    /// - Returns: The reply.
    public static func failure(_ error: TransportError) -> StubReply {
        StubReply(.failure(error))
    }

    /// No response: the transport fails.
    ///
    /// - Parameter kind: What goes wrong.
    /// - Returns: The reply.
    public static func failure(_ kind: TransportError.Kind) -> StubReply {
        .failure(TransportError(kind))
    }

    /// No response ever, until the call is cancelled or gives up.
    public static var silence: StubReply { StubReply(.silence) }
}

extension StubReply: CustomStringConvertible {
    /// The status, or what takes its place; nothing of what is in the body.
    public var description: String {
        switch content {
        case .whole, .pieces: "\(status)"
        case .failure(let error): "\(error)"
        case .silence: "silence"
        }
    }
}

extension ServerSentEvent {
    /// The event as a server writes it.
    fileprivate var written: String {
        var text = ""
        if let id { text += "id: \(id)\n" }
        if event != "message" { text += "event: \(event)\n" }
        if let retry { text += "retry: \(retry.clampedNanoseconds / 1_000_000)\n" }
        // Each way to end a line ends one of the data.
        let lines = data.replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: "\r", with: "\n")
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            text += "data: \(line)\n"
        }
        return text + "\n"
    }
}
