public import Foundation
public import NetKit
import NetKitSupport

/// A recorder that collects exchanges as a redacted ``HAR`` log.
///
/// ```swift
/// let recorder = HARRecorder()
/// endpoint.observation.registerExchanges { recorder.record($0) }
/// // … calls …
/// try recorder.write(to: file)
/// ```
///
/// Exchanges are redacted when they are recorded, so secrets are never stored. By default, that includes every body: an
/// entry has its media type and length. To record JSON and forms, pass `Redaction(showsFields: true)`. Exchanges stay in
/// memory until ``removeAll()``. A recorder is safe to use from any thread.
public final class HARRecorder: Sendable {
    /// The parts to redact.
    package let redaction: Redaction
    /// The maximum number of bytes to keep of each body.
    package let bodyLimit: Int
    private let entries = Locked<[HAR.Entry]>([])

    /// Creates a recorder without entries.
    ///
    /// - Parameters:
    ///   - redaction: The parts to redact, in addition to the requests' own redaction. Defaults to
    ///     ``Redaction/secrets``.
    ///   - bodyLimit: The maximum number of bytes to keep of each body. Entries note omitted bytes. Defaults to 1 MiB.
    public init(redaction: Redaction = .secrets, bodyLimit: Int = 1 << 20) {
        self.redaction = redaction
        self.bodyLimit = max(0, bodyLimit)
    }

    /// Records an exchange.
    ///
    /// - Parameter exchange: The exchange as observers receive it.
    public func record(_ exchange: ObservedExchange) {
        record(exchange, received: nil)
    }

    /// Records an exchange with details of how its body arrived, if known.
    ///
    /// It is the record of a transport, made to be replayed, so JSON and forms are shown field by field.
    package func record(_ exchange: ObservedExchange, received: ReceivedBody?) {
        let entry = HAR.Entry(
            exchange,
            redacting: received == nil ? redaction : redaction.showingFields,
            bodyLimit: bodyLimit,
            received: received
        )
        entries.withLock { $0.append(entry) }
    }

    /// The recorded log, in the order in which the exchanges started.
    public var har: HAR {
        // Exchanges with the same start keep the order in which they ended, which is that of their call.
        HAR(entries: entries.withLock { $0 }.ordered { $0.start < $1.start })
    }

    /// Removes all recorded exchanges.
    public func removeAll() {
        entries.withLock { $0 = [] }
    }

    /// Writes the recorded log to a file, atomically replacing an existing one.
    ///
    /// - Parameter file: The URL of the file, in an existing folder.
    /// - Throws: ``HARError`` if the log can't be encoded or written.
    public func write(to file: URL) throws(HARError) {
        try har.write(to: file)
    }
}

extension HAR.Entry {
    /// Creates an entry for an exchange, with details of how its body arrived, if known.
    ///
    /// The redaction of the exchange's own request also applies, unless nothing is redacted. Cookies are listed if
    /// their header fields are shown. Where the transport doesn't report them, name lookup
    /// and connecting count as waiting.
    ///
    /// - Parameters:
    ///   - exchange: The exchange as observers receive it.
    ///   - redaction: The parts to redact.
    ///   - bodyLimit: The maximum number of bytes to keep of each body.
    ///   - received: How the body arrived, or nil if unknown.
    init(
        _ exchange: ObservedExchange,
        redacting redaction: Redaction,
        bodyLimit: Int,
        received: ReceivedBody?
    ) {
        let redaction = redaction.adding(exchange.request.redaction)
        self.init(
            start: exchange.start,
            request: HAR.Request(exchange.request, redacting: redaction, bodyLimit: bodyLimit),
            response: HAR.Response(exchange, redaction, bodyLimit, received),
            timings: HAR.Timings(exchange)
        )
        cache = HAR.Cache(exchange, redaction)
        guard let connection = exchange.phases.connection else { return }
        serverIPAddress = connection.numericHost
        if let version = connection.httpVersion {
            self.request.httpVersion = "HTTP/\(version)"
            response.httpVersion = "HTTP/\(version)"
        }
    }
}

extension HAR.Cache {
    /// Describes the cache's part in an exchange.
    ///
    /// Empty unless a stored response was used.
    fileprivate init(_ exchange: ObservedExchange, _ redaction: Redaction) {
        self.init()
        guard exchange.cacheOutcome != .none, let expiration = exchange.expirationDate else {
            return
        }
        let headers = exchange.response?.headers ?? [:]
        beforeRequest = State(
            expires: ISO8601Text(expiration)?.description,
            lastAccess: ISO8601Text(exchange.start)?.description ?? "",
            eTag: headers[.eTag].map { redaction.shown($0, of: .eTag, in: headers) } ?? "",
            hitCount: 1,
            comment: "\(exchange.cacheOutcome); hits are not counted for each response"
        )
    }
}

extension HAR.Timings {
    fileprivate init(_ exchange: ObservedExchange) {
        let phases = exchange.phases
        let connection = phases.connection
        let lookup = connection?.resolveDuration
        let handshake = connection?.tlsDuration
        let connecting = connection?.connectDuration.map { $0 + (handshake ?? .zero) }
        let known = (lookup ?? .zero) + (connecting ?? .zero)
        self.init(
            blocked: Self.milliseconds(phases.queueDuration),
            wait: Self.milliseconds(
                (phases.headDuration ?? exchange.duration - phases.queueDuration) - known
            ),
            receive: Self.milliseconds(phases.bodyDuration ?? .zero)
        )
        dns = lookup.map(Self.milliseconds) ?? -1
        connect = connecting.map(Self.milliseconds) ?? -1
        ssl = handshake.map(Self.milliseconds) ?? -1
        comment =
            connection?.isReused == nil
            ? "wait includes connecting and sending" : "wait includes sending"
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return max(0, Double(seconds) * 1000 + Double(attoseconds) / 1e15)
    }
}

extension HAR.Request {
    /// Creates a request entry.
    ///
    /// - Parameters:
    ///   - request: The request as sent.
    ///   - redaction: The parts to redact.
    ///   - bodyLimit: The maximum number of bytes to keep of the body. Defaults to no limit.
    package init(
        _ request: EncodedRequest,
        redacting redaction: Redaction,
        bodyLimit: Int = .max
    ) {
        self.init(method: request.method.rawValue, url: redaction.shown(request.url))
        headers = HAR.Field.fields(request.headers, redaction)
        let query = url.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        queryString = FormFields.items(in: query.utf8).map { HAR.Field($0.name, $0.value) }
        if let field = headers.first(where: { HTTPHeaderName($0.name) == .cookie }),
            field.value != Redaction.mark
        {
            cookies = HAR.Cookie.cookies(ofRequest: field.value)
        }
        guard let body = request.body else { return }
        let isCounted = body.sequence.map { $0.length != nil } ?? true
        bodySize = isCounted ? Int(clamping: body.length) : -1
        postData = HAR.PostData(body, of: request, redaction, bodyLimit)
    }
}

extension HAR.PostData {
    fileprivate init(
        _ body: BodySource,
        of request: EncodedRequest,
        _ redaction: Redaction,
        _ limit: Int
    ) {
        let headers = request.headers
        let type = headers[.contentType]
        self.init(
            mimeType: type.map { redaction.shown($0, of: .contentType, in: headers) }
                ?? "application/octet-stream"
        )
        // A body that isn't shown isn't read once more.
        let isShown = redaction.rules.showsBody(ofType: request.redactedType)
        guard isShown || body.data != nil || body.knownLength == nil || body.length == 0 else {
            let length = Int(clamping: body.length)
            isTruncated = true
            comment = HARText.note(hiding: request.redactedType, length: length)
            return
        }
        guard let data = Self.bytes(of: body, limit) else {
            isTruncated = true
            comment =
                body.sequence == nil
                ? "the body of \(body.length) bytes was left out"
                : "the body was left out: it was sent as it came"
            return
        }
        let text = HARText(data, type: request.redactedType, redaction, limit: limit, of: nil)
        isTruncated = text.isTruncated
        comment = text.comment
        let isForm = type.map { MimeType(rawValue: $0).subtype } == "x-www-form-urlencoded"
        if isForm, !text.isTruncated, text.encoding == nil {
            params = FormFields.items(in: text.text.utf8)
                .map { HAR.Param(name: $0.name, value: $0.value) }
        } else {
            self.text = text.text
            encoding = text.encoding
        }
    }

    /// Returns the bytes, or nil if they are too many or unavailable.
    private static func bytes(of body: BodySource, _ limit: Int) -> Data? {
        if let data = body.data { return data }
        guard body.length <= limit, let reader = try? body.open() else { return nil }
        defer { reader.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while data.count < body.length {
            // An unreadable body is omitted, which the entry notes.
            let read = buffer.withUnsafeMutableBytes { try? reader.readBounded(into: $0) }
            guard let read, read > 0 else { return nil }
            data.append(contentsOf: buffer[..<read])
        }
        return data
    }
}

extension HAR.Response {
    fileprivate init(
        _ exchange: ObservedExchange,
        _ redaction: Redaction,
        _ bodyLimit: Int,
        _ received: ReceivedBody?
    ) {
        guard let response = exchange.response else {
            self.init(status: 0, content: HAR.Content())
            error = exchange.failure ?? "no response"
            return
        }
        self.init(
            status: response.receivedStatus.rawValue,
            statusText: response.receivedStatus.reasonPhrase ?? "",
            content: HAR.Content(response, redaction, limit: bodyLimit, received)
        )
        error = exchange.failure
        headers = HAR.Field.fields(response.headers, redaction)
        redirectURL =
            response.headers[.location].map { redaction.shown($0, of: .location, in: [:]) } ?? ""
        switch exchange.cacheOutcome {
        case .hit, .revalidated, .stale: bodySize = 0
        // A compressed body had another size on the wire.
        case .none, .miss:
            if response.headers[.contentEncoding] == nil {
                bodySize = exchange.streamedLength.map { Int(clamping: $0) } ?? content.size
            }
        }
        for value in response.headers.values(for: .setCookie)
        where redaction.shown(value, of: .setCookie, in: response.headers) == value {
            if let cookie = HAR.Cookie(ofResponse: value, from: response.url) {
                cookies.append(cookie)
            }
        }
        guard exchange.request.method != .head, response.status.allowsBody else { return }
        if let received {
            if exchange.failure != nil {
                comment("the exchange failed after \(received.count) bytes")
            } else if let reason = received.cut {
                markCut(after: received.count, of: response, because: reason)
            }
        } else if let length = exchange.streamedLength {
            markMissing(Int(clamping: length))
        }
    }
}

extension HAR.Content {
    fileprivate init(
        _ response: HTTPResponse,
        _ redaction: Redaction,
        limit: Int,
        _ received: ReceivedBody?
    ) {
        let type = response.headers[.contentType]
        let count = max(received?.count ?? 0, response.body.count)
        self.init(
            size: count,
            mimeType: type.map { redaction.shown($0, of: .contentType, in: response.headers) }
                ?? "x-unknown"
        )
        guard count > 0 else { return }
        let isPart = response.body.count < count
        let body =
            isPart || received?.cut != nil
            ? RedactedBody.withoutBrokenEnd(response.body) : response.body
        let text = HARText(body, type: type, redaction, limit: limit, of: isPart ? count : nil)
        self.text = text.text
        encoding = text.encoding
        isTruncated = text.isTruncated
        comment = text.comment
    }
}

extension HAR.Field {
    fileprivate static func fields(_ headers: HTTPHeaders, _ redaction: Redaction) -> [HAR.Field] {
        headers.map { name, value in
            HAR.Field(name.rawName, redaction.shown(value, of: name, in: headers))
        }
    }
}

/// A record of how a response's body arrived.
package struct ReceivedBody: Equatable, Sendable {
    /// The number of bytes received.
    ///
    /// The exchange may hold only the first of them.
    package let count: Int
    /// The reason to report for an exchange that was stopped before its end.
    ///
    /// Otherwise nil.
    package let cut: String?

    package init(count: Int, cut: String?) {
        self.count = count
        self.cut = cut
    }
}

extension HAR.Response {
    /// Marks an exchange that was stopped after `count` bytes of its body.
    ///
    /// If the announced length is larger, the entry is marked as truncated. Without an announced length, it gets the
    /// reason as its error. An event stream gets only a comment, because events are complete one by one and a reader
    /// may stop at any time.
    mutating func markCut(after count: Int, of response: HTTPResponse, because reason: String) {
        let type = MimeTypeParts.essence(of: response.headers[.contentType] ?? "")
        if type == ("text", "event-stream") {
            return comment("incomplete: the exchange stopped here")
        }
        guard let length = response.head.bodyLength else {
            error = reason
            return comment("the exchange stopped after \(count) bytes")
        }
        guard count < length else { return }
        content.isTruncated = true
        comment("the exchange stopped after \(count) of \(length) bytes")
    }

    /// Notes that a body of this length isn't included.
    mutating func markMissing(_ length: Int) {
        content.size = length
        guard length > 0 else { return }
        content.isTruncated = true
        comment("the body was left out: it went to a file or was read as it came")
    }

    private mutating func comment(_ text: String) {
        content.comment = content.comment.map { "\($0); \(text)" } ?? text
    }
}

extension HTTPStatus {
    /// Whether a response with this status code may have a body.
    ///
    /// See RFC 9110, sections 6.4.1 and, for 205, 15.3.6.
    package var allowsBody: Bool {
        !isInformational && rawValue != 204 && rawValue != 205 && rawValue != 304
    }
}

extension ConnectionFacts {
    /// The remote address without the port and without brackets.
    var numericHost: String? {
        guard let address = remoteAddress, let colon = address.lastIndex(of: ":") else {
            return nil
        }
        return String(address[..<colon].drop { $0 == "[" }.prefix { $0 != "]" })
    }
}
