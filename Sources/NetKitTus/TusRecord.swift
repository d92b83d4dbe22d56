import Foundation
import NetKit
import NetKitSupport

/// What is kept of an unfinished upload.
struct TusRecord: Codable, Equatable, Sendable {
    /// The version of the protocol, which distinguishes a record from another file.
    private(set) var tus = TusRequest.version
    /// The server's URL of the upload.
    let url: URL
    /// The URL that created the upload.
    let creation: String
    /// The length of the file in bytes.
    let length: Int64
    /// The time of the file's last modification, in nanoseconds since 1970.
    let modification: Int64
    /// The metadata of the upload.
    let metadata: [String: String]
    /// The date after which the server may discard the upload.
    var expires: Date?

    init(url: URL, of source: TusSource, expires: Date?) {
        self.url = url
        creation = source.creation
        length = source.state.length
        modification = source.state.modification
        metadata = source.metadata
        self.expires = expires
    }

    /// Whether the upload is one of this file to this server.
    func isOf(_ source: TusSource) -> Bool {
        creation == source.creation && metadata == source.metadata
            && FileState(length: length, modification: modification) == source.state
    }
}

/// What an upload is made of.
///
/// If any of it changes, the upload is another one.
struct TusSource: Equatable, Sendable {
    /// The URL that creates uploads, without its query, which may have a token.
    let creation: String
    let state: FileState
    let metadata: [String: String]
}

extension TusRecord {
    /// The maximum length of a record in bytes.
    private static let maximumLength = 1 << 20

    /// Reads a record, without blocking the caller's executor.
    @concurrent
    static func load(_ file: URL) async throws(TusError) -> TusRecord? { try read(file) }

    /// Reads a record.
    ///
    /// - Returns: The record; nil if there is no file, or an empty one, which the system may leave after a crash.
    /// - Throws: ``TusError/unusableRecord(path:reason:)`` if the file isn't a record, so that no other file is overwritten.
    static func read(_ file: URL) throws(TusError) -> TusRecord? {
        guard file.isFileURL else {
            throw .unusableRecord(path: file.path, reason: "its URL isn't a file's")
        }
        var status = stat()
        if lstat(file.path, &status) != 0, errno == ENOENT { return nil }
        do {
            let source = try file.bodySource()
            guard source.length > 0 else { return nil }
            guard source.length <= maximumLength else { throw CocoaError(.fileReadTooLarge) }
            let record = try JSONDecoder()
                .decodeBounded(TusRecord.self, from: try bytes(of: source))
            let scheme = record.url.scheme
            guard record.tus == TusRequest.version, scheme == "https" || scheme == "http" else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return record
        } catch let error as InvalidRequest {
            throw .unusableRecord(path: file.path, reason: "\(error)")
        } catch {
            throw .unusableRecord(path: file.path, reason: "it isn't the record of an upload")
        }
    }

    private static func bytes(of source: BodySource) throws -> Data {
        if let data = source.data { return data }
        let reader = try source.open()
        defer { reader.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while let bytes = try reader.next(in: &buffer) { data.append(contentsOf: bytes) }
        return data
    }

    /// Checks, as far as possible in advance, that a record can be written.
    @concurrent
    static func check(_ file: URL) async throws(TusError) {
        guard access(file.deletingLastPathComponent().path, W_OK | X_OK) != 0 else { return }
        throw unusable(file, errno)
    }

    private static func unusable(_ file: URL, _ code: Int32) -> TusError {
        .unusableRecord(path: file.path, reason: String(cString: strerror(code)))
    }

    /// Writes the record in one step, readable only for its owner.
    @concurrent
    func save(to file: URL) async throws(TusError) {
        do {
            _ = try RegularFile.replace(file.path, with: try JSONEncoder.sorted.encode(self))
        } catch let error as POSIXError {
            throw Self.unusable(file, error.code.rawValue)
        } catch {
            throw .unusableRecord(path: file.path, reason: "it can't be encoded")
        }
    }

    /// Removes a record.
    ///
    /// One that stays does no harm: the server says that its upload is complete, or unknown.
    static func remove(_ file: URL) { unlink(file.path) }
}

/// The SHA-1 hash (FIPS 180-4, section 6.1), which tus requires of its servers.
///
/// SHA-1 is broken. It detects accidents, not attacks.
struct SHA1: BlockHash {
    static let blockSize = 64
    static let lengthSize = 8
    static let lengthIsBigEndian = true

    private static let constants: [UInt32] = [
        0x5A82_7999, 0x6ED9_EBA1, 0x8F1B_BCDC, 0xCA62_C1D6,
    ]

    private var state: [UInt32] = [
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0,
    ]

    /// The digest of 20 bytes.
    var bytes: [UInt8] { state.flatMap(\.bigEndianBytes) }

    mutating func compress(_ block: ArraySlice<UInt8>) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4)
            .map { UInt32(bigEndian: block[$0..<$0 + 4]) }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed.rotated(right: 31))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let mix: UInt32 =
                switch round / 20 {
                case 0: (b & c) | (~b & d)
                case 2: (b & c) | (b & d) | (c & d)
                default: b ^ c ^ d
                }
            let sum = a.rotated(right: 27) &+ mix &+ e &+ Self.constants[round / 20] &+ word
            (e, d, c, b, a) = (d, c, b.rotated(right: 2), a, sum)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
}

extension TusUpload.Checksum {
    /// Returns the digest of a body, which is read to its end unless `check` throws before a read.
    func digest(of source: BodySource, checking check: () throws -> Void = {}) throws -> [UInt8] {
        switch self {
        case .sha1: try HashedMessage<SHA1>(of: source, checking: check).digest
        case .sha256: try HashedMessage<SHA256>(of: source, checking: check).digest
        }
    }
}
