/// What a request asks of a cache, and whether the cache may answer it.
struct CacheRequest: Sendable {
    /// The directives of the request's own `Cache-Control` field.
    let control: CacheControl
    let policy: CachePolicy
    /// Whether it is a HEAD, which has the head of a GET alone.
    let isHead: Bool

    /// Reads a request; nil for one that goes past the cache.
    ///
    /// These are all methods but GET and HEAD, requests for a range, those that set validators themselves, streams of
    /// events, and those that say `no-store`.
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

    /// Whether a field sends the request past the cache.
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

    /// Whether nothing may be sent.
    var isOnlyIfCached: Bool { policy == .onlyIfCached || control.has("only-if-cached") }

    /// The value of the `Cache-Control` field that the policy adds.
    var addedControl: String? {
        switch policy {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .standard, .onlyIfCached, .noStore: nil
        }
    }
}

/// The type of a stream of events, which is never stored.
enum EventStream {
    private static let name = Array("text/event-stream".utf8)

    /// Whether a field's value names the type, in any case.
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
