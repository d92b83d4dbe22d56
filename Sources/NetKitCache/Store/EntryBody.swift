import Foundation
import NetKit

/// A long body that is read from its file in pieces.
final class EntryBody: StoredFile {
    /// The number of bytes to check at a time.
    private static let portion = 256 << 10

    let count: Int64
    private let descriptor: Int32
    private let digest: UInt64
    private let queue: FileQueue
    private let trims = Locked(TrimCounter(every: 32 << 20))

    /// Takes ownership of a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of an open entry.
    ///   - trailer: The entry's trailer.
    ///   - path: The path that identifies its queue.
    init(_ descriptor: Int32, _ trailer: EntryTrailer, path: String) {
        self.descriptor = descriptor
        count = trailer.bodyLength
        digest = trailer.bodyDigest
        queue = FileQueue.of(path)
    }

    deinit { close(descriptor) }

    /// Reads the whole body and returns whether it is intact.
    func isWhole() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.add { continuation.resume(returning: self.check()) }
        }
    }

    private func check() -> Bool {
        var hash = XXH64()
        let opening = EntryTrailer.openingLength
        let isOpening = withUnsafeTemporaryAllocation(byteCount: opening, alignment: 8) {
            pread(descriptor, all: $0, at: 0) == nil
                && EntryFile.isOpening(UnsafeRawBufferPointer($0))
        }
        guard isOpening else { return false }
        return withUnsafeTemporaryAllocation(byteCount: Self.portion, alignment: 8) { buffer in
            var offset: Int64 = 0
            while offset < count {
                let length = Int(min(Int64(Self.portion), count - offset))
                let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
                guard pread(descriptor, all: piece, at: Int64(opening) + offset) == nil else {
                    return false
                }
                hash.add(UnsafeRawBufferPointer(piece))
                offset += Int64(length)
            }
            return hash.digest == digest
        }
    }

    func read(at offset: Int64, count: Int) async throws -> Data {
        try await queue.run { try self.data(at: offset, count: count) }
    }

    private func data(at offset: Int64, count: Int) throws -> Data {
        let offset = min(max(offset, 0), self.count)
        let length = Int(min(Int64(max(count, 0)), self.count - offset))
        var data = Data(count: length)
        let code = data.withUnsafeMutableBytes {
            pread(descriptor, all: $0, at: Int64(EntryTrailer.openingLength) + offset)
        }
        if let code { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        if trims.withLock({ $0.add(length) }) { FreeMemory.giveBack() }
        return data
    }
}
