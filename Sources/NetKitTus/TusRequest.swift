import Foundation
import NetKit

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
        body = .file(part.file, range: part.range, mime: "application/offset+octet-stream")
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
