import Foundation
import NetKit

/// A URL with one query item to replace.
struct QueryAddress {
    private let front: Substring
    private let items: [Substring]

    /// Splits a percent-encoded URL.
    init(_ url: URL) {
        let text = WrittenPath(url.absoluteString)
        front = text.path
        items = text.query?.split(separator: "&") ?? []
    }

    /// Returns the number in the first item with a name, or nil without one.
    func number(of name: String) -> Int? {
        guard let item = items.first(where: { Self.name(of: $0) == name }) else { return nil }
        let value = item.drop { $0 != "=" }.dropFirst()
        return value.removingPercentEncoding.flatMap { Int($0) }
    }

    /// Returns the URL with a value in place of all items of a name.
    ///
    /// Without such an item, the value is appended.
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
        QueryItem.encoded(name: String(item), value: nil).name
    }
}

extension Int {
    /// Returns `self + step × count`, clamped to the range of `Int`.
    func advanced(by step: Int, times count: Int) -> Int {
        let (way, isTooFar) = step.multipliedReportingOverflow(by: count)
        let limit = step < 0 ? Int.min : .max
        guard !isTooFar else { return limit }
        let (sum, isBeyond) = addingReportingOverflow(way)
        return isBeyond ? limit : sum
    }
}
