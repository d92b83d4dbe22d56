import Foundation
import NetKit
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One call of ``TusUpload/send(on:progress:)``.
struct TusTransfer {
    /// The maximum number of chunks in a row of which the server takes little.
    private static let maximumSmallSteps = 16

    private let upload: TusUpload
    private let endpoint: Endpoint
    /// Stops the upload between two requests.
    private let control: CallControl
    private let source: TusSource
    private let creation: TusRequest
    /// The upload on the server; nil before it is created.
    private var record: TusRecord?
    /// The number of bytes that the server has; nil if it must be asked.
    private var offset: Int64?
    /// The number of bytes that the server had at the last progress that counts; nil before any.
    private var lastProgress: Int64?
    /// The number of failures since then.
    private var failures = 0
    /// The number of chunks since then of which the server took little.
    private var smallSteps = 0
    private var hasStartedOver = false

    /// Reads the record, and checks whether it is that of this upload.
    init(
        of upload: TusUpload,
        on endpoint: Endpoint,
        _ control: CallControl
    ) async throws(TusError) {
        self.upload = upload
        self.endpoint = endpoint
        self.control = control
        let state = try await Self.state(of: upload.file)
        creation = try TusRequest(
            creating: upload,
            length: state.length,
            endpoint.retryPolicy
        )
        let address: String
        do throws(InvalidRequest) {
            let url = try endpoint.urlRequest(for: creation).url
            address = String((url?.absoluteString ?? "").prefix { $0 != "?" })
        } catch {
            throw .request(.invalidRequest(error))
        }
        source = TusSource(creation: address, state: state, metadata: upload.metadata)
        let source = source
        record = try await TusRecord.load(upload.record).flatMap { $0.isOf(source) ? $0 : nil }
    }

    private var length: Int64 { source.state.length }

    /// Uploads what is missing.
    mutating func run(_ progress: ((Int64, Int64) -> Void)?) async throws(TusError) -> URL {
        while true {
            // A complete upload stays complete.
            if offset != length { try Self.check(control) }
            do throws(TusError) {
                guard let record else {
                    try await create()
                    continue
                }
                guard let offset else {
                    let response = try await response(to: TusRequest(asking: record.url))
                    advance(to: try response.uploadOffset(within: length))
                    continue
                }
                progress?(offset, length)
                guard offset < length else {
                    TusRecord.remove(upload.record)
                    return record.url
                }
                try await sendChunk(at: offset, of: record, progress)
            } catch {
                try await recover(from: error)
            }
        }
    }

    /// Throws if the upload was stopped.
    private static func check(_ control: CallControl) throws(TusError) {
        let reason = control.stopped ?? (Task.isCancelled ? .cancelled : nil)
        if let reason { throw .request(ErrorResponse(CallFailure(reason))) }
    }

    private mutating func advance(to offset: Int64) {
        self.offset = offset
        if let lastProgress, offset != length, offset - lastProgress < leastProgress { return }
        (lastProgress, failures, smallSteps) = (offset, 0, 0)
    }

    /// The number of bytes that count as progress.
    ///
    /// Otherwise, a server that takes one byte of each chunk could have a file sent once for each of its bytes.
    private var leastProgress: Int64 { max(1, min(upload.chunkSize / 16, 64 << 10)) }

    private mutating func create() async throws(TusError) {
        // Without a record, the server would keep an upload that nothing continues.
        try await TusRecord.check(upload.record)
        let response = try await response(to: creation)
        let new = TusRecord(
            url: try response.uploadURL,
            of: source,
            expires: response.uploadExpires
        )
        try await new.save(to: upload.record)
        record = new
        advance(to: 0)
    }

    private mutating func sendChunk(
        at offset: Int64,
        of record: TusRecord,
        _ progress: ((Int64, Int64) -> Void)?
    ) async throws(TusError) {
        let size = min(max(1, upload.chunkSize), length - offset)
        // No byte of another version is sent, and not its last one if the file changes while it is sent.
        let part = FilePart(upload.file, range: offset..<offset + size, of: source.state)
        let request = TusRequest(
            sending: part,
            to: record.url,
            checksum: try await Self.checksum(of: part, by: upload.checksum, until: control)
        )
        let response: HTTPResponse
        if let progress {
            let operation = request.execute(on: endpoint)
            endpoint.register(operation.control, of: control)
            defer { endpoint.forget(operation.control, of: control) }
            for await transfer in operation.transfers where transfer.direction == .upload {
                progress(offset + min(transfer.byteCount, size), length)
            }
            do throws(ErrorResponse<ServerMessage>) {
                response = try await operation.response.http
            } catch {
                throw TusError(error)
            }
        } else {
            response = try await self.response(to: request)
        }
        try await checkFile()
        let reached = try response.uploadOffset(within: length)
        if reached - offset < min(size, leastProgress) { smallSteps += 1 }
        guard reached > offset, reached <= offset + size, smallSteps <= Self.maximumSmallSteps
        else {
            throw .invalidResponse(response, field: "Upload-Offset")
        }
        if let expires = response.uploadExpires, expires != record.expires {
            var record = record
            record.expires = expires
            try await record.save(to: upload.record)
            self.record = record
        }
        advance(to: reached)
    }

    private func response(to request: TusRequest) async throws(TusError) -> HTTPResponse {
        do throws(ErrorResponse<ServerMessage>) {
            return try await endpoint.response(for: request, of: control).http
        } catch {
            throw TusError(error)
        }
    }
}

// MARK: - Failures

extension TusTransfer {
    /// Decides how to continue after a failure.
    ///
    /// - Throws: The failure, if there is no way to continue.
    private mutating func recover(from error: TusError) async throws(TusError) {
        guard case .request(let failure) = error, record != nil else { throw error }
        try await checkFile()
        switch failure.status {
        // An unknown offset is what the server was asked for.
        case _ where failure.isUnknownUpload(whenAsked: offset == nil):
            guard !hasStartedOver else { throw error }
            hasStartedOver = true
            (record, offset, lastProgress) = (nil, nil, nil)
        default:
            // The endpoint has repeated the question for the offset already, except for a locked upload (423).
            guard offset != nil || failure.status == 423 else { throw error }
            try await wait(after: failure)
        }
    }

    /// Waits before the server is asked for the offset.
    private mutating func wait(
        after failure: ErrorResponse<ServerMessage>
    ) async throws(TusError) {
        let delay = endpoint.delay(
            beforeRetryAfter: failures,
            failedWith: failure,
            continuingAfter: [409, 423, 460]
        )
        guard let delay else { throw .request(failure) }
        failures += 1
        offset = nil
        if let reason = await endpoint.pause(for: delay, of: control) {
            throw .request(ErrorResponse(CallFailure(reason)))
        }
    }

    private func checkFile() async throws(TusError) {
        guard try await Self.state(of: upload.file) == source.state else {
            throw .fileChanged(path: upload.file.path)
        }
    }
}

// MARK: - Files

extension TusTransfer {
    /// Reads the state of a file, without blocking the caller's executor.
    @concurrent
    private static func state(of file: URL) async throws(TusError) -> FileState {
        do throws(InvalidRequest) {
            return try FileState(of: file)
        } catch {
            throw .request(.invalidRequest(error))
        }
    }

    /// Returns the value of `Upload-Checksum`, or nil without a checksum.
    ///
    /// A chunk can be a whole file, which takes long to hash, so a stop ends that too.
    @concurrent
    private static func checksum(
        of part: FilePart,
        by algorithm: TusUpload.Checksum?,
        until control: CallControl
    ) async throws(TusError) -> String? {
        guard let algorithm else { return nil }
        do {
            let digest = try algorithm.digest(of: try part.source()) { try check(control) }
            return "\(algorithm.rawValue) \(Data(digest).base64EncodedString())"
        } catch let error as TusError {
            throw error
        } catch let error as InvalidRequest {
            throw .request(.invalidRequest(error))
        } catch {
            throw .fileChanged(path: part.file.path)
        }
    }
}

/// A request of the protocol.
struct TusRequest: Request {
    typealias ResponseObjectType = Void

    /// The version of the protocol.
    static let version = "1.0.0"

    let path: String
    let method: HTTPMethod
    var headers: HTTPHeaders
    var body: RequestBody?
    var retryPolicy: RetryPolicy?
    let cachePolicy: CachePolicy = .noStore

    private init(_ method: HTTPMethod, _ path: String, _ fields: HTTPHeaders = [:]) {
        self.path = path
        self.method = method
        headers = fields
        headers["Tus-Resumable"] = Self.version
    }

    /// Creates an upload (extension `creation`).
    ///
    /// It may be repeated: the server discards an upload that is never continued.
    init(
        creating upload: TusUpload,
        length: Int64,
        _ policy: RetryPolicy
    ) throws(TusError) {
        self.init(.post, upload.path, ["Upload-Length": "\(length)"])
        headers["Upload-Metadata"] = try Self.text(of: upload.metadata)
        var policy = policy
        policy.methods.insert(.post)
        retryPolicy = policy
    }

    /// Asks for the offset of an upload.
    init(asking url: URL) {
        self.init(.head, url.absoluteString)
    }

    /// Sends a chunk, which isn't repeated before the server was asked for the offset.
    init(sending part: FilePart, to url: URL, checksum: String?) {
        self.init(
            .patch,
            url.absoluteString,
            ["Upload-Offset": "\(part.range.lowerBound)"]
        )
        headers["Upload-Checksum"] = checksum
        body = .file(part, mime: "application/offset+octet-stream")
        retryPolicy = .never
    }

    /// Discards an upload (extension `termination`).
    init(terminating url: URL) {
        self.init(.delete, url.absoluteString)
    }

    /// Returns the value of `Upload-Metadata`, or nil for none.
    private static func text(of metadata: [String: String]) throws(TusError) -> String? {
        var pairs: [String] = []
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let isValid = key.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2C }
            guard isValid, !key.isEmpty else { throw .invalidMetadata(key: key) }
            let text = Data(value.utf8).base64EncodedString()
            pairs.append(text.isEmpty ? key : "\(key) \(text)")
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: ",")
    }
}

extension ErrorResponse {
    /// Returns whether the server says that it doesn't know the upload, or no longer.
    ///
    /// - Parameter isAsked: Whether the request asked for the offset. Only then does 403 say so: any other request may be
    ///   forbidden.
    /// - Returns: Whether it says so.
    func isUnknownUpload(whenAsked isAsked: Bool) -> Bool {
        switch status {
        case 404, 410: true
        case 403: isAsked && response?.headers["Upload-Offset"] == nil
        default: false
        }
    }
}

/// What a successful response says about an upload.
extension HTTPResponse {
    /// The server's URL of a new upload.
    var uploadURL: URL {
        get throws(TusError) {
            guard let location, location.host != nil,
                location.scheme == "https" || location.scheme == "http" && url.scheme == "http"
            else { throw .invalidResponse(self, field: "Location") }
            return location
        }
    }

    /// The number of bytes that the server has.
    ///
    /// - Parameter length: The length of the file.
    /// - Returns: The number of bytes, at most `length`.
    /// - Throws: ``TusError/invalidResponse(_:field:)`` or ``TusError/offsetBeyondLength(_:length:)``.
    func uploadOffset(within length: Int64) throws(TusError) -> Int64 {
        guard let offset: Int64 = headers["Upload-Offset"]?.asciiNumber() else {
            throw .invalidResponse(self, field: "Upload-Offset")
        }
        guard offset <= length else { throw .offsetBeyondLength(offset, length: length) }
        if let total = headers["Upload-Length"], total.asciiNumber() != length {
            throw .invalidResponse(self, field: "Upload-Length")
        }
        return offset
    }

    /// The date after which the server may discard the upload (extension `expiration`).
    var uploadExpires: Date? { headers["Upload-Expires"].flatMap { HTTPDate.parse($0) } }
}

extension Endpoint {
    /// Returns the delay before work of several requests continues after a failure, by the endpoint's retry policy.
    ///
    /// The work must be safe to continue whatever the method of the request that failed.
    ///
    /// - Parameters:
    ///   - retries: The number of continuations so far without progress.
    ///   - error: The failure.
    ///   - statuses: Status codes after which the work continues at least once, whatever the policy says.
    /// - Returns: The delay, or nil if the work ends with the failure.
    fileprivate func delay(
        beforeRetryAfter retries: Int,
        failedWith error: ErrorResponse<some ServerError>,
        continuingAfter statuses: Set<HTTPStatus>
    ) -> Duration? {
        var policy = retryPolicy
        policy.statuses.formUnion(statuses)
        let failure: AttemptFailure
        switch (error, error.response) {
        case (.timeout(.idle), _): failure = .idleTimeout
        case (.transport(let error), _): failure = .transport(error.kind)
        case (_, let response?):
            if statuses.contains(response.status) {
                policy.maximumRetries = max(1, policy.maximumRetries)
            }
            let delay = RetryAfter.delay(of: response.head, now: clock.date)
            failure = .status(response.status, retryAfter: delay)
        default: return nil
        }
        let decision = policy.decide(
            failure,
            method: .patch,
            consent: policy.maximumRetries,
            hasIdempotencyKey: false,
            retries: retries,
            random: Double.random(in: 0...1)
        )
        guard case .retry(let delay) = decision else { return nil }
        return delay
    }
}
