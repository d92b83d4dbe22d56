import Foundation
import NetKit
import NetKitTesting
import Testing

/// The server of these tests, judged by a client that is not ours.
@Suite("Digest authentication server", .timeLimit(.minutes(15)))
struct DigestServerTests {
    private static let program = "/usr/bin/curl"

    private func status(_ server: MockServer, _ target: String, _ user: String) throws -> String {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let output = folder.file("output")
        let arguments = [
            "--disable", "--noproxy", "*", "--silent", "--digest", "--user", user, "--max-time",
            "900",
            "--write-out", " %{http_code}", server.url(target).absoluteString,
        ]
        // Foundation's `Process` reads beyond the list of open descriptors, which can end this process.
        let command = ([Self.program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        _ = system("\(command) > '\(output.path)'")
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    @Test(
        "accepts curl with the right password only",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program)),
        arguments: ["SHA-256", "MD5", "SHA-256-sess", "MD5-sess"],
        ["auth", nil]
    )
    func curl(algorithm: String, quality: String?) throws {
        // curl does not send the nonce of its own that a server needs for these.
        if quality == nil, algorithm.hasSuffix("-sess") { return }
        var terms = DigestServer.Terms()
        (terms.algorithms, terms.quality) = ([algorithm], quality)
        let digest = DigestServer(terms)
        let server = try MockServer()
        server.route(nil, "/private/*") { digest.answer($0) }
        #expect(
            try status(server, "/private/x?a=b%20c", "Mufasa:Circle of Life")
                == "\(algorithm) 200"
        )
        #expect(try status(server, "/private/x", "Mufasa:wrong").hasSuffix(" 401"))
        #expect(digest.refusals == ["nothing", "nothing", "response"])
    }
}
