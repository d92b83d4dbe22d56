internal import CLibcurl
internal import Foundation
internal import NetKit

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// An easy handle, which carries one transfer after another.
///
/// The options that depend on the transport alone are set once, the others for each transfer.
final class CurlHandle {
    /// The longest body that libcurl sends with the head, from a copy of its own.
    private static let shortBody = 64 << 10

    let easy: OpaquePointer
    /// Has the lists that the easy handle refers to.
    private let options: CurlOptions
    private(set) var transfer: CurlTransfer?
    private let sockets: UnsafeMutablePointer<nk_sockets>
    private let errorText: UnsafeMutablePointer<CChar>
    private let policy: CurlTransport.AddressPolicy
    private let maximumAge: Int
    private let httpVersion: CurlTransport.HTTPVersion
    /// Why the transport's own options can't be set, such as a certificate that can't be read.
    private var brokenOption: TransportError?

    private var fields: OpaquePointer?
    private var upload: CurlUpload?
    private var shortBody: Int64?
    /// Why NetKit itself ends the transfer.
    private(set) var refusal: TransportError?
    private var refusedAddress: String?
    /// Whether the response is complete although libcurl goes on.
    private var isComplete = false
    private var mayRepeat = true
    /// The version to ask for, as libcurl's number.
    private var version = NK_HTTP_VERSION_1_1
    private let refusals: CurlRefusals
    private var attempt = Attempt()
    private var resends = 0
    private static let maximumResends = 20
    /// The bytes of the request's body that were reported.
    private var reported: Int64 = 0
    private var hasReportedShortBody = false
    /// What the options were last set to: most requests need the same as the one before.
    private var lastURL = ""
    private var lastLines: [Line] = []
    private var lastOptions: Options?
    private var isPlainGet = false
    private var acceptEncoding = ""
    private var lastAddress = (host: "", port: 0, text: "")

    private static let acceptEncodingName: HTTPHeaderName = "Accept-Encoding"
    private static let keepAliveName: HTTPHeaderName = "Keep-Alive"
    private static let idempotencyKeyName: HTTPHeaderName = "Idempotency-Key"

    /// A field to send; without a value, one that libcurl is not to add.
    private struct Line: Equatable {
        let name: String
        let value: String?
    }

    /// The options about the connection.
    private struct Options: Equatable {
        let version: Int
        let age: Int
        let needsNew: Bool
    }

    /// The timeout of the response's `Keep-Alive` field, in seconds.
    private(set) var keepAliveTimeout: Int?

    /// What begins anew when the transfer is sent again.
    private struct Attempt {
        var reader = CurlResponseReader()
        /// The bytes of the response's body.
        var received: Int64 = 0
        var isSent = false
        /// Whether the server refused the request.
        var isRefused = false
        /// The connection and the stream of the request over HTTP/2.
        var connection: CurlRefusals.Connection?
        var stream = 0
    }

    init?(_ options: CurlOptions, _ refusals: CurlRefusals, poller: OpaquePointer) {
        guard let easy = nk_easy_create() else { return nil }
        self.easy = easy
        self.options = options
        self.refusals = refusals
        let configuration = options.configuration
        policy = configuration.allowedAddresses
        httpVersion = configuration.httpVersion
        maximumAge = Int(max(1, configuration.idleConnectionLifetime.components.seconds))
        sockets = .allocate(capacity: 1)
        errorText = .allocate(capacity: NK_ERROR_SIZE)
        errorText.initialize(repeating: 0, count: NK_ERROR_SIZE)
        sockets.initialize(to: nk_sockets(poller: poller, is_allowed: nil, context: nil))
        setCallbacks()
        brokenOption = options.apply(to: easy)
    }

    deinit {
        nk_list_free(fields)
        nk_easy_destroy(easy)
        sockets.deallocate()
        errorText.deallocate()
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Options of the transport

    private func setCallbacks() {
        for option in [
            NK_OPT_WRITEDATA, NK_OPT_HEADERDATA, NK_OPT_READDATA, NK_OPT_SEEKDATA, NK_OPT_PRIVATE,
        ] {
            nk_easy_set_pointer(easy, option, context)
        }
        nk_easy_set_data_callback(easy, NK_OPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let handle = CurlHandle.of(context) else { return 0 }
            return handle.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        nk_easy_set_data_callback(easy, NK_OPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let handle = CurlHandle.of(context) else { return 0 }
            return handle.receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        nk_easy_set_data_callback(easy, NK_OPT_READFUNCTION) { bytes, size, count, context in
            guard let bytes, let handle = CurlHandle.of(context) else { return NK_READ_ABORT }
            return handle.readBody(
                into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            )
        }
        nk_easy_set_seek_callback(easy) { context, offset, origin in
            guard let handle = CurlHandle.of(context), offset == 0, origin == 0 else {
                return Int32(NK_SEEK_FAIL)
            }
            return Int32(handle.rewindBody())
        }
        if nk_easy_set_prereq_callback(
            easy,
            { context, remote, local, remotePort, localPort in
                guard let handle = CurlHandle.of(context) else { return Int32(NK_PREREQ_ABORT) }
                return Int32(
                    handle.willSend {
                        CurlRefusals.Connection(local, localPort, remote, remotePort)
                    }
                )
            }
        ) == NK_OK {
            nk_easy_set_pointer(easy, NK_OPT_PREREQDATA, context)
        }
        nk_easy_set_debug_callback(easy) { _, kind, bytes, size, context in
            if kind == NK_INFO_TEXT, let bytes,
                let line = CurlRefusals.Line(UnsafeRawBufferPointer(start: bytes, count: size))
            {
                CurlHandle.of(context)?.take(line)
            }
            return 0
        }
        nk_easy_set_pointer(easy, NK_OPT_DEBUGDATA, context)
        if case .any = policy {
        } else {
            sockets.pointee.context = context
            sockets.pointee.is_allowed = { context, address in
                guard let address, let handle = CurlHandle.of(context) else { return false }
                return handle.allows(String(cString: address))
            }
        }
        nk_easy_set_sockets(easy, sockets)
        nk_easy_set_pointer(easy, NK_OPT_ERRORBUFFER, errorText)
    }

    // MARK: Options of a transfer

    /// Whether libcurl sends the body by itself, and ``reportShortBody()`` waits for it.
    var hasShortBody: Bool { shortBody != nil }

    /// Sets the options of a transfer.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - maximumAge: The maximum idle seconds of a connection to reuse, if the server has said it.
    func prepare(for transfer: CurlTransfer, maximumAge: Int?) {
        let request = transfer.request
        self.transfer = transfer
        refusal = brokenOption
        errorText.pointee = 0
        setURL(of: request)
        let isIdempotent =
            request.method.isSafeToRepeat || request.headers[Self.idempotencyKeyName] != nil
        mayRepeat = isIdempotent && request.body?.sequence == nil
        setMethodAndBody(of: request)
        setFields(of: request)
        version = version(isSecure: transfer.origin?.scheme == "https")
        let age = min(self.maximumAge, maximumAge ?? self.maximumAge)
        // Without a check before each request, only a new connection is sure not to lose it.
        let needsNew =
            age == 0 || !mayRepeat && !CurlLibrary.shared.hasRequestCheck
            || httpVersion == .http2PriorKnowledge && CurlLibrary.shared.losesPriorKnowledge
        set(Options(version: version, age: max(1, age), needsNew: needsNew))
    }

    private func set(_ options: Options) {
        guard options != lastOptions else { return }
        lastOptions = options
        let isHTTP1 = options.version == NK_HTTP_VERSION_1_1
        nk_easy_set_long(easy, NK_OPT_HTTP_VERSION, options.version)
        nk_easy_set_long(easy, NK_OPT_VERBOSE, isHTTP1 ? 0 : 1)
        nk_easy_set_long(easy, NK_OPT_MAXAGE_CONN, options.age)
        nk_easy_set_long(easy, NK_OPT_FRESH_CONNECT, options.needsNew ? 1 : 0)
        // Waits for a connection that may become one of HTTP/2, rather than open another one. One of HTTP/1.1 would be
        // waited for until its response.
        nk_easy_set_long(easy, NK_OPT_PIPEWAIT, isHTTP1 || options.needsNew ? 0 : 1)
    }

    /// Ends the handle's part in a transfer, for the next one.
    func release() {
        upload?.stop()
        if shortBody != nil { nk_easy_set_text(easy, NK_OPT_COPYPOSTFIELDS, nil) }
        (transfer, upload, shortBody, refusal, refusedAddress) = (nil, nil, nil, nil, nil)
        (isComplete, hasReportedShortBody, keepAliveTimeout) = (false, false, nil)
        (attempt, resends, reported) = (Attempt(), 0, 0)
    }

    private func setURL(of request: EncodedRequest) {
        let text = request.url.absoluteString
        guard text != lastURL else { return }
        lastURL = text
        nk_easy_set_text(
            easy,
            NK_OPT_URL,
            text.utf8.contains(UInt8(ascii: "@")) ? Self.withoutUser(text) : text
        )
    }

    /// A URL without user information, which libcurl would send as a credential.
    private static func withoutUser(_ text: String) -> String {
        guard let start = text.range(of: "://")?.upperBound else { return text }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let mark = text[start..<end].lastIndex(of: "@") else { return text }
        return String(text[..<start]) + text[text.index(after: mark)...]
    }

    private func version(isSecure: Bool) -> Int {
        switch httpVersion {
        case .automatic: isSecure ? NK_HTTP_VERSION_2TLS : NK_HTTP_VERSION_1_1
        case .http1Only: NK_HTTP_VERSION_1_1
        case .http2PriorKnowledge: NK_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        case .http3: isSecure ? NK_HTTP_VERSION_3 : NK_HTTP_VERSION_1_1
        }
    }

    private func setMethodAndBody(of request: EncodedRequest) {
        let method = request.method
        let isPlainGet = method == .get && request.body == nil
        defer { self.isPlainGet = isPlainGet }
        guard !isPlainGet || !self.isPlainGet else { return }
        // It also ends what an earlier transfer had set.
        nk_easy_set_long(easy, NK_OPT_HTTPGET, 1)
        if let body = request.body, body.hasContent {
            if let data = body.data, data.count <= Self.shortBody {
                setShortBody(data)
            } else {
                upload = CurlUpload(body, of: transfer)
                nk_easy_set_long(easy, NK_OPT_UPLOAD, 1)
                let length = body.sequence.map { $0.length ?? -1 } ?? body.length
                nk_easy_set_offset(easy, NK_OPT_INFILESIZE_LARGE, length)
            }
        } else if request.body != nil || method == .post || method == .put || method == .patch {
            // With `Content-Length: 0` (RFC 9110, section 8.6).
            setShortBody(Data())
        } else if method == .head {
            nk_easy_set_long(easy, NK_OPT_NOBODY, 1)
        }
        // What libcurl says without it.
        let isImplied = shortBody == nil && upload == nil && (method == .get || method == .head)
        nk_easy_set_text(easy, NK_OPT_CUSTOMREQUEST, isImplied ? nil : self.method(of: request))
    }

    /// The method in the form of `URLRequest`, which capitalizes some methods, such as `get`.
    ///
    /// Signatures are made for that form, so it must be the one that is sent.
    private func method(of request: EncodedRequest) -> String {
        guard case .custom(let token) = request.method else { return request.method.rawValue }
        return request.urlRequest.httpMethod ?? token
    }

    private func setShortBody(_ data: Data) {
        shortBody = Int64(data.count)
        nk_easy_set_long(easy, NK_OPT_POST, 1)
        nk_easy_set_offset(easy, NK_OPT_POSTFIELDSIZE_LARGE, Int64(data.count))
        data.withUnsafeBytes { bytes in
            var none: UInt8 = 0
            withUnsafePointer(to: &none) { none in
                _ = nk_easy_set_pointer(
                    easy,
                    NK_OPT_COPYPOSTFIELDS,
                    bytes.baseAddress ?? UnsafeRawPointer(none)
                )
            }
        }
    }

    private func setFields(of request: EncodedRequest) {
        var lines: [Line] = []
        lines.reserveCapacity(8)
        var encoding = ""
        var has = (accept: false, contentType: false)
        for (name, value) in request.headers {
            if name == Self.acceptEncodingName {
                encoding = value
                continue
            }
            if name == .accept { has.accept = true }
            if name == .contentType { has.contentType = true }
            lines.append(Line(name: name.rawName, value: value))
        }
        // What libcurl would add.
        if !has.accept { lines.append(Line(name: "Accept", value: nil)) }
        if shortBody != nil, !has.contentType {
            lines.append(Line(name: "Content-Type", value: nil))
        }
        if shortBody != nil || upload != nil { lines.append(Line(name: "Expect", value: nil)) }
        if encoding != acceptEncoding {
            acceptEncoding = encoding
            nk_easy_set_text(easy, NK_OPT_ACCEPT_ENCODING, encoding)
        }
        guard lines != lastLines else { return }
        lastLines = lines
        nk_list_free(fields)
        fields = nil
        for line in lines {
            // A semicolon makes an empty field, a colon removes it.
            let value = line.value.map { $0.isEmpty ? ";" : ": \($0)" } ?? ":"
            if let list = nk_list_append(fields, line.name + value) { fields = list }
        }
        nk_easy_set_pointer(easy, NK_OPT_HTTPHEADER, fields.map { UnsafeRawPointer($0) })
    }

    // MARK: Callbacks

    private func allows(_ address: String) -> Bool {
        guard !policy.allows(address) else { return true }
        refusedAddress = address
        return false
    }

    /// Decides before a request goes out on a connection: for the first time, or again.
    ///
    /// libcurl would send a request again if a kept connection ended before any byte of the response. The server may have
    /// processed it, and the endpoint decides about retries.
    private func willSend(over connection: () -> CurlRefusals.Connection) -> Int {
        guard !attempt.isSent else { return NK_PREREQ_ABORT }
        attempt.isSent = true
        if version != NK_HTTP_VERSION_1_1 {
            let connection = connection()
            attempt.connection = connection
            var connects = 0
            nk_easy_get_long(easy, NK_INFO_NUM_CONNECTS, &connects)
            if connects > 0 { refusals.begin(connection) }
        }
        return NK_PREREQ_OK
    }

    private func take(_ line: CurlRefusals.Line) {
        switch line {
        case .refused: attempt.isRefused = true
        case .stream(let number):
            attempt.stream = number
            attempt.connection.map(refusals.noteStream)
        case .goAway(let last): attempt.connection.map { refusals.end($0, after: last) }
        }
    }

    /// Prepares to send a failed request again, if the server said that it didn't process it.
    ///
    /// - Returns: Whether it can be sent again.
    func beginAgain() -> Bool {
        let isUnprocessed =
            attempt.connection.map { refusals.contain(attempt.stream, on: $0) } ?? false
        guard resends < Self.maximumResends, !attempt.reader.hasHead, refusal == nil,
            attempt.isRefused || isUnprocessed,
            transfer?.isCancelled == false, upload?.rewind() ?? true
        else { return false }
        resends += 1
        attempt = Attempt()
        errorText.pointee = 0
        return true
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard let transfer, refusal == nil, !isComplete else { return 0 }
        switch attempt.reader.take(line) {
        case .more: break
        case .head(var head):
            reportShortBody(hasAnswer: true)
            head.connection = connection
            keepAliveTimeout = head.headers[Self.keepAliveName]
                .flatMap { CurlKeepAlive.timeout(in: $0) }
            transfer.deliver(.head(head))
            askForMore()
            if head.status.rawValue == 101 {
                // Another protocol follows, which wasn't requested.
                isComplete = true
                return 0
            }
        case .refused(let reason):
            refusal = TransportError(.malformedResponse, reason: reason)
            return 0
        }
        return line.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let transfer, refusal == nil else { return 0 }
        switch transfer.readiness() {
        case .takesBytes: break
        case .holdsBack: return NK_WRITE_PAUSE
        case .isCancelled: return 0
        }
        attempt.received += Int64(bytes.count)
        transfer.deliver(.body(Data(bytes)))
        askForMore()
        return bytes.count
    }

    /// Ends the wait for the next piece of a live body when the response is there.
    ///
    /// libcurl before 8.6 would not end an exchange with an early response while the body waits.
    private func askForMore() {
        if upload?.isLive == true { transfer?.hasMoreToSend() }
    }

    private func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let transfer, let upload else { return NK_READ_ABORT }
        do {
            guard let count = try upload.read(into: buffer) else { return NK_READ_PAUSE }
            if upload.sent > reported {
                reported = upload.sent
                transfer.deliver(.sent(reported))
            }
            return count
        } catch {
            refusal = TransportError(.other, underlying: error)
            return NK_READ_ABORT
        }
    }

    private func rewindBody() -> Int {
        guard mayRepeat, let upload else { return NK_SEEK_FAIL }
        return upload.rewind() ? NK_SEEK_OK : NK_SEEK_FAIL
    }

    /// Goes on with a transfer that was held back.
    func proceed() { _ = nk_easy_resume(easy) }

    /// Reports a short body once libcurl has sent it.
    ///
    /// - Parameter hasAnswer: Whether the response shows that it was sent.
    /// - Returns: Whether there is nothing left to report.
    @discardableResult
    func reportShortBody(hasAnswer: Bool = false) -> Bool {
        guard let length = shortBody, length > 0 else { return true }
        if !hasAnswer {
            var sent: Int64 = 0
            guard nk_easy_get_offset(easy, NK_INFO_SIZE_UPLOAD, &sent) == NK_OK, sent >= length
            else {
                return false
            }
        }
        if !hasReportedShortBody { transfer?.deliver(.sent(length)) }
        hasReportedShortBody = true
        return true
    }

    // MARK: The end

    /// The outcome of a transfer that libcurl ended.
    func outcome(of result: Int) -> ExchangeFailure? {
        if result != NK_OK, transfer?.isCancelled == true { return .cancelled }
        if let refusal { return .failed(refusal) }
        // libcurl fails an upload that the server ended after its response.
        let hasBody = upload != nil || shortBody != nil
        if isComplete || hasBody && attempt.reader.isComplete(after: attempt.received) {
            return nil
        }
        if result == NK_OK {
            // HTTP/0.9 and the like have no head.
            return attempt.reader.hasHead ? nil : .failed(TransportError(.malformedResponse))
        }
        if let refusedAddress, result == NK_COULDNT_CONNECT {
            let reason =
                "\(refusedAddress) is not an allowed address (Configuration.allowedAddresses)"
            return .failed(TransportError(.cannotConnect, reason: reason))
        }
        var systemError = 0
        nk_easy_get_long(easy, NK_INFO_OS_ERRNO, &systemError)
        return .failed(
            CurlFailure(
                code: result,
                systemError: Int32(truncatingIfNeeded: systemError),
                text: String(cString: errorText),
                hadHead: attempt.reader.hasHead
            )
            .error
        )
    }

    /// What libcurl says about the connection.
    private var connection: ConnectionFacts {
        var (connects, version, port) = (0, 0, 0)
        var address: UnsafePointer<CChar>?
        nk_easy_get_long(easy, NK_INFO_NUM_CONNECTS, &connects)
        nk_easy_get_long(easy, NK_INFO_HTTP_VERSION, &version)
        nk_easy_get_text(easy, NK_INFO_PRIMARY_IP, &address)
        nk_easy_get_long(easy, NK_INFO_PRIMARY_PORT, &port)
        let host = address.map { String(cString: $0) } ?? ""
        let isNew = connects > 0
        let resolved = isNew ? microseconds(NK_INFO_NAMELOOKUP_TIME) : 0
        let connected = isNew ? microseconds(NK_INFO_CONNECT_TIME) : 0
        let secured = isNew ? microseconds(NK_INFO_APPCONNECT_TIME) : 0
        return ConnectionFacts(
            isReused: !isNew,
            httpVersion: Self.name(ofVersion: version),
            remoteAddress: host.isEmpty ? nil : self.address(host, port),
            resolveDuration: isNew ? .microseconds(resolved) : nil,
            connectDuration: isNew ? .microseconds(max(0, connected - resolved)) : nil,
            tlsDuration: secured > 0 ? .microseconds(max(0, secured - connected)) : nil
        )
    }

    private func address(_ host: String, _ port: Int) -> String {
        if host != lastAddress.host || port != lastAddress.port {
            lastAddress = (host, port, "\(host.contains(":") ? "[\(host)]" : host):\(port)")
        }
        return lastAddress.text
    }

    private static func name(ofVersion version: Int) -> String? {
        switch version {
        case 1: "1.0"
        case 2: "1.1"
        case 3: "2"
        case 30: "3"
        default: nil
        }
    }

    private func microseconds(_ information: Int) -> Int64 {
        var value: Int64 = 0
        nk_easy_get_offset(easy, information, &value)
        return value
    }
}

extension HTTPMethod {
    /// Whether a repeated request has the effect of one (RFC 9110, section 9.2.2).
    fileprivate var isSafeToRepeat: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace: true
        default: rawValue == "QUERY"
        }
    }
}
