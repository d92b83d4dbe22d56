import Foundation
package import NetKit

extension HAR.Entry {
    /// Creates an entry for an exchange.
    ///
    /// The redaction of the exchange's own request also applies, unless nothing is redacted. Cookies are listed if
    /// their header fields are shown. Where the transport doesn't report them, name lookup
    /// and connecting count as waiting.
    ///
    /// - Parameters:
    ///   - exchange: The exchange as observers receive it.
    ///   - redaction: The parts to redact. Defaults to ``Redaction/secrets``.
    ///   - bodyLimit: The maximum number of bytes to keep of each body. Defaults to no limit.
    package init(
        _ exchange: ObservedExchange,
        redacting redaction: Redaction = .secrets,
        bodyLimit: Int = .max
    ) {
        self.init(exchange, redacting: redaction, bodyLimit: bodyLimit, received: nil)
    }

    /// Creates an entry for an exchange, with details of how its body arrived, if known.
    package init(
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
        cache = HAR.Cache(exchange)
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
    fileprivate init(_ exchange: ObservedExchange) {
        self.init()
        guard exchange.cacheOutcome != .none, let expiration = exchange.expirationDate else {
            return
        }
        beforeRequest = State(
            expires: ISO8601Text(expiration)?.description,
            lastAccess: ISO8601Text(exchange.start)?.description ?? "",
            eTag: exchange.response?.headers[.eTag] ?? "",
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
        guard body.sequence == nil, body.length <= limit, let reader = try? body.open() else {
            return nil
        }
        defer { reader.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while data.count < body.length {
            // An unreadable body is omitted, which the entry notes.
            let read = buffer.withUnsafeMutableBytes { try? reader.read(into: $0) }
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
        headers = HAR.Field.fields(response.headers, redaction)
        redirectURL =
            response.headers[.location].map { redaction.shown($0, of: .location, in: [:]) } ?? ""
        // A compressed body had another size on the wire.
        if response.headers[.contentEncoding] == nil { bodySize = content.size }
        for value in response.headers.values(for: .setCookie)
        where redaction.shown(value, of: .setCookie, in: response.headers) == value {
            if let cookie = HAR.Cookie(ofResponse: value, from: response.url) {
                cookies.append(cookie)
            }
        }
        guard exchange.request.method != .head, response.status.allowsBody else { return }
        if let received {
            if let reason = received.cut {
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
