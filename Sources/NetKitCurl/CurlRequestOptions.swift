internal import CLibcurl
internal import Foundation
internal import NetKit
internal import NetKitSupport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The options of an easy handle that depend on the request.
///
/// It knows what they were last set to: most requests need the same as the one before.
final class CurlRequestOptions {
    /// The longest body that libcurl sends with the head, from a copy of its own.
    private static let maximumShortBody = 64 << 10
    /// The size of the buffer for what is read: libcurl's own, in bytes.
    private static let bufferSize = 16 << 10
    /// One that is larger than what libcurl reads of HTTP/2 at a time, 32 KiB, with room for other streams.
    private static let largeBufferSize = 128 << 10

    /// The options about the connection.
    struct Connection: Equatable {
        /// The version of HTTP to ask for, as libcurl's number.
        let version: Int
        /// The maximum idle seconds of a connection to reuse.
        let age: Int
        /// Whether it must be new, and closes after its request, because libcurl would keep it.
        let isAlone: Bool
        /// Whether the options of TLS keep other requests from joining it while it is in use.
        let isUnshared: Bool
    }

    private let easy: OpaquePointer
    /// The minimum version of TLS, as libcurl's number.
    private let tlsVersion: Int
    /// The length of the body that libcurl sends by itself; nil if it doesn't.
    private(set) var shortBody: Int64?
    /// Whether the request has a field that is larger than libcurl from 8.13 to 8.21 sends, which leaves it out.
    private(set) var hasLargeField = false
    private static let maximumField = 300 << 10
    private var hasUpload = false
    private var url = ""
    private var isPlainGet = false
    /// The fields of the last request.
    private var fields: [HTTPHeaders.Field]?
    /// Whether it had a short body, and another one.
    private var lastBody = (false, false)
    /// The fields as a list that the easy handle refers to.
    private var list: OpaquePointer?
    private var acceptEncoding = ""
    private var target: String?
    private var connection: Connection?

    init(of easy: OpaquePointer, tlsVersion: Int) {
        (self.easy, self.tlsVersion) = (easy, tlsVersion)
    }

    // The easy handle is destroyed before.
    deinit { nk_list_free(list) }

    /// Sets the options of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - method: Its method as it is sent.
    ///   - keepsTarget: Whether libcurl gets the target, too, where it would change it.
    /// - Returns: Whether libcurl asks for its body piece by piece.
    func set(_ request: EncodedRequest, as method: HTTPMethod, keepsTarget: Bool) -> Bool {
        setURL(of: request)
        setTarget(keepsTarget && Self.changesTarget(of: url) ? RequestTarget.text(of: url) : nil)
        setMethodAndBody(of: request, as: method)
        setFields(of: request)
        return hasUpload
    }

    func set(_ connection: Connection) {
        guard connection != self.connection else { return }
        self.connection = connection
        let isHTTP1 = connection.version == NK_HTTP_VERSION_1_1
        nk_easy_set_long(easy, NK_OPT_HTTP_VERSION, connection.version)
        nk_easy_set_long(easy, NK_OPT_VERBOSE, isHTTP1 ? 0 : 1)
        if CurlLibrary.shared.losesEndOfStream {
            let size = isHTTP1 ? Self.bufferSize : Self.largeBufferSize
            nk_easy_set_long(easy, NK_OPT_BUFFERSIZE, size)
        }
        nk_easy_set_long(easy, NK_OPT_MAXAGE_CONN, connection.age)
        nk_easy_set_long(easy, NK_OPT_FRESH_CONNECT, connection.isAlone ? 1 : 0)
        nk_easy_set_long(easy, NK_OPT_FORBID_REUSE, connection.isAlone ? 1 : 0)
        // Requests share a connection only if they set the same versions. This maximum is libcurl's own, and differs only
        // from none.
        let maximum = connection.isUnshared ? NK_SSLVERSION_MAX_TLSv1_3 : 0
        nk_easy_set_long(easy, NK_OPT_SSLVERSION, tlsVersion | maximum)
        // Waits for a connection that may become one of HTTP/2, rather than open another one. One of HTTP/1.1 would be
        // waited for until its response.
        let waitsTooLong =
            connection.version == NK_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            && CurlLibrary.shared.waitsForFirstResponse
        let waits = !isHTTP1 && !connection.isAlone && !waitsTooLong
        nk_easy_set_long(easy, NK_OPT_PIPEWAIT, waits ? 1 : 0)
    }

    /// Frees the body of the last request.
    func release() {
        if shortBody != nil { nk_easy_set_text(easy, NK_OPT_COPYPOSTFIELDS, nil) }
        (shortBody, hasUpload) = (nil, false)
    }

    // MARK: URL

    private func setURL(of request: EncodedRequest) {
        let text = request.url.absoluteString
        guard text != url else { return }
        url = text
        nk_easy_set_text(
            easy,
            NK_OPT_URL,
            text.utf8.contains(UInt8(ascii: "@")) ? Self.withoutUser(text) : text
        )
    }

    private func setTarget(_ target: String?) {
        guard target != self.target else { return }
        self.target = target
        nk_easy_set_text(easy, NK_OPT_REQUEST_TARGET, target)
    }

    /// Whether libcurl would change the target of a URL: one with escapes, or with an empty query.
    private static func changesTarget(of url: String) -> Bool {
        url.utf8.contains(UInt8(ascii: "%")) || url.utf8.last == UInt8(ascii: "?")
    }

    /// A URL without user information, which libcurl would send as a credential.
    private static func withoutUser(_ text: String) -> String {
        guard let start = text.range(of: "://")?.upperBound else { return text }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let mark = text[start..<end].lastIndex(of: "@") else { return text }
        return String(text[..<start]) + text[text.index(after: mark)...]
    }

    // MARK: Method and body

    private func setMethodAndBody(of request: EncodedRequest, as method: HTTPMethod) {
        let isPlainGet = method == .get && request.body == nil
        defer { self.isPlainGet = isPlainGet }
        guard !isPlainGet || !self.isPlainGet else { return }
        // It also ends what an earlier transfer had set.
        nk_easy_set_long(easy, NK_OPT_HTTPGET, 1)
        if let body = request.body, body.hasContent {
            if let data = body.data, data.count <= Self.maximumShortBody {
                setShortBody(data)
            } else {
                hasUpload = true
                nk_easy_set_long(easy, NK_OPT_UPLOAD, 1)
                nk_easy_set_offset(easy, NK_OPT_INFILESIZE_LARGE, body.knownLength ?? -1)
            }
        } else if request.body != nil || method.announcesNoBody {
            setShortBody(Data())
        } else if method == .head {
            nk_easy_set_long(easy, NK_OPT_NOBODY, 1)
        }
        // What libcurl says without it.
        let isImplied = shortBody == nil && !hasUpload && (method == .get || method == .head)
        nk_easy_set_text(easy, NK_OPT_CUSTOMREQUEST, isImplied ? nil : method.rawValue)
    }

    private func setShortBody(_ data: Data) {
        shortBody = Int64(data.count)
        nk_easy_set_long(easy, NK_OPT_POST, 1)
        nk_easy_set_offset(easy, NK_OPT_POSTFIELDSIZE_LARGE, Int64(data.count))
        data.withUnsafeBytes { bytes in
            var none: UInt8 = 0
            withUnsafePointer(to: &none) { none in
                _ = nk_easy_set_pointer(
                    easy,
                    NK_OPT_COPYPOSTFIELDS,
                    bytes.baseAddress ?? UnsafeRawPointer(none)
                )
            }
        }
    }

    // MARK: Fields

    private func setFields(of request: EncodedRequest) {
        let own = request.headers.fields
        let body = (shortBody != nil, hasUpload)
        guard body != lastBody || !isLast(own) else { return }
        (fields, lastBody) = (own, body)
        hasLargeField = false
        var encoding = ""
        var has = (accept: false, contentType: false)
        nk_list_free(list)
        // What libcurl would add for a proxy, and no client should send (RFC 9112, appendix C.2.2).
        list = nk_list_append(nil, "Proxy-Connection:")
        for field in own {
            if field.name == .acceptEncoding { encoding = field.value }
            if field.name == .accept { has.accept = true }
            if field.name == .contentType { has.contentType = true }
            // A semicolon makes an empty field.
            let line = field.name.rawName + (field.value.isEmpty ? ";" : ": \(field.value)")
            if line.utf8.count > Self.maximumField { hasLargeField = true }
            append(line)
        }
        // What libcurl would add; a colon removes it.
        if !has.accept { append("Accept:") }
        if shortBody != nil, !has.contentType { append("Content-Type:") }
        if shortBody != nil || hasUpload { append("Expect:") }
        nk_easy_set_pointer(easy, NK_OPT_HTTPHEADER, list.map { UnsafeRawPointer($0) })
        guard encoding != acceptEncoding else { return }
        // What libcurl decodes. It would write the field itself, twice, if it weren't among the others.
        acceptEncoding = encoding
        nk_easy_set_text(easy, NK_OPT_ACCEPT_ENCODING, encoding)
    }

    private func append(_ line: String) {
        if let longer = nk_list_append(list, line) { list = longer }
    }

    /// Whether the fields are the last request's, in the same spelling.
    private func isLast(_ own: [HTTPHeaders.Field]) -> Bool {
        guard let fields, own.count == fields.count else { return false }
        return zip(own, fields)
            .allSatisfy {
                $0.name.rawName.hasSameBytes(as: $1.name.rawName)
                    && $0.value.hasSameBytes(as: $1.value)
            }
    }
}
