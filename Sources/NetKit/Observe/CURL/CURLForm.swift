import Foundation

/// The options of curl that send a multipart form, part by part.
struct CURLForm {
    /// The options.
    private(set) var words: [String] = []
    /// What comes in front of the command and is piped into it.
    private(set) var input = ""
    /// What is left out.
    private(set) var notes: [String] = []

    private let redaction: Redaction

    /// Writes a form.
    ///
    /// - Parameters:
    ///   - parts: Its parts.
    ///   - redaction: What is not shown.
    ///   - whole: Whether the form can be given as its bytes instead. It is nil then if these options cannot say
    ///     all of it; else what they cannot say is left out.
    init?(_ parts: [FormPart], redacting redaction: Redaction, whole: Bool) {
        self.redaction = redaction
        for part in parts where !add(part) {
            guard !whole else { return nil }
            notes.append("without the part \(ShellWord.format(part.name))")
        }
    }

    private mutating func add(_ part: FormPart) -> Bool {
        // curl has the same quotes as HTTP for what may hold anything.
        // curl's name of a part ends with the first of these.
        guard !part.name.isEmpty, !part.name.contains("=") else { return false }
        var content: String
        if redaction.hides(bodyField: part.name.utf8) {
            content = QuotedString.quoting(Redaction.mark)
        } else if let file = part.source.file {
            content = "@" + QuotedString.quoting(file.path)
        } else if let data = part.source.data {
            let shown = redaction.shown(body: data, type: part.mime?.rawValue)
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
        if let fileName = part.fileName { content += ";filename=" + QuotedString.quoting(fileName) }
        let word = "\(part.name)=\(content)"
        // There is no limit to what a shell can hold, but one to what it can hand over.
        guard word.utf8.count < 100_000 else { return false }
        words.append("--form \(ShellWord.quoted(word))")
        return true
    }
}
