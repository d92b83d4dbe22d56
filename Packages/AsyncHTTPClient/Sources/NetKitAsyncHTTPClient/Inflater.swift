internal import CZlib
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NetKit

/// A decompressor of gzip or zlib data, which gives one piece at a time (RFC 1952, RFC 1950).
///
/// A kilobyte can become a megabyte. Whoever asks for a piece at a time can stop, or wait, after each of them. SwiftNIO's
/// own handler decompresses everything that was read from the socket, below any backpressure.
final class Inflater {
    /// The maximum size of a piece, in bytes.
    static let pieceSize = 64 << 10

    // zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private let scratch: UnsafeMutablePointer<UInt8>
    private var input = ByteBuffer()
    /// Whether zlib may have more output without more input.
    private var isFull = false
    /// Whether the compressed data has reached its end.
    private(set) var isComplete = false

    /// Creates a decompressor for the coding that a head names.
    ///
    /// - Parameter head: The head of a response.
    /// - Returns: Nil if the body isn't compressed, or in another way, or more than once.
    /// - Throws: ``BrokenCompression/noMemory``.
    static func make(for head: HTTPResponseHead) throws -> Inflater? {
        // `identity` is no coding (RFC 9110, section 12.5.3).
        let codings = head.headers[canonicalForm: "Content-Encoding"].map { $0.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(codings[0]) else {
            return nil
        }
        return try Inflater()
    }

    /// Creates a decompressor, which recognizes either format by its first bytes.
    ///
    /// - Throws: ``BrokenCompression/noMemory``.
    init() throws {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        scratch = .allocate(capacity: Self.pieceSize)
        // The largest window, and 32 for both formats.
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, 15 + 32, ZLIB_VERSION, size) == Z_OK else {
            throw BrokenCompression.noMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        scratch.deallocate()
    }

    /// The number of compressed bytes that weren't needed yet.
    var unreadBytes: Int { input.readableBytes }

    /// Adds compressed bytes.
    func append(_ bytes: ByteBuffer) {
        if unreadBytes == 0 { input = bytes } else { input.writeImmutableBuffer(bytes) }
    }

    /// Decompresses the next piece.
    ///
    /// - Returns: At most ``pieceSize`` bytes and at least one, or nil if more input is needed.
    /// - Throws: ``BrokenCompression``.
    func next() throws -> Data? {
        while !isComplete, isFull || unreadBytes > 0 {
            let count = try inflateOnce()
            if count > 0 { return Data(bytes: scratch, count: count) }
        }
        guard !isComplete || unreadBytes == 0 else { throw BrokenCompression.trailingData }
        return nil
    }

    private func inflateOnce() throws -> Int {
        stream.pointee.next_out = scratch
        stream.pointee.avail_out = UInt32(Self.pieceSize)
        let result = input.readWithUnsafeMutableReadableBytes { bytes in
            stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let available = UInt32(clamping: bytes.count)
            stream.pointee.avail_in = available
            let result = inflate(stream, Z_NO_FLUSH)
            return (Int(available - stream.pointee.avail_in), result)
        }
        (stream.pointee.next_in, stream.pointee.avail_in) = (nil, 0)
        isFull = stream.pointee.avail_out == 0
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isComplete = true
        case Z_MEM_ERROR: throw BrokenCompression.noMemory
        default: throw BrokenCompression.invalid
        }
        return Self.pieceSize - Int(stream.pointee.avail_out)
    }
}

/// An error in the compressed data of a body.
enum BrokenCompression: DescribedCause, Equatable {
    case invalid
    /// Bytes follow the end of the compressed data.
    case trailingData
    /// The body ended before its compressed data.
    case truncated
    case noMemory

    var description: String {
        switch self {
        case .invalid: "the response's body is not valid gzip or deflate data"
        case .trailingData: "the response's body has bytes after its compressed data"
        case .truncated: "the response's compressed body is incomplete"
        case .noMemory: "no memory left to decompress the response's body"
        }
    }
}
