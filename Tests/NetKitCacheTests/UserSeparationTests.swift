import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@_spi(Transports) @testable import NetKit
@testable import NetKitCache
@testable import NetKitCookies

@Suite("Users of a shared cache", .timeLimit(.minutes(15)))
struct UserSeparationTests {
    @Test(
        "never get each other's responses, whoever signs in and out",
        arguments: 0..<24 as Range<UInt64>
    )
    func random(seed: UInt64) async throws {
        var run = try Run(seed: seed)
        for _ in 0..<150 { try await run.step() }
        // Responses were shared at all. Little is shared where every response changes a cookie.
        let shared = run.cache.statistics.hits + run.cache.statistics.revalidations
        #expect(shared > 10 || Run.countsVisits(seed))
    }
}

private let hosts: [String?] = [nil, "a.example", "b.example"]
private let users = ["alice", "bob", "carol"]

private struct Page: Request {
    typealias ResponseObjectType = String
    var path: String
    var method = HTTPMethod.get
    var host: String?
    var query: String?

    var queryParams: [(String, String)] { query.map { [("user", $0)] } ?? [] }
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        headers.allowsHostOverride = true
        if let host { headers["Host"] = host }
        return headers
    }
}

/// One random sequence of sign-ins, sign-outs and look-ups on endpoints that share a cache.
private struct Run {
    /// An endpoint, and what its server must see of it.
    struct Client {
        var endpoint: Endpoint
        var jar: Int
        let certificate: String
        var credential = "-"
    }

    let cache = HTTPCache.memory()
    private let site = Site()
    private var random: SeededGenerator
    private var clients: [Client] = []
    /// The users of each jar by host.
    private var signedIn: [[String: String]] = []

    /// Whether every response of a run changes a cookie.
    static func countsVisits(_ seed: UInt64) -> Bool { seed % 3 == 0 }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        // Each run has one way to sign in, and a cookie that changes with every response or not.
        site.state.withLock { $0.countsVisits = Self.countsVisits(seed) }
        let url = try #require(URL(string: "http://site.test"))
        let transports: [any Transport] = [
            OpenTransport(site: site, certificate: "-"),
            CertifiedTransport(site: site, certificate: "alice"),
            CertifiedTransport(site: site, certificate: "bob"),
        ]
        for (index, transport) in transports.enumerated() {
            let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
            endpoint.cache = cache
            endpoint.cookies = CookieJar()
            signedIn.append([:])
            let certificate = ["-", "alice", "bob"][index]
            clients.append(Client(endpoint: endpoint, jar: index, certificate: certificate))
        }
        // Nothing is known of these, so that only `private` responses are kept apart.
        for name in ["x", "y"] {
            let transport = SilentTransport(site: site, certificate: name)
            let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
            endpoint.cache = cache
            endpoint.cookies = CookieJar()
            signedIn.append([:])
            let jar = signedIn.count - 1
            clients.append(Client(endpoint: endpoint, jar: jar, certificate: name))
        }
    }

    mutating func step() async throws {
        let index = Int.random(in: clients.indices, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: try await signIn(index, by: .post)
        case 1: try await signIn(index, by: .get)
        case 2: try await signOut(index)
        case 3: changeCredential(of: index)
        case 4: derive(index)
        case 5: site.state.withLock { $0.tokenVersion += 1 }
        default: try await look(index)
        }
    }

    private mutating func signIn(_ index: Int, by method: HTTPMethod) async throws {
        guard let user = users.randomElement(using: &random),
            let host = hosts.randomElement(using: &random)
        else { return }
        let request = Page(path: "login", method: method, host: host, query: user)
        _ = try await clients[index].endpoint.response(for: request)
        signedIn[clients[index].jar][host ?? "site.test"] = user
        // A sign-in by GET looks like a count of visits: what isn't `private` may be shared.
        if method == .get { cache.remove(URL(string: "http://site.test/page") ?? site.url) }
    }

    private mutating func signOut(_ index: Int) async throws {
        guard let host = hosts.randomElement(using: &random) else { return }
        let request = Page(path: "logout", method: .post, host: host)
        _ = try await clients[index].endpoint.response(for: request)
        signedIn[clients[index].jar][host ?? "site.test"] = nil
    }

    private mutating func changeCredential(of index: Int) {
        let (endpoint, user) = (clients[index].endpoint, users.randomElement(using: &random) ?? "")
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            endpoint.authentication = nil
            clients[index].credential = "-"
        case 1:
            endpoint.authentication = BasicAuthentication(username: user, password: "x")
            clients[index].credential = user
        case 2:
            let token = site.token(of: user)
            if let bearer = endpoint.authentication as? BearerAuthentication {
                bearer.setToken(BearerToken(token))
                for other in clients.indices
                where clients[other].endpoint.authentication as? BearerAuthentication === bearer {
                    clients[other].credential = user
                }
            } else {
                fallthrough
            }
        default:
            endpoint.authentication = BearerAuthentication(token: site.token(of: user)) {
                [site] stale in
                site.token(of: stale?.split(separator: " ").first.map { String($0) } ?? "")
            }
            clients[index].credential = user
        }
    }

    private mutating func derive(_ index: Int) {
        let sharesJar = Bool.random(using: &random)
        let old = clients[index].endpoint
        clients[index].endpoint = old.derived { if sharesJar { $0.cookies = old.cookies } }
        guard !sharesJar else { return }
        signedIn.append([:])
        clients[index].jar = signedIn.count - 1
    }

    private mutating func look(_ index: Int) async throws {
        let client = clients[index]
        let isKnown = client.endpoint.connection.isKnown
        let paths = isKnown ? ["me", "checked", "page"] : ["me", "checked"]
        guard let path = paths.randomElement(using: &random),
            let host = hosts.randomElement(using: &random)
        else { return }
        let response = try await client.endpoint.response(for: Page(path: path, host: host))
        let name = host ?? "site.test"
        let user = signedIn[client.jar][name] ?? "-"
        #expect(response.value == "\(name) \(client.certificate) \(client.credential) \(user)")
    }
}

extension ConnectionIdentity {
    fileprivate var isKnown: Bool { if case .undisclosed = self { false } else { true } }
}

/// A site whose pages say for whom they are.
private final class Site: Sendable {
    struct State {
        var sessions: [String: String] = [:]
        var count = 0
        var tokenVersion = 0
        var countsVisits = false
    }

    let state = Locked(State())
    let url = URL(fileURLWithPath: "/")

    func token(of user: String) -> String { "\(user) \(state.withLock { $0.tokenVersion })" }

    /// Answers a request over a connection with a client certificate.
    func answer(_ request: EncodedRequest, _ certificate: String) -> (ResponseHead, String) {
        let version = state.withLock { $0.tokenVersion }
        var user = "-"
        switch request.headers.authToken {
        case .basic(let name, _): user = name
        case .bearer(let token):
            let parts = token.split(separator: " ")
            guard parts.last == "\(version)" else { return (ResponseHead(status: 401), "") }
            user = parts.first.map { String($0) } ?? ""
        default: break
        }
        let host = request.headers["Host"] ?? "site.test"
        let pairs = (request.headers[.cookie] ?? "").components(separatedBy: "; ")
        let session = pairs.first { $0.hasPrefix("sid=") }
        var headers = HTTPHeaders()
        let body = state.withLock { state in
            state.count += 1
            let visitor = session.flatMap { state.sessions[$0] } ?? "-"
            switch request.url.path {
            case "/login":
                let new = "sid=\(state.count)"
                state.sessions[new] = request.url.query?.components(separatedBy: "=").last
                headers.append("\(new); Path=/", for: .setCookie)
            case "/logout":
                let ends = state.count % 2 == 0
                let end = ends ? "Max-Age=0" : "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
                headers.append("sid=; Path=/; \(end)", for: .setCookie)
            case "/me": headers[.cacheControl] = "private, max-age=600"
            case "/checked":
                headers[.cacheControl] = "private, max-age=0"
                headers[.eTag] = "\"same\""
            default: headers[.cacheControl] = "max-age=600"
            }
            if state.countsVisits {
                headers.append("visits=\(state.count); Path=/", for: .setCookie)
            }
            return "\(host) \(certificate) \(user) \(visitor)"
        }
        let isValid = request.headers[.ifNoneMatch] == "\"same\""
        return (ResponseHead(status: isValid ? 304 : 200, headers: headers), isValid ? "" : body)
    }
}

private protocol SiteTransport: Transport {
    var site: Site { get }
    var certificate: String { get }
}

private struct SilentTransport: SiteTransport {
    let site: Site
    let certificate: String
}

private struct OpenTransport: SiteTransport, PoolingTransport {
    let site: Site
    let certificate: String
    var connectionIdentity: String? { nil }
    var maximumConnectionsPerHost: Int { 1 }
}

private struct CertifiedTransport: SiteTransport, PoolingTransport {
    let site: Site
    let certificate: String
    var connectionIdentity: String? { certificate }
    var maximumConnectionsPerHost: Int { 1 }
}

private final class Ended: TransportExchange {
    func cancel() {}
}

extension SiteTransport {
    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let (head, body) = site.answer(request, certificate)
        receiver.receive(.started)
        receiver.receive(.head(head))
        if !body.isEmpty { receiver.receive(.body(Data(body.utf8))) }
        receiver.receive(.finished(nil))
        return Ended()
    }
}
