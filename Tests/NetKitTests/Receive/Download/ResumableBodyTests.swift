import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Resumable body")
struct ResumableBodyTests {
    private func body(_ headers: HTTPHeaders, status: HTTPStatus = 200) -> ResumableBody? {
        var all: HTTPHeaders = [.acceptRanges: "Bytes", .eTag: "\"a\""]
        for (name, value) in headers { all[name] = value.isEmpty ? nil : value }
        return ResumableBody(ResponseHead(status: status, headers: all))
    }

    @Test("needs byte ranges, a strong validator, status 200 and no compression")
    func conditions() {
        #expect(body([:]) != nil)
        #expect(body([.acceptRanges: "none"]) == nil && body([.acceptRanges: ""]) == nil)
        #expect(body([.eTag: "W/\"a\""]) == nil)
        #expect(body([.contentEncoding: "gzip"]) == nil)
        #expect(body([:], status: 206) == nil)
    }

    @Test("is whole when all announced bytes arrived, or if none are announced")
    func whole() throws {
        var known = try #require(body([.contentLength: "5"]))
        #expect(!known.isWhole)
        known.receive(3)
        #expect(!known.isWhole && known.count == 3)
        #expect(known.fields.map(\.1) == ["bytes=3-", "\"a\""])
        known.receive(2)
        #expect(known.isWhole)
        #expect(try #require(body([:])).isWhole)
    }

    @Test(
        "is continued by the rest of the same version",
        arguments: [
            (206, [.contentRange: "bytes 3-4/5"], true),
            (206, [.contentRange: "bytes 3-4/*"], true),
            (206, [.contentRange: "bytes 2-4/5"], false),
            (206, [.contentRange: "bytes 3-4/6"], false), (206, [:], false),
            (200, [.contentRange: "bytes 3-4/5"], false),
            (206, [.contentRange: "bytes 3-4/5", .eTag: "\"b\""], false),
            (206, [.contentRange: "bytes 3-4/5", .contentEncoding: "gzip"], false),
        ] as [(HTTPStatus, HTTPHeaders, Bool)]
    )
    func rest(status: HTTPStatus, headers: HTTPHeaders, isContinued: Bool) throws {
        var partial = try #require(body([.contentLength: "5"]))
        partial.receive(3)
        let isResumed = partial.resume(with: ResponseHead(status: status, headers: headers))
        #expect(isResumed == isContinued)
    }

    @Test("takes its length from the rest if the first response doesn't state it")
    func unknownLength() throws {
        var unknown = try #require(body([:]))
        unknown.receive(3)
        let lengthless = ResponseHead(status: 206, headers: [.contentRange: "bytes 3-4/*"])
        var isResumed = unknown.resume(with: lengthless)
        #expect(!isResumed)
        let rest = ResponseHead(status: 206, headers: [.contentRange: "bytes 3-4/6"])
        isResumed = unknown.resume(with: rest)
        #expect(isResumed)
        unknown.receive(2)
        #expect(!unknown.isWhole)
        unknown.receive(1)
        #expect(unknown.isWhole)
    }
}
