import NetKit

/// A request that the cache may answer, with its cache directives.
struct CacheRequest: Sendable {
    /// The directives of the request's own `Cache-Control` field.
    let control: CacheControl
    let policy: CachePolicy
    /// Whether the request is a HEAD, which only needs a stored head.
    let isHead: Bool

    /// Parses a request, or returns nil if it bypasses the cache.
    ///
    /// Methods other than GET and HEAD, range requests, requests with their own validators, event streams, and
    /// `no-store` bypass the cache.
    init?(_ request: EncodedRequest, policy: CachePolicy) {
        guard policy != .noStore, request.method == .get || request.method == .head,
            request.body == nil
        else { return nil }
        let headers = request.headers
        var control: CacheControl?
        for field in headers.fields {
            if Self.isExcluding(field) { return nil }
            if field.name == .cacheControl { control = headers.cacheControl }
        }
        self.control = control ?? CacheControl()
        guard control?.noStore != true else { return nil }
        isHead = request.method == .head
        self.policy = policy
    }

    /// Returns whether a field makes the request bypass the cache.
    private static func isExcluding(_ field: HTTPHeaders.Field) -> Bool {
        let name = field.name
        switch name.rawName.utf8.count {
        case 5: return name == .range
        case 6: return name == .accept && EventStream.isNamed(in: field.value)
        case 8: return name == .ifRange || name == .ifMatch
        case 13: return name == .ifNoneMatch
        case 17: return name == .ifModifiedSince
        case 19: return name == .ifUnmodifiedSince
        default: return false
        }
    }

    /// Whether the request must not be sent.
    var isOnlyIfCached: Bool { policy == .onlyIfCached || control.has("only-if-cached") }

    /// The `Cache-Control` value that the policy adds.
    var addedControl: String? {
        switch policy {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .standard, .onlyIfCached, .noStore: nil
        }
    }
}

/// The media type of event streams, which are never stored.
enum EventStream {
    private static let name = Array("text/event-stream".utf8)

    /// Returns whether a field value names the type, ignoring case.
    static func isNamed(in value: String) -> Bool {
        guard value.utf8.count >= name.count else { return false }
        return value.utf8
            .split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") })
            .contains { part in
                part.drop { $0 == 0x20 || $0 == 0x09 }.prefix(name.count)
                    .elementsEqual(name) { HTTPToken.folded($0) == $1 }
            }
    }
}
