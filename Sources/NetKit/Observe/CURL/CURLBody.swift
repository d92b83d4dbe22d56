import Foundation

/// The options of curl that send a body.
struct CURLBody {
    /// The options.
    private(set) var words: [String] = []
    /// What comes in front of the command and is piped into it.
    private(set) var input = ""
    /// What is left out.
    private(set) var notes: [String] = []
    /// Whether curl says itself what the body is, with a boundary of its own.
    private(set) var makesContentType = false

    /// The longest body, in bytes, that is an argument: Linux takes at most 128 KiB in one.
    private static let longestArgument = 100_000

    /// Writes the body of a request.
    init(of request: EncodedRequest, redacting redaction: Redaction) {
        guard let body = request.body else { return }
        if let parts = body.parts,
            let form = CURLForm(parts, redacting: redaction, whole: body.data != nil)
        {
            (words, input, notes) = (form.words, form.input, form.notes)
            makesContentType = true
            return
        }
        // Without a field of ours curl would say that it is a form.
        if request.headers[.contentType] == nil { words.append("--header 'Content-Type:'") }
        if let file = body.file {
            words.append("--data-binary \(ShellWord.quoted("@" + file.path))")
        } else if body.sequence != nil {
            notes.append("without the body, which comes while it is sent")
        } else if let data = body.data {
            let type = request.headers[.contentType]
            let shown = RedactedBody(data, type: type, by: redaction)
            if shown.obstacle == .unreadable {
                notes.append(
                    "without the body: \(RedactedBody.note(type: type, length: data.count))"
                )
            } else {
                add(shown.data)
            }
        } else {
            notes.append("without the body of \(body.length) bytes, which is read while it is sent")
        }
    }

    private mutating func add(_ data: Data) {
        // No word of a shell can hold a NUL.
        guard let text = Self.text(data), !data.contains(0) else {
            words.append("--data-binary @-")
            input = Self.decoding(data)
            return
        }
        if data.first == UInt8(ascii: "@") || data.count > Self.longestArgument {
            // As an argument, what begins with @ would name a file.
            words.append("--data-binary @-")
            input = "printf '%s' \(ShellWord.quoted(text)) | "
        } else {
            words.append("--data-binary \(ShellWord.quoted(text))")
        }
    }

    /// A command that gives bytes to the one behind it.
    static func decoding(_ data: Data) -> String {
        "printf '%s' \(ShellWord.quoted(data.base64EncodedString())) | base64 -d | "
    }

    /// The bytes as text, a byte order mark included; nil unless they are UTF-8.
    static func text(_ data: Data) -> String? { String(exactly: data) }
}
