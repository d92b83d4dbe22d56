import NetKit

/// The end of an entry's file, which describes the rest.
///
/// A file consists of the opening mark, the body, the metadata, and the trailer. The body is written while it arrives,
/// and the trailer completes the file. The marks, the lengths, and two digests reveal any change: one of the body, and
/// one of the metadata, the lengths, and the body's digest.
struct EntryTrailer: Equatable {
    /// The first bytes of a file, which include the version of the format.
    static let opening: UInt64 = 0x3130_6863_6143_4B4E
    /// The last bytes of a file.
    private static let closing: UInt64 = 0x3130_646E_4543_4B4E
    /// The length of the opening mark in bytes.
    static let openingLength = 8
    /// The length of a trailer in bytes.
    static let length = 40
    /// The length of a file with empty body and metadata.
    static let leastLength = Int64(openingLength + length)

    let bodyLength: Int64
    let metadataLength: Int
    let bodyDigest: UInt64
    private let metadataDigest: UInt64

    /// Creates the trailer for a body and metadata.
    init(bodyLength: Int64, bodyDigest: UInt64, metadata: UnsafeRawBufferPointer) {
        self.bodyLength = bodyLength
        self.bodyDigest = bodyDigest
        metadataLength = metadata.count
        metadataDigest = Self.digest(bodyLength, bodyDigest, metadata)
    }

    /// Parses a trailer.
    ///
    /// Returns nil if the bytes aren't a trailer or belong to a file of another length.
    ///
    /// - Parameters:
    ///   - bytes: The end of the file.
    ///   - fileLength: The length of the whole file.
    init?(endOf bytes: UnsafeRawBufferPointer, fileLength: Int64) {
        guard bytes.count >= Self.length else { return nil }
        var reader = EntryMetadataReader(
            UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - Self.length)...])
        )
        guard let bodyLength = reader.number(UInt64.self).flatMap({ Int64(exactly: $0) }),
            let metadataLength = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
            let bodyDigest = reader.number(UInt64.self),
            let metadataDigest = reader.number(UInt64.self),
            reader.number(UInt64.self) == Self.closing,
            metadataLength <= EntryMetadata.maximumLength
        else { return nil }
        let (length, overflows) = (Self.leastLength + Int64(metadataLength))
            .addingReportingOverflow(bodyLength)
        guard !overflows, length == fileLength else { return nil }
        self.bodyLength = bodyLength
        self.metadataLength = metadataLength
        self.bodyDigest = bodyDigest
        self.metadataDigest = metadataDigest
    }

    /// The offset where the body ends and the metadata begins.
    var bodyEnd: Int64 { Int64(Self.openingLength) + bodyLength }

    /// Returns whether the trailer matches the metadata.
    func closes(_ metadata: UnsafeRawBufferPointer) -> Bool {
        metadata.count == metadataLength
            && Self.digest(bodyLength, bodyDigest, metadata) == metadataDigest
    }

    /// Returns the bytes that follow the body.
    static func end(of metadata: [UInt8], bodyLength: Int64, bodyDigest: UInt64) -> [UInt8] {
        let trailer = metadata.withUnsafeBytes {
            EntryTrailer(bodyLength: bodyLength, bodyDigest: bodyDigest, metadata: $0)
        }
        var bytes = metadata
        bytes.appendNumber(UInt64(bitPattern: bodyLength))
        bytes.appendNumber(UInt64(metadata.count))
        bytes.appendNumber(bodyDigest)
        bytes.appendNumber(trailer.metadataDigest)
        bytes.appendNumber(closing)
        return bytes
    }

    private static func digest(
        _ bodyLength: Int64,
        _ bodyDigest: UInt64,
        _ metadata: UnsafeRawBufferPointer
    ) -> UInt64 {
        var hash = XXH64()
        hash.add(metadata)
        let numbers = [
            UInt64(bitPattern: bodyLength), UInt64(metadata.count), bodyDigest,
        ]
        numbers.map(\.littleEndian).withUnsafeBytes { hash.add($0) }
        return hash.digest
    }
}
