import Foundation

// Fields whose values are more than text. Setting nil, or an empty list, removes the field; a getter is nil
// where there is no field, or one that cannot be read.
extension HTTPHeaders {
    /// `Date`: when the message was made.
    var date: Date? {
        get { date(of: .date) }
        set { setDate(newValue, of: .date) }
    }

    /// `Expires`: until when a response is fresh.
    var expires: Date? {
        get { date(of: .expires) }
        set { setDate(newValue, of: .expires) }
    }

    /// `Last-Modified`: when the representation was last changed.
    var lastModified: Date? {
        get { date(of: .lastModified) }
        set { setDate(newValue, of: .lastModified) }
    }

    /// `If-Modified-Since`: answer with 304 if it was not changed since.
    var ifModifiedSince: Date? {
        get { date(of: .ifModifiedSince) }
        set { setDate(newValue, of: .ifModifiedSince) }
    }

    /// `ETag`: the version of the representation.
    var eTag: EntityTag? {
        get { self[.eTag].flatMap { EntityTag(fieldValue: $0) } }
        set { self[.eTag] = newValue?.description }
    }

    /// `If-None-Match`: answer with 304 to one of these versions; empty without the field, and for `*`.
    var ifNoneMatch: [EntityTag] {
        get { entityTags(of: .ifNoneMatch) }
        set { setList(newValue.map(\.description), of: .ifNoneMatch) }
    }

    /// `Cache-Control`: who may keep the response, and for how long.
    var cacheControl: CacheControl? {
        get { self[.cacheControl].map { CacheControl(fieldValue: $0) } }
        set { self[.cacheControl] = newValue?.description }
    }

    /// `Content-Length` of a response: how many bytes were sent, before decompression.
    var contentLength: Int64? {
        self[.contentLength].flatMap { $0.asciiNumber() }
    }

    private func date(of name: HTTPHeaderName) -> Date? {
        self[name].flatMap { HTTPDate.parse($0) }
    }

    private mutating func setDate(_ date: Date?, of name: HTTPHeaderName) {
        self[name] = date.flatMap { HTTPDate.text(of: $0) }
    }

    private func entityTags(of name: HTTPHeaderName) -> [EntityTag] {
        // A tag may have commas, but no quotes: every second piece stands between quotes.
        let pieces = (self[name] ?? "").split(separator: "\"", omittingEmptySubsequences: false)
        guard pieces.count % 2 == 1 else { return [] }
        return stride(from: 1, to: pieces.count, by: 2)
            .map { index in
                EntityTag(String(pieces[index]), isWeak: pieces[index - 1].hasSuffix("W/"))
            }
    }

    private mutating func setList(_ items: [String], of name: HTTPHeaderName) {
        self[name] = items.isEmpty ? nil : items.joined(separator: ", ")
    }
}
