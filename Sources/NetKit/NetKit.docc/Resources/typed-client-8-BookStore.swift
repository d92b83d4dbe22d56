import Foundation
import NetKit
import NetKitCurl

public struct BookStore: Sendable {
    private let endpoint: Endpoint

    public init(url: URL) {
        self.init(endpoint: Endpoint(baseURL: url, transport: CurlTransport()))
    }

    init(endpoint: Endpoint) {
        self.endpoint = endpoint
    }

    public func book(_ id: Int) async throws(ErrorResponse<StoreError>) -> Book {
        try await endpoint.value(for: BookRequest(id: id))
    }

    public func add(title: String) async throws(ErrorResponse<StoreError>) -> Book {
        try await endpoint.value(for: AddBookRequest(title: title))
    }
}
