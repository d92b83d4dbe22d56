import Testing

@testable import NetKitSupport

@Suite("HTTP tokens")
struct HTTPTokenTests {
    private let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    @Test("allow the characters of RFC 9110, and no others")
    func characters() {
        let allowed = Set("!#$%&'*+-.^_`|~0123456789\(letters)".utf8)
        for byte in UInt8.min ... .max {
            #expect(HTTPToken.allows(byte) == allowed.contains(byte), "\(byte)")
        }
    }

    @Test("are never empty")
    func text() {
        #expect("a".isHTTPToken && "X-Y".isHTTPToken)
        for text in ["", "a b", "a:", "ä", "a\0"] { #expect(!text.isHTTPToken) }
    }

    @Test("ignore the case of ASCII letters, and change no other byte")
    func folding() {
        for byte in UInt8.min ... .max {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            #expect(HTTPToken.folded(byte) == (isUpper ? byte + 32 : byte))
        }
    }
}
