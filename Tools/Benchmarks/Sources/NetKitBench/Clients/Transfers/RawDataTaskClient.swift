import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The fastest way to a file that URLSession has on Linux: a data task whose delegate writes.
struct RawDataTaskClient: FileTransferring {
    private let baseURL: URL
    private let writer: FileWriter
    private let session: URLSession

    init(baseURL: URL) {
        self.baseURL = baseURL
        writer = FileWriter()
        session = TransferSession.make(delegate: writer)
    }

    func transfer(_ file: TransferFile) async throws {
        var request = URLRequest(url: baseURL.appendingPathComponent("content/\(file.length)"))
        request.timeoutInterval = 600
        guard FileManager.default.createFile(atPath: file.url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: file.url)
        let task = session.dataTask(with: request)
        try await withCheckedThrowingContinuation { continuation in
            writer.begin(handle, completion: continuation)
            task.resume()
        }
    }
}

/// Writes the body of one task at a time.
private final class FileWriter: NSObject, URLSessionDataDelegate {
    private struct Transfer: Sendable {
        let handle: FileHandle
        let completion: CheckedContinuation<Void, any Error>
        var failure: (any Error)?
    }

    private let transfer = Mutex<Transfer?>(nil)

    func begin(_ handle: FileHandle, completion: CheckedContinuation<Void, any Error>) {
        transfer.withLock { $0 = Transfer(handle: handle, completion: completion) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer.withLock { transfer in
            guard transfer?.failure == nil else { return }
            do {
                try transfer?.handle.write(contentsOf: data)
            } catch {
                transfer?.failure = error
            }
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let transfer = transfer.withLock({ $0.take() }) else { return }
        transfer.completion.resume(
            with: Result {
                try transfer.handle.close()
                if let failure = transfer.failure ?? error { throw failure }
                try TransferSession.check(task.response)
            }
        )
    }
}
