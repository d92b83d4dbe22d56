import NetKit
import Testing

@Suite("Connection facts")
struct ConnectionFactsTests {
    @Test(
        "are described in one line, without what isn't known",
        arguments: [
            (ConnectionFacts(), "HTTP over a connection"),
            (
                ConnectionFacts(isReused: true, httpVersion: "1.1"),
                "HTTP/1.1 over a kept connection"
            ),
            (
                ConnectionFacts(
                    isReused: false,
                    remoteAddress: "[::1]:80",
                    connectDuration: .milliseconds(2)
                ),
                "HTTP over a new connection to [::1]:80 (connect 2 ms)"
            ),
            (
                ConnectionFacts(
                    isReused: false,
                    httpVersion: "2",
                    remoteAddress: "127.0.0.1:8443",
                    resolveDuration: .milliseconds(1),
                    connectDuration: .milliseconds(2),
                    tlsDuration: .milliseconds(9)
                ),
                "HTTP/2 over a new connection to 127.0.0.1:8443 (lookup 1 ms, connect 2 ms, TLS 9 ms)"
            ),
        ]
    )
    func description(facts: ConnectionFacts, text: String) {
        #expect("\(facts)" == text)
    }
}
