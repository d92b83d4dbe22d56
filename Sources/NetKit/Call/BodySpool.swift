import Foundation
import NetKitSupport

extension BodySequence {
    /// Writes the sequence to a file, for a known length and repeated sends.
    func spooled() async throws -> BodySource {
        let file = try SpoolFile()
        let length = try await checked { piece in
            try Task.checkCancellation()
            try file.append(piece)
        }
        return BodySource(length: length) { SpoolReader(file) }
    }

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
            _ = try await checked(take)
        }
    }

    /// Passes on each piece, and returns their length, which must be the announced one.
    private func checked(_ take: (Data) async throws -> Void) async throws -> Int64 {
        var count: Int64 = 0
        try await forEach { piece in
            count += Int64(piece.count)
            // Stops early if the sequence is longer than announced.
            if let length, count > length { try check(count) }
            try await take(piece)
        }
        try check(count)
        return count
    }

    private func check(_ count: Int64) throws {
        guard let length, length != count else { return }
        let text = "a sequence of \(count) bytes, announced as \(length)"
        throw InvalidRequest(.wrongLength(count, announced: length), text)
    }
}

/// Reads the file of a spooled body.
private final class SpoolReader: BodyReader {
    private var file: SpoolFile?
    private var offset: Int64 = 0

    init(_ file: SpoolFile) { self.file = file }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let file else { return 0 }
        let count = try file.read(into: buffer, at: offset)
        offset += Int64(count)
        return count
    }

    func close() { file = nil }
}

extension SpoolFailure: DescribedCause {}
