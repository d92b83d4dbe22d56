package import Foundation

/// Takes one node out of a response's JSON: `KeyPathResponseConverter(path: "data/items/0")`.
///
/// Steps are separated by `/`: a member of an object, or the index of an array's element. An empty
/// path is the whole document. A slash within a name is written `~1`, a tilde `~0` (RFC 6901).
/// The node is cut out of the body and decoded as it stands, so numbers keep all their digits and
/// large bodies are parsed once.
public struct KeyPathResponseConverter: ResponseJSONConverter {
    package let path: JSONPath

    /// Makes a converter.
    ///
    /// - Parameter path: The way to the node, such as `path/to/node`.
    public init(path: String) {
        self.path = JSONPath(path)
    }

    /// The node at the path.
    ///
    /// - Parameter json: The body, parsed.
    /// - Returns: The node, `NSNull` for null.
    /// - Throws: ``ConversionFailure`` if there is no such node; it says where the path ended.
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
