package import Foundation

extension HAR {
    /// What came back.
    package struct Response: Hashable, Sendable {
        /// The status; 0 where no response came, or the transport failed before it was whole.
        package var status: Int
        /// The reason phrase.
        package var statusText: String
        /// The version of HTTP; `unknown` where the transport does not say.
        package var httpVersion = "unknown"
        /// The cookies, where they are shown.
        package var cookies: [Cookie] = []
        /// The header fields.
        package var headers: [Field] = []
        /// The body.
        package var content: Content
        /// Where the response points to; empty where it does not.
        package var redirectURL = ""
        /// How many bytes the head had; -1 where it is not known.
        package var headersSize = -1
        /// How many bytes of the body came over the wire; -1 where it is not known.
        package var bodySize = -1
        /// What there is to say about it.
        package var comment: String?
        /// Why no whole response came; `_error`, as Chrome has it.
        ///
        /// With a status, what is here is the beginning of it.
        package var error: String?

        /// Makes a response without fields.
        ///
        /// - Parameters:
        ///   - status: The status, 0 for none.
        ///   - statusText: The reason phrase. Defaults to none.
        ///   - content: The body.
        package init(status: Int, statusText: String = "", content: Content) {
            self.status = status
            self.statusText = statusText
            self.content = content
        }
    }

    /// The body of a response.
    package struct Content: Hashable, Sendable {
        /// How many bytes it had, unpacked.
        package var size: Int
        /// How many bytes packing saved; nil where it is not known.
        package var compression: Int?
        /// The media type; `x-unknown` where the response does not say.
        package var mimeType: String
        /// The body as text; nil where there is none or it was left out.
        package var text: String?
        /// `base64` where ``text`` is that of bytes.
        package var encoding: String?
        /// Whether only the beginning is here, or nothing; a field of NetKit's own, `_truncated`.
        package var isTruncated = false
        /// What there is to say about it.
        package var comment: String?

        /// Makes a body of which nothing is shown.
        ///
        /// - Parameters:
        ///   - size: How many bytes it had. Defaults to 0.
        ///   - mimeType: The media type. Defaults to `x-unknown`.
        package init(size: Int = 0, mimeType: String = "x-unknown") {
            self.size = size
            self.mimeType = mimeType
        }
    }
}

extension HAR.Response: Codable {
    private enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL
        case headersSize, bodySize, comment
        case error = "_error"
    }

    package init(from decoder: any Decoder) throws {
        let response = try decoder.container(keyedBy: CodingKeys.self)
        status = try response.decode(Int.self, forKey: .status)
        statusText = try response.decodeIfPresent(String.self, forKey: .statusText) ?? ""
        httpVersion = try response.decodeIfPresent(String.self, forKey: .httpVersion) ?? "unknown"
        cookies = try response.decodeIfPresent([HAR.Cookie].self, forKey: .cookies) ?? []
        headers = try response.decodeIfPresent([HAR.Field].self, forKey: .headers) ?? []
        content = try response.decodeIfPresent(HAR.Content.self, forKey: .content) ?? HAR.Content()
        redirectURL = try response.decodeIfPresent(String.self, forKey: .redirectURL) ?? ""
        headersSize = try response.decodeIfPresent(Int.self, forKey: .headersSize) ?? -1
        bodySize = try response.decodeIfPresent(Int.self, forKey: .bodySize) ?? -1
        comment = try response.decodeIfPresent(String.self, forKey: .comment)
        // Not one of the format's own: others may mean something else by it.
        error = try? response.decodeIfPresent(String.self, forKey: .error)
    }
}

extension HAR.Content: Codable {
    private enum CodingKeys: String, CodingKey {
        case size, compression, mimeType, text, encoding, comment
        case isTruncated = "_truncated"
    }

    package init(from decoder: any Decoder) throws {
        let content = try decoder.container(keyedBy: CodingKeys.self)
        size = try content.decodeIfPresent(Int.self, forKey: .size) ?? 0
        compression = try content.decodeIfPresent(Int.self, forKey: .compression)
        mimeType = try content.decodeIfPresent(String.self, forKey: .mimeType) ?? "x-unknown"
        text = try content.decodeIfPresent(String.self, forKey: .text)
        encoding = try content.decodeIfPresent(String.self, forKey: .encoding)
        isTruncated = try content.decodeIfPresent(Bool.self, forKey: .isTruncated) ?? false
        comment = try content.decodeIfPresent(String.self, forKey: .comment)
    }

    package func encode(to encoder: any Encoder) throws {
        var content = encoder.container(keyedBy: CodingKeys.self)
        try content.encode(size, forKey: .size)
        try content.encodeIfPresent(compression, forKey: .compression)
        try content.encode(mimeType, forKey: .mimeType)
        try content.encodeIfPresent(text, forKey: .text)
        try content.encodeIfPresent(encoding, forKey: .encoding)
        if isTruncated { try content.encode(true, forKey: .isTruncated) }
        try content.encodeIfPresent(comment, forKey: .comment)
    }

    /// The bytes of ``text``; nil where there is none, or it is no base64 and says so.
    package var data: Data? { text.flatMap { HARText.data($0, encoding: encoding) } }
}
