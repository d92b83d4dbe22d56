import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// AsyncHTTPClient sending bytes that were made before.
struct AsyncHTTPClientDataClient: FormSending {
    private let url: String
    private let body: ByteBuffer
    private let client = HTTPClient.measured()
    private let decoder = JSONDecoder()

    init(_ form: PartsForm, baseURL: URL) {
        url = baseURL.appendingPathComponent("upload").absoluteString
        body = ByteBuffer(bytes: form.body)
    }

    func send() async throws -> UploadReceipt {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(
            name: "Content-Type",
            value: "multipart/form-data; boundary=\(PartsForm.boundary)"
        )
        request.body = .bytes(body)
        let response = try await client.execute(request, timeout: .minutes(1))
        guard response.status == .ok else { throw WrongAnswer.status(Int(response.status.code)) }
        let answer = try await response.body.collect(upTo: 1 << 20)
        return try decoder.decode(UploadReceipt.self, from: answer)
    }
}
