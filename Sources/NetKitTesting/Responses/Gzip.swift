import Foundation

/// Creates gzip files (RFC 1952) without real compression.
enum Gzip {
    /// Returns the data in stored blocks, slightly larger than the input.
    static func stored(_ data: Data) -> Data {
        var bytes = header
        var rest = data[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            bytes.append(rest.isEmpty ? 1 : 0)
            bytes.appendLittleEndian(size)
            bytes.appendLittleEndian(~size)
            bytes.append(block)
        } while !rest.isEmpty
        var checksum = CRC32()
        checksum.update(data)
        bytes.appendLittleEndian(checksum.value)
        bytes.appendLittleEndian(UInt32(truncatingIfNeeded: data.count))
        return bytes
    }

    /// Returns a gzip file of zero bytes, about 150 times smaller than its content.
    static func zeros(_ count: Int) -> Data {
        var bits = BitWriter(bytes: header)
        // One final block with the fixed codes of RFC 1951, section 3.2.6.
        bits.append(0b1, count: 1)
        bits.append(0b01, count: 2)
        let matches = max(0, count - 1) / 258
        for _ in 0..<(count - matches * 258) {
            bits.append(0b0000_1100, count: 8)
        }
        for _ in 0..<matches {
            // 258 bytes as the one before, 285 and 0: 11000101 and 00000, first bit first.
            bits.append(0b00000_1010_0011, count: 13)
        }
        bits.append(0, count: 7)
        var bytes = bits.finished()
        var checksum = CRC32()
        checksum.updateWithZeros(count)
        bytes.appendLittleEndian(checksum.value)
        bytes.appendLittleEndian(UInt32(truncatingIfNeeded: count))
        return bytes
    }

    private static let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
}

/// Packs bits into bytes, the lowest bit first.
private struct BitWriter {
    var bytes: Data
    private var pending: UInt32 = 0
    private var pendingCount = 0

    init(bytes: Data) { self.bytes = bytes }

    mutating func append(_ bits: UInt32, count: Int) {
        pending |= bits << UInt32(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    func finished() -> Data {
        pendingCount == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: pending)]
    }
}

extension Data {
    fileprivate mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
