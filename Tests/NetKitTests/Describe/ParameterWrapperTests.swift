import Foundation
import Testing

@testable import NetKit

@Suite("Parameter wrappers")
struct ParameterWrapperTests {
    private enum Action: String { case update, remove }

    private struct Item: Codable, Sendable { let id: Int }

    private struct UpdateTodo: Request {
        typealias ResponseObjectType = Void
        let path = "/users/{userId}/todos/{todoId}"
        let method: HTTPMethod = .put
        @Path("userId") private(set) var userId: Int
        @Path("todoId") private(set) var todoId: Int
        @Query("action") private(set) var action: Action?
        @Header("X-Trace") var trace: String?
        @Object(encoding: .json) private(set) var todo: Item

        init(userId: Int, todoId: Int, action: Action?, todo: Item) {
            self.userId = userId
            self.todoId = todoId
            self.action = action
            self.todo = todo
        }
    }

    private struct Everything: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        var method: HTTPMethod = .get
        @Query("page") var page = 1
        @Query("q") var text: String?
        @Query("tags") var tags: [String] = ["a", "b"]
        @Query("flag") var flag = true
        @Query("action") var action = Action.remove
        @Query("ids", encoding: URLEncoding(arrays: .comma)) var ids: Set<Int>? = [3, 1]
        @Header("X-When") var date: Date?
    }

    private struct UnsetPath: Request {
        typealias ResponseObjectType = Data
        let path = "x/{id}"
        @Path("id") var id: Int
        init() {}
    }

    private struct UnsetQuery: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("q") var text: String
        init() {}
    }

    private struct UnsetHeader: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Header("X-Trace") var trace: String
        init() {}
    }

    private struct UnsetObject: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @Object var item: Item
        init() {}
    }

    private struct UnsetData: Request {
        typealias ResponseObjectType = Data
        let path = "x", method = HTTPMethod.post
        @RawData var data: Data
        init() {}
    }

    private struct OptionalPath: Request {
        typealias ResponseObjectType = Data
        let path = "x/{id}"
        @Path("id") var id: Int?
    }

    private let endpoint = SampleEndpoint(base: "http://host.test")

    @Test("describes a whole request")
    func together() throws {
        var request = UpdateTodo(userId: 123, todoId: 1234, action: .update, todo: Item(id: 5))
        request.trace = "t"
        let encoded = try endpoint.encode(request)
        #expect(encoded.method == .put)
        #expect(encoded.url.absoluteString == "http://host.test/users/123/todos/1234?action=update")
        #expect(encoded.headers[.contentType] == "application/json")
        #expect(encoded.headers["X-Trace"] == "t")
        #expect(try encoded.bodyText() == #"{"id":5}"#)
        #expect(request.userId == 123 && request.action == .update && request.todo.id == 5)
    }

    @Test("has no values in the description of its request")
    func concealment() {
        struct Login: Request {
            typealias ResponseObjectType = Void
            let path = "login"
            let body: RequestBody? = .params(["p": "s3cret"])
            let queryItems = [QueryItem(name: "q", value: "s3cret")]
            @Header("X-Api-Key") var key = "s3cret"
            @Query("token") var token: String? = "s3cret"
        }
        let login = Login()
        var dumped = ""
        dump(login, to: &dumped)
        #expect(dumped.contains("X-Api-Key"))
        for text in ["\(login)", String(reflecting: login), dumped] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
    }

    @Test("omits nil and sends defaults, in declaration order")
    func defaults() throws {
        var request = Everything()
        #expect(request.text == nil && request.date == nil && request.page == 1)
        let expected = "page=1&tags%5B%5D=a&tags%5B%5D=b&flag=true&action=remove&ids=1%2C3"
        #expect(try endpoint.url(request) == "http://host.test/x?" + expected)
        #expect(try endpoint.encode(request).headers["X-When"] == nil)

        request.text = ""
        request.date = Date(timeIntervalSince1970: 0)
        request.tags = []
        request.ids = nil
        request.method = .post
        let encoded = try endpoint.encode(request)
        #expect(encoded.url.query == "page=1&q=&flag=true&action=remove")
        #expect(encoded.headers["X-When"] == "1970-01-01T00:00:00Z")
        #expect(encoded.body == nil)
    }

    @Test("rejects an unset parameter by name")
    func unset() throws {
        #expect(try endpoint.refusal(UnsetPath()) == .missingPathParameter("id"))
        #expect(try endpoint.refusal(OptionalPath()) == .missingPathParameter("id"))
        #expect(try endpoint.invalid(UnsetPath())?.message == #"@Path("id") was never set"#)
        let ofNil = try endpoint.invalid(OptionalPath())?.message
        #expect(ofNil?.hasPrefix(#"@Path("id") "#) == true)
        #expect(try endpoint.refusal(UnsetQuery()) == .unsetParameter("q"))
        #expect(try endpoint.refusal(UnsetHeader()) == .unsetParameter("X-Trace"))
        #expect(try endpoint.refusal(UnsetObject()) == .unsetParameter(""))
        #expect(try endpoint.refusal(UnsetData()) == .unsetParameter(""))
    }

    @Test("shows of a value whether it is set")
    func shown() {
        var storage = ParameterStorage<String>()
        #expect("\(storage)" == "unset")
        storage.value = "SECRET"
        #expect("\(storage)" == "set")
    }

    @Test("can't be read before it is set, unless it is Optional")
    func readingUnset() async {
        #expect(OptionalPath().id == nil)
        await #expect(processExitsWith: .failure) { _ = UnsetPath().id }
    }
}
