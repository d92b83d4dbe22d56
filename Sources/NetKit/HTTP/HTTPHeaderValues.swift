public import Foundation

// Fields whose values are more than text. Setting nil, or an empty list, removes the field; a getter is nil
// where there is no field, or one that cannot be read.
extension HTTPHeaders {
    /// `Date`: when the message was made.
    public var date: Date? {
        get { date(of: .date) }
        set { setDate(newValue, of: .date) }
    }

    /// `Expires`: until when a response is fresh.
    public var expires: Date? {
        get { date(of: .expires) }
        set { setDate(newValue, of: .expires) }
    }

    /// `Last-Modified`: when the representation was last changed.
    public var lastModified: Date? {
        get { date(of: .lastModified) }
        set { setDate(newValue, of: .lastModified) }
    }

    /// `If-Modified-Since`: answer with 304 if it was not changed since.
    public var ifModifiedSince: Date? {
        get { date(of: .ifModifiedSince) }
        set { setDate(newValue, of: .ifModifiedSince) }
    }

    /// `If-Unmodified-Since`: do it only if nobody changed it since.
    public var ifUnmodifiedSince: Date? {
        get { date(of: .ifUnmodifiedSince) }
        set { setDate(newValue, of: .ifUnmodifiedSince) }
    }

    /// `ETag`: the version of the representation.
    public var eTag: EntityTag? {
        get { self[.eTag].flatMap { EntityTag(fieldValue: $0) } }
        set { self[.eTag] = newValue?.description }
    }

    /// `If-Match`: do it only to one of these versions; empty without the field, and for `*`.
    public var ifMatch: [EntityTag] {
        get { entityTags(of: .ifMatch) }
        set { setList(newValue.map(\.description), of: .ifMatch) }
    }

    /// `If-None-Match`: answer with 304 to one of these versions; empty without the field, and for `*`.
    public var ifNoneMatch: [EntityTag] {
        get { entityTags(of: .ifNoneMatch) }
        set { setList(newValue.map(\.description), of: .ifNoneMatch) }
    }

    /// `Cache-Control`: who may keep the response, and for how long.
    public var cacheControl: CacheControl? {
        get { self[.cacheControl].map { CacheControl(fieldValue: $0) } }
        set { self[.cacheControl] = newValue?.description }
    }

    /// `Accept-Language`: the languages that are understood, the best first.
    ///
    /// They are sent with falling weights (RFC 9110, section 12.5.4), down to 0.1; a getter sorts by the
    /// weights and leaves out those of weight 0.
    public var acceptedLanguages: [String] {
        get {
            let ranges = (self[.acceptLanguage] ?? "").split(separator: ",").map(WeightedRange.init)
            return ranges.enumerated().filter { $0.element.weight > 0 }
                .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
                .map(\.element.name)
        }
        set {
            let ranges = newValue.enumerated()
                .map { index, language in
                    index == 0 ? language : "\(language);q=0.\(Swift.max(1, 10 - index))"
                }
            setList(ranges, of: .acceptLanguage)
        }
    }

    /// `Content-Length` of a response: how many bytes were sent, before decompression.
    public var contentLength: Int64? {
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

/// One item of a list with weights: `de;q=0.8`.
private struct WeightedRange {
    let name: String
    let weight: Double

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        name = parts.first.map { String($0) } ?? ""
        let written = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
        weight = name.isEmpty ? 0 : written.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
}
