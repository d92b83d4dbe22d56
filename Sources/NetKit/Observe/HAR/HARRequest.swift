package import Foundation

extension HAR {
    /// What was sent.
    package struct Request: Hashable, Sendable {
        /// The method.
        package var method: String
        /// The whole address, without a fragment.
        package var url: String
        /// The version of HTTP; `unknown` where the transport does not say.
        package var httpVersion = "unknown"
        /// The cookies, where they are shown.
        package var cookies: [Cookie] = []
        /// The header fields.
        package var headers: [Field] = []
        /// The items of the query, decoded.
        package var queryString: [Field] = []
        /// The body, nil without one.
        package var postData: PostData?
        /// How many bytes the head had; -1 where it is not known.
        package var headersSize = -1
        /// How many bytes the body had; -1 where it is not known.
        package var bodySize = 0
        /// What there is to say about it.
        package var comment: String?

        /// Makes a request without fields and body.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - url: The whole address.
        package init(method: String, url: String) {
            self.method = method
            self.url = url
        }
    }

    /// The body of a request.
    package struct PostData: Hashable, Sendable {
        /// The media type.
        package var mimeType: String
        /// The fields of a form, decoded; nil for anything else.
        package var params: [Param]?
        /// The body as text, nil for a form and where it was left out.
        package var text: String?
        /// `base64` where ``text`` is that of bytes; a field of NetKit's own, `_encoding`, as HAR 1.2 has none here.
        package var encoding: String?
        /// Whether only the beginning is here; a field of NetKit's own, `_truncated`.
        package var isTruncated = false
        /// What there is to say about it.
        package var comment: String?

        /// Makes a body of which nothing is shown.
        ///
        /// - Parameter mimeType: The media type.
        package init(mimeType: String) {
            self.mimeType = mimeType
        }
    }

    /// A field of a form.
    package struct Param: Codable, Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value, or what a file has in it.
        package var value: String?
        /// The name of a file.
        package var fileName: String?
        /// The media type of a file.
        package var contentType: String?
        /// What there is to say about it.
        package var comment: String?

        /// Makes a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }
}

extension HAR.Request: Codable {
    private enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData
        case headersSize, bodySize, comment
    }

    package init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: CodingKeys.self)
        method = try request.decode(String.self, forKey: .method)
        url = try request.decode(String.self, forKey: .url)
        httpVersion = try request.decodeIfPresent(String.self, forKey: .httpVersion) ?? "unknown"
        cookies = try request.decodeIfPresent([HAR.Cookie].self, forKey: .cookies) ?? []
        headers = try request.decodeIfPresent([HAR.Field].self, forKey: .headers) ?? []
        queryString = try request.decodeIfPresent([HAR.Field].self, forKey: .queryString) ?? []
        postData = try request.decodeIfPresent(HAR.PostData.self, forKey: .postData)
        headersSize = try request.decodeIfPresent(Int.self, forKey: .headersSize) ?? -1
        bodySize = try request.decodeIfPresent(Int.self, forKey: .bodySize) ?? -1
        comment = try request.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension HAR.PostData: Codable {
    private enum CodingKeys: String, CodingKey {
        case mimeType, params, text, comment
        case encoding = "_encoding"
        case isTruncated = "_truncated"
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = try body.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
        params = try body.decodeIfPresent([HAR.Param].self, forKey: .params)
        text = try body.decodeIfPresent(String.self, forKey: .text)
        encoding = try body.decodeIfPresent(String.self, forKey: .encoding)
        isTruncated = try body.decodeIfPresent(Bool.self, forKey: .isTruncated) ?? false
        comment = try body.decodeIfPresent(String.self, forKey: .comment)
    }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.encode(mimeType, forKey: .mimeType)
        try body.encodeIfPresent(params, forKey: .params)
        try body.encodeIfPresent(text, forKey: .text)
        try body.encodeIfPresent(encoding, forKey: .encoding)
        if isTruncated { try body.encode(true, forKey: .isTruncated) }
        try body.encodeIfPresent(comment, forKey: .comment)
    }

    /// The bytes of ``text``; nil where there is none, or it is no base64 and says so.
    package var data: Data? { text.flatMap { HARText.data($0, encoding: encoding) } }
}
