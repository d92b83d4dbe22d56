/// Hides what may be secret in an address: user and password, and values of its query and fragment by their names.
///
/// By bytes: to `String` a sign with a combining mark is a character of its own.
struct RedactedAddress {
    private let bytes: ArraySlice<UInt8>
    private let redaction: Redaction

    /// What stands in the place of a value: nothing has to be encoded in it.
    private static let mark = Array("redacted".utf8)

    init(_ text: some Sequence<UInt8>, by redaction: Redaction) {
        bytes = Array(text)[...]
        self.redaction = redaction
    }

    /// The address without secrets, and without its fragment.
    var withoutFragment: String {
        let address = bytes.prefix { $0 != UInt8(ascii: "#") }
        return String(decoding: Self(address, by: redaction).shown, as: UTF8.self)
    }

    /// The address without secrets; the fragment stays but for values of what looks like a query.
    var shown: [UInt8] {
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let start = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        var shown = Self.withoutUser(bytes[..<start])
        if start < end {
            shown.append(UInt8(ascii: "?"))
            shown += pairs(bytes[(start + 1)..<end])
        }
        if end < bytes.endIndex {
            shown.append(UInt8(ascii: "#"))
            shown += pairs(bytes[(end + 1)...])
        }
        return shown
    }

    /// Pairs of a query or a form.
    static func pairs(_ bytes: some Sequence<UInt8>, by redaction: Redaction) -> [UInt8] {
        let address = Self(bytes, by: redaction)
        return address.pairs(address.bytes)
    }

    private func pairs(_ pairs: ArraySlice<UInt8>) -> [UInt8] {
        let parts = pairs.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(parts.map { shown(pair: $0) }.joined(separator: [UInt8(ascii: "&")]))
    }

    private func shown(pair: ArraySlice<UInt8>) -> [UInt8] {
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        guard name.endIndex < pair.endIndex else { return Array(pair) }
        let plainName = FormFields.percentDecoded(name, plusIsSpace: true)
        let value = FormFields.percentDecoded(pair[(name.endIndex + 1)...], plusIsSpace: true)
        guard redaction.hides(queryName: plainName) || Self.hasSecret(value, by: redaction) else {
            return Array(pair)
        }
        return name + [UInt8(ascii: "=")] + Self.mark
    }

    /// Whether a text is an address with something in it that is hidden.
    private static func hasSecret(_ text: String, by redaction: Redaction) -> Bool {
        isAddress(text.utf8) && !Self(text.utf8, by: redaction).shown.elementsEqual(text.utf8)
    }

    /// Whether a text is the address of something on the web, as far as it begins like one.
    static func isAddress(_ text: some Sequence<UInt8>) -> Bool {
        text.starts(with: "https://".utf8) || text.starts(with: "http://".utf8)
    }

    private static func withoutUser(_ address: ArraySlice<UInt8>) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let scheme = address.prefix { $0 != slash }
        let rest = address.dropFirst(scheme.count)
        guard rest.starts(with: [slash, slash]) else { return Array(address) }
        let authority = rest.dropFirst(2).prefix { $0 != slash }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return Array(address) }
        return scheme + [slash, slash] + rest[(at + 1)...]
    }
}
