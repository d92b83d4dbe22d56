import Foundation
import NetKit
import NetKitSupport
import NetKitTesting

@testable import NetKitTus

/// A tus server in memory, which checks each request against the protocol, with a script of mishaps.
final class TusServer: Sendable {
    /// What becomes of a request.
    enum Turn: Sendable {
        /// It is served.
        case served
        /// The connection breaks before the server has done anything.
        case lost
        /// The server takes that many bytes of the chunk, then the connection breaks.
        case cut(Int)
        /// The server takes that many bytes of the chunk, and says so.
        case partial(Int)
        /// The server fails, and then has only that many bytes.
        case rolledBack(Int)
        /// It is served, but its response is lost.
        case unanswered
        /// It is refused, and nothing is done.
        case refused(Int, [String: String] = [:])
        /// It is never answered.
        case stalled
    }

    struct Upload: Sendable {
        let length: Int
        let metadata: String?
        var bytes = Data()
    }

    struct State: Sendable {
        var uploads: [String: Upload] = [:]
        var turns: [HTTPMethod: [Turn]] = [:]
        var expires: String?
        /// What requests did that the protocol doesn't allow.
        var violations: [String] = []
        var created = 0
        var received = 0
    }

    let mock: MockServer
    let state = Locked(State())
    /// Runs before each request with a method is served.
    let onRequest = Locked<[HTTPMethod: @Sendable () throws -> Void]>([:])

    init() throws {
        mock = try MockServer()
        let (state, onRequest) = (state, onRequest)
        mock.route(nil, "/files/*") { request in
            try onRequest.withLock { $0[request.method] }?()
            return state.withLock { $0.answer(request) }
        }
    }

    /// Scripts the next requests with a method.
    func script(_ method: HTTPMethod, _ turns: Turn...) {
        state.withLock { $0.turns[method] = turns }
    }

    var uploads: [String: Upload] { state.withLock { $0.uploads } }
    var violations: [String] { state.withLock { $0.violations } }
    /// The methods of the requests so far, such as `POST PATCH`.
    var methods: String { mock.requests.map { "\($0.method)" }.joined(separator: " ") }
}

extension TusServer.State {
    mutating func answer(_ request: RecordedRequest) -> MockResponse {
        if request.header("Tus-Resumable") != "1.0.0" {
            violations.append("\(request): no version")
        }
        let turn =
            turns[request.method]?.isEmpty == false
            ? turns[request.method]?.removeFirst() ?? .served : .served
        switch turn {
        case .lost: return .fault(.resetBeforeHead)
        case .stalled: return .fault(.stall)
        case .refused(let status, let fields):
            return fields.reduce(.status(status)) { $0.header($1.key, $1.value) }
        case .served: return serve(request, keeping: .max)
        case .rolledBack(let count):
            let name = String(request.path.dropFirst("/files".count))
            let kept = uploads[name]?.bytes.prefix(count)
            uploads[name]?.bytes = kept ?? Data()
            return .status(503)
        case .partial(let count): return serve(request, keeping: count)
        case .unanswered:
            _ = serve(request, keeping: .max)
            return .fault(.resetBeforeHead)
        case .cut(let count):
            _ = serve(request, keeping: count)
            return .fault(.resetBeforeHead)
        }
    }

    private mutating func serve(_ request: RecordedRequest, keeping limit: Int) -> MockResponse {
        let name = String(request.path.dropFirst("/files".count))
        switch request.method {
        case .post where name.isEmpty: return create(request)
        case .head: return told(uploads[name])
        case .patch: return append(request, to: name, keeping: limit)
        case .delete: return .status(uploads.removeValue(forKey: name) == nil ? 404 : 204)
        default:
            violations.append("\(request): no such request")
            return .status(405)
        }
    }

    private mutating func create(_ request: RecordedRequest) -> MockResponse {
        guard let length = request.header("Upload-Length").flatMap({ Int($0) }),
            request.bodyLength == 0
        else {
            violations.append("\(request): a creation without a length, or with a body")
            return .status(400)
        }
        created += 1
        uploads["/\(created)"] = .init(length: length, metadata: request.header("Upload-Metadata"))
        // Relative to the URL of the request.
        return withExpiry(.status(201).header("Location", "/files/\(created)"))
    }

    private func told(_ upload: TusServer.Upload?) -> MockResponse {
        guard let upload else { return .status(404) }
        return MockResponse.status(200)
            .header("Upload-Offset", "\(upload.bytes.count)")
            .header("Upload-Length", "\(upload.length)")
            .header("Cache-Control", "no-store")
    }

    private mutating func append(
        _ request: RecordedRequest,
        to name: String,
        keeping limit: Int
    ) -> MockResponse {
        guard var upload = uploads[name] else { return .status(404) }
        received += request.bodyLength
        let type = request.header("Content-Type")
        guard type == "application/offset+octet-stream",
            request.headers.values(for: "Content-Length") == ["\(request.bodyLength)"],
            upload.bytes.count + request.bodyLength <= upload.length
        else {
            violations.append("\(request): \(type ?? "no type")")
            return .status(415)
        }
        guard request.header("Upload-Offset") == "\(upload.bytes.count)" else {
            return .status(409)
        }
        if let checksum = request.header("Upload-Checksum") {
            let parts = checksum.split(separator: " ").map { String($0) }
            let digest = try? parts.first.flatMap { TusUpload.Checksum(rawValue: $0) }?
                .digest(of: BodySource(request.body))
            guard let digest, parts.last == Data(digest).base64EncodedString() else {
                return .status(460)
            }
        }
        upload.bytes.append(request.body.prefix(limit))
        uploads[name] = upload
        return withExpiry(.status(204).header("Upload-Offset", "\(upload.bytes.count)"))
    }

    private func withExpiry(_ response: MockResponse) -> MockResponse {
        expires.map { response.header("Upload-Expires", $0) } ?? response
    }
}

/// A folder with a file to upload, which is removed with the last reference to it.
final class TusFolder: Sendable {
    let url: URL
    var file: URL { url.appendingPathComponent("film.mp4") }
    var record: URL { url.appendingPathComponent("film.mp4.tus") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("netkit-tus-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file of bytes of which no two chunks are equal.
    @discardableResult
    func fill(_ count: Int, seed: UInt64 = 1) throws -> Data {
        var state = seed
        let bytes = Data(
            (0..<count)
                .map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
        )
        try bytes.write(to: file)
        return bytes
    }

    /// The names of all files.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
