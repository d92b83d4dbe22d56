import Foundation
public import NetKit

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

extension TusError: CallError, CustomStringConvertible {
    /// The message of the failed request, or else the same text as ``description``.
    public var message: String {
        if case .request(let error) = self { error.message } else { description }
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
        case .unsupportedVersion(let response):
            "the server doesn't speak tus \(TusRequest.version), but "
                + (response.headers["Tus-Version"] ?? "another version").debugDescription
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
