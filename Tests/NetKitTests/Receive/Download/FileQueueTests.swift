import Dispatch
import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("File queue", .timeLimit(.minutes(15)))
struct FileQueueTests {
    private struct Release: Request {
        typealias ResponseObjectType = Void
        let path = "release"
    }

    private let folder: SampleFolder
    private let clock = DeadlineClock(manual: ())

    init() throws {
        folder = try SampleFolder()
    }

    private func endpoint() throws -> Endpoint {
        Endpoint(
            baseURL: try #require(URL(string: "http://nowhere.invalid")),
            transport: ScriptedTransport(.response(.ok, "bytes")),
            decoder: nil,
            responseQueue: nil,
            sessionConfiguration: .default,
            retryingCount: 0,
            headers: [:],
            clock: clock
        )
    }

    @Test("runs the work on one file in order, whoever adds it")
    func order() async throws {
        let path = folder.url.appending(path: "a").path
        let order = Locked<[Int]>([])
        for number in 0..<100 {
            FileQueue.of(path).add { order.withLock { $0.append(number) } }
        }
        try await FileQueue.of(path).run {}
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test("doesn't delay other files or deadlines when a disk hangs")
    func hangingDisk() async throws {
        let disk = DispatchSemaphore(value: 0)
        defer { disk.signal() }
        let file = folder.url.appending(path: "hanging")
        FileQueue.of(file.path).add { disk.wait() }
        let hanging = Release().download(to: file).execute(on: try endpoint())
            .deadline(after: .seconds(8)).onSuccess { _ in }
        let other = folder.url.appending(path: "other")
        #expect(try await endpoint().value(for: Release().download(to: other)) == other)
        #expect(try Data(contentsOf: other) == Data("bytes".utf8))
        await eventually { clock.count > 0 }
        clock.advance(by: .seconds(8))
        await #expect {
            try await hanging.value
        } throws: { error in
            guard case .timeout(.total) = error as? ErrorResponse<ServerMessage> else {
                return false
            }
            return true
        }
    }
}
