import Foundation

/// Where a `Location` leads (RFC 9110, section 10.2.2; RFC 3986, section 5).
enum RedirectTarget {
    /// Resolves a field value against the URL that was asked for.
    ///
    /// Percent-encoding that is there stays as it is; bytes that may not stand in a URL are
    /// encoded. A user name and password are left out, and so is the fragment, which is never sent.
    ///
    /// - Parameters:
    ///   - location: The field's value.
    ///   - base: The URL of the request.
    /// - Returns: The absolute URL, nil if the value is empty or makes no URL.
    static func resolve(_ location: String, against base: URL) -> URL? {
        let reference = encoded(location)
        guard !reference.isEmpty,
            let url = URL(string: reference, encodingInvalidCharacters: false),
            let resolved = url.scheme == nil
                ? URL(string: reference, relativeTo: base)?.absoluteURL : url
        else { return nil }
        return withoutUserInfoAndFragment(resolved)
    }

    /// The value without surrounding white space, and without what no URL may contain.
    private static func encoded(_ location: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in location.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed() {
            switch byte {
            case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E:
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func withoutUserInfoAndFragment(_ url: URL) -> URL? {
        guard url.user != nil || url.password != nil || url.fragment != nil else { return url }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        return components.url
    }
}
