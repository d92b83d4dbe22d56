import Foundation
import NetKit
import NetKitSupport

/// The pattern of the requests that a route answers.
struct StubPattern: Sendable {
    /// The method in the form in which requests arrive; nil for any.
    let method: HTTPMethod?
    /// Whether the path is an absolute URL, which matches only its origin.
    private let isAbsolute: Bool
    private let origin: Origin?
    private let segments: [StubSegment]
    private var query: [(name: String, value: StubSegment)]
    private let isPrefix: Bool
    /// Whether it is the base path itself, which an endpoint sends with or without a final slash.
    private let isBase: Bool
    /// The segment that stands for several, and its name.
    private let several: (index: Int, name: String)?

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: A path with placeholders such as `{id}`, optionally with a final `*` and required
    ///     query items; or an absolute URL with these.
    ///   - basePath: A prefix of the path; ignored for an absolute URL.
    init(_ method: HTTPMethod?, _ path: String, below basePath: String = "") {
        self.method = method?.sentForm
        let address = StubAddress(path)
        isAbsolute = address.isAbsolute
        origin = address.origin
        query = address.writtenQuery.map { ($0.name, StubSegment(queryValue: $0.value)) }
        let base = isAbsolute ? [] : basePath.split(separator: "/")
        var own = address.segments
        isPrefix = own.last == "*"
        if isPrefix { own.removeLast() }
        isBase = own == [""] && !base.isEmpty
        if isBase { own = [] }
        let texts = base + own
        segments = texts.map { StubSegment($0) }
        several = texts.firstIndex { $0.hasPrefix("{") && $0.hasSuffix("*}") }
            .map { ($0, String(texts[$0].dropFirst().dropLast(2))) }
    }

    /// Returns the values of the placeholders, or nil if the request doesn't match.
    ///
    /// GET routes also match HEAD.
    func match(_ sought: HTTPMethod, _ url: URL) -> [String: String]? {
        guard method == nil || method == sought || (method == .get && sought == .head) else {
            return nil
        }
        guard !isAbsolute || origin == Origin(url) else { return nil }
        let address = StubAddress(url)
        var parameters: [String: String] = [:]
        let items = query.isEmpty ? [] : address.query
        for item in query {
            guard let found = Self.match(item, items) else { return nil }
            parameters.merge(found) { first, _ in first }
        }
        var found = address.segments.map { Self.decoded($0) }
        if isBase, found.last == "" { found.removeLast() }
        if let several {
            let count = found.count - segments.count + 1
            guard count > 0, several.index + count <= found.count else { return nil }
            let values = found[several.index..<several.index + count]
            parameters[several.name] = values.joined(separator: "/")
            found.replaceSubrange(several.index..<several.index + count, with: ["several"])
        }
        guard found.count == segments.count || (isPrefix && found.count > segments.count) else {
            return nil
        }
        for (index, (segment, text)) in zip(segments, found).enumerated()
        where index != several?.index {
            guard let values = segment.match(text) else { return nil }
            parameters.merge(values) { first, _ in first }
        }
        return parameters
    }

    /// Returns the name of the first query item that keeps a request of the pattern's method and path from matching.
    func unmetQueryItem(by sought: HTTPMethod, _ url: URL) -> String? {
        var plain = self
        plain.query = []
        guard plain.match(sought, url) != nil else { return nil }
        let items = StubAddress(url).query
        return query.first { Self.match($0, items) == nil }?.name
    }

    private static func match(
        _ item: (name: String, value: StubSegment),
        _ items: [(name: String, value: String)]
    ) -> [String: String]? {
        items.lazy.filter { $0.name == item.name }.compactMap { item.value.match($0.value) }.first
    }

    /// Returns the distance between a request and the pattern; smaller is nearer.
    func distance(to sought: HTTPMethod, _ url: URL) -> Int {
        let found = StubAddress(url).segments.map { Self.decoded($0) }
        var distance = method == nil || method == sought ? 0 : 1
        distance += 4 * abs(found.count - segments.count)
        for (segment, value) in zip(segments, found) {
            distance += min(8, segment.distance(to: value))
        }
        return distance
    }

    private static func decoded(_ segment: Substring) -> String {
        FormFields.percentDecoded(segment.utf8, plusIsSpace: false)
    }
}
