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
        return file.source(length: length)
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

/// A nameless temporary file, which disappears once released, even if the process dies.
///
/// One thread at a time may write. Any number of readers may read, each at its own offset.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// Creates an empty file in the temporary directory.
    init() throws(SpoolFailure) {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("netkit-\(UUID().uuidString)").path
        // The flags ensure that the file is new and that no child process inherits it.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SpoolFailure(code: errno) }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes.
    func append(_ data: Data) throws(SpoolFailure) {
        if let code = writeAll(data, to: descriptor) { throw SpoolFailure(code: code) }
    }

    /// Returns the file's content as a body of `length` bytes.
    func source(length: Int64) -> BodySource {
        BodySource(length: length) { Reader(self) }
    }

    private final class Reader: BodyReader {
        private var file: SpoolFile?
        private var offset: off_t = 0

        init(_ file: SpoolFile) {
            self.file = file
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard let file else { return 0 }
            while true {
                let count = pread(file.descriptor, buffer.baseAddress, buffer.count, offset)
                if count >= 0 {
                    offset += off_t(count)
                    return count
                }
                guard errno == EINTR else { throw SpoolFailure(code: errno) }
            }
        }

        func close() { file = nil }
    }
}

/// An error from writing or reading the temporary file of a sequence body.
struct SpoolFailure: Error, Equatable, Sendable {
    /// The `errno` value, such as `ENOSPC`.
    let code: Int32
}

extension SpoolFailure: DescribedCause {
    /// A one-line lowercase description.
    var description: String {
        "the body can't be written to a temporary file: \(String(cString: strerror(code)))"
    }
}
