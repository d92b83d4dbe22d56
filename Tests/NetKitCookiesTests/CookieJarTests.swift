import Foundation
import Testing

@testable import NetKit
@testable import NetKitCookies

@Suite("Cookie jar", .timeLimit(.minutes(15)))
struct CookieJarTests {
    private let jar = CookieJar()
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://h.test/a/b"))
    }

    private var names: [String] { jar.cookies.map(\.name) }

    @Test("stores a response's cookies, and returns those for a request")
    func storing() throws {
        jar.store(["a=1; Path=/", "b=2", "c=3; Domain=com", ""], from: url)
        #expect(names == ["a", "b"])
        #expect(jar.cookies(for: url).map(\.name) == ["b", "a"])
        let plain = try #require(URL(string: "http://h.test/"))
        #expect(jar.cookies(for: plain).map(\.name) == ["a"])
        let mail = try #require(URL(string: "mailto:a@h.test"))
        jar.store(["d=4"], from: mail)
        #expect(names == ["a", "b"] && jar.cookies(for: mail) == [])
    }

    @Test("takes no cookies of a response that comes after its call was stopped")
    func stopped() async throws {
        let transport = LateTransport()
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        endpoint.cookies = jar
        var steps = transport.steps.makeAsyncIterator()
        let call = Task { try await endpoint.value(for: Page()) }
        #expect(await steps.next() == .sent)
        call.cancel()
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await call.value }
        #expect(await steps.next() == .answered)
        #expect(jar.cookies.isEmpty)
    }

    @Test("omits expired cookies")
    func expiring() {
        jar.store(["a=1; Max-Age=86400", "b=2; Max-Age=172800"], from: url)
        #expect(names == ["a", "b"])
        #expect(jar.cookies(for: url, at: Date().addingTimeInterval(100_000)).map(\.name) == ["b"])
        jar.store(["c=1; Max-Age=86400"], from: url, at: Date().addingTimeInterval(-86_401))
        #expect(names == ["a", "b"])
    }

    @Test("inserts and removes single cookies")
    func inserting() throws {
        let now = Date()
        for field in ["a=1", "b=2", "a=3"] {
            jar.insert(try #require(Cookie(setCookie: field, from: url, at: now)))
        }
        #expect(jar.cookies(for: url).map(\.value) == ["3", "2"])
        jar.insert(try #require(Cookie(setCookie: "b=; Max-Age=0", from: url, at: now)))
        #expect(names == ["a"])
        jar.store(["c=1", "d=1"], from: url)
        // The rule may use the jar.
        jar.remove { $0.name == "c" && jar.cookies.count == 3 }
        #expect(names == ["a", "d"])
        jar.removeAll()
        #expect(jar.cookies.isEmpty && jar.cookies(for: url).isEmpty)
    }

    @Test(
        "begins another session when cookies are removed, or changed by an unsafe request",
        arguments: [
            ("a=1", true, false), ("a=1", false, false), ("a=2", true, false), ("a=2", false, true),
            ("b=1", true, false), ("b=1", false, true), ("a=; Max-Age=0", true, true),
            ("b=; Max-Age=0", false, false),
            ("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", true, true),
            ("a=1; Secure=", true, false),
        ]
    )
    func sessions(field: String, isSafe: Bool, isOther: Bool) throws {
        let origin = try #require(CookieURL(url))
        jar.store(["a=1"], from: origin, at: cookieDate, afterSafe: false)
        let session = jar.identity
        jar.store([field], from: origin, at: cookieDate, afterSafe: isSafe)
        #expect((jar.identity != session) == isOther)
    }

    @Test("begins another session when the program replaces a cookie")
    func replacedSession() throws {
        jar.store(["a=1"], from: url)
        let cookie = try #require(jar.cookies.first)
        let session = jar.identity
        jar.remove { $0.name == "b" }
        #expect(jar.identity == session)
        jar.insert(cookie)
        #expect(jar.identity == session)
        jar.store(["a=2"], from: url)
        #expect(jar.identity == session)
        jar.insert(cookie)
        #expect(jar.identity != session)
    }

    @Test("prints only the number of its cookies")
    func description() {
        jar.store(["sid=s3cret"], from: url)
        var dumped = ""
        dump(jar, to: &dumped)
        #expect("\(jar)" == "CookieJar(1 cookies)")
        #expect(!dumped.contains("s3cret") && !dumped.contains("sid"))
    }

    @Test("is safe to use from many threads")
    func threads() {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<50 {
                jar.store(["t\(thread)n\(number % 10)=1; Max-Age=86400"], from: url)
                _ = jar.cookies(for: url)
                jar.remove { $0.name == "t\(thread)n\(number % 10 - 1)" }
            }
        }
        #expect(jar.cookies.count == 8)
    }
}

private struct Page: Request {
    typealias ResponseObjectType = String
    let path = "page"
}

/// Answers a request only when it is cancelled, as a transport may whose answer was on its way.
private final class LateTransport: Transport {
    enum Step { case sent, answered }

    let steps: AsyncStream<Step>
    private let noted: AsyncStream<Step>.Continuation

    init() { (steps, noted) = AsyncStream.makeStream() }

    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        receiver.receive(.started)
        noted.yield(.sent)
        return Exchange(receiver, noted)
    }

    private final class Exchange: TransportExchange {
        private let receiver: any TransportReceiver
        private let noted: AsyncStream<Step>.Continuation

        init(_ receiver: any TransportReceiver, _ noted: AsyncStream<Step>.Continuation) {
            (self.receiver, self.noted) = (receiver, noted)
        }

        func cancel() {
            let headers: HTTPHeaders = ["Set-Cookie": "late=1; Path=/"]
            receiver.receive(.head(ResponseHead(status: .ok, headers: headers)))
            receiver.receive(.body(Data("late".utf8)))
            receiver.receive(.finished(nil))
            noted.yield(.answered)
        }
    }
}
