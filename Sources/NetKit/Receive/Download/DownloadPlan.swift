import Foundation
import NetKitSupport

/// Writes a download to its file, from the beginning or by resuming.
struct DownloadPlan: Sendable {
    /// The range that completes a partial file of a known version.
    struct Rest: Sendable {
        let offset: Int64
        let note: PartialFile.Note
    }

    private let file: PartialFile
    private let queue: FileQueue
    let resuming: Bool
    private let digest: ContentDigest?

    /// Creates the plan of a download, or returns nil for any other request.
    init?(_ request: some Request, _ traits: RequestTraits) {
        guard let download = traits.download(in: request) else { return nil }
        file = PartialFile(destination: download.file)
        queue = FileQueue.of(download.file.path)
        resuming = download.resuming
        digest = download.digest
    }

    /// Checks before the first attempt that the file can be written.
    ///
    /// - Throws: ``DownloadFailure`` if it can't.
    func begin() async throws {
        try await queue.run { [file, resuming] in
            try file.check()
            if !resuming { try file.discard() }
        }
    }

    /// Asks for the file as it is, and for the digest to check.
    func plain(_ request: EncodedRequest) -> EncodedRequest {
        var request = request
        if request.headers[.acceptEncoding] == nil { request.headers[.acceptEncoding] = "identity" }
        if let field = digest?.wantedField, request.headers[.wantReprDigest] == nil {
            request.headers[.wantReprDigest] = field
        }
        return request
    }

    /// Requests only the missing bytes if there is a partial file of a known version.
    ///
    /// It asks for the `identity` encoding, because a range counts the bytes on the wire.
    ///
    /// - Parameters:
    ///   - request: The request, without `Range` as yet.
    ///   - onRestart: Called with the reason if there is a part that isn't resumed.
    /// - Returns: The request to send, and the rest that it asks for now; nil for the whole.
    /// - Throws: Only what ``FileQueue/run(_:)`` throws.
    func prepare(
        _ request: EncodedRequest,
        onRestart: @Sendable (DownloadRestart) -> Void
    ) async throws -> (request: EncodedRequest, rest: Rest?) {
        var request = plain(request)
        guard request.method == .get, request.headers[.range] == nil,
            let (length, note) = try await queue.run({ [file] in file.resumable() })
        else { return (request, nil) }
        guard let note else {
            onRestart(.unknownVersion)
            return (request, nil)
        }
        // Of a part that has every byte, the last one is asked for again: no server has the range behind it.
        let offset = length == note.total ? length - 1 : length
        guard offset > 0 else { return (request, nil) }
        request.headers[.range] = "bytes=\(offset)-"
        request.headers[.ifRange] = note.version.rawValue
        return (request, Rest(offset: offset, note: note))
    }

    /// What takes the response to one request, in place of an earlier whole one.
    func sink(
        for rest: Rest?,
        replacing earlier: FileSink? = nil,
        onRestart: @escaping @Sendable (DownloadRestart) -> Void = { _ in }
    ) -> FileSink {
        FileSink(file, rest, on: queue, replacing: earlier, onRestart: onRestart)
    }

    /// Moves the downloaded file to its destination once it is complete and verified.
    ///
    /// Leaves the destination as it is unless the response is successful.
    ///
    /// - Parameters:
    ///   - head: The response's head, or nil if no complete response arrived.
    ///   - sink: The sink that received the body.
    ///   - rest: The requested range, or nil for the whole file.
    /// - Returns: Whether the partial file didn't match the server's version. It is then removed, and the caller must
    ///   request the whole file.
    /// - Throws: ``DownloadFailure`` if the file couldn't be written, failed verification, or is in use by another
    ///   download.
    @inline(never)
    func finish(_ head: ResponseHead?, _ sink: FileSink, _ rest: Rest?) async throws -> Bool {
        try await sink.settle()
        let mustStartOver = rest != nil && (head?.status == 416 || sink.mustStartOver)
        // An interceptor may have made a failure of the response whose body the sink took.
        guard !mustStartOver, let head, head.status.isSuccessful else {
            try await queue.run { [file] in
                sink.withdraw()
                if mustStartOver { try file.discard() }
            }
            return mustStartOver
        }
        try await sink.complete(head, checking: digest)
        return false
    }
}

/// The partial file of an unfinished download, `name.part`, with a note of its resource's version.
struct PartialFile: Sendable {
    /// What is known of the resource whose bytes the partial file has.
    struct Note: Equatable, Sendable {
        let version: StrongValidator
        /// The length of the whole file in bytes, or nil if the server didn't state it.
        let total: Int64?

        init(_ version: StrongValidator, total: Int64? = nil) {
            (self.version, self.total) = (version, total)
        }

        /// Parses the content of a note, the version and the length in a line each, or returns nil if it is invalid.
        init?(_ text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let total: Int64? = lines.count == 2 ? lines[1].asciiNumber() : nil
            guard lines.count == 1 || lines.count == 2 && total != nil,
                let version = StrongValidator(noted: String(lines[0]))
            else { return nil }
            self.init(version, total: total)
        }

        var text: String {
            total.map { "\(version.rawValue)\n\($0)" } ?? version.rawValue
        }
    }

    /// The destination of the complete file.
    let destination: URL
    /// Opens the partial file.
    ///
    /// The second argument says whether to create it.
    var open: @Sendable (String, Bool) throws(DownloadFailure) -> any WritablePart = {
        path,
        creating throws(DownloadFailure) in
        try PartFile(path, creating: creating)
    }

    /// The file that receives the bytes until it is complete.
    var part: URL { stem.appendingPathExtension("part") }
    /// The file with the version in the form that `If-Range` takes.
    private var note: URL { stem.appendingPathExtension("part-version") }

    /// The destination, or what stands for it if its name would be too long with an extension.
    private var stem: URL {
        var name = destination.lastPathComponent
        let longest = 255
        let room = longest - ".part-version".utf8.count
        guard (room + 1...longest).contains(name.utf8.count) else { return destination }
        // Names that begin alike differ in their hashes.
        let hash = SHA256.digest(of: Array(name.utf8)).prefix(8).hexadecimal
        while name.utf8.count > room - 1 - hash.utf8.count { name.removeLast() }
        return destination.deletingLastPathComponent()
            .appendingPathComponent("\(name)-\(hash)", isDirectory: false)
    }

    /// Checks, as far as possible in advance, that the destination is writable.
    func check() throws(DownloadFailure) {
        guard !destination.absoluteString.contains("%00") else {
            throw DownloadFailure(.invalidName, destination.path)
        }
        guard destination.isFileURL else {
            throw DownloadFailure(.invalidName, "\(RedactedURL(destination))")
        }
        let folder = destination.deletingLastPathComponent().path
        guard FileKind.isFolder(folder) else {
            throw DownloadFailure(.folderMissing, destination.path)
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw DownloadFailure(.noPermission, destination.path)
        }
        guard !FileKind.isFolder(destination.path) else {
            throw DownloadFailure(.isFolder, destination.path)
        }
    }

    /// How many bytes the part has and what they are of, nil if that is not known; nil without a part.
    func resumable() -> (length: Int64, note: Note?)? {
        guard let length = FileKind.length(of: part.path), length > 0 else { return nil }
        let note = RegularFile.content(of: note.path, atMost: 8 << 10)
            .flatMap { Note(String(decoding: $0, as: UTF8.self)) }
        return (length, note)
    }

    /// Notes the resource's version for a partial file that starts from the beginning.
    ///
    /// Notes nothing, so that the file isn't resumed, for a partial (206) or compressed response or one without a
    /// strong validator.
    func noteVersion(of head: ResponseHead) throws(DownloadFailure) {
        unlink(note.path)  // The note may not exist.
        guard head.status != 206, head.headers[.contentEncoding] == nil,
            let version = StrongValidator(of: head)
        else { return }
        let text = Note(version, total: head.bodyLength).text
        if let code = RegularFile.create(note.path, with: Data(text.utf8)) {
            throw DownloadFailure(errno: code, note.path)
        }
    }

    /// Removes the partial file and its note.
    ///
    /// - Throws: ``DownloadFailure/Reason/inUse`` if another download is writing the file, or why it can't be removed.
    func discard() throws(DownloadFailure) {
        do {
            let file = try open(part.path, false)
            defer { withExtendedLifetime(file) {} }
            try remove()
        } catch  where error.reason == .folderMissing {
            return  // There is no partial file.
        }
    }

    /// Removes the partial file and its note.
    ///
    /// The caller must hold the lock.
    ///
    /// - Throws: ``DownloadFailure`` if the partial file stays, which would be resumed again and again.
    func remove() throws(DownloadFailure) {
        guard unlink(part.path) == 0 || errno == ENOENT else {
            throw DownloadFailure(errno: errno, part.path)
        }
        unlink(note.path)
    }

    /// Renames the complete partial file to its destination.
    ///
    /// The caller must hold the lock.
    func complete() throws(DownloadFailure) {
        guard rename(part.path, destination.path) == 0 else {
            throw DownloadFailure(errno: errno, destination.path)
        }
        unlink(note.path)
    }
}
