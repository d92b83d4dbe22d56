package import Foundation
import NetKit

extension HAR {
    /// The request of an entry.
    package struct Request: Sendable {
        /// The method.
        package var method: String
        /// The complete URL, without a fragment.
        package var url: String
        /// The HTTP version, or `unknown` if the transport doesn't report it.
        package var httpVersion = "unknown"
        /// The cookies, unless redacted.
        package var cookies: [Cookie] = []
        /// The header fields.
        package var headers: [Field] = []
        /// The decoded query items.
        package var queryString: [Field] = []
        /// The body, or nil if there is none.
        package var postData: PostData?
        /// The size of the head in bytes, or -1 if unknown.
        package var headersSize = -1
        /// The size of the body in bytes, or -1 if unknown.
        package var bodySize = 0
        /// A comment on the request.
        package var comment: String?

        /// Creates a request without header fields and body.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - url: The complete URL.
        package init(method: String, url: String) {
            self.method = method
            self.url = url
        }
    }

    /// The body of a request.
    package struct PostData: Sendable {
        /// The media type.
        package var mimeType: String
        /// The decoded fields of a form, or nil for any other body.
        package var params: [Param]?
        /// The body as text, or nil for a form and an omitted body.
        package var text: String?
        /// The encoding of ``text``: `base64`, or nil for plain text.
        ///
        /// It is the custom field `_encoding`, because HAR 1.2 defines none here.
        package var encoding: String?
        /// Whether the text is only the beginning.
        ///
        /// It is the custom field `_truncated`.
        package var isTruncated = false
        /// A comment on the body.
        package var comment: String?

        /// Creates a body without content.
        ///
        /// - Parameter mimeType: The media type.
        package init(mimeType: String) {
            self.mimeType = mimeType
        }
    }

    /// A field of a form.
    package struct Param: Equatable, Sendable {
        /// The name of the field.
        package var name: String
        /// The value of the field, or the content of a file.
        package var value: String?
        /// The name of the file.
        package var fileName: String?
        /// The media type of the file.
        package var contentType: String?
        /// A comment on the field.
        package var comment: String?

        /// Creates a field.
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
    init(_ request: HARReader) throws(HARProblem) {
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
    init(_ body: HARReader) throws(HARProblem) {
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

    /// The bytes of ``text``, or nil without text or with invalid base64.
    package var data: Data? { text.flatMap { HARText.data($0, encoding: encoding) } }
}

extension HAR.Param: HARObject {
    init(_ param: HARReader) throws(HARProblem) {
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

extension HAR {
    /// The response of an entry.
    package struct Response: Sendable {
        /// The status code, or 0 if no response arrived or the transport failed early.
        package var status: Int
        /// The reason phrase.
        package var statusText: String
        /// The HTTP version, or `unknown` if the transport doesn't report it.
        package var httpVersion = "unknown"
        /// The cookies, unless redacted.
        package var cookies: [Cookie] = []
        /// The header fields.
        package var headers: [Field] = []
        /// The body.
        package var content: Content
        /// The target of a redirect, or an empty string.
        package var redirectURL = ""
        /// The size of the head in bytes, or -1 if unknown.
        package var headersSize = -1
        /// The size of the body on the wire in bytes, or -1 if unknown.
        package var bodySize = -1
        /// A comment on the response.
        package var comment: String?
        /// The reason why no complete response arrived, in the custom field `_error` as in Chrome.
        ///
        /// If there is a status code, the entry has the beginning of the response.
        package var error: String?

        /// Creates a response without header fields.
        ///
        /// - Parameters:
        ///   - status: The status code, or 0 for none.
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
        /// The decompressed size in bytes.
        package var size: Int
        /// The number of bytes that compression saved, or nil if unknown.
        package var compression: Int?
        /// The media type, or `x-unknown` if the response doesn't state it.
        package var mimeType: String
        /// The body as text, or nil if it is empty or omitted.
        package var text: String?
        /// The encoding of ``text``: `base64`, or nil for plain text.
        package var encoding: String?
        /// Whether the body is incomplete or omitted.
        ///
        /// It is the custom field `_truncated`.
        package var isTruncated = false
        /// A comment on the body.
        package var comment: String?

        /// Creates a body without content.
        ///
        /// - Parameters:
        ///   - size: The decompressed size in bytes. Defaults to 0.
        ///   - mimeType: The media type. Defaults to `x-unknown`.
        package init(size: Int = 0, mimeType: String = "x-unknown") {
            self.size = size
            self.mimeType = mimeType
        }
    }
}

extension HAR.Response: HARObject {
    init(_ response: HARReader) throws(HARProblem) {
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
        // The field isn't part of the format, so other programs may use it differently.
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
    init(_ content: HARReader) throws(HARProblem) {
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

    /// The bytes of ``text``, or nil without text or with invalid base64.
    package var data: Data? { text.flatMap { HARText.data($0, encoding: encoding) } }

    /// Whether ``data`` is UTF-8, although the response's Content-Type declares another charset.
    ///
    /// A log has text decoded (HAR 1.2). Only base64 keeps the bytes.
    package func isTranscoded(from type: String) -> Bool {
        text != nil && !HARText.isBase64(encoding) && HARText.isInOtherCharset(type)
    }
}
