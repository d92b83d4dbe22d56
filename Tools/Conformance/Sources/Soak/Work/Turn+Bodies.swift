import Foundation
import NetKit

// Uploads and downloads.
extension Turn {
    private static let largest = 256 << 10

    /// Data, a file, a form or a sequence.
    func upload() async -> Verdict {
        var random = random
        let content = Content.bytes(number, count: Int.random(in: 1...Self.largest, using: &random))
        let kind = Int.random(in: 0..<4, using: &random)
        let expected = Receipt(number: number, length: content.count, isIntact: true)
        if kind == 0 { return verdict(await form(content)) { $0 == expected } }
        var request = request("upload/\(number)", as: Receipt.self)
        request.method = .put
        let file = client.files.appendingPathComponent("upload-\(number)")
        // Removing a file that doesn't exist fails.
        defer { try? FileManager.default.removeItem(at: file) }
        switch kind {
        case 1:
            do {
                try content.write(to: file)
            } catch {
                return .wrong("\(error)")
            }
            request.body = .file(file)
        case 2: request.body = .stream(Pieces(of: content))
        default: request.body = .raw(content)
        }
        return verdict(await outcome(of: request, on: client.plain)) { $0 == expected }
    }

    private func form(_ content: Data) async -> Result<Receipt, ErrorResponse<ServerMessage>> {
        var request = DefaultMultipartFormDataRequest<Receipt, ServerMessage>(
            path: "upload/\(number)",
            method: .put,
            files: [DefaultMultipartFile(resource: content, mime: .binary, fileName: "content")]
        )
        (request.headers, request.timeout) = (headers, timeout)
        return await outcome(of: request, on: client.plain)
    }

    /// A download that fails or is cancelled is resumed by another.
    func download() async -> Verdict {
        var random = random
        let count = Int.random(in: 1...Self.largest, using: &random)
        let file = client.files.appendingPathComponent("download-\(number)")
        defer { removeDownload(file) }
        var first = request("file/\(number)", as: Data.self, query: [("count", "\(count)")])
        if let fault {
            // Somewhere in the file.
            let bytes = Int.random(in: 0..<count, using: &random)
            first.headers[Fault.field] = Fault(fault.kind, fault.times, bytes: bytes).value
        }
        let result = await outcome(of: first.download(to: file), on: client.plain)
        let ended: Verdict
        switch result {
        // Each attempt continues where the last one broke off, so that even a lasting fault may be overcome.
        case .success(let saved): ended = saved == file ? .value : .wrong("\(saved)")
        case .failure(let error): ended = verdict(of: error)
        }
        guard !ended.isWrong else { return ended }
        if ended != .value {
            first.headers = [:]
            do {
                _ = try await client.plain.value(for: first.download(to: file))
            } catch {
                return .wrong("the second download: \(error)")
            }
        }
        guard let found = try? Data(contentsOf: file) else { return .wrong("no file") }
        if plant == .keptResponses { Planted.keep(found) }
        guard found == Content.bytes(number, count: count) else {
            return .wrong("a file of \(found.count) bytes, not \(count), or others")
        }
        return ended
    }

    private func removeDownload(_ file: URL) {
        for suffix in ["", ".part", ".part-version"] {
            // Removing a file that doesn't exist fails.
            try? FileManager.default.removeItem(at: URL(fileURLWithPath: file.path + suffix))
        }
    }
}

/// The pieces of a body, one after the other.
private struct Pieces: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: Data

        mutating func next() async -> Data? {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(10_000) }
            return Data(rest.prefix(10_000))
        }
    }

    private let content: Data

    init(of content: Data) {
        self.content = content
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: content) }
}
