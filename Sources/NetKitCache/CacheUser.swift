import Foundation
import NetKit
import NetKitSupport

/// The user whose requests an endpoint sends, which keeps users' responses apart.
struct CacheUser: Sendable {
    /// The requests that receive the endpoint's credential, or nil without authentication.
    let credentials: CredentialScope?
    /// The session that a cookie jar adds to requests, or nil without a jar.
    let session: (any SessionSource)?
    /// The user that the transport's connections stand for.
    var connection = ConnectionIdentity.none
    /// Returns the identity of the endpoint's authentication, or nil without one.
    ///
    /// It changes when another user signs in, even between two attempts of a call.
    let identity: @Sendable () -> CredentialIdentity?
    /// Whether the identity is another one once a guest signs in.
    var knowsGuests = false

    /// Returns the key of a request's response.
    ///
    /// - Parameters:
    ///   - request: The request, before its credential and cookies are added.
    ///   - date: The current date.
    ///   - digest: Creates a digest of a secret.
    /// - Returns: The key.
    func key(
        of request: EncodedRequest,
        at date: Date,
        _ digest: (String) -> String
    ) -> CacheKey {
        CacheKey(
            url: CacheKey.text(of: request.url),
            partition: partition(of: request, at: date, digest)
        )
    }

    private func partition(
        of request: EncodedRequest,
        at date: Date,
        _ digest: (String) -> String
    ) -> String {
        var parts: [String] = []
        // First, and without the text of the field, which could pretend to be another part.
        if let authority = request.authorityOverride {
            parts.append(CacheKey.hostMark + digest(authority))
        }
        if case .known(let identity) = connection {
            parts.append("connection \(digest(identity))")
        }
        if isAuthenticated(request), let identity = identity() {
            switch identity {
            case .id(let id): parts.append("user \(id.text)")
            case .secret(let secret): parts.append("user \(digest(secret))")
            }
        }
        if let session, session.applies(to: request, at: date) {
            parts.append("jar \(session.identity)")
        }
        let own = Set(credentials(in: request))
        if !own.isEmpty {
            let fields = request.headers.fields.filter { own.contains($0.name) }
                .map { "\($0.name.rawName.lowercased()):\($0.value)" }
            parts.append("fields \(digest(fields.sorted().joined(separator: "\n")))")
        }
        return parts.joined(separator: CacheKey.separator)
    }

    private func isAuthenticated(_ request: EncodedRequest) -> Bool {
        credentials?.covers(request) == true
    }

    private func credentials(in request: EncodedRequest) -> [HTTPHeaderName] {
        request.headers.credentials(hiding: request.redaction.headers)
    }
}

extension CacheUser {
    /// Creates the user of a call.
    init(in setting: LayerSetting) {
        let settings = setting.settings
        self.init(
            credentials: settings.credentials,
            session: settings.values.session,
            connection: setting.endpoint.connection,
            identity: { settings.values.identity },
            knowsGuests: settings.values.identityKnowsGuests
        )
    }
}

// MARK: - Selection

extension CacheUser {
    /// Returns whether a request selects a stored response (RFC 9111, section 4.1).
    func selects(
        _ stored: StoredHead,
        for request: EncodedRequest,
        at clock: DeadlineClock,
        _ digest: (String) -> String
    ) -> Bool {
        guard !stored.selectors.isEmpty else { return true }
        let names = stored.selectors.map { HTTPHeaderName($0.name) }
        var asSent = request
        if let session, names.contains(.cookie) {
            asSent = session.added(to: request, at: clock)
        }
        return stored.selectors == selectors(names, in: asSent, for: request, digest)
    }

    /// Returns whether the same user sent a request who was looked up for it.
    ///
    /// Another one may have signed in meanwhile, whose answer says nothing about a stored response.
    ///
    /// - Parameters:
    ///   - sent: The request as sent.
    ///   - stored: The stored response that was found for the request.
    ///   - request: The request as it reached the cache.
    ///   - date: The current date.
    ///   - digest: Creates a digest of a secret.
    /// - Returns: Whether it is the same user.
    func isSame(
        in sent: EncodedRequest,
        _ stored: StoredHead,
        for request: EncodedRequest,
        at date: Date,
        _ digest: (String) -> String
    ) -> Bool {
        guard !sent.hasForeignCredential, key(of: request, at: date, digest) == stored.key else {
            return false
        }
        guard let own = stored.selectors.first(where: { $0.name == "cookie" }) else { return true }
        return selectors([.cookie], in: sent, for: request, digest) == [own]
    }

    /// Returns the selectors of a response to be stored.
    ///
    /// - Parameters:
    ///   - headers: The fields of the response.
    ///   - sent: The request as sent.
    ///   - request: The request as it reached the cache.
    ///   - key: The key of the request.
    ///   - digest: Creates a digest of a secret.
    /// - Returns: The selectors, or nil if no later request could be known to select the response.
    func selectors(
        for headers: HTTPHeaders,
        _ sent: EncodedRequest,
        for request: EncodedRequest,
        _ key: CacheKey,
        _ digest: (String) -> String
    ) -> [StoredHead.Selector]? {
        guard sent.url == request.url, sent.method == request.method,
            sent.authorityOverride == request.authorityOverride, !sent.hasForeignCredential
        else { return nil }
        // Another user without cookies could receive the response that begins this session.
        let beginsSession = headers[.setCookie] != nil && sent.headers[.cookie] == nil
        guard session == nil || !beginsSession || !headers.cacheControl.has("private") else {
            return nil
        }
        let names = Selection.names(in: headers)
        let (own, all) = (Set(credentials(in: request)), Set(credentials(in: sent)))
        let added = all.subtracting(own).subtracting([.cookie])
        // What a guest receives before the credential is asked for isn't what the user receives.
        guard !added.isEmpty || knowsGuests || !names.contains(where: { isOwn($0, request) }) else {
            return nil
        }
        // A layer below, such as an exchange interceptor, may add fields that aren't known for the next request.
        let isKnown = names.allSatisfy { name in
            name == .cookie || name == Selection.connection || isOwn(name, request)
                || Self.isSame(sent.headers[name], request.headers[name])
        }
        // Cookies stored meanwhile belong to another key.
        let isJarKnown = session.map { key.partition.contains($0.identity) } ?? false
        let isExpected = all.union(own)
            .allSatisfy { name in
                let (old, new) = (request.headers[name], sent.headers[name])
                if name == .cookie { return Self.isSame(old, new) || isJarKnown }
                // The authentication's own, whose user is part of the key.
                return Self.isSame(old, new) || old == nil && isAuthenticated(request)
            }
        guard isKnown, isExpected else { return nil }
        return selectors(names, in: sent, for: request, digest)
    }

    /// Returns whether two values have the same bytes, or both are missing.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        left.map { ExactText($0) } == right.map { ExactText($0) }
    }

    /// Whether a field is the authentication's, whose user is part of the key.
    private func isOwn(_ name: HTTPHeaderName, _ request: EncodedRequest) -> Bool {
        name != .cookie && name.soundsSecret && request.headers[name] == nil
            && isAuthenticated(request)
    }

    private func selectors(
        _ names: [HTTPHeaderName],
        in sent: EncodedRequest,
        for request: EncodedRequest,
        _ digest: (String) -> String
    ) -> [StoredHead.Selector] {
        names.map { name in
            if name == Selection.connection {
                var value: String?
                if case .undisclosed(let id) = connection { value = id.text }
                return StoredHead.Selector(name: name.rawName, value: value)
            }
            // The credential changes with every refresh.
            var value = isOwn(name, request) ? nil : sent.headers[name]
            if let plain = value {
                let isSecret = name.soundsSecret || sent.headers.isSensitive(name)
                value = isSecret ? digest(plain) : Selection.normalized(plain, of: name)
            }
            return StoredHead.Selector(name: name.rawName.lowercased(), value: value)
        }
    }
}

/// A key for looking up stored responses.
struct CacheKey: Hashable, Sendable {
    /// The URL of the request without its fragment.
    let url: String
    /// The user of the response, or an empty string for a request without credentials.
    ///
    /// It never contains a credential, because it may be written to disk.
    let partition: String
    /// Whether the partition names a user, and not only the host of a `Host` field.
    let isCredentialed: Bool
    /// The precomputed hash, because a call looks up its key several times.
    private let hash: Int

    /// The beginning of a partition that names the host of a `Host` field.
    static let hostMark = "host "
    /// The text between the parts of a partition.
    static let separator = ", "

    init(url: String, partition: String) {
        self.url = url
        self.partition = partition
        isCredentialed =
            !partition.isEmpty
            && !(partition.hasPrefix(Self.hostMark) && !partition.contains(Self.separator))
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(partition)
        hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    /// Returns the text of a URL that all URLs of the same resource have (RFC 9110, section 4.2.3).
    ///
    /// It has no user, password, default port and fragment, its scheme and host are in lowercase, and an empty path is `/`.
    static func text(of url: URL) -> String {
        let text = url.absoluteString
        return text.utf8.withContiguousBytes { bytes in
            guard let authority = Authority.range(in: bytes) else { return text }
            let root = normalRoot(bytes, authority)
            let rest = bytes[authority.upperBound...].prefix { $0 != UInt8(ascii: "#") }
            // Nearly always, and then it isn't copied.
            let isNormal =
                rest.first == UInt8(ascii: "/") && rest.endIndex == bytes.endIndex
                && root.elementsEqual(bytes[..<authority.upperBound])
            return isNormal ? text : String(decoding: root + path(rest), as: UTF8.self)
        }
    }

    /// The scheme, host and port.
    private static func normalRoot(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ authority: Range<Int>
    ) -> [UInt8] {
        var root = bytes[..<authority.lowerBound].map { HTTPToken.folded($0) }
        let user = bytes[authority].lastIndex(of: UInt8(ascii: "@"))
        let host = (user.map { $0 + 1 } ?? authority.lowerBound)..<authority.upperBound
        root += Authority.folded(Array(bytes[host]))
        let port = root.starts(with: "https".utf8) ? ":443" : ":80"
        if root.suffix(port.utf8.count).elementsEqual(port.utf8) {
            root.removeLast(port.utf8.count)
        }
        if root.last == UInt8(ascii: ":") { root.removeLast() }
        return root
    }

    /// The path and query, from the first slash on.
    private static func path(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        (rest.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + rest
    }
}
