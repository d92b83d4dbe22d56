package import Foundation

extension HAR {
    /// What was sent.
    package struct Request: Sendable {
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
    package struct PostData: Sendable {
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
    package struct Param: Equatable, Sendable {
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

extension HAR.Request: HARObject {
    init(_ request: HARReader) throws(HARFlaw) {
        method = try request.requiredText("method")
        url = try request.requiredText("url")
        httpVersion = try request.text("httpVersion") ?? "unknown"
        cookies = try request.list("cookies") ?? []
        headers = try request.list("headers") ?? []
        queryString = try request.list("queryString") ?? []
        postData = try request.object("postData")
        headersSize = try request.integer("headersSize") ?? -1
        bodySize = try request.integer("bodySize") ?? -1
        comment = try request.text("comment")
    }

    var json: JSONValue {
        .object([
            "method": .of(method), "url": .of(url), "httpVersion": .of(httpVersion),
            "cookies": .of(cookies), "headers": .of(headers), "queryString": .of(queryString),
            "postData": postData?.json, "headersSize": .of(headersSize), "bodySize": .of(bodySize),
            "comment": .of(comment),
        ])
    }
}

extension HAR.PostData: HARObject {
    init(_ body: HARReader) throws(HARFlaw) {
        mimeType = try body.text("mimeType") ?? ""
        params = try body.list("params")
        text = try body.text("text")
        encoding = try body.text("_encoding")
        isTruncated = try body.flag("_truncated") ?? false
        comment = try body.text("comment")
    }

    var json: JSONValue {
        .object([
            "mimeType": .of(mimeType), "params": .of(params), "text": .of(text),
            "_encoding": .of(encoding), "_truncated": isTruncated ? true : nil,
            "comment": .of(comment),
        ])
    }

    /// The bytes of ``text``; nil where there is none, or it is no base64 and says so.
    package var data: Data? { text.flatMap { HARText.data($0, encoding: encoding) } }
}

extension HAR.Param: HARObject {
    init(_ param: HARReader) throws(HARFlaw) {
        name = try param.requiredText("name")
        value = try param.text("value")
        fileName = try param.text("fileName")
        contentType = try param.text("contentType")
        comment = try param.text("comment")
    }

    var json: JSONValue {
        .object([
            "name": .of(name), "value": .of(value), "fileName": .of(fileName),
            "contentType": .of(contentType), "comment": .of(comment),
        ])
    }
}
