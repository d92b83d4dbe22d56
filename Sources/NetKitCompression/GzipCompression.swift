public import NetKit

/// An interceptor that compresses request bodies with gzip (RFC 1952).
///
/// ```swift
/// endpoint.interceptors = [GzipCompression()]
/// ```
///
/// A request gets `Content-Encoding: gzip` (RFC 9110, section 8.4) and a `Content-Length` of the compressed size. Add the
/// interceptor only for servers that accept it: others answer with 415, or store the compressed bytes. A request is sent
/// as it is in these cases:
///
/// - Its body is shorter than the minimum, is compressed by its media type, such as a JPEG or a ZIP file, or wouldn't
///   become shorter.
/// - It has a `Content-Encoding` field already, or a field that describes the bytes of its body: `Content-Digest`,
///   `Content-MD5`, `Content-Range`, `Digest`, `Upload-Offset` or `X-Amz-Content-SHA256`.
/// - Its body is a live sequence.
/// - zlib can't be loaded. On Linux, FoundationNetworking needs zlib too.
///
/// The body is compressed once per call, before retries, redirects, ``Authentication`` and interceptors of the scope
/// ``InterceptorScope/exchange``, which see the compressed body. Up to 1 MiB of the result is kept in memory. A larger
/// one, of a file or another source that is read while it is sent, isn't kept: NetKit compresses it once for its length,
/// and again each time it is sent, so that memory stays constant. If the source returns other bytes then, the call fails.
public struct GzipCompression: Interceptor {
    /// The minimum length of a body in bytes.
    private let minimumLength: Int64

    /// Creates an interceptor.
    ///
    /// - Parameter minimumLength: The length in bytes from which a body is compressed. Defaults to 1024.
    public init(minimumLength: Int64 = 1_024) {
        self.minimumLength = minimumLength
    }

    /// The whole call, so that its retries don't compress again.
    public var scope: InterceptorScope { .call }

    public func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        try await next(await compressed(request) ?? request)
    }

    /// Returns a request with a compressed body, or nil if it should be sent as it is.
    private func compressed(_ request: EncodedRequest) async throws -> EncodedRequest? {
        guard let body = request.body, body.sequence == nil, body.length >= minimumLength,
            Self.descriptions.allSatisfy({ request.headers[$0] == nil }),
            !request.headers.contains(where: {
                $0.name.rawName.lowercased().hasPrefix("x-amz-checksum-")
            }),
            request.headers.contentType?.isCompressed != true
        else { return nil }
        let compressed: BodySource?
        do {
            compressed = try await CompressedBody.compressing(body)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // A body that can't be read fails the call when it is sent, as without compression.
            return nil
        }
        guard let compressed else { return nil }
        var request = request
        request.body = compressed
        request.headers[.contentEncoding] = "gzip"
        return request
    }

    /// The fields that describe the bytes of a body as they are sent.
    private static let descriptions: [HTTPHeaderName] = [
        .contentEncoding, "Content-Digest", "Content-MD5", "Content-Range", "Digest",
        "Repr-Digest", "Upload-Checksum", "Upload-Offset",
        "X-Amz-Content-SHA256",
    ]
}

extension MimeType {
    /// Whether content of the type is usually compressed already, so that gzip would only cost time.
    var isCompressed: Bool {
        switch type {
        case "image": !["svg+xml", "bmp", "x-ms-bmp", "x-portable-anymap"].contains(subtype)
        case "video": true
        case "audio": !["wav", "x-wav", "wave", "midi", "basic", "l16", "l24"].contains(subtype)
        case "font": ["woff", "woff2"].contains(subtype)
        case "application":
            Self.compressedApplications.contains(subtype) || subtype.hasSuffix("+zip")
                || subtype.hasSuffix("+gzip") || subtype.hasSuffix("+zstd")
                || subtype.hasPrefix("vnd.openxmlformats-officedocument.")
                || subtype.hasPrefix("vnd.oasis.opendocument.")
        default: false
        }
    }

    private static let compressedApplications: Set<String> = [
        "zip", "x-zip-compressed", "gzip", "x-gzip", "zstd", "x-bzip", "x-bzip2", "x-xz", "x-lzma",
        "x-lz4",
        "x-brotli", "x-compress", "x-7z-compressed", "x-rar-compressed", "vnd.rar", "java-archive",
        "vnd.android.package-archive", "x-apple-diskimage", "pdf", "font-woff", "x-font-woff",
        "vnd.debian.binary-package", "x-rpm",
    ]
}
