internal import Foundation

/// A proxy as the environment writes it: `[scheme://][user[:password]@]host[:port]`.
struct ProxyAddress: Hashable, Sendable {
    /// In lower case; `http` where none is written.
    let scheme: String
    /// A name or an address, without brackets.
    let host: String
    /// 1080 where none is written, as curl has it.
    let port: Int
    let user: String?
    /// Empty where none is written.
    let password: String

    /// Reads an address.
    ///
    /// - Parameter text: The text; nil comes of one that names no host, or a port outside 1 to 65535.
    init?(_ text: String) {
        var rest = Substring(text)
        if let end = rest.range(of: "://") {
            scheme = rest[..<end.lowerBound].lowercased()
            rest = rest[end.upperBound...]
        } else {
            scheme = "http"
        }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at]
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first?.removingPercentEncoding,
                let secret = (parts.count > 1 ? parts[1] : "").removingPercentEncoding
            else { return nil }
            user = name
            password = secret
            rest = rest[rest.index(after: at)...]
        } else {
            user = nil
            password = ""
        }
        let digits: Substring?
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let behind = rest[rest.index(after: end)...]
            guard behind.isEmpty || behind.first == ":" else { return nil }
            digits = behind.isEmpty ? nil : behind.dropFirst()
        } else {
            let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = String(parts.first ?? "")
            digits = parts.count > 1 ? parts[1] : nil
        }
        // The longest host that a SOCKS proxy can be asked for, and an HTTP proxy's is no longer.
        guard !host.isEmpty, host.utf8.count <= 255,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        guard let digits else {
            port = 1_080
            return
        }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
            (1...65_535).contains(number)
        else { return nil }
        port = number
    }
}
