import Foundation
import NetKit
import Testing

@Suite("GraphQL server", .needs(.graphQL), .timeLimit(.minutes(10)))
struct GraphQLTests {
    @Test("answers a query with its data", arguments: Engine.allCases)
    func data(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let response = try await endpoint.response(for: OrderRequest(4))
        #expect(response.value == Order(id: 4, total: 6))
        #expect(response.http.status == .ok)
    }

    @Test(
        "answers 200 with errors, which are the request's typed error",
        arguments: Engine.allCases
    )
    func errors(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let missing = try await failure(of: OrderRequest(0), on: endpoint)
        #expect(missing.statusCode == 422)
        #expect(missing.serverError?.code == "NOT_FOUND")
        #expect(missing.serverError?.errors.first?.path == ["order"])
        #expect(missing.message == "There is no order 0.")
        let malformed = try await failure(of: MalformedOrderRequest(), on: endpoint)
        #expect(malformed.statusCode == 422)
        #expect(malformed.message.hasPrefix("Syntax Error"))
    }

    @Test(
        "answers 200 with errors that the request's decoding throws as its typed error",
        arguments: Engine.allCases
    )
    func thrown(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let missing = try await failure(of: ThrowingOrderRequest(0), on: endpoint)
        #expect(missing.statusCode == 200)
        #expect(missing.serverError?.code == "NOT_FOUND")
        #expect(missing.message == "There is no order 0.")
        #expect(try await endpoint.value(for: ThrowingOrderRequest(4)).total == 6)
    }

    @Test(
        "refuses twenty expired tokens at once with a 200: one refresh, and all calls succeed",
        arguments: Engine.allCases
    )
    func refresh(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL, connections: 20)
        let user = "user of \(engine.rawValue) \(UUID().uuidString)"
        let stale = try await endpoint.value(for: RenewRequest(user))
        #expect(try await endpoint.value(for: RenewRequest(user)) != stale)
        let refreshed = Kept<String?>()
        endpoint.authentication = BearerAuthentication(token: stale) { token, endpoint in
            refreshed.append(token)
            return try await endpoint.value(for: RenewRequest(user))
        }
        let calls = Array(repeating: MeRequest(crowd: user), count: 20)
        for result in await endpoint.values(for: calls, maximumConcurrentRequests: 20) {
            #expect(try result.get() == user)
        }
        #expect(refreshed.elements == [stale])
        #expect(try await endpoint.value(for: RenewalsRequest(user)) == 3)
    }

    @Test("answers a batch, of which one operation fails", arguments: Engine.allCases)
    func batch(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let answers = try await endpoint.value(for: OrdersBatch([1, 0, 3]))
        let orders = answers.map(\.data?.order)
        #expect(orders == [Order(id: 1, total: 1.5), nil, Order(id: 3, total: 4.5)])
        #expect(answers.map { $0.errors?.first?.message } == [nil, "There is no order 0.", nil])
    }

    @Test("takes files by the multipart specification", arguments: Engine.allCases)
    func upload(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let folder = try TemporaryFolder()
        let contents = [Data.noise(300_000), Data("Grüße".utf8)]
        let files = [folder.file("noise.bin"), folder.file("ä b.txt")]
        for (file, content) in zip(files, contents) { try content.write(to: file) }
        let received = try await endpoint.value(for: try StoreRequest("two files", files))
        #expect(received.first?.name == "two files")
        #expect(received.dropFirst().map(\.name) == ["noise.bin", "ä b.txt"])
        #expect(received.dropFirst().map(\.sha256) == contents.map { sha256($0).hexadecimal })
    }

    @Test("sends a subscription as events until it is complete", arguments: Engine.allCases)
    func subscription(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let (numbers, end) = try await messages(of: CountSubscription(to: 20), on: endpoint)
        #expect(numbers.compactMap(\.data?.count) == Array(1...20))
        #expect(numbers.count == 20)
        #expect(end == "complete")
    }

    @Test("ends a subscription with an error in the middle", arguments: Engine.allCases)
    func failingSubscription(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.graphQL)
        let subscription = CountSubscription(to: 20, failingAt: 3)
        let (numbers, end) = try await messages(of: subscription, on: endpoint)
        #expect(numbers.map(\.data?.count) == [1, 2, nil])
        #expect(numbers.last?.errors?.first?.message == "3 is unlucky.")
        #expect(numbers.last?.errors?.first?.extensions?["code"] == "INTERNAL")
        #expect(end == "complete")
    }

    private func messages(
        of subscription: CountSubscription,
        on endpoint: Endpoint
    ) async throws -> (messages: [CountSubscription.Message], end: String?) {
        var messages: [CountSubscription.Message] = []
        for try await event in try await endpoint.stream(subscription).serverSentEvents {
            guard event.event == "next" else { return (messages, event.event) }
            let data = Data(event.data.utf8)
            messages.append(
                try JSONDecoder().decode(CountSubscription.Message.self, from: data)
            )
        }
        return (messages, nil)
    }
}
