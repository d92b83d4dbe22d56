import Foundation
import NetKit
import NetKitTesting
import Testing

/// Many calls one after the other cost no more than a few.
///
/// The suite makes 2,000; `Tools/scripts/endure stress` sets `NETKIT_STRESS_SEQUENTIAL` to 10,000.
@Suite("Endurance", .serialized, .timeLimit(.minutes(10)))
struct EnduranceTests {
    private struct Item: Codable, Sendable { let id: Int }
    private struct ItemRequest: Request {
        typealias ResponseObjectType = Item
        let path = "item"
    }

    private static let calls =
        ProcessInfo.processInfo.environment["NETKIT_STRESS_SEQUENTIAL"].flatMap(Int.init) ?? 2_000

    // In a process of its own: what is counted here belongs to the whole process.
    @Test("reuses one connection, and keeps descriptors and memory flat")
    func sequential() async {
        await #expect(processExitsWith: .success) {
            closeInheritedSockets()
            let server = try MockServer()
            server.recordsRequests = false
            server.route("GET", "/item") { _ in try .json(Item(id: 1)) }
            let endpoint = testEndpoint(baseURL: server.baseURL)
            for _ in 0..<500 { _ = try await endpoint.value(for: ItemRequest()) }
            let (descriptors, memory) = (openDescriptors(), residentBytes())
            for _ in 0..<Self.calls { _ = try await endpoint.value(for: ItemRequest()) }
            #expect(server.acceptedConnectionCount == 1)
            #expect(openDescriptors() <= descriptors)
            // URLSession itself keeps about 150 bytes a request; the rest is the allocator's.
            let growth = residentBytes() - memory
            #expect(
                growth < 4 << 20 + 400 * Self.calls,
                "\(growth) bytes after \(Self.calls) calls"
            )
            server.stop()
        }
    }
}

/// What this process holds in memory.
func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (fields.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}
