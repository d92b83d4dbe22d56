package import Foundation

/// Writes all of `data` at a descriptor's position, with as many calls as necessary.
///
/// - Parameters:
///   - data: The bytes to write.
///   - descriptor: The descriptor of an open file.
/// - Returns: The `errno` value of the failure, or nil on success.
package func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
    for region in data.regions {
        let code = region.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
                let count = write(descriptor, start, rest.count)
                if count < 0, errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, count))
            }
            return nil
        }
        if let code { return code }
    }
    return nil
}
