/// The directives of a `Cache-Control` field (RFC 9111, section 5.2), in their order.
struct CacheControl: Hashable, Sendable {
    private struct Directive: Hashable, Sendable {
        var name: String
        var value: String?
    }

    private var directives: [Directive] = []

    /// Makes one without directives.
    init() {}

    /// Reads a field's value; what is no directive is passed over.
    ///
    /// Of several directives of one name the first counts (RFC 9111, section 4.2.1).
    ///
    /// - Parameter fieldValue: Directives with commas between them; quoted values may have some too.
    init(fieldValue: String) {
        var reader = FieldReader(fieldValue)
        var names: Set<String> = []
        while !reader.isAtEnd {
            reader.skipBlanks()
            if let directive = Self.directive(&reader) {
                // A set, as a search for each would take a long field's time squared.
                if names.insert(directive.name.lowercased()).inserted {
                    directives.append(directive)
                }
            }
            reader.skipElement()
        }
    }

    /// The directive that is next, nil for anything else; what follows it up to the next comma is not read.
    private static func directive(_ reader: inout FieldReader) -> Directive? {
        guard let name = reader.token() else { return nil }
        var directive = Directive(name: name)
        reader.skipBlanks()
        if reader.take("=") {
            reader.skipBlanks()
            let isQuoted = reader.next == UInt8(ascii: "\"")
            guard let value = isQuoted ? reader.quotedString() : reader.textBeforeComma() else {
                return nil
            }
            directive.value = value
            reader.skipBlanks()
        }
        return reader.isAtEnd || reader.next == UInt8(ascii: ",") ? directive : nil
    }

    /// Whether there is a directive, with or without a value.
    ///
    /// - Parameter name: Its name, in any case.
    /// - Returns: Whether it is there.
    func has(_ name: String) -> Bool { index(of: name) != nil }

    /// The value of a directive; nil where it has none, or is not there.
    ///
    /// - Parameter name: Its name, in any case.
    /// - Returns: The value, without quotes.
    func value(of name: String) -> String? {
        index(of: name).flatMap { directives[$0].value }
    }

    /// Adds a directive, in place of one of that name.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value, nil for none.
    mutating func set(_ name: String, to value: String? = nil) {
        let new = Directive(name: name, value: value)
        if let index = index(of: name) { directives[index] = new } else { directives.append(new) }
    }

    /// Removes a directive; nothing if there is none.
    ///
    /// - Parameter name: Its name, in any case.
    mutating func remove(_ name: String) {
        if let index = index(of: name) { directives.remove(at: index) }
    }

    private func index(of name: String) -> Int? {
        let name = name.lowercased()
        return directives.firstIndex { $0.name.lowercased() == name }
    }
}

extension CacheControl {
    /// `max-age`: how many seconds a response stays fresh; nil without it, or where it is no number.
    var maxAge: Int? {
        get { value(of: "max-age").flatMap { $0.asciiNumber() } }
        set { setNumber("max-age", newValue) }
    }

    /// `no-store`: nobody may keep it.
    var noStore: Bool {
        get { has("no-store") }
        set { setFlag("no-store", newValue) }
    }

    /// `no-cache`: what is kept has to be asked for again before it is used.
    var noCache: Bool {
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
    var description: String {
        directives.map { directive in
            guard let value = directive.value else { return directive.name }
            return "\(directive.name)=\(value.isHTTPToken ? value : QuotedString.quoting(value))"
        }
        .joined(separator: ", ")
    }
}
