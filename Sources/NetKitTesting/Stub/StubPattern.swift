import Foundation
import NetKit

/// Which requests a route answers.
struct StubPattern: Sendable {
    private let method: HTTPMethod?
    private let origin: String?
    private let segments: [StubSegment]
    private let query: [(name: String, value: StubSegment)]
    private let isPrefix: Bool

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - method: The method, nil for any.
    ///   - path: A path with placeholders such as `{id}`, perhaps with `*` as its last segment and query
    ///     items that have to be there; or a whole address with these.
    ///   - basePath: What stands in front of the path, unless it is a whole address.
    init(_ method: HTTPMethod?, _ path: String, below basePath: String = "") {
        self.method = method
        let address = StubAddress(path)
        origin = address.origin
        query = address.query.map { ($0.name, StubSegment($0.value)) }
        let base = address.origin == nil ? Self.segments(ofBase: basePath) : []
        var own = address.segments.map { Self.decoded($0) }
        isPrefix = own.last == "*"
        if isPrefix { own.removeLast() }
        // An empty path adds no slash to a base, as in an endpoint.
        if own == [""], !base.isEmpty { own = [] }
        segments = (base + own).map { StubSegment($0) }
    }

    /// What the placeholders stand for, nil for a request that is another one's.
    ///
    /// HEAD is answered by GET's routes too.
    func match(_ sought: HTTPMethod, _ url: URL) -> [String: String]? {
        guard method == nil || method == sought || (method == .get && sought == .head) else {
            return nil
        }
        let address = StubAddress(url)
        guard origin == nil || origin == address.origin else { return nil }
        var parameters: [String: String] = [:]
        for (name, value) in query {
            let values = address.query.lazy.filter { $0.name == name }
                .compactMap { value.match($0.value) }
            guard let found = values.first else { return nil }
            parameters.merge(found) { first, _ in first }
        }
        let found = address.segments
        guard found.count == segments.count || (isPrefix && found.count > segments.count) else {
            return nil
        }
        for (segment, text) in zip(segments, found) {
            guard let values = segment.match(Self.decoded(text)) else { return nil }
            parameters.merge(values) { first, _ in first }
        }
        return parameters
    }

    /// How far a request is from being this pattern's: the fewer, the nearer.
    func distance(to sought: HTTPMethod, _ url: URL) -> Int {
        let found = StubAddress(url).segments.map { Self.decoded($0) }
        var distance = method == nil || method == sought ? 0 : 1
        distance += 4 * abs(found.count - segments.count)
        for (segment, value) in zip(segments, found) {
            distance += min(8, segment.distance(to: value))
        }
        return distance
    }

    private static func segments(ofBase path: String) -> [String] {
        path.split(separator: "/").map { decoded($0) }
    }

    private static func decoded(_ segment: Substring) -> String {
        FormFields.percentDecoded(segment.utf8, plusIsSpace: false)
    }
}
