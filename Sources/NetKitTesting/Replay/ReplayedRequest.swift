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
        /// It was left out, and had so many bytes.
        case unknown(Int)
    }

    struct Part: Hashable {
        let headers: [String]
        let body: Data
    }

    let method: String
    let url: String
    let body: Body
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
    init(_ request: EncodedRequest, redacting redaction: Redaction) {
        let redaction = redaction.adding(request.redaction)
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
        switch (body, other.body) {
        case (.unknown(let size), _): size < 0 || size == other.bodySize
        case (_, .unknown(let size)): size < 0 || size == bodySize
        default: body == other.body
        }
    }

    private static func body(of request: HAR.Request, _ redaction: Redaction) -> Body {
        guard let post = request.postData else {
            return request.bodySize > 0 ? .unknown(request.bodySize) : .none
        }
        let type = MimeType(rawValue: post.mimeType)
        if let params = post.params, !params.isEmpty, post.text == nil, type.type != "multipart" {
            return .form(params.map { [$0.name, $0.value ?? ""] })
        }
        guard !post.isTruncated, let written = post.data else {
            return post.params == [] ? .none : .unknown(request.bodySize)
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
}
