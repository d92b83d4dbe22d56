package import Foundation

/// A path with placeholders, such as `users/{id}`.
package enum PathTemplate {
    /// A value of a placeholder.
    package typealias Place = (name: String, placeholder: String, segments: [String])
    /// A path with its values, and with `{name}` in their places; nil if there is none before the query.
    package typealias Filled = (path: String, template: String?)

    /// What keeps values and placeholders from matching.
    package enum Problem: Error {
        case missingValue(String)
        case missingPlaceholder(name: String, placeholder: String)
        case expression(String)
    }

    /// Replaces all placeholders in a path, in one pass.
    ///
    /// A single pass ensures that a value is never mistaken for a placeholder.
    ///
    /// - Parameters:
    ///   - template: The path.
    ///   - values: The values of the placeholders.
    ///   - isStrict: Whether only unreserved characters stay as they are in a segment.
    /// - Returns: The path, and its template. Each value is percent-encoded to remain a single segment or, after a
    ///   question mark, a single query value.
    /// - Throws: ``Problem`` for a placeholder without a value, a value without a placeholder, or another expression of a
    ///   URI template in the path.
    package static func filled(
        _ template: String,
        with values: [Place],
        strictly isStrict: Bool
    ) throws(Problem) -> Filled {
        guard !values.isEmpty || template.utf8.contains(UInt8(ascii: "{")) else {
            return (template, nil)
        }
        // Longest first, so that `:id` doesn't match the start of `:id2`.
        let places = values.ordered { $0.placeholder.utf8.count > $1.placeholder.utf8.count }
        let isAbsolute = WrittenPath.isAbsolute(template.utf8)
        var met: Set<String> = []
        var bytes: [UInt8] = []
        var named: [UInt8] = []
        var hasPlace = false
        var rest = template.utf8[...]
        var isInQuery = false
        let component: PercentEncoding.Component = isStrict ? .queryValue : .segment
        while let first = rest.first {
            let place = places.first { place in
                place.placeholder.utf8.first == first && rest.starts(with: place.placeholder.utf8)
            }
            if let place {
                if isInQuery {
                    let value = place.segments.joined(separator: "/")
                    PercentEncoding.append(value, as: .queryValue, to: &bytes)
                } else {
                    append(place.segments, as: component, to: &bytes)
                    hasPlace = true
                }
                named += "{\(place.name)}".utf8
                met.insert(place.placeholder)
                rest = rest.dropFirst(place.placeholder.utf8.count)
                continue
            }
            if first == UInt8(ascii: "{") {
                if let name = placeholderName(Substring(rest)) { throw .missingValue(name) }
                if !isInQuery, let expression = expression(Substring(rest)) {
                    throw .expression(expression)
                }
            }
            // The fragment of an absolute URL isn't sent.
            if first == UInt8(ascii: "?") || isAbsolute && first == UInt8(ascii: "#") {
                isInQuery = true
            }
            bytes.append(first)
            named.append(first)
            rest.removeFirst()
        }
        if let place = values.first(where: { !met.contains($0.placeholder) }) {
            throw .missingPlaceholder(name: place.name, placeholder: place.placeholder)
        }
        return (
            String(decoding: bytes, as: UTF8.self),
            hasPlace ? String(decoding: named, as: UTF8.self) : nil
        )
    }

    /// Appends segments, separated by slashes.
    private static func append(
        _ segments: [String],
        as component: PercentEncoding.Component,
        to bytes: inout [UInt8]
    ) {
        for (index, segment) in segments.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "/")) }
            PercentEncoding.append(segment, as: component, to: &bytes)
        }
    }

    /// Returns the name in `{name}` at the start of a text.
    private static func placeholderName(_ text: Substring) -> String? {
        let name = text.dropFirst()
            .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
        guard !name.isEmpty, text[name.endIndex...].hasPrefix("}") else { return nil }
        return String(name)
    }

    /// Returns an expression of RFC 6570 with an operator, such as `{?page,sort}`, at the start of a text.
    private static func expression(_ text: Substring) -> String? {
        guard text.dropFirst().first.map({ "+#./;?&".contains($0) }) == true,
            let end = text.prefix(256).firstIndex(of: "}")
        else { return nil }
        return String(text[...end])
    }
}

/// A request's path as written, split at its first `?`.
package struct WrittenPath {
    /// Whether the path is an absolute http or https URL, whose fragment is removed.
    package let isAbsolute: Bool
    /// The text before the query.
    package let path: Substring
    /// The query, or nil without one.
    package let query: Substring?

    package init(_ text: String) {
        let bytes = text.utf8
        isAbsolute = Self.isAbsolute(bytes)
        let fragment = isAbsolute ? bytes.firstIndex(of: UInt8(ascii: "#")) : nil
        let end = fragment ?? bytes.endIndex
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            path = text[..<mark]
            query = text[bytes.index(after: mark)..<end]
        } else {
            path = text[..<end]
            query = nil
        }
    }

    fileprivate static func isAbsolute(_ text: String.UTF8View) -> Bool {
        guard let first = text.first, HTTPToken.folded(first) == UInt8(ascii: "h") else {
            return false
        }
        let start = text.lazy.map { HTTPToken.folded($0) }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// The path as an absolute URL, with invalid characters encoded.
    package var address: URL? {
        let bytes = path.utf8
        guard
            let host = bytes.firstIndex(of: UInt8(ascii: "/")).map({ bytes.index($0, offsetBy: 2) })
        else { return nil }
        let end = bytes[host...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        // Browsers end the host at a backslash, and would use a different host.
        guard !bytes[..<end].contains(UInt8(ascii: "\\")) else { return nil }
        // Foundation converts international names to ASCII. A host can't contain anything else that it encodes.
        guard let root = URL(string: String(path[..<end]))?.absoluteString else { return nil }
        var address = Array(root.utf8)
        PercentEncoding.append(path[end...], as: .path, to: &address)
        if let query {
            address.append(UInt8(ascii: "?"))
            PercentEncoding.append(query, as: .query, to: &address)
        }
        return URL(
            string: String(decoding: address, as: UTF8.self),
            encodingInvalidCharacters: false
        )
    }

    /// Appends the encoded path to a base without a trailing slash.
    package func append(endsWithSlash: Bool, to bytes: inout [UInt8]) {
        guard !path.isEmpty else {
            if endsWithSlash { bytes.append(UInt8(ascii: "/")) }
            return
        }
        bytes.append(UInt8(ascii: "/"))
        let start = bytes.count
        let isRooted = path.utf8.first == UInt8(ascii: "/")
        let first = isRooted ? path.utf8.index(after: path.startIndex) : path.startIndex
        PercentEncoding.append(path[first...], as: .path, to: &bytes)
        DotSegments.resolve(&bytes, from: start)
    }
}

/// A request target in origin form (RFC 9112, section 3.2.1): path and query as in the URL.
package enum RequestTarget {
    /// Returns the target of an absolute URL.
    package static func text(of url: String) -> String {
        let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return "/" }
        let rest = text[colon...].dropFirst(3)
        let target = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let isRooted = target.first == UInt8(ascii: "/")
        return (isRooted ? "" : "/") + String(decoding: target, as: UTF8.self)
    }
}

/// A resolver of `.` and `..` in paths (RFC 3986, section 5.2.4), including percent-encoded dots.
package enum DotSegments {
    /// Resolves the segments of a percent-encoded path in place.
    ///
    /// Segments never lead above the first one.
    ///
    /// - Parameters:
    ///   - bytes: The path, with any prefix.
    ///   - start: The index of the first segment, after its slash.
    package static func resolve(_ bytes: inout [UInt8], from start: Int) {
        guard mayHaveDots(bytes[start...]) else { return }
        var written = start
        var kept: [Int] = []
        var next = start
        while next <= bytes.count {
            let end = bytes[next...].firstIndex(of: slash) ?? bytes.count
            switch dots(bytes[next..<end]) {
            case 1: break
            case 2: written = kept.popLast() ?? start
            default:
                kept.append(written)
                for index in next..<min(end + 1, bytes.count) {
                    bytes[written] = bytes[index]
                    written += 1
                }
            }
            next = end + 1
        }
        bytes.removeSubrange(written...)
    }

    /// Returns 1 for `.`, 2 for `..`, and nil for any other segment.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int? {
        guard !segment.isEmpty, segment.count <= 6 else { return nil }
        var count = 0
        var rest = segment
        while let first = rest.first {
            if first == dot {
                rest.removeFirst()
            } else if rest.count >= 3, first == UInt8(ascii: "%"),
                rest[rest.startIndex + 1] == UInt8(ascii: "2"),
                rest[rest.startIndex + 2] | 0x20 == UInt8(ascii: "e")
            {
                rest.removeFirst(3)
            } else {
                return nil
            }
            count += 1
        }
        return count <= 2 ? count : nil
    }

    /// Whether a segment begins with a dot or a percent sign.
    private static func mayHaveDots(_ path: ArraySlice<UInt8>) -> Bool {
        var isFirst = true
        for byte in path {
            if isFirst, byte == dot || byte == UInt8(ascii: "%") { return true }
            isFirst = byte == slash
        }
        return false
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}
