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

    private final class Constants: Request {
        typealias ResponseObjectType = Data
        let path = "x/{id}", method = HTTPMethod.post
        private let id: Path<String>
        private let text: Query<String?>
        private let trace: Header<String>
        private let item: Object<Item>

        init(id: String, text: String?, trace: String, item: Item) {
            self.id = Path(wrappedValue: id, "id")
            self.text = Query(wrappedValue: text, "q")
            self.trace = Header(wrappedValue: trace, "X-Trace")
            self.item = Object(wrappedValue: item, encoding: .form())
        }
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

    private struct Dated: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object var item: [String: Date]

        init(_ item: Object<[String: Date]>) {
            _item = item
        }
    }

    private struct TwoObjects: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object var first = Item()
        @Object(encoding: .form()) var second = Item()
    }

    private struct Twins: Request {
        typealias ResponseObjectType = Data
        let path = "users/{id}/todos/{id}"
        @Path("id") var user = 1
        @Path("id") var todo = 2
    }

    private struct TwinFields: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Header("X-Key") var own: String? = "1"
        @Header("x-key") var other: String? = "2"
    }

    private final class Other: Named, Request, @unchecked Sendable {
        typealias ResponseObjectType = Data
        let path = "x/{id}"
        @Path("id") var other = 2
    }

    // Proof: instances are made and read by one test alone. Wrappers in a class are variables.
    private class Named: @unchecked Sendable {
        @Path("id") var id = 1
    }

    private final class Paged: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        private let page: Query<Int>?

        init(page: Int?) { self.page = page.map { Query(wrappedValue: $0, "page") } }
    }

    private enum Listing: Request {
        typealias ResponseObjectType = Data
        case all
        case page(Query<Int>)
        case numbered(number: Query<Int>)
        case sized(Query<Int>, size: Query<Int>?)
        var path: String { "x" }
    }

    @Test("sends an Optional parameter, and one of a case, also if the first request has none")
    func optionalWrappers() throws {
        let endpoint = SampleEndpoint()
        #expect(try endpoint.url(Paged(page: nil)) == "http://host.test/api/x")
        #expect(try endpoint.url(Paged(page: 2)) == "http://host.test/api/x?page=2")
        #expect(try endpoint.url(Listing.all) == "http://host.test/api/x")
        let page = Query(wrappedValue: 2, "page")
        for listing in [Listing.page(page), .numbered(number: page), .sized(page, size: nil)] {
            #expect(try endpoint.url(listing) == "http://host.test/api/x?page=2")
        }
    }

    @Test("refuses two path values or header fields of one name")
    func twins() throws {
        let requests: [(any Request, String)] = [
            (Twins(), "two @Path(\"id\")"), (Other(), "two @Path(\"id\")"),
            (TwinFields(), "header field \"x-key\": two @Header have this name"),
        ]
        for (request, problem) in requests {
            let error = #expect(throws: InvalidRequest.self) {
                try SampleEndpoint().encode(request)
            }
            #expect(error?.description == problem)
        }
        let one = try SampleEndpoint().encode(TwinFields(own: nil))
        #expect(one.headers["X-Key"] == "2")
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

    private struct JSONUpload: MultipartFormDataRequest {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object var item: JSONValue
        var files: [any MultipartFile] {
            [DefaultMultipartFile(resource: Data("f".utf8), mime: "text/plain", fileName: "n")]
        }

        init(item: JSONValue) {
            self.item = item
        }
    }

    private struct Measured: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("q") var value = Double.nan
    }

    private struct ObjectQuery: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Object(encoding: .query()) var item: [String: Double]

        init(item: [String: Double]) {
            self.item = item
        }
    }

    private let endpoint = SampleEndpoint()

    @Test("includes a superclass's parameters")
    func superclass() throws {
        let encoded = try endpoint.encode(Derived())
        #expect(encoded.url.absoluteString == "http://host.test/api/x/7?q=sub&from=super")
        #expect(encoded.headers["X-Trace"] == "t")
        let other = Derived()
        (other.trace, other.origin, other.id) = ("u", nil, 8)
        #expect(try endpoint.url(other) == "http://host.test/api/x/8?q=sub")
    }

    @Test("sends a class's constant parameters")
    func constants() throws {
        let request = Constants(id: "a/b", text: "c&d", trace: "t", item: Item())
        let encoded = try endpoint.encode(request)
        #expect(encoded.url.absoluteString == "http://host.test/api/x/a%2Fb?q=c%26d")
        #expect(encoded.headers["X-Trace"] == "t")
        #expect(try encoded.bodyText() == "b=1&a=x")
        let none = Constants(id: "1", text: nil, trace: "t", item: Item())
        #expect(try endpoint.url(none) == "http://host.test/api/x/1")
    }

    @Test("prefers raw data over an object over the body, in any declaration order")
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

    @Test("encodes an object as its wrapper says")
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

    @Test("writes the dates of an object as its encoder does, as numbers by default")
    func dates() throws {
        let item = ["at": Date(timeIntervalSinceReferenceDate: 5)]
        let plain = Dated(Object(wrappedValue: item))
        #expect(try endpoint.encode(plain).bodyText() == #"{"at":5}"#)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let since1970 = Dated(Object(wrappedValue: item, encoder: encoder))
        #expect(try endpoint.encode(since1970).bodyText() == #"{"at":978307205}"#)
    }

    @Test("rejects two bodies")
    func twoBodies() throws {
        #expect(try endpoint.refusal(TwoObjects()) == .unencodableBody("two bodies"))
    }

    @Test("turns the fields of a form object into text parts before the files")
    func multipart() throws {
        let encoded = try endpoint.encode(Upload())
        let body = try encoded.bodyText()
        let positions = ["name=\"b\"\r\n\r\n1", "name=\"a\"\r\n\r\nx", "filename=\"n\""]
            .compactMap { body.range(of: $0)?.lowerBound }
        #expect(positions.count == 3 && positions == positions.sorted())
        #expect(encoded.url.query == "q=1")
    }

    @Test("turns the members of a JSON object into text parts before the files, like SwiftConnect")
    func multipartJSON() throws {
        let body =
            try endpoint.encode(
                JSONUpload(
                    item: [
                        "title": "a \"b\"", "id": 9_223_372_036_854_775_807, "price": 0.1,
                        "done": true,
                        "tags": ["x", 1], "none": nil,
                    ]
                )
            )
            .bodyText()
        let parts = body.components(separatedBy: "Content-Disposition: form-data; name=")
            .dropFirst()
            .map { $0.components(separatedBy: "\r\n--")[0] }
        #expect(
            parts == [
                "\"done\"\r\n\r\ntrue", "\"id\"\r\n\r\n9223372036854775807",
                "\"price\"\r\n\r\n0.1", "\"tags\"\r\n\r\n[\"x\",1]",
                "\"title\"\r\n\r\na \"b\"",
                "\"n\"; filename=\"n\"\r\nContent-Type: text/plain\r\n\r\nf",
            ]
        )
        let list = try endpoint.refusal(JSONUpload(item: [1]))
        #expect(list == .unencodableBody("a JSON body next to files must be an object"))
    }

    private struct Listed: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Header("X-Tags") var tags = ["a", "b"]
    }

    private struct ListedPath: Request {
        typealias ResponseObjectType = Data
        let path = "x/{tags}"
        @Path("tags") var tags = ["a", "b"]
    }

    private struct ListedQuery: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("tags") var tags = [["a"]]
    }

    @Test("says what to write for a value without a text form, where it belongs")
    func advice() throws {
        let requests: [(any Request, String)] = [
            (Listed(), "\"X-Tags\" has no text form: write its text, as a String"),
            (
                ListedPath(),
                "\"tags\" has no text form: write its text, as a String, or encoding: .segments"
            ),
            (ListedQuery(), "\"tags\" has no text form: write @Object(encoding: .query())"),
        ]
        for (request, words) in requests {
            #expect(try SampleEndpoint().invalid(request)?.message == "parameter \(words)")
        }
    }

    @Test("rejects a query value without a text form, by name")
    func unencodable() throws {
        #expect(try endpoint.refusal(Measured()) == .unencodableParameter("q"))
        let object = ObjectQuery(item: ["n": .nan])
        #expect(try endpoint.refusal(object) == .unencodableParameter("n"))
    }

    @Test("reads a custom mirror's parameters")
    func ownMirror() throws {
        #expect(try endpoint.url(Discreet()) == "http://host.test/api/x?shown=1")
    }

    @Test("caches which types have parameters, not their values")
    func values() throws {
        for id in 0..<3 {
            let request = Derived()
            request.id = id
            #expect(try endpoint.url(request) == "http://host.test/api/x/\(id)?q=sub&from=super")
        }
        #expect(RequestTraits.of(Derived()).hasParameters)
        #expect(!RequestTraits.of(Sample(path: "x")).hasParameters)
    }

    private struct Conditional: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Header(.ifModifiedSince) var since = Date(timeIntervalSince1970: 784_111_777.5)
        @Header("if-unmodified-since") var before: Date? = Date(timeIntervalSince1970: 0)
        @Header(.ifRange) var tag = "\"a\""
        @Header("X-When") var other = Date(timeIntervalSince1970: 0)
    }

    @Test("writes a date in a field for dates as HTTP does, and in any other in ISO 8601")
    func dateFields() throws {
        let headers = try SampleEndpoint().encode(Conditional()).headers
        #expect(headers[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(headers[.ifUnmodifiedSince] == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(headers[.ifRange] == "\"a\"")
        #expect(headers["X-When"] == "1970-01-01T00:00:00Z")
    }

    @Test("fills placeholders from a dictionary")
    func dictionary() throws {
        let parameters = try RequestParameters(path: ["id": 7, "name": "a/b"])
        #expect(try parameters.path(in: "users/{id}/{name}") == "users/7/a%2Fb")
        #expect(throws: InvalidRequest.self) {
            try RequestParameters(path: ["id": Int?.none as any Sendable])
        }
    }

    @Test("reads raw data back as it was set")
    func rawData() {
        var request = RawFirst()
        #expect(request.data == Data("raw".utf8))
        request.data = Data("new".utf8)
        #expect(request.data == Data("new".utf8))
    }
}
