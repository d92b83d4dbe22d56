import Foundation

/// The properties that a struct or an object stores, as its mirror shows them.
package enum StoredProperties {
    /// The stored properties of a request and its superclasses.
    package static func of(_ value: Any) -> [(label: String, value: Any)] {
        var stored: [(String, Any)] = []
        var next: Mirror? = Mirror(reflecting: value)
        while let mirror = next {
            // The children of an enum are the values of a case.
            guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { break }
            for child in mirror.children {
                if let label = child.label { stored.append((label, child.value)) }
            }
            next = mirror.superclassMirror
        }
        return stored
    }
}

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

/// A name for an error that has no words.
package enum ErrorName {
    /// Returns the words of a localized error, or the name of any other, whose text may contain secrets.
    package static func words(of error: any Error) -> String {
        switch error {
        case let error as DecodingError:
            name(of: error) + (error.place.isEmpty ? "" : " at \(error.place)")
        case let error as any LocalizedError: error.errorDescription ?? name(of: error)
        case let error as any CustomNSError: "\(type(of: error)) \(error.errorCode)"
        default: name(of: error)
        }
    }

    package static func name(of error: any Error) -> String {
        let type = String(describing: Swift.type(of: error))
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        if let label = mirror.children.first?.label { return "\(type).\(label)" }
        // The text of a case without a payload is only its name.
        return "\(type).\(error)"
    }
}

extension DecodingError {
    /// The path of what can't be decoded, with the key that is missing.
    fileprivate var place: String {
        guard case .keyNotFound(let key, let context) = self else {
            return JSONPath(context.codingPath).description
        }
        return JSONPath(context.codingPath + [key]).description
    }
}

extension String {
    /// Whether the text has another one that isn't a part of a word or a number.
    package func hasWord(_ word: String) -> Bool {
        ranges(of: word)
            .contains { range in
                !(self[..<range.lowerBound].endsInWord && self[range].beginsWithWord)
                    && !(self[range].endsInWord && self[range.upperBound...].beginsWithWord)
            }
    }
}

extension Substring {
    fileprivate var beginsWithWord: Bool { first.map { $0.isLetter || $0.isNumber } ?? false }
    fileprivate var endsInWord: Bool { last.map { $0.isLetter || $0.isNumber } ?? false }
}
