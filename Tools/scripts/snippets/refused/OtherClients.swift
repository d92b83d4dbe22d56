// error: 'init(wrappedValue:)' is unavailable: say the name: @Query("page") var page = 1
// error: 'get(_:path:query:headers:)' is unavailable: say the type: let user: User = …, or as: User.self
// error: 'get(_:path:query:headers:)' is unavailable: say the type: let user: User = …, or as: User.self
// error: 'send' is unavailable: write value(for: request) or response(for: request)
// error: 'download(_:to:progress:)' is unavailable: write request.download(to: file).execute(on: endpoint)
// error: 'upload(_:to:)' is unavailable: write post(path, .file(file)), or a request of that body
// error: 'result' is unavailable: write do throws(ErrorResponse<…>) { try … } catch { … }
// error: 'text(_:name:)' is unavailable: write .field("title", text)
// error: 'execute(on:completion:)' is unavailable: write execute(on: endpoint).onSuccess { … }.onFail { … }
// error: 'onFailure' has been renamed to 'onFail'
// error: 'encoder' is unavailable: write .encodable(value, encoder: encoder) for the body
// error: 'console' is unavailable: write .console()
// error: 'lines(for:)' is unavailable: write stream(request).lines
// error: 'head' is unavailable: send DefaultRequest<Void, ServerMessage> of method .head
// error: 'isCancelled' has been renamed to 'isCancellation'

import Foundation
import NetKit

struct User: Decodable, Sendable {
    let name: String
}

func calls(_ request: some Request, _ file: URL, on api: Endpoint) async throws {
    let user = try await api.get("users/42")
    try await api.get("ping")
    try await api.send(request)
    try await api.download("a.zip", to: file)
    try await api.upload(file, to: "files")
    _ = await api.execute(request).result
    _ = RequestBody.multipart([.text("Ada", name: "name")])
    request.execute(on: api) { _ in }
    api.execute(request).onFailure { _ in }
    print(api.encoder, user)
    api.logger = .console
    for try await line in api.lines(for: request) { print(line) }
    print(try await api.head("a.zip").headers)
    api.execute(request).onFail { error in print(error.isCancelled) }
}

struct Search: Request {
    typealias ResponseObjectType = Void
    let path = "search"
    @Query var text = "NetKit"
}
