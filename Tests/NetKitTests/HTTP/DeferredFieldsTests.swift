import NetKitSupport
import Testing

@testable import NetKit

@Suite("Deferred header fields")
struct DeferredFieldsTests {
    private let copies = Locked(0)

    private func headers() -> HTTPHeaders {
        let fields = [("Content-Type", "text/plain"), ("Set-Cookie", "SECRET"), ("X-A", "1")]
        return HTTPHeaders(
            JoinedFields(
                find: { name in fields.first { $0.0.lowercased() == name.lowercased() }?.1 },
                list: { [copies] in
                    copies.withLock { $0 += 1 }
                    return fields
                }
            )
        )
    }

    @Test("looks up a field without copying all of them")
    func lookUp() {
        let headers = headers()
        #expect(headers["content-type"] == "text/plain")
        #expect(headers.contentType == "text/plain")
        #expect(headers["X-B"] == nil)
        #expect(headers.authToken == nil)
        #expect(headers.isSensitive(.setCookie) && !headers.isSensitive("X-A"))
        #expect(copies.withLock { $0 } == 0)
    }

    @Test("have no field with too many combining marks, which Swift takes minutes to compare")
    func marks() {
        let marks = CombiningMarksTests.unsorted()
        let fields = [("Date", marks), ("X-A", "1")]
        let headers = HTTPHeaders(
            JoinedFields(find: { name in fields.first { $0.0 == name }?.1 }, list: { fields })
        )
        #expect(headers["Date"] == nil && headers.values(for: "Date").isEmpty)
        #expect(headers == ["X-A": "1"])
    }

    @Test("equals the same fields stored")
    func equality() {
        let stored: HTTPHeaders = [
            "X-A": "1", "Content-Type": "text/plain", "Set-Cookie": "SECRET",
        ]
        let headers = headers()
        #expect(headers == stored && stored == headers)
        #expect(headers.hashValue == stored.hashValue)
        #expect(headers.count == 3 && !headers.isEmpty)
        #expect(headers.map(\.name) == [.contentType, .setCookie, "X-A"])
        #expect(!"\(headers)".contains("SECRET"))
        #expect(headers.withoutCredentials() == ["Content-Type": "text/plain", "X-A": "1"])
    }

    @Test("copies the fields on the first change, and leaves other copies alone")
    func changing() {
        let original = headers()
        var changed = original
        changed["x-a"] = "2"
        changed["X-B"] = "3"
        changed.remove(.setCookie)
        #expect(changed == ["Content-Type": "text/plain", "X-A": "2", "X-B": "3"])
        #expect(original["X-A"] == "1" && original.count == 3)
        let removed = headers().withoutCredentials()
        #expect(removed[.setCookie] == nil)
    }

    @Test("merges like stored fields, on either side")
    func merging() {
        let other: HTTPHeaders = ["x-a": "2", "X-B": "3"]
        #expect(headers().merging(other)["X-A"] == "2")
        #expect(headers().merging(other).count == 4)
        #expect(other.merging(headers())["X-A"] == "1")
        #expect(HTTPHeaders().merging(headers()) == headers())
    }

    @Test("compares and merges several Set-Cookie fields like stored ones")
    func repeats() {
        let fields = [("Set-Cookie", "a=1; Path=/, b=2; Path=/"), ("X-A", "1")]
        let deferred = HTTPHeaders(
            JoinedFields(
                find: { name in fields.first { $0.0.lowercased() == name.lowercased() }?.1 },
                list: { fields }
            )
        )
        let cookies = ["a=1; Path=/", "b=2; Path=/"]
        #expect(deferred.values(for: .setCookie) == cookies)
        #expect(deferred == deferred)
        #expect(Set([deferred]).contains(deferred))
        let other: HTTPHeaders = ["X-Cache": "hit"]
        #expect(other.merging(deferred).values(for: .setCookie) == cookies)
        #expect(
            deferred.dictionary == ["Set-Cookie": cookies.joined(separator: ", "), "X-A": "1"]
        )
    }

    @Test(
        "separates Set-Cookie fields as far as joined fields allow",
        arguments: [
            ("a=1", ["a=1"]), ("a=1, b=2; Path=/, c=", ["a=1", "b=2; Path=/", "c="]),
            ("a=1,b=2; Path=/", ["a=1,b=2; Path=/"]),
            (
                "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT, __Host-b=2",
                ["a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", "__Host-b=2"]
            ),
            ("a=1,2, =3", ["a=1,2, =3"]), ("", [""]),
        ]
    )
    func cookies(joined: String, fields: [String]) {
        let headers = HTTPHeaders(
            JoinedFields(
                find: { $0.lowercased() == "set-cookie" ? joined : nil },
                list: { [("Set-Cookie", joined), ("X-A", "1, 2")] }
            )
        )
        #expect(headers[.setCookie] == fields.first)
        #expect(headers.values(for: .setCookie) == fields)
        #expect(headers.map(\.value) == fields + ["1, 2"])
        var changed = headers
        changed.remove("X-A")
        #expect(changed.values(for: .setCookie) == fields)
    }
}
