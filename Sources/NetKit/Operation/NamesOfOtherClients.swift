public import Foundation

// What users of other clients write, each with what to write instead. Nothing here can be called.

extension Endpoint {
    @available(*, unavailable, message: "say the type: let user: User = …, or as: User.self")
    public func get(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {}

    @_disfavoredOverload
    @available(*, unavailable, message: "write query: .init(dictionary)")
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: [String: any Sendable],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        throw .cancelled
    }

    @available(*, unavailable, message: "send DefaultRequest<Void, ServerMessage> of method .head")
    public func head(_ path: String) async throws(ErrorResponse<ServerMessage>) -> Response<Void> {
        throw .cancelled
    }

    @available(*, unavailable, message: "write value(for: request) or response(for: request)")
    public func send(_ request: some Request) async throws {}

    @available(*, unavailable, message: "write value(for: DefaultRequest<Data, ServerMessage>(…))")
    public func send(_ path: String, method: HTTPMethod) async throws {}

    @available(*, unavailable, message: "write do throws(ErrorResponse<…>) { try … } catch { … }")
    public func result<R: Request>(
        for request: R
    ) async -> Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>> {
        .failure(.cancelled)
    }

    @available(*, unavailable, message: "write request.download(to: file).execute(on: endpoint)")
    public func download(
        _ path: String,
        to file: URL,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws {}

    @available(*, unavailable, message: "write post(path, .file(file)), or a request of that body")
    public func upload(_ file: URL, to path: String) async throws {}

    @available(*, unavailable, message: "write stream(request).lines")
    public func lines(for request: some Request) -> ResponseElements<String> {
        ResponseElements { .init { nil } }
    }

    @available(*, unavailable, message: "write stream(request)")
    public func bytes(for request: some Request) async throws {}

    @available(*, unavailable, message: "write .encodable(value, encoder: encoder) for the body")
    public var encoder: JSONEncoder { JSONEncoder() }
}

extension Request {
    @available(*, unavailable, message: "write execute(on: endpoint).onSuccess { … }.onFail { … }")
    public func execute(
        on endpoint: Endpoint,
        completion:
            @escaping @Sendable (Result<ResponseObjectType, ErrorResponse<ErrorType>>) -> Void
    ) {}
}

extension Query {
    @available(*, unavailable, message: "say the name: @Query(\"page\") var page = 1")
    public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, "") }
}

extension Path {
    @available(*, unavailable, message: "say the name: @Path(\"id\") var id: Int")
    public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, "") }
}

extension Header {
    @available(*, unavailable, message: "say the name: @Header(\"X-Trace\") var trace: String?")
    public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, "") }
}

extension CallError {
    @available(*, unavailable, renamed: "isCancellation")
    public var isCancelled: Bool { isCancellation }
}

extension RequestExecutionOperation {
    @available(*, unavailable, message: "write do throws(ErrorResponse<…>) { try … } catch { … }")
    public var result: Result<T.ResponseObjectType, ErrorResponse<T.ErrorType>> {
        .failure(.cancelled)
    }

    @available(*, unavailable, renamed: "onFail")
    public func onFailure(_ closure: @escaping @Sendable (ErrorResponse<T.ErrorType>) -> Void) {}
}

extension FormItem {
    @available(*, unavailable, message: "write .field(\"title\", text)")
    public static func text(_ text: String, name: String) -> FormItem { .field(name, text) }

    @available(*, unavailable, message: "write .file(\"photo\", file)")
    public static func file(_ file: URL, name: String) -> FormItem { .file(name, file) }

    @available(*, unavailable, message: "write .data(name, data, fileName: fileName, mime: mime)")
    public static func data(
        _ data: Data,
        name: String,
        fileName: String,
        mimeType: String
    ) -> FormItem { .data(name, data, fileName: fileName) }
}

extension NetworkLogger where Self == ConsoleLogger {
    @available(*, unavailable, message: "write .console()")
    public static var console: ConsoleLogger { .console() }
}

extension HTTPStatus {
    @available(*, unavailable, renamed: "rawValue")
    public var code: Int { rawValue }
}
