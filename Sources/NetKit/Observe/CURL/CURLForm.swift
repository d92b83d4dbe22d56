import Foundation

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
        if redaction.hides(queryName: part.name.utf8) {
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
