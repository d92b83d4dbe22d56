import Crypto
import Foundation
import NetKit

/// An upload of a file to S3 in parts, or of those parts that the server doesn't have.
struct MultipartCommand: Decodable {
    let engine: Engine
    /// The base URL of the endpoint.
    let base: URL
    /// The path of the bucket.
    let bucket: String
    let key: String
    /// The path of the file.
    let file: String
    /// The number of bytes in a part, except for the last one.
    let partSize: Int64
    /// How many parts are sent at a time.
    let concurrency: Int
    let accessKey: String
    let secretKey: String
    let region: String

    /// Uploads the file, and returns its ETag, the numbers of the parts that were sent, and the most memory that the
    /// process ever needed, in KiB.
    func outcome() async throws -> JSONValue {
        let endpoint = Endpoint(
            baseURL: base,
            transport: try engine.transport()
        )
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 3, backoff: .constant(.milliseconds(10)))
        endpoint.interceptors = [
            AWSSignature<SHA256>(region: region, service: "s3", home: base) {
                AWSCredentials(accessKey: accessKey, secretKey: secretKey)
            }
        ]
        do {
            let (tag, sent) = try await upload(on: endpoint)
            return [
                "tag": .string(tag), "sent": .array(sent.map { .number(Decimal($0)) }),
                "peak": .number(Decimal(try Self.peakResidentSize())),
            ]
        } catch let error as ErrorResponse<StorageError> {
            let code = error.serverError?.code ?? "none"
            throw DriverError(kind: "s3.\(code)", message: "\(error): \(error.message)")
        }
    }

    private func upload(on endpoint: Endpoint) async throws -> (tag: String, sent: [Int]) {
        let object = StoredObject(bucket: bucket, key: key)
        var upload = try await endpoint.value(for: FindUploadRequest(object))
        if upload == nil { upload = try await endpoint.value(for: StartUploadRequest(object)) }
        guard let upload else { throw DriverError(kind: "s3", message: "no upload began") }
        var parts: [Int: String] = [:]
        var page: ListPartsRequest? = ListPartsRequest(object, upload, after: nil)
        while let request = page {
            let listed = try await endpoint.value(for: request)
            parts.merge(listed.parts) { _, newer in newer }
            page = listed.next.map { ListPartsRequest(object, upload, after: $0) }
        }
        let url = URL(fileURLWithPath: file)
        let length = Int64(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
        let missing = (1...Int((length + partSize - 1) / partSize)).filter { parts[$0] == nil }
        let requests = missing.map { number in
            let start = Int64(number - 1) * partSize
            let range = start..<min(start + partSize, length)
            return UploadPartRequest(object, upload, number, .file(url, range: range))
        }
        let results = await endpoint.values(
            for: requests,
            maximumConcurrentRequests: concurrency
        )
        for (number, result) in zip(missing, results) { parts[number] = try result.get() }
        let completed = CompleteUploadRequest(object, upload, parts)
        return (try await endpoint.value(for: completed), missing)
    }

    /// The most memory that was resident, in KiB, without the files of the program, which are mapped.
    private static func peakResidentSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let peak = status.firstMatch(of: /VmHWM:\s+([0-9]+) kB/).flatMap({ Int($0.1) }),
            let files = status.firstMatch(of: /RssFile:\s+([0-9]+) kB/).flatMap({ Int($0.1) })
        else { throw DriverError(kind: "driver", message: "no VmHWM or RssFile") }
        return peak - files
    }
}
