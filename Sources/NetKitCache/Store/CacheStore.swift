import Foundation
import NetKit
import NetKitSupport

/// A store of responses with a limited number of bytes.
///
/// Responses for one key with equal selectors replace each other.
protocol CacheStore: AnyObject, Sendable {
    /// Returns at once whether there may be responses for a key.
    ///
    /// `false` is certain.
    func mayHave(_ key: CacheKey) -> Bool
    /// Returns the latest accepted response for a key, and marks it as used.
    ///
    /// Damaged responses are removed and not returned.
    func find(
        _ key: CacheKey,
        where matches: @Sendable (StoredHead) -> Bool
    ) async -> StoredResponse?
    /// Starts to store a response.
    ///
    /// - Parameters:
    ///   - key: The key of the response.
    ///   - length: The length of its body in bytes, or nil if unknown.
    /// - Returns: The writer for the body, or nil if nothing can be stored now.
    func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)?
    /// Replaces the head of a response that is still stored.
    func update(_ response: StoredResponse, to head: StoredHead) async
    /// Removes a response if it is still stored.
    func remove(_ response: StoredResponse) async
    /// Removes all responses of a URL, for all users, including those being written.
    func remove(url: String)
    /// Removes them without waiting for a disk, and calls a handler when their files are gone.
    ///
    /// No call finds them once this method returns.
    func remove(url: String, _ onEnd: @escaping @Sendable () -> Void)
    /// Removes all responses, including those being written.
    func removeAll()
    /// The removals by URL and of everything so far.
    var removals: Removals { get }
    /// The number of bytes stored and the number of evicted responses.
    var usage: (bytes: Int, evictions: Int) { get }
    /// A random key for the store's digests: at least 16 bytes, and constant.
    var secret: [UInt8] { get }
    /// The reason why nothing is stored, or nil if the store works.
    var problem: String? { get }
    /// Whether its asynchronous methods wait for a disk, which may hang. Defaults to `false`.
    var mayHang: Bool { get }
}

extension CacheStore {
    var mayHang: Bool { false }

    func remove(url: String, _ onEnd: @escaping @Sendable () -> Void) {
        remove(url: url)
        onEnd()
    }
}

/// What became of a response that was to be stored.
enum CommitResult {
    case stored
    /// One with equal selectors is stored that was requested later.
    case outdated
    /// It is too large, was removed meanwhile, or can't be written.
    case refused
}

/// A writer for the body of a response being stored.
///
/// Used by one thread at a time.
protocol CacheWriter: AnyObject, Sendable {
    /// Writes the next bytes.
    ///
    /// Discards the response if there are too many or writing fails.
    func write(_ data: Data)
    /// Whether the response was discarded, or removed while it was being written.
    var isDiscarded: Bool { get }
    /// Whether so much is waiting to be written that the transport should apply backpressure.
    var isFull: Bool { get }
    /// Calls a handler when there is room again or writing has ended.
    ///
    /// - Parameter handler: The closure to call once.
    /// - Returns: `false` if there is room already, in which case the writer doesn't call the handler.
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool
    /// Makes the response visible, and replaces those with equal selectors that weren't requested later.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - date: The current date.
    /// - Returns: What became of the response.
    func commit(_ head: StoredHead, at date: Date) async -> CommitResult
    /// Discards the response.
    ///
    /// Does nothing after ``commit(_:at:)``.
    func discard()
}

/// A stored response without its body.
struct StoredHead: Hashable, Sendable {
    /// A request field that selects the response (RFC 9111, section 4.1), compared byte by byte.
    struct Selector: EqualByKey, Sendable {
        /// The name in lowercase.
        let name: String
        /// The required value or its digest, or nil if the field must be absent.
        let value: String?

        var equalityKey: [ExactText?] { [ExactText(name), value.map { ExactText($0) }] }
    }

    let key: CacheKey
    /// The fields that `Vary` names, sorted by name.
    let selectors: [Selector]
    let status: HTTPStatus
    var headers: HTTPHeaders { didSet { terms = FreshnessTerms(of: self) } }
    /// The time when the request was sent.
    let requestDate: Date
    /// The time when the response arrived.
    var responseDate: Date { didSet { terms = FreshnessTerms(of: self) } }
    /// The freshness information of the fields, parsed once to keep hits fast.
    private(set) var terms = FreshnessTerms()

    init(
        key: CacheKey,
        selectors: [Selector],
        status: HTTPStatus,
        headers: HTTPHeaders,
        requestDate: Date,
        responseDate: Date
    ) {
        self.key = key
        self.selectors = selectors
        self.status = status
        self.headers = headers
        self.requestDate = requestDate
        self.responseDate = responseDate
        terms = FreshnessTerms(of: self)
    }

    /// Returns whether this response was requested before another one.
    ///
    /// It wasn't if the other date is in the future, because the clock was set back since.
    func isOlder(thanOneRequestedAt other: Date?, now: Date) -> Bool {
        guard let other else { return false }
        return requestDate < other && other <= now
    }
}

/// A response found in a store.
struct StoredResponse: Sendable {
    /// The identifier within the store.
    ///
    /// A replacement has a different one.
    let id: String
    var head: StoredHead
    let body: StoredBody
}

/// The body of a stored response, verified when it was opened.
enum StoredBody: Sendable {
    case data(Data)
    case file(any StoredFile)

    /// The length in bytes.
    var count: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(let file): file.count
        }
    }
}

/// A body that is read from a file, which stays open.
protocol StoredFile: AnyObject, Sendable {
    /// The length in bytes.
    var count: Int64 { get }
    /// Reads bytes without blocking the caller's thread.
    ///
    /// - Parameters:
    ///   - offset: The offset in the body.
    ///   - count: The number of bytes. Fewer are returned only at the end.
    /// - Returns: The bytes.
    /// - Throws: An error if the bytes can't be read.
    func read(at offset: Int64, count: Int) async throws -> Data
}

/// The removals from a store, which also apply to responses that were requested before but have no writer yet.
struct Removals: Sendable {
    /// The number of removals to remember.
    ///
    /// A response from before them isn't stored.
    private static let kept = 64

    /// The number of removals.
    private(set) var count = 0
    /// The URLs of the latest removals.
    ///
    /// Nil stands for a removal of everything.
    private var latest: [String?] = []

    /// Notes the removal of a URL's responses, or of everything if nil.
    mutating func note(_ url: String?) {
        count += 1
        if latest.count == Self.kept { latest.removeFirst() }
        latest.append(url)
    }

    /// Returns whether the responses of a URL were removed after the first `start` removals.
    func contains(_ url: String, since start: Int) -> Bool {
        let newer = count - start
        guard newer <= latest.count else { return true }
        return latest.suffix(newer).contains { $0 == nil || $0 == url }
    }
}

/// The writers whose responses may still become visible, by URL.
///
/// Only a writer that is removed from here may publish its response. Removing a URL removes its writers and its entries
/// in one step.
struct LiveWriters<Writer: AnyObject & Sendable> {
    private struct Reference {
        weak var writer: Writer?
    }

    private var writers: [String: [ObjectIdentifier: Reference]] = [:]

    /// Inserts a writer, which removes itself when it is released.
    mutating func insert(_ writer: Writer, for url: String) {
        writers[url, default: [:]][ObjectIdentifier(writer)] = Reference(writer: writer)
    }

    func contains(_ writer: ObjectIdentifier, for url: String) -> Bool {
        writers[url]?[writer] != nil
    }

    /// Removes a writer.
    ///
    /// - Parameters:
    ///   - writer: The identifier of the writer.
    ///   - url: The URL of its response.
    /// - Returns: Whether the writer was present.
    mutating func remove(_ writer: ObjectIdentifier, for url: String) -> Bool {
        guard writers[url]?.removeValue(forKey: writer) != nil else { return false }
        if writers[url]?.isEmpty == true { writers[url] = nil }
        return true
    }

    /// Removes all writers of a URL.
    mutating func removeAll(for url: String) -> [Writer] {
        writers.removeValue(forKey: url)?.values.compactMap(\.writer) ?? []
    }

    /// Removes all writers.
    mutating func removeAll() -> [Writer] {
        defer { writers = [:] }
        return writers.values.flatMap { $0.values.compactMap(\.writer) }
    }
}
