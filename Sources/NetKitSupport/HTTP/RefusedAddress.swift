package import Foundation

/// What is wrong with an address, and what of it may be shown.
package struct RefusedAddress {
    /// The redacted address, or an empty text for one that can't be taken apart, as that may hold a password.
    package let shown: String
    package let problem: String

    private init(_ shown: String, _ problem: String) {
        self.shown = shown
        self.problem = problem
    }

    /// Says what keeps a URL from being one of HTTP.
    package init(_ url: URL) {
        let isPlain = url.user != nil || !url.absoluteString.utf8.contains(UInt8(ascii: "@"))
        shown = isPlain ? RedactedURL(url).description : ""
        problem = Origin.problem(of: url) ?? "it needs http or https and a host"
    }

    /// Says what is wrong with a text that doesn't begin with `http://` or `https://`.
    package init(relative text: String) {
        self =
            if text.isEmpty {
                Self("", "the text is empty")
            } else if text.first?.isWhitespace == true {
                Self("", "the text begins with a blank")
            } else if let other = Self.ofAnotherScheme(text) {
                other
            } else if let address = Self.addressWithoutScheme(text) {
                Self(address, "write https://\(address)")
            } else {
                Self("", "the text has no scheme: begin it with https://")
            }
    }

    private static func ofAnotherScheme(_ text: String) -> RefusedAddress? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound]
        guard !scheme.isEmpty, scheme.utf8.count <= 32, scheme.utf8.allSatisfy(isSchemeByte) else {
            return nil
        }
        let url = URL(string: text, encodingInvalidCharacters: false)
        if let refused = url.map({ RefusedAddress($0) }), !refused.shown.isEmpty { return refused }
        return RefusedAddress("\(scheme)://", Origin.problem(ofScheme: "\(scheme)"))
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    /// The redacted form of a text such as `api.example.com:8080/v1`, which only lacks a scheme.
    ///
    /// Nil for any other text, which may be a secret.
    private static func addressWithoutScheme(_ text: String) -> String? {
        let authority = text.prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let isHost = labels.count > 1 && labels.allSatisfy { (1...63).contains($0.utf8.count) }
        guard parts.count == 1 || parts.count == 2 && parts[1].utf8.count <= 5,
            parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isWholeNumber) }),
            parts[0] == "localhost"
                || isHost
                    && (labels.last?.allSatisfy(\.isLetter) == true
                        || labels.allSatisfy { $0.allSatisfy(\.isWholeNumber) }),
            !text.contains("@"), let url = WrittenPath("https://\(text)").address,
            Origin(url) != nil
        else { return nil }
        return String(RedactedURL(url).description.dropFirst("https://".count))
    }
}
