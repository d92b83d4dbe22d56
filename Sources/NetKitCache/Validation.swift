import Foundation
import NetKit
import NetKitSupport

/// The rules for validating a stored response (RFC 9111, section 4.3).
enum Validation {
    /// Adds a stored response's validators to a request, or returns nil if it has none.
    static func request(_ request: EncodedRequest, validating stored: StoredHead) -> EncodedRequest?
    {
        var conditional = request
        // Uses them as received, even if malformed, unless they are invalid in a field.
        let tag = stored.headers[.eTag].flatMap { $0.isFieldValue ? $0 : nil }
        let modified = stored.headers[.lastModified].flatMap { $0.isFieldValue ? $0 : nil }
        if let tag { conditional.headers[.ifNoneMatch] = tag }
        if let modified { conditional.headers[.ifModifiedSince] = modified }
        return tag != nil || modified != nil ? conditional : nil
    }

    /// Returns whether a 304 is for the stored response (section 4.3.4).
    ///
    /// It must not have another entity tag.
    static func confirms(_ head: ResponseHead, _ stored: StoredHead) -> Bool {
        guard let tag = head.headers[.eTag], let own = stored.headers[.eTag] else { return true }
        return opaque(tag) == opaque(own)
    }

    /// Returns whether a HEAD response agrees with the stored response (section 4.3.5).
    static func agrees(_ head: ResponseHead, with stored: StoredHead) -> Bool {
        head.status == stored.status
            && [HTTPHeaderName.eTag, .lastModified, .contentLength]
                .allSatisfy { name in
                    head.headers[name].map { $0 == stored.headers[name] } ?? true
                }
    }

    /// Merges the fields of a newer head into the stored one (section 3.2).
    ///
    /// - Parameters:
    ///   - head: The newer head.
    ///   - stored: The stored head.
    ///   - date: The arrival of the newer head.
    /// - Returns: The merged fields.
    static func merge(
        _ head: ResponseHead,
        into stored: StoredHead,
        at date: Date
    ) -> HTTPHeaders {
        var merged = stored.headers
        let newer = StorageRules.fields(of: head.headers).fields.filter { !isKept($0.name) }
        let replaced = Set(newer.map(\.name))
        // In one pass: a server can send thousands of fields.
        merged.removeFields { $0.name == .age || replaced.contains($0.name) }
        for field in newer { merged.append(field.value, for: field.name) }
        // The stored date isn't that of the newer response (RFC 9110, section 6.6.1).
        if head.headers[.date] == nil { merged[.date] = HTTPDate.text(of: date) }
        return StorageRules.fields(of: merged)
    }

    /// Returns whether a confirmed response may be reused, according to its new fields.
    static func isStillStorable(_ fresh: StoredHead, since stored: StoredHead) -> Bool {
        let names = Selection.names(in: fresh.headers).map { $0.rawName.lowercased() }
        return StorageRules.allow(fresh.status, fresh.terms.control)
            && names == stored.selectors.map(\.name)
    }

    /// Returns whether a field describes the stored body, which doesn't change.
    static func isKept(_ name: HTTPHeaderName) -> Bool {
        name == .contentLength || name == .contentEncoding || name == .contentRange
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
