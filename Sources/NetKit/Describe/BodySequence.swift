public import Foundation

/// A request body produced piece by piece, such as by an `AsyncStream` or another response.
///
/// URLSession must know the length of a body and be able to read it twice. NetKit therefore writes the sequence to a
/// temporary file before sending it, which also lets it retry the request. No other process can open that file. It
/// disappears with the call, even if the process crashes.
///
/// A live sequence is sent as it is produced, as fast as the server accepts it, over a transport that supports this
/// (``Transport/sendsSequences``). Because NetKit doesn't keep the data, it sends a live sequence only once. The call
/// isn't retried. A 401, or a redirect that would repeat the body, becomes the response. An error thrown by the
/// sequence is the cause of a ``TransportError``. The idle timeout keeps running while NetKit waits for the next piece.
public struct BodySequence: Sendable {
    /// The media type.
    package let mime: MimeType
    /// The total number of bytes, or nil if unknown.
    ///
    /// A sequence that produces a different number of bytes is refused.
    public let length: Int64?
    /// Whether the sequence is sent as it is produced, over a transport that supports it.
    public let isLive: Bool
    /// The part of a file that the sequence stands for, if any.
    ///
    /// Such a body is sent from the file, and never becomes a sequence.
    let part: FilePart?
    private let iterate: @Sendable (_ take: (Data) async throws -> Void) async throws -> Void

    /// Creates a body from an asynchronous sequence.
    ///
    /// - Parameters:
    ///   - sequence: The pieces of the body. The sequence is iterated once per call, not once per attempt.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: The total number of bytes. Defaults to nil, an unknown length.
    ///   - isLive: Whether to send the sequence as it is produced, over a transport that supports it. Defaults to
    ///     false.
    public init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        mime: MimeType = .binary,
        length: Int64? = nil,
        isLive: Bool = false
    ) where Pieces.Element: DataProtocol {
        self.init(mime: mime, length: length, isLive: isLive) { take in
            for try await piece in sequence { try await take(piece as? Data ?? Data(piece)) }
        }
    }

    init(
        mime: MimeType,
        length: Int64?,
        isLive: Bool,
        part: FilePart? = nil,
        iterate: @escaping @Sendable (_ take: (Data) async throws -> Void) async throws -> Void
    ) {
        self.mime = mime
        self.length = length
        self.isLive = isLive
        self.part = part
        self.iterate = iterate
    }

    /// Calls a closure with each piece, in order.
    ///
    /// - Parameter take: A closure that receives the next piece. The sequence isn't asked for another piece until the
    ///   closure returns.
    /// - Throws: Any error that the closure or the sequence throws.
    public func forEach(_ take: (Data) async throws -> Void) async throws {
        try await iterate(take)
    }
}

/// A part of a file.
package struct FilePart: Sendable {
    /// The URL of the file.
    package let file: URL
    /// The offsets of its bytes, beginning at 0.
    package let range: Range<Int64>

    package init(_ file: URL, range: Range<Int64>) {
        self.file = file
        self.range = range
    }
}

extension RequestBody {
    /// Creates a body from an asynchronous sequence; see ``BodySequence``.
    ///
    /// ```swift
    /// var body: RequestBody? { .stream(lines, mime: "application/x-ndjson") }
    /// ```
    ///
    /// - Parameters:
    ///   - sequence: The pieces of the body. The sequence is iterated once per call.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: The total number of bytes. Defaults to nil, an unknown length.
    ///   - isLive: Whether to send the sequence as it is produced, over a transport that supports it. It is then sent
    ///     only once. Defaults to false.
    /// - Returns: The body.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        mime: MimeType = .binary,
        length: Int64? = nil,
        isLive: Bool = false
    ) -> RequestBody where Pieces.Element: DataProtocol {
        .stream(BodySequence(sequence, mime: mime, length: length, isLive: isLive))
    }
}
