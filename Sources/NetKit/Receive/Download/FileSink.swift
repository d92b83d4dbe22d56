import Foundation

/// Writes a successful response's body to a ``PartialFile``; for one response.
final class FileSink: BodySink {
    private enum Phase {
        case new
        case writing(PartFile)
        /// Everything is there, and the lock is still held.
        case whole(PartFile)
        case over
    }

    private struct State {
        var phase = Phase.new
        /// How many bytes the part has, with those that wait.
        var count: Int64 = 0
        /// What waits to be written.
        var waiting = Data()
        /// How many bytes have come since memory was given back.
        var sinceTrim = 0
        /// The length that the file will have, nil if the server does not say.
        var total: Int64?
        var mustStartOver = false

        /// Writes what waits.
        mutating func flush(to part: PartFile) throws(DownloadFailure) {
            guard !waiting.isEmpty else { return }
            defer { waiting.removeAll(keepingCapacity: true) }
            try part.write(waiting)
        }
    }

    /// How many bytes are written at once: a write costs the file system more than its bytes do, and
    /// URLSession gives 16 KiB at a time.
    private static let portion = 256 << 10
    /// After how many bytes memory is given back.
    private static let trimmed = 128 << 20

    /// The server sent another range, or of another version, than the one asked for.
    private struct Unfitting: Error {}

    private let file: PartialFile
    private let rest: DownloadPlan.Rest?
    private let state = Locked(State())

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - file: Where the bytes go.
    ///   - rest: What was asked for, where it is not the whole.
    init(_ file: PartialFile, _ rest: DownloadPlan.Rest?) {
        self.file = file
        self.rest = rest
    }

    /// Whether the response did not fit the part, which is good for nothing then.
    var mustStartOver: Bool { state.withLock { $0.mustStartOver } }

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        guard head.status.isSuccessful else { return nil }
        return try state.withLock { state in
            // An attempt that was given up may still hear of its head.
            guard case .new = state.phase else { return nil }
            let part = try PartFile(file.part.path, creating: true)
            if head.status == 206, let rest {
                guard let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
                    range.first == rest.offset, part.length == rest.offset,
                    !rest.version.contradicts(head), head.headers[.contentEncoding] == nil
                else {
                    state.mustStartOver = true
                    throw Unfitting()
                }
                try part.seekToEnd()
                state.count = rest.offset
                state.total = range.total
            } else {
                try part.truncate()
                try file.noteVersion(of: head)
                state.total = head.bodyLength
            }
            state.phase = .writing(part)
            return SinkContent(earlier: state.count, total: state.total)
        }
    }

    func write(_ data: Data) throws {
        try state.withLock { state in
            guard case .writing(let part) = state.phase else { return }
            state.count += Int64(data.count)
            state.waiting.append(data)
            if state.waiting.count >= Self.portion { try state.flush(to: part) }
            state.sinceTrim += data.count
            guard state.sinceTrim >= Self.trimmed else { return }
            state.sinceTrim = 0
            FreeMemory.giveBack()
        }
    }

    func end() throws {
        try state.withLock { state in
            guard case .writing(let part) = state.phase else { return }
            try state.flush(to: part)
            state.waiting = Data()
            if let total = state.total, state.count != total {
                state.phase = .over
                throw TransportError(.truncatedResponse)
            }
            state.phase = .whole(part)
        }
    }

    func abandon() {
        state.withLock { state in
            switch state.phase {
            case .whole: return
            // What has come is kept; a disk that is full keeps less.
            case .writing(let part): try? state.flush(to: part)
            case .new, .over: break
            }
            state.phase = .over
            state.waiting = Data()
        }
    }

    /// Checks what was received and puts it in its place; does nothing where the body was not taken.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - digest: What to check; nil for nothing.
    /// - Throws: ``DownloadFailure`` if it is not what it has to be, or cannot be put there.
    func complete(_ head: ResponseHead, checking digest: ContentDigest?) async throws {
        let whole = state.withLock { state -> PartFile? in
            guard case .whole(let part) = state.phase else { return nil }
            state.phase = .over
            return part
        }
        guard let whole else { return }
        do {
            try await digest?.check(file.part, named: file.destination.path, against: head)
        } catch {
            file.remove()
            throw error
        }
        try withExtendedLifetime(whole) { try file.complete() }
    }
}
