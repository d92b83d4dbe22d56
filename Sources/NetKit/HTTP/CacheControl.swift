/// The directives of a `Cache-Control` field (RFC 9111, section 5.2), in their order.
public struct CacheControl: Hashable, Sendable {
    private struct Directive: Hashable, Sendable {
        var name: String
        var value: String?
    }

    private var directives: [Directive] = []

    /// Makes one without directives.
    public init() {}

    /// Reads a field's value; what is no directive is passed over.
    ///
    /// - Parameter fieldValue: Directives with commas between them; quoted values may have some too.
    public init(fieldValue: String) {
        for part in Self.split(fieldValue) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.trimmed(pair[0])
            guard name.isHTTPToken else { continue }
            var value = pair.count == 2 ? Self.trimmed(pair[1]) : nil
            if let text = value, text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
                value = String(text.dropFirst().dropLast())
            }
            set(name, to: value)
        }
    }

    /// Whether there is a directive, with or without a value.
    ///
    /// - Parameter name: Its name, in any case.
    /// - Returns: Whether it is there.
    public func has(_ name: String) -> Bool { index(of: name) != nil }

    /// The value of a directive; nil where it has none, or is not there.
    ///
    /// - Parameter name: Its name, in any case.
    /// - Returns: The value, without quotes.
    public func value(of name: String) -> String? {
        index(of: name).flatMap { directives[$0].value }
    }

    /// Adds a directive, in place of one of that name.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value, nil for none.
    public mutating func set(_ name: String, to value: String? = nil) {
        let new = Directive(name: name, value: value)
        if let index = index(of: name) { directives[index] = new } else { directives.append(new) }
    }

    /// Removes a directive; nothing if there is none.
    ///
    /// - Parameter name: Its name, in any case.
    public mutating func remove(_ name: String) {
        if let index = index(of: name) { directives.remove(at: index) }
    }

    private func index(of name: String) -> Int? {
        directives.firstIndex { $0.name.lowercased() == name.lowercased() }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// The parts between commas that stand in no quotes.
    private static func split(_ text: String) -> [Substring] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

extension CacheControl {
    /// `max-age`: how many seconds a response stays fresh; nil without it, or where it is no number.
    public var maxAge: Int? {
        get { value(of: "max-age").flatMap { Int($0) } }
        set { setNumber("max-age", newValue) }
    }

    /// `no-store`: nobody may keep it.
    public var noStore: Bool {
        get { has("no-store") }
        set { setFlag("no-store", newValue) }
    }

    /// `no-cache`: what is kept has to be asked for again before it is used.
    public var noCache: Bool {
        get { has("no-cache") }
        set { setFlag("no-cache", newValue) }
    }

    private mutating func setNumber(_ name: String, _ number: Int?) {
        if let number { set(name, to: String(number)) } else { remove(name) }
    }

    private mutating func setFlag(_ name: String, _ isSet: Bool) {
        guard isSet != has(name) else { return }
        if isSet { set(name) } else { remove(name) }
    }
}

extension CacheControl: CustomStringConvertible {
    /// The directives as they stand in a field: `max-age=60, no-transform`.
    public var description: String {
        directives.map { directive in
            guard let value = directive.value else { return directive.name }
            return "\(directive.name)=\(value.isHTTPToken ? value : "\"\(value)\"")"
        }
        .joined(separator: ", ")
    }
}
