import Foundation
import NetKitTesting
import Testing

@testable @_spi(Transports) import NetKit
@testable import NetKitCache
@testable import NetKitCookies
@testable import NetKitSupport

@Suite("Cache partition")
struct CacheUserTests {
    private let clock = DeadlineClock(manual: ())
    private let url = URL(string: "http://a.example/x") ?? URL(fileURLWithPath: "/")
    private let nobody = CacheUser(credentials: nil, session: nil) { nil }

    private func request(_ headers: HTTPHeaders = [:]) -> EncodedRequest {
        EncodedRequest(url: url, method: .get, headers: headers)
    }

    private func digest(_ text: String) -> String { "<\(text)>" }

    private func partition(_ user: CacheUser, _ headers: HTTPHeaders = [:]) -> String {
        user.key(of: request(headers), at: clock.date, digest).partition
    }

    private func user(_ identity: CredentialIdentity) throws -> CacheUser {
        let home = try #require(Origin(url))
        return CacheUser(credentials: CredentialScope(home: home), session: nil) { identity }
    }

    @Test("is empty for a request without credentials")
    func anonymous() {
        #expect(partition(nobody) == "")
        #expect(partition(nobody, [.accept: "text/plain", .cacheControl: "max-age=0"]) == "")
    }

    @Test("follows the user who signs in between two attempts of a call")
    func otherUser() throws {
        let secret = Locked("one")
        let home = try #require(Origin(url))
        let user = CacheUser(credentials: CredentialScope(home: home), session: nil) {
            .secret(secret.withLock { $0 })
        }
        let first = partition(user)
        secret.withLock { $0 = "two" }
        #expect(partition(user) != first)
    }

    @Test("depends on the request's own credentials, in any field order")
    func ownFields() {
        let one = partition(nobody, ["X-Api-Key": "1", .authorization: "Basic a"])
        #expect(one != "")
        #expect(one == partition(nobody, [.authorization: "Basic a", "X-Api-Key": "1"]))
        #expect(one != partition(nobody, [.authorization: "Basic b", "X-Api-Key": "1"]))
        #expect(partition(nobody, [.cookie: "a=1"]) != partition(nobody, [.cookie: "a=2"]))
        var marked = HTTPHeaders()
        marked.set("X-Tenant", to: "7", isSensitive: true)
        #expect(partition(nobody, marked) != "")
    }

    @Test("depends on the authentication, unless it adds no credential")
    func authentication() throws {
        let alice = try user(BasicAuthentication(username: "alice", password: "1").identity)
        let bob = try user(BasicAuthentication(username: "bob", password: "1").identity)
        let guess = try user(BasicAuthentication(username: "alice", password: "2").identity)
        #expect(Set([alice, bob, guess].map { partition($0) }).count == 3)
        let again = try user(BasicAuthentication(username: "alice", password: "1").identity)
        #expect(partition(alice) == partition(again))
        var open = request()
        open.isAuthenticated = false
        #expect(alice.key(of: open, at: clock.date, digest).partition == "")
    }

    @Test(
        "survives a token refresh, and changes with a new token"
    )
    func bearer() async throws {
        let authentication = BearerAuthentication(token: "1") { _ in "2" }
        let identity = authentication.identity
        var request = request()
        try await authentication.authenticate(&request)
        let refused = HTTPResponse(to: request, ResponseHead(status: 401), body: Data())
        #expect(try await authentication.recover(from: refused, to: request) == .refreshed)
        #expect(authentication.identity == identity)
        let endpoint = Endpoint(baseURL: url)
        endpoint.authentication = authentication
        authentication.setToken(BearerToken("3"))
        #expect(authentication.identity != identity)
        #expect(endpoint.settings.values.identity == authentication.identity)
        #expect(authentication.identity != BearerAuthentication(token: "1") { _ in "2" }.identity)
    }

    @Test("changes whenever the endpoint gets another custom authentication")
    func foreignAuthentication() {
        struct Signing: Authentication {
            func authenticate(_ request: inout EncodedRequest) async throws {}
        }
        let endpoint = Endpoint(baseURL: url)
        var identities: Set<CredentialIdentity?> = [endpoint.settings.values.identity]
        for _ in 0..<2 {
            endpoint.authentication = Signing()
            identities.insert(endpoint.settings.values.identity)
            endpoint.headers["X"] = "1"
            #expect(identities.contains(endpoint.settings.values.identity))
        }
        #expect(identities.count == 3)
        #expect(identities.contains(endpoint.derived { _ in }.settings.values.identity))
    }

    @Test("depends on a jar with cookies for the URL")
    func jars() throws {
        let (one, two) = (CookieJar(), CookieJar())
        #expect(partition(CacheUser(credentials: nil, session: one) { nil }) == "")
        for jar in [one, two] { jar.store(["a=1"], from: url, at: clock.date) }
        let partitions = [one, two]
            .map { partition(CacheUser(credentials: nil, session: $0) { nil }) }
        #expect(Set(partitions).count == 2)
        #expect(!partitions.contains(""))
        // Another user may log in with the same jar.
        one.removeAll()
        one.store(["a=1"], from: url, at: clock.date)
        let next = partition(CacheUser(credentials: nil, session: one) { nil })
        #expect(next != "" && !partitions.contains(next))
    }

    @Test("depends on a credential of the transport's connections")
    func connections() {
        func user(_ connection: ConnectionIdentity) -> CacheUser {
            CacheUser(credentials: nil, session: nil, connection: connection) { nil }
        }
        #expect(partition(user(.known("a"))) != partition(user(.known("b"))))
        #expect(partition(user(.known("a"))) != "")
        #expect(partition(user(.undisclosed(ProcessUniqueID()))) == "")
        #expect(ConnectionIdentity(of: URLSessionTransport()) == .none)
        struct Silent: Transport {
            func send(
                _ request: EncodedRequest,
                to receiver: any TransportReceiver
            ) -> any TransportExchange { fatalError("nothing is sent") }
        }
        #expect(ConnectionIdentity(of: Silent()) != ConnectionIdentity(of: Silent()))
        struct Identified: PoolingTransport {
            let connectionIdentity: String?
            let maximumConnectionsPerHost = 1

            func send(
                _ request: EncodedRequest,
                to receiver: any TransportReceiver
            ) -> any TransportExchange { fatalError("nothing is sent") }
        }
        #expect(ConnectionIdentity(of: Identified(connectionIdentity: nil)) == .none)
        let known = FaultyTransport(wrapping: Identified(connectionIdentity: "a"))
        #expect(ConnectionIdentity(of: known) == .known("a"))
    }

    @Test(
        "depends on a Host field that names another authority than the URL",
        arguments: [
            ("a.example", true), ("A.EXAMPLE:80", true), ("b.example", false),
            ("a.example:81", false), ("a.example, jar x", false), ("", false),
        ]
    )
    func hosts(field: String, isOwn: Bool) {
        var headers: HTTPHeaders = ["Host": field]
        headers.allowsHostOverride = true
        let key = nobody.key(of: request(headers), at: clock.date, digest)
        #expect((key.partition == "") == isOwn)
        // The host isn't a credential, whatever its text.
        let hashed = CacheKey(url: "", partition: CacheKey.hostMark + "0f")
        #expect(!hashed.isCredentialed)
        #expect(CacheKey(url: "", partition: hashed.partition + ", jar 1").isCredentialed)
    }

    @Test("ignores the fragment of a URL")
    func fragments() throws {
        let url = try #require(URL(string: "http://a.example/x?y#z"))
        #expect(CacheKey.text(of: url) == "http://a.example/x?y")
    }

    @Test(
        "is the same for all URLs of a resource",
        arguments: [
            ("http://H.test/X", "http://h.test/X"), ("HTTP://u:p@h.test/x", "http://h.test/x"),
            ("http://h.test:80/x", "http://h.test/x"), ("https://h.test:443", "https://h.test/"),
            ("http://h.test?q", "http://h.test/?q"), ("http://h.test#f", "http://h.test/"),
            ("http://h.test:/x", "http://h.test/x"), ("http://h.test:443/x", "http://h.test:443/x"),
            ("http://[FE80::1%25enP2]/x", "http://[fe80::1%25enP2]/x"),
            ("http://h.test/@:80/#", "http://h.test/@:80/"),
        ]
    )
    func normalURL(text: String, normal: String) throws {
        #expect(CacheKey.text(of: try #require(URL(string: text))) == normal)
    }
}

@Suite("Selection by Vary")
struct SelectionTests {
    private let clock = DeadlineClock(manual: ())
    private let url = URL(string: "http://a.example/x") ?? URL(fileURLWithPath: "/")
    private let nobody = CacheUser(credentials: nil, session: nil) { nil }
    private let key = CacheKey(url: "http://a.example/x", partition: "")

    private func digest(_ text: String) -> String { "<\(text)>" }

    @Test(
        "compares exactly the fields that Vary names",
        arguments: [
            ("Accept", [.accept: "a"], [.accept: "a"], true),
            ("Accept", [.accept: "a"], [.accept: "b"], false),
            ("Accept", [.accept: "a"], [:], false), ("Accept", [:], [:], true),
            ("accept, X-One", [.accept: "a"], [.accept: "a", "X-One": "1"], false),
            ("Accept", [.accept: "a,b"], [.accept: " a , b "], true),
            ("Accept", [.accept: "a, b"], [.accept: "b, a"], false),
            ("Accept", [.accept: "a, b"], [.accept: "ab"], false),
            ("X-Name", ["X-Name": #""a, b""#], ["X-Name": #""a,b""#], false),
            ("X-Name", ["X-Name": #""a,,b""#], ["X-Name": #""a,b""#], false),
            ("X-Name", ["X-Name": "\u{E9}"], ["X-Name": "\u{E9}"], true),
            ("X-Name", ["X-Name": "\u{E9}"], ["X-Name": "e\u{301}"], false),
            ("Accept-Language", [.acceptLanguage: "de, EN"], [.acceptLanguage: "de,en"], true),
            ("Accept-Language", [.acceptLanguage: "de, en"], [.acceptLanguage: "en, de"], false),
            ("Accept-Encoding", [:], [:], true), ("Authorization", [:], [:], true),
            ("", [.accept: "a"], [.accept: "b"], true),
            ("Cookie", [.cookie: "a=1"], [.cookie: "a=1"], true),
            ("Cookie", [.cookie: "a=1"], [.cookie: "a=2"], false),
        ] as [(String, HTTPHeaders, HTTPHeaders, Bool)]
    )
    func selection(vary: String, first: HTTPHeaders, second: HTTPHeaders, isSame: Bool) throws {
        let sent = EncodedRequest(url: url, method: .get, headers: first)
        let selectors = try #require(
            nobody.selectors(for: [.vary: vary], sent, for: sent, key, digest)
        )
        let stored = storedHead(200, [.vary: vary], selectors: selectors)
        let later = EncodedRequest(url: url, method: .get, headers: second)
        #expect(nobody.selects(stored, for: later, at: clock, digest) == isSame)
        // No credential is stored but as a digest.
        for value in selectors.compactMap(\.value) where value.contains("a=1") {
            #expect(value == "<a=1>")
        }
    }

    @Test("names each field once, in lowercase and in order")
    func names() {
        let names = Selection.names(in: [.vary: "X-One,Accept , x-one"])
        #expect(names.map(\.rawName) == ["accept", "x-one"])
        #expect(Selection.names(in: [:]) == [])
    }

    @Test("includes the jar's cookies as sent")
    func jar() throws {
        let jar = CookieJar()
        jar.store(["a=1"], from: url, at: clock.date)
        let user = CacheUser(credentials: nil, session: jar) { nil }
        let request = EncodedRequest(url: url, method: .get)
        let sent = request.adding(jar, at: clock)
        let own = user.key(of: request, at: clock.date, digest)
        // A cookie that came into the jar behind the key belongs to nobody.
        #expect(user.selectors(for: [:], sent, for: request, key, digest) == nil)
        let selectors = try #require(
            user.selectors(for: [.vary: "cookie"], sent, for: request, own, digest)
        )
        let stored = storedHead(200, [.vary: "cookie"], selectors: selectors)
        #expect(user.selects(stored, for: request, at: clock, digest))
        jar.store(["a=2"], from: url, at: clock.date)
        #expect(!user.selects(stored, for: request, at: clock, digest))
    }

    @Test("adds the cookies and an unknown transport to Vary for a private response")
    func privateResponses() throws {
        let jar = CookieJar()
        jar.store(["a=1"], from: url, at: clock.date)
        let other = ConnectionIdentity.undisclosed(ProcessUniqueID())
        let users = [ConnectionIdentity.none, other]
            .map { CacheUser(credentials: nil, session: jar, connection: $0) { nil } }
        let request = EncodedRequest(url: url, method: .get)
        let sent = request.adding(jar, at: clock)
        let key = users[0].key(of: request, at: clock.date, digest)
        let fields: HTTPHeaders = [.cacheControl: "max-age=60, Private"]
        let selectors = try #require(
            users[0].selectors(for: fields, sent, for: request, key, digest)
        )
        let stored = StoredHead(
            key: key,
            selectors: selectors,
            status: 200,
            headers: fields,
            requestDate: clock.date,
            responseDate: clock.date
        )
        #expect(users.map { $0.selects(stored, for: request, at: clock, digest) } == [true, false])
        #expect(users[0].isSame(in: sent, stored, for: request, at: clock.date, digest))
        #expect(!users[0].isSame(in: request, stored, for: request, at: clock.date, digest))
        jar.store(["a=2"], from: url, at: clock.date)
        #expect(!users[0].selects(stored, for: request, at: clock, digest))
        // The response that begins a session is nobody else's.
        let first: HTTPHeaders = [.cacheControl: "private, max-age=60", .setCookie: "a=1"]
        #expect(users[0].selectors(for: first, request, for: request, key, digest) == nil)
        #expect(nobody.selectors(for: first, request, for: request, key, digest) != nil)
    }

    @Test("fails when a lower layer added a credential or a field named by Vary")
    func additions() {
        let request = EncodedRequest(url: url, method: .get)
        var sent = request
        sent.headers["X-Trace"] = "1"
        #expect(nobody.selectors(for: [.vary: "X-Trace"], sent, for: request, key, digest) == nil)
        #expect(nobody.selectors(for: [:], sent, for: request, key, digest) == [])
        var other = sent
        other.headers["X-Api-Key"] = "1"
        #expect(nobody.selectors(for: [:], other, for: request, key, digest) == nil)
        var changed = other
        changed.headers["X-Api-Key"] = "2"
        #expect(nobody.selectors(for: [:], changed, for: other, key, digest) == nil)
        other = sent
        other.url = url.appendingPathComponent("y")
        #expect(nobody.selectors(for: [:], other, for: request, key, digest) == nil)
        other = sent
        other.method = .head
        #expect(nobody.selectors(for: [:], other, for: request, key, digest) == nil)
    }
}
