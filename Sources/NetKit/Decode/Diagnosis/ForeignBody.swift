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
        let declared = response.headers.contentType
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
    /// The same error, which names what the body of the response is.
    func naming(_ response: HTTPResponse) -> Self
}
