import Foundation
import NetKit

/// A request as recordings are searched for it: without what is hidden, and without what says nothing, such as
/// the boundary of a multipart body.
struct ReplayedRequest: Hashable {
    /// What is in a body, whichever way it is written.
    enum Body: Hashable {
        case none
        case form([[String]])
        case parts([Part])
        case json(JSONValue)
        case bytes(Data)
        /// It was left out.
        case unknown
    }

    struct Part: Hashable {
        let headers: [String]
        let body: Data
    }

    let method: String
    let url: String
    let body: Body
    /// -1 where it is not known.
    private let bodySize: Int

    /// Takes a request from a log.
    init(_ request: HAR.Request, redacting redaction: Redaction) {
        method = request.method
        // Logs of others show everything.
        url = URL(string: request.url).map { redaction.shown($0) } ?? request.url
        bodySize = request.bodySize
        body = Self.body(of: request, redaction)
    }

    /// Takes a request that is to be sent; its body is read.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redaction: What is hidden, what the request itself hides included.
    init(_ request: EncodedRequest, redacting redaction: Redaction) {
        self.init(HAR.Request(request, redacting: redaction), redacting: redaction)
    }

    /// Method and URL without the query's values.
    var description: String {
        "\(method) \(URL(string: url).map { "\(RedactedURL($0))" } ?? url)"
    }

    /// Whether both ask for the same, in every respect.
    func equals(_ other: ReplayedRequest) -> Bool {
        method == other.method && url == other.url && hasBody(of: other)
    }

    /// Whether both have the same method, path and query, the latter in any order.
    func resembles(_ other: ReplayedRequest) -> Bool {
        let (own, others) = (StubAddress(url), StubAddress(other.url))
        return method == other.method && own.path == others.path
            && own.query.map { [$0.name, $0.value] }.sorted { $0.lexicographicallyPrecedes($1) }
                == others.query.map { [$0.name, $0.value] }
                .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Whether both have the same body; of one that was left out only the length is known.
    func hasBody(of other: ReplayedRequest) -> Bool {
        guard body == .unknown || other.body == .unknown else { return body == other.body }
        return bodySize < 0 || other.bodySize < 0 || bodySize == other.bodySize
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
        let data = redaction.shown(body: written, type: post.mimeType)
        let parts = MultipartPart.parts(of: data, contentType: post.mimeType)
        if !parts.isEmpty {
            return .parts(
                parts.map { part in
                    Part(headers: part.headers.map { "\($0.name): \($0.value)" }, body: part.body)
                }
            )
        }
        if type.subtype == "x-www-form-urlencoded" {
            return .form(FormFields.items(in: data).map { [$0.name, $0.value] })
        }
        // What is no JSON is compared as the bytes that it is.
        if type.subtype.hasSuffix("json"),
            let value = try? JSONDecoder().decode(JSONValue.self, from: data)
        {
            return .json(value)
        }
        return data.isEmpty ? .none : .bytes(data)
    }

    /// Fields of a form without what is hidden: as they would be in a body, whose rules hold for them too.
    private static func shown(_ params: [HAR.Param], _ redaction: Redaction) -> [[String]] {
        let pairs = params.map { "\(encoded($0.name))=\(encoded($0.value ?? ""))" }
        let form = Data(pairs.joined(separator: "&").utf8)
        let shown = redaction.shown(body: form, type: "application/x-www-form-urlencoded")
        return FormFields.items(in: shown).map { [$0.name, $0.value] }
    }

    private static func encoded(_ text: String) -> String {
        // Nothing but letters and digits of ASCII is left as it is.
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
