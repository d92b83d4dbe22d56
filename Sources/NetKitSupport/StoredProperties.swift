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
