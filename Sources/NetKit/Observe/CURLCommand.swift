import Foundation
import NetKitSupport

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

/// The curl options that send a body.
struct CURLBody {
    /// The curl options.
    private(set) var words: [String] = []
    /// The shell code before the command, whose output is piped into it.
    private(set) var input = ""
    /// Notes on the omitted parts.
    private(set) var notes: [String] = []
    /// Whether curl generates the Content-Type itself, with its own boundary.
    private(set) var makesContentType = false

    /// The maximum length of a body argument, in bytes.
    ///
    /// Linux allows 128 KiB per argument.
    private static let longestArgument = 100_000

    /// Creates the options for a request's body.
    init(of request: EncodedRequest, redacting redaction: Redaction) {
        guard let body = request.body else { return }
        if let parts = body.parts,
            let form = CURLForm(parts, redacting: redaction, whole: body.data != nil)
        {
            (words, input, notes) = (form.words, form.input, form.notes)
            makesContentType = true
            return
        }
        // Without this, curl would declare the body to be a form.
        if request.headers[.contentType] == nil { words.append("--header 'Content-Type:'") }
        if let file = body.file {
            words.append("--data-binary \(ShellWord.quoted("@" + file.path))")
        } else if body.sequence != nil {
            notes.append("without the body, which comes while it is sent")
        } else if let data = body.data {
            add(redaction.shown(body: data, type: request.redactedType))
        } else {
            notes.append("without the body of \(body.length) bytes, which is a stream")
        }
    }

    private mutating func add(_ data: Data) {
        // A shell word can't contain a NUL.
        guard let text = Self.text(data), !data.contains(0) else {
            words.append("--data-binary @-")
            input = Self.decoding(data)
            return
        }
        if data.first == UInt8(ascii: "@") || data.count > Self.longestArgument {
            // As an argument, text that begins with @ would name a file.
            words.append("--data-binary @-")
            input = "printf '%s' \(ShellWord.quoted(text)) | "
        } else {
            words.append("--data-binary \(ShellWord.quoted(text))")
        }
    }

    /// Returns shell code that pipes bytes into the next command.
    static func decoding(_ data: Data) -> String {
        "printf '%s' \(ShellWord.quoted(data.base64EncodedString())) | base64 -d | "
    }

    /// Returns UTF-8 bytes as text, including a byte order mark.
    ///
    /// Returns nil for other bytes.
    static func text(_ data: Data) -> String? { String(exactly: data) }
}

/// The curl options that send a multipart form, part by part.
struct CURLForm {
    /// The curl options.
    private(set) var words: [String] = []
    /// The shell code before the command, whose output is piped into it.
    private(set) var input = ""
    /// Notes on the omitted parts.
    private(set) var notes: [String] = []

    private let redaction: Redaction

    /// Creates the options for a form.
    ///
    /// - Parameters:
    ///   - parts: The parts of the form.
    ///   - redaction: The parts to redact.
    ///   - whole: Whether the caller can send the form as bytes instead. If `true`, the initializer returns nil for a
    ///     form that these options can't express. If `false`, it omits such parts.
    init?(_ parts: [FormPart], redacting redaction: Redaction, whole: Bool) {
        self.redaction = redaction
        for part in parts where !add(part) {
            guard !whole else { return nil }
            notes.append("without the part \(ShellWord.format(part.name))")
        }
    }

    private mutating func add(_ part: FormPart) -> Bool {
        // curl and HTTP quote arbitrary text alike, but curl ends a part's name at the first "=".
        guard !part.name.isEmpty, !part.name.contains("=") else { return false }
        var content: String
        if redaction.rules.hides(queryName: part.name.utf8) {
            content = QuotedString.quoting(Redaction.mark)
        } else if let file = part.source.file {
            content = "@" + QuotedString.quoting(file.path)
        } else if let data = part.source.data {
            let isField = part.mime == nil && part.fileName == nil
            let shown =
                isField
                ? redaction.shown(field: data)
                : redaction.shown(body: data, type: part.mime?.rawValue ?? "text/plain")
            if let text = CURLBody.text(shown), !shown.contains(0) {
                content = QuotedString.quoting(text)
            } else {
                guard input.isEmpty else { return false }
                input = CURLBody.decoding(shown)
                content = "@-"
            }
        } else {
            return false
        }
        if let mime = part.mime { content += ";type=\(mime)" }
        if let fileName = part.fileName {
            content += ";filename=" + QuotedString.quoting(redaction.shown(fileName))
        }
        let word = "\(part.name)=\(content)"
        // A shell word can have any length, but an argument can't.
        guard word.utf8.count < 100_000 else { return false }
        words.append("--form \(ShellWord.quoted(word))")
        return true
    }
}
