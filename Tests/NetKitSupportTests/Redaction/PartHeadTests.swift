import Testing

@testable import NetKitSupport

@Suite("Heads of multipart parts")
struct PartHeadTests {
    @Test(
        "reads the head of a part with its names",
        arguments: [
            ("Content-Disposition: form-data; name=\"a\"\r\n\r\nx", ["a"]),
            ("content-disposition:form-data;name=a\n\nx", ["a"]),
            ("Content-Disposition: form-data; NAME = a ; filename=b\r\n\r\n", ["a"]),
            ("Content-Disposition: form-data;\r\n name=\"a;b\"\r\n\r\n", ["a;b"]),
            ("Content-Disposition: form-data; name*=UTF-8''p%C3%A4\r\n\r\n", ["UTF-8''pä", "pä"]),
            (
                "Content-Disposition: form-data; name*0=pass; name*1=word\r\n\r\n",
                ["pass", "word", "password"]
            ),
            ("Content-Disposition: form-data; name=\"a\\\"b\"\r\n\r\n", ["ab"]),
            ("Content-Disposition: form-data; name=\"a%62\"\r\n\r\n", ["a%62", "ab"]),
            ("X: y\r\n\r\n", []),
            ("Content-Disposition: form-data; names=a\r\n\r\n", []), ("\r\nx", []),
        ]
    )
    func heads(text: String, names: [String]) throws {
        let head = try #require(PartHead(Array(text.utf8)[...]))
        let found = head.names.map { String(decoding: $0, as: UTF8.self) }
        for name in names { #expect(found.contains(name), "\(found)") }
        if names.isEmpty { #expect(found.allSatisfy { $0.isEmpty }) }
        #expect(["x", ""].contains(String(decoding: Array(text.utf8)[head.end...], as: UTF8.self)))
    }

    @Test("reads an apostrophe as part of a name, unless it is an extended one")
    func apostrophes() throws {
        for (parameter, isSplit) in [("name=\"a'b\"", false), ("name*=utf-8''b", true)] {
            let text = Array("Content-Disposition: form-data; \(parameter)\r\n\r\n".utf8)
            let head = try #require(PartHead(text[...]))
            // The joined pieces come last.
            #expect(head.names.dropLast().contains(Array("b".utf8)) == isSplit)
        }
    }

    @Test(
        "finds no head without an end, a colon or a name",
        arguments: ["", "a: b", "a: b\r\n", "a\r\n\r\n", ": b\r\n\r\n", " a: b\r\n\r\n"]
    )
    func noHeads(text: String) {
        #expect(PartHead(Array(text.utf8)[...]) == nil)
    }

    @Test("knows the values of a part's fields, with folded lines and without blanks")
    func values() throws {
        let bytes = Array("A:  b \r\nB :\r\nC: d\r\n\t e \r\nD:f\r\n\r\nx".utf8)
        let head = try #require(PartHead(bytes[...]))
        #expect(head.fields.map(\.name) == ["A", "B", "C", "D"])
        let values = head.fields.map { String(decoding: bytes[$0.value], as: UTF8.self) }
        #expect(values == ["b", "", "d\r\n\t e", "f"])
    }
}
