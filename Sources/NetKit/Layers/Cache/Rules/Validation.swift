import Foundation

/// How a stored response is validated (RFC 9111, section 4.3).
enum Validation {
    /// The request with the validators of a stored response; nil if it has none.
    static func request(_ request: EncodedRequest, validating stored: StoredHead) -> EncodedRequest?
    {
        var conditional = request
        // As they were received, even where they are not well-formed; but nothing that no field may have.
        let tag = stored.headers[.eTag].flatMap { $0.isFieldValue ? $0 : nil }
        let modified = stored.headers[.lastModified].flatMap { $0.isFieldValue ? $0 : nil }
        if let tag { conditional.headers[.ifNoneMatch] = tag }
        if let modified { conditional.headers[.ifModifiedSince] = modified }
        return tag != nil || modified != nil ? conditional : nil
    }

    /// Whether a 304 is about the stored response: it has no other entity tag (section 4.3.4).
    static func confirms(_ head: ResponseHead, _ stored: StoredHead) -> Bool {
        guard let tag = head.headers[.eTag], let own = stored.headers[.eTag] else { return true }
        return opaque(tag) == opaque(own)
    }

    /// Whether the response to a HEAD is about the stored response (section 4.3.5).
    static func agrees(_ head: ResponseHead, with stored: StoredHead) -> Bool {
        head.status == stored.status
            && [HTTPHeaderName.eTag, .lastModified, .contentLength]
                .allSatisfy { name in
                    head.headers[name].map { $0 == stored.headers[name] } ?? true
                }
    }

    /// The stored head with the fields of a newer one (section 3.2).
    ///
    /// - Parameters:
    ///   - head: The newer one.
    ///   - stored: The stored one.
    ///   - date: When the newer one arrived.
    /// - Returns: The fields.
    static func merge(
        _ head: ResponseHead,
        into stored: StoredHead,
        at date: Date
    ) -> HTTPHeaders {
        var merged = stored.headers
        merged.remove(.age)
        var replaced: Set<HTTPHeaderName> = []
        for field in StorageRules.fields(of: head.headers).fields where !isKept(field.name) {
            if replaced.insert(field.name).inserted {
                merged[field.name] = field.value
            } else {
                merged.append(field.value, for: field.name)
            }
        }
        // The stored date is not that of the newer response (RFC 9110, section 6.6.1).
        if head.headers[.date] == nil { merged[.date] = HTTPDate.text(of: date) }
        return StorageRules.fields(of: merged)
    }

    /// Whether a response that was just confirmed may be used again, by the fields that it has now.
    static func isStillStorable(_ fresh: StoredHead, since stored: StoredHead) -> Bool {
        let names = Selection.names(in: fresh.headers).map { $0.rawName.lowercased() }
        return !fresh.terms.control.noStore && names == stored.selectors.map(\.name)
    }

    /// Whether a field describes the stored body, which stays.
    private static func isKept(_ name: HTTPHeaderName) -> Bool {
        name == .contentLength || name == .contentEncoding || name == .contentRange
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
