internal import CLibcurl
internal import Foundation
@_spi(Transports) internal import NetKit
import NetKitSupport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// An easy handle, which carries one transfer after another.
///
/// The options that depend on the transport alone are set once, the others for each transfer.
final class CurlHandle {
    let easy: OpaquePointer
    /// Has the lists that the easy handle refers to.
    private let options: CurlOptions
    private(set) var transfer: CurlTransfer?
    private let sockets: UnsafeMutablePointer<nk_sockets>
    private let mayUseProxy: Bool
    /// Whether the request may go over TLS, to its host or to a proxy.
    private var mayBeEncrypted = true
    private let errorText: UnsafeMutablePointer<CChar>
    private let policy: CurlTransport.AddressPolicy
    private let maximumAge: Int
    private let httpVersion: CurlTransport.HTTPVersion
    /// Why the transport's own options can't be set, such as a certificate that can't be read.
    private var brokenOption: TransportError?

    /// The options that the requests need.
    private let requestOptions: CurlRequestOptions
    private var upload: CurlUpload?
    /// The socket of the response that was held back last.
    private var heldSocket: Int32 = -1
    /// Why NetKit itself ends the transfer.
    private(set) var refusal: TransportError?
    private var refusedAddress: String?
    /// Whether the response is complete although libcurl goes on.
    private var isComplete = false
    private var mayRepeat = true
    /// The version to ask for, as libcurl's number.
    private var version = NK_HTTP_VERSION_1_1
    private let refusals: CurlRefusals
    private var facts: CurlFacts
    // Changed for each line of a head. Nothing called during a change comes back to the handle, so no access is checked.
    @exclusivity(unchecked) private var attempt = CurlAttempt()
    private var resends = 0
    /// The resends in a row to a server that processed nothing on the connection.
    private var resendsInVain = 0
    private static let maximumResends = 20
    private static let maximumResendsInVain = 2
    /// The bytes of the request's body that were reported.
    private var reported: Int64 = 0
    private var hasReportedShortBody = false
    private static let keepAliveName: HTTPHeaderName = "Keep-Alive"

    /// The timeout of the response's `Keep-Alive` field, in seconds.
    private(set) var keepAliveTimeout: Int?

    init?(_ options: CurlOptions, _ refusals: CurlRefusals, poller: OpaquePointer) {
        guard let easy = nk_easy_create() else { return nil }
        self.easy = easy
        let configuration = options.configuration
        let tlsVersion = configuration.tls.minimumVersion.number
        requestOptions = CurlRequestOptions(of: easy, tlsVersion: tlsVersion)
        facts = CurlFacts(of: easy, overUnixSocket: configuration.unixSocketPath != nil)
        self.options = options
        self.refusals = refusals
        policy = configuration.allowedAddresses
        mayUseProxy = options.mayUseProxy
        httpVersion = configuration.httpVersion
        let lifetime = configuration.idleConnectionLifetime.clampedNanoseconds / 1_000_000_000
        maximumAge = Int(clamping: max(1, lifetime))
        sockets = .allocate(capacity: 1)
        errorText = .allocate(capacity: NK_ERROR_SIZE)
        errorText.initialize(repeating: 0, count: NK_ERROR_SIZE)
        sockets.initialize(to: nk_sockets())
        (sockets.pointee.poller, sockets.pointee.last) = (poller, -1)
        setCallbacks()
        brokenOption = options.apply(to: easy)
    }

    deinit {
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
            NK_OPT_WRITEDATA, NK_OPT_HEADERDATA, NK_OPT_READDATA, NK_OPT_SEEKDATA,
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
                    handle.willSend(from: localPort) {
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
        if mayUseProxy, CurlLibrary.shared.hasRequestCheck {
            nk_easy_set_pointer(easy, NK_OPT_XFERINFODATA, context)
            nk_easy_set_progress_callback(easy) { context, _, _, _, _ in
                CurlHandle.of(context)?.goesOn() == true ? 0 : 1
            }
        }
        sockets.pointee.context = context
        if case .any = policy {
        } else {
            sockets.pointee.is_allowed = { context, address in
                guard let address, let handle = CurlHandle.of(context) else { return false }
                return handle.allows(String(cString: address))
            }
        }
        nk_easy_set_sockets(easy, sockets)
        nk_easy_set_pointer(easy, NK_OPT_ERRORBUFFER, errorText)
    }

    // MARK: Options of a transfer

    private static let largeHead = TransportError(.unsupported, reason: CurlFailure.largeHead)

    /// Whether libcurl sends the body by itself, and ``reportShortBody()`` waits for it.
    var hasShortBody: Bool { requestOptions.shortBody != nil }

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
        let isIdempotent =
            transfer.method.isIdempotent || request.headers[.idempotencyKey] != nil
        mayRepeat = isIdempotent && request.body?.sequence == nil
        checkLines(true)
        let isSecure = transfer.origin?.scheme == "https"
        // A proxy of plain HTTP takes the whole URL for the target.
        let keepsTarget = CurlLibrary.shared.changesTarget && (isSecure || !mayUseProxy)
        if requestOptions.set(request, as: transfer.method, keepsTarget: keepsTarget) {
            upload = request.body.map { CurlUpload($0, of: transfer) }
        }
        if refusal == nil, requestOptions.hasLargeField { refusal = Self.largeHead }
        version = httpVersion.number(isSecure: isSecure)
        mayBeEncrypted = isSecure || mayUseProxy
        let age = min(self.maximumAge, maximumAge ?? self.maximumAge)
        // A slow reader pauses a stream, and other calls go on. Without TLS, no option keeps a call off its connection.
        let needsOwn =
            request.kind == .stream && version != NK_HTTP_VERSION_1_1
            || version == NK_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        let isUnshared = needsOwn && CurlLibrary.shared.separatesStreams
        // Without a check before each request, only a new connection is sure not to lose it.
        let isAlone =
            age == 0 || !mayRepeat && !CurlLibrary.shared.hasRequestCheck || isUnshared
        requestOptions.set(
            .init(version: version, age: max(1, age), isAlone: isAlone, isUnshared: isUnshared)
        )
    }

    private func useConnectionOfItsOwn() {
        requestOptions.set(
            .init(version: version, age: maximumAge, isAlone: true, isUnshared: false)
        )
    }

    /// Ends the handle's part in a transfer, for the next one.
    func release() {
        upload?.stop()
        holdBack(false)
        requestOptions.release()
        (transfer, upload, refusal, refusedAddress) = (nil, nil, nil, nil)
        (isComplete, hasReportedShortBody, keepAliveTimeout) = (false, false, nil)
        (resends, resendsInVain, reported) = (0, 0, 0)
        endAttempt()
        (sockets.pointee.last, sockets.pointee.failure) = (-1, 0)
    }

    private func endAttempt() {
        attempt.connection.map { refusals.forget(sender: self, on: $0) }
        attempt = CurlAttempt()
        sockets.pointee.has_sent = false
    }

    // MARK: Callbacks

    private func allows(_ address: String) -> Bool {
        guard !policy.allows(address) else { return true }
        refusedAddress = address
        return false
    }

    /// Decides before a request goes out on a connection: for the first time, or again.
    ///
    /// libcurl would send a request again if a kept connection ended before any byte of the response, and after a 417
    /// without its `Expect` field. The server may have processed it, and the endpoint decides about retries.
    ///
    /// A kept connection of HTTP/1.1 on which there is something to read isn't used: it would be taken for the response
    /// (RFC 9112, section 9.2).
    private func willSend(
        from port: Int32,
        over connection: () -> CurlRefusals.Connection?
    ) -> Int {
        guard !attempt.isSent else {
            endRefusedExpectation()
            return NK_PREREQ_ABORT
        }
        var connects = 0
        nk_easy_get_long(easy, NK_INFO_NUM_CONNECTS, &connects)
        let idle = connects > 0 ? -1 : nk_poller_look(sockets.pointee.poller, max(port, 0))
        if idle > 0 || idle == 0 && mayBeEncrypted && nk_easy_has_unread(easy) {
            attempt.isUseless = true
            return NK_PREREQ_ABORT
        }
        if version != NK_HTTP_VERSION_1_1 {
            let connection = connection()
            if connects > 0 {
                connection.map(refusals.begin)
            } else if let connection, refusals.isBusy(connection) {
                // The transfer that reads first would take the other one's response.
                attempt.isUseless = true
                useConnectionOfItsOwn()
                return NK_PREREQ_ABORT
            }
            attempt.connection = connection
            connection.map { refusals.note(sender: self, on: $0) }
        }
        (attempt.isSent, sockets.pointee.has_sent) = (true, true)
        nk_easy_get_long(easy, NK_INFO_REQUEST_SIZE, &attempt.tunnelSize)
        return NK_PREREQ_OK
    }

    /// Whether its request waits for a response on a connection.
    func uses(_ connection: CurlRefusals.Connection) -> Bool {
        attempt.isSent && !attempt.hasLeft && attempt.connection == connection
    }

    /// Ends the transfer with a 417 if libcurl would send the request again after it.
    ///
    /// libcurl drops the body of that response.
    private func endRefusedExpectation() {
        if attempt.reader.hasHead, attempt.reader.head.status == 417 { isComplete = true }
    }

    private func take(_ line: CurlRefusals.Line) {
        switch line {
        case .refused: attempt.isRefused = true
        case .left: attempt.hasLeft = attempt.isSent
        case .stream(let number):
            attempt.stream = number
            attempt.connection.map(refusals.noteStream)
        case .goAway(let last): attempt.connection.map { refusals.end($0, after: last) }
        case .downgrade:
            // HTTP_1_1_REQUIRED (RFC 9113, section 7) doesn't say that nothing was processed.
            if attempt.reader.hasHead {
                refusal = TransportError(.truncatedResponse)
            } else if mayRepeat {
                holdBack(false)
                endAttempt()
            }
        }
    }

    /// Whether the server said that it didn't process the request.
    private var isUnprocessed: Bool {
        guard !attempt.reader.hasHead, refusal == nil else { return false }
        return attempt.isRefused
            || attempt.connection.map { refusals.contain(attempt.stream, on: $0) } ?? false
    }

    /// Prepares to send a failed request again, if it wasn't sent, or the server said that it didn't process it.
    ///
    /// A server that processes nothing at all gets a request three times, and the endpoint decides about retries.
    ///
    /// - Returns: Whether it can be sent again.
    func beginAgain() -> Bool {
        if attempt.isUseless, resends < Self.maximumResends, transfer?.isCancelled == false {
            resetForResend()
            return true
        }
        guard isUnprocessed else { return false }
        let hasProcessedOthers = attempt.connection.map(refusals.hasProcessedOthers) ?? false
        if hasProcessedOthers { resendsInVain = 0 }
        guard resends < Self.maximumResends, resendsInVain < Self.maximumResendsInVain,
            transfer?.isCancelled == false, upload?.rewind() ?? true
        else { return false }
        resendsInVain += hasProcessedOthers ? 0 : 1
        resetForResend()
        return true
    }

    private func resetForResend() {
        checkLines(true)
        resends += 1
        holdBack(false)
        endAttempt()
        errorText.pointee = 0
    }

    /// Says of a failure that the server certainly didn't process the request, if it did not.
    func explained(_ failure: ExchangeFailure?) -> ExchangeFailure? {
        guard case .failed(let error) = failure, error.kind == .connectionLost, isUnprocessed
        else { return failure }
        let times = resends == 0 ? "" : " \(resends + 1) times"
        let reason = "the server refused the request\(times) without processing it"
        return .failed(
            TransportError(.connectionLost, underlying: error.underlying, reason: reason)
        )
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard let transfer, refusal == nil, !isComplete else { return 0 }
        switch attempt.reader.take(line) {
        case .more:
            if attempt.checksLines, attempt.reader.hasField {
                attempt.checksLines = false
                checkLines(false)
            }
        case .head:
            var head = attempt.reader.head
            reportShortBody(hasAnswer: true)
            head.connection = facts.connection
            keepAliveTimeout = head.headers[Self.keepAliveName]
                .flatMap { KeepAliveField.timeout(in: [$0]) }
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
        guard attempt.reader.hasHead else { return checkLine(bytes) }
        guard let transfer, refusal == nil else { return 0 }
        switch transfer.readiness() {
        case .takesBytes: break
        case .holdsBack:
            holdBack(true)
            return NK_WRITE_PAUSE
        case .isCancelled: return 0
        }
        attempt.received += Int64(bytes.count)
        transfer.deliver(.body(Data(bytes)))
        askForMore()
        return bytes.count
    }

    /// Has libcurl pass the lines of a head to ``receiveBody(_:)``, too, before it stores them.
    private func checkLines(_ checks: Bool) {
        guard CurlLibrary.shared.foldsIntoFreedField else { return }
        nk_easy_set_long(easy, NK_OPT_HEADER, checks ? 1 : 0)
    }

    /// Refuses a line of a head that libcurl may append to a field that it has freed, before it does.
    private func checkLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        let isBeginning = !attempt.isInLine
        // libcurl passes at most 16 KiB at a time.
        if bytes.last != 0x0A || !isBeginning { attempt.isInLine = bytes.last != 0x0A }
        if isBeginning, bytes.first == 0x20 || bytes.first == 0x09,
            let reason = attempt.reader.refusalToFold(bytes)
        {
            refusal = TransportError(.malformedResponse, reason: reason)
            return 0
        }
        return bytes.count
    }

    /// Whether libcurl is to go on before the request is sent.
    ///
    /// It reads what a proxy answers to CONNECT byte by byte, and serves no other transfer until it has all that has
    /// arrived. The body of a refusal is therefore limited, and read for a transfer that goes on.
    private func goesOn() -> Bool {
        guard !attempt.isSent else { return true }
        attempt.steps += 1
        return attempt.steps <= Self.maximumSteps && transfer?.isCancelled == false
    }

    /// The maximum of ``CurlAttempt/steps``, which includes the bytes of a proxy's refusals.
    private static let maximumSteps = 1 << 16

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
            if count > 0 { nk_poller_note_sent(sockets.pointee.poller) }
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
        // libcurl 8.14 remembers that a refused body was to be rewound, and asks again before the next attempt.
        if mayRepeat || !attempt.isSent, upload?.rewind() == true { return NK_SEEK_OK }
        endRefusedExpectation()
        return NK_SEEK_FAIL
    }

    /// Goes on with a transfer that was held back.
    func proceed() {
        // Over a shared connection, libcurl from 8.13 on doesn't tell that it waits again if others wait, too. Earlier
        // versions tell it, so that no test over them fails without this line.
        if attempt.stream > 0, attempt.isHeldBack { attempt.isQuiet = false }
        holdBack(false)
        _ = nk_easy_resume(easy)
    }

    private func holdBack(_ holds: Bool) {
        guard attempt.isHeldBack != holds else { return }
        attempt.isHeldBack = holds
        nk_poller_hold_back(sockets.pointee.poller, holds)
        guard CurlLibrary.shared.readsHeldBack, attempt.stream == 0 else { return }
        if holds { heldSocket = sockets.pointee.last }
        nk_poller_ignore(sockets.pointee.poller, heldSocket, holds)
    }

    /// Notes that a transfer has ended well, so that its connection carries no request for now.
    func noteIdleConnection() {
        nk_poller_note_idle(sockets.pointee.poller, sockets.pointee.last)
    }

    // MARK: Responses that end unnoticed

    /// Whether the response may end without a word of libcurl.
    var mayEndUnnoticed: Bool {
        version != NK_HTTP_VERSION_1_1 && CurlLibrary.shared.missesEnds
    }

    /// Lets libcurl look for the end of the response, unless it is held back.
    func look() -> Bool {
        guard attempt.stream > 0, !attempt.isHeldBack else { return false }
        // libcurl asks for the next piece again, and is told again that there is none.
        if upload?.isWaiting == true { return nk_easy_resume(easy) == NK_OK }
        return nk_easy_look(easy) == NK_OK
    }

    // MARK: Responses that end before a live body

    var hasLiveBody: Bool { upload?.isLive == true }

    /// Notes whether libcurl waits for a socket.
    static func note(isQuiet: Bool, _ socket: Int32, _ context: UnsafeMutableRawPointer?) {
        guard let handle = of(context) else { return }
        if !isQuiet { handle.attempt.socket = socket }
        // Of two addresses that were tried at once, the slower one is given up.
        if handle.attempt.socket == socket { handle.attempt.isQuiet = isQuiet }
    }

    /// Whether the response has ended while the body waits for its next piece.
    ///
    /// libcurl would wait for that piece, and doesn't tell. But it no longer waits for bytes of the response then.
    var isAnswered: Bool {
        // Over a shared connection, libcurl goes on waiting for the others.
        (attempt.isQuiet || attempt.reader.isComplete(after: attempt.received))
            && !attempt.isHeldBack && attempt.reader.hasHead && refusal == nil
            && upload?.isWaiting == true
    }

    /// The failure of an answered response that is shorter than its length; nil if it isn't.
    var shortfall: ExchangeFailure? {
        attempt.reader.isShort(after: attempt.received)
            ? .failed(TransportError(.truncatedResponse)) : nil
    }

    /// Reports a short body once libcurl has sent it.
    ///
    /// - Parameter hasAnswer: Whether the response shows that it was sent.
    /// - Returns: Whether there is nothing left to report.
    @discardableResult
    func reportShortBody(hasAnswer: Bool = false) -> Bool {
        guard let length = requestOptions.shortBody, length > 0 else { return true }
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
        let hasBody = upload != nil || requestOptions.shortBody != nil
        if isComplete || hasBody && attempt.reader.isComplete(after: attempt.received) {
            return nil
        }
        if result == NK_OK {
            guard !attempt.reader.hasHead else { return nil }
            // libcurl takes the end of the connection for the end of a head. HTTP/0.9 and the like have no head.
            return .failed(
                attempt.reader.hasBegun
                    ? TransportError(.connectionLost, reason: "the server closed the connection")
                    : TransportError(.malformedResponse)
            )
        }
        if let refusedAddress, result == NK_COULDNT_CONNECT {
            let reason =
                "\(refusedAddress) is not an allowed address (Configuration.allowedAddresses)"
            return .failed(TransportError(.cannotConnect, reason: reason))
        }
        var (systemError, tunnelStatus, requestSize) = (0, 0, 0)
        nk_easy_get_long(easy, NK_INFO_REQUEST_SIZE, &requestSize)
        nk_easy_get_long(easy, NK_INFO_OS_ERRNO, &systemError)
        if systemError == 0, result == NK_COULDNT_CONNECT {
            systemError = Int(sockets.pointee.failure)
        }
        nk_easy_get_long(easy, NK_INFO_HTTP_CONNECTCODE, &tunnelStatus)
        var failure = CurlFailure(
            code: result,
            systemError: Int32(truncatingIfNeeded: systemError),
            text: String(cString: errorText),
            wasSent: attempt.isSent || !CurlLibrary.shared.hasRequestCheck,
            hasRequestHead: requestSize > attempt.tunnelSize,
            hadHead: attempt.reader.hasHead,
            tunnelStatus: tunnelStatus,
            socketPath: options.configuration.unixSocketPath
        )
        switch options.configuration.proxy {
        case .environment: failure.proxiedURL = transfer?.request.url
        case .none: break
        case .url(let url): failure.proxy = url
        }
        return .failed(failure.error)
    }
}
