import Foundation
import NetKit
import NetKitTesting
import Testing

struct Bird: Codable, Hashable, Sendable {
    var name: String
    var hatchedAt: Date?
}

struct NestError: ServerError, Codable, Hashable {
    let message: String
}

struct BirdRequest: Request {
    typealias ResponseObjectType = Bird
    typealias ErrorType = NestError
    let path = "birds/{name}"
    @Path("name") var name: String

    init(_ name: String) {
        self.name = name
    }
}

struct HatchRequest: Request {
    typealias ResponseObjectType = Bird
    typealias ErrorType = NestError
    let path = "birds"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(_ bird: Bird) {
        body = .encodable(bird)
    }
}

typealias TextRequest = DefaultRequest<String, NestError>
typealias BytesRequest = DefaultRequest<Data, NestError>
typealias SilentRequest = DefaultRequest<Void, NestError>

/// An endpoint over a transport that never sees a network.
func endpoint(
    over transport: any Transport,
    path: String = "",
    retryingCount: Int = 0
) throws -> Endpoint {
    let url = try #require(URL(string: "https://nest.invalid" + path))
    return Endpoint(baseURL: url, transport: transport, retryingCount: retryingCount)
}

extension Endpoint {
    /// What a call ends with.
    func outcome<R: Request>(
        of request: R
    ) async -> Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>> {
        do throws(ErrorResponse<R.ErrorType>) {
            return .success(try await value(for: request))
        } catch {
            return .failure(error)
        }
    }

    /// The transport error that a call ends with, nil if it ends in another way.
    func transportError(of request: some Request) async -> TransportError? {
        guard case .failure(.transport(let error)) = await outcome(of: request) else { return nil }
        return error
    }
}
