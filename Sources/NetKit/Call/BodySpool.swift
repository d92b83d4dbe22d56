import Foundation

/// Writes a body that is a sequence to a file, so that its length is known and it can be sent again.
enum BodySpool {
    /// Spools a body.
    ///
    /// - Parameters:
    ///   - sequence: The body.
    ///   - control: Ends the waiting for the next piece, even for one that does not heed cancellation.
    /// - Returns: The same body as a file, or why there is none.
    static func spool(
        _ sequence: BodySequence,
        control: CallControl
    ) async -> Result<BodySource, CallFailure> {
        await UserCode.run(control) { try await write(sequence) }
    }

    private static func write(_ sequence: BodySequence) async throws -> BodySource {
        let file = try SpoolFile()
        var length: Int64 = 0
        try await sequence.forEach { piece in
            try Task.checkCancellation()
            try file.append(piece)
            length += Int64(piece.count)
            // The rest of one that is too long is not waited for.
            if let announced = sequence.length, length > announced { try sequence.check(length) }
        }
        try sequence.check(length)
        return file.source(length: length)
    }
}

extension BodySequence {
    /// The same sequence for one call: it gives its pieces once, and no more or less of them than announced.
    func once() -> BodySequence {
        let isTaken = Locked(false)
        return BodySequence(mime: mime, length: length, isLive: isLive) { take in
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return isTaken
            }
            guard !wasTaken else {
                throw InvalidRequest(.sentOnce, "a live sequence, which is sent once")
            }
            var count: Int64 = 0
            try await forEach { piece in
                count += Int64(piece.count)
                // The rest of one that is too long is not waited for.
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

/// A temporary file without a name: it is gone once it is released, even if the process dies.
///
/// Written by one thread at a time; may be read by any number, each at a place of its own.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// Makes an empty file in the folder for temporary files.
    init() throws(SpoolFailure) {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("netkit-\(UUID().uuidString)").path
        // Nothing that is there already is opened, and no process that is started meanwhile inherits it.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SpoolFailure(code: errno) }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    /// Adds bytes at the end.
    func append(_ data: Data) throws(SpoolFailure) {
        if let code = writeAll(data, to: descriptor) { throw SpoolFailure(code: code) }
    }

    /// What was written, as a body of `length` bytes.
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

/// A body from a sequence could not be kept in a temporary file, or read back from it.
struct SpoolFailure: Error, Equatable, Sendable {
    /// The system's error number, such as `ENOSPC`.
    let code: Int32
}

extension SpoolFailure: DescribedCause {
    /// What went wrong, as one lower-case line.
    var description: String {
        "the body can't be written to a temporary file: \(String(cString: strerror(code)))"
    }
}
