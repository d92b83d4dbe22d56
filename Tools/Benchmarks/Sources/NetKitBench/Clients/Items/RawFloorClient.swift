import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The limit of a URLSession client.
///
/// It is `raw-tuned` with a delegate that is called on the session's own work queue and timeouts that
/// never come, and nothing else.
struct RawFloorClient: AsyncItemFetching {
    /// Seconds; a nearer timeout costs a timer for each chunk that arrives.
    private static let distantTimeout = 1e10

    private let url: URL
    private let collector = Collector()
    private let session: URLSession
    private let decoder = JSONDecoder()

    init(_ source: ItemSource) {
        url = source.url
        let configuration = URLSessionConfiguration.tuned
        configuration.timeoutIntervalForRequest = Self.distantTimeout
        configuration.timeoutIntervalForResource = Self.distantTimeout
        if let connections = source.connections {
            configuration.httpMaximumConnectionsPerHost = connections
        }
        session = URLSession(
            configuration: configuration,
            delegate: collector,
            delegateQueue: InlineQueue()
        )
    }

    func fetchItem() async throws -> Item {
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.timeoutInterval = Self.distantTimeout
        let task = session.dataTask(with: request)
        let data = try await withCheckedThrowingContinuation { continuation in
            collector.begin(task, continuation)
            task.resume()
        }
        return try decoder.decode(Item.self, from: data)
    }
}

/// Collects the body of each task.
private final class Collector: NSObject, URLSessionDataDelegate {
    private struct Call {
        let continuation: CheckedContinuation<Data, any Error>
        var body = Data()
    }

    private let calls = Mutex<[Int: Call]>([:])

    func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<Data, any Error>) {
        calls.withLock { $0[task.taskIdentifier] = Call(continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        calls.withLock { $0[dataTask.taskIdentifier]?.body.append(data) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let call = calls.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
            return
        }
        if let error { return call.continuation.resume(throwing: error) }
        let status = (task.response as? HTTPURLResponse)?.statusCode
        guard status == 200 else {
            return call.continuation.resume(throwing: WrongAnswer.status(status))
        }
        call.continuation.resume(returning: call.body)
    }
}
