import NetKit
import NetKitSupport

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2), in order.
struct CacheControl: Hashable, Sendable {
    struct Directive: Hashable, Sendable {
        /// The name, in lowercase.
        var name: String
        var value: String?
    }

    private(set) var directives: [Directive] = []
    /// Whether `no-cache` without field names requires validation of the stored response.
    private(set) var noCache = false
    /// The fields of `no-cache="…"`, which require validation before reuse.
    private(set) var fieldsToValidate: [HTTPHeaderName] = []

    init() {}

    /// Parses the value of a field, ignoring anything that isn't a directive.
    ///
    /// The first of several directives with the same name applies (RFC 9111, section 4.2.1).
    ///
    /// - Parameter fieldValue: A comma-separated list of directives. Quoted values can contain commas.
    init(fieldValue: String) {
        var reader = FieldReader(fieldValue)
        var names: Set<String> = []
        while !reader.isAtEnd {
            reader.skipBlanks()
            if let directive = Self.directive(&reader) {
                if directive.name == "no-cache" { noteNoCache(directive.value ?? "") }
                // A set, because a linear search for each name would take quadratic time on a long field.
                if names.insert(directive.name).inserted { directives.append(directive) }
            }
            reader.skipElement()
        }
    }

    /// Parses the next directive, up to the next comma.
    ///
    /// Nil for anything else.
    private static func directive(_ reader: inout FieldReader) -> Directive? {
        guard let name = reader.token() else { return nil }
        var directive = Directive(name: name.lowercased())
        // A directive that restricts the cache applies even if its value is malformed.
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

    /// Records a `no-cache` directive, because several of them are cumulative.
    private mutating func noteNoCache(_ value: String) {
        let names = HTTPHeaders.names(inList: value)
        if names.isEmpty { noCache = true } else { fieldsToValidate += names }
    }

    /// Whether the field contains a directive, with or without a value.
    ///
    /// - Parameter name: The directive's name, in lowercase.
    /// - Returns: True if the field contains the directive.
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns the unquoted value of a directive.
    ///
    /// - Parameter name: The directive's name, in lowercase.
    /// - Returns: The value, or nil if the directive is missing or has no value.
    func value(of name: String) -> String? {
        directives.first { $0.name == name }?.value
    }

    /// Returns the number of seconds in a directive (RFC 9111, section 1.2.2).
    ///
    /// - Parameter name: The directive's name, in lowercase.
    /// - Returns: The seconds, at most 2^31, or nil without the directive. An invalid number counts as 0, so that the
    ///   response is stale.
    func seconds(of name: String) -> Double? {
        guard let directive = directives.first(where: { $0.name == name }) else { return nil }
        return Self.seconds(directive.value ?? "") ?? 0
    }

    /// Parses a number of seconds, at most 2^31.
    ///
    /// Nil for anything but digits.
    static func seconds(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Double(UInt64(text) ?? .max), 2_147_483_648)
    }

    /// Whether `no-store` forbids storing the response.
    var noStore: Bool { has("no-store") }
}

extension HTTPHeaders {
    /// The directives of the `Cache-Control` field, empty if there is no such field.
    var cacheControl: CacheControl {
        self[.cacheControl].map { CacheControl(fieldValue: $0) } ?? CacheControl()
    }

    /// Splits a comma-separated list into trimmed elements.
    static func elements(ofList list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)).trimmedOfBlanks }
    }

    /// Splits a list of field names, such as `Vary`, ignoring empty elements.
    static func names(inList list: String) -> [HTTPHeaderName] {
        elements(ofList: list).filter { !$0.isEmpty }.map { HTTPHeaderName($0) }
    }
}
