import Foundation
import Testing

@testable import NetKit

@Suite("Error messages")
struct ErrorWordsTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("ErrorWords.txt")

    @Test("matches ErrorWords.txt, so that review sees changes")
    func words() throws {
        let lines = try Self.errors()
            .map { name, error in
                var entry = "\(name)\n  message:     \(error.message)\n"
                if "\(error)" != error.message { entry += "  description: \(error)\n" }
                return entry
            }
        let text = lines.joined(separator: "\n")
        let expected = try String(contentsOf: Self.file, encoding: .utf8)
        guard text != expected else { return }
        let actual = FileManager.default.temporaryDirectory
            .appendingPathComponent("ErrorWords.txt")
        try text.write(to: actual, atomically: true, encoding: .utf8)
        Issue.record("the words are others; compare \(Self.file.path) with \(actual.path)")
    }

    @Test("is one line, and its description names the request of a failed transfer")
    func lines() throws {
        for (name, error) in try Self.errors() {
            #expect(!error.message.contains("\n") && !"\(error)".contains("\n"), "\(name)")
            #expect(!"\(error)".contains("SECRET"), "\(name)")
            #expect(error.localizedDescription == error.message)
        }
    }

    private static func errors() throws -> [(String, any CallError)] {
        try responses() + invalidRequests() + transportErrors() + streamFailures() + others()
    }

    private static func responses() throws -> [(String, any CallError)] {
        func response(_ body: String, _ status: HTTPStatus = 404) throws -> HTTPResponse {
            try .sample(body, status: status, url: "https://host/users/7?token=SECRET")
        }
        let missing = try response("{}", 200)
        func failure(_ body: String) throws -> any Error {
            do {
                _ = try JSONDecoding.value(
                    User.self,
                    of: response(body, 200),
                    decoder: JSONDecoder()
                )
                throw CancellationError()
            } catch { return error }
        }
        let timeout = TimeoutDetail(limit: .seconds(60)).of("GET https://host/feed")
        let deadline = TimeoutDetail(limit: .milliseconds(250)).of("GET https://host/feed")
        let errors: [(String, ErrorResponse<ServerMessage>)] = [
            ("server", .server(ServerMessage("user 7 does not exist"), try response("{}"))),
            ("server without words", .server(ServerMessage(""), try response("{}"))),
            (
                "undecodable",
                .undecodableServerError(try response("{"), underlying: try failure("{"))
            ),
            ("decoding: missing key", .decoding(missing, underlying: try failure("{}"))),
            ("decoding: no JSON", .decoding(missing, underlying: try failure("<html>"))),
            ("decoding: other type", .decoding(missing, underlying: try failure(#"{"name":1}"#))),
            ("invalid request", .invalidRequest(InvalidRequest(.missingEndpoint))),
            ("idle timeout", .timeout(.idle(timeout))),
            ("total timeout", .timeout(.total(deadline))),
            ("idle timeout of a test", .timeout(.idle)),
            ("total timeout of a test", .timeout(.total)),
            ("cancelled", .cancelled),
            ("transport", .transport(TransportError(.connectionLost).of("PUT https://host/a"))),
            ("interceptor", .interceptor(CircuitOpenError(retryAfter: .seconds(3)))),
            ("interceptor: unknown error", .interceptor(URLError(.badURL))),
        ]
        return errors.map { ("ErrorResponse: \($0)", $1) }
    }

    private struct User: Decodable, Sendable { let name: String }

    private static func invalidRequests() -> [(String, any CallError)] {
        let reasons: [InvalidRequest.Reason] = [
            .missingEndpoint, .invalidURL("ftp://h"), .invalidMethod("A\r\nB"),
            .invalidHeader(name: "X\nY"), .missingPathParameter("id"), .unsafePathParameter("id"),
            .unsetParameter("q"), .unsetParameter(""), .unencodableParameter("q"),
            .mistypedProperty(name: "timeout", type: "Double", expected: "TimeInterval?"),
            .unreadableFile("/a\nb"), .unencodableBody("a.b[1]"), .unencodableBody(""),
        ]
        let typed = InvalidRequest(Unencodable(1.5, at: []).inside(key: "b"), below: "a")
        return reasons.map { ("InvalidRequest: \($0)", InvalidRequest($0)) }
            + [("InvalidRequest: a value without JSON form", typed)]
    }

    private static func transportErrors() -> [(String, any CallError)] {
        let kinds: [TransportError.Kind] = [
            .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .secureConnection,
            .malformedResponse, .truncatedResponse, .responseTooLarge, .tooManyRedirects,
            .unsafeRedirect, .unsupported, .other,
        ]
        let reasons: [(TransportError.Kind, String)] = [
            (.cannotConnect, "connection refused"), (.secureConnection, "certificate has expired"),
            (.cannotFindHost, "nest.invalid"), (.connectionLost, "connection reset by peer"),
            (.truncatedResponse, "transfer closed with 2 bytes remaining to read"),
        ]
        let unsupported = UnsupportedFeature("an IPv6 literal; use AsyncHTTPClient")
        return kinds.map {
            ("TransportError: \($0)", TransportError($0).of("GET https://host/p?q"))
        }
            + reasons.map { kind, reason in
                let error = TransportError(kind, reason: reason)
                return ("TransportError: \(kind), with a reason", error.of("GET https://host/p?q"))
            }
            + [
                (
                    "TransportError: unsupported, with a reason",
                    TransportError(.unsupported, underlying: unsupported)
                ),
                (
                    "TransportError: a body that is too short",
                    TransportError(.other, underlying: BodyTooShort(missing: 3))
                ),
            ]
    }

    private static func streamFailures() -> [(String, any CallError)] {
        let failures: [(String, StreamFailure)] = [
            (
                "transport",
                .transport(TransportError(.connectionLost).of("GET https://host/events"))
            ),
            (
                "timeout",
                .timeout(.idle(TimeoutDetail(limit: .seconds(60)).of("GET https://host/e")))
            ),
            ("too slow", .readerTooSlow(bufferedBytes: 2)),
            ("line too long", .lineTooLong(limit: 3)),
            ("unexpected status", .unexpectedStatus(.created)), ("cancelled", .cancelled),
        ]
        return failures.map { ("StreamFailure: \($0)", $1) }
    }

    private static func others() -> [(String, any CallError)] {
        let downloads: [DownloadFailure.Reason] = [
            .folderMissing, .noPermission, .diskFull, .inUse, .isFolder, .notRegularFile,
            .invalidName, .digestMismatch, .digestMissing, .digestUnreadable, .fileSystem(EIO),
        ]
        let conversions: [ConversionFailure.Reason] = [
            .malformedJSON("unexpected end at byte 3"),
            .missingNode(keyPath: "data.items", stoppedAt: "", found: "an array"),
            .missingNode(keyPath: "data.items", stoppedAt: "data", found: "a string"),
            .resultIsNotJSON(keyPath: ""), .resultIsNotJSON(keyPath: "a.b"),
        ]
        let pages: [PagingFailure] = [
            .otherOrigin("https://other/2"), .invalidLink("ftp://host"),
            .repeatedRequest("https://host/1"), .tooManyPages(maximum: 100),
        ]
        let polls: [PollingFailure] = [
            .notReady(after: .seconds(30)), .otherOrigin("https://other/job"),
            .invalidLocation("ftp://host"),
        ]
        var errors: [(String, any CallError)] = downloads.map {
            ("DownloadFailure: \($0)", DownloadFailure($0, "/tmp/file"))
        }
        errors += conversions.map { ("ConversionFailure", ConversionFailure($0)) }
        errors += pages.map { ("PagingFailure", $0) }
        errors += polls.map { ("PollingFailure", $0) }
        errors.append(("CircuitOpenError", CircuitOpenError(retryAfter: .seconds(3))))
        return errors
    }
}
