import Foundation

/// A stored response without its body.
struct StoredHead: Hashable, Sendable {
    /// A field of the request that the response was selected by (RFC 9111, section 4.1).
    struct Selector: Hashable, Sendable {
        /// The name, in lower case.
        let name: String
        /// The value that a later request needs to have, or a digest of it; nil for no such field.
        let value: String?
    }

    let key: CacheKey
    /// The fields that `Vary` names, sorted by name.
    let selectors: [Selector]
    let status: HTTPStatus
    var headers: HTTPHeaders { didSet { terms = FreshnessTerms(of: self) } }
    /// When the request was sent.
    let requestDate: Date
    /// When the response arrived.
    var responseDate: Date { didSet { terms = FreshnessTerms(of: self) } }
    /// What the fields say of the time for which it is fresh; read once, as a hit is to be fast.
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
}

/// A response that a store has found.
struct StoredResponse: Sendable {
    /// Names it within its store: another response that takes its place has another name.
    let id: String
    let head: StoredHead
    let body: StoredBody
}

/// The body of a stored response, which was checked when it was opened.
enum StoredBody: Sendable {
    case data(Data)
    case file(any StoredFile)

    /// The number of its bytes.
    var count: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(let file): file.count
        }
    }
}

/// A body that is read from a file that stays open.
protocol StoredFile: AnyObject, Sendable {
    /// The number of its bytes.
    var count: Int64 { get }
    /// Reads bytes, without blocking the caller's thread.
    ///
    /// - Parameters:
    ///   - offset: How many bytes of the body come before them.
    ///   - count: How many; fewer only at the end.
    /// - Returns: The bytes.
    /// - Throws: What kept them from being read.
    func read(at offset: Int64, count: Int) async throws -> Data
}
