public import Foundation

/// A request's content that comes piece by piece, such as from an `AsyncStream` or another response.
///
/// URLSession can send it only when its length is known and must be able to read it twice, so it is
/// first written to a temporary file: nobody else can open that file, and it is gone with the call,
/// however the call or the process ends. That is also what lets the request be tried again.
public struct BodySequence: Sendable {
    /// The media type.
    public let mime: MimeType
    /// How many bytes there will be, nil if that is not known.
    ///
    /// A sequence of another length is refused.
    public let length: Int64?
    private let iterate: @Sendable (_ take: (Data) throws -> Void) async throws -> Void

    /// Makes content of a sequence.
    ///
    /// - Parameters:
    ///   - sequence: The pieces. It is iterated once for each execution of the request, not for each
    ///     attempt.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: How many bytes there will be. Defaults to nil, not known.
    public init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        mime: MimeType = .binary,
        length: Int64? = nil
    ) where Pieces.Element: DataProtocol {
        self.mime = mime
        self.length = length
        iterate = { take in
            for try await piece in sequence { try take(piece as? Data ?? Data(piece)) }
        }
    }

    /// Gives the pieces one after the other.
    ///
    /// - Parameter take: Takes the next piece.
    /// - Throws: What `take` or the sequence throws.
    package func forEach(_ take: (Data) throws -> Void) async throws {
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
    /// - Returns: The body.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        mime: MimeType = .binary,
        length: Int64? = nil
    ) -> RequestBody where Pieces.Element: DataProtocol {
        .stream(BodySequence(sequence, mime: mime, length: length))
    }
}
