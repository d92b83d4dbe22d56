internal import CNetKitZlib
import Foundation
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
/// - It goes to another server than the endpoint's, such as a request for a token.
/// - Its body is shorter than the minimum, is compressed by its media type, such as a JPEG or a ZIP file, or wouldn't
///   become shorter.
/// - It has a `Content-Encoding` field already, or a field that describes the bytes of its body: `Content-Digest`,
///   `Content-MD5`, `Content-Range`, `Digest`, `Repr-Digest`, `Upload-Checksum`, `Upload-Offset`, `X-Amz-Checksum-…` or
///   `X-Amz-Content-SHA256`.
/// - Its body is a live sequence.
/// - zlib can't be loaded. On Linux, FoundationNetworking needs zlib too.
///
/// The body is compressed once per call, before retries, redirects, ``Authentication`` and interceptors of the scope
/// ``InterceptorScope/exchange``, which see the compressed body. Up to 1 MiB of the result is kept in memory. A larger
/// one, of a file or another source that is read while it is sent, isn't kept: NetKit compresses it once for its length,
/// and again each time it is sent, so that memory stays constant. If its compressed length is another then, the call fails.
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
            request.origin == RequestContext.current.home,
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

/// A body that is compressed with gzip, in memory or while it is sent.
enum CompressedBody {
    /// The size up to which the file is kept in memory.
    ///
    /// A larger one is compressed again each time it is sent.
    static let memoryLimit = 1 << 20

    /// Compresses a body.
    ///
    /// The body is read once now, at most as far as its file is smaller. It suspends now and
    /// then, so that it never keeps a thread from other tasks for long.
    ///
    /// - Parameters:
    ///   - body: The body, which isn't a live sequence.
    ///   - memoryLimit: The size up to which the file is kept in memory, for a body that isn't in memory itself.
    /// - Returns: The compressed body, or nil if it wouldn't be smaller.
    /// - Throws: The error of the body or of zlib, or `CancellationError`.
    static func compressing(
        _ body: BodySource,
        memoryLimit: Int = memoryLimit
    ) async throws -> BodySource? {
        // A body that is shorter than it says must not become a complete file.
        let body = try ExactLengthReader.source(checking: body)
        let limit = body.data == nil ? memoryLimit : .max
        let reader = try GzipReader(try body.open())
        defer { reader.close() }
        // Small, because 4 KiB of a file can be 4 MiB of content.
        var buffer = [UInt8](repeating: 0, count: 4 << 10)
        var kept = Data()
        var length: Int64 = 0
        var count = 0
        while let bytes = try reader.next(in: &buffer) {
            length += Int64(bytes.count)
            guard length < body.length else { return nil }
            if length <= limit {
                kept.append(contentsOf: bytes)
            } else {
                kept = Data()
            }
            count += 1
            if count.isMultiple(of: 16) { await Task.yield() }
            try Task.checkCancellation()
        }
        if length <= limit { return BodySource(kept) }
        // The file must come out as it did now, or its length is wrong.
        return try ExactLengthReader.source(
            checking: BodySource(length: length) { try GzipReader(try body.open()) }
        )
    }
}

/// A reader that compresses the bytes of another reader while it is read (RFC 1952).
///
/// It holds one buffer of 64 KiB and zlib's window, whatever the length of the body. Equal bytes are compressed to equal
/// files.
final class GzipReader: BodyReader {
    /// The size of the buffer for the bytes of the other reader.
    private static let bufferSize = 64 << 10

    private let reader: any BodyReader
    private let file: OpaquePointer
    private var input = [UInt8](repeating: 0, count: bufferSize)
    /// The bytes in the buffer that aren't compressed yet.
    private var pending = 0..<0
    /// Whether the other reader has no more bytes.
    private var isAtEnd = false
    private var isComplete = false

    /// Creates a reader.
    ///
    /// - Parameter reader: The reader to compress, which closes with this one.
    /// - Throws: ``GzipFailure`` without zlib or memory. The reader is closed then.
    init(_ reader: any BodyReader) throws(GzipFailure) {
        guard let file = nk_gzip_new() else {
            reader.close()
            throw GzipFailure()
        }
        self.reader = reader
        self.file = file
    }

    deinit { nk_gzip_free(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        while !isComplete {
            if pending.isEmpty, !isAtEnd {
                let count = try input.withUnsafeMutableBytes { try reader.readBounded(into: $0) }
                pending = 0..<max(0, count)
                isAtEnd = pending.isEmpty
            }
            var (read, written) = (pending.count, buffer.count)
            let result = input.withUnsafeBytes { bytes in
                nk_gzip_write(
                    file,
                    bytes.baseAddress?.advanced(by: pending.lowerBound),
                    &read,
                    start,
                    &written,
                    isAtEnd
                )
            }
            pending = (pending.lowerBound + read)..<pending.upperBound
            isComplete = result == Int32(NK_GZIP_END)
            // A step that neither takes nor returns bytes would be repeated forever.
            guard result != Int32(NK_GZIP_FAILED), read > 0 || written > 0 || isComplete else {
                throw GzipFailure()
            }
            if written > 0 { return written }
        }
        return 0
    }

    func close() {
        reader.close()
    }
}

/// An error of zlib: it is missing or out of memory.
struct GzipFailure: Error {}
