public import Foundation

/// A request's content that comes piece by piece, such as from an `AsyncStream` or another response.
///
/// URLSession can send it only when its length is known and must be able to read it twice, so it is
/// first written to a temporary file: nobody else can open that file, and it is gone with the call,
/// however the call or the process ends. That is also what lets the request be tried again.
///
/// A live one is sent while it comes instead, as fast as the server takes it, over a transport that
/// can (``Transport/sendsSequences``). It is sent once, as it is kept nowhere: the call is not tried
/// again, a redirect that wants it again and a 401 are the response, and what the sequence throws is
/// the cause of a ``TransportError``. The idle timeout counts while the next piece is waited for.
public struct BodySequence: Sendable {
    /// The media type.
    package let mime: MimeType
    /// How many bytes there will be, nil if that is not known.
    ///
    /// A sequence of another length is refused.
    public let length: Int64?
    /// Whether it is sent while it comes, where the transport can do so.
    public let isLive: Bool
    private let iterate: @Sendable (_ take: (Data) async throws -> Void) async throws -> Void

    /// Makes content of a sequence.
    ///
    /// - Parameters:
    ///   - sequence: The pieces. It is iterated once for each execution of the request, not for each
    ///     attempt.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: How many bytes there will be. Defaults to nil, not known.
    ///   - isLive: Whether it is sent while it comes, where the transport can do so. Defaults to false.
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
        iterate: @escaping @Sendable (_ take: (Data) async throws -> Void) async throws -> Void
    ) {
        self.mime = mime
        self.length = length
        self.isLive = isLive
        self.iterate = iterate
    }

    /// Gives the pieces one after the other.
    ///
    /// - Parameter take: Takes the next piece; the one after it is asked for when it returns.
    /// - Throws: What `take` or the sequence throws.
    public func forEach(_ take: (Data) async throws -> Void) async throws {
        try await iterate(take)
    }
}

extension RequestBody {
    /// Content that comes piece by piece; see ``BodySequence``.
    ///
    /// ```swift
    /// var body: RequestBody? { .stream(lines, mime: "application/x-ndjson") }
    /// ```
    ///
    /// - Parameters:
    ///   - sequence: The pieces. It is iterated once for each execution of the request.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: How many bytes there will be. Defaults to nil, not known.
    ///   - isLive: Whether it is sent while it comes, and never a second time, where the transport can
    ///     do so. Defaults to false.
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
