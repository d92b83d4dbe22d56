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
