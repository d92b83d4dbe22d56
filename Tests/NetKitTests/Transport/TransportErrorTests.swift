import Foundation
import Testing

@testable import NetKit

@Suite("Transport errors")
struct TransportErrorTests {
    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test("prints nothing of its underlying error")
    func mirrors() throws {
        let url = try #require(URL(string: "https://h/?token=SECRET"))
        let info: [String: any Sendable] = [NSURLErrorFailingURLErrorKey: url]
        let cause = NSError(domain: NSURLErrorDomain, code: -1004, userInfo: info)
        let error = TransportError(.cannotConnect, underlying: cause)
        #expect(error.underlying as? NSError == cause)
        let text = dumped(error)
        #expect(text.contains("could not connect to the server"))
        #expect(!text.contains("SECRET"))
        let failure = dumped(StreamFailure.transport(error))
        #expect(failure.contains("could not connect to the server"))
        #expect(!failure.contains("SECRET"))
    }

    @Test(
        "prints a stream failure on one line",
        arguments: [
            (
                StreamFailure.timeout(.idle),
                "no byte received in time (idle timeout; see Request.timeout)"
            ),
            (
                .readerTooSlow(bufferedBytes: 2),
                "the reader is 2 bytes behind the server, more than the buffer holds"
            ),
            (.lineTooLong(limit: 3), "a line exceeds the limit of 3 bytes"),
            (.transport(TransportError(.connectionLost)), "connection lost"),
        ]
    )
    func lines(failure: StreamFailure, line: String) {
        #expect("\(failure)" == line)
    }
}
