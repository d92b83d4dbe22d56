import Foundation
import Testing

@testable import NetKit

/// A request without anything that a test does not say.
typealias Sample = DefaultRequest<Data, ServerMessage>

/// Encodes requests as an endpoint does.
struct SampleEndpoint {
    var base = "http://host.test/api"
    var headers: HTTPHeaders = [:]
    var escapesPathValuesStrictly = false

    func encode(_ request: some Request) throws -> EncodedRequest {
        let url = try #require(URL(string: base))
        var defaults = EncodingDefaults(baseURL: url, headers: headers)
        defaults.escapesPathValuesStrictly = escapesPathValuesStrictly
        return try RequestEncoder.encode(request, defaults: defaults)
    }

    /// The URL that a request is sent to.
    func url(_ request: some Request) throws -> String {
        try encode(request).url.absoluteString
    }

    /// Why a request is refused, nil if it is not.
    func refusal(_ request: some Request) throws -> InvalidRequest.Reason? {
        try invalid(request)?.reason
    }

    /// What a request is refused with, nil if it is not.
    func invalid(_ request: some Request) throws -> InvalidRequest? {
        do {
            _ = try encode(request)
            return nil
        } catch let error as InvalidRequest {
            return error
        }
    }
}

extension EncodedRequest {
    /// The body as a reader gives it, a few bytes at a time.
    func bodyText() throws -> String {
        String(decoding: try #require(body).bytes(), as: UTF8.self)
    }
}

extension BodySource {
    /// All bytes as a reader gives them.
    func bytes(atATime size: Int = 7) throws -> [UInt8] {
        let reader = try open()
        defer { reader.close() }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }
}

/// A folder that is removed with the last reference to it.
final class SampleFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "netkit-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file and says where it is.
    func file(_ name: String, _ text: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}

/// Texts that break careless encoders.
enum AwkwardText {
    static let all: [String] =
        [
            "", " ", "a b", "+", "a+b", "&", "a=b&c=d", "=", "#", "a#b", "%", "%41", "%zz", "100%",
            "?",
            "a?b", "/", "a/b", "//h", "\\", "..a", ".hidden", "a;b", "a,b", "'", "\"", "a\"b",
            "<b>", "|",
            "^", "`", "{", "}", "{id}", "[", "]", "[0]", "~", "*", "(", ")", "!", "$", ":", "@",
            "u@h:80",
            "é", "e\u{301}", "\u{301}", "ü ß ñ", "日本語", "עברית", "\u{202E}abc", "🙂", "👩‍👩‍👧‍👦", "#️⃣",
            "\u{1D11E}", "\u{FEFF}", "\u{0}", "a\u{0}b", "\r\n", "a\r\nX: y", "\n", "\t", "\u{7F}",
            "\u{1}", "\u{85}", "\u{2028}", "'; DROP TABLE users;--", "$(rm -rf /)", "a\\\"b",
            "\u{FFFD}",
            "https://evil.test/", "javascript:alert(1)",
        ] + random

    /// Texts of bytes and scalars at random, the same each time.
    private static let random: [String] = {
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let alphabet = (0x20...0x7E).compactMap { Unicode.Scalar($0) } + ["é", "🙂", "ש", "\u{301}"]
        return (0..<200)
            .map { _ in
                var text = String.UnicodeScalarView()
                for _ in 0...next(12) { text.append(alphabet[next(alphabet.count)]) }
                return String(text)
            }
    }()
}

/// Reads `application/x-www-form-urlencoded` as a server does (WHATWG URL standard, section 5.1).
func formDecoded(_ text: String) -> [[String]] {
    text.split(separator: "&")
        .map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.map { percentDecoded($0.replacing("+", with: " ")) }
                + (parts.count == 1 ? [""] : [])
        }
}

/// Replaces triplets by their bytes.
func percentDecoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"),
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
