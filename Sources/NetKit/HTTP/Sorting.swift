// The code of a sort is some three kilobytes for each type of element and each order. These two share one, for what is
// sorted seldom or is short.

extension Dictionary where Key == String {
    /// The members in the order of their names.
    package var sortedByName: [(key: String, value: Value)] {
        sortedNames(Array(keys)).compactMap { name in self[name].map { (name, $0) } }
    }
}

extension Array {
    /// The elements in an order; those that are equal in it keep theirs.
    ///
    /// - Parameter isBefore: Whether the first of two elements comes before the second.
    /// - Returns: The elements, sorted.
    package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        order(of: count) { isBefore(self[$0], self[$1]) }.map { self[$0] }
    }
}

@inline(never)
private func sortedNames(_ names: [String]) -> [String] { names.sorted() }

/// The order of so many things by their places.
@inline(never)
private func order(of count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: isBefore)  // which keeps the order of equal ones
}
