import Synchronization

/// What closures found, in its order.
final class Kept<Element: Sendable>: Sendable {
    private let found = Mutex<[Element]>([])

    var elements: [Element] { found.withLock { $0 } }

    func append(_ element: Element) {
        found.withLock { $0.append(element) }
    }
}
