import Foundation
import NetKit

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
}

/// A response found in a store.
struct StoredResponse: Sendable {
    /// The identifier within the store.
    ///
    /// A replacement has a different one.
    let id: String
    let head: StoredHead
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
