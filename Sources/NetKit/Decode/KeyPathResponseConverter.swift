import Foundation
package import NetKitSupport

/// A converter that extracts one node of a JSON response by its path.
///
/// For example: `KeyPathResponseConverter(path: "data/items/0")`
///
/// The steps of the path are separated by `/`. Each is the name of an object's member or the index of an array's
/// element. Empty steps are skipped, so an empty path means the whole document. In names, write `/` as `~1` and `~` as
/// `~0`, as in RFC 6901. A missing node fails with ``ConversionFailure``.
///
/// The node is cut from the body and decoded directly, so its numbers aren't changed before decoding.
///
/// For a response, prefer ``ResponseDecoding/json(at:)``. Use this converter for ``Request/errorConverter``.
public struct KeyPathResponseConverter: ResponseJSONConverter {
    package let path: JSONPath

    /// Creates a converter.
    ///
    /// - Parameter path: The path of the node, such as `path/to/node`.
    public init(path: String) { self.path = JSONPath(path) }

    /// Returns the node at the path.
    ///
    /// - Parameter json: The parsed body.
    /// - Returns: The node, or `NSNull` for null.
    /// - Throws: ``ConversionFailure`` if there is no such node, with the point where the path ended.
    public func convertedJSON(from json: Any) throws -> Any {
        var node = json
        for (count, step) in path.steps.enumerated() {
            guard let child = step.child(of: node) else {
                let kind = JSONKind(of: node)
                let found = kind.map { ConversionFailure.found($0, without: step) } ?? "not JSON"
                throw ConversionFailure(at: path, stoppedAfter: count, found: found)
            }
            node = child
        }
        return node
    }
}

/// An error for a converter or key path that found nothing to decode.
///
/// It names the position and never quotes the body.
public struct ConversionFailure: Error, Hashable, Sendable {
    /// The reasons for a failure.
    public enum Reason: Hashable, Sendable {
        /// The body isn't JSON.
        ///
        /// The text describes the problem and its byte offset.
        case malformedJSON(String)
        /// There is no node at `keyPath`.
        ///
        /// The path leads only to `stoppedAt`, which is empty for the whole document. The value there is `found`, such
        /// as "an array".
        case missingNode(keyPath: String, stoppedAt: String, found: String)
        /// A converter's result has no JSON form at this key path.
        case resultIsNotJSON(keyPath: String)
    }

    /// The reason for the failure.
    public let reason: Reason
    /// What a body is that isn't JSON, if known.
    var body: ForeignBody?

    /// Creates a failure.
    ///
    /// - Parameter reason: The reason.
    package init(_ reason: Reason) { self.reason = reason }
}

extension ConversionFailure: Described, CallError {
    /// A one-line lowercase description: `there is nothing at data.items: data is an array`.
    package var shown: String { text }

    /// The `description`, with the title of an HTML page that arrived instead of JSON.
    public var message: String { text + (body?.title.map { " (\"\($0)\")" } ?? "") }

    private var text: String {
        switch reason {
        case .malformedJSON(let problem): ForeignBody.text(problem, of: body)
        case .missingNode(let keyPath, "", let found):
            "there is nothing at \(keyPath): the body is \(found)"
        case .missingNode(let keyPath, let stoppedAt, let found):
            "there is nothing at \(keyPath): \(stoppedAt) is \(found)"
        case .resultIsNotJSON(""): "the converter's result is not JSON"
        case .resultIsNotJSON(let keyPath):
            // Its keys may come from the server.
            "the converter's result is not JSON at \(BoundedLine.text(keyPath))"
        }
    }
}

extension ConversionFailure: NamesForeignBody {
    var isMalformed: Bool { if case .malformedJSON = reason { true } else { false } }
}

extension ConversionFailure {
    init(_ failure: JSONScanner.Failure, at path: JSONPath) {
        switch failure {
        case .malformed(let error): self.init(.malformedJSON(error.description))
        case .missing(let steps, let kind):
            let found = Self.found(kind, without: path.steps[steps])
            self.init(at: path, stoppedAfter: steps, found: found)
        }
    }

    fileprivate init(at path: JSONPath, stoppedAfter steps: Int, found: String) {
        let stop = path.prefix(steps)
        self.init(.missingNode(keyPath: path.description, stoppedAt: stop, found: found))
    }

    static func found(_ kind: JSONKind, without step: JSONPath.Step) -> String {
        switch kind {
        case .object: "an object without \(step.key)"
        case .array where step.index != nil: "an array with fewer elements"
        default: kind.description
        }
    }
}

extension JSONText {
    /// Returns the node at `path`, byte for byte as it appears in `body`.
    static func slice(of body: Data, at path: JSONPath) throws(ConversionFailure) -> Data {
        do throws(JSONScanner.Failure) {
            return try JSONScanner.slice(of: body, at: path)
        } catch {
            throw ConversionFailure(error, at: path)
        }
    }
}
