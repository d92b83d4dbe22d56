import Foundation

/// A URL, one item of whose query is to be replaced.
struct QueryAddress {
    private let front: Substring
    private let items: [Substring]

    /// Takes apart a URL that is percent-encoded.
    init(_ url: URL) {
        let text = WrittenPath(url.absoluteString)
        front = text.path
        items = text.query?.split(separator: "&") ?? []
    }

    /// The number in the first item of a name; nil without one.
    func number(of name: String) -> Int? {
        guard let item = items.first(where: { Self.name(of: $0) == name }) else { return nil }
        let value = item.drop { $0 != "=" }.dropFirst()
        return value.removingPercentEncoding.flatMap { Int($0) }
    }

    /// The URL with a value in the place of all items of that name, else at its end.
    func replacing(_ name: String, with value: String) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.append(name, as: .queryValue, to: &bytes)
        bytes.append(UInt8(ascii: "="))
        PercentEncoding.append(value, as: .queryValue, to: &bytes)
        let new = Substring(decoding: bytes, as: UTF8.self)
        let place = items.firstIndex { Self.name(of: $0) == name } ?? items.endIndex
        var all = items
        all.replaceSubrange(place..<min(place + 1, items.endIndex), with: [new])
        let others = all.enumerated()
            .filter { $0.offset <= place || Self.name(of: $0.element) != name }
        return front + "?" + others.map(\.element).joined(separator: "&")
    }

    private static func name(of item: Substring) -> String {
        QueryItem.encoded(String(item), nil).name
    }
}

extension Int {
    /// `self + step × count`, as near to it as an integer can be.
    func advanced(by step: Int, times count: Int) -> Int {
        let (way, isTooFar) = step.multipliedReportingOverflow(by: count)
        let limit = step < 0 ? Int.min : .max
        guard !isTooFar else { return limit }
        let (sum, isBeyond) = addingReportingOverflow(way)
        return isBeyond ? limit : sum
    }
}
