import Foundation
import Testing

@testable import NetKit
@testable import NetKitPaging
@testable import NetKitSupport

@Suite("Polling delay")
struct PollingPauseTests {
    private static let pauses = Backoff.exponential(
        base: .seconds(1),
        factor: 1.5,
        maximum: .seconds(10),
        jitter: false
    )
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("grows with each poll, up to ten seconds")
    func grows() {
        let pauses = (1...8)
            .map {
                Self.pauses.pollingPause(retryAfter: nil, count: $0, random: 0.3, now: Self.now)
            }
        #expect(
            pauses.map { Int($0 / .milliseconds(1)) }
                == [1_000, 1_500, 2_250, 3_375, 5_062, 7_593, 10_000, 10_000]
        )
    }

    @Test(
        "follows the server's delay",
        arguments: [
            ("7", 7), (" 3 ", 3), ("0", 1), ("-4", 1), ("soon", 1), ("", 1),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 1), ("100000", 100_000),
        ]
    )
    func retryAfter(text: String, seconds: Int) {
        let pause = Self.pauses.pollingPause(
            retryAfter: text,
            count: 1,
            random: 0,
            now: Self.now
        )
        #expect(pause == .seconds(seconds))
    }

    @Test("follows the server's date")
    func date() throws {
        let text = try #require(HTTPDate.text(of: Self.now + 90))
        let pause = Self.pauses.pollingPause(
            retryAfter: text,
            count: 1,
            random: 0,
            now: Self.now
        )
        #expect(pause == .seconds(90))
    }
}
