import Foundation

/// A request as a command for a POSIX shell that sends the same with curl.
///
/// Every word stands in single quotes, in which a shell takes everything literally but the quote
/// itself. Fields are sorted by name.
struct CURLCommand: CustomStringConvertible {
    let description: String

    /// Writes the command.
    ///
    /// A body that is text is part of it; a file is named, and other bytes are given in base64 and
    /// decoded by the command. A body that is only known while it is sent is left out, as a comment in
    /// front says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redaction: What is not shown.
    init(_ request: EncodedRequest, redacting redaction: Redaction) {
        var words = [Self.methodOption(request.method)]
        words.append("--url \(Self.quoted(redaction.shown(request.url)))")
        for (name, value) in request.headers.sorted(by: { $0.name.rawName < $1.name.rawName }) {
            let shown = redaction.shown(value, of: name, in: request.headers)
            // An empty value takes a semicolon: with a colon curl would leave the field out.
            words.append(
                "--header \(Self.quoted(shown.isEmpty ? "\(name);" : "\(name): \(shown)"))"
            )
        }
        var prefix = ""
        if let body = request.body { prefix = Self.add(body, of: request, to: &words) }
        description = prefix + "curl " + words.joined(separator: " \\\n  ")
    }

    /// A word in single quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static func methodOption(_ method: HTTPMethod) -> String {
        method == .head ? "--head" : "--request \(quoted(method.rawValue))"
    }

    /// Adds what sends the body, and gives what comes in front of the command.
    private static func add(
        _ body: BodySource,
        of request: EncodedRequest,
        to words: inout [String]
    ) -> String {
        if request.headers[.contentType] == nil { words.append("--header 'Content-Type:'") }
        if let file = body.file {
            words.append("--data-binary \(quoted("@" + file.path))")
            return ""
        }
        guard let data = body.data else {
            return "# without the body of \(body.length) bytes, which is read while it is sent\n"
        }
        // An argument cannot hold a NUL, and one that begins with @ would name a file.
        if let text = String(data: data, encoding: .utf8), !data.contains(0), !text.hasPrefix("@") {
            words.append("--data-binary \(quoted(text))")
            return ""
        }
        words.append("--data-binary @-")
        return "printf '%s' \(quoted(data.base64EncodedString())) | base64 -d | "
    }
}
