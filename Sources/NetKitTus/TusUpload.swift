public import Foundation
public import NetKit
import NetKitSupport

/// An upload of a file that continues where it was interrupted (tus 1.0.0, https://tus.io/protocols/resumable-upload).
///
/// ```swift
/// let upload = TusUpload(video, to: "files", metadata: ["filename": "cat.mp4"])
/// let url = try await upload.send(on: endpoint) { sent, length in
///     print("\(sent) of \(length) bytes")
/// }
/// ```
///
/// The server's URL of the upload is kept in a record, by default beside the file. If the call fails or the program is
/// killed, the same call continues the upload, and sends at most one chunk again.
///
/// Credentials, timeouts and the retry policy are those of the endpoint. After a failure that the policy retries, the upload
/// asks the server how much it has, and continues from there. ``RetryPolicy/maximumRetries`` counts failures without
/// progress in between. Besides:
///
/// - 404 or 410 for the upload's URL, or 403 to the question for the offset: the upload starts over, at most once in a call.
/// - 409 (other offset), 423 (locked) and 460 (checksum mismatch): the upload asks for the offset again, at least once.
/// - The file, the metadata or the URL that creates uploads has changed since the record was written: a new upload starts.
///   If the file changes during the call, it fails with ``TusError/fileChanged(path:)``.
///
/// Don't upload the same file with the same record twice at a time.
public struct TusUpload: Sendable {
    /// The URL of the file, which is read while it is sent.
    public var file: URL
    /// The path that creates uploads, as in ``Request/path``, or an absolute URL.
    public var path: String
    /// The metadata that the server receives, such as `filename` and `filetype`, in the order of the keys.
    ///
    /// Keys are of visible ASCII characters without commas. Values can be any text.
    public var metadata: [String: String]
    /// The maximum number of bytes in a request, at least 1.
    ///
    /// Defaults to 8 MiB. A smaller chunk loses less if the server keeps only whole requests. Each costs a round trip.
    public var chunkSize: Int64 = 8 << 20
    /// The checksum of each chunk, for servers with the extension `checksum`.
    ///
    /// Defaults to nil, none. With one, the file is read twice.
    public var checksum: Checksum?
    /// The URL of the record of an unfinished upload.
    ///
    /// Defaults to the file's, followed by `.tus`. The record has the server's URL of the upload, which often suffices to
    /// write to it. Only its owner can read the record.
    public var record: URL

    /// An algorithm for the checksums of chunks.
    public enum Checksum: String, CaseIterable, Hashable, Sendable {
        /// SHA-1, which each server with the extension supports.
        case sha1
        /// SHA-256.
        case sha256
    }

    /// An upload that a call didn't finish.
    public struct Unfinished: Hashable, Sendable {
        /// The server's URL of the upload.
        public let url: URL
        /// The date after which the server may discard the upload, or nil if the server doesn't tell.
        public let expires: Date?
    }

    /// Creates a description of an upload.
    ///
    /// - Parameters:
    ///   - file: The URL of a regular file.
    ///   - path: The path that creates uploads, below the endpoint's base URL, or an absolute URL.
    ///   - metadata: The metadata that the server receives. Defaults to none.
    public init(_ file: URL, to path: String, metadata: [String: String] = [:]) {
        self.file = file
        self.path = path
        self.metadata = metadata
        record = file.appendingPathExtension("tus")
    }

    /// Uploads the file, or what is missing on the server.
    ///
    /// Canceling the task ends the call with a ``TusError`` that ``TusError/isCancellation``. The upload stays unfinished.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that sends the requests.
    ///   - progress: A closure that receives the number of bytes passed to the system or known to the server, and the length
    ///     of the file: at most about 20 times a second, in the caller's isolation. The first number decreases after a
    ///     failure. Finally both are equal. Defaults to nil.
    /// - Returns: The server's URL of the upload.
    /// - Throws: ``TusError``.
    @discardableResult
    public func send(
        on endpoint: Endpoint,
        progress: ((_ sent: Int64, _ length: Int64) -> Void)? = nil
    ) async throws(TusError) -> URL {
        try await endpoint.stoppable { control throws(TusError) in
            var transfer = try await TusTransfer(of: self, on: endpoint, control)
            return try await transfer.run(progress)
        }
    }

    /// The unfinished upload in the record, of whatever file, or nil if there is none.
    ///
    /// - Returns: The upload.
    /// - Throws: ``TusError/unusableRecord(path:reason:)``.
    public func unfinished() throws(TusError) -> Unfinished? {
        try TusRecord.read(record).map { Unfinished(url: $0.url, expires: $0.expires) }
    }

    /// Tells the server to discard the unfinished upload (extension `termination`), and removes the record.
    ///
    /// Does nothing without a record. An upload that the server doesn't know any more is no error. After a 403, the endpoint
    /// asks the server whether it does.
    ///
    /// - Parameter endpoint: The endpoint that sends the request.
    /// - Throws: ``TusError``. The record stays then.
    public func terminate(on endpoint: Endpoint) async throws(TusError) {
        guard let unfinished = try await TusRecord.load(record) else { return }
        do throws(ErrorResponse<ServerMessage>) {
            try await endpoint.value(for: TusRequest(terminating: unfinished.url))
        } catch {
            guard await isUnknown(unfinished.url, after: error, on: endpoint) else {
                throw TusError(error)
            }
        }
        TusRecord.remove(record)
    }

    /// Returns whether the server doesn't know an upload that it refuses to discard.
    private func isUnknown(
        _ url: URL,
        after refusal: ErrorResponse<ServerMessage>,
        on endpoint: Endpoint
    ) async -> Bool {
        guard refusal.status == 403 else { return refusal.isUnknownUpload(whenAsked: false) }
        do throws(ErrorResponse<ServerMessage>) {
            try await endpoint.value(for: TusRequest(asking: url))
            return false
        } catch {
            return error.isUnknownUpload(whenAsked: true)
        }
    }
}

/// An error that ends a call of ``TusUpload``.
///
/// Unless it says otherwise, the upload stays unfinished, and another call continues it.
public enum TusError: Error {
    /// A request failed, or the file can't be read.
    case request(ErrorResponse<ServerMessage>)
    /// The file changed while it was uploaded. Another call starts over.
    case fileChanged(path: String)
    /// A key of the metadata is empty, or has other characters than visible ASCII without commas.
    case invalidMetadata(key: String)
    /// The record can't be written, or the file at its place is no record.
    case unusableRecord(path: String, reason: String)
    /// The server claims to have more bytes than the file.
    case offsetBeyondLength(Int64, length: Int64)
    /// The server doesn't speak tus 1.0.0 (412), but the versions in its `Tus-Version`.
    case unsupportedVersion(HTTPResponse)
    /// A successful response lacks a header field, or its value is invalid: `Location`, `Upload-Offset` or `Upload-Length`.
    case invalidResponse(HTTPResponse, field: HTTPHeaderName)

    init(_ error: ErrorResponse<ServerMessage>) {
        if let response = error.response, response.status == 412 {
            self = .unsupportedVersion(response)
        } else {
            self = .request(error)
        }
    }
}

extension TusError: CallError, DescribedForLogs {
    /// The message of the failed request, or else the text of ``description``, with the versions that a server speaks.
    public var message: String {
        switch self {
        case .request(let error): error.message
        case .unsupportedVersion(let response):
            description + ", but "
                + BoundedLine.text(response.headers["Tus-Version"] ?? "another version")
                .debugDescription
        default: description
        }
    }

    /// A one-line description without secrets.
    public var description: String {
        switch self {
        case .request(let error): error.description
        case .fileChanged(let path): "file \(path.debugDescription) changed while it was uploaded"
        case .invalidMetadata(let key): "metadata: the key \(key.debugDescription) is invalid"
        case .unusableRecord(let path, let reason):
            "record \(path.debugDescription) can't be used: \(reason)"
        case .offsetBeyondLength(let offset, let length):
            "the server claims to have \(offset) bytes of a file of \(length)"
        case .unsupportedVersion: "the server doesn't speak tus \(TusRequest.version)"
        case .invalidResponse(_, let field): "the response has no valid \(field)"
        }
    }

    /// Whether the task or the request was canceled.
    public var isCancellation: Bool {
        if case .request(let error) = self { error.isCancellation } else { false }
    }

    /// Whether a timeout or deadline of a request expired.
    public var isTimeout: Bool {
        if case .request(let error) = self { error.isTimeout } else { false }
    }

    /// Whether another call could succeed later.
    public var isTransient: Bool {
        if case .request(let error) = self { error.isTransient } else { false }
    }

    /// The response, if one arrived.
    public var response: HTTPResponse? {
        switch self {
        case .request(let error): error.response
        case .unsupportedVersion(let response), .invalidResponse(let response, _): response
        case .fileChanged, .invalidMetadata, .unusableRecord, .offsetBeyondLength: nil
        }
    }

    /// The error of the failed request, if that is the reason.
    public var underlyingError: (any Error)? {
        if case .request(let error) = self { error } else { nil }
    }
}

extension TusUpload.Unfinished: Concealed {
    /// The URL without user, query values and fragment, which often suffice to write to the upload.
    package var shown: String { "TusUpload.Unfinished(\(RedactedURL(url)))" }
}
