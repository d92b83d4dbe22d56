import Foundation

/// A request as a command for a POSIX shell that sends the same with curl.
///
/// Every word that may hold anything stands in single quotes, in which a shell takes everything
/// literally but the quote itself. Fields are sorted by name.
struct CURLCommand: CustomStringConvertible {
    let description: String

    /// Writes the command.
    ///
    /// A body that is text is part of it; a file is named, and other bytes are given in base64 and
    /// decoded by the command. A body that is only known while it is sent is left out, as a comment
    /// in front says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redaction: What is not shown.
    init(_ request: EncodedRequest, redacting redaction: Redaction) {
        let url = redaction.shown(request.url)
        var words = [Self.methodOption(request.method), "--url \(Self.quoted(url))"]
        // Elsewhere curl takes brackets and braces for a pattern of many URLs.
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
        for (name, value) in request.headers.sorted(by: Self.isBefore) {
            let shown = redaction.shown(value, of: name, in: request.headers)
            words.append("--header \(Self.quoted(Self.header(name, shown)))")
        }
        var prefix = ""
        if let body = request.body { prefix = Self.add(body, of: request, to: &words) }
        description = prefix + "curl " + words.joined(separator: " \\\n  ")
    }

    /// A word in single quotes.
    static func quoted(_ text: String) -> String {
        // By bytes: to `String` a quote with a combining mark is a character of its own, to a
        // shell it ends the word.
        var quoted = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") {
                quoted += #"'\''"#.utf8
            } else {
                quoted.append(byte)
            }
        }
        return String(decoding: quoted, as: UTF8.self) + "'"
    }

    private static func methodOption(_ method: HTTPMethod) -> String {
        guard method != .head else { return "--head" }
        // A method may hold `'`, `$`, `&` and more of what means something to a shell.
        let isPlain = method.rawValue.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return "--request \(isPlain ? method.rawValue : quoted(method.rawValue))"
    }

    private static func header(_ name: HTTPHeaderName, _ value: String) -> String {
        // A blank value takes a semicolon: with a colon curl would leave the field out.
        value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
    }

    private static func isBefore(
        _ left: HTTPHeaders.Element,
        _ right: HTTPHeaders.Element
    ) -> Bool {
        left.name.rawName.lowercased() < right.name.rawName.lowercased()
    }
}

// MARK: - The body

extension CURLCommand {
    /// The longest body, in bytes, that is an argument: Linux takes at most 128 KiB in one.
    private static let longestArgument = 100_000

    /// Adds what sends the body, and gives what comes in front of the command.
    private static func add(
        _ body: BodySource,
        of request: EncodedRequest,
        to words: inout [String]
    ) -> String {
        // Without a field of ours curl would say that it is a form.
        if request.headers[.contentType] == nil { words.append("--header 'Content-Type:'") }
        if let file = body.file {
            words.append("--data-binary \(quoted("@" + file.path))")
            return ""
        }
        guard body.sequence == nil else {
            return "# without the body, which comes while it is sent\n"
        }
        guard let data = body.data else {
            return "# without the body of \(body.length) bytes, which is read while it is sent\n"
        }
        // No word of a shell can hold a NUL.
        guard let text = text(data), !data.contains(0) else {
            words.append("--data-binary @-")
            return "printf '%s' \(quoted(data.base64EncodedString())) | base64 -d | "
        }
        // As an argument, what begins with @ would name a file.
        guard data.first != UInt8(ascii: "@"), data.count <= longestArgument else {
            words.append("--data-binary @-")
            return "printf '%s' \(quoted(text)) | "
        }
        words.append("--data-binary \(quoted(text))")
        return ""
    }

    /// The bytes as text, a byte order mark included; nil unless they are UTF-8.
    private static func text(_ data: Data) -> String? {
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.elementsEqual(data) ? text : nil
    }
}
