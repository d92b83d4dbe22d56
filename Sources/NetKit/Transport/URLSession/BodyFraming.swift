import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a response's head says of where the body ends (RFC 9112, section 6.3).
///
/// Asks for as few fields as it can: URLSession looks through all of them for each.
struct BodyFraming {
    /// How many bytes are sent, more than 0; nil if that is not known beforehand.
    let length: Int64?
    /// Whether fields will follow the body, which only a chunked one has.
    let announcesTrailers: Bool
    /// Whether what it says of the length is no number, or several different ones (RFC 9112, section 6.3).
    let contradictsItself: Bool

    init(_ response: HTTPURLResponse) {
        let length = response.expectedContentLength
        // URLSession joins several fields by commas and makes nothing of the result.
        let field = length < 0 ? response.value(forHTTPHeaderField: "Content-Length") : nil
        contradictsItself = field.map { !Self.isOneLength($0) } ?? false
        let isChunked =
            length < 0 || response.value(forHTTPHeaderField: "Transfer-Encoding") != nil
        announcesTrailers = isChunked && response.value(forHTTPHeaderField: "Trailer") != nil
        self.length = isChunked || length == 0 ? nil : length
    }

    /// Whether a field's value is one number, which may be repeated (RFC 9110, section 8.6).
    private static func isOneLength(_ field: String) -> Bool {
        let numbers = Set(
            field.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
        )
        guard numbers.count == 1, let number = numbers.first, !number.isEmpty else { return false }
        return number.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(number) != nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// Whether URLSession gives the bytes as they were sent, and not decompressed.
    static func isPlain(_ response: HTTPURLResponse) -> Bool {
        response.value(forHTTPHeaderField: "Content-Encoding") == nil
    }
}
