import Foundation
import Testing

@testable import NetKit

/// Requests that are another one with something changed say everything else as that one does.
@Suite("Forwarding requests")
struct ForwardingRequestTests {
    enum Mark: RequestContextKey { typealias Value = String }

    /// A request that says nothing.
    struct Plain: Request {
        typealias ResponseObjectType = Int
        let path = ""
    }

    private struct Passing: Interceptor {
        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            try await next(request)
        }
    }

    /// A request that says everything otherwise than by default.
    private struct Full: Request {
        typealias ResponseObjectType = Int
        let path = "full"
        let method = HTTPMethod.put
        let queryParams = [("a", "1")]
        let queryItems = [QueryItem.flag("b")]
        let body: RequestBody? = .string("body")
        let headers: HTTPHeaders = ["X-Full": "yes"]
        let timeout: TimeInterval? = 7
        let authToken: AuthToken? = .bearer("t")
        let responseConverter: (any ResponseJSONConverter)? = ClosureResponseConverter { $0 }
        let errorConverter: (any ResponseJSONConverter)? = ClosureResponseConverter { $0 }
        let endpoint: Endpoint?
        let decoder: JSONDecoder? = JSONDecoder()
        let interceptors: [any Interceptor] = [Passing()]
        let isCoalesced = true
        let cachePolicy = CachePolicy.reload
        let priority = RequestPriority.high
        let redaction: Redaction? = Redaction.none
        let retryPolicy: RetryPolicy? = .never
        let isAuthenticated = false
        let responseDecoding = ResponseDecoding<Int>(accept: "text/full") { _, _ in 0 }

        var context: RequestContext {
            var context = RequestContext()
            context[Mark.self] = "full"
            return context
        }
    }

    /// A wrapper as users write one.
    private struct Versioned<Base: Request>: ForwardingRequest {
        typealias ErrorType = Base.ErrorType
        let base: Base
        var wrappedRequest: any Request { base }
        var headers: HTTPHeaders { ["X-Version": "2"] }
        var responseConverter: (any ResponseJSONConverter)? { base.responseConverter }
        var responseDecoding: ResponseDecoding<Base.ResponseObjectType> { base.responseDecoding }
    }

    private struct Upload: MultipartFormDataRequest {
        typealias ResponseObjectType = Int
        let path = "albums/{id}"
        let method = HTTPMethod.post
        @Path("id") var id = 7
        @Query("size") var size = "big"
        let files: [any MultipartFile] = [
            DefaultMultipartFile(
                resource: Data("photo".utf8),
                mime: .image(.png),
                fileName: "photo.png"
            )
        ]
    }

    private static func accept(_ request: some Request) -> String {
        request.responseDecoding.accept
    }

    private static func identity(_ object: AnyObject?) -> String {
        object.map { "\(ObjectIdentifier($0))" } ?? ""
    }

    /// Each requirement as text.
    static let requirements: [String: @Sendable (any Request) -> String] = [
        "path": { $0.path },
        "method": { $0.method.rawValue },
        "queryParams": { "\($0.queryParams)" },
        "queryItems": { "\($0.queryItems)" },
        "body": { $0.body == nil ? "" : "body" },
        "headers": { $0.headers["X-Full"] ?? "" },
        "timeout": { "\($0.timeout ?? 0)" },
        "authToken": { $0.authToken == nil ? "" : "token" },
        "isAuthenticated": { "\($0.isAuthenticated)" },
        "retryPolicy": { $0.retryPolicy == .never ? "never" : "" },
        "responseConverter": { $0.responseConverter == nil ? "" : "converter" },
        "errorConverter": { $0.errorConverter == nil ? "" : "converter" },
        "endpoint": { identity($0.endpoint) },
        "decoder": { identity($0.decoder) },
        "interceptors": { "\($0.interceptors.count)" },
        "isCoalesced": { "\($0.isCoalesced)" },
        "cachePolicy": { "\($0.cachePolicy)" },
        "priority": { "\($0.priority)" },
        "context": { $0.context[Mark.self] ?? "" },
        "redaction": { $0.redaction == nil ? "" : "redaction" },
        "responseDecoding": { accept($0) },
    ]

    @Test("is compared for every requirement of Request")
    func completeness() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = URL(
            fileURLWithPath: "../../../Sources/NetKit/Describe/Request.swift",
            relativeTo: tests
        )
        let source = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(source.range(of: "public protocol Request<"))
        let lines = source[start.upperBound...].split(separator: "\n").prefix { $0 != "}" }
        let names = lines.compactMap { line -> String? in
            guard line.hasPrefix("    var ") else { return nil }
            return line.dropFirst(8).split(separator: ":").first.map { String($0) }
        }
        #expect(names.count > 15)
        #expect(
            Set(names) == Set(Self.requirements.keys),
            "a requirement is new: forward it, and compare it here"
        )
    }

    @Test("forwards every requirement except those it changes")
    func forwarding() throws {
        let base = try #require(URL(string: "http://127.0.0.1"))
        let full = Full(endpoint: Endpoint(baseURL: base))
        let cases: [(any Request, changed: Set<String>)] = [
            (AnyRequest(full), ["responseConverter"]),
            (full.download(to: base), ["responseConverter", "responseDecoding"]),
            (Versioned(base: full), ["headers"]),
            (AnyRequest(Versioned(base: full)), ["headers", "responseConverter"]),
        ]
        for (name, read) in Self.requirements {
            #expect(read(full) != read(Plain()), "\(name) is as by default")
            for (request, changed) in cases {
                let isForwarded = read(request) == read(full)
                #expect(isForwarded != changed.contains(name), "\(name) of \(type(of: request))")
            }
        }
    }

    private struct Paged: ForwardingRequest {
        typealias ResponseObjectType = String
        let wrappedRequest: any Request
        @Query("page") var page = 2
    }

    @Test("refuses a parameter of the wrapper, which would be ignored")
    func ownParameters() {
        for wrapper in [
            Paged(wrappedRequest: Upload()), AnyRequest(Paged(wrappedRequest: Upload())),
        ]
            as [any Request]
        {
            let error = #expect(throws: InvalidRequest.self) {
                try SampleEndpoint().encode(wrapper)
            }
            #expect(
                error?.description
                    == "property \"page\" would be ignored: declare it as a parameter of the wrapped "
                    + "request, not Query<Int>"
            )
        }
    }

    @Test("uses the parameters and files of the innermost request")
    func parameters() throws {
        let wrappers: [any Request] = [
            Versioned(base: Upload()), AnyRequest(Versioned(base: Upload())),
            Versioned(base: Versioned(base: Upload())),
        ]
        for wrapper in wrappers {
            let request = try SampleEndpoint().encode(wrapper)
            #expect(request.url.path == "/api/albums/7" && request.url.query == "size=big")
            #expect(request.headers["X-Version"] == "2")
            let bytes = try #require(try request.body?.bytes())
            #expect(String(decoding: bytes, as: UTF8.self).contains("filename=\"photo.png\""))
        }
    }
}
