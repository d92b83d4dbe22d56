#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// The body's framing according to the response's head (RFC 9112, section 6.3).
///
/// It reads as few fields as possible, because URLSession scans all of them for each lookup.
package struct BodyFraming {
    /// The body's length in bytes, more than 0, or nil if unknown.
    package let length: Int64?
    /// Whether trailer fields follow the body, which only a chunked body can have.
    package let announcesTrailers: Bool
    /// Whether the length is invalid or contradictory (RFC 9112, section 6.3).
    package let contradictsItself: Bool

    package init(_ response: HTTPURLResponse) {
        let length = response.expectedContentLength
        // URLSession joins repeated fields by commas and can't parse the result.
        let field = length < 0 ? response.value(forHTTPHeaderField: "Content-Length") : nil
        contradictsItself = field.map { !Self.isOneLength($0) } ?? false
        let isChunked =
            length < 0 || response.value(forHTTPHeaderField: "Transfer-Encoding") != nil
        announcesTrailers = isChunked && response.value(forHTTPHeaderField: "Trailer") != nil
        self.length = isChunked || length == 0 ? nil : length
    }

    /// Returns whether a field value is one number, possibly repeated (RFC 9110, section 8.6).
    private static func isOneLength(_ field: String) -> Bool {
        let numbers = Set(
            field.split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0).trimmedOfBlanks }
        )
        guard numbers.count == 1, let number = numbers.first else { return false }
        return number.asciiNumber(as: Int64.self) != nil
    }

    /// Returns whether URLSession delivers the bytes as sent, without decompressing them.
    package static func isPlain(_ response: HTTPURLResponse) -> Bool {
        response.value(forHTTPHeaderField: "Content-Encoding") == nil
    }
}
