/// The end of an entry's file, which says how the rest is read.
///
/// A file is the opening mark, the body, the metadata and the trailer: the body is written while it comes, and the
/// trailer closes the file. Any change to a file is noticed: the marks are compared, the lengths have to add up to the
/// file's, and there is a digest of the body, and one of the metadata, both lengths and the body's digest.
struct EntryTrailer: Equatable {
    /// The first bytes of a file, with the version of the format.
    static let opening: UInt64 = 0x3130_6863_6143_4B4E
    /// The last bytes of a file.
    private static let closing: UInt64 = 0x3130_646E_4543_4B4E
    /// The length of the opening mark, in bytes.
    static let openingLength = 8
    /// The length of a trailer, in bytes.
    static let length = 40
    /// The length of a file whose body and metadata are empty.
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

    /// Reads a trailer; nil for bytes that are none, or that of a file with another length.
    ///
    /// - Parameters:
    ///   - bytes: The end of a file.
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

    /// Where the body ends, and the metadata begins.
    var bodyEnd: Int64 { Int64(Self.openingLength) + bodyLength }

    /// Whether this is the trailer that closes the metadata.
    func closes(_ metadata: UnsafeRawBufferPointer) -> Bool {
        metadata.count == metadataLength
            && Self.digest(bodyLength, bodyDigest, metadata) == metadataDigest
    }

    /// The bytes of a file behind its body.
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
