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
func sortedNames(_ names: [String]) -> [String] { names.sorted() }

/// Returns the sorted order of `count` elements, as indices.
@inline(never)
private func order(of count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: isBefore)  // which keeps the order of equal ones
}
