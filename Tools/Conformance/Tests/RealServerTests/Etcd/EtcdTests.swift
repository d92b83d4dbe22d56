import Foundation
import NetKit
import Testing

// Each kill would end the other engine's calls.
@Suite("etcd", .needs(.etcd), .serialized, .timeLimit(.minutes(10)))
struct EtcdTests {
    @Test("puts, gets and deletes keys", arguments: Engine.allCases)
    func keys(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.etcd)
        let key = "keys/\(engine.rawValue)"
        let first = try await endpoint.value(for: PutRequest("\(key)/a", "Grüße"))
        let second = try await endpoint.value(for: PutRequest("\(key)/b", "2"))
        #expect(second.header.revision.number > first.header.revision.number)
        let found = try await endpoint.value(for: GetRequest("\(key)/", until: "\(key)0"))
        #expect(found.kvs?.map(\.key) == [Data("\(key)/a".utf8), Data("\(key)/b".utf8)])
        #expect(found.kvs?.map(\.value) == [Data("Grüße".utf8), Data("2".utf8)])
        #expect(found.kvs?.map(\.mod_revision) == [first.header.revision, second.header.revision])
        let deleted = try await endpoint.value(for: DeleteKeyRequest("\(key)/a"))
        #expect(deleted.deleted == Revision(1))
        #expect(try await endpoint.value(for: GetRequest("\(key)/a")).kvs == nil)
        let error = try await failure(of: MalformedGetRequest(), on: endpoint)
        #expect(error.statusCode == 400)
        #expect(error.serverError?.code == 3)
        #expect(error.message == "illegal base64 data at input byte 0")
    }

    @Test("resumes a watch after kill -9 without losing a change", arguments: Engine.allCases)
    func watch(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.etcd)
        let key = "watch/\(engine.rawValue)"
        let start = try await endpoint.value(for: GetRequest(key)).header.revision.number + 1
        let watching = try engine.endpoint(.etcd)
        var changes = Self.changes(of: key, from: start, on: watching).makeAsyncIterator()
        for round in 1...3 {
            for value in ["\(round) before", "\(round) before, too"] {
                _ = try await endpoint.value(for: PutRequest(key, value))
                #expect(try await changes.next()?.value == Data(value.utf8))
            }
            try Self.killServer()
            // Waits until the server is there again.
            let kept = try await endpoint.value(for: GetRequest(key))
            #expect(kept.kvs?.map(\.value) == [Data("\(round) before, too".utf8)])
            for value in ["\(round) after", "\(round) after, too"] {
                _ = try await endpoint.value(for: PutRequest(key, value))
            }
            #expect(try await changes.next()?.value == Data("\(round) after".utf8))
            #expect(try await changes.next()?.value == Data("\(round) after, too".utf8))
        }
    }

    /// The changes of a key, one after the other, whatever becomes of the connections.
    private static func changes(
        of key: String,
        from revision: Int64,
        on endpoint: Endpoint
    ) -> AsyncThrowingStream<KeyValue, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                var next = revision
                while true {
                    do {
                        let stream = try await endpoint.stream(WatchRequest(key, from: next))
                        let messages = stream.jsonLines(of: WatchRequest.Message.self)
                        for try await message in messages {
                            for event in message.result.events ?? [] {
                                next = event.kv.mod_revision.number + 1
                                continuation.yield(event.kv)
                            }
                        }
                    } catch let failure as StreamFailure where failure.isTransient {
                        continue
                    } catch {
                        continuation.finish(throwing: error)
                        return
                    }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Ends the server in the hardest way; the script starts it again.
    private static func killServer() throws {
        let file = URL(fileURLWithPath: try #require(setting("NETKIT_ETCD_PID")))
        let text = try String(contentsOf: file, encoding: .utf8)
        let server = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(server > 1)
        #expect(kill(server, SIGKILL) == 0)
    }
}
