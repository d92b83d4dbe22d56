import Foundation

/// Writes a successful response's body to a ``PartialFile``, and puts it in place when it is whole.
final class FileSink: BodySink {
    private let file: PartialFile
    /// How many bytes of the part a `Range` was asked beyond, 0 for none.
    private let offset: UInt64
    private let handle = Locked<FileHandle?>(nil)

    init(_ file: PartialFile, resumingAt offset: UInt64) {
        self.file = file
        self.offset = offset
    }

    func begin(_ head: ResponseHead) throws -> Bool {
        switch head.status.rawValue {
        case 206 where offset > 0:
            guard Self.start(of: head.headers[.contentRange]) == offset else {
                throw DownloadFailure("the server sent another range than the one asked for")
            }
            try open(truncating: false)
        case 200..<300:
            try file.noteVersion(of: head)
            try open(truncating: true)
        default:
            return false
        }
        return true
    }

    func write(_ data: Data) throws {
        try handle.withLock { handle in
            do {
                try handle?.write(contentsOf: data)
            } catch {
                throw DownloadFailure("\(file.part.path) cannot be written: \(error)")
            }
        }
    }

    func end() throws {
        let open = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        guard let open else { return }
        try open.close()
        try file.complete()
    }

    func abandon() {
        handle.withLock { handle in
            try? handle?.close()  // the part keeps what was written
            handle = nil
        }
    }

    private func open(truncating: Bool) throws {
        let path = file.part.path
        if truncating, !FileManager.default.createFile(atPath: path, contents: nil) {
            throw DownloadFailure("\(path) cannot be created")
        }
        guard let opened = FileHandle(forWritingAtPath: path) else {
            throw DownloadFailure("\(path) cannot be opened for writing")
        }
        try opened.seekToEnd()
        handle.withLock { $0 = opened }
    }

    /// The first position of `bytes 5-9/10`.
    private static func start(of contentRange: String?) -> UInt64? {
        guard let contentRange, contentRange.hasPrefix("bytes ") else { return nil }
        return contentRange.dropFirst(6).split(separator: "-").first.flatMap { UInt64($0) }
    }
}
