import Foundation

/// A request as a command for a POSIX shell that sends the same with curl.
///
/// Fields are sorted by name. What may hold anything stands in single quotes.
struct CURLCommand: CustomStringConvertible {
    let description: String

    /// Writes the command.
    ///
    /// A body that is text is part of it; a file is named, a multipart form is written part by part, and
    /// other bytes are given in base64 and decoded by the command. What is only known while it is sent is left out, as
    /// a comment says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redaction: What is not shown.
    ///   - notes: What is left out besides. Defaults to nothing.
    init(
        _ request: EncodedRequest,
        redacting redaction: Redaction,
        notes: [String] = []
    ) {
        let url = redaction.shown(request.url)
        var words = [Self.methodOption(request.method), "--url \(ShellWord.quoted(url))"]
        // Elsewhere curl takes brackets and braces for a pattern of many URLs.
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
        if Self.takesCompressed(request.headers) { words.append("--compressed") }
        let body = CURLBody(of: request, redacting: redaction)
        for (name, value) in Array(request.headers).ordered(by: Self.isBefore) {
            var shown = redaction.shown(value, of: name, in: request.headers)
            if name == .contentType, body.makesContentType {
                guard let type = Self.formType(value) else { continue }
                shown = type
            }
            words.append("--header \(ShellWord.quoted(Self.header(name, shown)))")
        }
        words += body.words
        let comments = (notes + body.notes).map { "# \($0)\n" }.joined()
        description = comments + body.input + "curl " + words.joined(separator: " \\\n  ")
    }

    private static func methodOption(_ method: HTTPMethod) -> String {
        guard method != .head else { return "--head" }
        // A method may hold `'`, `$`, `&` and more of what means something to a shell.
        let isPlain = method.rawValue.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return "--request \(isPlain ? method.rawValue : ShellWord.quoted(method.rawValue))"
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

    /// Whether a response may come compressed, as the transport asks for it unless a field says otherwise.
    private static func takesCompressed(_ headers: HTTPHeaders) -> Bool {
        guard let codings = headers[.acceptEncoding] else { return true }
        return codings.lowercased().contains("gzip") || codings.lowercased().contains("deflate")
    }

    /// The type of a form to which curl adds its own boundary; nil for the one that it has by itself.
    private static func formType(_ value: String) -> String? {
        let type = value.prefix { $0 != ";" }
        return type.lowercased() == "multipart/form-data" ? nil : String(type)
    }
}
