/// Fields that somebody else keeps, and that are only copied when they are all asked for.
///
/// Most responses are decoded without a look at more than one or two of their fields.
package final class DeferredFields: Sendable {
    private let find: @Sendable (String) -> String?
    private let list: @Sendable () -> [(String, String)]

    /// Makes fields.
    ///
    /// - Parameters:
    ///   - find: Gives the value of a name in any case.
    ///   - list: Gives all of them, each name once, with its values joined by commas.
    package init(
        find: @escaping @Sendable (String) -> String?,
        list: @escaping @Sendable () -> [(String, String)]
    ) {
        self.find = find
        self.list = list
    }

    /// The value of a name as ``HTTPHeaders`` gives it: of `Set-Cookie` the first.
    func value(of name: HTTPHeaderName) -> String? {
        name == .setCookie ? values(of: name).first : find(name.rawName)
    }

    /// The values of a name, as far as they can be told apart.
    func values(of name: HTTPHeaderName) -> [String] {
        guard let value = find(name.rawName) else { return [] }
        return name == .setCookie ? SetCookieFields.split(value) : [value]
    }

    /// A copy of all fields.
    var all: [HTTPHeaders.Field] {
        list()
            .flatMap { name, value in
                let name = HTTPHeaderName(name)
                let values = name == .setCookie ? SetCookieFields.split(value) : [value]
                return values.map { HTTPHeaders.Field(name: name, value: $0, isSensitive: false) }
            }
    }
}

/// `Set-Cookie` fields that were joined by commas.
enum SetCookieFields {
    /// Takes joined fields apart, where a comma is followed by a cookie's name and an equals sign.
    ///
    /// A date has a comma too, but no equals sign before the next comma or semicolon.
    static func split(_ joined: String) -> [String] {
        let bytes = Array(joined.utf8)
        var fields: [String] = []
        var start = 0
        for comma in bytes.indices where bytes[comma] == UInt8(ascii: ",") {
            guard beginsCookie(bytes[(comma + 1)...]) else { continue }
            fields.append(text(bytes[start..<comma]))
            start = comma + 1
        }
        fields.append(text(bytes[start...]))
        return fields
    }

    /// Whether a token and an equals sign come first, behind blanks.
    private static func beginsCookie(_ bytes: ArraySlice<UInt8>) -> Bool {
        let rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = rest.firstIndex { !HTTPToken.allows($0) } ?? rest.endIndex
        return end > rest.startIndex && end < rest.endIndex && rest[end] == UInt8(ascii: "=")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmedOfBlanks
    }
}
