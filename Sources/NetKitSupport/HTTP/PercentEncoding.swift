import Foundation

/// A percent-encoder for bytes (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The component of a URL, which determines the bytes that aren't encoded.
    package enum Component {
        /// A query name or value, or a strict path segment: only unreserved bytes are kept, for servers of every kind.
        case queryValue
        /// A single path segment: slashes are encoded.
        case segment
        /// A path written by the user: slashes and percent-encoded triplets are kept.
        case path
        /// A query written by the user: percent-encoded triplets are kept.
        case query
        /// `application/x-www-form-urlencoded` (WHATWG URL standard): a space becomes a plus.
        case form
    }

    /// Returns a percent-encoded text.
    package static func encoded(_ text: String, as component: Component) -> String {
        var bytes: [UInt8] = []
        append(text, as: component, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a percent-encoded text to `bytes`.
    package static func append(_ text: String, as component: Component, to bytes: inout [UInt8]) {
        append(text: text, as: component, to: &bytes)
    }

    /// Appends a percent-encoded text to `bytes`.
    package static func append(
        _ text: Substring,
        as component: Component,
        to bytes: inout [UInt8]
    ) {
        append(text: text, as: component, to: &bytes)
    }

    @inline(never)
    private static func append(
        text: some StringProtocol,
        as component: Component,
        to bytes: inout [UInt8]
    ) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { source in
            append(source, as: component, to: &bytes)
        }
        guard isDone == nil else { return }
        Array(text.utf8).withUnsafeBufferPointer { append($0, as: component, to: &bytes) }
    }

    private static func append(
        _ source: UnsafeBufferPointer<UInt8>,
        as component: Component,
        to bytes: inout [UInt8]
    ) {
        var plainStart = 0
        for (index, byte) in source.enumerated()
        where !stays(byte, at: index, of: source, component) {
            bytes.append(contentsOf: source[plainStart..<index])
            plainStart = index + 1
            if byte == 0x20, component == .form {
                bytes.append(UInt8(ascii: "+"))
            } else {
                append(escaping: byte, to: &bytes)
            }
        }
        bytes.append(contentsOf: source[plainStart...])
    }

    /// Appends `%` and two hexadecimal digits.
    package static func append(escaping byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hex(byte >> 4))
        bytes.append(hex(byte & 15))
    }

    private static func stays(
        _ byte: UInt8,
        at index: Int,
        of source: UnsafeBufferPointer<UInt8>,
        _ component: Component
    ) -> Bool {
        guard byte == UInt8(ascii: "%") else { return isAllowed(byte, in: component) }
        return (component == .path || component == .query) && index + 2 < source.count
            && FormFields.hexValue(source[index + 1]) != nil
            && FormFields.hexValue(source[index + 2]) != nil
    }

    private static func isAllowed(_ byte: UInt8, in component: Component) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "~"): component != .form
        case UInt8(ascii: "*"): component != .queryValue
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"):
            component == .segment || component == .path || component == .query
        case UInt8(ascii: "/"): component == .path || component == .query
        case UInt8(ascii: "?"): component == .query
        default: false
        }
    }

    private static func hex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x37 + nibble
    }
}

/// What a query item consists of.
package enum QueryContent: Hashable, Sendable {
    case pair(name: String, value: String)
    case flag(String)
    case encoded(String)

    /// The decoded name, for comparison with other names.
    package var name: String {
        switch self {
        case .pair(let name, _), .flag(let name): return name
        case .encoded(let text):
            // By bytes: a combining mark behind the `=` would make it another character.
            let name = String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "=") }))
            return name.removingPercentEncoding ?? name
        }
    }
}

/// The request's query, merged from the base URL, the endpoint, the path and the request.
package struct TargetQuery {
    /// The endpoint's parameters, omitted where the request uses the same name.
    package var defaults: [(String, String)]
    /// The request's parameters.
    let params: [(String, String)]
    /// The request's query items, which follow all others.
    let items: [QueryContent]

    package init(
        defaults: [(String, String)] = [],
        params: [(String, String)] = [],
        items: [QueryContent] = []
    ) {
        (self.defaults, self.params, self.items) = (defaults, params, items)
    }

    /// Appends the merged query to a URL.
    ///
    /// - Parameters:
    ///   - base: The percent-encoded query of the base URL, if any.
    ///   - path: The query in the request's path, if any.
    ///   - bytes: The URL.
    package func append(after base: String?, path: Substring?, to bytes: inout [UInt8]) {
        var query = Joined(bytes: bytes)
        // Release the array, so that appending doesn't copy it.
        bytes = []
        if let base { query.add(written: base[...]) }
        for (name, value) in remainingDefaults(beside: path) { query.add(name, value) }
        if let path { query.add(written: path) }
        for (name, value) in params { query.add(name, value) }
        for item in items {
            switch item {
            case .pair(let name, let value): query.add(name, value)
            case .flag(let name): query.add(name, nil)
            case .encoded(let text): query.add(written: text[...])
            }
        }
        bytes = query.bytes
    }

    private func remainingDefaults(beside path: Substring?) -> [(String, String)] {
        guard !defaults.isEmpty else { return [] }
        // Compares bytes, because a server's link can have any number of combining marks.
        var names = Set(params.map { ExactText($0.0) })
        for item in items { names.insert(ExactText(item.name)) }
        for written in path?.utf8.split(separator: UInt8(ascii: "&")) ?? [] {
            names.insert(ExactText(QueryContent.encoded(String(Substring(written))).name))
        }
        return defaults.filter { !names.contains(ExactText($0.0)) }
    }

    /// A query with `?` before the first item and `&` between items.
    private struct Joined {
        var bytes: [UInt8]
        private var separator = UInt8(ascii: "?")

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        private mutating func begin() {
            bytes.append(separator)
            separator = UInt8(ascii: "&")
        }

        /// Appends a query written by the user, unless it is empty.
        mutating func add(written text: Substring) {
            guard !text.isEmpty else { return }
            begin()
            PercentEncoding.append(text, as: .query, to: &bytes)
        }

        @inline(never)
        mutating func add(_ name: String, _ value: String?) {
            begin()
            PercentEncoding.append(name, as: .queryValue, to: &bytes)
            guard let value else { return }
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(value, as: .queryValue, to: &bytes)
        }
    }
}
