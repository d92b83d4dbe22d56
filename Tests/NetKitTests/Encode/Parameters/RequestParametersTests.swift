import Foundation
import Testing

@testable import NetKit

@Suite("Request parameters")
struct RequestParametersTests {
    private struct Item: Codable, Sendable { var b = 1, a = "x" }

    // Proof: instances are made and read by one test alone. Wrappers in a class are variables.
    private class Signed: @unchecked Sendable {
        @Header("X-Trace") var trace = "t"
        @Query("from") var origin: String? = "super"
    }

    private final class Derived: Signed, Request, @unchecked Sendable {
        typealias ResponseObjectType = Data
        let path = "x/{id}"
        @Path("id") var id = 7
        @Query("q") var text = "sub"
    }

    private struct RawFirst: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @RawData var data = Data("raw".utf8)
        @Object var item = Item()
        var body: RequestBody? { .string("body") }
    }

    private struct RawLast: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object var item = Item()
        @RawData var data = Data("raw".utf8)
    }

    private struct ObjectRequest: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        var method = HTTPMethod.post
        @Object var item: Item?
        @Query("q") var text: String? = "1"
        var body: RequestBody? { .string("body") }

        init(encoding: ParameterEncoding, item: Item?, method: HTTPMethod = .post) {
            _item = Object(encoding: encoding)
            self.item = item
            self.method = method
        }
    }

    private struct TwoObjects: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object var first = Item()
        @Object(encoding: .form()) var second = Item()
    }

    private struct Discreet: Request, CustomReflectable {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("shown") var shown = "1"
        @Query("hidden") var hidden = "2"
        var customMirror: Mirror { Mirror(self, children: ["_shown": _shown]) }
    }

    private struct Upload: MultipartFormDataRequest {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object(encoding: .form()) var fields = Item()
        @Query("q") var text = "1"
        var files: [any MultipartFile] {
            [DefaultMultipartFile(resource: Data("f".utf8), mime: "text/plain", fileName: "n")]
        }
    }

    private let endpoint = SampleEndpoint()

    @Test("finds those of a superclass")
    func superclass() throws {
        let encoded = try endpoint.encode(Derived())
        #expect(encoded.url.absoluteString == "http://host.test/api/x/7?q=sub&from=super")
        #expect(encoded.headers["X-Trace"] == "t")
        let other = Derived()
        (other.trace, other.origin, other.id) = ("u", nil, 8)
        #expect(try endpoint.url(other) == "http://host.test/api/x/8?q=sub")
    }

    @Test("takes raw data over an object over the body, in whatever order they stand")
    func precedence() throws {
        for request in [RawFirst(), RawLast()] as [any Request] {
            let encoded = try endpoint.encode(request)
            #expect(try encoded.bodyText() == "raw")
            #expect(encoded.headers[.contentType] == "application/octet-stream")
        }
        let object = ObjectRequest(encoding: .json, item: Item())
        #expect(try endpoint.encode(object).bodyText().contains(#""b":1"#))
        let none = ObjectRequest(encoding: .json, item: nil)
        #expect(try endpoint.encode(none).bodyText() == "body")
    }

    @Test("sends an object where it is told")
    func objects() throws {
        let form = try endpoint.encode(ObjectRequest(encoding: .form(), item: Item(b: 2, a: "é &")))
        #expect(try form.bodyText() == "b=2&a=%C3%A9+%26")
        #expect(form.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(form.url.query == "q=1")
        let query = ObjectRequest(encoding: .query(), item: Item())
        #expect(try endpoint.url(query) == "http://host.test/api/x?b=1&a=x&q=1")
        let json = try endpoint.encode(ObjectRequest(encoding: .json, item: Item()))
        #expect(json.headers[.contentType] == "application/json")
    }

    @Test("refuses two bodies")
    func twoBodies() throws {
        #expect(try endpoint.refusal(TwoObjects()) == .unencodableBody("two bodies"))
    }

    @Test("makes the fields of a form object text parts before the files")
    func multipart() throws {
        let encoded = try endpoint.encode(Upload())
        let body = try encoded.bodyText()
        let positions = ["name=\"b\"\r\n\r\n1", "name=\"a\"\r\n\r\nx", "filename=\"n\""]
            .compactMap { body.range(of: $0)?.lowerBound }
        #expect(positions.count == 3 && positions == positions.sorted())
        #expect(encoded.url.query == "q=1")
    }

    @Test("finds those that a mirror of the request's own gives")
    func ownMirror() throws {
        #expect(try endpoint.url(Discreet()) == "http://host.test/api/x?shown=1")
    }

    @Test("remembers which types have parameters, not their values")
    func values() throws {
        for id in 0..<3 {
            let request = Derived()
            request.id = id
            #expect(try endpoint.url(request) == "http://host.test/api/x/\(id)?q=sub&from=super")
        }
        #expect(RequestTraits.of(Derived()).hasParameters)
        #expect(!RequestTraits.of(Sample(path: "x")).hasParameters)
    }
}
