import Foundation
import Testing

@testable import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Body framing")
struct BodyFramingTests {
    struct Case: Sendable {
        let fields: [String: String]
        var length: Int64?
        var announcesTrailers = false
        var isPlain = true
        var contradictsItself = false
    }

    private static let cases = [
        Case(fields: [:]),
        Case(fields: ["content-length": "12"], length: 12),
        Case(fields: ["Content-Length": "0"]),
        Case(
            fields: ["Content-Length": "12", "Content-Encoding": "gzip"],
            length: 12,
            isPlain: false
        ),
        Case(fields: ["Transfer-Encoding": "chunked"]),
        // Chunks outrank a length (RFC 9112, section 6.3).
        Case(fields: ["Content-Length": "12", "transfer-encoding": "chunked"]),
        Case(fields: ["transfer-encoding": "chunked", "trailer": "x"], announcesTrailers: true),
        Case(
            fields: ["Content-Length": "1", "Transfer-Encoding": "chunked", "Trailer": "x"],
            announcesTrailers: true
        ),
        Case(fields: ["Content-Length": "2, 4"], contradictsItself: true),
        Case(fields: ["Content-Length": "4,4 ,\t4"]),
        Case(fields: ["Content-Length": "4, "], contradictsItself: true),
        Case(fields: ["Content-Length": "4,"], contradictsItself: true),
        Case(fields: ["Content-Length": "4,,4"], contradictsItself: true),
        Case(fields: ["Content-Length": "-1, -1"], contradictsItself: true),
        Case(fields: ["Content-Length": "9223372036854775808"], contradictsItself: true),
        Case(fields: ["Content-Length": "4x"], contradictsItself: true),
        // Without chunks nothing can follow the body.
        Case(fields: ["Content-Length": "12", "Trailer": "x"], length: 12),
        Case(fields: ["Content-Length": "0", "Trailer": "x"]),
        Case(fields: ["Content-Length": "1"], length: 1),
    ]

    @Test("reads the length, trailers and compression from the head", arguments: cases)
    func framing(of example: Case) throws {
        let url = try #require(URL(string: "http://h/"))
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: example.fields
            )
        )
        let framing = BodyFraming(response)
        #expect(framing.length == example.length)
        #expect(framing.announcesTrailers == example.announcesTrailers)
        #expect(framing.contradictsItself == example.contradictsItself)
        #expect(BodyFraming.isPlain(response) == example.isPlain)
    }
}
