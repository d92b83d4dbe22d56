import Foundation

/// A URL as cookies see it: where a response came from, or where a request goes.
struct CookieURL: Equatable, Sendable {
    /// The host in lower case, in A-labels; an IPv6 address without its brackets.
    let host: String
    /// The path as the request line has it.
    let path: String
    /// Whether no one on the way can read or change the request: https, and this machine.
    let isSecure: Bool

    /// The parts of a URL; nil for one that no request can be sent to.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        self.init(url, origin)
    }

    /// The parts of a URL whose origin is known.
    init?(_ url: URL, _ origin: Origin) {
        let isBracketed = origin.host.hasPrefix("[") && origin.host.hasSuffix("]")
        host = isBracketed ? String(origin.host.dropFirst().dropLast()) : origin.host
        guard Self.isHost(host) else { return nil }
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = origin.scheme == "https" || origin.isLoopback
    }

    /// Whether a text can be the host of a URL, as far as its characters go.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x41...0x5A: false
                case 0x21...0x7E: !"/?#@[\\]".utf8.contains(byte)
                default: false
                }
            }
    }

    /// The path of a cookie that names none (RFC 6265bis, section 5.1.4): up to the last slash.
    var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"),
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }
}

/// How domains and paths of cookies compare with those of a request: byte by byte.
enum CookieMatch {
    /// Whether a host is a domain or below it (RFC 6265bis, section 5.1.3).
    static func domain(_ domain: String, has host: String) -> Bool {
        let (host, domain) = (host.utf8, domain.utf8)
        guard host.count > domain.count else { return host.elementsEqual(domain) }
        guard !domain.isEmpty, host.reversed().starts(with: domain.reversed()) else { return false }
        return host.dropLast(domain.count).last == UInt8(ascii: ".") && !isAddress(host)
    }

    /// Whether a request's path is a cookie's or below it (RFC 6265bis, section 5.1.4).
    static func path(_ path: String, has request: String) -> Bool {
        let (path, request) = (path.utf8, request.utf8)
        guard request.starts(with: path) else { return false }
        let next = request.dropFirst(path.count).first
        return next == nil || next == UInt8(ascii: "/") || path.last == UInt8(ascii: "/")
    }

    /// Whether a host is an IP address: its last label is a number, or it has a colon.
    static func isAddress(_ host: String.UTF8View) -> Bool {
        guard !host.contains(UInt8(ascii: ":")) else { return true }
        let label = host.split(separator: UInt8(ascii: ".")).last
        return label?.allSatisfy { (0x30...0x39).contains($0) } == true
    }
}
