import Foundation

/// What a query item consists of.
package enum QueryContent: Hashable, Sendable {
    case pair(name: String, value: String)
    case flag(String)
    case encoded(String)

    /// The decoded name, for comparison with other names.
    package var name: String {
        switch self {
        case .pair(let name, _), .flag(let name): name
        case .encoded(let text):
            text.prefix { $0 != "=" }.removingPercentEncoding ?? String(text.prefix { $0 != "=" })
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
        var names = Set(params.map(\.0))
        for item in items { names.insert(item.name) }
        for written in path?.split(separator: "&") ?? [] {
            names.insert(QueryContent.encoded(String(written)).name)
        }
        return defaults.filter { !names.contains($0.0) }
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
