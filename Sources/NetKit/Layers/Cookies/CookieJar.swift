public import Foundation

/// The cookies of a client, by the rules of RFC 6265bis, for ``Endpoint/cookies``.
///
/// ```swift
/// endpoint.cookies = CookieJar()
/// _ = try await endpoint.post("login", .form(["user": "mia", "password": password]), as: Void.self)
/// let orders: [Order] = try await endpoint.get("orders")  // with the cookies that the login set
/// ```
///
/// A jar may be shared by several endpoints, and used from any thread. It keeps at most 180 cookies of a domain and 3000
/// in all; beyond that the least recently used go, those of a domain that are not secure before those that are.
public final class CookieJar: Sendable {
    private struct State {
        var store = CookieStore()
        /// The revision of the store that was last written, or could not be.
        var savedRevision = 0
        /// Tells the sessions of a jar apart: another one once cookies were removed.
        var session = ProcessUniqueID()
        /// Why the cookies are not in the file, until a call reports it.
        var failure: CookieFileError?
    }

    private let state: Locked<State>
    /// Nil for a jar in memory.
    private let file: CookieFile?

    /// Creates an empty jar in memory.
    public init() {
        state = Locked(State())
        file = nil
    }

    /// Creates a jar that is kept in a file, with the cookies in it.
    ///
    /// The file is JSON: the Netscape format of curl can hold neither `SameSite` nor the times that order cookies. It holds
    /// what a password manager holds: only its owner can read it (mode 0600). Session cookies are left out.
    ///
    /// Each change of a cookie that outlasts the session puts a new file in the place of the old one, whole. Methods of the
    /// jar return once that is done, and calls end once the cookies of their responses are written. Where the file cannot be
    /// written, the jar goes on in memory, and the endpoint's log has a warning. Of two processes with one file, the last
    /// to write determines its content.
    ///
    /// - Parameter file: The file; it is made with the first cookie that is kept.
    /// - Throws: ``CookieFileError`` for a file that is damaged, or no jar's, which is left as it is; for one that cannot be
    ///   read, and a folder that does not exist or can't be written.
    public init(file: URL) throws {
        let (storage, date) = (try CookieFile(file), Date())
        var state = State()
        state.store.insert(try storage.entries(at: date), at: date)
        state.savedRevision = state.store.revision
        self.state = Locked(state)
        self.file = storage
    }

    /// Every cookie that has not expired, in order of creation.
    public var cookies: [Cookie] {
        let date = Date()
        return store.entries.map(\.cookie).filter { !$0.hasExpired(at: date) }
    }

    /// The cookies for a request, in the order in which its `Cookie` field has them.
    ///
    /// Those with the longest path come first, then those that were created first. They count as used.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - date: When it is sent. Defaults to now.
    /// - Returns: The cookies; none for a URL that is neither http nor https.
    public func cookies(for url: URL, at date: Date = Date()) -> [Cookie] {
        CookieURL(url).map { cookies(for: $0, at: date) } ?? []
    }

    /// Stores the cookies of a response; fields that RFC 6265bis ignores change nothing.
    ///
    /// - Parameters:
    ///   - setCookieFields: The values of its `Set-Cookie` fields, each for itself.
    ///   - url: The URL of the request.
    ///   - date: When the response arrived. Defaults to now.
    public func store(_ setCookieFields: [String], from url: URL, at date: Date = Date()) {
        guard let url = CookieURL(url) else { return }
        state.withLock { $0.store.store(setCookieFields, from: url, at: date) }
        saveNow()
    }

    /// Adds a cookie, in the place of one with the same name, domain and path; one that has expired only removes that.
    ///
    /// - Parameter cookie: The cookie, whichever URL it is from.
    public func insert(_ cookie: Cookie) {
        let date = Date()
        let entry = CookieStore.Entry(cookie, creation: date, lastUse: date)
        state.withLock { $0.store.insert([entry], at: date) }
        saveNow()
    }

    /// Removes cookies, to log a user out, say.
    ///
    /// - Parameter shouldRemove: Whether to remove a cookie; it may use the jar.
    public func remove(where shouldRemove: (Cookie) -> Bool) {
        let removed = Set(store.entries.map(\.cookie).filter(shouldRemove))
        state.withLock { state in
            state.store.remove { removed.contains($0) }
            state.session = ProcessUniqueID()
        }
        saveNow()
    }

    /// Removes every cookie.
    public func removeAll() {
        state.withLock { state in
            state.store.remove { _ in true }
            state.session = ProcessUniqueID()
        }
        saveNow()
    }

    private var store: CookieStore { state.withLock { $0.store } }
}

extension CookieJar: Concealed {
    /// The number of cookies, and nothing of them.
    public var description: String { "CookieJar(\(cookies.count) cookies)" }
}

// MARK: - For the layers

extension CookieJar {
    /// Tells jars apart, and what one was before cookies were removed.
    var identity: String { state.withLock { $0.session.text } }

    /// Whether no request gets a cookie.
    var isEmpty: Bool { state.withLock { $0.store.isEmpty } }

    /// The cookies for a request, which count as used.
    func cookies(for url: CookieURL, at date: Date) -> [Cookie] {
        state.withLock { $0.store.take(for: url, at: date) }
    }

    /// Stores the cookies of a response, and leaves the file to its queue.
    func store(_ fields: [String], from url: CookieURL, at date: Date) {
        state.withLock { $0.store.store(fields, from: url, at: date) }
        if let file, isUnsaved { file.queue.add { self.save(in: file) } }
    }

    /// Whether there is a file.
    var isInFile: Bool { file != nil }

    /// Waits until the file is written, or the call is stopped.
    ///
    /// - Returns: Why the cookies are not in the file, once; nil where they are, or may still be written.
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
        state.withLock { $0.store.revision != $0.savedRevision }
    }

    /// Writes the file if it has to be, and waits for it.
    private func saveNow() {
        guard let file, isUnsaved else { return }
        file.queue.wait { save(in: file) }
    }

    /// Writes the file if it has to be; for its queue alone.
    private func save(in file: CookieFile) {
        let (store, savedRevision) = state.withLock { ($0.store, $0.savedRevision) }
        guard store.revision != savedRevision else { return }
        var failure: CookieFileError?
        do throws(CookieFileError) {
            try file.write(store.entries)
        } catch {
            failure = error
        }
        state.withLock { ($0.savedRevision, $0.failure) = (store.revision, failure) }
    }
}
