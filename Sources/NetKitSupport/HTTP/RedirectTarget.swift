package import Foundation

/// Resolves the URL of a `Location` field.
///
/// See RFC 9110, section 10.2.2, and RFC 3986, section 5.
package enum RedirectTarget {
    package static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    package static func changesToGet(_ status: Int, _ method: String) -> Bool {
        switch status {
        case 303: method != "GET"
        case 301, 302: method == "POST"
        default: false
        }
    }

    /// Resolves a field value against the request's URL.
    ///
    /// Dot segments are resolved, also those with `%2E` if the value has an authority. Other percent-encoding is kept,
    /// an international host is converted to ASCII, and other invalid bytes are encoded. The user name, the password,
    /// and the fragment are removed. The scheme is in lowercase.
    ///
    /// - Parameters:
    ///   - location: The field value.
    ///   - base: The URL of the request.
    /// - Returns: The absolute URL, or nil if the value is empty or invalid.
    package static func resolve(_ location: String, against base: URL) -> URL? {
        resolve(location, against: base, keepingFragment: false)
    }

    /// Resolves a field value for users: as ``resolve(_:against:)``, but with its fragment.
    ///
    /// - Returns: The absolute URL, or nil also for an http or https URL without an origin, such as one with port 99999.
    package static func reference(_ value: String, against base: URL) -> URL? {
        guard let url = resolve(value, against: base, keepingFragment: true) else { return nil }
        let isSendable = url.scheme == "http" || url.scheme == "https"
        return isSendable && Origin(url) == nil ? nil : url
    }

    private static func resolve(
        _ value: String,
        against base: URL,
        keepingFragment: Bool
    ) -> URL? {
        absolute(value, against: base)
            .flatMap { withoutUserInfo($0, keepingFragment: keepingFragment) }?
            .withLowercasedScheme
    }

    private static func absolute(_ location: String, against base: URL) -> URL? {
        let bytes = withoutDotSegments(encoded(withASCIIHost(Array(location.trimmedOfBlanks.utf8))))
        let reference = String(decoding: bytes, as: UTF8.self)
        guard !reference.isEmpty,
            let url = URL(string: reference, encodingInvalidCharacters: false)
        else { return nil }
        return url.scheme == nil ? URL(string: reference, relativeTo: base)?.absoluteURL : url
    }

    /// Returns whether the value is empty or only whitespace.
    package static func isBlank(_ location: String) -> Bool { location.trimmedOfBlanks.isEmpty }

    /// Converts an international host to ASCII, as Foundation does.
    private static func withASCIIHost(_ reference: [UInt8]) -> [UInt8] {
        let authority = authority(of: reference)
        guard reference[authority].contains(where: { $0 >= 0x80 }) else { return reference }
        let text = "http://" + String(decoding: reference[authority], as: UTF8.self)
        guard let root = URL(string: text)?.absoluteString else { return reference }
        var converted = reference
        converted.replaceSubrange(authority, with: root.utf8.dropFirst("http://".utf8.count))
        return converted
    }

    /// Resolves the dot segments of a reference with an authority, in which Foundation keeps them.
    private static func withoutDotSegments(_ reference: [UInt8]) -> [UInt8] {
        let start = authority(of: reference).upperBound
        let end =
            reference[start...].firstIndex { "?#".utf8.contains($0) } ?? reference.count
        guard start > 0, start < end else { return reference }
        var resolved = Array(reference[..<end])
        DotSegments.resolve(&resolved, from: start + 1)
        return resolved + reference[end...]
    }

    /// Encodes invalid bytes of a reference.
    ///
    /// Brackets are valid only in the authority, a percent sign only before two hexadecimal digits, and a number sign
    /// only once.
    private static func encoded(_ reference: [UInt8]) -> [UInt8] {
        let authority = authority(of: reference)
        let fragment = reference.firstIndex(of: UInt8(ascii: "#"))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(reference.count)
        for (index, byte) in reference.enumerated() {
            let stays =
                switch byte {
                case UInt8(ascii: "%"):
                    index + 2 < reference.count
                        && FormFields.hexValue(reference[index + 1]) != nil
                        && FormFields.hexValue(reference[index + 2]) != nil
                case UInt8(ascii: "#"): index == fragment
                case 0x5B, 0x5D: authority.contains(index)
                case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5A, 0x5F, 0x61...0x7A, 0x7E: true
                default: false
                }
            if stays {
                bytes.append(byte)
            } else {
                PercentEncoding.append(escaping: byte, to: &bytes)
            }
        }
        return bytes
    }

    /// Returns the range of the authority, or an empty range if there is none.
    private static func authority(of reference: [UInt8]) -> Range<Int> {
        let delimiters = Array("/?#".utf8)
        let isEnd = { (byte: UInt8) in delimiters.contains(byte) }
        // The authority follows two slashes, which come first or after a scheme.
        guard let slash = reference.firstIndex(where: isEnd),
            reference[slash...].starts(with: "//".utf8),
            slash == 0 || reference[slash - 1] == UInt8(ascii: ":")
        else { return 0..<0 }
        let start = slash + 2
        return start..<(reference[start...].firstIndex(where: isEnd) ?? reference.count)
    }

    private static func withoutUserInfo(_ url: URL, keepingFragment: Bool) -> URL? {
        let hasUser = url.user(percentEncoded: true) != nil
        guard hasUser || url.password != nil || (url.fragment != nil && !keepingFragment)
        else { return url }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        if !keepingFragment { components.fragment = nil }
        return components.url
    }
}
