import Testing

@testable import NetKit

@Suite("Kinds of bodies")
struct BodyKindTests {
    @Test(
        "follow the media type",
        arguments: [
            (nil, .binary), ("application/json", .json),
            ("Application/Problem+JSON; charset=utf-8", .json),
            ("application/json-seq", .json), ("application/x-ndjson", .json), ("text/json", .json),
            ("application/x-www-form-urlencoded", .form), ("application/xml", .xml),
            ("image/svg+xml", .xml),
            ("text/html; charset=utf-8", .html), ("text/plain", .text),
            ("text/event-stream", .text), ("image/png", .binary),
            ("multipart/form-data; boundary=B", .multipart(Array("B".utf8))),
            ("multipart/mixed", .multipart(nil)),
            ("application/octet-stream", .binary), ("", .binary), ("application/jsonx", .binary),
            ("application/xmlx", .binary),
        ] as [(String?, BodyKind)]
    )
    func types(type: String?, kind: BodyKind) {
        #expect(BodyKind(type) == kind)
    }

    @Test(
        "are text without control characters, except those of white space, form feeds and escapes"
    )
    func text() {
        let allowed: Set<UInt8> = [0x09, 0x0A, 0x0C, 0x0D, 0x1B, 0x1E]
        for byte in UInt8.min ... .max {
            #expect(
                BodyKind.isText([0x61, byte, 0x62]) == (byte >= 0x20 || allowed.contains(byte)),
                "\(byte)"
            )
        }
        #expect(BodyKind.isText([]))
    }

    @Test(
        "know the charsets that contain ASCII",
        arguments: [
            (nil, true), ("text/plain", true), ("text/plain; charset=UTF-8", true),
            ("text/plain; charset=utf8", true),
            ("text/plain; charset=us-ascii", true), ("text/plain; charset=ascii", true),
            ("text/plain; charset=\"ISO-8859-15\"", true), ("text/plain; charset=latin1", true),
            ("text/plain; charset=windows-1252", true), ("text/plain; charset=koi8-r", true),
            ("text/plain; charset=utf-16", false), ("text/plain; charset=utf-7", false),
            ("text/plain; charset=ibm037", false),
            ("text/plain; charset=x-utf-8", false), ("text/plain; charset=windows-874", false),
        ] as [(String?, Bool)]
    )
    func charsets(type: String?, isKnown: Bool) {
        #expect(BodyKind.isKnownCharset(of: type) == isKnown)
    }
}
