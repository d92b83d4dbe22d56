import Foundation
import NetKit
import NetKitCurl
import Testing

@Suite("Random responses over libcurl", .timeLimit(.minutes(15)))
struct CurlRandomResponseTests {
    private static let count = 5_000
    private static let workers = 16

    /// What is wrong with the outcome of a response.
    private static func problem(_ response: RandomResponse, _ received: Received) -> String? {
        guard received.endings == 1 else { return "\(received.endings) endings" }
        if let error = received.error {
            let kinds: [TransportError.Kind] = [
                .connectionLost, .malformedResponse, .truncatedResponse,
            ]
            guard kinds.contains(error.kind) else { return "\(error.kind): \(error)" }
            if case .value = response.verdict { return "refused: \(error)" }
            return nil
        }
        guard received.isWhole, let head = received.head else { return "canceled" }
        switch response.verdict {
        case .any: return nil
        case .broken: return "read as \(head.status) with \(received.count) bytes"
        case .value(let value):
            let found = RandomResponse.Value(
                status: head.status.rawValue,
                fields: value.fields.keys.reduce(into: [:]) { fields, name in
                    fields[name] = head.headers.values(for: HTTPHeaderName(name))
                },
                body: Array(received.body)
            )
            return found == value ? nil : "read as \(found), not as \(value)"
        }
    }

    @Test("are read as RFC 9112 says, or refused with a typed error")
    func responses() async throws {
        let server = try ScriptedServer { peer in
            let target = peer.readHead()?.split(separator: " ").dropFirst().first ?? ""
            guard let seed = UInt64(target.dropFirst()) else { return }
            let response = RandomResponse(seed: seed)
            var start = 0
            for end in response.cuts + [response.bytes.count] {
                guard peer.write(Array(response.bytes[start..<end])) else { return }
                start = end
            }
        }
        // Changed bytes may hide that a connection closes, which the next request on it would find out.
        let (regular, changed) = (curl(), curl())
        let verdicts = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    var verdicts: [String] = []
                    for seed in stride(from: worker, to: Self.count, by: Self.workers) {
                        let response = RandomResponse(seed: UInt64(seed))
                        var transport = regular
                        if case .any = response.verdict { transport = changed }
                        let received = Received()
                        let request = EncodedRequest(
                            url: testURL("\(server.url)/\(seed)"),
                            method: response.isHead ? .head : .get,
                            headers: ["Accept-Encoding": "gzip"]
                        )
                        received.begin(request, over: transport)
                        _ = await received.ending()
                        if let problem = Self.problem(response, received) {
                            let bytes = String(decoding: response.bytes.prefix(400), as: UTF8.self)
                            Issue.record(
                                "\(seed), \(response.label): \(problem), from \(bytes.debugDescription)"
                            )
                        }
                        verdicts.append(received.isWhole ? "read" : "refused")
                    }
                    return verdicts
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(verdicts.count == Self.count)
        // The generator makes enough of both.
        #expect(verdicts.count { $0 == "read" } > Self.count / 4)
        #expect(verdicts.count { $0 == "refused" } > Self.count / 4)
        await regular.shutdown()
        await changed.shutdown()
        await eventually { server.connected == 0 }
    }
}
