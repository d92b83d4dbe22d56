import Foundation
import NetKit

/// A `Link` field (RFC 8288, section 3), parsed as appendix B.2 describes.
///
/// The parser skips malformed links, up to the next comma outside of `<>` and quotes.
struct LinkField: Equatable, Sendable {
    /// A link of the field.
    struct Link: Equatable, Sendable {
        /// The text between `<` and `>`.
        let target: String
        /// The parameters in order, with lowercase names.
        var parameters: [Parameter] = []

        /// Returns the value of the first parameter with a name.
        ///
        /// Later ones are ignored.
        subscript(name: String) -> String? {
            parameters.first { $0.name == name }?.value
        }

        /// The relation types in lowercase.
        var relations: [String] {
            (self["rel"] ?? "").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        }
    }

    /// A parameter of a link.
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String
    }

    let links: [Link]

    /// Parses a field value.
    ///
    /// Several fields are joined by commas first.
    init(_ text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        links = scanner.links()
    }

    /// Returns the target of the first link with a relation to the response itself.
    ///
    /// - Parameters:
    ///   - relation: The relation type in lowercase.
    ///   - response: The URL of the response. Links whose `anchor` is something else are skipped.
    /// - Returns: The target as written, or nil if there is no such link.
    func target(of relation: String, in response: URL) -> String? {
        links.first { link in
            link.relations.contains(relation) && Self.isContext(link["anchor"], of: response)
        }?
        .target
    }

    private static func isContext(_ anchor: String?, of response: URL) -> Bool {
        guard let anchor else { return true }
        // A fragment of the response isn't the response.
        guard !anchor.contains("#") || anchor.hasSuffix("#") else { return false }
        let context = LinkTrail.resolve(anchor, against: response)
        return context != nil && context == LinkTrail.resolve("", against: response)
    }
}

/// A byte-wise scanner of `Link` fields, whose syntax is all ASCII.
private struct Scanner {
    private let bytes: [UInt8]
    /// The position of the last `>`, after which the search for a target's end stops.
    private let lastEnd: Int
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
    }

    mutating func links() -> [LinkField.Link] {
        var links: [LinkField.Link] = []
        while position < bytes.count {
            skipBlanks()
            if take("<"), let link = link() { links.append(link) }
            skipToComma()
        }
        return links
    }

    /// Parses a link behind its `<`, or returns nil without a `>`.
    private mutating func link() -> LinkField.Link? {
        guard let target = target() else { return nil }
        var link = LinkField.Link(target: target)
        skipBlanks()
        while take(";") {
            if let parameter = parameter() { link.parameters.append(parameter) }
            skipBlanks()
        }
        return link
    }

    /// Returns the text before the next `>`.
    private mutating func target() -> String? {
        guard position <= lastEnd,
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        defer { position = end + 1 }
        return text(position..<end)
    }

    private mutating func parameter() -> LinkField.Parameter? {
        skipBlanks()
        let name = textUpTo([" ", "\t", "=", ";", ","]).lowercased()
        skipBlanks()
        var value = ""
        if take("=") {
            skipBlanks()
            value = take("\"") ? quotedText() : textUpTo([";", ","])
        }
        return name.isEmpty ? nil : LinkField.Parameter(name: name, value: value)
    }

    /// Returns the text after a quotation mark, up to the next one or the end.
    private mutating func quotedText() -> String {
        var text: [UInt8] = []
        while position < bytes.count, !take("\"") {
            if take("\\"), position == bytes.count { break }
            text.append(bytes[position])
            position += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func textUpTo(_ ends: [Unicode.Scalar]) -> String {
        let start = position
        while position < bytes.count, !ends.contains(Unicode.Scalar(bytes[position])) {
            position += 1
        }
        return text(start..<position)
    }

    /// Skips past the next comma that is outside of targets and quotes.
    private mutating func skipToComma() {
        while position < bytes.count, !take(",") {
            if take("\"") {
                _ = quotedText()
            } else if take("<") {
                _ = target()
            } else {
                position += 1
            }
        }
    }

    private mutating func skipBlanks() {
        while take(" ") || take("\t") {}
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, Unicode.Scalar(bytes[position]) == character else {
            return false
        }
        position += 1
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
