import Foundation

/// Writes all of `data` where a descriptor stands, however many calls the system takes for it.
///
/// - Parameters:
///   - data: The bytes.
///   - descriptor: An open file.
/// - Returns: The system's error number, nil if all was written.
func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
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
