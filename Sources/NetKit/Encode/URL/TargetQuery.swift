/// The query of a request, gathered from those who have a say in it.
struct TargetQuery {
    /// The endpoint's; one whose name is said elsewhere is left out.
    var defaults: [(String, String)] = []
    /// The request's.
    var params: [(String, String)] = []
    /// The request's, behind the others.
    var items: [QueryItem] = []

    /// Adds it to an address, with what the base URL and the path have of their own.
    ///
    /// - Parameters:
    ///   - base: The base URL's query, percent-encoded.
    ///   - path: What stood behind a question mark in the path.
    ///   - bytes: The address.
    func append(after base: String?, path: Substring?, to bytes: inout [UInt8]) {
        var query = Joined(bytes: bytes)
        // Let go of, so that adding to them copies nothing.
        bytes = []
        if let base { query.add(written: base[...]) }
        for (name, value) in remainingDefaults(beside: path) { query.add(name, value) }
        if let path { query.add(written: path) }
        for (name, value) in params { query.add(name, value) }
        for item in items {
            switch item.content {
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
            names.insert(QueryItem.encoded(String(written), nil).name)
        }
        return defaults.filter { !names.contains($0.0) }
    }

    /// The items, with `?` in front of the first and `&` between them.
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

        /// Adds what was written as a query; an empty one leaves no trace.
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
