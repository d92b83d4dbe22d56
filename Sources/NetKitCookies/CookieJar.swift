public import Foundation
public import NetKit
package import NetKitSupport

/// A cookie jar that follows RFC 6265bis, for ``Endpoint/cookies``.
///
/// ```swift
/// endpoint.cookies = CookieJar()
/// try await endpoint.post("login", .form(["user": "mia", "password": password]))
/// let orders: [Order] = try await endpoint.get("orders")  // with the cookies that the login set
/// ```
///
/// Several endpoints can share a jar, and it is safe to use from any thread. It keeps at most 180 cookies per domain
/// and 3000 in total. Beyond that, it evicts the least recently used ones. Within a domain, it evicts cookies that
/// aren't secure first.
public final class CookieJar: Sendable {
    private struct State {
        var store: CookieStore
        /// The last revision of the store that was written, or that failed to be.
        var savedRevision = 0
        /// Whether the file is written as a whole next time, so that nothing is left in it of what was removed.
        var isRewritten = false
        /// The identity of the jar's session, replaced when its cookies may belong to another user.
        var session = ProcessUniqueID()
        /// The reason why the last write failed, until a call reports it.
        var failure: CookieFileError?

        /// Stores the cookies of a response, and begins another session if it seems to have another user.
        mutating func store(
            _ fields: [String],
            from url: CookieURL,
            at date: Date,
            afterSafe isSafe: Bool
        ) {
            switch store.store(fields, from: url, at: date) {
            case .none: break
            case .changed where isSafe: break
            case .changed, .removed: session = ProcessUniqueID()
            }
        }
    }

    private let state: Locked<State>
    /// The file, or nil for a jar in memory.
    private let file: CookieFile?

    /// Creates an empty jar in memory.
    public init() {
        state = Locked(State(store: CookieStore()))
        file = nil
    }

    /// Creates a jar that is stored in a file, with the cookies in it.
    ///
    /// The file is JSON, because curl's Netscape format can't hold `SameSite` and the times that order cookies. Protect
    /// it like a password: only its owner can read it (mode 0600). Session cookies aren't stored.
    ///
    /// Each change of a persistent cookie is appended to the file, which is now and then replaced atomically by a shorter
    /// one. The jar's methods return, and calls end, after the change is written. A process that is killed at any moment
    /// leaves a file with all changes but the last. If the file can't be written, the jar continues in memory, and the
    /// endpoint logs a warning. If two processes share a file, the last one to write determines its content.
    ///
    /// - Parameter file: The URL of the file, which is created with the first persistent cookie.
    /// - Throws: ``CookieFileError`` if the file is damaged, isn't a jar's, or can't be read, or if there is no
    ///   file and its folder doesn't exist or can't be written. An unusable file isn't changed.
    public init(file: URL) throws {
        let (storage, date) = (try CookieFile(file), Date())
        var state = State(store: CookieStore(isSaved: true))
        state.store.insert(try storage.entries(at: date), at: date)
        _ = state.store.takeChanges()
        state.savedRevision = state.store.revision
        self.state = Locked(state)
        self.file = storage
    }

    /// All cookies that haven't expired, in the order of their creation.
    public var cookies: [Cookie] {
        let date = Date()
        return store.entries.map(\.cookie).filter { !$0.hasExpired(at: date) }
    }

    /// Returns the cookies for a request, in the order of its `Cookie` field.
    ///
    /// Cookies with longer paths come first, and then those created earlier. Returned cookies count as recently used,
    /// so they are evicted later.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - date: The time of the request. Defaults to now.
    /// - Returns: The cookies, or none for a URL that is neither http nor https.
    public func cookies(for url: URL, at date: Date = Date()) -> [Cookie] {
        CookieURL(url).map { cookies(for: $0, at: date) } ?? []
    }

    /// Stores the cookies of a response.
    ///
    /// Fields that RFC 6265bis ignores have no effect.
    ///
    /// - Parameters:
    ///   - setCookieFields: The values of the `Set-Cookie` fields, one element per field.
    ///   - url: The URL of the request.
    ///   - date: The arrival of the response. Defaults to now.
    public func store(_ setCookieFields: [String], from url: URL, at date: Date = Date()) {
        guard let url = CookieURL(url) else { return }
        state.withLock { $0.store(setCookieFields, from: url, at: date, afterSafe: true) }
        saveNow()
    }

    /// Inserts a cookie, and replaces one with the same name, domain, path, and ``Cookie/isHostOnly``.
    ///
    /// An expired cookie only removes the one it replaces.
    ///
    /// - Parameter cookie: The cookie, from any URL.
    public func insert(_ cookie: Cookie) {
        let date = Date()
        let entry = CookieStore.Entry(cookie, creation: date, lastUse: date)
        state.withLock { state in
            let effect = state.store.insert([entry], at: date)
            // Another cookie may be another user's.
            if effect != .none { state.session = ProcessUniqueID() }
        }
        saveNow()
    }

    /// Removes cookies, for example to sign a user out.
    ///
    /// Nothing of them stays in the file, once it can be written.
    ///
    /// - Parameter shouldRemove: A closure that returns whether to remove a cookie. It may use the jar.
    public func remove(where shouldRemove: (Cookie) -> Bool) {
        let removed = Set(store.entries.map(\.cookie).filter(shouldRemove))
        state.withLock { state in
            state.store.remove { removed.contains($0) }
            state.isRewritten = true
            if !removed.isEmpty { state.session = ProcessUniqueID() }
        }
        saveNow()
    }

    /// Removes all cookies.
    ///
    /// Nothing of them stays in the file.
    public func removeAll() {
        state.withLock { state in
            state.store.remove { _ in true }
            (state.session, state.isRewritten) = (ProcessUniqueID(), true)
        }
        saveNow()
    }

    private var store: CookieStore { state.withLock { $0.store } }
}

extension CookieJar: Concealed {
    /// A description with the number of cookies only.
    package var shown: String { "CookieJar(\(cookies.count) cookies)" }
}

extension Endpoint {
    /// The cookie jar that fills in `Cookie` and stores `Set-Cookie`.
    ///
    /// Defaults to nil.
    ///
    /// Without a jar, NetKit neither stores nor sends cookies. With a jar:
    ///
    /// - Every response stores its cookies as soon as its head arrives. This includes redirects, error responses, and
    ///   attempts that are retried.
    /// - Each request carries the cookies for its own URL, also after a redirect to another host. The value of
    ///   `Request.isAuthenticated` doesn't matter.
    /// - A request with a `Cookie` field keeps it. The jar adds only the cookies whose names aren't in it.
    ///
    /// A jar is one user's session. On a server, give each user a `derived(_:)` endpoint, which starts with an empty
    /// jar.
    public var cookies: CookieJar? {
        get { layerSource() }
        set { setLayerSource(newValue) }
    }
}

// MARK: - Support for the layers

extension CookieJar {
    /// An identifier of the jar's session.
    ///
    /// It changes when cookies are removed, and when the response to an unsafe request, such as a sign-in, sets a new
    /// cookie or another value. A changing value alone doesn't count, because some sites count visits with it.
    package var identity: String { state.withLock { $0.session.text } }

    /// Whether the jar has no cookies.
    var isEmpty: Bool { state.withLock { $0.store.isEmpty } }

    /// Returns the cookies for a request, which count as used.
    func cookies(for url: CookieURL, at date: Date) -> [Cookie] {
        state.withLock { $0.store.take(for: url, at: date) }
    }

    /// Stores the cookies of a response, and writes the file on its queue.
    ///
    /// - Parameters:
    ///   - fields: The values of the `Set-Cookie` fields.
    ///   - url: The URL of the request.
    ///   - date: The arrival of the response.
    ///   - isSafe: Whether the method of the request is safe.
    func store(
        _ fields: [String],
        from url: CookieURL,
        at date: Date,
        afterSafe isSafe: Bool
    ) {
        state.withLock { $0.store(fields, from: url, at: date, afterSafe: isSafe) }
        if let file, isUnsaved { file.queue.add { self.save(in: file) } }
    }

    /// Whether the jar is stored in a file.
    var isInFile: Bool { file != nil }

    /// Waits until the file is written or the call is stopped.
    ///
    /// - Parameter control: The call's control.
    /// - Returns: The reason why the last write failed, once. Nil if it succeeded or may still happen.
    func saved(_ control: CallControl) async -> CookieFileError? {
        if let file, isUnsaved {
            let wait = Wait()
            file.queue.add {
                self.save(in: file)
                wait.finish()
            }
            await wait.run(control)
        }
        return state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    /// Whether the file has yet to be written.
    private var isUnsaved: Bool {
        state.withLock { $0.store.revision != $0.savedRevision || $0.isRewritten }
    }

    /// Writes the file if necessary, and waits for it.
    private func saveNow() {
        guard let file, isUnsaved else { return }
        file.queue.wait { save(in: file) }
    }

    /// Writes the file if necessary.
    ///
    /// Called only on its queue.
    private func save(in file: CookieFile) {
        let exists = file.exists
        let unsaved = state.withLock { state -> (CookieStore.Changes, isWhole: Bool, Int)? in
            let isWhole = state.isRewritten && exists
            state.isRewritten = false
            guard isWhole || state.store.revision != state.savedRevision else { return nil }
            return (state.store.takeChanges(), isWhole, state.store.revision)
        }
        guard let (changes, isWhole, revision) = unsaved else { return }
        var failure: CookieFileError?
        do throws(CookieFileError) {
            // Changes that arrive meanwhile are written again, which has no effect.
            if isWhole || !file.append(changes) { try file.write(store.entries) }
        } catch {
            failure = error
        }
        state.withLock { state in
            (state.savedRevision, state.failure) = (revision, failure)
            // What must not stay in the file is removed with the next change at the latest.
            if isWhole, failure != nil { state.isRewritten = true }
        }
    }
}

/// Adds the cookies of a jar to requests.
///
/// The exchange layer passes each response's head to the jar when it arrives, so that later calls have its cookies.
struct CookiesLayer: Layer {
    let jar: CookieJar
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        let result = await next.send(request.adding(jar, at: call.clock), in: call)
        if jar.isInFile, let failure = await jar.saved(call.control) {
            call.reporter?.report(.cookiesNotSaved("\(failure)"))
        }
        return result
    }
}

extension CookieJar: LayerSource, SessionSource, HeadReceiver {
    package var isCredential: Bool { true }
    package var forAnotherUser: any LayerSource { CookieJar() }
    package var headReceiver: (any HeadReceiver)? { self }
    package var session: (any SessionSource)? { self }

    package func layer(
        at place: LayerPlace,
        in setting: LayerSetting,
        above next: any Layer
    ) -> (any Layer)? {
        place == .cookies ? CookiesLayer(jar: self, next: next) : nil
    }

    package func applies(to request: EncodedRequest, at date: Date) -> Bool {
        guard !isEmpty, let url = request.cookieURL else { return false }
        return !cookies(for: url, at: date).isEmpty
    }

    package func added(to request: EncodedRequest, at clock: DeadlineClock) -> EncodedRequest {
        request.adding(self, at: clock)
    }

    package func receive(_ head: ResponseHead, to request: EncodedRequest, in call: CallContext) {
        let fields = head.headers.values(for: .setCookie)
        guard !fields.isEmpty, let url = request.cookieURL else { return }
        store(fields, from: url, at: call.clock.date, afterSafe: request.method.isSafe)
    }
}

extension EncodedRequest {
    /// Returns the request with the jar's cookies after its own, whose names take precedence.
    func adding(_ jar: CookieJar, at clock: DeadlineClock) -> EncodedRequest {
        guard !jar.isEmpty, let url = cookieURL else { return self }
        var cookies = jar.cookies(for: url, at: clock.date)
        let own = headers[.cookie]
        if let own {
            let names = Set(own.split(separator: ";").map { Self.cookieName(of: $0) })
            cookies.removeAll { names.contains($0.name) }
        }
        guard !cookies.isEmpty else { return self }
        let pairs = (own.map { $0.isEmpty ? [] : [$0] } ?? []) + cookies.map(\.pair)
        var request = self
        request.headers[.cookie] = pairs.joined(separator: "; ")
        return request
    }

    /// The parts of the URL for cookies, with the authority that the server sees; nil without an origin.
    var cookieURL: CookieURL? {
        origin.flatMap { CookieURL(url, $0, authority: authorityOverride) }
    }

    /// Returns the name of a `Cookie` field's cookie.
    ///
    /// Returns an empty string without an equals sign.
    private static func cookieName(of pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return "" }
        return String(pair[..<equals]).trimmedOfBlanks
    }
}
