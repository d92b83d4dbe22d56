import Foundation
import NetKit

/// A request whose path has one placeholder.
struct PlaceholderRequest<Value: Sendable>: Request {
    typealias ResponseObjectType = Data
    typealias ErrorType = ServerMessage

    let path: String
    let method: HTTPMethod
    let queryParams: [(String, String)]
    let queryItems: [QueryItem]
    let headers: HTTPHeaders
    let body: RequestBody?
    let placeholder: Path<Value>
}

extension SendCommand {
    /// Creates the request that a user would write for the command.
    func request(path: String) throws -> any Request<Data, ServerMessage> {
        let query = try (query ?? []).map { try $0.pair }
        let items = (flags ?? []).map { QueryItem.flag($0) }
        let fields = try fields()
        let content = try body?.requestBody()
        let method = HTTPMethod(rawValue: method ?? "GET")
        if let files = body?.files {
            var form = DefaultMultipartFormDataRequest<Data, ServerMessage>(
                path: path,
                method: method,
                queryParams: query,
                body: content,
                headers: fields,
                files: files
            )
            form.queryItems = items
            return form
        }
        func filling<Value>(_ placeholder: Path<Value>) -> PlaceholderRequest<Value> {
            PlaceholderRequest(
                path: path,
                method: method,
                queryParams: query,
                queryItems: items,
                headers: fields,
                body: content,
                placeholder: placeholder
            )
        }
        if let segments {
            return filling(Path(wrappedValue: segments, "segments", encoding: .segments))
        }
        if let segment { return filling(Path(wrappedValue: segment, "segment")) }
        var request = DefaultRequest<Data, ServerMessage>(
            path: path,
            method: method,
            queryParams: query,
            body: content,
            headers: fields
        )
        request.queryItems = items
        return request
    }
}
