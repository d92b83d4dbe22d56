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

    init(_ response: HTTPURLResponse) {
        let length = response.expectedContentLength
        let isChunked =
            length < 0 || response.value(forHTTPHeaderField: "Transfer-Encoding") != nil
        announcesTrailers = isChunked && response.value(forHTTPHeaderField: "Trailer") != nil
        self.length = isChunked || length == 0 ? nil : length
    }

    /// Whether URLSession gives the bytes as they were sent, and not decompressed.
    static func isPlain(_ response: HTTPURLResponse) -> Bool {
        response.value(forHTTPHeaderField: "Content-Encoding") == nil
    }
}
