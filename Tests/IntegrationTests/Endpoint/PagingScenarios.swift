import Foundation
import NetKitPaging
import NetKitTesting
import Testing

@testable import NetKit

@Suite("Paging", .timeLimit(.minutes(15)))
struct PagingScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.url("/v1"), retryingCount: 0)
    }

    @Test("follows links with everything in the request except its query")
    func links() async throws {
        let request = ShelfRequest(interceptors: [Adding(name: "X-Added")])
        endpoint.headers = ["X-Endpoint": "e", .authorization: "Bearer t"]
        endpoint.queryParams = [("key", "k"), ("page", "0")]
        server.enqueue(try .batch([1, 2], link: "?page=2"))
        server.enqueue(try .batch([], link: "/v1/other?page=3&page=4"))
        server.enqueue(try .batch([3], link: "\(server.baseURL)/%7Bx%7D?page=5"))
        server.enqueue(try .batch([4]))
        #expect(try await endpoint.pages(of: request).allItems == [1, 2, 3, 4])
        #expect(
            server.requests.map(\.target) == [
                "/v1/shelves/a%20b/books?key=k&page=0&order=asc&lang=de&cursor=start&full",
                "/v1/shelves/a%20b/books?key=k&page=2",
                "/v1/other?key=k&page=3&page=4", "/%7Bx%7D?key=k&page=5",
            ]
        )
        let names = [
            "Accept", "X-App", "Cookie", "X-Key", "X-Trace", "X-Endpoint", "X-Added",
        ]
        let first = try #require(server.requests.first)
        for request in server.requests {
            #expect(request.method == "GET")
            for name in names {
                #expect(request.header(name) != nil, "\(name)")
                #expect(request.header(name) == first.header(name))
            }
        }
    }

    @Test("finds the link among several fields, and resolves it after a redirect")
    func severalLinks() async throws {
        server.enqueue(.redirect(to: "/v2/moved/list"))
        server.enqueue(
            try MockResponse.batch([1]).header("Link", "</x>; rel=prev")
                .header("Link", "<2>; title=\"a, b\"; rel=next")
        )
        server.enqueue(try .batch([2]))
        #expect(try await endpoint.pages(of: BatchRequest(path: "list")).allItems == [1, 2])
        #expect(server.requests.map(\.path) == ["/v1/list", "/v2/moved/list", "/v2/moved/2"])
    }

    @Test("follows the link of a POST response with a GET without a body")
    func linkAfterPost() async throws {
        server.enqueue(try .batch([1], link: "/next"))
        server.enqueue(try .batch([2]))
        let request = BatchRequest(
            path: "search",
            method: .post,
            body: .params(["q": "x"]),
            headers: ["Idempotency-Key": "i", "X-App": "app"]
        )
        #expect(try await endpoint.pages(of: request).allItems == [1, 2])
        let last = try #require(server.requests.last)
        #expect(last.method == "GET")
        #expect(last.bodyLength == 0)
        #expect(last.header("Content-Type") == nil)
        #expect(last.header("Idempotency-Key") == nil)
        #expect(last.header("X-App") == "app")
    }

    @Test("follows the link of a POST response to its own URL with a GET, once")
    func linkToItself() async throws {
        server.enqueue(try .batch([1], link: "/v1/search"), try .batch([2], link: "/v1/search"))
        var pages = endpoint.pages(of: BatchRequest(path: "search", method: .post))
            .makeAsyncIterator()
        #expect(try await pages.next()?.value.items == [1])
        #expect(try await pages.next()?.value.items == [2])
        let error = await #expect(throws: PagingFailure.self) { try await pages.next() }
        #expect(error == .repeatedRequest("\(server.url("/v1/search"))"))
        #expect(server.requests.map(\.method) == ["POST", "GET"])
    }

    @Test("sends the preconditions and the range of the first page with no other page")
    func preconditions() async throws {
        let headers: HTTPHeaders = [
            .ifMatch: "\"a\"", .ifNoneMatch: "\"b\"",
            .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT",
            .ifUnmodifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT", .ifRange: "\"a\"",
            .range: "bytes=0-", "X-App": "app",
        ]
        server.enqueue(try .batch([1], link: "?page=2"), try .batch([2]))
        let request = BatchRequest(path: "list", headers: headers)
        #expect(try await endpoint.pages(of: request).allItems == [1, 2])
        let names = headers.dictionary.keys
        let sent = server.requests.map { request in
            Set(names.filter { request.header($0) != nil })
        }
        #expect(sent == [Set(names), ["X-App"]])
    }

    @Test("follows a URL in the page")
    func addresses() async throws {
        server.enqueue(try .batch([1], next: "\(server.baseURL)/v1/list?after=1"))
        server.enqueue(try .batch([2], next: "?after=2"))
        server.enqueue(try .batch([3], next: ""))
        let pages = endpoint.pages(of: BatchRequest(path: "list"), by: .url { $0.next })
        #expect(try await pages.allItems == [1, 2, 3])
        #expect(
            server.requests.map(\.target) == ["/v1/list", "/v1/list?after=1", "/v1/list?after=2"]
        )
    }

    @Test("sets the cursor in the query, replacing an earlier one")
    func cursors() async throws {
        endpoint.headers.authToken = .bearer("t")
        endpoint.queryParams = [("key", "k")]
        server.enqueue(try .batch([1], next: "a+b/=&"))
        server.enqueue(try .batch([2], next: "{id}"))
        server.enqueue(try .batch([3], next: ""))
        let request = ShelfRequest(method: .query, interceptors: [Adding(name: "X-Added")])
        #expect(
            try await endpoint.pages(of: request, by: .cursor { $0.next }).allItems == [1, 2, 3]
        )
        #expect(server.requests.map { $0.queryValue("cursor") } == ["start", "a+b/=&", "{id}"])
        for request in server.requests {
            #expect(request.method == "QUERY")
            #expect(request.path == "/v1/shelves/a%20b/books")
            #expect(request.query.map(\.name) == ["key", "order", "lang", "cursor", "full"])
            #expect(request.header("Authorization") == nil)
            #expect(request.header("X-Key") == "k")
            #expect(request.header("X-Added") == "yes")
            #expect(request.header("X-Trace") == "t")
        }
    }

    @Test("sends the body with every page")
    func bodies() async throws {
        server.enqueue(try .batch([1], next: "2"), try .batch([2], next: "3"), try .batch([3]))
        let request = BatchRequest(
            path: "search",
            method: .post,
            queryParams: [("size", "1")],
            body: .params(["q": "x"])
        )
        let pages = endpoint.pages(of: request, by: .cursor(name: "after") { $0.next })
        #expect(try await pages.allItems == [1, 2, 3])
        #expect(
            server.requests.map(\.target) == [
                "/v1/search?size=1", "/v1/search?size=1&after=2", "/v1/search?size=1&after=3",
            ]
        )
        #expect(server.requests.allSatisfy { $0.method == "POST" && $0.text == #"{"q":"x"}"# })
    }

    @Test("sends a form's files with every page")
    func forms() async throws {
        struct Search: MultipartFormDataRequest {
            typealias ResponseObjectType = Batch
            let path = "search"
            let method: HTTPMethod = .post
            let files: [any MultipartFile] = [
                DefaultMultipartFile(
                    resource: Data("picture".utf8),
                    mime: "image/png",
                    name: "like",
                    fileName: "a.png"
                )
            ]
        }
        server.enqueue(try .batch([1], next: "2"), try .batch([2]))
        let pages = endpoint.pages(of: Search(), by: .cursor { $0.next.flatMap { Int($0) } })
        #expect(try await pages.allItems == [1, 2])
        #expect(server.requests.map(\.target) == ["/v1/search", "/v1/search?cursor=2"])
        #expect(server.requests.allSatisfy { $0.text.contains("picture") })
    }

    @Test("counts items from the offset in the request's query")
    func offsets() async throws {
        server.enqueue(try .batch([1, 2]), try .batch([3, 4]), try .batch([5]))
        let request = BatchRequest(path: "list", queryParams: [("skip", "10"), ("limit", "2")])
        let pages = endpoint.pages(
            of: request,
            by: .offset(name: "skip", step: 2) { $0.items.count < 2 }
        )
        #expect(try await pages.allItems == [1, 2, 3, 4, 5])
        #expect(server.requests.map { $0.queryValue("skip") } == ["10", "12", "14"])
        #expect(server.requests.allSatisfy { $0.queryValue("limit") == "2" })
    }

    @Test("counts the items that a page has, and ends at an empty one")
    func countedItems() async throws {
        server.enqueue(try .batch([1, 2]), try .batch([3]), try .batch([4, 5]), try .batch([]))
        let request = BatchRequest(path: "list", queryParams: [("limit", "100")])
        let pages = endpoint.pages(of: request, by: .offset(name: "from") { $0.items.count })
        #expect(try await pages.allItems == [1, 2, 3, 4, 5])
        #expect(server.requests.map { $0.queryValue("from") } == [nil, "2", "3", "5"])
    }

    @Test("sends the request that a page makes, once")
    func requests() async throws {
        @Sendable func search(after cursor: String?) -> BatchRequest {
            BatchRequest(path: "search", method: .post, body: ["after": cursor])
        }
        server.enqueue(try .batch([1], next: "a"), try .batch([2], next: "b"), try .batch([3]))
        let pages = endpoint.pages(
            of: search(after: nil),
            by: .request { page in page.next.map { search(after: $0) } }
        )
        #expect(try await pages.allItems == [1, 2, 3])
        #expect(
            server.requests.map(\.text) == [
                #"{"after":null}"#, #"{"after":"a"}"#, #"{"after":"b"}"#,
            ]
        )
        server.enqueue(try .batch([1], next: "a"), try .batch([2], next: "a"))
        let (count, error) = await pages.ending
        #expect(count == 2)
        #expect(error as? PagingFailure == .repeatedRequest("\(server.baseURL)/v1/search"))
    }

    @Test("counts pages")
    func pageNumbers() async throws {
        server.enqueue(try .batch([1]), try .batch([2]), try .batch([]))
        let pages = endpoint.pages(of: BatchRequest(path: "list"), by: .page { $0.items.isEmpty })
        #expect(try await pages.allItems == [1, 2])
        #expect(
            server.requests.map(\.target) == ["/v1/list", "/v1/list?page=2", "/v1/list?page=3"]
        )
    }
}
