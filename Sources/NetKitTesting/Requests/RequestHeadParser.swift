import Foundation
import NetKitSupport

/// The reason why bytes are not an HTTP/1 request, in one lowercase line.
struct MalformedRequest: Error, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A parser of request lines and field lines that rejects what RFC 9112 doesn't allow.
///
/// It is strict on purpose, so that a test fails if its client sends a doubtful request.
enum RequestHeadParser {
    /// Parses a whole head.
    ///
    /// - Parameter bytes: The head, up to and including the empty line.
    /// - Returns: The parsed head.
    /// - Throws: ``MalformedRequest``.
    static func head(_ bytes: UnsafeRawBufferPointer) throws(MalformedRequest) -> RequestHead {
        var rest = bytes[...]
        let requestLine = try line(&rest)
        let parts = requestLine.split(
            separator: UInt8(ascii: " "),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3 else {
            throw MalformedRequest("the request line has no three parts")
        }
        guard isToken(parts[0]) else { throw MalformedRequest("the method is not a token") }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 32 && $0 != 127 }) else {
            throw MalformedRequest("the target is empty or has control characters")
        }
        let minorVersion: Int
        switch text(parts[2]) {
        case "HTTP/1.1": minorVersion = 1
        case "HTTP/1.0": minorVersion = 0
        default: throw MalformedRequest("the version is neither HTTP/1.1 nor HTTP/1.0")
        }
        let head = RequestHead(
            method: text(parts[0]),
            target: text(parts[1]),
            minorVersion: minorVersion,
            fields: try fields(&rest)
        )
        guard minorVersion == 0 || head.values(of: "Host").count == 1 else {
            throw MalformedRequest("an HTTP/1.1 request has exactly one Host field")
        }
        return head
    }

    /// Parses field lines up to an empty line.
    ///
    /// - Parameter rest: The lines; on return, the bytes after the empty line.
    /// - Returns: The fields, in order.
    /// - Throws: ``MalformedRequest``.
    static func fields(
        _ rest: inout Slice<UnsafeRawBufferPointer>
    ) throws(MalformedRequest) -> [HeaderField] {
        var fields: [HeaderField] = []
        while true {
            let line = try line(&rest)
            if line.isEmpty { return fields }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw MalformedRequest("a field line has no colon")
            }
            guard isToken(line[..<colon]) else {
                throw MalformedRequest("a field name is not a token: \(text(line[..<colon]))")
            }
            let value = line[(colon + 1)...]
            let isSpace: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
            let trimmed: Slice<UnsafeRawBufferPointer>
            if let first = value.firstIndex(where: { !isSpace($0) }),
                let last = value.lastIndex(where: { !isSpace($0) })
            {
                trimmed = value[first...last]
            } else {
                trimmed = value[..<value.startIndex]
            }
            guard !trimmed.contains(0), !trimmed.contains(13) else {
                throw MalformedRequest("a field value has a control character")
            }
            fields.append(HeaderField(name: text(line[..<colon]), value: text(trimmed)))
        }
    }

    /// Removes the first line, which must end with CR LF.
    private static func line(
        _ rest: inout Slice<UnsafeRawBufferPointer>
    ) throws(MalformedRequest) -> Slice<UnsafeRawBufferPointer> {
        guard let end = rest.firstIndex(of: 10) else { throw MalformedRequest("a line has no end") }
        guard end > rest.startIndex, rest[end - 1] == 13 else {
            throw MalformedRequest("a line ends with a bare line feed")
        }
        let line = rest[rest.startIndex..<(end - 1)]
        rest = rest[(end + 1)...]
        return line
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.utf8.elementsEqual(bytes) else { return text }
        // Text that is not UTF-8 is read as Latin-1, in which every byte is a character.
        return String(bytes: bytes, encoding: .isoLatin1) ?? text
    }

    private static func isToken(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        HTTPToken.allows(UnsafeRawBufferPointer(rebasing: bytes))
    }
}
