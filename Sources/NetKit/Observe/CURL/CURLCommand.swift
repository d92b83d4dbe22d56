import Foundation

/// A `curl` command for a POSIX shell that sends a request.
///
/// Header fields are sorted by name. Arbitrary text is in single quotes.
struct CURLCommand: CustomStringConvertible {
    let description: String

    /// Creates the command.
    ///
    /// A text body is part of the command. A file is referenced by its path, and a multipart form is written part by
    /// part. Other bytes are in base64, which the command decodes. The command omits parts that are known only at send
    /// time, and comments say so.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redaction: The parts to redact.
    ///   - notes: Notes on other omitted parts. Defaults to none.
    init(
        _ request: EncodedRequest,
        redacting redaction: Redaction,
        notes: [String] = []
    ) {
        let url = redaction.shown(request.url)
        var words = [Self.methodOption(request.method), "--url \(ShellWord.quoted(url))"]
        // Without this option, curl treats brackets and braces as a pattern of many URLs.
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
        // Without this option, curl names itself.
        if request.headers[.userAgent] == nil { words.append("--header 'User-Agent:'") }
        words += body.words
        let comments = (notes + body.notes).map { "# \($0)\n" }.joined()
        description = comments + body.input + "curl " + words.joined(separator: " \\\n  ")
    }

    private static func methodOption(_ method: HTTPMethod) -> String {
        guard method != .head else { return "--head" }
        // A method may contain `'`, `$`, `&`, and other characters that are special in a shell.
        let isPlain = method.rawValue.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return "--request \(isPlain ? method.rawValue : ShellWord.quoted(method.rawValue))"
    }

    private static func header(_ name: HTTPHeaderName, _ value: String) -> String {
        // A blank value needs a semicolon, because curl would omit the field with a colon.
        value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
    }

    private static func isBefore(
        _ left: HTTPHeaders.Element,
        _ right: HTTPHeaders.Element
    ) -> Bool {
        left.name.rawName.lowercased() < right.name.rawName.lowercased()
    }

    /// Returns whether the response may be compressed, which is the transport's default.
    private static func takesCompressed(_ headers: HTTPHeaders) -> Bool {
        guard let codings = headers[.acceptEncoding] else { return true }
        return codings.lowercased().contains("gzip") || codings.lowercased().contains("deflate")
    }

    /// Returns the form's type without a boundary.
    ///
    /// Returns nil for the type that curl sends by default.
    private static func formType(_ value: String) -> String? {
        let type = value.prefix { $0 != ";" }
        return type.lowercased() == "multipart/form-data" ? nil : String(type)
    }
}
