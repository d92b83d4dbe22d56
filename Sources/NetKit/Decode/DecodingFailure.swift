import Foundation
import NetKitSupport

/// A decoding error with the path, the expected type, and the value found.
///
/// It is the `underlying` error of ``ErrorResponse/decoding(_:underlying:)`` whenever a `Decodable` type fails to
/// decode, and keeps the `DecodingError`. Descriptions name keys, types, and kinds of values. They never quote a value.
/// Where an HTML page arrived instead of JSON, the ``message`` has its title.
public struct DecodingFailure: Error, Sendable {
    /// The type of the whole body, or of the node at the key path.
    public let type: String
    /// The path of the failure from the body's root, such as `items[3].price`.
    ///
    /// It is empty for the root itself.
    public var path: String { diagnosis.path }
    /// The expected type at ``path``, such as `Double` or "an array", if known.
    public var expected: String? { diagnosis.expected }
    /// The kind of value found, such as "a string" or "null".
    ///
    /// Nil if there is no value or if its kind is right.
    public var found: String? { diagnosis.found }
    /// The original error.
    private let underlying: DecodingError

    /// What is wrong; in terms of JSON if the body isn't JSON.
    private var diagnosis: DecodingDiagnosis
    /// What a body is that isn't JSON, if known.
    var body: ForeignBody?
    /// The number of the line of a stream, starting at 1.
    private var line: Int?

    /// Creates the failure of a diagnosis, with an error of its own if the decoder threw none.
    private init(
        _ diagnosis: DecodingDiagnosis,
        decoding type: Any.Type,
        _ error: DecodingError? = nil
    ) {
        self.type = "\(type)"
        self.diagnosis = diagnosis
        underlying =
            error
            ?? .dataCorrupted(.init(codingPath: [], debugDescription: diagnosis.problem))
    }

    /// Creates the failure for an empty body.
    static func emptyBody(_ type: Any.Type) -> DecodingFailure {
        let problem = "the body is empty; it can't be decoded as \(type)"
        let diagnosis = DecodingDiagnosis(expected: "\(type)", problem: problem)
        return DecodingFailure(diagnosis, decoding: type)
    }

    /// Creates the failure for a value that has no JSON form itself.
    static func noJSON(_ value: Unencodable, decoding type: Any.Type) -> DecodingFailure {
        let problem = "the \(value.type) has no JSON form; it can't be decoded as \(type)"
        let diagnosis = DecodingDiagnosis(path: value.keyPath(below: ""), problem: problem)
        return DecodingFailure(diagnosis, decoding: type)
    }

    /// Returns the same failure with a path that begins at `start`.
    func below(_ start: JSONPath) -> DecodingFailure {
        var failure = self
        failure.diagnosis = diagnosis.below(start)
        return failure
    }

    /// Returns the same failure in a line of a stream.
    func inLine(_ number: Int) -> DecodingFailure {
        var failure = self
        failure.line = number
        return failure
    }
}

extension DecodingFailure: NamesForeignBody {
    var isMalformed: Bool { diagnosis.isMalformed }
}

extension DecodingFailure: Concealed, CallError {
    /// A one-line description: `items[3].price: expected Double, found a string (decoding Order)`.
    package var shown: String { text(quoting: nil) }

    /// The `description`, with the title of an HTML page that arrived instead of JSON.
    public var message: String { text(quoting: body?.title) }

    private func text(quoting title: String?) -> String {
        // Keys in the path may come from the server, such as those of a dictionary.
        let place = path.isEmpty ? "" : BoundedLine.text(path) + ": "
        let quotation = title.map { " (\"\($0)\")" } ?? ""
        if isMalformed {
            let whole = line.map { "line \($0)" } ?? "the body"
            let text = ForeignBody.text(diagnosis.problem, of: body, in: whole)
            return "\(place)\(text)\(quotation) (decoding \(type))"
        }
        return "\(line.map { "line \($0): " } ?? "")\(place)\(diagnosis.problem) (decoding \(type))"
    }

    /// The original `DecodingError`, whose texts may quote the body.
    public var underlyingError: (any Error)? { underlying }
}

extension DecodingFailure {
    /// Diagnoses why decoding `body` as `type` failed.
    init(
        _ error: DecodingError,
        decoding type: any Decodable.Type,
        from body: Data,
        using decoder: JSONDecoder
    ) {
        let diagnosis = DecodingDiagnosis(error, decoding: type, from: body, using: decoder) {
            // NetKit's parser doesn't know JSON5, but any text that the decoder reads is an `Empty`.
            let isReadable =
                !decoder.readsOnlyJSON && (try? decoder.decode(Empty.self, from: $0)) != nil
            return isReadable ? nil : JSONText.syntaxError(of: $0)
        }
        self.init(diagnosis, decoding: type, error)
    }

    /// Describes text that isn't JSON, or a number that doesn't fit in a `Decimal`.
    init(_ error: JSONSyntaxError, decoding type: Any.Type) {
        self.init(
            DecodingDiagnosis(problem: error.description, isMalformed: true),
            decoding: type,
            .dataCorrupted(
                .init(codingPath: [], debugDescription: "the body is not JSON: \(error)")
            )
        )
    }
}

/// What a body is that was read as JSON, by its Content-Type or its first bytes.
struct ForeignBody: Hashable, Sendable {
    /// The media type without parameters, such as `text/html`, or the name of the format, such as `HTML`.
    let type: String
    /// Whether it is a page, so that a reason in terms of JSON says nothing.
    let isPage: Bool
    /// The title of a page, in the server's words.
    let title: String?

    /// Finds out what the body of a response is; nil if it is JSON, or nothing says what it is.
    init?(_ response: HTTPResponse) {
        let declared = response.mediaType
        let name = declared.map { BoundedLine.text("\($0.type)/\($0.subtype)", maximum: 80) }
        if let page = ServerWords.page(in: response) {
            type = page.isDeclared ? name ?? page.format : page.format
            (isPage, title) = (true, page.title)
        } else if let name, !name.contains("json") {
            (type, isPage, title) = (name, false, nil)
        } else {
            return nil
        }
    }

    /// Says what was wrong with a body, as a part of a line.
    ///
    /// - Parameters:
    ///   - problem: What is wrong in terms of JSON.
    ///   - body: What was read, or nil if nothing is known of it.
    ///   - place: What isn't JSON. Defaults to the body.
    /// - Returns: The text.
    static func text(
        _ problem: String,
        of body: ForeignBody?,
        in place: String = "the body"
    ) -> String {
        guard let body else { return "\(place) is not JSON: \(problem)" }
        guard !body.isPage else { return "expected JSON, got \(body.type)" }
        return "\(place) is not JSON: \(problem); its Content-Type is \(body.type)"
    }
}

/// An error that can say what a body is that isn't JSON.
protocol NamesForeignBody: Error {
    var isMalformed: Bool { get }
    var body: ForeignBody? { get set }
}

extension NamesForeignBody {
    /// The same error, which says what the body of a response is if it isn't JSON.
    func naming(_ response: HTTPResponse) -> Self {
        guard isMalformed else { return self }
        var failure = self
        failure.body = ForeignBody(response)
        return failure
    }
}
