import Foundation
public import NetKit

// Routes for a type of request, whose reply is what the type says.
extension StubTransport {
    /// Answers requests with the method and the path of this one by a value of its type.
    ///
    /// What the request's own parameters and body say does not matter: `UserRequest(id: 1)` stands for
    /// all of `users/{id}`. A `String` is answered as text and `Data` as it is, anything else as JSON by
    /// ``encoder``.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - value: What the call is to give.
    ///   - status: The status; a 2xx. The default is 200.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        reply value: R.ResponseObjectType,
        status: HTTPStatus = 200,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ResponseObjectType: Encodable {
        let reply: StubReply =
            switch value {
            case let text as String: .text(text)
            case let data as Data: .data(data)
            default: .json(value)
            }
        return on(request.method, request.path, fileID: fileID, line: line) { _ in
            reply.status(status)
        }
    }

    /// Answers requests with the method and the path of this one by an empty 204.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ResponseObjectType == Void {
        on(request.method, request.path, fileID: fileID, line: line) { _ in .status(204) }
    }

    /// Answers requests with the method and the path of this one by an error of its type.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - error: What the call is to fail with, as JSON by ``encoder``.
    ///   - status: The status; none of 2xx.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        error: R.ErrorType,
        status: HTTPStatus,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ErrorType: Encodable {
        on(request.method, request.path, fileID: fileID, line: line) { _ in
            .json(error).status(status)
        }
    }
}
