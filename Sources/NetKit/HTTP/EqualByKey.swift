package import Foundation

/// A value that equals another one with the same key.
package protocol EqualByKey: Hashable {
    associatedtype EqualityKey: Hashable
    var equalityKey: EqualityKey { get }
}

extension EqualByKey {
    public static func == (left: Self, right: Self) -> Bool {
        left.equalityKey == right.equalityKey
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(equalityKey)
    }
}

extension String {
    /// Creates a string from valid UTF-8.
    ///
    /// Nil for invalid bytes, which `String` would repair.
    @inline(never)
    package init?(exactly bytes: Data) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}

/// A text that is compared byte by byte.
///
/// Strings with different Unicode compositions are equal in Swift, but not to a server.
package struct ExactText: Hashable, Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }
}

// Each specialization of a sort takes about three kilobytes of code. These two share one, for rare or short sorts.

extension Dictionary where Key == String {
    /// The members, sorted by name.
    package var sortedByName: [(key: String, value: Value)] {
        sortedNames(Array(keys)).compactMap { name in self[name].map { (name, $0) } }
    }
}

extension Array {
    /// Returns the elements in a stable order.
    ///
    /// - Parameter isBefore: A predicate that returns whether the first element precedes the second.
    /// - Returns: The sorted elements.
    package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        order(of: count) { isBefore(self[$0], self[$1]) }.map { self[$0] }
    }
}

@inline(never)
private func sortedNames(_ names: [String]) -> [String] { names.sorted() }

/// Returns the sorted order of `count` elements, as indices.
@inline(never)
private func order(of count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: isBefore)  // which keeps the order of equal ones
}
