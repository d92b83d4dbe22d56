import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPResponse {
    /// A response for a test: a body of text, in JSON unless said otherwise.
    static func sample(
        _ body: String = "",
        status: HTTPStatus = 200,
        type: String? = "application/json",
        method: String = "GET",
        url: String = "https://host/path"
    ) throws -> HTTPResponse {
        try sample(data: Data(body.utf8), status: status, type: type, method: method, url: url)
    }

    /// A response for a test with a body of bytes.
    static func sample(
        data: Data,
        status: HTTPStatus = 200,
        type: String? = "application/json",
        method: String = "GET",
        url: String = "https://host/path"
    ) throws -> HTTPResponse {
        let url = try #require(URL(string: url))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer SECRET", forHTTPHeaderField: "Authorization")
        var headers: HTTPHeaders = ["Set-Cookie": "session=SECRET"]
        headers[.contentType] = type
        return HTTPResponse(
            request: request,
            url: url,
            status: status,
            headers: headers,
            body: data
        )
    }
}
