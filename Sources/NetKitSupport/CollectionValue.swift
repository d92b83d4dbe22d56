import Foundation

/// A parameter's value that is a collection.
package enum CollectionValue {
    /// Returns the elements of a collection, or nil for a single value.
    ///
    /// The elements of a set are sorted by their text.
    package static func elements(of value: Any) -> [Any]? {
        switch value {
        case is any StringProtocol, is Data, is any RangeExpression: nil
        case let set as Set<AnyHashable>: set.map(\.base).ordered { "\($0)" < "\($1)" }
        case let collection as any Collection: Self.array(collection)
        default: nil
        }
    }

    private static func array(_ collection: some Collection) -> [Any] {
        collection.map { $0 }
    }
}
