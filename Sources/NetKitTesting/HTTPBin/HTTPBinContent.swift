import Foundation

// Responses with special content, framing or speed.
extension MockServer {
    func addContentRoutes() {
        answer("GET", "/json") { _ in .json(text: HTTPBinContent.slideshow) }
        answer("GET", "/uuid") { _ in
            let uuid = HTTPBinJSON.string(UUID().uuidString.lowercased())
            return .json(text: HTTPBinJSON.object([("uuid", uuid)]))
        }
        answer("GET", "/gzip") { request in
            let echo = HTTPBinEcho(request: request)
            let text = echo.text([.headers, .method, .origin], adding: [("gzipped", "true")])
            return .gzip(Data(text.utf8), contentType: "application/json")
        }
        answer("GET", "/bytes/*") { request in .data(try HTTPBinContent.bytes(for: request)) }
    }

    func addStreamRoutes() {
        answer("GET", "/stream/*") { request in
            let echo = HTTPBinEcho(request: request)
            let lines = (0..<(try request.number(0...10_000) { Int($0) }))
                .map { line in
                    Data("\(echo.text(.withoutBody, adding: [("id", "\(line)")]))\n".utf8)
                }
            return .chunked(lines).header("Content-Type", "application/json")
        }
        answer("GET", "/stream-bytes/*") { request in
            let size = try request.number("chunk_size", or: 10_240, in: 1...(1 << 20)) { Int($0) }
            var rest = try HTTPBinContent.bytes(for: request)[...]
            var chunks: [Data] = []
            while !rest.isEmpty {
                chunks.append(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            return .chunked(chunks).header("Content-Type", "application/octet-stream")
        }
        answer("GET", "/drip") { request in
            let count = try request.number("numbytes", or: 10, in: 1...(10 << 20)) { Int($0) }
            let duration = try request.number("duration", or: 2, in: 0...3600, Double.init)
            let delay = try request.number("delay", or: 0, in: 0...3600, Double.init)
            let code = try request.number("code", or: 200, in: 200...999) { Int($0) }
            // At most a thousand portions a second.
            let portions = max(1, min(count, Int(duration * 1000)))
            return MockResponse.data(Data(repeating: UInt8(ascii: "*"), count: count), status: code)
                .delayed(by: .seconds(delay))
                .dripping(
                    bytes: (count + portions - 1) / portions,
                    every: .seconds(duration / Double(portions))
                )
        }
    }
}

private enum HTTPBinContent {
    /// httpbin's sample document.
    static let slideshow = """
        {"slideshow":{"author":"Yours Truly","date":"date of publication","slides":[\
        {"title":"Wake up to WonderWidgets!","type":"all"},\
        {"items":["Why <em>WonderWidgets</em> are great","Who <em>buys</em> WonderWidgets"],\
        "title":"Overview","type":"all"}],"title":"Sample Slide Show"}}
        """

    /// Returns the number of bytes in the path, always the same for a seed.
    static func bytes(for request: RecordedRequest) throws -> Data {
        let count = try request.number(0...(64 << 20)) { Int($0) }
        let seed = try request.number("seed", or: 0, in: 0...UInt64.max) { UInt64($0) }
        var random = SeededGenerator(seed: seed)
        var bytes = Data(capacity: count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: random.next().littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes.prefix(count)
    }
}
