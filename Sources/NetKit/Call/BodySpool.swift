import Foundation
import NetKitSupport

/// Writes a sequence body to a file, for a known length and repeated sends.
enum BodySpool {
    /// Spools a body.
    ///
    /// - Parameters:
    ///   - sequence: The body.
    ///   - control: The call's control. A stop ends the wait for the next piece, even if the sequence ignores
    ///     cancellation.
    /// - Returns: The body as a file, or the failure.
    static func spool(
        _ sequence: BodySequence,
        control: CallControl
    ) async -> Result<BodySource, CallFailure> {
        await control.run { try await write(sequence) }
    }

    private static func write(_ sequence: BodySequence) async throws -> BodySource {
        let file = try SpoolFile()
        var length: Int64 = 0
        try await sequence.forEach { piece in
            try Task.checkCancellation()
            try file.append(piece)
            length += Int64(piece.count)
            // Stops early if the sequence is longer than announced.
            if let announced = sequence.length, length > announced { try sequence.check(length) }
        }
        try sequence.check(length)
        return BodySource(length: length) { SpoolReader(file) }
    }
}

extension BodySequence {
    /// Returns the sequence for one call, which delivers it once and checks its announced length.
    func once() -> BodySequence {
        let isTaken = Locked(false)
        return BodySequence(mime: mime, length: length, isLive: isLive) { take in
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return isTaken
            }
            guard !wasTaken else {
                throw InvalidRequest(.notReplayable, "a live sequence can be sent only once")
            }
            var count: Int64 = 0
            try await forEach { piece in
                count += Int64(piece.count)
                // Stops early if the sequence is longer than announced.
                if let length, count > length { try check(count) }
                try await take(piece)
            }
            try check(count)
        }
    }

    fileprivate func check(_ count: Int64) throws {
        guard let length, length != count else { return }
        let text = "a sequence of \(count) bytes, announced as \(length)"
        throw InvalidRequest(.wrongLength(count, announced: length), text)
    }
}

private final class SpoolReader: BodyReader {
    private var file: SpoolFile?
    private var offset: Int64 = 0

    init(_ file: SpoolFile) {
        self.file = file
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let file else { return 0 }
        let count = try file.read(into: buffer, at: offset)
        offset += Int64(count)
        return count
    }

    func close() { file = nil }
}

extension SpoolFailure: DescribedCause {}
