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

    @Test(
        "has IANA's reason phrase",
        arguments: [
            (100, 100, "Continue"), (103, 103, "Early Hints"), (.ok, 200, "OK"),
            (226, 226, "IM Used"), (308, 308, "Permanent Redirect"),
            (.notFound, 404, "Not Found"), (413, 413, "Content Too Large"),
            (418, 418, "I'm a Teapot"), (421, 421, "Misdirected Request"),
            (.unprocessableContent, 422, "Unprocessable Content"), (425, 425, "Too Early"),
            (451, 451, "Unavailable For Legal Reasons"),
            (511, 511, "Network Authentication Required"),
        ] as [(HTTPStatus, Int, String)]
    )
    func phrases(status: HTTPStatus, code: Int, phrase: String) {
        #expect(status.rawValue == code)
        #expect(status.reasonPhrase == phrase)
        #expect("\(status)" == "\(code) \(phrase)")
    }

    @Test("has no reason phrase without IANA's")
    func unknown() {
        #expect(HTTPStatus(rawValue: 299).reasonPhrase == nil)
        #expect("\(HTTPStatus(rawValue: 799))" == "799")
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
