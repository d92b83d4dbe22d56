import Foundation
import NetKit
import NetKitTesting
import Testing

/// The server of these tests, judged by a client that is not ours.
@Suite("Digest authentication server", .timeLimit(.minutes(15)))
struct DigestServerTests {
    private static let program = "/usr/bin/curl"

    private func status(_ server: MockServer, _ target: String, _ user: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = [
            "--disable", "--noproxy", "*", "--silent", "--digest", "--user", user, "--max-time",
            "900",
            "--write-out", " %{http_code}", server.url(target).absoluteString,
        ]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
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
