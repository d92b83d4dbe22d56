/// A name for an error that has no words.
package enum ErrorName {
    package static func name(of error: any Error) -> String {
        let type = String(describing: Swift.type(of: error))
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        if let label = mirror.children.first?.label { return "\(type).\(label)" }
        // The text of a case without a payload is only its name.
        return "\(type).\(error)"
    }
}
