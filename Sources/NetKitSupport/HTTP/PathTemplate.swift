/// A path with placeholders, such as `users/{id}`.
package enum PathTemplate {
    /// A value of a placeholder.
    package typealias Place = (name: String, placeholder: String, segments: [String])

    /// What keeps values and placeholders from matching.
    package enum Problem: Error {
        case missingValue(String)
        case missingPlaceholder(name: String, placeholder: String)
    }

    /// Replaces all placeholders in a path, in one pass.
    ///
    /// A single pass ensures that a value is never mistaken for a placeholder.
    ///
    /// - Parameters:
    ///   - template: The path.
    ///   - values: The values of the placeholders.
    ///   - isStrict: Whether only unreserved characters stay as they are in a segment.
    /// - Returns: The path. Each value is percent-encoded to remain a single segment or, after a question mark, a
    ///   single query value.
    /// - Throws: ``Problem`` for a placeholder without a value, or a value without a placeholder.
    package static func filled(
        _ template: String,
        with values: [Place],
        strictly isStrict: Bool
    ) throws(Problem) -> String {
        guard !values.isEmpty || template.utf8.contains(UInt8(ascii: "{")) else { return template }
        // Longest first, so that `:id` doesn't match the start of `:id2`.
        let places = values.ordered { $0.placeholder.utf8.count > $1.placeholder.utf8.count }
        var met: Set<String> = []
        var bytes: [UInt8] = []
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
                }
                met.insert(place.placeholder)
                rest = rest.dropFirst(place.placeholder.utf8.count)
                continue
            }
            if first == UInt8(ascii: "{"), let name = placeholderName(Substring(rest)) {
                throw .missingValue(name)
            }
            if first == UInt8(ascii: "?") { isInQuery = true }
            bytes.append(first)
            rest.removeFirst()
        }
        if let place = values.first(where: { !met.contains($0.placeholder) }) {
            throw .missingPlaceholder(name: place.name, placeholder: place.placeholder)
        }
        return String(decoding: bytes, as: UTF8.self)
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
}
