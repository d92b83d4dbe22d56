import Foundation

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
