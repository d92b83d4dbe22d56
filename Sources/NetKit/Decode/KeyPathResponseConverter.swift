package import Foundation

/// A converter that extracts one node of a JSON response by its path.
///
/// For example: `KeyPathResponseConverter(path: "data/items/0")`
///
/// The steps of the path are separated by `/`. Each is the name of an object's member or the index of an array's
/// element. Empty steps are skipped, so an empty path means the whole document. In names, write `/` as `~1` and `~` as
/// `~0`, as in RFC 6901. A missing node fails with ``ConversionFailure``.
///
/// The node is cut from the body and decoded directly, so its numbers aren't changed before decoding.
public struct KeyPathResponseConverter: ResponseJSONConverter {
    package let path: JSONPath

    /// Creates a converter.
    ///
    /// - Parameter path: The path of the node, such as `path/to/node`.
    public init(path: String) {
        self.path = JSONPath(path)
    }

    /// Returns the node at the path.
    ///
    /// - Parameter json: The parsed body.
    /// - Returns: The node, or `NSNull` for null.
    /// - Throws: ``ConversionFailure`` if there is no such node, with the point where the path ended.
    public func convertedJSON(from json: Any) throws -> Any {
        var node = json
        for (count, step) in path.steps.enumerated() {
            guard let child = Self.child(step, of: node) else {
                throw ConversionFailure(
                    .missingNode(
                        keyPath: path.description,
                        stoppedAt: path.prefix(count),
                        found: Self.kind(of: node)
                            .map {
                                ConversionFailure.found($0, without: step)
                            } ?? "not JSON"
                    )
                )
            }
            node = child
        }
        return node
    }

    private static func child(_ step: JSONPath.Step, of node: Any) -> Any? {
        if let members = node as? [String: Any] { return members[step.key] }
        guard let elements = node as? [Any], let index = step.index,
            elements.indices.contains(index)
        else { return nil }
        return elements[index]
    }

    private static func kind(of node: Any) -> JSONKind? {
        switch node {
        case is [String: Any]: .object
        case is [Any]: .array
        case is String: .string
        case is NSNull: .null
        case let value where type(of: value) == Bool.self: .boolean
        case is NSNumber: .number
        default: nil
        }
    }
}

extension KeyPathResponseConverter: SlicingConverter {
    package func slice(of body: Data) throws -> Data {
        try JSONText.slice(of: body, at: path)
    }
}
