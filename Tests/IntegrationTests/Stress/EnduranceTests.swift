import Foundation
import NetKit
import NetKitTesting
import Testing

/// Many calls one after the other cost no more than a few.
///
/// The suite makes 2,000; `scripts/stress` sets `NETKIT_STRESS_SEQUENTIAL` to 10,000.
@Suite("Endurance", .serialized, .timeLimit(.minutes(10)))
struct EnduranceTests {
    private struct Item: Codable, Sendable { let id: Int }
    private struct ItemRequest: Request {
        typealias ResponseObjectType = Item
        let path = "item"
    }

    private static let calls =
        ProcessInfo.processInfo.environment["NETKIT_STRESS_SEQUENTIAL"].flatMap(Int.init) ?? 2_000

    @Test("calls on one endpoint reuse one connection and leave descriptors and memory flat")
    func sequential() async throws {
        let server = try MockServer()
        server.recordsRequests = false
        server.route("GET", "/item") { _ in try .json(Item(id: 1)) }
        let endpoint = Endpoint(baseURL: server.baseURL)
        for _ in 0..<500 { _ = try await endpoint.value(for: ItemRequest()) }
        let (descriptors, memory) = (openDescriptors(), residentBytes())
        for _ in 0..<Self.calls { _ = try await endpoint.value(for: ItemRequest()) }
        #expect(server.acceptedConnections == 1)
        // Other suites run beside this one, so the bounds leave room for theirs.
        #expect(openDescriptors() <= descriptors + 200)
        let growth = residentBytes() - memory
        #expect(growth < 64 << 20, "\(growth) bytes after \(Self.calls) calls")
    }
}

/// What this process holds in memory.
func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (fields.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}
