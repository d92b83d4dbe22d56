import Foundation
import NetKit
import Testing

@Suite("Jupyter notebook server", .needs(.jupyter), .timeLimit(.minutes(10)))
struct JupyterTests {
    private func endpoint(_ engine: Engine) throws -> Endpoint {
        let endpoint = try engine.endpoint(.jupyter)
        endpoint.decoder = .snakeCaseISO8601
        endpoint.headers.authToken = .custom(
            "token \(try #require(setting("NETKIT_JUPYTER_TOKEN")))"
        )
        return endpoint
    }

    @Test("creates, saves, renames and deletes a notebook", arguments: Engine.allCases)
    func notebooks(engine: Engine) async throws {
        let endpoint = try endpoint(engine)
        let folder = "notebooks of \(engine.rawValue)"
        let made = try await endpoint.value(for: CreateFolderRequest(folder))
        #expect(made.type == "directory")
        let notebook = try await endpoint.response(for: CreateNotebookRequest(in: folder))
        #expect(notebook.http.status == .created)
        #expect(notebook.value.path == "\(folder)/Untitled.ipynb")
        #expect(abs(notebook.value.created.timeIntervalSinceNow) < 86_400)
        let save = SaveNotebookRequest(notebook.value.path, source: "Grüße 🦊")
        #expect(try await endpoint.value(for: save).name == "Untitled.ipynb")
        let name = "\(folder)/ä b.ipynb"
        let renamed = try await endpoint.value(for: RenameRequest(notebook.value.path, to: name))
        #expect(renamed.path == name)
        let read = try await endpoint.value(for: ContentsRequest(name))
        #expect(read.content?["cells"]?[0]?["source"] == "Grüße 🦊")
        let listing = try await endpoint.value(for: ContentsRequest(folder))
        #expect(listing.content?[0]?["path"] == .string(name))
        for path in [name, folder] {
            let response = try await endpoint.response(for: DeleteContentsRequest(path))
            #expect(response.http.status == .noContent)
        }
        let error = try await failure(of: ContentsRequest(name), on: endpoint)
        #expect(error.statusCode == 404)
        #expect(error.message.contains("does not exist"))
    }

    // The server gives the name of a closed terminal to the next one.
    @Test("lists kernels and terminals", .serialized, arguments: Engine.allCases)
    func lists(engine: Engine) async throws {
        let endpoint = try endpoint(engine)
        #expect(try await endpoint.value(for: KernelsRequest()).isEmpty)
        let terminal = try await endpoint.value(for: CreateTerminalRequest())
        #expect(try await endpoint.value(for: TerminalsRequest()).contains(terminal))
        try await endpoint.value(for: CloseTerminalRequest(terminal))
        #expect(try await !endpoint.value(for: TerminalsRequest()).contains(terminal))
    }

    @Test("rejects a missing or wrong token", arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        for token in [nil, AuthToken.custom("token wrong"), .bearer("wrong")] {
            let endpoint = try engine.endpoint(.jupyter)
            endpoint.headers.authToken = token
            let error = try await failure(of: KernelsRequest(), on: endpoint)
            #expect(error.statusCode == 403)
            #expect(error.message == "Forbidden")
        }
    }

    @Test("behind a proxy needs one token refresh for all calls", arguments: Engine.allCases)
    func refresh(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.jupyterProxy)
        endpoint.decoder = .snakeCaseISO8601
        let refreshes = AsyncStream<String?>.makeStream()
        endpoint.authentication = BearerAuthentication(token: "stale") { token, endpoint in
            refreshes.continuation.yield(token)
            return try await endpoint.value(for: TokenRequest()).accessToken
        }
        let lists = Array(repeating: KernelsRequest(), count: 20)
        for result in await endpoint.values(for: lists, maximumConcurrentRequests: 20) {
            #expect(try result.get().isEmpty)
        }
        // The body of a call whose token was refused arrives with the new one.
        let folder = "behind \(engine.rawValue)"
        let second = try engine.endpoint(.jupyterProxy)
        second.decoder = .snakeCaseISO8601
        second.authentication = BearerAuthentication(token: "older") { token, endpoint in
            refreshes.continuation.yield(token)
            return try await endpoint.value(for: TokenRequest()).accessToken
        }
        #expect(try await second.value(for: CreateFolderRequest(folder)).path == folder)
        try await second.value(for: DeleteContentsRequest(folder))
        refreshes.continuation.finish()
        let tokens = await refreshes.stream.reduce(into: []) { $0.append($1) }
        #expect(tokens == ["stale", "older"])
    }

    @Test(
        "behind a proxy fails the call if the new token is rejected too",
        arguments: Engine.allCases
    )
    func refused(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.jupyterProxy)
        endpoint.authentication = BearerAuthentication(token: "stale") { _ in "stale, too" }
        let error = try await failure(of: KernelsRequest(), on: endpoint)
        #expect(error.statusCode == 401)
        #expect(error.message == "The token has expired.")
    }
}
