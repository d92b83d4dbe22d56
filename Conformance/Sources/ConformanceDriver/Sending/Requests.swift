import Foundation
import NetKit

/// A request whose path has one placeholder, `{segment}` or `{segments}`.
struct SegmentRequest: Request {
    typealias ResponseObjectType = Data
    typealias ErrorType = ServerMessage

    let path: String
    let method: HTTPMethod
    let queryParams: [(String, String)]
    let queryItems: [QueryItem]
    let headers: HTTPHeaders
    let body: RequestBody?
    @Path("segment") var segment: String
}

/// A request whose path has the placeholder `{segments}`.
struct SegmentsRequest: Request {
    typealias ResponseObjectType = Data
    typealias ErrorType = ServerMessage

    let path: String
    let method: HTTPMethod
    let queryParams: [(String, String)]
    let queryItems: [QueryItem]
    let headers: HTTPHeaders
    let body: RequestBody?
    @Path("segments", encoding: .segments) var segments: [String]
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
        if let segments {
            var request = SegmentsRequest(
                path: path,
                method: method,
                queryParams: query,
                queryItems: items,
                headers: fields,
                body: content
            )
            request.segments = segments
            return request
        }
        if let segment {
            var request = SegmentRequest(
                path: path,
                method: method,
                queryParams: query,
                queryItems: items,
                headers: fields,
                body: content
            )
            request.segment = segment
            return request
        }
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
