import Foundation

/// Any error as one line that can be shown.
enum ErrorSummary {
    /// The words of NetKit's own errors and of those with a localized description, else the type with its
    /// code or the enum's case: an unknown error's texts may hold anything.
    static func line(for error: any Error) -> String {
        let text =
            switch error {
            case let error as DecodingFailure: error.description
            case let error as ConversionFailure: error.description
            case let error as UnreadableText: error.description
            case let error as TransportError: error.description
            case let error as InvalidRequest: String(describing: error)
            case let error as any LocalizedError: error.errorDescription ?? kind(of: error)
            case let error as any CustomNSError: "\(type(of: error)) \(error.errorCode)"
            default: kind(of: error)
            }
        return BoundedLine.text(text, maximum: 1000)
    }

    private static func kind(of error: any Error) -> String {
        let type = String(describing: Swift.type(of: error))
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        if let label = mirror.children.first?.label { return "\(type).\(label)" }
        // A case without a payload has nothing in its text but its name.
        return "\(type).\(error)"
    }
}
