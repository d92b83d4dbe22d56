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
    init(_ request: EncodedRequest, redacting redaction: Redaction, notes: [String] = []) {
        let request = request.withPlainRange()
        let method = request.sentMethod
        var words = [CURLOption.method(method.rawValue)]
        words += CURLOption.url(redaction.shown(request.url))
        words += CURLOption.compressed(by: request.headers[.acceptEncoding])
        let body = CURLBody(of: request, redacting: redaction)
        let fields = Array(request.headers)
            .ordered { $0.name.rawName.lowercased() < $1.name.rawName.lowercased() }
        for (name, value) in fields where name != .contentType || !body.makesContentType {
            let shown = redaction.shown(value, of: name, in: request.headers)
            words.append(CURLOption.header(name.rawName, shown))
        }
        // Without this option, curl names itself.
        if request.headers[.userAgent] == nil { words.append("--header 'User-Agent:'") }
        if request.body == nil, method.announcesNoBody {
            words.append("--header 'Content-Length: 0'")
        }
        // It would ask before it sends a large body.
        if let body = request.body, body.knownLength ?? .max >= 1 << 20,
            request.headers[.expect] == nil
        {
            words.append("--header 'Expect:'")
        }
        words += body.words
        let comments = (notes + body.notes).map { "# \($0)\n" }.joined()
        description = comments + body.input + "curl " + words.joined(separator: " \\\n  ")
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

    private var redaction: Redaction

    /// Creates the options for a request's body.
    init(of request: EncodedRequest, redacting redaction: Redaction) {
        self.redaction = redaction
        guard let body = request.body else { return }
        if let parts = body.parts, request.headers.contentType?.isForm == true,
            let form = CURLBody(form: parts, redacting: redaction, whole: body.data != nil)
        {
            self = form
            return
        }
        // Without this, curl would declare the body to be a form.
        if request.headers[.contentType] == nil { words.append("--header 'Content-Type:'") }
        if let file = body.file {
            words.append("--data-binary \(ShellWord.quoted("@" + file.path))")
        } else if body.sequence != nil {
            notes.append("without the body, which comes while it is sent")
        } else if let data = body.data {
            let shown = redaction.shown(body: data, type: request.redactedType)
            let option = CURLOption.body(shown)
            words.append(option.word)
            input = option.input
        } else {
            notes.append("without the body of \(body.length) bytes, which is a stream")
        }
    }

    /// Creates the options for a multipart form, part by part.
    ///
    /// - Parameters:
    ///   - parts: The parts of the form.
    ///   - redaction: The parts to redact.
    ///   - whole: Whether the caller can send the form as bytes instead. If `true`, the initializer returns nil for a
    ///     form that these options can't express. If `false`, it omits such parts.
    init?(form parts: [FormPart], redacting redaction: Redaction, whole: Bool) {
        self.redaction = redaction
        makesContentType = true
        for part in parts where !add(part) {
            guard !whole else { return nil }
            notes.append("without the part \(ShellWord.format(part.name))")
        }
    }

    private mutating func add(_ part: FormPart) -> Bool {
        // curl and HTTP quote arbitrary text alike, but curl ends a part's name at the first "=".
        guard !part.name.isEmpty, !part.name.contains("=") else { return false }
        var content: String
        if redaction.rules.hides(queryName: ArraySlice(part.name.utf8)) {
            content = QuotedString.quoting(Redaction.mark)
        } else if let file = part.source.file {
            content = "@" + QuotedString.quoting(file.path)
        } else if let data = part.source.data {
            let isField = part.mime == nil && part.fileName == nil
            let shown =
                isField
                ? redaction.rules.shown(field: data)
                : redaction.shown(body: data, type: part.mime?.rawValue ?? "text/plain")
            if let text = CURLOption.text(shown) {
                content = QuotedString.quoting(text)
            } else {
                guard input.isEmpty else { return false }
                input = CURLOption.decoding(shown)
                // With "@", curl would name the file "-".
                content = part.fileName == nil ? "<-" : "@-"
            }
        } else {
            return false
        }
        if let mime = part.mime {
            guard mime.isSafeInForm else { return false }
            content += ";type=\(mime)"
        }
        if let fileName = part.fileName {
            content += ";filename=" + QuotedString.quoting(redaction.rules.shown(fileName))
        }
        let word = "\(part.name)=\(content)"
        // A shell word can have any length, but an argument can't.
        guard word.utf8.count < CURLOption.longestArgument else { return false }
        words.append("--form \(ShellWord.quoted(word))")
        return true
    }
}

extension MimeType {
    /// Whether it is that of a form, whose parts curl names as NetKit does.
    fileprivate var isForm: Bool { type == "multipart" && subtype == "form-data" }

    /// Whether curl takes it as it is: no invalid type, and no parameter that is an option of `--form`.
    fileprivate var isSafeInForm: Bool {
        MimeType(rawValue) != nil
            && Set(parameters.keys).isDisjoint(with: ["type", "filename", "headers", "encoder"])
    }
}
