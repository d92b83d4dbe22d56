import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Bearer token without a call", .timeLimit(.minutes(15)))
struct BearerAuthenticationTests {
    private func request() throws -> EncodedRequest {
        var request = EncodedRequest(url: try #require(URL(string: "https://h/")), method: .get)
        request.headers[.authorization] = "Bearer old"
        return request
    }

    private func recover(
        _ authentication: BearerAuthentication
    ) async throws -> AuthenticationRecovery {
        let request = try request()
        let head = ResponseHead(status: .unauthorized)
        let response = HTTPResponse(to: request, head, body: Data())
        return try await authentication.recover(from: response, to: request)
    }

    @Test(
        "uses another for its refresh, and then serves the refresh of the other",
        arguments: [[0, 1], [1, 0, 1, 0], [0, 0, 1, 1, 0]]
    )
    func turns(users: [Int]) async throws {
        let pair = Locked<[BearerAuthentication]>([])
        let (user, count) = (Locked(0), Locked(0))
        let nested = Locked<[AuthenticationRecovery]>([])
        let url = try #require(URL(string: "https://h/"))
        /// Has a request refused that has the current token.
        @Sendable func refuse(_ index: Int) async throws -> AuthenticationRecovery {
            let authentication = pair.withLock { $0[index] }
            var request = EncodedRequest(url: url, method: .get)
            try await authentication.authenticate(&request)
            let head = ResponseHead(status: .unauthorized)
            let response = HTTPResponse(to: request, head, body: Data())
            return try await authentication.recover(from: response, to: request)
        }
        let both = (0...1)
            .map { index in
                BearerAuthentication(token: "old") { _ in
                    if user.withLock({ $0 }) == index {
                        let recovery = try await refuse(1 - index)
                        nested.withLock { $0.append(recovery) }
                    }
                    return count.withLock { count in
                        count += 1
                        return "\(count)"
                    }
                }
            }
        pair.withLock { $0 = both }
        // Each refers to the other.
        defer { pair.withLock { $0 = [] } }
        for index in users {
            user.withLock { $0 = index }
            #expect(try await refuse(index) == .refreshed)
        }
        #expect(nested.withLock { $0 } == users.map { _ in .refreshed })
    }

    @Test("is stopped by its endpoint, and not by a cancellation of its own requests")
    func stops() throws {
        let outer = Endpoint(baseURL: try #require(URL(string: "https://h.invalid")))
        let endpoint = outer.derived { _ in }
        let start = endpoint.lastStop
        func isStop(_ error: any Error) -> Bool {
            CallFailure.isStop(error, whenCancelled: endpoint.lastStop > start)
        }
        let cancelled = ErrorResponse<ServerMessage>.cancelled
        #expect(!isStop(cancelled) && !isStop(CancellationError()))
        #expect(isStop(InvalidRequest(.endpointShutDown)))
        outer.cancelAllRequests()
        #expect(isStop(cancelled) && isStop(StreamFailure.cancelled))
        #expect(!isStop(CancellationError()))
        #expect(!isStop(ErrorResponse<String>.timeout(.idle(TimeoutDetail()))))
    }

    @Test("refreshes when the closure needs no endpoint")
    func withoutEndpoint() async throws {
        let authentication = BearerAuthentication(token: "old") { _ in "new" }
        #expect(try await recover(authentication) == .refreshed)
        #expect(authentication.token == "new")
    }

    @Test(
        "refreshes again after a failed refresh, with and without a token",
        arguments: ["old", nil]
    )
    func afterFailure(token: String?) async throws {
        let isFirst = Locked(true)
        let authentication = BearerAuthentication(token: token) { _ in
            let fails = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if fails { throw CancellationError() }
            return "new"
        }
        let response = HTTPResponse(
            to: try request(),
            ResponseHead(status: .unauthorized),
            body: Data()
        )
        for isLast in [false, true] {
            var request = try request()
            request.headers.remove(.authorization)
            try await authentication.authenticate(&request)
            if isLast {
                let recovery = try await authentication.recover(from: response, to: request)
                #expect(recovery == .refreshed)
            } else {
                await #expect(throws: CancellationError.self) {
                    try await authentication.recover(from: response, to: request)
                }
            }
        }
    }

    /// The field of a request that waits for the token if necessary.
    private func credential(_ authentication: BearerAuthentication) async throws -> String? {
        var request = EncodedRequest(url: try #require(URL(string: "https://h/")), method: .get)
        try await authentication.authenticate(&request)
        return request.headers[.authorization]
    }

    @Test(
        "refreshes a token that is empty or has blanks around it",
        arguments: ["", " ", "old ", "\told"]
    )
    func blanks(token: String) async throws {
        let authentication = BearerAuthentication(token: token) { _ in "new" }
        var request = EncodedRequest(url: try #require(URL(string: "https://h/")), method: .get)
        try await authentication.authenticate(&request)
        // As before sending.
        try HeaderRules.check(&request.headers)
        let head = ResponseHead(status: .unauthorized)
        let response = HTTPResponse(to: request, head, body: Data())
        #expect(try await authentication.recover(from: response, to: request) == .refreshed)
        #expect(authentication.token == "new")
    }

    @Test(
        "refreshes again after a token that can't be sent",
        arguments: ["a\n", "a\r\nX: 1", "\0"]
    )
    func unsendable(token: String) async throws {
        let tokens = Locked([token, "good"])
        let authentication = BearerAuthentication(token: "old") { _ in
            tokens.withLock { $0.removeFirst() }
        }
        let error = await #expect(throws: InvalidRequest.self) {
            _ = try await recover(authentication)
        }
        #expect(error?.reason == .invalidHeader(name: "Authorization"))
        var next = try request()
        try await authentication.authenticate(&next)
        let response = HTTPResponse(to: next, ResponseHead(status: .unauthorized), body: Data())
        #expect(try await authentication.recover(from: response, to: next) == .refreshed)
        #expect(try await credential(authentication) == "Bearer good")
    }

    @Test(
        "answers the calls that wait for a refresh with the token that was set meanwhile",
        arguments: [true, false]
    )
    func setMeanwhile(isSuccess: Bool) async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let authentication = BearerAuthentication(token: "old") { _ in
            for await _ in gate { break }
            guard isSuccess else { throw CancellationError() }
            return "refreshed"
        }
        async let recovery = recover(authentication)
        await eventually { authentication.isRefreshing }
        authentication.setToken(BearerToken("set"))
        open.yield()
        #expect(try await recovery == (isSuccess ? .refreshed : .newerCredential))
        #expect(authentication.token == "set")
        #expect(try await credential(authentication) == "Bearer set")
    }

    @Test(
        "gets another token for the calls that wait for one if it was removed meanwhile",
        arguments: [true, false]
    )
    func removedMeanwhile(isSuccess: Bool) async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let count = Locked(0)
        let authentication = BearerAuthentication(
            initial: nil,
            refreshingOn: [401],
            leeway: .zero,
            fetchesFirst: true
        ) { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return BearerToken("second") }
            for await _ in gate { break }
            guard isSuccess else { throw CancellationError() }
            return BearerToken("first")
        }
        async let sent = credential(authentication)
        await eventually { authentication.isRefreshing }
        authentication.setToken(nil)
        open.yield()
        #expect(try await sent == "Bearer second")
    }

    @Test("fails a call once when the refresh itself removes the token and throws")
    func removedByRefresh() async throws {
        struct SignedOut: Error {}
        let (itself, count) = (Locked<BearerAuthentication?>(nil), Locked(0))
        let authentication = BearerAuthentication(token: "old") { _ in
            count.withLock { $0 += 1 }
            itself.withLock { $0 }?.setToken(nil)
            throw SignedOut()
        }
        itself.withLock { $0 = authentication }
        defer { itself.withLock { $0 = nil } }
        await #expect(throws: (any Error).self) { try await recover(authentication) }
        #expect(count.withLock { $0 } == 1)
        #expect(authentication.token == nil)
    }

    private struct Failure: Error {
        let object: Released
    }

    @Test(
        "lets the error of a refresh use it, as that is released by a later token",
        .timeLimit(.minutes(15)),
        arguments: [false, true]
    )
    func releasedFailure(byRefresh: Bool) async throws {
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let (itself, isFirst) = (Locked<BearerAuthentication?>(nil), Locked(true))
        let authentication = BearerAuthentication(token: "old") { _ in
            let fails = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard fails else { return "new" }
            throw Failure(
                object: Released {
                    _ = itself.withLock { $0 }?.token
                    release.finish()
                }
            )
        }
        itself.withLock { $0 = authentication }
        defer { itself.withLock { $0 = nil } }
        _ = try? await recover(authentication)
        var request = try request()
        try await authentication.authenticate(&request)
        let head = ResponseHead(status: .unauthorized)
        let response = HTTPResponse(to: request, head, body: Data())
        Task { [request] in
            if byRefresh {
                _ = try? await authentication.recover(from: response, to: request)
            } else {
                authentication.setToken(BearerToken("new"))
            }
        }
        for await _ in released {}
    }

    @Test("fails clearly when the closure needs an endpoint")
    func missingEndpoint() async throws {
        let authentication = BearerAuthentication(token: "old") { _, _ in "new" }
        let error = await #expect(throws: InvalidRequest.self) { try await recover(authentication) }
        #expect(error?.reason == .missingEndpoint)
        #expect(authentication.token == "old")
    }
}
