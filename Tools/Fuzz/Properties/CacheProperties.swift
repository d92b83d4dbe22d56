import Foundation
import NetKitSupport

@testable import NetKit
@testable import NetKitCache

extension FuzzTarget {
    static let cache = [
        FuzzTarget("cache-entry", CacheProperties.entry)
    ]
}

/// What a cache keeps on a disk.
private enum CacheProperties {
    /// An open file without a name.
    private static let file: Locked<Int32> = {
        var template = Array("/tmp/netkit-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        unlink(template)
        return Locked(descriptor)
    }()

    /// The bytes of a file, and the metadata and the body of one whose digests are right.
    static func entry(_ input: FuzzInput) throws {
        if let file = try read(input.bytes) {
            try expect(file.body?.count ?? 0 <= input.bytes.count, "the body is in the file")
        }
        let head = input.bytes.withUnsafeBytes { EntryMetadata.head(in: $0) }
        let digest = input.bytes.withUnsafeBytes { XXH64.digest(of: $0) }
        var whole: [UInt8] = []
        whole.appendNumber(EntryTrailer.opening)
        whole += input.bytes
        whole += EntryTrailer.end(
            of: input.bytes,
            bodyLength: Int64(input.bytes.count),
            bodyDigest: digest
        )
        let file = try read(whole)
        try expect(file?.head, is: head, "a file has the head of its metadata")
        guard let head, let file else { return }
        try expect(file.body, is: input.data, "a file has its body")
        guard let written = EntryMetadata.bytes(of: head) else {
            throw Finding("what is read can be written")
        }
        let again = written.withUnsafeBytes { EntryMetadata.head(in: $0) }
        try expect(again, is: head, "what is written reads back")
    }

    private static func read(_ bytes: [UInt8]) throws -> EntryFile? {
        try file.withLock { descriptor in
            let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            guard count == bytes.count, ftruncate(descriptor, off_t(count)) == 0 else {
                throw Finding("no file: \(errno)")
            }
            return EntryFile(descriptor, length: Int64(count))
        }
    }
}
