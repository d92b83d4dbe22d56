import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitCookies
@testable import NetKitPaging
@testable import NetKitSupport

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
        let timeout = TimeoutPhase.idle(TimeoutDetail(limit: .seconds(60)))
            .of("GET https://host/feed")
        let deadline = TimeoutPhase.total(TimeoutDetail(limit: .milliseconds(250)))
            .of("GET https://host/feed")
        let refused = TransportError(.cannotConnect, reason: "connection refused")
        let errors: [(String, ErrorResponse<ServerMessage>)] = [
            ("server", .server(ServerMessage("user 7 does not exist"), try response("{}"))),
            ("server without words", .server(ServerMessage(""), try response("{}"))),
            (
                "undecodable",
                .undecodableServerError(try response("{"), underlying: try failure("{"))
            ),
            (
                "undecodable: other shape",
                .undecodableServerError(
                    try response(#"{"error":{"reason":"no such user"}}"#),
                    underlying: try failure("{}")
                )
            ),
            (
                "undecodable: a title that repeats the status",
                .undecodableServerError(
                    try page("<title>404 Not Found</title>", 404),
                    underlying: try failure("<html>")
                )
            ),
            ("decoding: missing key", .decoding(missing, underlying: try failure("{}"))),
            ("decoding: no JSON", .decoding(missing, underlying: try failure("<html>"))),
            ("decoding: other type", .decoding(missing, underlying: try failure(#"{"name":1}"#))),
            (
                "decoding: a page",
                try interpreted(User.self, try page("<title>Sign in</title>", 200))
            ),
            (
                "decoding: a date",
                try interpreted(Born.self, try response(#"{"on":"2024-02-29"}"#, 200))
            ),
            (
                "decoding: an enum",
                try interpreted(Painted.self, try response(#"{"in":"blue"}"#, 200))
            ),
            ("invalid request", .invalidRequest(InvalidRequest(.missingEndpoint))),
            ("idle timeout", .timeout(timeout)), ("total timeout", .timeout(deadline)),
            ("idle timeout of a test", .timeout(.idle)),
            ("total timeout of a test", .timeout(.total)),
            ("cancelled", .cancelled),
            ("transport", .transport(TransportError(.connectionLost).of("PUT https://host/a"))),
            ("interceptor", .interceptor(CircuitOpenError(retryAfter: .seconds(3)))),
            ("interceptor: unknown error", .interceptor(Boom())),
            ("interceptor: URLError", .interceptor(URLError(.badURL))),
            ("refresh: URLError", try refresh(URLError(.badServerResponse))),
            ("refresh: refused", try refresh(refused.of("POST https://host/token"))),
            ("refresh: server error", try refresh(try tokenError())),
            ("refresh: invalid request", try refresh(InvalidRequest(.missingEndpoint))),
        ]
        return errors.map { ("ErrorResponse: \($0)", $1) }
    }

    private struct User: Decodable, Sendable { let name: String }
    private struct Born: Decodable, Sendable { let on: Date }
    private struct Painted: Decodable, Sendable { let `in`: Color }
    private enum Color: String, Decodable, Sendable { case red }
    private struct Boom: Error {}

    private struct Unset: Request {
        typealias ResponseObjectType = Data
        let path = "x/{id}"
        @Path("id") var id: Int
        init() {}
    }

    private struct Placeless: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Path("id") var id = 1
    }

    private static func page(_ body: String, _ status: HTTPStatus) throws -> HTTPResponse {
        let url = "https://host/users/7?token=SECRET"
        return try .sample(body, status: status, type: "text/html; charset=utf-8", url: url)
    }

    private static func interpreted<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ response: HTTPResponse
    ) throws -> ErrorResponse<ServerMessage> {
        switch SampleRequest(type).interpreted(response) {
        case .success: throw CancellationError()
        case .failure(let error): return error
        }
    }

    /// The error of a call that waited for a token refresh.
    private static func refresh(_ error: any Error) throws -> ErrorResponse<ServerMessage> {
        let url = try #require(URL(string: "https://host/users/9"))
        let failure = CallFailure(thrown: CallFailure.ofRefresh(error))
        return ErrorResponse(failure.of(EncodedRequest(url: url, method: .get)))
    }

    private static func tokenError() throws -> ErrorResponse<ServerMessage> {
        .server(
            ServerMessage("invalid_grant"),
            try .sample("{}", status: 400, method: "POST", url: "https://host/token")
        )
    }

    private static func invalidRequests() throws -> [(String, any CallError)] {
        let reasons: [InvalidRequest.Reason] = [
            .missingEndpoint, .invalidURL("ftp://h"), .invalidMethod("A\r\nB"),
            .invalidHeader(name: "X\nY"), .missingPathParameter("id"), .unsafePathParameter("id"),
            .unsetParameter("q"), .unsetParameter(""), .unencodableParameter("q"),
            .mistypedProperty(name: "timeout", type: "Double", expected: "TimeInterval?"),
            .unreadableFile("/a\nb"), .unencodableBody("a.b[1]"), .unencodableBody(""),
        ]
        let typed = InvalidRequest(Unencodable(1.5, at: []).inside(key: "b"), below: "a")
        var errors: [(String, any CallError)] = []
        for reason in reasons {
            errors.append(("InvalidRequest: \(reason)", InvalidRequest(reason)))
        }
        errors.append(("InvalidRequest: a value without JSON form", typed))
        return try errors + refusals()
    }

    /// Errors as the encoder makes them.
    private static func refusals() throws -> [(String, any CallError)] {
        let requests: [(String, any Request)] = [
            ("a line break in a field", Sample(path: "x", headers: ["X-Trace": "a\nb"])),
            ("a control character in a field", Sample(path: "x", headers: ["X-Trace": "\u{0}"])),
            ("a name that is no token", Sample(path: "x", headers: ["a b": "c"])),
            ("a field of NetKit's", Sample(path: "x", headers: ["Content-Length": "1"])),
            ("a path parameter never set", Unset()),
            ("a path parameter without a placeholder", Placeless()),
            ("a placeholder without a path parameter", Sample(path: "x/{id}")),
            ("a method with a space", Sample(path: "x", method: .custom("GE T"))),
            ("a GET with a body", Sample(path: "x", method: .get, body: .string("b"))),
            (
                "a missing file",
                Sample(
                    path: "x",
                    method: .post,
                    body: .file(URL(fileURLWithPath: "/nope/me.png"), mime: "image/png")
                )
            ),
        ]
        var errors: [(String, any CallError)] = []
        for (name, request) in requests {
            let refusal = try #require(try SampleEndpoint().invalid(request))
            errors.append(("InvalidRequest: \(name)", refusal))
        }
        for text in ["", "htp://x", "api.example.com", "https://api.example.com:99999", "a b"] {
            let refusal = try #require(throws: InvalidRequest.self) { try BaseURL.url(text) }
            errors.append(("InvalidRequest: the base URL \(text.debugDescription)", refusal))
        }
        return errors
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
        let label = "GET https://host/p?q"
        var errors: [(String, any CallError)] = []
        for kind in kinds {
            errors.append(("TransportError: \(kind)", TransportError(kind).of(label)))
        }
        for (kind, reason) in reasons {
            let error = TransportError(kind, reason: reason).of(label)
            errors.append(("TransportError: \(kind), with a reason", error))
        }
        let proxy = "could not connect to the proxy 127.0.0.1:3128 (http_proxy)"
        let others: [(String, TransportError)] = [
            (
                "unsupported, with a reason",
                TransportError(.unsupported, underlying: unsupported)
            ),
            (
                "a body that is too short",
                TransportError(.other, underlying: BodyTooShort(missing: 3))
            ),
            (
                "responseTooLarge, with its limit",
                TransportError(responseLargerThan: 1000).of(label)
            ),
            ("a refused proxy", TransportError(.cannotConnect, reason: proxy).of(label)),
        ]
        for (name, error) in others { errors.append(("TransportError: \(name)", error)) }
        return errors + redirects()
    }

    private static func redirects() -> [(String, any CallError)] {
        let locations = ["ftp://other/x", "http://other/x", "https://other:99999/", "http://[::1/"]
        return locations.compactMap { location -> (String, any CallError)? in
            guard let url = URL(string: "https://host/p") else { return nil }
            let head = ResponseHead(status: 302, headers: [.location: location])
            let request = EncodedRequest(url: url, method: .get)
            let decision = RedirectRules.decide(head, after: request, policy: .follow, followed: 0)
            guard case .fail(let error) = decision else { return nil }
            return ("TransportError: a redirect to \(location)", error.of("GET https://host/p"))
        }
    }

    private static func streamFailures() -> [(String, any CallError)] {
        let failures: [(String, StreamFailure)] = [
            (
                "transport",
                .transport(TransportError(.connectionLost).of("GET https://host/events"))
            ),
            (
                "timeout",
                .timeout(
                    TimeoutPhase.idle(TimeoutDetail(limit: .seconds(60))).of("GET https://host/e")
                )
            ),
            ("too slow", .readerTooSlow(bufferedBytes: 2)),
            ("line too long", .lineTooLong(limit: 3)),
            ("unexpected status", .unexpectedStatus(.created)), ("cancelled", .cancelled),
        ]
        return failures.map { ("StreamFailure: \($0)", $1) }
    }

    private static func others() throws -> [(String, any CallError)] {
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
        let files: [CookieFileError.Reason] = [
            .notCookies, .notRegularFile, .fileSystem(ENOTDIR),
        ]
        errors += files.map { ("CookieFileError: \($0)", CookieFileError($0, "/tmp/jar")) }
        errors.append(("CacheFolderError", CacheFolderError(ENOENT, "/proc/nope/cache")))
        let lines = ["{", #"{"name":1}"#]
        for line in lines {
            do {
                _ = try JSONDecoding.value(
                    User.self,
                    from: Data(line.utf8),
                    decoder: JSONDecoder()
                )
            } catch let failure as DecodingFailure {
                errors.append(("DecodingFailure: in a line", failure.inLine(2)))
            }
        }
        return errors
    }
}
