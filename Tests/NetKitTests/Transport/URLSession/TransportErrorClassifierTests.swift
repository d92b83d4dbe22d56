import Foundation
import Testing

@testable import NetKit

@Suite("Transport error classifier")
struct TransportErrorClassifierTests {
    @Test(
        "uses the code, or libcurl's text when the code is ambiguous",
        arguments: [
            (-1003, "", false, TransportError.Kind.cannotFindHost),
            (-1004, "", false, .cannotConnect),
            (-1005, "", false, .connectionLost),
            (-1005, "", true, .truncatedResponse),
            (-1009, "", false, .notConnected),
            (-1011, "Empty reply from server", false, .connectionLost),
            (-1202, "", false, .secureConnection),
            (-1002, "", false, .unsupported),
            (-1, "transfer closed with 95 bytes remaining to read", true, .truncatedResponse),
            (-1, "transfer closed with outstanding read data remaining", true, .truncatedResponse),
            (-1, "Send failure: Broken pipe", false, .connectionLost),
            (-1, "Recv failure: Connection reset by peer", true, .truncatedResponse),
            (-1, "Failed writing header", false, .malformedResponse),
            (-1, "SSL certificate problem: self-signed certificate", false, .secureConnection),
            (
                -1, "Illegal or missing hexadecimal sequence in chunked-encoding", true,
                .malformedResponse
            ),
            (-1002, "Received HTTP/0.9 when not allowed", false, .malformedResponse),
            (-1, "something new", false, .other),
            (-999, "", false, .other),
        ]
    )
    func kinds(code: Int, text: String, hadHead: Bool, expected: TransportError.Kind) {
        let info = [NSLocalizedDescriptionKey: text]
        let error = NSError(domain: NSURLErrorDomain, code: code, userInfo: info)
        #expect(TransportErrorClassifier.kind(of: error, hadHead: hadHead) == expected)
    }

    @Test("ignores other error domains")
    func otherDomain() {
        let error = NSError(domain: "x", code: -1003)
        #expect(TransportErrorClassifier.kind(of: error, hadHead: false) == .other)
    }
}
