package import Foundation

extension HAR {
    /// What came back.
    package struct Response: Sendable {
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
    package struct Content: Sendable {
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

extension HAR.Response: HARObject {
    init(_ response: HARReader) throws(HARFlaw) {
        status = try response.required("status", try response.integer("status"))
        statusText = try response.text("statusText") ?? ""
        httpVersion = try response.text("httpVersion") ?? "unknown"
        cookies = try response.list("cookies") ?? []
        headers = try response.list("headers") ?? []
        content = try response.object("content") ?? HAR.Content()
        redirectURL = try response.text("redirectURL") ?? ""
        headersSize = try response.integer("headersSize") ?? -1
        bodySize = try response.integer("bodySize") ?? -1
        comment = try response.text("comment")
        // Not one of the format's own: others may mean something else by it.
        error = try? response.text("_error")
    }

    var json: JSONValue {
        .object([
            "status": .of(status), "statusText": .of(statusText), "httpVersion": .of(httpVersion),
            "cookies": .of(cookies), "headers": .of(headers), "content": content.json,
            "redirectURL": .of(redirectURL), "headersSize": .of(headersSize),
            "bodySize": .of(bodySize), "comment": .of(comment), "_error": .of(error),
        ])
    }
}

extension HAR.Content: HARObject {
    init(_ content: HARReader) throws(HARFlaw) {
        size = try content.integer("size") ?? 0
        compression = try content.integer("compression")
        mimeType = try content.text("mimeType") ?? "x-unknown"
        text = try content.text("text")
        encoding = try content.text("encoding")
        isTruncated = try content.flag("_truncated") ?? false
        comment = try content.text("comment")
    }

    var json: JSONValue {
        .object([
            "size": .of(size), "compression": .of(compression), "mimeType": .of(mimeType),
            "text": .of(text), "encoding": .of(encoding),
            "_truncated": isTruncated ? true : nil, "comment": .of(comment),
        ])
    }

    /// The bytes of ``text``; nil where there is none, or it is no base64 and says so.
    package var data: Data? { text.flatMap { HARText.data($0, encoding: encoding) } }
}
