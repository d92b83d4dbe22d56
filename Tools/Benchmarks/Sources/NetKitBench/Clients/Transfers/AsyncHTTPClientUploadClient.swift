import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// AsyncHTTPClient sending a stream of known length.
struct AsyncHTTPClientUploadClient: FileTransferring {
    private let url: String
    private let client = HTTPClient.measured()

    init(baseURL: URL) {
        url = baseURL.appendingPathComponent("upload").absoluteString
    }

    func transfer(_ file: TransferFile) async throws {
        let handle = try FileHandle(forReadingFrom: file.url)
        defer { try? handle.close() }  // it was only read
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .stream(
            FileBlocks(descriptor: handle.fileDescriptor),
            length: .known(Int64(file.length))
        )
        let response = try await client.execute(request, timeout: .hours(1))
        guard response.status == .ok else { throw WrongAnswer.status(Int(response.status.code)) }
        let body = try await response.body.collect(upTo: 1 << 20)
        try JSONDecoder().decode(UploadReceipt.self, from: body).check(file)
        withExtendedLifetime(handle) {}
    }
}

/// The bytes of an open file in large blocks.
private struct FileBlocks: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        private static let size = 1 << 18

        let descriptor: Int32

        func next() async throws -> ByteBuffer? {
            var buffer = ByteBufferAllocator().buffer(capacity: Self.size)
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.size) {
                let count = read(descriptor, $0.baseAddress, Self.size)
                guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
                return count
            }
            return count > 0 ? buffer : nil
        }
    }

    let descriptor: Int32

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(descriptor: descriptor)
    }
}
