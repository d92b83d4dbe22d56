import NetKitSupport
import Testing

@testable import NetKit

@Suite("Status codes")
struct HTTPStatusTests {
    @Test(
        "has its class by hundreds, and only 2xx is success",
        arguments: [
            (99, nil), (100, 1), (103, 1), (199, 1), (200, 2), (226, 2), (299, 2), (300, 3),
            (304, 3), (399, 3), (400, 4), (418, 4), (499, 4), (500, 5), (599, 5), (600, nil),
            (999, nil), (0, nil), (-1, nil),
        ] as [(Int, Int?)]
    )
    func hundreds(code: Int, hundred: Int?) {
        let status = HTTPStatus(rawValue: code)
        #expect(status.rawValue == code)
        #expect(status.isInformational == (hundred == 1))
        #expect(status.isSuccessful == (hundred == 2))
        #expect(status.isRedirection == (hundred == 3))
        #expect(status.isClientError == (hundred == 4))
        #expect(status.isServerError == (hundred == 5))
    }

    /// The registry of IANA, and the teapot that it keeps for RFC 2324.
    private static let registry = """
        100 Continue
        101 Switching Protocols
        102 Processing
        103 Early Hints
        200 OK
        201 Created
        202 Accepted
        203 Non-Authoritative Information
        204 No Content
        205 Reset Content
        206 Partial Content
        207 Multi-Status
        208 Already Reported
        226 IM Used
        300 Multiple Choices
        301 Moved Permanently
        302 Found
        303 See Other
        304 Not Modified
        305 Use Proxy
        307 Temporary Redirect
        308 Permanent Redirect
        400 Bad Request
        401 Unauthorized
        402 Payment Required
        403 Forbidden
        404 Not Found
        405 Method Not Allowed
        406 Not Acceptable
        407 Proxy Authentication Required
        408 Request Timeout
        409 Conflict
        410 Gone
        411 Length Required
        412 Precondition Failed
        413 Content Too Large
        414 URI Too Long
        415 Unsupported Media Type
        416 Range Not Satisfiable
        417 Expectation Failed
        418 I'm a Teapot
        421 Misdirected Request
        422 Unprocessable Content
        423 Locked
        424 Failed Dependency
        425 Too Early
        426 Upgrade Required
        428 Precondition Required
        429 Too Many Requests
        431 Request Header Fields Too Large
        451 Unavailable For Legal Reasons
        500 Internal Server Error
        501 Not Implemented
        502 Bad Gateway
        503 Service Unavailable
        504 Gateway Timeout
        505 HTTP Version Not Supported
        506 Variant Also Negotiates
        507 Insufficient Storage
        508 Loop Detected
        510 Not Extended
        511 Network Authentication Required
        """

    @Test("has the reason phrase of each registered code, and of no other")
    func phrases() {
        let described = (-1...1_000).map { HTTPStatus(rawValue: $0) }
            .filter { $0.reasonPhrase != nil }
            .map(\.description)
        #expect(described == Self.registry.split(separator: "\n").map { String($0) })
        #expect("\(HTTPStatus(rawValue: 799))" == "799")
    }

    @Test(
        "has names of common codes",
        arguments: [
            (.ok, 200), (.created, 201), (.accepted, 202), (.noContent, 204), (.notModified, 304),
            (.badRequest, 400), (.unauthorized, 401), (.forbidden, 403), (.notFound, 404),
            (.unprocessableContent, 422), (.tooManyRequests, 429),
            (.internalServerError, 500), (.serviceUnavailable, 503),
        ] as [(HTTPStatus, Int)]
    )
    func names(status: HTTPStatus, code: Int) {
        #expect(status.rawValue == code)
    }

    @Test(
        "matches numbers, names and ranges in a switch",
        arguments: [
            (404, "name"), (418, "number"), (503, "closed"), (204, "half-open"), (700, "from"),
            (302, "none"),
        ]
    )
    func patterns(code: Int, expected: String) {
        let matched =
            switch HTTPStatus(rawValue: code) {
            case .notFound: "name"
            case 418: "number"
            case 500...599: "closed"
            case 200..<300: "half-open"
            case 600...: "from"
            default: "none"
            }
        #expect(matched == expected)
    }
}
