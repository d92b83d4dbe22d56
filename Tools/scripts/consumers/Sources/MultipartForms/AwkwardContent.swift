import Foundation

/// Bytes that resemble part boundaries, with lengths around buffer sizes.
enum AwkwardContent {
    private static let lengths = [0, 1, 2, 65_535, 65_536, 65_537, 300_000]

    /// Returns the bytes of a file.
    static func bytes(using generator: inout SeededGenerator) -> Data {
        let length =
            Bool.random(using: &generator)
            ? lengths.randomElement(using: &generator) ?? 0
            : Int.random(in: 3...20_000, using: &generator)
        var bytes = Data(capacity: length + 100)
        while bytes.count < length {
            if Bool.random(using: &generator) {
                for _ in 0..<8 {
                    withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
                }
            } else {
                bytes.append(contentsOf: piece(using: &generator).utf8)
            }
        }
        return bytes.prefix(length)
    }

    /// Returns the value of a text part, which can contain a NUL.
    static func text(using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...8, using: &generator))
            .map { _ in
                Bool.random(using: &generator)
                    ? piece(using: &generator) : AwkwardName.random(using: &generator)
            }
            .joined()
    }

    private static func piece(using generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return "\r\n"
        case 1: return "--"
        case 2: return "\r\n--"
        case 3: return "\r\n--netkit-"
        case 4:
            // The form of a boundary and its end, but not the boundary in use.
            let digits = (0..<48)
                .map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }
            let end = Bool.random(using: &generator) ? "--\r\n" : "\r\n"
            return "\r\n--netkit-\(digits.joined())\(end)"
        case 5: return "Content-Disposition: form-data; name=\"x\"; filename=\"y\"\r\n\r\n"
        case 6: return "\r\r\n\n\u{0}-\r\n-"
        default: return "\r"
        }
    }
}
