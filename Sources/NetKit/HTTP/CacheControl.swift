/// The directives of a `Cache-Control` field (RFC 9111, section 5.2), in order.
struct CacheControl: Hashable, Sendable {
    struct Directive: Hashable, Sendable {
        /// In lower case.
        var name: String
        var value: String?
    }

    private(set) var directives: [Directive] = []
    /// `no-cache` without field names: what is stored has to be validated before it is used.
    private(set) var noCache = false
    /// `no-cache` with field names: these fields may not be used again without validation.
    private(set) var fieldsToValidate: [HTTPHeaderName] = []

    /// Creates one without directives.
    init() {}

    /// Reads a field's value; what is no directive is ignored.
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
                if directive.name == "no-cache" { noteNoCache(directive.value ?? "") }
                // A set, as a search for each would take a long field's time squared.
                if names.insert(directive.name).inserted { directives.append(directive) }
            }
            reader.skipElement()
        }
    }

    /// The directive that is next, nil for anything else; what follows it up to the next comma is not read.
    private static func directive(_ reader: inout FieldReader) -> Directive? {
        guard let name = reader.token() else { return nil }
        var directive = Directive(name: name.lowercased())
        // What restricts a cache counts, whatever follows it.
        let restricts = ["no-store", "no-cache", "must-revalidate"].contains(directive.name)
        let restriction = restricts ? directive : nil
        reader.skipBlanks()
        if reader.take("=") {
            reader.skipBlanks()
            let isQuoted = reader.next == UInt8(ascii: "\"")
            guard let value = isQuoted ? reader.quotedString() : reader.textBeforeComma() else {
                return restriction
            }
            directive.value = value
            reader.skipBlanks()
        }
        return reader.isAtEnd || reader.next == UInt8(ascii: ",") ? directive : restriction
    }

    /// Notes one of several directives `no-cache`, which all count.
    private mutating func noteNoCache(_ value: String) {
        let names = HTTPHeaders.names(inList: value)
        if names.isEmpty { noCache = true } else { fieldsToValidate += names }
    }

    /// Whether there is a directive, with or without a value.
    ///
    /// - Parameter name: Its name, in lower case.
    /// - Returns: Whether it is there.
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// The value of a directive, without quotes; nil if it has none, or is not there.
    ///
    /// - Parameter name: Its name, in lower case.
    /// - Returns: The value.
    func value(of name: String) -> String? {
        directives.first { $0.name == name }?.value
    }

    /// The number of seconds that a directive states (RFC 9111, section 1.2.2).
    ///
    /// - Parameter name: Its name, in lower case.
    /// - Returns: The seconds; those of a number that is too large are 2^31, those of anything that is no number are 0,
    ///   so that a response is stale; nil without the directive.
    func seconds(of name: String) -> Double? {
        guard let directive = directives.first(where: { $0.name == name }) else { return nil }
        return Self.seconds(directive.value ?? "") ?? 0
    }

    /// The number of seconds that a text of digits states, at most 2^31; nil for any other text.
    static func seconds(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Double(UInt64(text) ?? .max), 2_147_483_648)
    }

    /// `no-store`: no cache may store it.
    var noStore: Bool { has("no-store") }
}

extension HTTPHeaders {
    /// The directives of `Cache-Control`; none without the field.
    var cacheControl: CacheControl {
        self[.cacheControl].map { CacheControl(fieldValue: $0) } ?? CacheControl()
    }

    /// The elements of a list, without the blanks around them.
    static func elements(ofList list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)).trimmedOfBlanks }
    }

    /// The names of a list such as that of `Vary`; empty elements don't count.
    static func names(inList list: String) -> [HTTPHeaderName] {
        elements(ofList: list).filter { !$0.isEmpty }.map { HTTPHeaderName($0) }
    }
}
