import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Uploads", .timeLimit(.minutes(15)))
struct UploadScenarios {
    private struct Upload: MultipartFormDataRequest {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method: HTTPMethod = .post
        let files: [any MultipartFile]
    }

    private struct LiveUpload: Request {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method: HTTPMethod = .post
        let body: RequestBody?
    }

    /// A transport that reports bytes of a live body, which it doesn't read, and of a response.
    private struct LiveTransport: Transport {
        let sendsSequences = true
        let mayBegin = DispatchSemaphore(value: 0)

        func send(
            _ request: EncodedRequest,
            to receiver: any TransportReceiver
        ) -> any TransportExchange {
            let head = ResponseHead(status: .ok, headers: [.contentLength: "8"])
            let (half, exchange) = (Data(count: 4), Exchange())
            DispatchQueue.global()
                .async {
                    mayBegin.wait()
                    for event: TransportEvent in [
                        .started, .sent(3), .sent(7), .head(head), .body(half), .body(half),
                        .finished(nil),
                    ] {
                        receiver.receive(event)
                    }
                }
            return exchange
        }

        private final class Exchange: TransportExchange {
            func cancel() {}
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("POST", "/upload") { _ in .status(204) }
        endpoint = testEndpoint(baseURL: server.baseURL)
    }

    private func upload(of count: Int) -> Upload {
        Upload(files: [
            DefaultMultipartFile(resource: patterned(count), mime: .binary, fileName: "large.bin")
        ])
    }

    /// Progress only grows and ends at 1; how much memory it takes is the benchmark's.
    @Test("reports progress that only grows, from above 0 to exactly 1")
    func progress() async throws {
        let journal = Journal()
        upload(of: 8 << 20).execute(on: endpoint)
            .onProgress { journal.note("\($0)") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        let progress = await journal.entries.compactMap { Double($0) }
        #expect(try #require(progress.first) > 0)
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 < $1 })
        #expect(progress.last == 1)
    }

    @Test("reports its bytes with the body's total, then the response's bytes")
    func transfers() async throws {
        server.route("POST", "/upload") { _ in .text("received") }
        let operation = upload(of: 1 << 20).execute(on: endpoint)
        var transfers: [Transfer] = []
        for await transfer in operation.transfers { transfers.append(transfer) }
        _ = try await operation.value
        let length = Int64(try #require(server.requests.first).bodyLength)
        let up = transfers.filter { $0.direction == .upload }
        #expect(up.last?.byteCount == length)
        #expect(up.allSatisfy { $0.totalByteCount == length })
        #expect(transfers.last?.direction == .download)
        #expect(transfers.last?.byteCount == 8)
        // A sequence that is asked for late ends at once.
        var late: [Transfer] = []
        for await transfer in operation.transfers { late.append(transfer) }
        #expect(late == [transfers.last])
    }

    @Test("reports a live body without a length as an upload without a total, then as whole")
    func liveBody() async throws {
        let transport = LiveTransport()
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, retryingCount: 0)
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.finish()
        let journal = Journal()
        let operation = LiveUpload(body: .stream(pieces, isLive: true)).execute(on: endpoint)
            .onProgress { journal.note("\($0)") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        // Asked for before there is anything to report.
        let reports = operation.transfers
        transport.mayBegin.signal()
        var transfers: [Transfer] = []
        for await transfer in reports { transfers.append(transfer) }
        _ = try await operation.value
        let up = transfers.filter { $0.direction == .upload }
        #expect(!up.isEmpty && up.allSatisfy { $0.totalByteCount == nil })
        #expect(transfers.last?.direction == .download && transfers.last?.byteCount == 8)
        #expect(await journal.entries == ["1.0"])
    }

    @Test("reports progress that doesn't go back in a retry")
    func retried() async throws {
        server.enqueue(.status(503))
        let journal = Journal()
        upload(of: 1 << 20).execute(on: endpoint, retrying: 1)
            .onProgress { journal.note("\($0)") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        let progress = await journal.entries.compactMap { Double($0) }
        #expect(server.requests.count == 2)
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 < $1 })
        #expect(progress.last == 1)
    }
}
