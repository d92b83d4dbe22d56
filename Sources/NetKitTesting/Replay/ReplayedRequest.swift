import Foundation
import NetKit
import NetKitHAR
import NetKitSupport

/// A request in the form used for comparison: redacted, and without irrelevant details such as
/// multipart boundaries.
struct ReplayedRequest: Hashable {
    /// The content of a body, independent of its spelling.
    enum Body: Hashable {
        case none
        case form([[String]])
        case parts([Part])
        case json(JSONValue)
        case bytes(Data)
        /// The body is missing from the log.
        case unknown
    }

    struct Part: Hashable {
        let headers: [String]
        let type: String
        let body: Data

        /// Whether both have the same content, or the same length if the log lacks one of them.
        func matches(_ other: Part) -> Bool {
            guard headers == other.headers else { return false }
            return body == other.body || (isMissing || other.isMissing) && note == other.note
        }

        private var isMissing: Bool { RedactedBody.isNote([UInt8](body)[...], type: type) }

        private var note: Data {
            isMissing ? body : Data(RedactedBody.note(type: type, length: body.count).utf8)
        }
    }

    let method: String
    let url: String
    let body: Body
    /// -1 if unknown.
    private let bodySize: Int

    /// Creates a request from a log entry.
    init(_ request: HAR.Request, redacting redaction: Redaction) {
        method = request.method
        // A log from another tool may be unredacted.
        let url = Self.withPath(request.url)
        self.url = URL(string: url).map { redaction.shown($0) } ?? url
        bodySize = request.bodySize
        body = Self.body(of: request, redaction)
    }

    /// Creates a request from one to send, and reads its body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redaction: The redaction, including the request's own.
    init(_ request: EncodedRequest, redacting redaction: Redaction) {
        let redaction = redaction.adding(Self.comparison)
        self.init(HAR.Request(request, redacting: redaction), redacting: redaction)
    }

    /// The method and URL, without the query's values.
    var description: String {
        "\(method) \(URL(string: url).map { "\(RedactedURL($0))" } ?? url)"
    }

    /// The description, and what of the URL differs from a request with the same one.
    func description(besides other: ReplayedRequest) -> String {
        guard description == other.description, url != other.url else { return description }
        let others = StubAddress(other.url).query
        var names: [String] = []
        for item in StubAddress(url).query where !others.contains(where: { $0 == item }) {
            let name = item.name.debugDescription
            if !names.contains(name) { names.append(name) }
        }
        return "\(description) with "
            + (names.isEmpty
                ? "another order or spelling" : "another \(names.joined(separator: ", "))")
    }

    /// Whether both requests match in every respect.
    func equals(_ other: ReplayedRequest) -> Bool {
        method == other.method && url == other.url && hasBody(of: other)
    }

    /// Whether both have the same method, path and query, with query items in any order.
    func resembles(_ other: ReplayedRequest) -> Bool {
        let (own, others) = (StubAddress(url), StubAddress(other.url))
        return method == other.method && own.path == others.path
            && own.query.map { [$0.name, $0.value] }.sorted { $0.lexicographicallyPrecedes($1) }
                == others.query.map { [$0.name, $0.value] }
                .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Whether both have the same body.
    ///
    /// If one is missing, only the lengths are compared.
    func hasBody(of other: ReplayedRequest) -> Bool {
        if case .parts(let own) = body, case .parts(let others) = other.body {
            return own.elementsEqual(others) { $0.matches($1) }
        }
        guard body == .unknown || other.body == .unknown else { return body == other.body }
        return bodySize < 0 || other.bodySize < 0 || bodySize == other.bodySize
    }

    /// Returns a URL with the path `/` if it has none, as browsers write it (RFC 9110, section 4.2.3).
    private static func withPath(_ url: String) -> String {
        let end = url.utf8.withContiguousBytes { bytes -> Int? in
            let end = Authority.range(in: bytes)?.upperBound
            return end.flatMap { $0 < bytes.count && bytes[$0] == UInt8(ascii: "/") ? nil : $0 }
        }
        guard let end else { return url }
        let index = url.utf8.index(url.startIndex, offsetBy: end)
        return "\(url[..<index])/\(url[index...])"
    }

    private static func body(of request: HAR.Request, _ redaction: Redaction) -> Body {
        guard let post = request.postData else {
            return request.bodySize > 0 ? .unknown : .none
        }
        let type = MimeType(rawValue: post.mimeType)
        if let params = post.params, !params.isEmpty, post.text == nil, type.type != "multipart" {
            return .form(shown(params, redaction))
        }
        guard !post.isTruncated, let written = post.data else {
            return post.params == [] ? .none : .unknown
        }
        let data = redaction.adding(comparison).shown(body: written, type: post.mimeType)
        let parts = MultipartPart.parts(of: data, contentType: post.mimeType)
        if !parts.isEmpty {
            return .parts(
                parts.map { part in
                    Part(
                        headers: part.headers.map { "\($0.name): \($0.value)" },
                        type: part.contentType ?? "text/plain",
                        body: part.body
                    )
                }
            )
        }
        if type.subtype == "x-www-form-urlencoded" {
            return .form(FormFields.items(in: data).map { [$0.name, $0.value] })
        }
        // Invalid JSON is compared as bytes.
        if type.subtype.hasSuffix("json"),
            let value = try? JSONDecoder().decodeBounded(JSONValue.self, from: data)
        {
            return .json(value)
        }
        return data.isEmpty ? .none : .bytes(data)
    }

    /// Keeps whatever of a body can be compared, of which nothing is printed.
    private static let comparison = Redaction(showsFields: true, wholeBodies: ["*/*"])

    /// The redacted fields of a form, by the rules for bodies.
    private static func shown(_ params: [HAR.Param], _ redaction: Redaction) -> [[String]] {
        let pairs = params.map { "\(encoded($0.name))=\(encoded($0.value ?? ""))" }
        let form = Data(pairs.joined(separator: "&").utf8)
        let shown = redaction.showingFields
            .shown(body: form, type: "application/x-www-form-urlencoded")
        return FormFields.items(in: shown).map { [$0.name, $0.value] }
    }

    private static func encoded(_ text: String) -> String {
        // Only ASCII letters and digits stay unescaped.
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
