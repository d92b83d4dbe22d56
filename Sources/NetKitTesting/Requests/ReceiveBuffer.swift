#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Received bytes: appended at the end, and consumed from the front.
struct ReceiveBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    /// The number of unconsumed bytes.
    var count: Int { bytes.count - start }

    /// Appends received bytes.
    mutating func append(_ arrived: UnsafeRawBufferPointer) {
        if start > 65_536, start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: arrived)
    }

    /// Removes the first `count` bytes.
    mutating func consume(_ count: Int) {
        start += count
        guard start >= bytes.count else { return }
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        start = 0
    }

    /// Calls a closure with the unconsumed bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Whether the unconsumed bytes start with `pattern`.
    func starts(with pattern: StaticString) -> Bool {
        withBytes { bytes in
            guard bytes.count >= pattern.utf8CodeUnitCount, let base = bytes.baseAddress else {
                return false
            }
            return memcmp(base, pattern.utf8Start, pattern.utf8CodeUnitCount) == 0
        }
    }

    /// Returns the first index of `pattern` at or after `offset`; nil if it hasn't arrived.
    func firstIndex(of pattern: StaticString, from offset: Int = 0) -> Int? {
        withBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            let length = pattern.utf8CodeUnitCount
            let first = Int32(pattern.utf8Start.pointee)
            var index = offset
            while index + length <= bytes.count {
                let searched = bytes.count - length + 1 - index
                guard let found = memchr(base + index, first, searched) else { return nil }
                if memcmp(found, pattern.utf8Start, length) == 0 {
                    return UnsafeRawPointer(found) - base
                }
                index = UnsafeRawPointer(found) - base + 1
            }
            return nil
        }
    }
}
