import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Request modules", .timeLimit(.minutes(15)))
struct ModuleScenarios {
    private struct GetPost: Request {
        typealias ResponseObjectType = Item
        let path = "/posts/{id}"
        @Path("id") private(set) var id: Int
        init(id: Int) { self.id = id }
    }

    private struct CreatePost: MultipartFormDataRequest {
        typealias ResponseObjectType = Item
        let path = "/posts"
        let method = HTTPMethod.post
        let files: [any MultipartFile]
        @Object(encoding: .form()) private(set) var post: Item
        @Header("X-From") var origin = "module"

        init(files: [any MultipartFile], post: Item) {
            self.files = files
            self.post = post
        }
    }

    private enum PostModule: Module {
        case get(id: Int)
        case create(files: [any MultipartFile], post: Item)
        case save(id: Int, to: URL)

        var request: any Request {
            switch self {
            case .get(let id): GetPost(id: id)
            case .create(let files, let post): CreatePost(files: files, post: post)
            case .save(let id, let file): GetPost(id: id).download(to: file)
            }
        }
    }

    /// An enum that is a request itself, so that the type of the value is known.
    private enum PostRequest: Request {
        typealias ResponseObjectType = Item
        case first
        case update(Item)

        var path: String { "/posts/1" }
        var method: HTTPMethod { if case .first = self { .get } else { .put } }
        var body: RequestBody? {
            if case .update(let item) = self { .encodable(item) } else { nil }
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/posts/*") { request in
            request.method == "DELETE"
                ? .status(404) : .json(text: #"{"id":7}"#)
        }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func file() -> DefaultMultipartFile {
        DefaultMultipartFile(
            resource: Data([1, 2]),
            mime: .image(.png),
            name: "f",
            fileName: "a.png"
        )
    }

    /// Files are sent through the one call as well.
    @Test("executes every request through one function, files included")
    func module() async throws {
        let created = await outcome(
            of: endpoint.execute(PostModule.create(files: [file()], post: Item(id: 3)))
        )
        #expect(try created.get().decoded(to: Item.self) == Item(id: 7))
        let sent = try #require(server.requests.first)
        #expect(sent.header("X-From") == "module")
        #expect(sent.multipart.map(\.name) == ["id", "f"])
        #expect(sent.multipart.map(\.body) == [Data("3".utf8), Data([1, 2])])
        #expect(sent.multipart.last?.fileName == "a.png")

        let response = try await endpoint.value(for: PostModule.get(id: 7))
        #expect(response.statusCode == 200)
        #expect(server.requests.last?.target == "/posts/7")
        #expect(server.requests.last?.header("Accept") == "application/json")
        #expect(await outcome(of: endpoint.execute(PostModule.get(id: 8))).value != nil)
    }

    private struct Names: Interceptor {
        let names: Journal

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            names.note(RequestContext.current.requestName)
            return try await next(request)
        }
    }

    @Test("names each request by its own type")
    func names() async throws {
        let names = Journal()
        endpoint.interceptors = [Names(names: names)]
        _ = try await endpoint.value(for: PostModule.get(id: 7))
        _ = try await endpoint.value(for: AnyRequest(AnyRequest(GetPost(id: 8))))
        _ = try await endpoint.value(for: GetPost(id: 9))
        names.end()
        #expect(await names.entries == ["GetPost", "GetPost", "GetPost"])
    }

    @Test("writes the file of a download, and leaves it as it is after a failure")
    func download() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("post.json")
        let saving = PostModule.save(id: 1, to: file)
        let response = try await endpoint.value(for: saving)
        #expect(response.statusCode == 200 && response.body.isEmpty)
        let content = Data(#"{"id":7}"#.utf8)
        #expect(try Data(contentsOf: file) == content)

        server.enqueue(.json(text: #"{"message":"no"}"#, status: 403))
        let twice = AnyRequest(AnyRequest(saving.request))
        #expect(await outcome(of: endpoint.execute(twice)).error?.message == "no")
        #expect(try Data(contentsOf: file) == content)
        #expect(server.requests.map { $0.header("Accept-Encoding") } == ["identity", "identity"])
        withExtendedLifetime(folder) {}
    }

    /// A request of any type, asked for its response.
    @Test("returns the plain response of any request type")
    func any() async throws {
        struct Remove: Request {
            typealias ResponseObjectType = Void
            let path = "/posts/1"
            let method = HTTPMethod.delete
        }
        let requests: [any Request] = [GetPost(id: 1), PostRequest.first, Remove()]
        let results = await endpoint.values(for: requests.map { AnyRequest($0) })
        #expect(results.map { $0.value?.statusCode ?? $0.error?.statusCode } == [200, 200, 404])
    }

    @Test("can be an enum that is itself a request", arguments: CallStyle.allCases)
    func enumeration(style: CallStyle) async throws {
        #expect(try await style.outcome(of: PostRequest.first, on: endpoint).get() == Item(id: 7))
        let update = PostRequest.update(Item(id: 2))
        #expect(try await style.outcome(of: update, on: endpoint).get() == Item(id: 7))
        #expect(server.requests.map(\.method) == ["GET", "PUT"])
        #expect(server.requests.last?.text == #"{"id":2}"#)
    }
}
